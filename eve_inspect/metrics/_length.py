"""What the length of answers has to do with which one wins.

Preferences are 1 where the model wins, 0.5 for a tie and 0 where the baseline does, a list for each
judge with an entry for each pair; None for a missing verdict. Lengths are in any one unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from eve_inspect.metrics._intervals import Interval
from eve_inspect.metrics._numbers import defined_mean, mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

Preferences: TypeAlias = Mapping[str, Sequence[float | None]]

_TENTHS = 11
"""How many tenths of the other's length an answer has that counts as longer."""

_RIDGE = 1.0
"""Penalty on the length term, in answers: it keeps the term finite when length alone decides."""

_STEPS = 50
_MOST = 30.0  # a logit beyond which the share is 0 or 1 in every digit


class LengthSlice(NamedTuple):
    """The pairs in which one side is longer, or neither.

    Attributes:
        pairs: How many there are.
        alpaca_win_rate: The model's there, the mean over judges; NaN without a verdict.
    """

    pairs: int
    alpaca_win_rate: float


class LengthSlices(NamedTuple):
    """Pairs by which answer is longer.

    Attributes:
        longer: The model's is, by a tenth or more.
        similar: Neither is.
        shorter: The baseline's is, by a tenth or more.
    """

    longer: LengthSlice
    similar: LengthSlice
    shorter: LengthSlice


class LengthControl(NamedTuple):
    """A win rate with the effect of length taken out.

    Attributes:
        win_rate: 0..1; NaN without a verdict.
        interval: Its interval; NaN where it is not defined.
        effect: Coefficient of the length term, above 0 where longer answers win.
        pairs: Pairs with a verdict.
    """

    win_rate: float
    interval: Interval
    effect: float
    pairs: int


def win_rate_by_length(
    preferences: Preferences, lengths: Sequence[int], baseline_lengths: Sequence[int]
) -> LengthSlices:
    """Return the win rate where the model's answer is longer, about as long, and shorter."""
    sides = [
        "longer" if _longer(a, b) else "shorter" if _longer(b, a) else ""
        for a, b in zip(lengths, baseline_lengths, strict=True)
    ]
    return LengthSlices(
        *(
            LengthSlice(sides.count(side), _mean_over_judges(preferences, sides, side))
            for side in ("longer", "", "shorter")
        )
    )


def length_controlled_win_rate(
    preferences: Preferences,
    lengths: Sequence[int],
    baseline_lengths: Sequence[int],
    questions: Sequence[str],
    *,
    level: float = 0.95,
) -> LengthControl:
    """Return the win rate that a logistic model leaves when the effect of length is set to zero.

    After the idea of Dubois et al. (2024), "Length-Controlled AlpacaEval", arXiv 2404.04475: the
    log-odds of a win are ``theta + phi * tanh(d / sd(d))`` with ``d`` the difference in length,
    and the length-controlled win rate is the logistic function of ``theta``. A tie is half a win,
    judges weigh the same however many verdicts they gave, and only ``phi`` is penalised: a penalty
    on ``theta`` would draw every win rate to one half. Their term for the difficulty of an
    instruction is left out, since it takes many models to fit. The interval is a normal one on the
    scale of log-odds, with the sandwich variance over questions.

    Args:
        preferences: Of each judge.
        lengths: Of the model's answers.
        baseline_lengths: Of the baseline's.
        questions: Of each pair; pairs of one question are no independent evidence.
        level: Coverage of the interval.
    """
    import numpy as np

    rows = [
        (pair, value, len(given))
        for given in (_given(values) for values in preferences.values())
        for pair, value in given
    ]
    if not rows:
        return LengthControl(math.nan, Interval(math.nan, math.nan), math.nan, 0)
    places = np.array([pair for pair, _, _ in rows])
    won = np.array([value for _, value, _ in rows])
    weights = np.array([1 / many for _, _, many in rows])
    weights *= len(rows) / weights.sum()
    pairs = len({pair for pair, _, _ in rows})
    if won.min() == won.max() != 0.5:
        return LengthControl(float(won[0]), Interval(math.nan, math.nan), 0.0, pairs)
    terms = _length_terms(lengths, baseline_lengths)[places]
    design = np.column_stack([np.ones_like(terms), terms])
    beta, inverse, residuals = _fit(design, won, weights)
    clusters = np.unique(np.array(questions)[places], return_inverse=True)[1]
    sums = np.zeros((clusters.max() + 1, 2))
    np.add.at(sums, clusters, design * residuals[:, None])
    variance = float((inverse @ (sums.T @ sums) @ inverse)[0, 0])
    many = len(sums)
    spread = math.nan
    if many > 1 and variance > 0:
        spread = NormalDist().inv_cdf(0.5 + level / 2) * math.sqrt(variance * many / (many - 1))
    theta, effect = (float(one) for one in beta)
    bounds = Interval(_share(theta - spread), _share(theta + spread))
    return LengthControl(_share(theta), bounds, effect, pairs)


def _fit(design: Array, won: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return coefficients, the inverse of the information, and weighted residuals (Newton)."""
    import numpy as np

    beta: Array = np.zeros(2)
    penalty = np.diag([0.0, _RIDGE])
    for _ in range(_STEPS):
        shares = 1 / (1 + np.exp(-np.clip(design @ beta, -_MOST, _MOST)))
        residuals = weights * (won - shares)
        spread = weights * shares * (1 - shares)
        information = (design * spread[:, None]).T @ design + penalty
        step = np.linalg.solve(information, design.T @ residuals - penalty @ beta)
        step *= min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        beta += step
        if np.abs(step).max() < 1e-10:
            break
    inverse: Array = np.linalg.inv(information).astype(float)
    return beta, inverse, residuals


def _length_terms(lengths: Sequence[int], baseline_lengths: Sequence[int]) -> Array:
    """Return ``tanh(d / sd(d))`` of each pair; 0 where all differences are alike and none."""
    import numpy as np

    differences = np.array(lengths, dtype=float) - np.array(baseline_lengths, dtype=float)
    spread = float(differences.std())
    return np.tanh(differences / spread) if spread > 0 else np.zeros_like(differences)


def _longer(one: int, other: int) -> bool:
    return 10 * one >= _TENTHS * other and one > other


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, logit)))) if not math.isnan(logit) else logit


def _given(values: Sequence[float | None]) -> list[tuple[int, float]]:
    return [(place, value) for place, value in enumerate(values) if value is not None]


def _mean_over_judges(preferences: Preferences, sides: Sequence[str], side: str) -> float:
    return defined_mean(
        mean(
            value
            for value, of in zip(values, sides, strict=True)
            if of == side and value is not None
        )
        for values in preferences.values()
    )
