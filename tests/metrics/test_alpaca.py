"""The figures of AlpacaEval: a table worked by hand, and the same with pandas."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.metrics._alpaca import alpaca_figures


def test_figures_worked_by_hand() -> None:
    # Shares 1, 1, 0, 0.5, 0.5 and 0.25: mean 3.25 / 6, squares 2.5625.
    found = alpaca_figures([2, 2.0, 1, 1.5, 0, 1.25, None, math.nan])
    assert found.win_rate == pytest.approx(3.25 / 6, abs=1e-12)
    variance = (2.5625 - 3.25**2 / 6) / 5
    assert found.standard_error == pytest.approx(math.sqrt(variance / 6), abs=1e-12)
    assert found.discrete_win_rate == pytest.approx((2 + 2 / 2) / 6, abs=1e-12)
    assert found[3:] == (2, 2, 2, 6, 2)


PREFERENCES = st.lists(
    st.none() | st.sampled_from([0.0, 1.0, 1.5, 2.0]) | st.floats(1, 2), max_size=60
)


@given(PREFERENCES)
def test_figures_against_pandas(preferences: list[float | None]) -> None:
    found = alpaca_figures(preferences)
    series = pd.Series(preferences, dtype=float).replace({0.0: 1.5}).dropna() - 1
    # Rounded as a preference: a draw stays one, all else goes to the nearer side.
    discrete = series.where(series == 0.5, (series > 0.5).astype(float))
    expected = [series.mean(), series.sem(), discrete.mean()]
    assert found[:3] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    counts = [(series > 0.5).sum(), (series < 0.5).sum(), (series == 0.5).sum(), len(series)]
    assert list(found[3:7]) == counts
    assert found.missing == len(preferences) - len(series)


def test_nothing_is_nan_and_one_has_no_error() -> None:
    nothing = alpaca_figures([None])
    assert all(math.isnan(one) for one in nothing[:3])
    assert nothing[3:] == (0, 0, 0, 0, 1)
    one = alpaca_figures([2])
    assert (one.win_rate, one.discrete_win_rate) == (1, 1)
    assert math.isnan(one.standard_error)


@pytest.mark.parametrize("wrong", [0.5, -1, 2.0001, 3, math.inf])
def test_other_numbers_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match=f"preference={wrong!r}"):
        alpaca_figures([1, wrong])
