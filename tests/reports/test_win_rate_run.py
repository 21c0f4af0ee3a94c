"""What is written of comparisons that were made, and what is said of those that went wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog

from eve_inspect import EveInspectError
from eve_inspect.evaluation import Comparisons, OutputSettings, WandbSettings
from eve_inspect.reports import WinRateRun, report_win_rates, win_rate_summary
from tests.reports.win_rate_logs import Word, details, judged, log_of, panel_of

Met = Mapping[tuple[str, str], Sequence[Word]]

TWO: Met = {("new", "old"): ["win", "win", "tie"]}
THREE: Met = {**TWO, ("new", "base"): ["win", "loss", "win"], ("old", "base"): ["win", "tie", None]}


Made = Callable[[Met], Comparisons]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return comparisons in which one judge decided so; equal ones are made once."""
    known: dict[tuple[str, ...], EvalLog] = {}

    def log(model: str, baseline: str, words: Sequence[Word]) -> EvalLog:
        key = (model, baseline, *map(str, words))
        if key not in known:
            rows = panel_of({"a": words}, model=model, baseline=baseline)
            known[key] = log_of(tmp_path_factory.mktemp("logs"), rows)
        return known[key]

    return lambda met: Comparisons(tuple(log(*pair, words) for pair, words in met.items()), 3, "")


def tables(folder: Path, compared: Comparisons, **settings: Any) -> WinRateRun:
    """Report comparisons, without charts, which take their time."""
    given = {"output_dir": folder / "out", "save_visualizations": False, **settings}
    return report_win_rates(compared, OutputSettings(**given))


def names(folder: Path) -> set[str]:
    return {path.name for path in (folder / "out").glob("*")}


def test_two_models_have_their_files_and_no_ranks(made: Made, tmp_path: Path) -> None:
    run = tables(tmp_path, made(TWO), save_visualizations=True)
    assert run.ranking is None
    assert [path.name for path in run.files] == [
        "results_new_vs_old.csv",
        "summary_new_vs_old.csv",
        "metrics_new_vs_old.csv",
        "comparison_new_vs_old.png",
    ]
    assert names(tmp_path) == {path.name for path in run.files}


def test_three_models_are_ranked_in_files_too(made: Made, tmp_path: Path) -> None:
    run = tables(tmp_path, made(THREE))
    assert run.ranking is not None
    assert len(run.files) == 3 * 3 + 2
    assert names(tmp_path) == {path.name for path in run.files}
    ranking = pd.read_csv(tmp_path / "out" / "ranking.csv")
    assert list(ranking["model"]) == list(run.ranking.strengths["model"]) == ["new", "old", "base"]
    matrix = pd.read_csv(tmp_path / "out" / "win_rate_matrix.csv", index_col="model")
    assert matrix.loc["new", "base"] == pytest.approx(2 / 3)


def test_only_what_is_wanted_is_written(made: Made, tmp_path: Path) -> None:
    run = tables(tmp_path, made(TWO), save_results=False)
    assert run.files == ()
    assert not (tmp_path / "out").exists()


def test_no_file_of_a_run_is_written_over_by_another(made: Made, tmp_path: Path) -> None:
    """Not where patterns are alike, and not where one has the name of the ranking."""
    patterns = {"results_filename": "ranking.csv", "summary_filename": "Ranking-2.csv"}
    run = tables(tmp_path, made(THREE), **patterns)
    assert len(names(tmp_path)) == len(run.files) == 3 * 3 + 2
    assert len({path.name.casefold() for path in run.files}) == len(run.files)
    assert "model" in pd.read_csv(next(path for path in run.files[::-1] if "rank" in path.name))


def test_names_that_are_the_same_on_disk_get_numbers(made: Made, tmp_path: Path) -> None:
    run = tables(tmp_path, made({("a/b", "c"): ["win"], ("A:b", "c"): ["loss"]}))
    results = [path.name for path in run.files if path.name.startswith("results")]
    assert results == ["results_a_b_vs_c.csv", "results_A_b_vs_c-2.csv"]
    winners = [pd.read_csv(tmp_path / "out" / name)["decision/a"].item() for name in results]
    assert winners == ["a/b", "c"]


def test_files_of_an_earlier_run_are_written_over(made: Made, tmp_path: Path) -> None:
    tables(tmp_path, made(TWO))
    tables(tmp_path, made({("new", "old"): ["loss"]}))
    table = pd.read_csv(tmp_path / "out" / "results_new_vs_old.csv")
    assert list(table["decision/a"]) == ["old"]
    assert len(names(tmp_path)) == 3


def test_a_comparison_without_a_verdict_is_an_error_after_the_files(
    made: Made, tmp_path: Path
) -> None:
    """What wr-019 asks for: the reason is told, and the others are not lost."""
    with pytest.raises(EveInspectError, match="was judged, so there is no win rate") as told:
        tables(tmp_path, made({**THREE, ("old", "base"): [None, None]}))
    assert "\n" not in str(told.value)
    assert "out" in str(told.value)
    assert {"results_old_vs_base.csv", "ranking.csv", "results_new_vs_old.csv"} <= names(tmp_path)
    table = pd.read_csv(tmp_path / "out" / "summary_old_vs_base.csv")
    assert table["win_rate"].isna().all()


def test_models_that_nothing_connects_are_an_error_after_the_files(
    made: Made, tmp_path: Path
) -> None:
    with pytest.raises(EveInspectError, match="cannot be ranked: no chain of games") as told:
        tables(tmp_path, made({**TWO, ("x", "y"): ["win"]}))
    assert "\n" not in str(told.value)
    assert {"results_x_vs_y.csv", "results_new_vs_old.csv"} <= names(tmp_path)
    assert "ranking.csv" not in names(tmp_path)


def test_the_reason_of_a_judge_is_told(tmp_path: Path) -> None:
    row = details({"a": judged(None)}, model="new", baseline="old")
    order = row["judges"]["a"]["orders"]["AB"]
    order |= {"failures": ["error: no reply was received"], "raw": "PaymentRequired:\nno credit"}
    log = log_of(tmp_path / "logs", [row])
    output = OutputSettings(output_dir=tmp_path / "out")
    with pytest.raises(EveInspectError, match=r"received \(PaymentRequired: no credit\)"):
        report_win_rates(Comparisons((log,), 3, ""), output)


def test_weights_and_biases_that_fail_do_not_hide_the_rest(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    monkeypatch.setenv("WANDB_MODE", "no-such-mode")
    wandb = WandbSettings(enabled=True)
    compared = made({("old", "base"): [None, None]})
    output = OutputSettings(output_dir=tmp_path / "out", save_visualizations=False)
    with pytest.raises(EveInspectError, match=r"no win rate.*Weights & Biases did not"):
        report_win_rates(compared, output, wandb)
    assert "summary_old_vs_base.csv" in names(tmp_path)


# In the terminal


def test_the_summary_says_who_won_and_how_sure_that_is(tmp_path: Path) -> None:
    words: dict[str, Sequence[Word]] = {
        "first": ["win"] * 6 + ["changed", "loss"],
        "second": ["win"] * 6 + ["tie", None],
    }
    lines = win_rate_summary(log_of(tmp_path, panel_of(words))).splitlines()
    assert lines[0] == "eve against base: 8 pairs"
    assert lines[1].split("alpaca win rate ")[1].startswith("0.812 (95 %: ")
    assert lines[1].endswith("), 6 wins, 1 ties, 1 losses")
    assert lines[2].endswith("), 6 wins, 1 ties, 1 missing")
    assert lines[3].startswith("  panel")
    assert lines[3].endswith(")")
    assert lines[4].endswith("alpaca win rate 0.867, 12 wins, 2 ties, 1 losses, 1 missing")
    assert lines[5] == "  verdicts that changed with the order: 6.2%"
    assert lines[6].startswith("  p-value of no difference (sign test over questions): 0.")


def test_the_summary_of_nothing_is_undefined_not_zero(tmp_path: Path) -> None:
    text = win_rate_summary(log_of(tmp_path, panel_of({"a": [None, None]})))
    assert "alpaca win rate undefined" in text
    assert "2 missing" in text
    assert "0.000" not in text
    assert "changed with" not in text
