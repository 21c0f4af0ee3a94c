"""The command that shows the figures of AlpacaEval's annotation files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from click.testing import CliRunner

from eve_inspect import EveInspectError
from eve_inspect.cli import main
from eve_inspect.datasets import AlpacaAnnotation, read_alpaca_annotations
from eve_inspect.reports import alpaca_table

PREFERENCES = [1, 2, 2, 1.5, 0, 1.9, None]


def rows(model: str, preferences: list[Any]) -> list[dict[str, Any]]:
    """Return annotations in the public form."""
    return [
        {
            "instruction": f"Question {number}?",
            "output_1": "Short.",
            "output_2": "A longer answer." if number % 2 else "Brief.",
            "generator_1": "baseline",
            "generator_2": model,
            "annotator": "judge",
            "preference": preference,
        }
        for number, preference in enumerate(preferences)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(rows("one", PREFERENCES) + rows("two", [2, 2, None])))
    return path


def test_models_are_kept_apart_and_the_failed_are_in_no_rate(file: Path) -> None:
    table = alpaca_table(read_alpaca_annotations(file)).set_index("model")
    shares = [0, 1, 1, 0.5, 0.5, 0.9]
    one = table.loc["one"]
    assert one["win_rate"] == pytest.approx(mean(shares), abs=1e-12)
    assert one["standard_error"] == pytest.approx(stdev(shares) / math.sqrt(6), abs=1e-12)
    assert one["discrete_win_rate"] == pytest.approx((3 + 2 / 2) / 6, abs=1e-12)
    assert [one[name] for name in ("wins", "losses", "draws", "total", "missing")] == [
        *(3, 1, 2, 6, 1)
    ]
    assert (table.loc["two", "win_rate"], table.loc["two", "total"]) == (1, 2)
    assert 0 < one["length_controlled_win_rate"] < 1


def test_the_command_shows_them(file: Path) -> None:
    shown = CliRunner().invoke(main, ["alpaca", str(file)])
    assert shown.exit_code == 0
    lines = {line.split()[0]: line.split()[1:] for line in shown.output.splitlines()}
    assert (lines["model"], lines["missing"]) == (["one", "two"], ["1", "1"])
    assert float(lines["win_rate"][0]) == pytest.approx(0.65)


def test_no_preference_is_no_rate() -> None:
    failed = AlpacaAnnotation("?", "a", "b", "baseline", "model", "judge", None)
    assert alpaca_table([]).empty
    (row,) = alpaca_table([failed]).to_dict("records")
    assert math.isnan(row["win_rate"])
    assert math.isnan(row["length_controlled_win_rate"])
    assert row["missing"] == 1


def test_a_mistake_is_one_line(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["alpaca", str(tmp_path / "nowhere.json")])
    assert shown.exit_code == 1
    assert "is no file" in shown.output
    assert len(shown.output.strip().splitlines()) == 1
    with pytest.raises(EveInspectError):
        read_alpaca_annotations(tmp_path / "x.csv")
