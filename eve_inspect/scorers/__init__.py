"""Scorers: what a reply says, compared with what is right."""

from __future__ import annotations

from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._hallucination_binary import (
    hallucination_binary,
    hallucination_binary_floors,
    hallucination_classification,
)
from eve_inspect.scorers._hallucination_spans import (
    hallucination_hard,
    hallucination_hard_floors,
    hallucination_overlap,
    hallucination_soft,
    hallucination_soft_floors,
)
from eve_inspect.scorers._multiple_answer import multiple_answer, multiple_answer_floors
from eve_inspect.scorers._single_answer import single_answer, single_answer_floors

__all__ = [
    "coverage",
    "hallucination_binary",
    "hallucination_binary_floors",
    "hallucination_classification",
    "hallucination_hard",
    "hallucination_hard_floors",
    "hallucination_overlap",
    "hallucination_soft",
    "hallucination_soft_floors",
    "multiple_answer",
    "multiple_answer_floors",
    "single_answer",
    "single_answer_floors",
]
