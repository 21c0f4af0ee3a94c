"""How far judges agree, and how they differ.

Ratings are the verdicts of each judge, one for each reply, None for a missing one. A figure that
the verdicts do not define is NaN: agreement beyond chance needs replies that two judges rated, and
ratings that are not all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from eve_inspect.metrics._numbers import mean

Ratings: TypeAlias = Mapping[str, Sequence[float | None]]
"""The verdicts of each judge, one for each reply, in the same order; None for a missing one."""

_DIGITS = 9  # verdicts that differ less are the same: 4/5 is 0.8


class Leniency(NamedTuple):
    """How one judge differs from the panel.

    Attributes:
        judge: Its name.
        leniency: Mean of its verdicts minus the panel's means, over the replies that it and
            another judge rated; -1..1.
        mean_without: The panel's mean without it, 0..1.
        replies: Replies that the leniency is over.
    """

    judge: str
    leniency: float
    mean_without: float
    replies: int


def krippendorff_alpha(
    ratings: Ratings, level: Literal["ordinal", "nominal", "interval"] = "ordinal"
) -> float:
    """Return Krippendorff's alpha: 1 for perfect agreement, 0 for chance.

    Computed by the package ``krippendorff``, after Krippendorff (2011), "Computing Krippendorff's
    Alpha-Reliability".
    """
    import krippendorff
    import numpy as np

    rows = [[_number(verdict) for verdict in verdicts] for verdicts in ratings.values()]
    columns = [
        [value for value in column if not math.isnan(value)] for column in zip(*rows, strict=True)
    ]
    pairable = [value for column in columns if len(column) > 1 for value in column]
    if len(set(pairable)) < 2:
        return math.nan
    data = np.array(rows, dtype=float)
    return float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))


def unanimous_share(ratings: Ratings) -> float:
    """Return the share of replies with two verdicts or more on which all are equal."""
    columns = [
        {_number(one) for one in column if one is not None}
        for column in zip(*ratings.values(), strict=True)
        if sum(one is not None for one in column) > 1
    ]
    return sum(len(column) == 1 for column in columns) / len(columns) if columns else math.nan


def weighted_kappa(
    a: Sequence[float | None],
    b: Sequence[float | None],
    levels: Sequence[float],
    weights: Literal["quadratic", "linear"] | None = "quadratic",
) -> float:
    """Return Cohen's kappa of two judges over the replies that both rated.

    Computed by scikit-learn, after Cohen (1968), "Weighted kappa".

    Args:
        a: Verdicts of one judge.
        b: Verdicts of the other.
        levels: The scale's values, in order.
        weights: How much a distance counts; None for equal or not.
    """
    both = [(_number(x), _number(y)) for x, y in zip(a, b, strict=True) if None not in (x, y)]
    if len({value for pair in both for value in pair}) < 2:
        return math.nan
    from sklearn.metrics import cohen_kappa_score

    places = [_number(level) for level in levels]
    first, second = ([places.index(pair[side]) for pair in both] for side in (0, 1))
    labels = list(range(len(places)))
    return float(cohen_kappa_score(first, second, labels=labels, weights=weights))


def pairwise_kappa(ratings: Ratings, levels: Sequence[float]) -> dict[tuple[str, str], float]:
    """Return the quadratic weighted kappa of each pair of judges."""
    return {
        (a, b): weighted_kappa(ratings[a], ratings[b], levels) for a, b in combinations(ratings, 2)
    }


def leniency(ratings: Ratings) -> list[Leniency]:
    """Return how each judge differs from the panel, in the order of the panel."""
    return [_leniency(judge, ratings) for judge in ratings]


def _leniency(judge: str, ratings: Ratings) -> Leniency:
    differences: list[float] = []
    without: list[float] = []
    others = [verdicts for name, verdicts in ratings.items() if name != judge]
    for own, *rest in zip(ratings[judge], *others, strict=True):
        given = [one for one in rest if one is not None]
        if not given:
            continue
        without.append(mean(given))
        if own is not None:
            differences.append(own - math.fsum([own, *given]) / (len(given) + 1))
    return Leniency(judge, mean(differences), mean(without), len(differences))


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return Spearman's rank correlation, -1..1; NaN where one side does not vary."""
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return math.nan
    from scipy.stats import spearmanr

    return float(spearmanr(xs, ys).statistic)


def _number(verdict: float | None) -> float:
    return math.nan if verdict is None else round(verdict, _DIGITS)
