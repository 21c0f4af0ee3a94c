"""Many models ranked by what logs of comparisons say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai.log import EvalLog, read_eval_log

from eve_inspect import EveInspectError
from eve_inspect.reports import WinRateRanking, win_rate_ranking
from tests.reports.win_rate_logs import Word, log_of, panel_of

Met = Mapping[tuple[str, str], Sequence[Word]]

WELL, EVEN = ["win", "win", "win", "loss"], ["win", "tie", "loss", "tie"]


Logs = Callable[[Met], list[EvalLog]]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """Return a log of each pair, in which one judge decided so; equal ones are made once."""
    known: dict[tuple[str, ...], EvalLog] = {}

    def made(met: Met) -> list[EvalLog]:
        for (model, baseline), words in met.items():
            key = (model, baseline, *map(str, words))
            if key not in known:
                rows = panel_of({"a": words}, model=model, baseline=baseline)
                known[key] = log_of(tmp_path_factory.mktemp("logs"), rows)
        return [known[(*pair, *map(str, words))] for pair, words in met.items()]

    return made


def cells(table: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the numbers of a table by row and column."""
    return {
        (str(row), str(column)): float(value)
        for row, values in table.to_dict("index").items()
        for column, value in values.items()
    }


@pytest.fixture(scope="module")
def found(logs: Logs) -> WinRateRanking:
    """Return the ranking of three models, of which x is the best and z the worst."""
    met: Met = {("z", "y"): ["loss", "changed", "tie", "loss"], ("x", "y"): WELL}
    return win_rate_ranking(logs({**met, ("z", "x"): ["loss"] * 4}), seed=1)


def test_the_order_of_models_is_found(found: WinRateRanking) -> None:
    table = found.strengths.set_index("model")
    assert list(table.index) == ["x", "y", "z"]
    assert list(table["rank"]) == [1, 2, 3]
    assert table["strength"].is_monotonic_decreasing
    assert table["strength"].mean() == pytest.approx(0)
    assert (table["low"] <= table["strength"]).all()
    assert (table["strength"] <= table["high"]).all()
    assert (table["rank_low"] <= table["rank"]).all()
    assert (table["rank"] <= table["rank_high"]).all()


def test_two_strengths_differ_by_the_odds(logs: Logs) -> None:
    """Three wins against one are what a difference of log(3) makes most likely."""
    found = cells(win_rate_ranking(logs({("x", "y"): WELL})).strengths.set_index("model"))
    assert found["x", "strength"] - found["y", "strength"] == pytest.approx(math.log(3), rel=0.02)


def test_the_matrix_is_read_from_the_row_and_adds_up(found: WinRateRanking) -> None:
    matrix = found.matrix
    assert list(matrix.index) == list(matrix.columns) == ["x", "y", "z"]
    value = cells(matrix)
    assert (value["x", "y"], value["x", "z"], value["y", "z"]) == (0.75, 1, 0.75)
    pairs = [(row, column) for row, column in value if row != column]
    assert all(value[a, b] + value[b, a] == 1 for a, b in pairs)
    assert all(math.isnan(value[one, one]) for one in "xyz")


def test_a_pair_without_a_verdict_is_no_even_match(logs: Logs) -> None:
    """What wr-027 asks for; the two are ranked by whom else they met."""
    met: Met = {("m1", "m2"): ["win", "loss", "loss"], ("m1", "m3"): [None] * 3}
    found = win_rate_ranking(logs({**met, ("m2", "m3"): ["win", "win", "loss"]}))
    value = cells(found.matrix)
    assert math.isnan(value["m1", "m3"])
    assert math.isnan(value["m3", "m1"])
    assert value["m1", "m2"] == pytest.approx(1 / 3)
    assert list(found.strengths["rank"]) == [1, 2, 2]
    assert set(found.strengths["model"]) == {"m1", "m2", "m3"}


@pytest.mark.parametrize(
    ("met", "message"),
    [
        pytest.param(
            {("m1", "m2"): EVEN, ("m1", "m3"): [None] * 4, ("m2", "m3"): [None] * 4},
            "there is no verdict on m3",
            id="a-model-that-nobody-judged",
        ),
        pytest.param(
            {("m1", "m2"): EVEN, ("m3", "m4"): EVEN, ("m1", "m3"): [None]},
            "no chain of games connects these groups of models: m1, m2; m3, m4",
            id="two-groups",
        ),
        pytest.param({("m1", "m2"): [None]}, "no verdict on m1 and m2", id="nothing"),
    ],
)
def test_what_cannot_be_ranked_is_said(logs: Logs, met: Met, message: str) -> None:
    with pytest.raises(EveInspectError, match=message):
        win_rate_ranking(logs(met))


def test_a_seed_gives_the_same_intervals_and_headers_are_enough(logs: Logs) -> None:
    made = logs({("x", "y"): WELL})
    headers = [read_eval_log(log.location, header_only=True) for log in made]
    first, second = (win_rate_ranking(these, seed=5) for these in (made, headers))
    assert first.strengths.equals(second.strengths)
    assert first.matrix.equals(second.matrix)


def test_judges_are_heard_alike(logs: Logs, tmp_path: Path) -> None:
    """Each judge's verdict is a game of its own."""
    rows = panel_of({"a": ["win", "win"], "b": ["loss", None]}, model="x", baseline="y")
    found = win_rate_ranking([log_of(tmp_path, rows), *logs({("x", "z"): EVEN})])
    assert cells(found.matrix)["x", "y"] == pytest.approx(2 / 3)
