"""Entry point for Inspect: importing this module registers everything the package offers."""

from __future__ import annotations

from eve_inspect.models import GgufAPI
from eve_inspect.scorers import (
    coverage,
    hallucination_binary,
    hallucination_binary_floors,
    hallucination_classification,
    hallucination_hard,
    hallucination_hard_floors,
    hallucination_overlap,
    hallucination_soft,
    hallucination_soft_floors,
    multiple_answer,
    multiple_answer_floors,
    single_answer,
    single_answer_floors,
)
from eve_inspect.solvers import fewshot, generate_structured, instruct
from eve_inspect.tasks import hallucination_detection, mcqa_multiple, mcqa_single

__all__ = [
    "GgufAPI",
    "coverage",
    "fewshot",
    "generate_structured",
    "hallucination_binary",
    "hallucination_binary_floors",
    "hallucination_classification",
    "hallucination_detection",
    "hallucination_hard",
    "hallucination_hard_floors",
    "hallucination_overlap",
    "hallucination_soft",
    "hallucination_soft_floors",
    "instruct",
    "mcqa_multiple",
    "mcqa_single",
    "multiple_answer",
    "multiple_answer_floors",
    "single_answer",
    "single_answer_floors",
]
