from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.metrics import (
    SoftSpan,
    Span,
    character_probabilities,
    clip_soft_spans,
    clip_spans,
    harden,
    merge_spans,
)

LENGTH = 30
OFFSETS = st.integers(-10, LENGTH + 10)
ANY_SPANS = st.lists(st.tuples(OFFSETS, OFFSETS))
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH)).filter(lambda s: s[0] < s[1])
)
SOFT = st.lists(
    st.tuples(
        st.integers(0, LENGTH - 1), st.integers(1, LENGTH), st.sampled_from([0, 0.2, 0.5, 0.6, 1])
    ).filter(lambda s: s[0] < s[1])
)


def characters(spans: list[tuple[int, int]]) -> set[int]:
    """The characters that spans cover, one by one."""
    return {i for start, end in spans for i in range(start, end)}


@pytest.mark.parametrize("identifier", ["hs-020", "hs-021"])
def test_harden_golden(identifier: str, cases: Mapping[str, dict[str, Any]]) -> None:
    entry = cases[identifier]
    hard = harden([tuple(s) for s in entry["input"]["soft"]], entry["input"]["threshold"])
    assert [list(span) for span in hard] == entry["expected"]["hard"]


@pytest.mark.parametrize("identifier", ["hs-006", "hs-007"])
def test_clip_golden(identifier: str, cases: Mapping[str, dict[str, Any]]) -> None:
    entry = cases[identifier]
    result = clip_spans(
        [tuple(s) for s in entry["input"]["pred_hard"]], len(entry["input"]["text"])
    )
    expected = entry["expected"]
    assert result.clipped == expected.get("n_clipped", 0)
    assert result.dropped == expected.get("n_dropped", 0)
    assert len(result.spans) == len(entry["input"]["pred_hard"]) - result.dropped


def test_a_percentage_is_dropped_and_counted(cases: Mapping[str, dict[str, Any]]) -> None:
    hs032 = cases["hs-032"]["input"]
    soft = [tuple(span) for span in hs032["gold_soft"]]
    result = clip_soft_spans(soft, hs032["text_len"])
    assert result == ((), 0, 0, 1)
    with pytest.raises(ValueError, match="probability"):
        character_probabilities(soft, hs032["text_len"])


@pytest.mark.parametrize(
    ("span", "kept", "clipped", "dropped"),
    [
        pytest.param((0, 10), (0, 10), 0, 0, id="whole text"),
        pytest.param((-3, 2), (0, 2), 1, 0, id="starts before"),
        pytest.param((8, 11), (8, 10), 1, 0, id="ends after"),
        pytest.param((-3, 99), (0, 10), 1, 0, id="beyond both ends counts once"),
        pytest.param((5, 5), None, 0, 1, id="empty"),
        pytest.param((7, 3), None, 0, 1, id="reversed"),
        pytest.param((-5, -2), None, 0, 1, id="wholly before"),
        pytest.param((-2, 0), None, 0, 1, id="touches the start"),
        pytest.param((10, 12), None, 0, 1, id="touches the end"),
        pytest.param((50, 60), None, 0, 1, id="wholly after"),
        pytest.param((12, 5), None, 0, 1, id="reversed and outside"),
    ],
)
def test_clip_hand_worked(
    span: tuple[int, int], kept: tuple[int, int] | None, clipped: int, dropped: int
) -> None:
    spans = () if kept is None else (kept,)
    assert clip_spans([span], 10) == (spans, clipped, dropped)


@pytest.mark.parametrize("prob", [-0.1, 1.0001, 85.0, math.nan, math.inf])
def test_a_bad_probability_is_counted_apart(prob: float) -> None:
    good = SoftSpan(2, 4, 0.5)
    assert clip_soft_spans([(0, 5, prob), good], 10) == ((good,), 0, 0, 1)


@given(ANY_SPANS, st.integers(0, LENGTH))
def test_clipping_keeps_exactly_the_characters_in_the_text(
    spans: list[tuple[int, int]], length: int
) -> None:
    result = clip_spans(spans, length)
    assert characters(list(result.spans)) == characters(spans) & set(range(length))
    assert len(result.spans) + result.dropped == len(spans)
    assert clip_spans(result.spans, length) == (result.spans, 0, 0)


@given(SPANS)
def test_merging_is_the_least_disjoint_union(spans: list[tuple[int, int]]) -> None:
    merged = merge_spans(spans)
    assert characters(list(merged)) == characters(spans)
    # A gap of one character at least between neighbours.
    assert all(a.end < b.start for a, b in pairwise(merged))
    assert merge_spans(reversed(spans)) == merged


def test_touching_spans_join() -> None:
    assert merge_spans([(5, 8), (0, 5)]) == (Span(0, 8),)


@pytest.mark.parametrize("span", [(5, 5), (7, 3), (-3, 2)])
def test_merging_rejects_spans_that_should_have_been_clipped(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"clip predicted spans first"):
        merge_spans([(0, 1), span])


@given(SOFT)
def test_the_strongest_span_wins_in_any_order(soft: list[tuple[int, int, float]]) -> None:
    expected = [
        max((prob for start, end, prob in soft if start <= i < end), default=0.0)
        for i in range(LENGTH)
    ]
    assert character_probabilities(soft, LENGTH) == expected
    assert character_probabilities(reversed(soft), LENGTH) == expected


@given(SOFT, st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]))
def test_hardening_is_thresholding_the_characters(
    soft: list[tuple[int, int, float]], threshold: float
) -> None:
    above = {i for i, p in enumerate(character_probabilities(soft, LENGTH)) if p > threshold}
    hard = harden(soft, threshold)
    assert characters(list(hard)) == above
    assert merge_spans(hard) == hard


@pytest.mark.parametrize("span", [(5, 5, 0.5), (7, 3, 0.5), (-3, 2, 0.5), (8, 11, 0.5)])
def test_probabilities_reject_spans_outside_the_text(span: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match=r"outside the text's 10 characters"):
        character_probabilities([span], 10)
