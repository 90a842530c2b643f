"""The plan: what a configuration asks for, and how it refuses what cannot be done."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from arsm_l2r import ARSMRanker
from arsm_l2r.errors import ConfigError, UserError
from arsm_l2r.estimators import estimator_for
from arsm_l2r.experiments.configuration import (
    load_configuration,
    read_configuration,
    with_bases,
)
from arsm_l2r.experiments.layout import Layout, RunFiles
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.experiments.run import Job, make_ranker
from arsm_l2r.experiments.studies import CLAIMS
from arsm_l2r.files import write_json
from arsm_l2r.rankers.feature_scaling import fitted_scaling
from arsm_l2r.source_code import reference

ROOT = Path(__file__).parents[2]
DATA_SETS, FOLDS, SEEDS = ["mq2007", "ohsumed"], range(1, 6), [0, 1, 2]


def plan_of(folder: Path, *overriding: str) -> Plan:
    paths = []
    for number, text in enumerate(overriding):
        paths.append(folder / f"{number}.yaml")
        paths[-1].write_text(text)
    return Plan(load_configuration(ROOT, paths), ROOT)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(load_configuration(ROOT), ROOT)


def test_every_method_is_trained_on_every_fold_with_every_seed(plan: Plan) -> None:
    runs = plan.runs()
    assert len(runs) == len(DATA_SETS) * len(FOLDS) * len(plan.methods) * len(SEEDS)
    assert len({run.files.folder for run in runs}) == len(runs)
    assert plan.datasets == DATA_SETS
    assert list(plan.folds("mq2007")) == list(FOLDS)


def test_methods_stand_in_the_order_of_tables_whatever_that_of_the_file(tmp_path: Path) -> None:
    given = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    given["methods"] = dict(reversed(given["methods"].items()))
    assert list(Plan(read_configuration(given), ROOT).methods) == [
        *["ranksvm", "listnet", "adarank-map", "adarank-ndcg", "lambdamart", "lambdamart-tuned"],
        *["listnet-network", "arsm-l2r", "arsm-l2r-tuned"],
    ]


def test_a_search_trains_its_start_and_every_other_value(tmp_path: Path) -> None:
    study = "search: {mine: {method: arsm-l2r, seeds: [0, 1], vary: {levels: [5, 20, 40]}}}"
    plan = plan_of(tmp_path, study)
    runs = plan.runs_of_study(plan.searches["mine"])
    assert len(runs) == len(DATA_SETS) * len(FOLDS) * 2 * len(("start", 5, 40))
    assert {run.name for run in runs} == {"arsm-l2r", "arsm-l2r+levels=5", "arsm-l2r+levels=40"}
    assert plan.trained["arsm-l2r+levels=5"].settings["levels"] == 5


def test_ablations_train_each_experiment_with_seeds_of_its_own(tmp_path: Path) -> None:
    seeds = "levels: [0, 1, 2], losses: [0], ties: [0, 1], estimators: [0], entropy: [3]"
    plan = plan_of(tmp_path, f"ablations: {{seeds: {{{seeds}}}}}")
    files = {run.files.folder for name in plan.ablations for run in plan.evidence(name).runs}
    # C = 20, NDCG@10 and ARSM at 1e-3 are one variant, and so counted with the levels only.
    levels, losses, ties, estimators = 5 * 3, 6 * 1, 2 * 2, (5 * 2 - 1) * 1
    entropy = 3 * 2 * 2
    runs = levels + losses + ties + estimators + entropy
    assert len(files) == len(DATA_SETS) * len(FOLDS) * runs


def test_rivals_are_tuned_with_as_many_trials(plan: Plan) -> None:
    searches = [each for each in plan.searches.values() if each.space]
    assert [each.method for each in searches] == [
        *["arsm-l2r-tuned", "lambdamart-tuned", "listnet-network"]
    ]
    assert len({len(each.variants) for each in searches}) == 1
    assert len({tuple(each.seeds) for each in searches}) == 1
    for name in (each.method for each in searches):
        assert plan.methods[name]["select_on"] == "mean"


def test_trials_do_not_depend_on_what_the_method_is_set_to(tmp_path: Path, plan: Plan) -> None:
    other = plan_of(tmp_path, "methods: {arsm-l2r-tuned: {entropy: 0.9, epochs: 7}}")
    for name, study in plan.searches.items():
        if study.space:
            assert other.searches[name] == study
            for variant in study.variants:
                assert other.trained[variant.name].settings == plan.trained[variant.name].settings


def test_a_method_that_is_left_out_takes_its_studies_with_it(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "methods: {arsm-l2r: null}")
    assert "arsm-l2r" not in plan.methods
    assert set(plan.searches) == {"tuned-arsm", "tuned-trees", "tuned-listnet"}
    assert plan.ablations == {}
    assert plan.studied == []
    with pytest.raises(ConfigError, match="levels: its method is left out"):
        plan.evidence("levels")


@pytest.mark.parametrize("claim", CLAIMS)
def test_evidence_is_all_that_a_claim_needs(plan: Plan, claim: str) -> None:
    evidence = plan.evidence(claim)
    assert evidence.paths
    assert len(set(evidence.paths)) == len(evidence.paths)
    assert bool(evidence.runs) == (evidence.study is not None)
    if not CLAIMS[claim].ablations:
        assert evidence.paths == [plan.layout.analysis(name) for name in DATA_SETS]


def test_tables_are_known_by_name(plan: Plan) -> None:
    assert list(plan.tables) == [
        *["datasets", "cost"],
        *["mq2007", "mq2007_comparison", "mq2007_comparison_paper"],
        *["ohsumed", "ohsumed_comparison", "ohsumed_comparison_paper"],
        "mq2007_published",
    ]


def test_what_is_this_machines_own_is_not_recorded(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "{letor_mirror: /somewhere, allow_cpu: true, fetching: {timeout: 5}}")
    assert (plan.recorded["letor_mirror"], plan.recorded["allow_cpu"]) == (None, False)
    assert "fetching" not in plan.recorded
    assert plan.configuration.fetching.timeout == 5
    assert plan.recorded["methods"] == plan.methods


def test_published_baselines_are_shown_where_one_is_trained(tmp_path: Path) -> None:
    none = "methods: {ranksvm: null, listnet: null, adarank-map: null, adarank-ndcg: null}"
    assert "mq2007_published" not in plan_of(tmp_path, none).tables


def test_a_rule_and_the_plan_agree_about_paths(plan: Plan) -> None:
    pattern = Layout(Path("<results>")).run("{dataset}", "{fold}", "{method}", "{seed}")
    run = plan.runs("ohsumed", ["arsm-l2r"], [2])[3]
    filled = str(pattern.measures).format(dataset="ohsumed", fold=4, method="arsm-l2r", seed=2)
    assert filled.replace("<results>", str(plan.layout.root)) == str(run.files.measures)


def test_results_know_the_plan_that_they_were_made_by(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nobody knows what the results"):
        Plan.load(tmp_path, ROOT)
    write_json(Layout(tmp_path).configuration, plan.configuration.model_dump(mode="json"))
    loaded = Plan.load(tmp_path, ROOT)
    assert loaded.configuration == plan.configuration
    assert loaded.layout.root == tmp_path
    assert loaded.trained.keys() == plan.trained.keys()


def test_the_version_of_the_code_is_the_methods_own(plan: Plan) -> None:
    assert plan.code("ranksvm") != plan.code("arsm-l2r")
    assert plan.code("arsm-l2r") == plan.code("arsm-l2r-tuned")
    assert plan.ranker("arsm-l2r") == "arsm_l2r.rankers.arsm:ARSMRanker"


WRONG: list[tuple[str, list[str]]] = [
    ("epochs: 3", ["unknown key 'epochs'", "allowed are", "datasets"]),
    ("seeds: zero", ["seeds: must be array"]),
    ("datasets: [mq2006]", ["'mq2006'", "mq2007, ohsumed, synthetic"]),
    ("methods: {arsm-l2r: {level: 3}}", ["methods.arsm-l2r: unknown key 'level'", "levels"]),
    ("methods: {arsm-l2r: {levels: 1}}", ["methods.arsm-l2r.levels: 1", "minimum"]),
    ("methods: {arsm-l2r: {estimator: magic}}", ["local-expectation", "'magic'"]),
    ("methods: {adarank-map: {measure: ndcg}}", ["methods.adarank-map.measure", "map"]),
    ("search: {mine: {method: arsm-l2r, vary: {level: [3]}}}", ["search.mine", "'level'"]),
    ("search: {Mine: {method: arsm-l2r, vary: {levels: [3]}}}", ["search", "'Mine'"]),
    (
        "search: {mine: {method: arsm-l2r, vary: {levels: [1]}}}",
        ["variant arsm-l2r+levels=1", "methods.arsm-l2r.levels", "minimum"],
    ),
    ("ablations: {seeds: [0]}", ["ablations.seeds", "must be object"]),
    ("ablations: {seeds: {level: [0]}}", ["ablations.seeds", "'level'", "levels"]),
    ("ablations: {scorings: [linear, sqared]}", ["ablations.scorings", "'sqared'", "squared"]),
    ("ablations: {scorings: [top, squared]}", ["ablations.scorings", "linear must be among"]),
    ("ablations: {ties: [ndcg@10, ndcg@5]}", ["ablations.ties", "only one"]),
    ("ablations: {losses: [ndgc]}", ["variant arsm-l2r+", "loss", "'ndgc'"]),
    (
        "ablations: {settings: {estimator: local-expectation}}",
        ["local-expectation cannot be used with the loss ndcg-file-order@10"],
    ),
    (
        "ablations: {settings: {loss: ndcg-file-order@10}, estimators: [arsm]}",
        ["ablations: gradients: the estimator local-expectation cannot be used with the loss"],
    ),
    ("methods: {boosting: {}}", ["unknown key 'boosting'", "arsm-l2r"]),
    ("measures: [err]", ["measures.0: no measure 'err'; there are"]),
    ("measures: [map]", ["measures.0: map is measured anyway"]),
    ("extensions: [nowhere.py]", ["extensions: there is no file", "nowhere.py"]),
    ("methods: {listnet: 3}", ["methods.listnet: must be object or null, not 3"]),
    ("{seeds: [-1], epochs: 3}", ["seeds.0: -1 is less", "unknown key 'epochs'"]),
]


@pytest.mark.parametrize(("setting", "messages"), WRONG, ids=[each[0] for each in WRONG])
def test_a_wrong_setting_is_named_with_what_is_allowed(
    tmp_path: Path, setting: str, messages: list[str]
) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_of(tmp_path, setting)
    for message in messages:
        assert message in str(caught.value)


SHIPPED = sorted({*(ROOT / "config").glob("*.yaml")} - {ROOT / "config/datasets.yaml"})


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_configuration_that_is_shipped_can_be_planned(path: Path) -> None:
    found = Plan(load_configuration(ROOT, [path]), ROOT)
    assert found.runs()
    if path.name != "config.yaml":
        assert found.layout.root != Plan(load_configuration(ROOT), ROOT).layout.root


def test_a_configuration_has_what_the_one_says_that_it_is_based_on(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("seeds: [7]\nmethods: {listnet: {epochs: 3, hidden: [4]}}")
    (tmp_path / "own.yaml").write_text(f"based_on: {tmp_path}/base.yaml\nseeds: [8]")
    found = load_configuration(ROOT, [tmp_path / "own.yaml"])
    assert found.seeds == [8]
    assert found.methods["listnet"]["epochs"] == 3
    # What Snakemake has read from files and the command line knows nothing of the base.
    read = {**yaml.safe_load((ROOT / "config/config.yaml").read_text()), "seeds": [9]}
    more = {"seeds": [9], "methods": {"listnet": {"hidden": [5]}}}
    whole = with_bases(read, [tmp_path / "own.yaml"], more, ROOT)
    assert whole["seeds"] == [9]
    assert whole["methods"]["listnet"] == {
        **read["methods"]["listnet"],
        "epochs": 3,
        "hidden": [5],
    }


@pytest.mark.parametrize(
    ("base", "message"),
    [("own.yaml", "own.yaml: is based on itself"), ("absent.yaml", "absent.yaml: cannot be read")],
)
def test_a_base_that_cannot_be_is_refused(tmp_path: Path, base: str, message: str) -> None:
    (tmp_path / "own.yaml").write_text(f"based_on: {tmp_path / base}")
    with pytest.raises(ConfigError, match=message):
        load_configuration(ROOT, [tmp_path / "own.yaml"])


def test_text_of_the_command_line_leaves_a_method_out() -> None:
    """As Snakemake hands over `--config methods='{listnet: null}'`."""
    given = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    given["methods"]["listnet"] = "null"
    assert "listnet" not in read_configuration(given).methods
    with pytest.raises(ConfigError, match="all are left out"):
        read_configuration({**given, "methods": {"listnet": None}})


def test_a_file_of_a_users_concerns_only_what_uses_it(tmp_path: Path) -> None:
    own = tmp_path / "own_loss.py"
    own.write_text(
        "from arsm_l2r.losses import ZeroOneLoss\n\n\n"
        'class Own(ZeroOneLoss):\n    """Mine."""\n\n    name = "own-zero-one"\n'
    )
    named = f"extensions: [{own}]\n"
    without = plan_of(tmp_path, "{}")
    unused = plan_of(tmp_path, named)
    used = plan_of(tmp_path, named + "methods: {arsm-l2r: {loss: own-zero-one}}")
    assert unused.extensions("arsm-l2r") == []
    assert unused.code("arsm-l2r") == without.code("arsm-l2r")
    assert used.extensions("arsm-l2r") == [str(own)]
    assert used.extensions("arsm-l2r-tuned") == []
    assert used.code("arsm-l2r") != without.code("arsm-l2r")


@pytest.mark.parametrize("given", [None, [], "text", {"methods": 3, "datasets": 3}])
def test_what_is_no_configuration_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError):
        read_configuration(given)


def test_a_run_is_told_what_is_relevant_only_where_it_is_not_the_usual(tmp_path: Path) -> None:
    catalogue = tmp_path / "datasets.yaml"
    text = (ROOT / "config/datasets.yaml").read_text()
    head, _, own = text.partition("ohsumed:\n")
    own = own.replace("labels: 3\n", "labels: 3\n  relevant_from: 2\n", 1)
    catalogue.write_text(f"{head}ohsumed:\n{own}")
    plan = plan_of(tmp_path, f"catalogue: {catalogue}")
    for name, trained in plan.trained.items():
        assert plan.training_settings(name, "mq2007") == trained.identifying
        told = {**trained.identifying, "relevant_from": 2}
        assert plan.training_settings(name, "ohsumed") == told
    assert plan.methods_on("mq2007") == plan.methods
    assert plan.methods_on("ohsumed")["ranksvm"]["relevant_from"] == 2
    assert plan.ablation_settings_on("ohsumed") == {**plan.ablation_settings, "relevant_from": 2}


def test_settings_that_came_later_are_no_part_of_what_is_trained_by_default(plan: Plan) -> None:
    later = {"relevant_from", "select_by", "entropy"}
    for name, trained in plan.trained.items():
        added = later | ({"feature_scaling"} if not trained.method.trains_network else set())
        given = {k: v for k, v in plan.training_settings(name, "mq2007").items() if k in added}
        assert set(given) <= {"entropy"}
        assert given.get("entropy", 1) > 0


def test_the_configuration_trains_the_papers_settings_and_the_defaults_of_the_ranker(
    plan: Plan,
) -> None:
    chosen = {"estimator": "local-expectation", "feature_scaling": "values-and-quantiles"}
    by_letor = {"select_by": "letor"}  # as the tables measure
    defaults = ARSMRanker()
    assert estimator_for(defaults.estimator, defaults.loss) == chosen["estimator"]
    scaled = np.linspace(0, 1, 5, dtype=np.float32)[:, None]  # as LETOR's features are
    one, two = (
        fitted_scaling(scaled, kind)
        for kind in (defaults.feature_scaling, chosen["feature_scaling"])
    )
    assert type(one) is type(two)
    rankers = {"arsm-l2r": ARSMRanker.paper(), "arsm-l2r-tuned": ARSMRanker(**chosen, **by_letor)}
    for name, ranker in rankers.items():
        settings = dict(plan.methods[name])
        expected = {**ranker.get_params(), "hidden": list(ranker.hidden)}
        assert settings == {key: expected[key] for key in settings}
        assert set(settings) >= {"estimator", "entropy", "learning_rate", "epochs", "averaging"}


def test_a_job_trains_with_every_setting_of_its_method(plan: Plan, tmp_path: Path) -> None:
    for name, trained in plan.trained.items():
        job = Job(
            method=name,
            ranker=reference(trained.method.ranker),
            settings=plan.training_settings(name, "mq2007"),
            seed=0,
            threads=1,
            code="",
            checkpoint=tmp_path / "state.npz",
            files=RunFiles(tmp_path),
        )
        made = make_ranker(job).get_params()
        assert {key: made[key] for key in trained.settings} == {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in trained.settings.items()
        }
