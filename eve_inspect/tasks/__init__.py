"""The benchmarks, each a task of Inspect."""

from __future__ import annotations

from eve_inspect.tasks.hallucination_detection import hallucination_detection
from eve_inspect.tasks.mcqa_multiple import mcqa_multiple
from eve_inspect.tasks.mcqa_single import mcqa_single
from eve_inspect.tasks.open_ended import open_ended
from eve_inspect.tasks.open_ended_w_context import open_ended_w_context
from eve_inspect.tasks.refusal import refusal
from eve_inspect.tasks.win_rate import win_rate

__all__ = [
    "hallucination_detection",
    "mcqa_multiple",
    "mcqa_single",
    "open_ended",
    "open_ended_w_context",
    "refusal",
    "win_rate",
]
