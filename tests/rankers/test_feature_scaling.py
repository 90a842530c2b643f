from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from arsm_l2r.errors import Advice
from arsm_l2r.rankers.feature_scaling import Kind, fitted_scaling, restored


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)[:, None]


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("highest", [1, 50])
def test_restored_from_its_arrays_it_does_the_same(kind: str, highest: float) -> None:
    features = highest * np.random.default_rng(0).random((200, 3)).astype(np.float32)
    scaling = fitted_scaling(features, kind)
    again = restored({**scaling.arrays(), "weight0": np.zeros(2)}, kind)
    np.testing.assert_array_equal(again(features), scaling(features))


def test_quantiles_go_from_the_lowest_value_to_the_highest() -> None:
    values = np.linspace(5.0, 9.0, 1001)[:, None] ** 3
    scaled = fitted_scaling(values, "quantile")(values)
    np.testing.assert_allclose(scaled[:, 0], np.linspace(-1, 1, 1001), atol=1e-6)
    assert scaled.dtype == np.float32


def test_values_that_many_documents_share_are_in_the_middle_of_their_places() -> None:
    features = column(*[0.0] * 600, *np.linspace(0.5, 1.0, 400))
    scaled = fitted_scaling(features, "quantile")(column(0.0, 0.5, 1.0))[:, 0]
    np.testing.assert_allclose(scaled, [-0.4, 0.2, 1.0], atol=0.01)


def test_values_outside_those_of_training_are_as_the_outermost() -> None:
    scaling = fitted_scaling(column(*np.arange(50.0)), "quantile")
    np.testing.assert_array_equal(scaling(column(-1000, 1000)), scaling(column(0, 49)))


def test_constant_feature_becomes_0_whatever_it_is_elsewhere() -> None:
    scaling = fitted_scaling(column(*[0.7] * 20), "quantile")
    np.testing.assert_array_equal(scaling(column(-1, 0.7, 3)), np.zeros((3, 1)))


def test_values_stand_beside_their_quantiles() -> None:
    features = np.random.default_rng(0).random((200, 3)).astype(np.float32)
    both = fitted_scaling(features, "values-and-quantiles")(features)
    assert both.dtype == np.float32
    np.testing.assert_array_equal(both[:, :3], features)
    np.testing.assert_array_equal(both[:, 3:], fitted_scaling(features, "quantile")(features))


@given(
    arrays.arrays(
        np.float64, 60, elements=st.integers(-20, 20).map(float)
    )  # whole numbers: no rounding in their cubes
)
def test_quantiles_know_only_the_order(values: np.ndarray) -> None:
    features = values[:, None]
    one = fitted_scaling(features, "quantile")(features)
    other = fitted_scaling(features**3, "quantile")(features**3)
    np.testing.assert_array_equal(one, other)
    order = np.argsort(values, kind="stable")
    assert (np.diff(one[order, 0]) >= 0).all()
    assert (np.diff(one[order, 0])[np.diff(values[order]) > 0] > 0).all()


@pytest.mark.parametrize("kind", ["none", "values-and-quantiles"])
@pytest.mark.parametrize("value", [101.0, -1e12])
def test_plainly_unscaled_features_are_told_with_what_to_set(kind: str, value: float) -> None:
    features = np.zeros((5, 3), np.float32)
    features[:, 0], features[3, 1] = 99.0, value
    told = rf"feature 2 \(from 1\) has the value {value:g}, and feature_scaling is {kind}".replace(
        "+", r"\+"
    )
    with pytest.warns(Advice, match=f"{told}: .* set feature_scaling to standard or quantile"):
        fitted_scaling(features, kind)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("value", "kind"),
    [(1.0, "values-and-quantiles"), (-10.0, "values-and-quantiles"), (-10.1, "quantile")],
)
def test_unscaled_features_are_by_themselves_taken_by_their_places_only(
    value: float, kind: str
) -> None:
    features = column(*np.linspace(0, value, 50))
    chosen, expected = (fitted_scaling(features, each)(features) for each in ("auto", kind))
    np.testing.assert_array_equal(chosen, expected)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("kind", "value"),
    [("none", 100.0), ("standard", 1e12), ("quantile", 1e12), ("auto", 1e12)],
)
def test_features_that_are_or_get_scaled_are_no_reason_to_warn(kind: str, value: float) -> None:
    fitted_scaling(np.array([[0.0], [value]], np.float32), kind)
