"""Tables and files of comparisons, against the metrics of the log they are made of."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog, read_eval_log

from eve_inspect import EveInspectError
from eve_inspect.reports._win_rate_tables import win_rate_tables, write_win_rate_files
from tests.reports.win_rate_logs import Word, details, judged, log_of, panel_of

HUNDRED: list[Word] = [*["win"] * 72, *["loss"] * 25, *["tie"] * 3]
ODD = ['comma, "quote"', "two\nlines\r\nand\rmore", "=cmd()|'/C calc'!A0", " padded ", "NA", "中文"]


def metrics_of(log: EvalLog) -> dict[str, float]:
    """Return the figures that Inspect wrote into the log."""
    assert log.results is not None
    return {
        name: float(metric.value)
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }


def named(log: EvalLog) -> dict[str, float]:
    """Return the table of named figures as a mapping."""
    table = win_rate_tables(log).metrics
    return dict(zip(table["name"], table["value"], strict=True))


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, as strings."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_worked_example_is_in_the_summary_and_under_the_documented_names(
    tmp_path: Path,
) -> None:
    log = log_of(tmp_path, panel_of({"judge": HUNDRED}))
    row = win_rate_tables(log).summary.iloc[0]
    assert (row.row, row.judge, row.wins, row.losses, row.ties) == ("judge", "judge", 72, 25, 3)
    assert (row.judged, row.missing, row.pairs) == (100, 0, 100)
    figures = named(log)
    assert figures["win_rate/judge/eve"] == 0.72
    assert figures["win_rate/judge/base"] == 0.25
    assert figures["alpaca_win_rate/judge/eve"] == 0.735
    assert figures["alpaca_win_rate/judge/base"] == pytest.approx(0.265)
    assert figures["aggregate/eve_win_rate"] == figures["aggregate/avg_eve_win_rate"] == 0.72
    assert figures["aggregate/base_alpaca_win_rate"] == pytest.approx(0.265)
    assert figures["aggregate/win_rate_difference"] == pytest.approx(0.47)
    assert figures["aggregate/alpaca_win_rate_difference"] == pytest.approx(0.47)
    assert not any(name.startswith("accuracy") for name in figures)


@pytest.mark.parametrize("epochs", [1, 2])
def test_the_tables_have_the_numbers_of_the_log(tmp_path: Path, epochs: int) -> None:
    correct = {"model": 1.0, "baseline": 0.5}
    words: dict[str, list[Word]] = {
        "a": ["win", "win", "loss", "changed", None, "win"],
        "b": ["win", "loss", "tie", "win", "loss", None],
    }
    rows = panel_of(words, mode="correctness")
    for row in rows[:4]:
        row["judges"]["a"]["correct"] = correct
    log = log_of(tmp_path, rows, epochs)
    log = read_eval_log(log.location)
    expected, figures = metrics_of(log), named(log)
    summary = win_rate_tables(log).summary.set_index("row")
    panel, pooled = summary.loc["panel"], summary.loc["pooled"]
    by_judge = win_rate_tables(log).summary.set_index("judge")
    pairs: list[tuple[Any, str]] = [
        (panel.win_rate, "win_rate"),
        (panel.alpaca_win_rate, "alpaca_win_rate"),
        (panel.win_rate_low, "win_rate_low"),
        (panel.win_rate_high, "win_rate_high"),
        (panel.alpaca_win_rate_low, "alpaca_win_rate_low"),
        (panel.alpaca_win_rate_high, "alpaca_win_rate_high"),
        (panel.win_rate_difference, "win_rate_difference"),
        (panel.alpaca_win_rate_difference, "alpaca_win_rate_difference"),
        (panel.p_sign_test, "p_sign_test"),
        (panel.accuracy, "accuracy"),
        (panel.baseline_accuracy, "baseline_accuracy"),
        (panel.inconsistent, "inconsistent"),
        (pooled.win_rate, "win_rate_pooled"),
        (pooled.alpaca_win_rate, "alpaca_win_rate_pooled"),
        *((pooled[name], name) for name in ("wins", "losses", "ties", "missing")),
        *(
            (by_judge.loc[judge, column], f"{metric}_{judge}")
            for judge in words
            for column, metric in (
                ("wins", "wins"),
                ("missing", "missing"),
                ("win_rate", "win_rate"),
                ("alpaca_win_rate", "alpaca_win_rate"),
                ("accuracy", "accuracy"),
                ("baseline_accuracy", "baseline_accuracy"),
                ("position_first", "position_first"),
                ("position_p", "position_p"),
                ("inconsistent", "inconsistent"),
            )
        ),
        (figures["aggregate/judge_agreement"], "unanimous"),
        (figures["aggregate/judge_agreement_majority"], "majority"),
        (figures["aggregate/judge_agreement_split"], "split"),
        (figures["aggregate/krippendorff_alpha"], "krippendorff_alpha"),
        (figures["aggregate/p_bootstrap"], "p_bootstrap"),
        (figures["aggregate/questions_needed"], "questions_needed"),
        (figures["accuracy/a/eve"], "accuracy_a"),
        (figures["accuracy/a/base"], "baseline_accuracy_a"),
        (figures["position_bias/b"], "position_first_b"),
    ]
    for value, name in pairs:
        assert float(value) == pytest.approx(expected[name], abs=0, nan_ok=True), name
    assert pooled.missing == 2 * epochs
    assert math.isnan(expected["accuracy_b"])


def test_what_is_undefined_is_an_empty_cell(tmp_path: Path) -> None:
    log = log_of(tmp_path / "logs", panel_of({"a": [None, None], "b": ["win", "tie"]}))
    summary = tmp_path / "summary.csv"
    write_win_rate_files(log, summary=summary)
    a, b, panel, pooled = read(summary)
    assert (a["wins"], a["judged"], a["missing"]) == ("0", "0", "2")
    assert {a[name] for name in a if "rate" in name or "accuracy" in name} == {""}
    assert {a["p_sign_test"], a["inconsistent"]} == {""}
    assert (b["win_rate"], b["alpaca_win_rate"], b["accuracy"]) == ("0.5", "0.75", "")
    assert (panel["win_rate"], panel["wins"], panel["judge"]) == ("0.5", "", "")
    assert (pooled["wins"], pooled["missing"], pooled["win_rate_low"]) == ("1", "2", "")


def test_a_row_says_who_won_where_each_answer_was_and_why(tmp_path: Path) -> None:
    words: list[Word] = ["win", "loss", "tie", "changed", None]
    table = win_rate_tables(log_of(tmp_path, panel_of({"j": words}))).results
    assert list(table["decision/j"]) == ["eve", "base", "tie", "tie", ""]
    assert list(table["outcome/j"]) == ["win", "loss", "tie", "tie", ""]
    assert [None if pd.isna(one) else bool(one) for one in table["inconsistent/j"]] == [
        False,
        False,
        False,
        True,
        None,
    ]
    assert set(table["model_place_AB/j"]) == {"first"}
    assert set(table["model_place_BA/j"]) == {"second"}
    assert list(table["preferred_AB/j"]) == ["first", "second", "tie", "first", ""]
    assert list(table["preferred_BA/j"]) == ["second", "first", "tie", "first", "first"]
    assert list(table["status_AB/j"]) == ["scored"] * 4 + ["unreadable"]
    assert list(table["rationale_AB/j"]) == ["Because."] * 4 + [""]
    first = table.iloc[0]
    assert (first.id, first.epoch, first.question_id) == ("0", 1, "q0")
    assert (first.question, first.target) == ("Question 0?", "A reference.")
    assert (first.answer_a, first.answer_b) == ("Answer 0.", "Another.")
    assert (first.characters_a, first.characters_b) == (9, 8)
    assert "correct_model/j" not in table


def test_rows_are_in_the_order_of_the_data(tmp_path: Path) -> None:
    log = read_eval_log(log_of(tmp_path, panel_of({"j": ["win"] * 11})).location)
    assert list(win_rate_tables(log).results["id"]) == [str(place) for place in range(11)]


def test_one_order_and_no_call_leave_their_cells_empty(tmp_path: Path) -> None:
    balanced, empty = judged("win"), judged("loss")
    balanced |= {"inconsistent": None, "orders": {"BA": balanced["orders"]["BA"]}}
    empty |= {"inconsistent": None, "orders": {}}
    rows = [
        details({"j": balanced}, order="balanced"),
        details({"j": empty}, 1, order="balanced", judged=False, answer_text=""),
    ]
    table = win_rate_tables(log_of(tmp_path, rows)).results
    assert list(table["model_place_AB/j"]) == ["", ""]
    assert list(table["model_place_BA/j"]) == ["second", ""]
    assert list(table["decision/j"]) == ["eve", "base"]
    assert list(table["judged"]) == [True, False]
    assert table["inconsistent/j"].isna().all()


def test_correctness_flags_are_there_in_their_mode(tmp_path: Path) -> None:
    flags = {"model": 1.0, "baseline": 0.5}
    words = {"j": judged("win", correct=flags), "k": judged(None, correct=None)}
    log = log_of(tmp_path, [details(words, mode="correctness")])
    row = win_rate_tables(log).results.iloc[0]
    assert (row["correct_model/j"], row["correct_baseline/j"]) == (1.0, 0.5)
    assert math.isnan(row["correct_model/k"])


def test_a_sample_that_was_not_compared_has_a_row_and_is_in_no_figure(tmp_path: Path) -> None:
    log = log_of(tmp_path, [details({"j": judged("win")}), None])
    tables = win_rate_tables(log)
    assert list(tables.results["unscored_reason"]) == ["", "The baseline has no answer."]
    lost = tables.results.iloc[1]
    assert (lost.question, lost.target, lost["decision/j"]) == ("Question 1?", "A reference.", "")
    assert list(tables.summary["pairs"]) == [1, 1, 1]


@pytest.mark.parametrize("odd", ODD, ids=["quote", "lines", "formula", "padded", "na", "chinese"])
def test_texts_are_the_same_when_they_are_read_back(tmp_path: Path, odd: str) -> None:
    others: dict[str, Any] = {
        name: odd for name in ("model", "question", "gold", "answer_text", "baseline_answer")
    }
    row = details({odd: judged("win", odd)}, **others)
    results, metrics = tmp_path / "results.csv", tmp_path / "metrics.csv"
    write_win_rate_files(log_of(tmp_path / "logs", [row]), results=results, metrics=metrics)
    read_by_pandas = pd.read_csv(results, dtype=str, keep_default_na=False).to_dict("records")
    for found in (read(results), read_by_pandas):
        (one,) = found
        cells: dict[str, Any] = {str(name): value for name, value in one.items()}
        names = ("model", "question", "target", "answer_a", "answer_b")
        assert {cells[name] for name in names} == {odd}
        assert cells[f"decision/{odd}"] == cells[f"rationale_BA/{odd}"] == odd
    assert f"win_rate/{odd}/{odd}" in {one["name"] for one in read(metrics)}


def test_half_a_character_is_written_as_an_escape(tmp_path: Path) -> None:
    log = log_of(tmp_path / "logs", [details({"j": judged("win")})])
    assert log.samples is not None
    (score,) = (log.samples[0].scores or {}).values()
    assert score.metadata is not None
    score.metadata["answer_text"] = "a\ud800b"
    write_win_rate_files(log, results=tmp_path / "results.csv")
    assert read(tmp_path / "results.csv")[0]["answer_a"] == "a\\ud800b"


@pytest.mark.parametrize(
    ("model", "baseline", "names"),
    [
        ("eve", "eve", ("eve (A)", "eve (B)")),
        ("tie", "base", ("tie (A)", "base (B)")),
    ],
    ids=["same", "tie"],
)
def test_names_that_would_be_mistaken_are_told_apart(
    tmp_path: Path, model: str, baseline: str, names: tuple[str, str]
) -> None:
    rows = panel_of({"j": ["win", "loss", "loss"]}, model=model, baseline=baseline)
    log = log_of(tmp_path, rows)
    assert set(win_rate_tables(log).results["decision/j"]) == set(names)
    assert named(log)[f"win_rate/j/{names[1]}"] == pytest.approx(2 / 3)


def test_figures_that_would_share_a_name_are_all_there(tmp_path: Path) -> None:
    # The judge a/b of model c and the judge a of model b/c.
    rows = panel_of({"a": ["win"], "a/b": ["loss"]}, model="b/c", baseline="c")
    table = win_rate_tables(log_of(tmp_path, rows)).metrics
    assert table["name"].is_unique
    assert {"win_rate/a/b/c", "win_rate/a/b/c (2)"} <= set(table["name"])


def test_all_files_are_made_with_their_folders(tmp_path: Path) -> None:
    log = log_of(tmp_path / "logs", panel_of({"j": ["win", "loss"]}))
    folder = tmp_path / "new" / "folder"
    names = ("results", "summary", "metrics", "visualization")
    paths = {name: folder / f"{name}.out" for name in names}
    for _ in range(2):  # the second time over the first
        assert write_win_rate_files(log, **paths) == list(paths.values())
        assert sorted(folder.iterdir()) == sorted(paths.values())
    assert write_win_rate_files(log) == []


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    log = log_of(tmp_path / "logs", panel_of({"j": ["win"]}))
    (tmp_path / "results.csv").mkdir()
    with pytest.raises(EveInspectError, match=r"results\.csv' cannot be written \(Is a directory"):
        write_win_rate_files(log, results=tmp_path / "results.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "results.csv"]


def test_a_log_that_compares_nothing_or_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match=r"compares no models in 0 scorer"):
        win_rate_tables(log_of(tmp_path / "a", [None]))
    two = [details({"j": judged("win")}), details({"j": judged("win")}, baseline="other")]
    with pytest.raises(EveInspectError, match="compares eve with base, eve with other"):
        win_rate_tables(log_of(tmp_path / "b", two))


def test_a_header_is_read_in_full(tmp_path: Path) -> None:
    log = log_of(tmp_path, panel_of({"j": ["win"]}))
    header = read_eval_log(log.location, header_only=True)
    assert header.samples is None
    assert list(win_rate_tables(header).results["decision/j"]) == ["eve"]
