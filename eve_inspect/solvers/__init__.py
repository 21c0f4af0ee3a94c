"""What is put before the question, and how the reply is asked for."""

from __future__ import annotations

from eve_inspect.solvers._fewshot import Demonstrations, FewshotSampler, fewshot
from eve_inspect.solvers._instruct import instruct
from eve_inspect.solvers._replay import replay
from eve_inspect.solvers._structured import generate_structured

__all__ = [
    "Demonstrations",
    "FewshotSampler",
    "fewshot",
    "generate_structured",
    "instruct",
    "replay",
]
