"""Impossible settings, given in every way that there is: none is accepted."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arsm_l2r import ARSMRanker
from arsm_l2r.cli.train import add_arguments, execute
from arsm_l2r.declared import by_run, check_declared, declared
from arsm_l2r.errors import ConfigError, UserError
from arsm_l2r.experiments.configuration import load_configuration, read_configuration
from arsm_l2r.experiments.layout import RunFiles
from arsm_l2r.experiments.methods import known_methods
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.run import Job, make_ranker
from arsm_l2r.letor.catalogue import load_catalogue
from arsm_l2r.metrics import measure_by_name
from arsm_l2r.rankers.learned_ranker import LearnedRanker
from arsm_l2r.source_code import reference

ROOT = Path(__file__).parents[2]
NAN, INF = float("nan"), float("inf")
HUGE = 3_000_000_000

IMPOSSIBLE: list[tuple[str, str, Any, str]] = [
    *(
        ("arsm-l2r", name, value, f"must be a finite number, not {value!r}")
        for name in ("learning_rate", "weight_decay", "averaging", "entropy")
        for value in (NAN, INF, -INF)
    ),
    ("arsm-l2r", "levels", 100_000, "100000 is greater than the maximum of 500"),
    ("arsm-l2r", "levels", 1, "1 is less than the minimum of 2"),
    ("arsm-l2r", "loss", "ndcg@3000000000", "the cut-off must be from 1 to 100,000"),
    ("arsm-l2r", "loss", "ndcg-file-order@100001", "the cut-off must be from 1 to 100,000"),
    ("arsm-l2r", "loss", f"ndcg@{'9' * 5000}", "the cut-off must be from 1 to 100,000"),
    ("arsm-l2r", "loss", "ndcg@0", "no loss 'ndcg@0'"),
    ("arsm-l2r", "samples", HUGE, "greater than the maximum of 1,000"),
    ("arsm-l2r", "epochs", HUGE, "greater than the maximum of 1,000,000"),
    ("arsm-l2r", "queries_per_batch", HUGE, "greater than the maximum of 100,000"),
    ("arsm-l2r", "members", HUGE, "greater than the maximum of 100"),
    ("arsm-l2r", "patience", HUGE, "greater than the maximum of 2,147,483,647"),
    ("arsm-l2r", "hidden", (HUGE,), "greater than the maximum of 10,000"),
    ("arsm-l2r", "hidden", (2,) * 1000, "must have at most 20, not 1000"),
    ("arsm-l2r", "select_by", "trec", "must be one of letor, paper, not 'trec'"),
    ("arsm-l2r", "relevant_from", 0, "0 is less than the minimum of 1"),
    ("arsm-l2r", "relevant_from", 31, "31 is greater than the maximum of 30"),
    ("arsm-l2r", "threads", HUGE, "greater than the maximum of 1,024"),
    ("arsm-l2r", "seed", HUGE, "greater than the maximum of 2,147,483,647"),
    ("listnet", "learning_rate", NAN, "must be a finite number, not nan"),
    ("ranksvm", "costs", (1.0, NAN), "must be a finite number, not nan"),
    ("ranksvm", "costs", (INF,), "must be a finite number, not inf"),
    ("ranksvm", "costs", tuple(map(float, range(1, 2000))), "must have at most 1000, not 1999"),
    ("ranksvm", "iterations", HUGE, "greater than the maximum of 1,000,000"),
    ("ranksvm", "feature_scaling", "log", "must be one of none, standard, quantile"),
    ("adarank-ndcg", "cutoff", HUGE, "greater than the maximum of 100,000"),
    ("adarank-map", "rounds", HUGE, "greater than the maximum of 100,000"),
    *(
        ("lambdamart", name, value, f"must be a finite number, not {value!r}")
        for name in ("learning_rate", "feature_share", "row_share", "l2")
        for value in (NAN, INF)
    ),
    ("lambdamart", "trees", HUGE, "greater than the maximum of 100,000"),
    ("lambdamart", "leaves", HUGE, "greater than the maximum of 100,000"),
    ("lambdamart", "least_in_leaf", HUGE, "greater than the maximum of 2,147,483,647"),
    ("lambdamart", "seed", HUGE, "greater than the maximum of 2,147,483,647"),
]
"""A method, a setting, a value that it cannot have, and what is said of it."""


def configured(ranker: type[LearnedRanker], name: str) -> bool:
    """Whether the configuration gives the setting; the others a run gives."""
    return by_run(declared(ranker)[name]) is None


def by_constructor(ranker: type[LearnedRanker], method: str, name: str, value: Any) -> None:
    check_declared(ranker(**{name: value}))


def by_configuration(ranker: type[LearnedRanker], method: str, name: str, value: Any) -> None:
    plain = list(value) if isinstance(value, tuple) else value
    if configured(ranker, name):
        read_configuration({"datasets": ["synthetic"], "methods": {method: {name: plain}}})
    else:
        assert name == "seed"
        read_configuration({"datasets": ["synthetic"], "seeds": [plain], "methods": {method: {}}})


def by_script(ranker: type[LearnedRanker], method: str, name: str, value: Any) -> None:
    """As `scripts/train.py` does: settings are JSON, which may hold NaN."""
    read = json.loads(json.dumps({name: value}))
    given = {} if configured(ranker, name) else read
    job = Job(
        **{
            "method": method,
            "ranker": reference(ranker),
            "settings": {} if given else read,
            "seed": 0,
            "threads": 1,
            "code": "",
            "checkpoint": Path("none"),
            "files": RunFiles(Path("none")),
            **given,
        }
    )
    check_declared(make_ranker(job))


def by_command_line(ranker: type[LearnedRanker], method: str, name: str, value: Any) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    values = value if isinstance(value, tuple) else (value,)
    option = f"--{name.replace('_', '-')}"
    text = [f"{option}={values[0]}"] if len(values) == 1 else [option, *map(str, values)]
    execute(parser.parse_args(["nothing.txt", "--model", "none/model.npz", *text]))


Way = Callable[[type[LearnedRanker], str, str, Any], None]


def ways(ranker: type[LearnedRanker], name: str) -> list[Way]:
    """How a setting can be given."""
    in_configuration = [by_configuration] if configured(ranker, name) or name == "seed" else []
    on_command_line = [by_command_line] if ranker is ARSMRanker else []
    return [by_constructor, by_script, *in_configuration, *on_command_line]


def test_no_impossible_setting_is_accepted() -> None:
    tries, accepted, unexplained = 0, [], []
    for method, name, value, words in IMPOSSIBLE:
        ranker = known_methods()[method].ranker
        for way in ways(ranker, name):
            tries += 1
            case = f"{method}.{name}={str(value)[:30]} {way.__name__}"
            try:
                way(ranker, method, name, value)
            except (ConfigError, UserError, ValueError) as error:
                if words not in str(error) or name not in str(error):
                    unexplained.append(f"{case}: {error}")
            else:
                accepted.append(case)
    print(f"{tries} impossible settings, {len(accepted)} accepted")
    assert accepted == []
    assert unexplained == []


CONFIGURED = [
    ("measures: [ndcg@3000000000]", "the cut-off must be from 1 to 100,000"),
    ("measures: [p@100001]", "the cut-off must be from 1 to 100,000"),
    ("seeds: [3000000000]", "seeds.0: 3000000000 is greater than the maximum of 2,147,483,647"),
    ("ablations: {levels: [3, 100000]}", "ablations.levels.1: 100000 is greater than"),
    ("ablations: {learning_rates: [.nan]}", "learning_rates.0: must be a finite number, not nan"),
    ("ablations: {settings: {learning_rate: .nan}}", "must be a finite number, not nan"),
    ("ablations: {losses: [ndcg@3000000000, ndcg]}", "the cut-off must be from 1 to 100,000"),
    ("ablations: {entropy: {weights: [0, .inf]}}", "must be a finite number, not inf"),
    ("ablations: {gradient_draws: 3000000000}", "greater than the maximum of 1,000,000"),
    ("ablations: {gradient_queries: 3000000000}", "greater than the maximum of 100,000"),
    ("methods: {arsm-l2r: {learning_rate: .nan}}", "must be a finite number, not nan"),
    ("methods: {arsm-l2r: {learning_rate: '.inf'}}", "must be a finite number, not inf"),
    (
        "search: {mine: {method: arsm-l2r, trials: 3000000000, space: {levels: {one_of: [3]}}}}",
        "greater than the maximum of 10,000",
    ),
    (
        "search: {mine: {method: arsm-l2r, trials: 2, space: {entropy: {low: 0, high: .nan}}}}",
        "must be a finite number, not nan",
    ),
    (
        "search: {mine: {method: arsm-l2r, vary: {learning_rate: [.nan, 0.1]}}}",
        "must be a finite number, not nan",
    ),
]


def test_no_impossible_configuration_is_accepted(tmp_path: Path) -> None:
    accepted, unexplained = [], []
    for text, words in CONFIGURED:
        path = tmp_path / "wrong.yaml"
        path.write_text(text)
        try:
            Plan(load_configuration(ROOT, [path]), ROOT)
        except ConfigError as error:
            if words not in str(error):
                unexplained.append(f"{text}: {error}")
        else:
            accepted.append(text)
    print(f"{len(CONFIGURED)} impossible configurations, {len(accepted)} accepted")
    assert accepted == []
    assert unexplained == []


ENTRY = """
own:
  title: Own
  sources: [{{file: own.txt}}]
  layout: {{files: "*.txt", split: {{parts: {parts}}}}}
  features: {features}
  labels: 5
  relevant_from: {relevant_from}
"""


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"parts": HUGE}, "own.layout.split.parts: 3000000000 is greater than the maximum"),
        ({"features": HUGE}, "own.features: 3000000000 is greater than the maximum of 100,000"),
        ({"relevant_from": 0}, "own.relevant_from: 0 is less than the minimum of 1"),
        ({"relevant_from": 5}, "own: relevant_from: 5 is above the highest label, 4"),
        ({"relevant_from": 1.5}, "own.relevant_from: must be integer, not 1.5"),
    ],
)
def test_no_impossible_data_set_is_accepted(wrong: dict, words: str, tmp_path: Path) -> None:
    path = tmp_path / "datasets.yaml"
    path.write_text(ENTRY.format(**{"parts": 5, "features": 3, "relevant_from": 4, **wrong}))
    with pytest.raises(ConfigError) as refused:
        load_catalogue(path)
    assert words in str(refused.value)


def test_what_is_just_possible_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "datasets.yaml"
    path.write_text(ENTRY.format(parts=5, features=3, relevant_from=4))
    assert load_catalogue(path)["own"].relevant_from == 4
    check_declared(ARSMRanker(levels=500, loss="ndcg@100000", hidden=(10_000,)))
    assert measure_by_name("ndcg@100000").title == "NDCG@100000"
