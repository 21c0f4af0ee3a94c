"""Character spans: clipping, merging, probabilities per character.

Offsets are code points into the stored text, end exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple


class Span(NamedTuple):
    """A marked stretch of text.

    Attributes:
        start: Offset of the first character, in code points.
        end: Offset after the last character.
    """

    start: int
    end: int


class SoftSpan(NamedTuple):
    """A stretch of text marked with a probability.

    Attributes:
        start: Offset of the first character, in code points.
        end: Offset after the last character.
        prob: Probability that the stretch is hallucinated, 0..1.
    """

    start: int
    end: int
    prob: float


class ClippedSpans(NamedTuple):
    """Predicted spans made to fit a text.

    Attributes:
        spans: What is left, in the given order.
        clipped: Spans that reached out of the text on either side and were cut.
        dropped: Spans without a character in the text: empty, reversed, or wholly outside.
    """

    spans: tuple[Span, ...]
    clipped: int
    dropped: int


class ClippedSoftSpans(NamedTuple):
    """Predicted soft spans made to fit a text.

    Attributes:
        spans: What is left, in the given order.
        clipped: Spans that reached out of the text on either side and were cut.
        dropped: Spans without a character in the text: empty, reversed, or wholly outside.
        bad_probability: Spans dropped because their probability is not in 0..1. It is never
            rescaled: 85 may be a percentage or a slip.
    """

    spans: tuple[SoftSpan, ...]
    clipped: int
    dropped: int
    bad_probability: int


def clip_spans(spans: Iterable[tuple[int, int]], length: int) -> ClippedSpans:
    """Make predicted spans fit a text of ``length`` code points, and count what that took.

    Negative offsets lie before the text; they never count from its end. Each span is counted once
    at most.
    """
    soft = clip_soft_spans(((start, end, 1.0) for start, end in spans), length)
    return ClippedSpans(
        tuple(Span(span.start, span.end) for span in soft.spans), soft.clipped, soft.dropped
    )


def clip_soft_spans(spans: Iterable[tuple[int, int, float]], length: int) -> ClippedSoftSpans:
    """Make predicted soft spans fit a text of ``length`` code points, and count what that took.

    As ``clip_spans``; a span whose probability is not in 0..1 is dropped and counted apart.
    """
    kept: list[SoftSpan] = []
    clipped = dropped = bad_probability = 0
    for start, end, prob in spans:
        inside = SoftSpan(max(start, 0), min(end, length), prob)
        if inside.start >= inside.end:
            dropped += 1
        elif not 0 <= prob <= 1:
            bad_probability += 1
        else:
            clipped += inside != (start, end, prob)
            kept.append(inside)
    return ClippedSoftSpans(tuple(kept), clipped, dropped, bad_probability)


def merge_spans(spans: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Return the union of spans: sorted, disjoint, touching ones joined.

    Raises:
        ValueError: A span is empty, reversed or starts before the text.
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        _check(start, end)
        if merged and start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Span(start, end))
    return tuple(merged)


def harden(soft: Iterable[tuple[int, int, float]], threshold: float = 0.5) -> tuple[Span, ...]:
    """Return the characters whose probability is strictly greater than a threshold, as spans.

    Overlapping spans count with their greatest probability, so that a character is in when any
    span over it is above the threshold.

    Raises:
        ValueError: A span above the threshold is empty, reversed or starts before the text.
    """
    return merge_spans((start, end) for start, end, prob in soft if prob > threshold)


def character_probabilities(soft: Iterable[tuple[int, int, float]], length: int) -> list[float]:
    """Return the probability of each character: the greatest over the spans that cover it, else 0.

    The order of the spans has no say. (The reference scorer of SemEval-2025 task 3, Mu-SHROOM, lets
    the last of several overlapping spans win.)

    Args:
        soft: Spans in the text, in any order.
        length: Length of the text in code points.

    Raises:
        ValueError: A span is empty, reversed or not in the text, or its probability not in 0..1.
    """
    probabilities = [0.0] * length
    # Painted from weak to strong, so that the strongest is on top.
    for span in sorted((SoftSpan(*span) for span in soft), key=attrgetter("prob")):
        _check(span.start, span.end, length)
        if not 0 <= span.prob <= 1:
            raise ValueError(f"span {tuple(span)!r}: its probability is not in 0..1")
        probabilities[span.start : span.end] = [span.prob] * (span.end - span.start)
    return probabilities


def _check(start: int, end: int, length: int | None = None) -> None:
    if not 0 <= start < end or (length is not None and end > length):
        limit = "the text" if length is None else f"the text's {length} characters"
        raise ValueError(
            f"span {(start, end)!r} is empty, reversed or outside {limit}: "
            "clip predicted spans first, correct gold ones"
        )
