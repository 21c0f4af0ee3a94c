"""What the levels of hallucination detection differ in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver, generate
from inspect_ai.util import json_schema
from pydantic import BaseModel, ConfigDict

from eve_inspect.datasets import Level
from eve_inspect.scorers import hallucination_binary, hallucination_hard, hallucination_soft
from eve_inspect.solvers import generate_structured


class _HardSpan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str


class _HardReply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    spans: list[_HardSpan]


class _SoftSpan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    probability: float


class _SoftReply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    spans: list[_SoftSpan]


@dataclass(frozen=True, slots=True)
class LevelSetup:
    """A level's prompt, demonstrations, generation, scorer and headline."""

    prompt: str
    reply: Callable[[Sample], str]
    generate: Callable[[], Solver]
    scorer: Callable[[], Scorer]
    headline: HeadlineMetric


def _verdict(sample: Sample) -> str:
    """Return the right reply of the binary level, where A is yes."""
    return "Verdict: A" if sample.target == "yes" else "Verdict: B"


def _hard_reply(sample: Sample) -> str:
    return _spans(sample, lambda span: {"text": span["text"]})


def _soft_reply(sample: Sample) -> str:
    return _spans(sample, lambda span: {"text": span["text"], "probability": span["prob"]})


def _spans(sample: Sample, shown: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> str:
    golds = json.loads(str(sample.target))
    return json.dumps({"spans": [shown(span) for span in golds]}, ensure_ascii=False)


LEVELS: Mapping[Level, LevelSetup] = {
    "binary": LevelSetup(
        "hallucination_binary",
        _verdict,
        partial(generate, tool_calls="none"),
        hallucination_binary,
        HeadlineMetric(scorer="hallucination_binary", metric="f1"),
    ),
    "hard": LevelSetup(
        "hallucination_hard",
        _hard_reply,
        partial(generate_structured, "spans", json_schema(_HardReply)),
        hallucination_hard,
        HeadlineMetric(scorer="hallucination_hard", score="iou", metric="mean"),
    ),
    "soft": LevelSetup(
        "hallucination_soft",
        _soft_reply,
        partial(generate_structured, "spans", json_schema(_SoftReply)),
        hallucination_soft,
        HeadlineMetric(scorer="hallucination_soft", score="spearman", metric="mean"),
    ),
}
