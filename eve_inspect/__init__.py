"""The EVE benchmarks for Earth-observation language models, on Inspect AI.

Importing this package is cheap: tasks and tables, which need Inspect and pandas, load when they are
first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from eve_inspect._errors import EveInspectError

if TYPE_CHECKING:
    from eve_inspect.evaluation import compare_models, rescore
    from eve_inspect.reports import results, run_win_rate
    from eve_inspect.tasks import (
        hallucination_detection,
        mcqa_multiple,
        mcqa_single,
        open_ended,
        open_ended_w_context,
        refusal,
        win_rate,
    )

__all__ = [
    "EveInspectError",
    "compare_models",
    "hallucination_detection",
    "mcqa_multiple",
    "mcqa_single",
    "open_ended",
    "open_ended_w_context",
    "refusal",
    "rescore",
    "results",
    "run_win_rate",
    "win_rate",
]

_HOMES = {
    "compare_models": "eve_inspect.evaluation",
    "rescore": "eve_inspect.evaluation",
    "results": "eve_inspect.reports",
    "run_win_rate": "eve_inspect.reports",
}
"""Where a name comes from that is no task."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "eve_inspect.tasks")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
