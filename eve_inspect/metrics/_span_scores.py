"""Agreement of predicted with gold spans, by characters, and its floors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from eve_inspect.metrics._correlation import UNREADABLE_CORRELATION, RankCorrelation, spearman
from eve_inspect.metrics._numbers import mean, ratio
from eve_inspect.metrics._spans import SoftSpan, Span, character_probabilities, harden, merge_spans


@dataclass(frozen=True, slots=True)
class CharacterOverlap:
    """How many characters two sides mark, and the figures that follow.

    Of one sample, or summed over samples (``pool``): the figures are then pooled ones, also called
    micro averages. Both sides empty is full agreement: IoU and F1 are 1. Precision without a
    predicted character and recall without a gold one are 0/0 and NaN, so that they are left out of
    a mean rather than tilting it.

    Attributes:
        common: Characters that both sides mark.
        predicted: Characters that the prediction marks.
        gold: Characters that the gold marks.
        samples: Samples that were counted.
        unread: Samples among them without a readable prediction. When there is no other, IoU and
            F1 are 0 also where the gold marks nothing.
    """

    common: int
    predicted: int
    gold: int
    samples: int = 1
    unread: int = 0

    @property
    def iou(self) -> float:
        """Common characters over characters that either side marks, 0..1."""
        return self._agreement(self.common, self.predicted + self.gold - self.common)

    @property
    def precision(self) -> float:
        """Share of the predicted characters that the gold marks too; NaN when none is predicted."""
        return ratio(self.common, self.predicted)

    @property
    def recall(self) -> float:
        """Share of the gold characters that were predicted; NaN when the gold marks none."""
        return ratio(self.common, self.gold)

    @property
    def f1(self) -> float:
        """Twice the common characters over the sum of both sides' characters (Dice), 0..1."""
        return self._agreement(2 * self.common, self.predicted + self.gold)

    def _agreement(self, numerator: int, denominator: int) -> float:
        if denominator:
            return numerator / denominator
        # No character on either side: agreement, unless nobody looked.
        return float(self.unread < self.samples) if self.samples else math.nan


def overlap(
    predicted: Iterable[tuple[int, int]] | None, gold: Iterable[tuple[int, int]]
) -> CharacterOverlap:
    """Count the characters that predicted and gold spans mark, each character once.

    Args:
        predicted: Spans in any order, overlapping or repeated ones included, clipped to the text;
            None when the reply was unreadable, which is not an empty prediction.
        gold: Right spans.

    Raises:
        ValueError: A span is empty, reversed or starts before the text.
    """
    gold_spans = merge_spans(gold)
    if predicted is None:
        return CharacterOverlap(0, 0, _characters(gold_spans), unread=1)
    spans = merge_spans(predicted)
    return CharacterOverlap(
        common=_common(spans, gold_spans),
        predicted=_characters(spans),
        gold=_characters(gold_spans),
    )


def pool(overlaps: Iterable[CharacterOverlap]) -> CharacterOverlap:
    """Sum counts over samples, for pooled (micro) precision, recall, F1 and IoU.

    The gold characters of unreadable replies stay in, as missed. A clean sample has no characters
    and so no weight here, read or not: pooled figures need the coverage beside them. All figures
    are NaN when there are no samples.
    """
    parts = list(overlaps)
    return CharacterOverlap(
        common=sum(part.common for part in parts),
        predicted=sum(part.predicted for part in parts),
        gold=sum(part.gold for part in parts),
        samples=sum(part.samples for part in parts),
        unread=sum(part.unread for part in parts),
    )


class SoftScores(NamedTuple):
    """Agreement of soft spans on one sample.

    Attributes:
        correlation: Spearman correlation of the probabilities per character.
        overlap: Character overlap of both sides hardened at the threshold.
    """

    correlation: RankCorrelation
    overlap: CharacterOverlap


def soft_scores(
    predicted: Iterable[tuple[int, int, float]] | None,
    gold: Iterable[tuple[int, int, float]],
    length: int,
    threshold: float = 0.5,
) -> SoftScores:
    """Compare predicted with gold soft spans on one text.

    Conventions where the correlation is undefined: nothing marked on both sides, or the whole text
    marked evenly on both sides, is agreement (1); anything else against an even marking is 0 and
    has the case ``constant``. It differs from the reference scorer of SemEval-2025 task 3
    (Mu-SHROOM) in two points: of overlapping spans that scorer lets the last one win, here the
    greatest probability does; and it gives 1 to any two constant sides, also to a text marked
    throughout whose gold marks nothing, which is 0 here.

    Args:
        predicted: Soft spans, clipped to the text; None when the reply was unreadable.
        gold: Right soft spans.
        length: Length of the text in code points.
        threshold: A character is hard when its probability is strictly greater.

    Raises:
        ValueError: A span is empty, reversed or not in the text, or its probability not in 0..1.
    """
    gold_spans = [SoftSpan(*span) for span in gold]
    gold_series = character_probabilities(gold_spans, length)
    gold_hard = harden(gold_spans, threshold)
    if predicted is None:
        return SoftScores(UNREADABLE_CORRELATION, overlap(None, gold_hard))
    spans = [SoftSpan(*span) for span in predicted]
    return SoftScores(
        spearman(character_probabilities(spans, length), gold_series),
        overlap(harden(spans, threshold), gold_hard),
    )


class MarkingFloors(NamedTuple):
    """One measure of markings that take no knowledge, of one sample or as means.

    Attributes:
        nothing: Score of marking nothing.
        everything: Score of marking the whole text.
    """

    nothing: float
    everything: float


class SoftFloors(NamedTuple):
    """Floors of both soft measures on one sample.

    Attributes:
        spearman: Floors of the correlation's score.
        iou: Floors of the IoU at the threshold.
    """

    spearman: MarkingFloors
    iou: MarkingFloors


def hard_floors(gold: Iterable[tuple[int, int]], length: int) -> MarkingFloors:
    """Return the IoU of marking nothing and everything on a text of ``length`` code points."""
    spans = merge_spans(gold)
    return MarkingFloors(overlap((), spans).iou, overlap(_whole(length), spans).iou)


def soft_floors(
    gold: Iterable[tuple[int, int, float]], length: int, threshold: float = 0.5
) -> SoftFloors:
    """Return both soft measures of marking nothing and everything, as ``soft_scores`` has them.

    Everything is the whole text at probability 1.
    """
    spans = [SoftSpan(*span) for span in gold]
    everything = [(start, end, 1.0) for start, end in _whole(length)]
    none, every = (soft_scores(marked, spans, length, threshold) for marked in ((), everything))
    return SoftFloors(
        spearman=MarkingFloors(none.correlation.score, every.correlation.score),
        iou=MarkingFloors(none.overlap.iou, every.overlap.iou),
    )


def mean_floors(floors: Iterable[MarkingFloors]) -> MarkingFloors:
    """Return the means over samples; NaN when there are none."""
    parts = list(floors)
    return MarkingFloors(
        nothing=mean(part.nothing for part in parts),
        everything=mean(part.everything for part in parts),
    )


def _whole(length: int) -> tuple[Span, ...]:
    return (Span(0, length),) if length else ()


def _characters(spans: tuple[Span, ...]) -> int:
    return sum(span.end - span.start for span in spans)


def _common(left: tuple[Span, ...], right: tuple[Span, ...]) -> int:
    """Count the characters in both of two disjoint sorted unions, in one pass over both."""
    total = i = j = 0
    while i < len(left) and j < len(right):
        a, b = left[i], right[j]
        total += max(0, min(a.end, b.end) - max(a.start, b.start))
        if a.end <= b.end:
            i += 1
        else:
            j += 1
    return total
