from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from arsm_l2r.metrics import (
    Interval,
    bootstrap_interval,
    holm,
    monte_carlo_error,
    randomisation_test,
    randomisation_tests,
)

# Quarters are exact in binary, and so are their sums: no rounding decides on "as large as".
QUARTERS = st.integers(0, 4).map(lambda number: number / 4)
PAIRS = st.lists(st.tuples(QUARTERS, QUARTERS), min_size=1, max_size=8)
# Tenths are not, nor thirds: what is equal in exact arithmetic need not be so in ours.
FRACTIONS = st.builds(Fraction, st.integers(0, 30), st.just(30))
INEXACT = st.lists(st.tuples(FRACTIONS, FRACTIONS), min_size=1, max_size=8)
P_VALUES = st.lists(st.floats(0, 1), max_size=8)


def share_of_sign_flips(differences: np.ndarray) -> float:
    """The p-value by its definition: over all 2^n exchanges of the two methods."""
    signs = np.array(list(product([1, -1], repeat=len(differences))))
    return float((abs(signs @ differences) >= abs(differences.sum())).mean())


@settings(deadline=None)
@given(pairs=PAIRS, seed=st.integers(0, 3))
def test_p_value_is_exact_where_all_exchanges_fit(pairs, seed: int) -> None:
    first, second = np.array(pairs).T
    p = randomisation_test(first, second, rounds=2 ** len(pairs), seed=seed)
    assert p == pytest.approx(share_of_sign_flips(first - second))


@settings(deadline=None)
@given(pairs=INEXACT)
def test_exchanges_that_equal_the_one_seen_in_exact_arithmetic_count(pairs) -> None:
    differences = [one - two for one, two in pairs]
    seen = abs(sum(differences))
    signs = list(product([1, -1], repeat=len(pairs)))
    sums = [abs(sum(s * d for s, d in zip(each, differences, strict=True))) for each in signs]
    first, second = np.array([[float(value) for value in pair] for pair in pairs]).T
    p = randomisation_test(first, second)
    assert p == pytest.approx(sum(each >= seen for each in sums) / len(sums), abs=1e-12)


@pytest.mark.parametrize("rounds", [100, 10_000])
@pytest.mark.parametrize("copies", [1, 20, 600])
def test_every_exchange_is_as_large_as_a_difference_of_zero(copies: int, rounds: int) -> None:
    first, second = [0.1, 0.2, 0.0] * copies, [0.0, 0.0, 0.3] * copies
    assert randomisation_test(first, second, rounds=rounds) == 1.0


def test_drawn_exchanges_that_equal_the_one_seen_count() -> None:
    """30 differences of ±0.1: whether sums are equal is a matter of counting signs."""
    first = np.array([0.1] * 18 + [0.7] * 12)
    second = np.array([0.0] * 18 + [0.8] * 12)
    exact = 2 * stats.binom.sf(17, 30, 0.5)
    rounds = 200_000
    p = randomisation_test(first, second, rounds=rounds)
    # The share that lies exactly at the bound is 0.16.
    assert p == pytest.approx(exact, abs=4 * monte_carlo_error(exact, rounds))


def test_queries_without_a_difference_do_not_matter() -> None:
    first, second = np.random.default_rng(4).random((2, 30))
    alone = randomisation_test(first, second, rounds=1000)
    same = np.linspace(0, 1, 20)
    assert randomisation_test([*same, *first], [*same, *second], rounds=1000) == alone
    # So that all exchanges of the others are few enough.
    few, many = [0.5, 0.25, 0.5], [0.0] * 1000
    assert randomisation_test([*few, *many], [*many[:3], *many], rounds=8) == 2 / 8


@pytest.mark.parametrize("rounds", [999, 20_000])
def test_order_of_the_queries_and_scale_do_not_matter(rounds: int) -> None:
    generator = np.random.default_rng(8)
    first, second = generator.integers(0, 10, (2, 40)) / 10
    order = generator.permutation(40)
    p = randomisation_test(first, second, rounds=rounds)
    assert 0.001 < p < 1
    assert randomisation_test(first[order], second[order], rounds=rounds) == p
    for scale in (1e-9, 0.3, 7.0, 1e9):
        assert randomisation_test(scale * first, scale * second, rounds=rounds) == p


@pytest.mark.parametrize(("queries", "rounds"), [(8, 10_000), (60, 50_000)])
def test_p_value_agrees_with_scipy(queries: int, rounds: int) -> None:
    """Where no exchange equals the one seen, and its relative tolerance does no harm."""
    generator = np.random.default_rng(queries)
    first, second = generator.random((2, queries))
    second += 0.05
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.abs(np.mean(x - y, axis=axis)),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=rounds,
        batch=500,
        rng=np.random.default_rng(1),
    ).pvalue
    p = randomisation_test(first, second, rounds=rounds)
    assert 0.01 < theirs < 0.99
    error = 0 if 2**queries <= rounds else 2**0.5 * monte_carlo_error(theirs, rounds)
    assert p == pytest.approx(theirs, abs=4 * error + 1e-12)


def test_tests_made_together_give_what_each_gives_alone() -> None:
    generator = np.random.default_rng(6)
    sizes = [3, 1100, 25, 1, 13]
    pairs = [tuple(generator.random((2, size))) for size in sizes]
    together = randomisation_tests(pairs, rounds=5000)
    assert together == [randomisation_test(*pair, rounds=5000) for pair in pairs]
    assert len(set(together)) > 3
    assert randomisation_tests([]) == []


def test_more_rounds_begin_with_the_same_exchanges() -> None:
    first, second = np.random.default_rng(0).random((2, 60))
    few, more = (randomisation_test(first, second, rounds=n) * (1 + n) for n in (4000, 9000))
    assert 0 <= round(more) - round(few) <= 5000


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="rounds must be at least 1, not 0"):
        randomisation_test([0.1], [0.2], rounds=0)


def test_error_of_drawn_p_values_is_their_standard_deviation_over_seeds() -> None:
    first, second = np.random.default_rng(10).random((2, 40))
    p = [randomisation_test(first, second, rounds=400, seed=seed) for seed in range(300)]
    expected = monte_carlo_error(float(np.mean(p)), 400)
    assert np.std(p) == pytest.approx(expected, rel=4 / (2 * 300) ** 0.5)


def test_error_of_a_corrected_p_is_that_of_the_p_times_the_correction() -> None:
    assert monte_carlo_error(0.25, 12) == pytest.approx(0.125)
    assert monte_carlo_error(0.06, 1000, 30) == pytest.approx(30 * monte_carlo_error(0.002, 1000))


@pytest.mark.parametrize("queries", [1, 2, 5, 10])
def test_only_the_exchange_of_all_or_none_is_as_large_as_a_shift(queries: int) -> None:
    first = np.arange(queries) / queries
    assert randomisation_test(first, first + 0.5) == pytest.approx(2 / 2**queries)


def test_drawn_exchanges_come_close_to_all_exchanges() -> None:
    generator = np.random.default_rng(5)
    differences = generator.integers(-4, 6, size=14) / 4
    exact = share_of_sign_flips(differences)
    rounds = 2**11
    drawn = randomisation_test(differences, np.zeros(14), rounds=rounds, seed=1)
    assert 0.05 < exact < 0.95
    assert drawn != exact
    assert abs(drawn - exact) < 4 * monte_carlo_error(exact, rounds)


def test_difference_seen_counts_as_one_of_the_drawn() -> None:
    first = np.linspace(0, 0.5, 40)
    # None of so few exchanges of 40 queries is as large as a shift of all of them.
    assert randomisation_test(first, first + 0.25, rounds=999) == pytest.approx(1 / (999 + 1))


@settings(deadline=None)
@given(pairs=PAIRS, rounds=st.sampled_from([20, 1000]))
def test_order_of_the_two_methods_does_not_matter(pairs, rounds: int) -> None:
    first, second = np.array(pairs).T
    forth = randomisation_test(first, second, rounds=rounds)
    assert forth == randomisation_test(second, first, rounds=rounds)
    assert 0 < forth <= 1


@pytest.mark.parametrize("queries", [1, 2, 50])
def test_identical_methods_have_p_1(queries: int) -> None:
    values = np.linspace(0.1, 0.9, queries)
    assert randomisation_test(values, values.copy()) == 1.0


def test_p_values_are_uniform_where_methods_differ_by_noise_alone() -> None:
    generator = np.random.default_rng(3)
    pairs = generator.random((1000, 2, 25))
    p_values = [randomisation_test(*pair, rounds=199, seed=n) for n, pair in enumerate(pairs)]
    for level in (0.01, 0.05, 0.1, 0.5, 0.9):
        error = (level * (1 - level) / len(pairs)) ** 0.5
        assert np.mean(np.array(p_values) <= level) == pytest.approx(level, abs=4 * error)


def test_seed_decides_on_the_exchanges_drawn() -> None:
    first, second = np.random.default_rng(0).random((2, 60))
    p_values = [randomisation_test(first, second, rounds=500, seed=seed) for seed in (1, 1, 2)]
    assert p_values[0] == p_values[1] != p_values[2]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([0.1, 0.2, 0.3], [0.1, 0.2], "same queries: 3 against 2"),
        ([0.1, float("nan")], [0.1, 0.2], r"first must be finite, .*query 1 \(from 0\) is nan"),
        ([0.1, 0.2], [float("inf"), 0.2], r"second must be finite, .*query 0 \(from 0\) is inf"),
        ([], [], r"first must be numbers, one per query, not of shape \(0,\)"),
        ([[0.1], [0.2]], [0.1, 0.2], r"first must be numbers, .*not of shape \(2, 1\)"),
    ],
)
def test_values_that_are_not_paired_numbers_are_refused(first, second, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        randomisation_test(first, second)


def test_holm_by_hand() -> None:
    # Sorted: 4 · .005, 3 · .01, 2 · .03, and 1 · .04, which must not fall below 2 · .03.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx(
        [3 * 0.01, 2 * 0.03, 2 * 0.03, 4 * 0.005]
    )


def test_holm_of_one_is_itself_and_of_none_is_none() -> None:
    assert holm([0.3]) == [0.3]
    assert holm([]) == []


@given(p_values=P_VALUES)
def test_holm_lies_between_the_raw_p_value_and_bonferroni(p_values: list[float]) -> None:
    for raw, corrected in zip(p_values, holm(p_values), strict=True):
        assert raw <= corrected <= min(1, len(p_values) * raw)


@given(p_values=P_VALUES)
def test_holm_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    by_raw = [corrected[place] for place in np.argsort(p_values, kind="stable")]
    assert by_raw == sorted(corrected)


@given(data=st.data(), p_values=P_VALUES)
def test_holm_does_not_depend_on_the_order_given(data, p_values: list[float]) -> None:
    shuffled = data.draw(st.permutations(range(len(p_values))))
    corrected = holm(p_values)
    assert holm([p_values[place] for place in shuffled]) == pytest.approx(
        [corrected[place] for place in shuffled]
    )


@pytest.mark.parametrize("bad", [-0.1, 1.5, float("nan")])
def test_what_is_no_p_value_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match=rf"number 1 \(from 0\) is {bad}"):
        holm([0.5, bad, 0.2])


@settings(deadline=None)
@given(values=st.lists(QUARTERS, min_size=1, max_size=30))
def test_interval_contains_the_mean(values: list[float]) -> None:
    interval = bootstrap_interval(values, rounds=500)
    assert interval.mean == pytest.approx(np.mean(values))
    assert interval.low <= interval.mean <= interval.high
    assert min(values) <= interval.low
    assert interval.high <= max(values)


def test_interval_of_many_values_is_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(2).random(400)
    interval = bootstrap_interval(values, confidence=0.95)
    half = 1.96 * values.std() / 400**0.5
    assert interval.low == pytest.approx(values.mean() - half, abs=0.05 * half)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.05 * half)


def test_interval_shrinks_with_the_root_of_the_number_of_queries() -> None:
    values = np.random.default_rng(0).random(40)

    def width(copies: int) -> float:
        interval = bootstrap_interval(np.tile(values, copies))
        return interval.high - interval.low

    assert width(1) / width(16) == pytest.approx(16**0.5, rel=0.1)


def test_interval_widens_with_confidence() -> None:
    values = np.random.default_rng(0).random(40)
    narrow, wide = (bootstrap_interval(values, confidence=share) for share in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_seed_decides_on_the_resamples() -> None:
    values = np.random.default_rng(0).random(40)
    intervals = [bootstrap_interval(values, rounds=200, seed=seed) for seed in (1, 1, 2)]
    assert intervals[0] == intervals[1] != intervals[2]


@pytest.mark.parametrize("values", [[0.25], [0.25, 0.25, 0.25]])
def test_interval_of_equal_values_has_no_width(values: list[float]) -> None:
    assert bootstrap_interval(values) == Interval(0.25, 0.25, 0.25)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], r"values must be numbers, one per query, not of shape \(0,\)"),
        ([[0.1, 0.2]], r"values must be numbers, one per query, not of shape \(1, 2\)"),
        ([0.1, 0.2, float("nan")], r"values must be finite, .*query 2 \(from 0\) is nan"),
    ],
)
def test_values_that_are_not_one_number_per_query_are_refused(values, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        bootstrap_interval(values)


@pytest.mark.parametrize("confidence", [95, 1, 0, -0.5, float("nan")])
def test_confidence_that_is_no_share_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match=f"between 0 and 1, not be {confidence}"):
        bootstrap_interval([0.1, 0.2, 0.4], confidence=confidence)
