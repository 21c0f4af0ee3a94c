"""The chart of a comparison: who wins, by each judge and over judges."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inspect_ai.log import EvalLog

from eve_inspect.reports._win_rate_figures import compared_log, summary_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FONT = "DejaVu Sans"  # comes with matplotlib
_DPI = 200
_LONGEST_NAME = 44
_LONGEST_JUDGE = 28
_BAR = 0.46
_LANE = 0.36  # how far below its bar's middle an interval is, so that neither hides the other
_PLAIN: Mapping[str, str] = {
    "boxstyle": "round,pad=0.15",
    "facecolor": "white",
    "edgecolor": "none",
}
_READABLE = 0.07  # a narrower part of a bar has no room for its share


class _Part(NamedTuple):
    """A part of a bar; the colours are of Okabe and Ito's palette, told apart by most eyes."""

    rate: str
    label: str
    colour: str
    hatch: str


def win_rate_chart(log: EvalLog, path: Path) -> None:
    """Draw who wins: a bar for each judge and one for the panel.

    Args:
        log: A log with scores of `win_rate`.
        path: Where the PNG goes; its folder must be there.

    Raises:
        EveInspectError: A log without comparisons, or with those of more than two models.
    """
    draw_chart(summary_rows(compared_log(log)), path)


def draw_chart(rows: Sequence[Mapping[Any, Any]], path: Path) -> None:
    """Draw the rows of a summary.

    Each bar has the shares of wins, ties and losses, hatched for print without colour. Below it is
    the win rate with ties as halves, with its 95 % interval. Counts are at its right.

    Args:
        rows: A row for each judge, then the panel's and the pooled one.
        path: Where the PNG goes.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    *judges, panel, pooled = rows
    # The panel's shares are means over judges; its counts are of all verdicts.
    bars = [*judges, {**pooled, **{k: v for k, v in panel.items() if k not in _counts()}}]
    with mpl.rc_context({"font.family": [_FONT], "text.usetex": False, "hatch.linewidth": 0.6}):
        figure = Figure(figsize=(9, 2.1 + 0.72 * len(bars)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        names = [_name(str(panel[side]), _LONGEST_NAME) for side in ("model", "baseline")]
        _bars(axes, bars, names)
        _frame(axes, bars, names)
        figure.savefig(path, dpi=_DPI, format="png", facecolor="white")


def _counts() -> tuple[str, ...]:
    return ("wins", "losses", "ties", "missing", "judged")


def _parts(names: Sequence[str]) -> list[_Part]:
    model, baseline = names
    return [
        _Part("win_rate", f"{model} wins", "#0072B2", ""),
        _Part("tie_rate", "tie", "#F0E442", "...."),
        _Part("loss_rate", f"{baseline} wins", "#E69F00", "////"),
    ]


def _bars(axes: Axes, bars: Sequence[Mapping[Any, Any]], names: Sequence[str]) -> None:
    """Draw the bars, the first on top, with an interval below each."""
    for place, row in enumerate(bars):
        if math.isnan(row["win_rate"]):
            axes.text(
                0.5, place, "no verdict", ha="center", va="center", bbox=dict(_PLAIN), zorder=4
            )
            continue
        left = 0.0
        for part in _parts(names):
            _part(axes, place, left, row[part.rate], part)
            left += row[part.rate]
        axes.text(1.015, place, _numbers(row), va="center", fontsize=9)
        _interval(axes, place + _LANE, row)


def _part(axes: Axes, place: int, left: float, share: float, part: _Part) -> None:
    axes.barh(
        place,
        share,
        _BAR,
        left,
        color=part.colour,
        hatch=part.hatch,
        edgecolor="#333333",
        linewidth=0.6,
    )
    if share >= _READABLE:
        axes.text(
            left + share / 2,
            place,
            f"{100 * share:.0f} %",
            ha="center",
            va="center",
            fontsize=9,
            bbox=dict(_PLAIN),
            zorder=4,
        )


def _interval(axes: Axes, place: float, row: Mapping[Any, Any]) -> None:
    value, low, high = (row[f"alpaca_win_rate{end}"] for end in ("", "_low", "_high"))
    if not math.isnan(low) and not math.isnan(high):
        axes.plot([low, high], [place, place], color="black", linewidth=1.4, marker="|")
    axes.plot([value], [place], color="black", marker="D", markersize=5, linestyle="none")


def _numbers(row: Mapping[Any, Any]) -> str:
    return " / ".join(f"{int(row[name]):,}" for name in ("wins", "ties", "losses"))


def _frame(axes: Axes, bars: Sequence[Mapping[Any, Any]], names: Sequence[str]) -> None:
    """Draw the axes, the line of even odds, the names and the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    model, baseline = names
    axes.axvline(0.5, color="black", linewidth=1, linestyle="--", zorder=2.5)
    axes.set(xlim=(0, 1), ylim=(len(bars) - 0.35, -0.55), xlabel="share of judged pairs")
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_yticks(range(len(bars)), [_label(row) for row in bars])
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    title = axes.set_title(f"{model}\nagainst {baseline}", fontsize=12, loc="left")
    axes.text(1.015, -0.5, "win / tie / loss", va="center", fontsize=9, color="#555555")
    handles: list[Patch | Line2D] = [
        Patch(facecolor=part.colour, hatch=part.hatch, edgecolor="#333333", label=part.label)
        for part in _parts(names)
    ]
    label = f"win rate of {model}, ties as halves, 95 % interval"
    handles.append(Line2D([], [], color="black", marker="D", markersize=5, label=label))
    handles.append(Line2D([], [], color="black", linestyle="--", linewidth=1, label="50 %"))
    figure = axes.get_figure()
    if figure is not None:
        legend = figure.legend(handles=handles, loc="outside lower left", fontsize=9, frameon=False)
        # A dollar sign in a model's name is no formula.
        for text in (title, *axes.get_yticklabels(), *axes.texts, *legend.get_texts()):
            text.set_parse_math(False)


def _label(row: Mapping[Any, Any]) -> str:
    judge = (
        _name(str(row["judge"]), _LONGEST_JUDGE) if row["row"] == "judge" else "mean over judges"
    )
    missing = int(row["missing"])
    return f"{judge}\n({missing:,} missing)" if missing else judge


def _name(name: str, longest: int) -> str:
    """Return a name that fits, with escapes in the place of characters that the font lacks."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont(_FONT)).get_charmap()
    shown = "".join(
        char if ord(char) in known and unicodedata.category(char)[0] != "C" else _escape(char)
        for char in " ".join(unicodedata.normalize("NFC", name).split())
    )
    if len(shown) <= longest:
        return shown or "(no name)"
    half = (longest - 1) // 2
    return f"{shown[:half]}…{shown[-half:]}"


def _escape(char: str) -> str:
    return char.encode("ascii", "backslashreplace").decode() if ord(char) > 127 else "·"
