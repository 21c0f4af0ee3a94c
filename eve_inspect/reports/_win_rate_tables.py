"""The tables of a log of `win_rate`, and its files."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from inspect_ai.log import EvalLog

from eve_inspect._errors import EveInspectError
from eve_inspect.reports._win_rate_chart import draw_chart
from eve_inspect.reports._win_rate_figures import (
    Cell,
    ComparedLog,
    LogPair,
    compared_log,
    figures,
    summary_rows,
)

if TYPE_CHECKING:
    from pandas import DataFrame

_COUNTS = ("pairs", "wins", "losses", "ties", "missing", "judged")
_ORDERS = {"AB": "first", "BA": "second"}
"""The orders, and the model's place in each."""


class WinRateTables(NamedTuple):
    """A comparison of two models in three tables. What is undefined is an empty cell, never 0.

    Attributes:
        results: A row for each pair of answers, in the order of the log. ``id``, ``epoch``,
            ``question_id``, ``question``, ``target``; ``model`` with ``answer_a``, ``status_a``,
            ``characters_a``; ``baseline`` with ``answer_b``, ``status_b``, ``characters_b``;
            ``judged`` (whether judges were asked; an answer that is not there loses without),
            ``unscored_reason``. For each judge ``decision/{judge}`` (the winner's name, or
            ``tie``), ``outcome/{judge}`` (``win``, ``loss`` or ``tie``, seen from the model),
            ``inconsistent/{judge}`` (whether the decision changed with the order), and for the
            orders ``AB`` and ``BA`` in which the judge was asked: ``model_place_AB/{judge}`` (where
            the model's answer was, ``first`` or ``second``), ``preferred_AB/{judge}`` (which place
            it preferred, or ``tie``), ``status_AB/{judge}`` (what became of the reply),
            ``rationale_AB/{judge}``. Where judges were asked if answers are right,
            ``correct_model/{judge}`` and ``correct_baseline/{judge}``: the share of the orders in
            which an answer was.
        summary: A row for each judge (``row`` is ``judge``), one for the panel (``panel``: the
            means over judges, the paper's win rate), one for all verdicts together (``pooled``).
            ``judge``, ``model``, ``baseline``, ``pairs``; counts ``wins``, ``losses``, ``ties``,
            ``missing``, ``judged``; ``win_rate``, ``loss_rate`` (the baseline's win rate),
            ``tie_rate``, ``alpaca_win_rate``, ``baseline_alpaca_win_rate``, the two differences
            and the bounds of 95 % intervals (``..._low``, ``..._high``); ``p_sign_test``;
            ``accuracy`` and ``baseline_accuracy``; ``position_first`` (share of the first answer
            among verdicts that name one) with ``position_p``; ``inconsistent``.
        metrics: ``name`` and ``value``: ``win_rate/{judge}/{model}``,
            ``alpaca_win_rate/{judge}/{model}``, ``accuracy/{judge}/{model}``,
            ``position_bias/{judge}``, ``aggregate/{model}_win_rate`` (of all verdicts together),
            ``aggregate/avg_{model}_win_rate`` (the mean over judges),
            ``aggregate/win_rate_difference``, ``aggregate/judge_agreement`` (the share of pairs on
            which all judges agree), and more.
    """

    results: DataFrame
    summary: DataFrame
    metrics: DataFrame


def win_rate_tables(log: EvalLog) -> WinRateTables:
    """Return the tables of a comparison.

    Args:
        log: A log with scores of `win_rate`.

    Raises:
        EveInspectError: A log without comparisons, or with those of more than two models.
    """
    return _tables(compared_log(log))


def write_win_rate_files(
    log: EvalLog,
    *,
    results: Path | None = None,
    summary: Path | None = None,
    metrics: Path | None = None,
    visualization: Path | None = None,
) -> list[Path]:
    """Write the tables and the chart of a comparison; a file is whole or is not there.

    The tables are CSV in UTF-8 with every cell quoted, and hold texts as they are: reading one
    with ``pandas.read_csv(path, dtype=str, keep_default_na=False)`` gives the same strings. A text
    that starts with ``=`` stays one too, since a mark before it would be another answer: in a
    spreadsheet, import the columns as text, as with any file that a model wrote into.

    Args:
        log: A log with scores of `win_rate`.
        results: Where the table of pairs goes; None for nowhere, as in the others.
        summary: Where the table of judges goes.
        metrics: Where the named figures go.
        visualization: Where the chart goes (PNG).

    Returns:
        The files that were written.

    Raises:
        EveInspectError: A log that does not compare two models, or a file that cannot be written.
    """
    made = win_rate_tables(log)
    writers: list[tuple[Path | None, Callable[[Path], None]]] = [
        (results, lambda path: _write_csv(made.results, path)),
        (summary, lambda path: _write_csv(made.summary, path)),
        (metrics, lambda path: _write_csv(made.metrics, path)),
        (visualization, lambda path: draw_chart(made.summary.to_dict("records"), path)),
    ]
    written = []
    for path, write in writers:
        if path is not None:
            with _replacing(path) as unfinished:
                write(unfinished)
            written.append(path)
    return written


def _tables(log: ComparedLog) -> WinRateTables:
    rows = summary_rows(log)
    summary = _frame(rows).astype(dict.fromkeys(_COUNTS, "Int64"))
    metrics = _frame([{"name": one.name, "value": one.value} for one in figures(log, rows)])
    results = _frame([_pair_row(log, pair) for pair in log.pairs])
    names = [str(name) for name in results]
    flags = {name: "boolean" for name in names if name.split("/")[0] in ("judged", "inconsistent")}
    counts = {name: "Int64" for name in ("characters_a", "characters_b")}
    shares = {name: "float" for name in names if name.startswith("correct_")}
    return WinRateTables(results.astype({**flags, **counts, **shares}), summary, metrics)


def _frame(rows: Sequence[Mapping[str, Cell]]) -> DataFrame:
    """Return rows as a table; half of a surrogate pair, which no table takes, as an escape."""
    import pandas as pd

    return pd.DataFrame(
        [
            {_valid(k): _valid(v) if isinstance(v, str) else v for k, v in row.items()}
            for row in rows
        ]
    )


def _valid(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _pair_row(log: ComparedLog, pair: LogPair) -> dict[str, Cell]:
    sample, details = pair
    known = details or _unscored(pair)
    row: dict[str, Cell] = {
        "id": str(sample.id),
        "epoch": sample.epoch,
        "question_id": str(known["question_id"]),
        "question": known["question"],
        "target": known["gold"],
        "model": log.model,
        "answer_a": known["answer_text"],
        "status_a": known["status"],
        "characters_a": known["characters"],
        "baseline": log.baseline,
        "answer_b": known["baseline_answer"],
        "status_b": known["baseline_status"],
        "characters_b": known["baseline_characters"],
        "judged": known["judged"],
        "unscored_reason": known.get("unscored_reason", ""),
    }
    for judge in log.found.judges:
        row |= _judge_cells(log, judge, known["judges"].get(judge, {}))
    return row


def _judge_cells(log: ComparedLog, judge: str, record: Mapping[str, Any]) -> dict[str, Cell]:
    outcome = record.get("outcome")
    winners = {"win": log.model, "loss": log.baseline, "tie": "tie"}
    cells: dict[str, Cell] = {
        f"decision/{judge}": "" if outcome is None else winners[outcome],
        f"outcome/{judge}": outcome or "",
        f"inconsistent/{judge}": record.get("inconsistent"),
    }
    for order, place in _ORDERS.items():
        said = record.get("orders", {}).get(order)
        cells |= {
            f"model_place_{order}/{judge}": place if said else "",
            f"preferred_{order}/{judge}": (said["preferred"] or "") if said else "",
            f"status_{order}/{judge}": said["status"] if said else "",
            f"rationale_{order}/{judge}": (said["rationale"] or "") if said else "",
        }
    if log.found.asks_accuracy:
        correct = record.get("correct") or {}
        for side in ("model", "baseline"):
            cells[f"correct_{side}/{judge}"] = correct.get(side)
    return cells


def _unscored(pair: LogPair) -> dict[str, Any]:
    """Return what is known of a sample that was not compared, and why it was not."""
    sample = pair.sample
    given = sample.metadata
    unscored = next((one for one in (sample.scores or {}).values() if one.explanation), None)
    reason = sample.error.message if sample.error else unscored.explanation if unscored else None
    return {
        "question_id": given.get("question_id", sample.id),
        "question": given.get("question", sample.input if isinstance(sample.input, str) else ""),
        "gold": sample.target if isinstance(sample.target, str) else "\n".join(sample.target),
        "answer_text": given.get("answer_text", ""),
        "status": given.get("answer_status", ""),
        "characters": None,
        "baseline_answer": given.get("baseline_answer", ""),
        "baseline_status": given.get("baseline_status", ""),
        "baseline_characters": None,
        "judged": False,
        "unscored_reason": reason or "not scored",
        "judges": {},
    }


def _write_csv(table: DataFrame, path: Path) -> None:
    # Only a quoted cell keeps line ends of all kinds.
    with path.open("w", encoding="utf-8", newline="") as file:
        table.to_csv(file, index=False, quoting=csv.QUOTE_ALL, lineterminator="\n")


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a path beside a file, which takes its place when all is written."""
    unfinished = path.with_name(f".{uuid4().hex}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise EveInspectError(
            f"{str(path)!r} cannot be written ({error.strerror or error}): name another folder in "
            "which you may write."
        ) from error
    finally:
        if unfinished.exists():
            unfinished.unlink()
