"""Agreement with ir_measures where both define the same (docs/measures.md says where not)."""

import ir_measures
import numpy as np
import pytest
from ir_measures.providers import registry as providers

from arsm_l2r.metrics import PAPER, Judgements, evaluate, evaluate_run, means

TREC_EVAL = [
    *("AP", "AP@5", "AP(rel=2)", "P@1", "P@5", "P@30", "P(rel=2)@5", "R@5", "R@30"),
    *("RR", "RR(rel=2)", "Success@1", "Success@5", "Success(rel=2)@5", "Rprec", "Rprec(rel=2)"),
]
"""Those that ir_measures leaves to trec_eval."""

GDEVAL = ["nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@10", "ERR@3", "ERR@10", "ERR@30"]
"""Those that it leaves to gdeval, which prints five digits."""

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
by_gdeval = pytest.mark.skipif(
    not providers["gdeval"].is_available(), reason="gdeval needs perl, which is not installed"
)


def lists(seed: int, *, retrieved: float, highest: int = 4) -> tuple[Run, Qrels]:
    """Random queries without ties, of which a share of the judged documents is in the run."""
    draw = np.random.default_rng(seed)
    run: Run = {}
    qrels: Qrels = {}
    for query in map(str, range(1, 31)):
        judged = [f"d{number}" for number in range(draw.integers(1, 25))]
        labels = draw.integers(0, highest + 1, len(judged)) * (draw.random(len(judged)) < 0.4)
        qrels[query] = dict(zip(judged, labels.tolist(), strict=True))
        kept = [name for name in judged if draw.random() < retrieved]
        if retrieved < 1:
            kept += [f"x{number}" for number in range(draw.integers(0, 15))]
        # Apart by more than the single precision that trec_eval has.
        scores = draw.permutation(len(kept)) / 8
        if kept:
            run[query] = dict(zip(kept, scores.tolist(), strict=True))
    return run, qrels


def theirs(names: list[str], run: Run, qrels: Qrels) -> dict[tuple[str, str], float]:
    """Values by measure and query."""
    measures = [ir_measures.parse_measure(name) for name in names]
    by_text = dict(zip(map(str, measures), names, strict=True))
    return {
        (by_text[str(each.measure)], each.query_id): each.value
        for each in ir_measures.iter_calc(measures, qrels, run)
    }


def ours(names: list[str], run: Run, qrels: Qrels) -> dict[tuple[str, str], float]:
    found = evaluate_run(run, qrels, names)
    return {
        (name, query): float(value)
        for name, values in zip(names, found.values.values(), strict=True)
        for query, value in zip(found.queries, values, strict=True)
    }


def in_the_papers_convention(
    names: list[str], run: Run, qrels: Qrels
) -> dict[tuple[str, str], float]:
    """The same for runs that have all judged documents and no others."""
    labels = [label for own in qrels.values() for label in own.values()]
    scores = [run[query][name] for query, own in qrels.items() for name in own]
    judgements = Judgements(labels, [len(own) for own in qrels.values()])
    found = evaluate(scores, judgements, PAPER, names)
    return {
        (name, query): float(value)
        for name, values in zip(names, found.values(), strict=True)
        for query, value in zip(qrels, values, strict=True)
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("retrieved", [0, 0.5, 1])
def test_runs_are_measured_as_by_trec_eval(seed: int, retrieved: float) -> None:
    run, qrels = lists(seed, retrieved=retrieved)
    expected = theirs(TREC_EVAL, run, qrels)
    assert len(expected) == len(TREC_EVAL) * len(qrels)
    assert ours(TREC_EVAL, run, qrels) == pytest.approx(expected, abs=1e-9)


@by_gdeval
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("retrieved", [0.5, 1])
def test_runs_are_measured_as_by_gdeval(seed: int, retrieved: float) -> None:
    run, qrels = lists(seed, retrieved=retrieved)
    expected = theirs(GDEVAL, run, qrels)
    assert len(expected) == len(GDEVAL) * len(qrels)
    assert ours(GDEVAL, run, qrels) == pytest.approx(expected, abs=0.51e-5)


def test_the_papers_convention_agrees_on_lists_of_all_documents() -> None:
    run, qrels = lists(7, retrieved=1)
    found = in_the_papers_convention(TREC_EVAL, run, qrels)
    assert found == pytest.approx(theirs(TREC_EVAL, run, qrels), abs=1e-9)


@by_gdeval
def test_the_papers_ndcg_and_err_agree_with_gdeval_on_lists_of_all_documents() -> None:
    run, qrels = lists(8, retrieved=1)
    found = in_the_papers_convention(GDEVAL, run, qrels)
    assert found == pytest.approx(theirs(GDEVAL, run, qrels), abs=0.51e-5)


def test_reciprocal_rank_with_a_cutoff_agrees() -> None:
    run, qrels = lists(9, retrieved=0.5)
    expected = theirs(["RR@3"], run, qrels)
    assert ours(["RR@3"], run, qrels) == pytest.approx(expected, abs=1e-9)


def test_ties_are_ranked_as_by_trec_eval() -> None:
    run, qrels = lists(10, retrieved=0.7)
    tied = {query: {name: score // 1 for name, score in own.items()} for query, own in run.items()}
    assert ours(TREC_EVAL, tied, qrels) == pytest.approx(theirs(TREC_EVAL, tied, qrels), abs=1e-9)


def test_means_are_over_the_queries_of_the_qrels() -> None:
    run, qrels = lists(11, retrieved=0.5)
    for query in list(qrels)[::4]:
        run.pop(query, None)
    run["unjudged"] = {"a": 1.0}
    names = ["AP", "P@5", "RR"]
    measures = [ir_measures.parse_measure(name) for name in names]
    expected = ir_measures.calc_aggregate(measures, qrels, run)
    found = means(evaluate_run(run, qrels, names).values)
    assert list(found.values()) == pytest.approx([expected[each] for each in measures])


def test_plain_ndcg_of_ir_measures_has_other_gains() -> None:
    run, qrels = {"1": {"a": 1.0, "b": 2.0}}, {"1": {"a": 2, "b": 1}}
    (plain,) = theirs(["nDCG@2"], run, qrels).values()
    (own,) = ours(["nDCG@2"], run, qrels).values()
    discount = 1 / np.log2(3)
    assert plain == pytest.approx((1 + 2 * discount) / (2 + 1 * discount))
    assert own == pytest.approx((1 + 3 * discount) / (3 + 1 * discount))


def test_it_is_the_same_if_labels_are_only_0_and_1() -> None:
    run, qrels = lists(12, retrieved=0.5, highest=1)
    expected = theirs(["nDCG@3", "nDCG@10"], run, qrels)
    assert ours(["nDCG@3", "nDCG@10"], run, qrels) == pytest.approx(expected, abs=1e-9)
