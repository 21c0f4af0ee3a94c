"""Many models compared with each other: strengths, ranks, and the matrix of win rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from inspect_ai.log import EvalLog

from eve_inspect._errors import EveInspectError
from eve_inspect.metrics import Game, bradley_terry, win_rate_matrix
from eve_inspect.reports._win_rate_figures import compared_log
from eve_inspect.scorers import Comparison

if TYPE_CHECKING:
    from pandas import DataFrame

_SIDES = ("model", "baseline")


class WinRateRanking(NamedTuple):
    """What the comparisons of several models say together.

    Attributes:
        strengths: A row for each model, the best first: ``model``, ``strength`` (Bradley-Terry, on
            the log scale, mean 0) with ``low`` and ``high``, ``rank`` with ``rank_low`` and
            ``rank_high``.
        matrix: The ``alpaca_win_rate`` of the row's model against the column's; NaN where the two
            never met.
    """

    strengths: DataFrame
    matrix: DataFrame


def win_rate_ranking(logs: Sequence[EvalLog], *, seed: int = 0) -> WinRateRanking:
    """Rank the models of several comparisons.

    Args:
        logs: Logs that hold scores of `win_rate`.
        seed: Seed of resampling.

    Raises:
        EveInspectError: A log without comparisons; models that no chain of verdicts connects.
    """
    import pandas as pd

    found = [comparison_of(log) for log in logs]
    games = [game for one in found for game in _games(one)]
    _check_heard(found, games)
    try:
        places = bradley_terry(games, seed=seed)
    except ValueError as error:
        raise EveInspectError(f"the models cannot be ranked: {error}.") from error
    strengths = [
        {
            "model": one.model,
            "strength": one.strength,
            "low": one.interval.low,
            "high": one.interval.high,
            "rank": one.rank,
            "rank_low": one.rank_low,
            "rank_high": one.rank_high,
        }
        for one in places
    ]
    names = [str(one["model"]) for one in strengths]
    matrix = pd.DataFrame(win_rate_matrix(games)).T.reindex(index=names, columns=names)
    return WinRateRanking(pd.DataFrame(strengths), matrix)


def comparison_of(log: EvalLog) -> Comparison:
    """Return what a log's scores of `win_rate` say.

    Raises:
        EveInspectError: A log without comparisons, or with those of more than two models.
    """
    return compared_log(log).found


def _check_heard(found: Sequence[Comparison], games: Sequence[Game]) -> None:
    """Make sure that each model has a verdict: without one it would be in no table."""
    named = {one[side]: None for each in found for one in each.details for side in _SIDES}
    heard = {name for game in games for name in (game.model, game.baseline)}
    mute = [name for name in named if name not in heard]
    if mute:
        raise EveInspectError(
            f"the models cannot be ranked: there is no verdict on {' and '.join(mute)}."
        )


def _games(found: Comparison) -> Iterator[Game]:
    for preferences in found.preferences.values():
        for details, question, value in zip(
            found.details, found.questions, preferences, strict=True
        ):
            if value is not None:
                yield Game(details["model"], details["baseline"], question, value)
