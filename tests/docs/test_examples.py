"""The examples in the documentation run, and what they promise holds."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from arsm_l2r.metrics import PAPER, Judgements, evaluate, means

ROOT = Path(__file__).parents[2]


def run_examples(page: str) -> dict[str, Any]:
    """Run a page's Python examples one after the other, in one namespace."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": page}
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), namespace)
    return namespace


def test_own_losses_train_rankers_that_rank() -> None:
    done = run_examples("own-loss.md")
    judgements = Judgements(done["labels"], done["group"])

    def quality(scores: np.ndarray) -> float:
        return means(evaluate(scores, judgements, PAPER))["map"]

    best = quality(done["features"][:, 0])  # what the labels were made from
    for scores in (done["scores"], done["ranker"].predict(done["features"])):
        assert quality(scores) > 0.95 * best


def test_own_precision_loss_is_minus_precision_relative_to_the_best() -> None:
    from arsm_l2r.losses import Batch
    from arsm_l2r.tensorflow import tf

    loss = run_examples("own-loss.md")["PrecisionLoss"](2)
    batch = Batch(tf.constant([0, 1, 1, 1]), tf.zeros(4, tf.int32), 1, 3, 2)
    levels = tf.constant([[2, 1, 0, 0], [2, 2, 2, 0]])
    values = loss.losses(levels, batch, tf.float64)
    # One relevant document among the first two; then two of the three that share two places.
    np.testing.assert_allclose(values, [[-1 / 2], [-(2 * 2 / 3) / 2]])


def test_own_method_learns_and_predicts(tmp_path: Path) -> None:
    best_feature = run_examples("own-method.md")["BestFeature"]
    random = np.random.default_rng(0)
    features = random.random((60, 4), dtype=np.float32)
    labels = (features[:, 2] > 0.7).astype(int)
    ranker = best_feature().fit(features, labels, [20, 20, 20])
    np.testing.assert_allclose(ranker.predict(features), features[:, 2])
    ranker.save(tmp_path / "model.npz")
    assert ranker.report()["selected"] == {"feature": 3}


def test_every_configuration_key_is_explained() -> None:
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    explained = (ROOT / "config/README.md").read_text(encoding="utf-8")

    def keys(part: dict[str, Any]) -> set[str]:
        properties = part.get("properties", {})
        return set(properties).union(*(keys(child) for child in properties.values()))

    for key in keys(schema) - {"pathvars", "results", "logs", "benchmarks"}:
        assert f"`{key}`" in explained or f".{key}`" in explained, key


def test_defaults_of_the_schema_are_those_of_the_rankers() -> None:
    from arsm_l2r.experiments.methods import METHODS, make_ranker

    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    described = schema["properties"]["methods"]["properties"]
    assert set(described) == set(METHODS)
    for method, part in described.items():
        settings = {key: each["default"] for key, each in part["properties"].items()}
        ranker: Any = make_ranker(method, settings, seed=0, threads=1, checkpoint=Path("none"))
        own = type(ranker)().get_params()
        for key, value in settings.items():
            if key in ("measure", "select_on") and method.startswith("adarank"):
                continue  # one class, two methods
            expected = list(own[key]) if isinstance(own[key], tuple) else own[key]
            assert value == expected, (method, key)


def test_the_picture_of_the_workflow_has_every_rule() -> None:
    targets = {"all", "data", "tables", "figures", "search", "ablations"}
    rules = {
        name
        for path in (ROOT / "workflow").rglob("*.smk")
        for name in re.findall(r"^rule (\w+):", path.read_text(encoding="utf-8"), re.M)
    }
    for picture in ("dag.dot", "dag.svg"):
        drawn = (ROOT / "docs" / picture).read_text(encoding="utf-8")
        for rule in rules - targets:
            assert rule in drawn, (picture, rule)
