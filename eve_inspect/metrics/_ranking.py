"""Many models compared in pairs: strengths on one scale, ranks, and the matrix of win rates."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from eve_inspect.metrics._intervals import Interval
from eve_inspect.metrics._numbers import mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

_ALPHA = 0.01
"""Regularisation: about a hundredth of a game each way between any two models. It keeps the
strength of a model that wins everything finite, and is nothing beside tens of games."""

_SAME = 1e-9  # strengths that differ less are the same


class Game(NamedTuple):
    """One judge's verdict on one pair of answers.

    Attributes:
        model: The one side.
        baseline: The other.
        question: The question; its verdicts are no independent evidence.
        value: 1 where the model won, 0.5 for a tie, 0 where the baseline did.
    """

    model: str
    baseline: str
    question: str
    value: float


class Strength(NamedTuple):
    """A model's place among others.

    Attributes:
        model: Its name.
        strength: Of the Bradley-Terry model, on the scale of log-odds; the mean of all is 0.
        interval: Percentile interval; NaN where all questions say the same, so that resampling
            them tells nothing.
        rank: 1 for the strongest; equal ones share the better rank.
        rank_low: The best rank that resampling leaves open.
        rank_high: The worst.
    """

    model: str
    strength: float
    interval: Interval
    rank: int
    rank_low: int
    rank_high: int


def bradley_terry(
    games: Sequence[Game], *, seed: int = 0, replicates: int = 1000, level: float = 0.95
) -> list[Strength]:
    """Return the strength of each model, the strongest first.

    The model of Bradley and Terry (1952), "Rank analysis of incomplete block designs": the log-odds
    that one model beats another are the difference of their strengths; a tie is half a win each
    way. Fitted by the package ``choix``. Intervals and ranges of ranks are percentiles over
    resampled questions, the same ones for all pairs.

    Args:
        games: The verdicts.
        seed: Seed of resampling.
        replicates: Number of resamples.
        level: Coverage.

    Raises:
        ValueError: Models that no chain of games connects.
    """
    if not games:
        return []
    import numpy as np

    models = list(dict.fromkeys(name for game in games for name in (game.model, game.baseline)))
    _check_connected(games, models)
    wins = _wins(games, models)
    fitted = _strengths(wins.sum(axis=0))
    many = len(wins)
    draws = np.random.default_rng(seed).multinomial(many, np.full(many, 1 / many), size=replicates)
    resampled = np.array([_strengths(one) for one in np.tensordot(draws, wins, axes=1)])
    ranks = np.array([_ranks(one) for one in resampled])
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(resampled, tails, axis=0)
    best = np.quantile(ranks, tails[0], axis=0, method="lower")
    worst = np.quantile(ranks, tails[1], axis=0, method="higher")
    own = _ranks(fitted)
    found = [
        Strength(
            model,
            float(fitted[i]),
            _interval(float(low[i]), float(high[i])),
            int(own[i]),
            int(best[i]),
            int(worst[i]),
        )
        for i, model in enumerate(models)
    ]
    return sorted(found, key=lambda one: (one.rank, one.model))


def win_rate_matrix(games: Sequence[Game]) -> dict[str, dict[str, float]]:
    """Return wins and half of the ties over games of each model (row) against each (column).

    NaN where two never met, and of a model against itself: no data are not even odds.
    """
    values: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        values[game.model, game.baseline].append(game.value)
        values[game.baseline, game.model].append(1 - game.value)
    models = list(dict.fromkeys(name for pair in values for name in pair))
    return {
        row: {column: mean(values.get((row, column), [])) for column in models} for row in models
    }


def _wins(games: Sequence[Game], models: Sequence[str]) -> Array:
    """Return the wins of each question, model and other model; a tie is half a win each way."""
    import numpy as np

    places = {model: place for place, model in enumerate(models)}
    questions = {name: place for place, name in enumerate(dict.fromkeys(g.question for g in games))}
    wins = np.zeros((len(questions), len(models), len(models)))
    for game in games:
        question, a, b = questions[game.question], places[game.model], places[game.baseline]
        wins[question, a, b] += game.value
        wins[question, b, a] += 1 - game.value
    return wins


def _strengths(wins: Array) -> Array:
    import choix
    import numpy as np

    fitted: Array = np.asarray(choix.ilsr_pairwise_dense(wins, alpha=_ALPHA), dtype=float)
    centred: Array = fitted - fitted.mean()
    return centred


def _interval(low: float, high: float) -> Interval:
    return Interval(low, high) if high - low > _SAME else Interval(math.nan, math.nan)


def _ranks(strengths: Array) -> Array:
    """Return ranks, 1 for the greatest; equal ones share the better rank."""
    ahead: Array = (strengths[None, :] > strengths[:, None] + _SAME).sum(axis=1) + 1
    return ahead


def _check_connected(games: Sequence[Game], models: Sequence[str]) -> None:
    groups = {model: {model} for model in models}
    for game in games:
        joined = groups[game.model] | groups[game.baseline]
        for model in joined:
            groups[model] = joined
    apart = {frozenset(group) for group in groups.values()}
    if len(apart) > 1:
        named = "; ".join(", ".join(sorted(group)) for group in sorted(apart, key=sorted))
        raise ValueError(f"no chain of games connects these groups of models: {named}")
