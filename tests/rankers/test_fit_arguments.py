"""Tables, names, validation data and weights, as people hand them to `fit`."""

from typing import Any

import numpy as np
import pandas
import polars as pl
import pytest
from scipy import sparse

from arsm_l2r import ARSMRanker
from arsm_l2r.rankers.baselines.ranksvm import RankSVM
from arsm_l2r.rankers.eval_set import evaluation_set
from arsm_l2r.rankers.inputs import checked_features, checked_weights, group_of_qid

DRAW = np.random.default_rng(0)
GROUP = np.array([4, 6, 5, 5])
QID = np.repeat(["b", "a", "d", "c"], GROUP)
FEATURES = DRAW.integers(0, 4, (20, 3)).astype(np.float32)
LABELS = np.digitize(FEATURES[:, 0], [2, 3])
NAMES = ["one", "two", "three"]
SMALL = {"epochs": 2, "hidden": (4,), "levels": 3}


def ranker(**settings: Any) -> ARSMRanker:
    """One that is quick to train."""
    return ARSMRanker(**SMALL | settings)


@pytest.mark.slow
def test_every_kind_of_table_is_the_same_data() -> None:
    tables: list[Any] = [
        FEATURES,
        FEATURES.tolist(),
        sparse.csr_matrix(FEATURES),
        sparse.coo_array(FEATURES.astype(np.float64)),
        pandas.DataFrame(FEATURES, columns=NAMES),
        pl.DataFrame(FEATURES, schema=NAMES),
    ]
    labels: list[Any] = [LABELS, LABELS.tolist(), LABELS.astype(float), pandas.Series(LABELS)]
    expected = ranker().fit(FEATURES, LABELS, GROUP).predict(FEATURES)
    for table in tables:
        fitted = ranker().fit(table, LABELS, qid=QID)
        np.testing.assert_array_equal(fitted.predict(table), expected)
    for given in labels:
        np.testing.assert_array_equal(
            ranker().fit(FEATURES, given, GROUP).predict(FEATURES), expected
        )


def frames() -> list[Any]:
    """The same table as a frame of each library that is here."""
    made: list[Any] = [pl.DataFrame(FEATURES, schema=NAMES)]
    return [*made, pandas.DataFrame(FEATURES, columns=NAMES)]


@pytest.mark.slow
def test_columns_in_another_order_or_of_other_names_are_refused() -> None:
    for frame in frames():
        fitted = ranker().fit(frame, LABELS, GROUP)
        assert fitted.feature_names_in_.tolist() == NAMES
        with pytest.raises(ValueError, match="must be in the same order"):
            fitted.predict(frame[["two", "one", "three"]])
        with pytest.raises(ValueError, match="yet now missing:\n- three"):
            fitted.predict(frame[["one", "two"]])
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            fitted.predict(FEATURES)
        with pytest.raises(
            ValueError, match="column 1 of eval_set is 'two', but that of X is 'one'"
        ):
            ranker().fit(
                frame, LABELS, GROUP, eval_set=(frame[["two", "one", "three"]], LABELS, GROUP)
            )


@pytest.mark.slow
def test_names_are_kept_in_the_model_and_forgotten_with_the_next_fit(tmp_path: Any) -> None:
    frame = pl.DataFrame(FEATURES, schema=NAMES)
    fitted = ranker().fit(frame, LABELS, GROUP)
    fitted.save(tmp_path / "model.npz")
    loaded = ARSMRanker.load(tmp_path / "model.npz")
    assert loaded.feature_names_in_.tolist() == NAMES
    np.testing.assert_array_equal(loaded.predict(frame), fitted.predict(frame))
    fitted.fit(FEATURES, LABELS, GROUP)
    assert not hasattr(fitted, "feature_names_in_")


X, Y, G, Q = "X", "y", [2, 1], [7, 7, 8]


@pytest.mark.parametrize(
    ("given", "group", "qid", "expected"),
    [
        (None, None, None, None),
        ((X, Y, G), None, None, (X, Y, G, None)),
        ([(X, Y, G)], None, None, (X, Y, G, None)),
        ([(X, Y)], [G], None, (X, Y, G, None)),
        ([(X, Y)], None, [Q], (X, Y, None, Q)),
        (((X, Y),), (G,), None, (X, Y, G, None)),
        ([[X, Y]], [G], None, (X, Y, G, None)),
        ((X, Y), G, None, (X, Y, G, None)),
        ((X, Y), None, Q, (X, Y, None, Q)),
        ((X, Y), [G], None, (X, Y, G, None)),
        ([(X, Y)], G, None, (X, Y, G, None)),
        ([], [], None, None),
    ],
)
def test_validation_data_in_every_form(given: Any, group: Any, qid: Any, expected: Any) -> None:
    assert evaluation_set(given, group, qid) == expected


@pytest.mark.parametrize(
    ("given", "group", "qid", "message"),
    [
        ([(X, Y), (X, Y)], [G, G], None, "eval_set has 2 sets; give the one to select"),
        ([(X, Y)], None, None, r"must be \[\(X, y\)\] with eval_group"),
        ([(X, Y)], [G], [Q], r"must be \[\(X, y\)\] with eval_group"),
        ([(X, Y)], [G, G], None, "eval_group must be a list of one"),
        ((X, Y, G), [G], None, "given twice"),
        (None, [G], None, "belong to an eval_set, which is missing"),
    ],
)
def test_validation_data_that_cannot_be_meant(
    given: Any, group: Any, qid: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        evaluation_set(given, group, qid)


@pytest.mark.parametrize(
    ("qid", "message"),
    [
        ([1, 1, None], "document 2 has no qid"),
        ([1.0, float("nan"), 2.0], "document 1 has no qid"),
        (["a", "b", "a"], "the documents of query a do not stand together"),
        ([1, "1", 1], "the documents of query 1 do not stand together"),
    ],
)
def test_queries_that_are_missing_or_apart_are_named(qid: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        group_of_qid(np.array(qid, dtype=object if None in qid or "1" in qid else None))


def test_weights_may_be_as_large_as_numbers_get() -> None:
    group = np.array([2, 1, 1])
    found = checked_weights([1e308, 0.5e308, 1.5e308], group)
    np.testing.assert_allclose(found, [1, 0.5, 1.5])
    with pytest.raises(ValueError, match="sample_weight must be numbers"):
        checked_weights("balanced", group)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (pl.LazyFrame({"a": [1.0]}), "not a LazyFrame"),
        (np.array([["2026-01-01"]], dtype="datetime64[D]"), "not dates or durations"),
    ],
)
def test_tables_that_are_not_numbers_are_refused(features: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked_features(features)


@pytest.mark.slow
def test_settings_may_be_numbers_of_numpy() -> None:
    settings = {"epochs": np.int64(2), "learning_rate": np.float32(0.01), "hidden": (np.int32(3),)}
    fitted = ARSMRanker(**settings).fit(FEATURES, LABELS, GROUP)
    assert fitted.epochs_done_ == 2


@pytest.mark.slow
def test_short_lists_have_a_say_in_what_is_selected() -> None:
    fitted = ranker(select_on="ndcg@10", epochs=5).fit(
        FEATURES, LABELS, GROUP, eval_set=(FEATURES, LABELS, GROUP)
    )
    assert max(GROUP) < 10
    assert fitted.history_["ndcg@10"].min() > 0


@pytest.mark.slow
def test_patience_needs_validation_data() -> None:
    with pytest.raises(ValueError, match="patience is 3, but there are no validation data"):
        ARSMRanker(**SMALL, patience=3).fit(FEATURES, LABELS, GROUP)


def test_weights_are_per_query_with_mean_1() -> None:
    by_query = [1, 3, 0, 0]
    expected = [1, 3, 0, 0]
    np.testing.assert_array_equal(checked_weights(by_query, GROUP), expected)
    np.testing.assert_array_equal(checked_weights(np.repeat(by_query, GROUP), GROUP), expected)
    np.testing.assert_array_equal(checked_weights([5, 15, 0, 0], GROUP), expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.arange(20), "1.0 for document 1 and 0.0 for another of its query"),
        ([1, 2], r"one number per query \(4\) or per document \(20\)"),
        ([1, -1, 1, 1], "not negative"),
        ([0, 0, 0, 0], "not 0 for every query"),
        ([1, np.nan, 1, 1], "must be finite"),
    ],
)
def test_weights_that_cannot_be_meant(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        checked_weights(weights, GROUP)


def test_a_method_that_cannot_weigh_says_so() -> None:
    with pytest.raises(ValueError, match="RankSVM cannot weigh queries"):
        RankSVM().fit(FEATURES, LABELS, GROUP, sample_weight=np.ones(4))


@pytest.mark.slow
def test_a_query_of_weight_0_teaches_nothing_and_equal_weights_change_nothing() -> None:
    # One batch, so that leaving a query out changes neither steps nor their draws' order.
    exact = ARSMRanker.paper(epochs=3, hidden=(4,), levels=3, learning_rate=0.05, loss="zero-one")
    exact.set_params(estimator="local-expectation")
    plain = exact.fit(FEATURES, LABELS, GROUP).predict(FEATURES)
    equal = exact.fit(FEATURES, LABELS, GROUP, sample_weight=[7, 7, 7, 7]).predict(FEATURES)
    np.testing.assert_allclose(equal, plain, rtol=1e-5)

    # With a loss of each document by itself, a weight is how often a query is there.
    weighed = exact.fit(FEATURES, LABELS, GROUP, sample_weight=[0, 2, 1, 1]).predict(FEATURES)
    rows = np.concatenate([np.arange(4, 10), np.arange(4, 20)])
    repeated = exact.fit(FEATURES[rows], LABELS[rows], [6, 6, 5, 5]).predict(FEATURES)
    np.testing.assert_allclose(weighed, repeated, rtol=1e-4)
    assert abs(weighed - plain).max() > 1e-3


@pytest.mark.slow
def test_nothing_is_printed_if_not_wanted(capfd: pytest.CaptureFixture[str]) -> None:
    ranker().fit(FEATURES, LABELS, GROUP, verbose=False)
    assert capfd.readouterr() == ("", "")
    ranker().fit(FEATURES, LABELS, GROUP)
    assert "Training: epoch 2 of 2 (100%)" in capfd.readouterr().err
