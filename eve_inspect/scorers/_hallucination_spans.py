"""Scoring quoted false fragments, as character spans (hard) and with probabilities (soft)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from eve_inspect.answers import Fragment, Located, Reading, locate, read_fragments
from eve_inspect.metrics import (
    CharacterOverlap,
    MarkingFloors,
    hard_floors,
    harden,
    mean_floors,
    overlap,
    pool,
    soft_floors,
    soft_scores,
)
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._reply import details_of, reply_of, score_reading, unscorable


@metric(scores="unreduced")
def hallucination_overlap() -> Metric:
    """Character overlap pooled over all samples, and what became of the quoted fragments.

    Returns:
        ``overlap_precision``, ``overlap_recall``, ``overlap_f1`` (0..1, of summed characters; NaN
        for an empty denominator), ``fragments_placed``, ``fragments_unplaced`` (not found in the
        text), ``fragments_clipped`` (offsets beyond the text) and ``fragments_dropped`` (empty, or
        with an impossible probability).
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        pooled = pool(CharacterOverlap(**detail["characters"]) for detail in details)
        counts = {
            f"fragments_{outcome}": sum(detail["fragments"][outcome] for detail in details)
            for outcome in ("placed", "unplaced", "clipped", "dropped")
        }
        return {
            "overlap_precision": pooled.precision,
            "overlap_recall": pooled.recall,
            "overlap_f1": pooled.f1,
            **counts,
        }

    return compute


@metric(scores="unreduced")
def hallucination_hard_floors() -> Metric:
    """IoU of marking nothing and of marking every answer throughout, from the gold spans.

    Returns:
        ``floor_iou_nothing_marked`` and ``floor_iou_all_marked``, 0..1.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        floors = [hard_floors(detail["gold"], detail["characters_in_answer"]) for detail in details]
        return _floors("iou", mean_floors(floors))

    return compute


@metric(scores="unreduced")
def hallucination_soft_floors() -> Metric:
    """Spearman and IoU of marking nothing and of marking every answer throughout.

    Returns:
        ``floor_spearman_nothing_marked``, ``floor_spearman_all_marked``,
        ``floor_iou_nothing_marked`` and ``floor_iou_all_marked``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        floors = [soft_floors(detail["gold"], detail["characters_in_answer"]) for detail in details]
        return {
            **_floors("spearman", mean_floors(floor.spearman for floor in floors)),
            **_floors("iou", mean_floors(floor.iou for floor in floors)),
        }

    return compute


@scorer(
    metrics=[
        {key: [mean(), stderr()] for key in ("iou", "precision", "recall", "f1")},
        hallucination_overlap(),
        coverage(),
        hallucination_hard_floors(),
    ]
)
def hallucination_hard() -> Scorer:
    """Compare the characters of the quoted fragments with the hallucinated ones.

    The value has the columns ``iou``, ``precision``, ``recall`` and ``f1`` of character sets; where
    a denominator is empty the column is NaN and left out of its mean, and two empty sets agree (IoU
    and F1 are 1). An unreadable reply is not an empty prediction: its IoU and F1 are 0. ``answer``
    is the JSON list of [start, end] code-point offsets, empty when nothing could be read.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        if not {"answer", "hard"} <= state.metadata.keys():
            return unscorable("The sample's metadata lacks 'answer' or 'hard', the gold spans.")
        reading, located = _read(state)
        # Probabilities are not asked for; where a model gives some, the usual threshold holds.
        predicted = None if reading.answer is None else harden(located.spans)
        gold = state.metadata["hard"]
        found = overlap(predicted, gold)
        return score_reading(
            reading,
            value={
                "iou": found.iou,
                "precision": found.precision,
                "recall": found.recall,
                "f1": found.f1,
            },
            answer="" if predicted is None else json.dumps(predicted),
            gold=gold,
            **_details(found, located, state.metadata),
        )

    return score


@scorer(
    metrics=[
        {key: [mean(), stderr()] for key in ("spearman", "iou")},
        hallucination_overlap(),
        coverage(),
        hallucination_soft_floors(),
    ]
)
def hallucination_soft() -> Scorer:
    """Compare the probabilities of the quoted fragments with the annotators', per character.

    The value has the columns ``spearman`` (-1..1, with the conventions of ``soft_scores``) and
    ``iou`` (0..1, of the characters with a probability above 0.5). ``answer`` is the JSON list of
    [start, end, probability], empty when nothing could be read.
    """

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        if not {"answer", "soft"} <= state.metadata.keys():
            return unscorable("The sample's metadata lacks 'answer' or 'soft', the gold spans.")
        reading, located = _read(state)
        predicted = None if reading.answer is None else located.spans
        gold = state.metadata["soft"]
        found = soft_scores(predicted, gold, len(state.metadata["answer"]))
        return score_reading(
            reading,
            value={"spearman": found.correlation.score, "iou": found.overlap.iou},
            answer="" if predicted is None else json.dumps(predicted),
            gold=gold,
            correlation=found.correlation.case,
            **_details(found.overlap, located, state.metadata),
        )

    return score


def _read(state: TaskState) -> tuple[Reading[tuple[Fragment, ...]], Located]:
    """Read the fragments of a reply and find them in the answer.

    Fragments of which none can be placed are no empty prediction, which would be right about a
    clean answer: the reply claims something, but nothing that was offered.
    """
    reading = read_fragments(reply_of(state))
    located = locate(state.metadata["answer"], reading.answer or ())
    if reading.answer and not located.spans:
        flags = tuple(sorted({*reading.flags, "nothing_placed"}))
        reading = replace(reading, answer=None, status="out_of_range", flags=flags)
    return reading, located


def _details(
    found: CharacterOverlap, located: Located, metadata: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the metrics over all samples need to know of one."""
    return {
        "characters": {
            "common": found.common,
            "predicted": found.predicted,
            "gold": found.gold,
            "samples": found.samples,
            "unread": found.unread,
        },
        "characters_in_answer": len(metadata["answer"]),
        "fragments": {
            "placed": len(located.spans),
            "unplaced": located.unplaced,
            "clipped": located.clipped,
            "dropped": located.dropped,
        },
    }


def _floors(measure: str, floors: MarkingFloors) -> dict[str, float]:
    return {
        f"floor_{measure}_nothing_marked": floors.nothing,
        f"floor_{measure}_all_marked": floors.everything,
    }
