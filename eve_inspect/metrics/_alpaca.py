"""The figures of AlpacaEval, from preferences in its form.

Sources: the package ``alpaca_eval`` says what the figures are; these are computed anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

_DRAW = 1.5


class AlpacaFigures(NamedTuple):
    """What AlpacaEval reports of preferences; its percentages are shares of 1 here.

    Attributes:
        win_rate: Mean of preference minus 1: a soft preference counts as what it says.
        standard_error: Of that mean, from the sample's variance; NaN with fewer than two.
        discrete_win_rate: Wins and half of the draws over all, soft preferences rounded.
        wins: Preferences above 1.5.
        losses: Preferences below 1.5.
        draws: Preferences of exactly 1.5.
        total: Preferences that the rates are over.
        missing: Failed annotations.
    """

    win_rate: float
    standard_error: float
    discrete_win_rate: float
    wins: int
    losses: int
    draws: int
    total: int
    missing: int


def alpaca_figures(preferences: Iterable[float | None]) -> AlpacaFigures:
    """Return what AlpacaEval reports of preferences.

    Args:
        preferences: From 1, the baseline is better, to 2, the model is; 1.5 is a draw, and so is
            0, as old files have it; None or NaN is a failed annotation.

    Returns:
        The figures; the rates are NaN without a preference.

    Raises:
        ValueError: Another number.
    """
    given = [_DRAW if one == 0 else one for one in preferences]
    known = [one for one in given if one is not None and not math.isnan(one)]
    for one in known:
        if not 1 <= one <= 2:
            raise ValueError(f"preference={one!r}: give a number from 1 to 2, or 0 for a draw")
    total = len(known)
    wins = sum(one > _DRAW for one in known)
    losses = sum(one < _DRAW for one in known)
    draws = total - wins - losses
    shares = [one - 1 for one in known]
    mean = math.fsum(shares) / total if total else math.nan
    discrete = (wins + draws / 2) / total if total else math.nan
    return AlpacaFigures(
        mean, _error(shares, mean), discrete, wins, losses, draws, total, len(given) - total
    )


def _error(shares: list[float], mean: float) -> float:
    n = len(shares)
    if n < 2:
        return math.nan
    return math.sqrt(math.fsum((share - mean) ** 2 for share in shares) / (n - 1) / n)
