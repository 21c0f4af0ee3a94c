"""Rank correlation of two series, with a convention where it is undefined."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

CorrelationCase = Literal["ranked", "both_constant_agree", "constant", "unreadable"]
"""How a correlation's score came about.

``ranked``: both series vary, the score is rho. ``both_constant_agree``: neither varies and both are
zero, or neither is; the score is 1. ``constant``: any other case with a constant series, for
which rho is undefined; the score is 0. ``unreadable``: there is no prediction; the score is 0.
"""


class RankCorrelation(NamedTuple):
    """A rank correlation and what it counts for.

    Attributes:
        rho: Spearman's rho, -1..1; NaN where it is undefined.
        score: What enters a mean over samples: rho, or the convention's value.
        case: Which of the conventions applied.
    """

    rho: float
    score: float
    case: CorrelationCase


UNREADABLE_CORRELATION = RankCorrelation(math.nan, 0.0, "unreadable")
"""The correlation of a reply that could not be read."""


def spearman(x: Sequence[float], y: Sequence[float]) -> RankCorrelation:
    """Return Spearman's rank correlation of two series of equal length.

    Rho is Pearson's correlation of the ranks, ties sharing their mean rank (C. Spearman, "The proof
    and measurement of association between two things", American Journal of Psychology 15 (1904),
    72-101). Series without a value, or with one, are constant.

    Args:
        x: Values in any unit; only their order matters, and for a constant series whether it is 0.
        y: Values that belong to those of ``x``.

    Raises:
        ValueError: The lengths differ, or a value is NaN, which has no rank.
    """
    if len(x) != len(y):
        raise ValueError(f"series of {len(x)!r} and {len(y)!r} values: give equal lengths")
    if any(map(math.isnan, x)) or any(map(math.isnan, y)):
        raise ValueError("a series holds nan, which has no rank: remove or replace it first")
    values_x, values_y = set(x), set(y)
    if len(values_x) > 1 and len(values_y) > 1:
        rho = _rho(Counter(zip(x, y, strict=True)))
        return RankCorrelation(rho, rho, "ranked")
    both_constant = len(values_x) <= 1 and len(values_y) <= 1
    if both_constant and any(values_x) == any(values_y):
        return RankCorrelation(math.nan, 1.0, "both_constant_agree")
    return RankCorrelation(math.nan, 0.0, "constant")


def _rho(pairs: Counter[tuple[float, float]]) -> float:
    """Return rho from the counts of the value pairs, both sides varying.

    Twice the mean rank of ties is a whole number, so that all sums are exact and identical series
    give 1 and not a neighbour of it.
    """
    n = pairs.total()
    ranks_x = _double_ranks((value, count) for (value, _), count in pairs.items())
    ranks_y = _double_ranks((value, count) for (_, value), count in pairs.items())
    # The mean rank is (n + 1) / 2 whatever the ties: doubled n + 1.
    offsets = [(ranks_x[a] - n - 1, ranks_y[b] - n - 1, count) for (a, b), count in pairs.items()]
    covariance = sum(dx * dy * count for dx, dy, count in offsets)
    spread_x = sum(dx * dx * count for dx, _, count in offsets)
    spread_y = sum(dy * dy * count for _, dy, count in offsets)
    return max(-1.0, min(1.0, covariance / math.sqrt(spread_x * spread_y)))


def _double_ranks(counted: Iterable[tuple[float, int]]) -> Mapping[float, int]:
    """Return twice the mean rank (from 1) of each value, given values with counts."""
    counts: Counter[float] = Counter()
    for value, count in counted:
        counts[value] += count
    ranks: dict[float, int] = {}
    below = 0
    for value in sorted(counts):
        ranks[value] = 2 * below + counts[value] + 1
        below += counts[value]
    return ranks
