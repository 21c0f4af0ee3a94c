"""The chart: it is drawn of anything, without a warning, and says what the summary says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import imread

from eve_inspect.reports._win_rate_chart import win_rate_chart
from tests.reports.win_rate_logs import Word, log_of, panel_of

LONG = "Organisation/" + "eve-instruct-" * 20


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that were saved."""
    figures: list[Figure] = []
    save = Figure.savefig

    def keep(figure: Figure, *args: Any, **kwargs: Any) -> None:
        figures.append(figure)
        save(figure, *args, **kwargs)

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures


def axes_of(drawn: list[Figure]) -> Axes:
    """Return the axes of the only figure."""
    (figure,) = drawn
    (axes,) = figure.axes
    return axes


def labels(axes: Axes) -> list[str]:
    """Return the labels of the bars."""
    return [label.get_text() for label in axes.get_yticklabels()]


def test_bars_have_the_shares_and_the_counts(tmp_path: Path, drawn: list[Figure]) -> None:
    words: dict[str, list[Word]] = {
        "a": ["win", "win", "tie", "loss", None],
        "b": ["loss", "loss", "loss", "loss", "win"],
    }
    win_rate_chart(log_of(tmp_path, panel_of(words)), tmp_path / "chart.png")
    axes = axes_of(drawn)
    widths = [getattr(patch, "get_width")() for patch in axes.patches]  # noqa: B009
    expected = [0.5, 0.25, 0.25, 0.2, 0.0, 0.8, 0.35, 0.125, 0.525]
    assert widths == pytest.approx(expected)
    assert labels(axes) == ["a\n(1 missing)", "b", "mean over judges\n(1 missing)"]
    texts = [text.get_text() for text in axes.texts]
    assert {"2 / 1 / 1", "1 / 0 / 4", "3 / 1 / 5", "50 %", "80 %"} <= set(texts)
    markers = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "D"]  # type: ignore[index]
    assert markers == pytest.approx([0.625, 0.2, 0.4125])


def test_parts_differ_by_colour_by_lightness_or_by_hatch(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    win_rate_chart(log_of(tmp_path, panel_of({"j": ["win", "tie", "loss"]})), tmp_path / "c.png")
    parts = axes_of(drawn).patches[:3]
    assert len({part.get_facecolor() for part in parts}) == 3
    assert len({part.get_hatch() for part in parts}) == 3


@pytest.mark.parametrize(
    ("names", "judges", "verdicts"),
    [
        (("eve", "base"), 1, ["win"] * 3),
        (("eve", "base"), 6, ["win", "tie", "loss", None]),
        (("eve", "base"), 2, [None] * 3),
        ((LONG, LONG + "!"), 2, ["win", "changed"]),
        (("大模型", "🛰\x07\u202e\ud800"), 1, ["loss"]),
        (("$x_$", "\n \t"), 1, ["tie"]),
    ],
    ids=["one", "six", "no-verdict", "long", "not-in-the-font", "markup"],
)
def test_a_picture_is_made_without_a_warning(
    tmp_path: Path, names: tuple[str, str], judges: int, verdicts: list[Word]
) -> None:
    words = {f"{names[0]}-{number}": verdicts for number in range(judges)}
    log = log_of(tmp_path, panel_of(words))
    for sample in log.samples or []:
        for score in (sample.scores or {}).values():
            (score.metadata or {}).update(model=names[0], baseline=names[1])
    win_rate_chart(log, tmp_path / "chart.png")
    height, width, _ = imread(tmp_path / "chart.png").shape
    assert width == 1800
    assert height == pytest.approx(200 * (2.1 + 0.72 * (judges + 1)), abs=1)


def test_names_are_shortened_and_escaped_so_that_they_can_be_told_apart(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    log = log_of(tmp_path, panel_of({LONG: ["win"], "大": ["win"], "$a$": ["win"]}))
    win_rate_chart(log, tmp_path / "chart.png")
    axes = axes_of(drawn)
    long, chinese, dollar, _ = labels(axes)
    assert len(long) <= 28
    assert "…" in long
    assert (chinese, dollar) == ("\\u5927", "$a$")
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


def test_no_verdict_is_no_bar(tmp_path: Path, drawn: list[Figure]) -> None:
    win_rate_chart(log_of(tmp_path, panel_of({"j": [None, None]})), tmp_path / "chart.png")
    axes = axes_of(drawn)
    assert list(axes.patches) == []
    assert [text.get_text() for text in axes.texts].count("no verdict") == 2
    assert labels(axes) == ["j\n(2 missing)", "mean over judges\n(2 missing)"]
    assert not [line for line in axes.lines if line.get_marker() == "D"]
