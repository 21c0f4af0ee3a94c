from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from eve_inspect.metrics import wilson_interval

Cases = Mapping[str, dict[str, Any]]


def test_nothing_right_still_has_a_width(cases: Cases) -> None:
    rt016 = cases["rt-016"]
    given_, expected = rt016["input"], rt016["expected"]
    interval = wilson_interval(given_["correct"], given_["n"])
    assert interval == pytest.approx((expected["low"], expected["high"]), abs=1e-6)
    assert interval.low == 0.0


@given(data=st.data(), n=st.integers(1, 3000), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_agrees_with_scipy(data: st.DataObject, n: int, level: float) -> None:
    k = data.draw(st.integers(0, n))
    reference = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    assert wilson_interval(k, n, level) == pytest.approx((reference.low, reference.high), abs=1e-12)


@given(data=st.data(), n=st.integers(1, 3000))
def test_bounds_lie_in_order_and_mirror(data: st.DataObject, n: int) -> None:
    k = data.draw(st.integers(0, n))
    low, high = wilson_interval(k, n)
    assert 0 <= low <= k / n <= high <= 1
    mirrored = wilson_interval(n - k, n)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-12)


def test_all_right_ends_at_exactly_one() -> None:
    assert wilson_interval(25, 25).high == 1.0


def test_epoch_means_give_a_fractional_count() -> None:
    low, high = wilson_interval(12.5, 25)
    assert low < 0.5 < high


def test_no_observations_give_nan() -> None:
    interval = wilson_interval(0, 0)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


@pytest.mark.parametrize(
    ("successes", "n", "level", "message"),
    [
        pytest.param(3, 2, 0.95, "successes=3 of n=2", id="more successes than trials"),
        pytest.param(-1, 2, 0.95, "successes=-1", id="negative successes"),
        pytest.param(0, -1, 0.95, "n=-1", id="negative trials"),
        pytest.param(1, 2, 95, "level=95", id="level in percent"),
        pytest.param(1, 2, 0.0, "level=0.0", id="level zero"),
        pytest.param(math.nan, 2, 0.95, "successes=nan", id="nan"),
    ],
)
def test_rejects(successes: float, n: int, level: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wilson_interval(successes, n, level)
