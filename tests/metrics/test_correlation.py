from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from eve_inspect.metrics import spearman

# A handful of levels, so that ties are the rule, as in marked text.
LEVELS = st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 0.5, 1.0])
SERIES = st.lists(st.tuples(LEVELS, LEVELS), min_size=2, max_size=40)


def test_a_constant_series_scores_zero_and_is_counted(
    cases: Mapping[str, dict[str, Any]],
) -> None:
    hs024 = cases["hs-024"]
    result = spearman(hs024["input"]["x"], hs024["input"]["y"])
    assert math.isnan(result.rho)
    assert result.score == hs024["expected"]["score"]
    assert result.case == "constant"


@given(SERIES)
def test_agrees_with_scipy(pairs: list[tuple[float, float]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    result = spearman(x, y)
    assert result.rho == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
    assert result.score == result.rho
    assert result.case == "ranked"
    assert -1 <= result.rho <= 1


@given(SERIES)
def test_symmetry_and_exact_ends(pairs: list[tuple[float, float]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    assert spearman(x, y).score == spearman(y, x).score
    if len(set(x)) > 1:
        assert spearman(x, x).rho == 1.0
        assert spearman(x, [math.exp(v) for v in x]).rho == 1.0
        assert spearman(x, [-v for v in x]).rho == -1.0


@pytest.mark.parametrize(
    ("x", "y", "rho"),
    [
        pytest.param([1, 2, 3, 4], [10, 20, 40, 30], 0.8, id="one swap"),
        # Ranks 1 2.5 2.5 4 and 1 2 3 4: 4.5 / sqrt(4.5 · 5).
        pytest.param([1, 2, 2, 3], [1, 2, 3, 4], math.sqrt(0.9), id="a tie"),
        pytest.param([0, 0, 1, 1], [0, 1, 0, 1], 0.0, id="unrelated"),
    ],
)
def test_hand_worked(x: list[float], y: list[float], rho: float) -> None:
    assert spearman(x, y).rho == pytest.approx(rho)


@pytest.mark.parametrize(
    ("x", "y", "score", "case"),
    [
        pytest.param([0, 0], [0, 0], 1, "both_constant_agree", id="nothing on both sides"),
        pytest.param([1, 1], [1, 1], 1, "both_constant_agree", id="all on both sides"),
        pytest.param([0.9, 0.9], [0.6, 0.6], 1, "both_constant_agree", id="all, other levels"),
        pytest.param([0, 0], [1, 1], 0, "constant", id="nothing against all"),
        pytest.param([0, 0], [0, 1], 0, "constant", id="nothing against a part"),
        pytest.param([0, 1], [1, 1], 0, "constant", id="a part against all"),
        pytest.param([], [], 1, "both_constant_agree", id="empty text"),
        pytest.param([0.7], [0], 0, "constant", id="one character"),
    ],
)
def test_conventions(x: list[float], y: list[float], score: float, case: str) -> None:
    result = spearman(x, y)
    assert math.isnan(result.rho)
    assert (result.score, result.case) == (score, case)


def test_long_identical_series_give_exactly_one() -> None:
    series = [((i * 7919) % 100003) / 100003 for i in range(20000)]
    assert spearman(series, series).rho == 1.0


def test_rejects_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="series of 2 and 3 values"):
        spearman([1, 2], [1, 2, 3])


@pytest.mark.parametrize(("x", "y"), [([math.nan, 1], [0, 1]), ([0, 1], [math.nan, 1])])
def test_rejects_nan(x: list[float], y: list[float]) -> None:
    with pytest.raises(ValueError, match="nan"):
        spearman(x, y)
