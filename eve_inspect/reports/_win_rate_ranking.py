"""Many models compared with each other: strengths, ranks, and the matrix of win rates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from inspect_ai.log import EvalLog

from eve_inspect.metrics import Game, bradley_terry, win_rate_matrix
from eve_inspect.scorers import Comparison, comparison

if TYPE_CHECKING:
    from pandas import DataFrame


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
        ValueError: Models that no chain of comparisons connects.
    """
    import pandas as pd

    games = [game for log in logs for game in _games(log)]
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
        for one in bradley_terry(games, seed=seed)
    ]
    names = [str(one["model"]) for one in strengths]
    matrix = pd.DataFrame(win_rate_matrix(games)).T.reindex(index=names, columns=names)
    return WinRateRanking(pd.DataFrame(strengths), matrix)


def comparison_of(log: EvalLog) -> Comparison:
    """Return what a log's scores of `win_rate` say."""
    return comparison(_details(log))


def _details(log: EvalLog) -> Iterator[dict[str, Any]]:
    for sample in log.samples or []:
        for one in (sample.scores or {}).values():
            yield one.metadata or {}


def _games(log: EvalLog) -> Iterable[Game]:
    found = comparison_of(log)
    for judge, preferences in found.preferences.items():
        for details, question, value in zip(
            found.details, found.questions, preferences, strict=True
        ):
            if value is not None and judge in details["judges"]:
                yield Game(details["model"], details["baseline"], question, value)
