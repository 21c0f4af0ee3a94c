"""A comparison in a few lines, for the terminal."""

from __future__ import annotations

import math

from inspect_ai.log import EvalLog

from eve_inspect.metrics import sign_test
from eve_inspect.reports._win_rate_figures import compared_log, summary_rows


def win_rate_summary(log: EvalLog) -> str:
    """Return who won, by each judge and over judges, and how sure that is.

    Args:
        log: A log of the task `win_rate`.
    """
    compared = compared_log(log)
    found = compared.found
    lines = [f"{compared.model} against {compared.baseline}: {len(found.details)} pairs"]
    for row in summary_rows(compared):
        counts = [f"{row[key]} {key}" for key in ("wins", "ties", "losses", "missing") if row[key]]
        bounds = [_share(row.get(f"alpaca_win_rate_{end}")) for end in ("low", "high")]
        interval = f" (95 %: {' to '.join(bounds)})" if "alpaca_win_rate_low" in row else ""
        name = f"{row['judge'] or row['row']}"
        lines.append(
            f"  {name:<24} alpaca win rate {_share(row['alpaca_win_rate'])}{interval}"
            f"{', ' if counts else ''}{', '.join(counts)}"
        )
    changed = [found.inconsistent(judge) for judge in found.judges]
    known = [one for one in changed if not math.isnan(one)]
    if known:
        lines.append(f"  verdicts that changed with the order: {sum(known) / len(known):.1%}")
    p = sign_test(found.outcomes, found.questions)
    if not math.isnan(p):
        lines.append(f"  p-value of no difference (sign test over questions): {p:.2g}")
    return "\n".join(lines)


def _share(value: object) -> str:
    defined = isinstance(value, float | int) and not math.isnan(value)
    return f"{value:.3f}" if defined else "undefined"
