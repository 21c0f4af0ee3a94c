from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from eve_inspect.metrics import (
    CharacterOverlap,
    MarkingFloors,
    clip_soft_spans,
    clip_spans,
    hard_floors,
    harden,
    mean_floors,
    overlap,
    pool,
    soft_floors,
    soft_scores,
)

Cases = Mapping[str, dict[str, Any]]
LENGTH = 30
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH)).filter(lambda s: s[0] < s[1]),
    max_size=5,
)
SOFT = st.lists(
    st.tuples(
        st.integers(0, LENGTH - 1), st.integers(1, LENGTH), st.sampled_from([0.2, 0.5, 0.6, 1])
    ).filter(lambda s: s[0] < s[1]),
    max_size=5,
)


def characters(spans: list[tuple[int, int]]) -> set[int]:
    """The characters that spans cover, one by one."""
    return {i for start, end in spans for i in range(start, end)}


@pytest.mark.parametrize(
    "identifier", ["hs-001", "hs-003", "hs-006", "hs-007", "hs-009", "hs-017", "hs-018"]
)
def test_hard_golden(identifier: str, cases: Cases) -> None:
    entry = cases[identifier]
    inputs, expected = entry["input"], entry["expected"]
    predicted = inputs.get("pred_hard", expected.get("pred_hard"))
    spans = clip_spans([tuple(span) for span in predicted], len(inputs["text"])).spans
    score = overlap(spans, [tuple(span) for span in inputs["gold_hard"]])
    assert score.iou == pytest.approx(expected["iou"], abs=1e-6)


@pytest.mark.parametrize("identifier", ["hs-001", "hs-003", "hs-006", "hs-008", "hs-025"])
def test_soft_golden(identifier: str, cases: Cases) -> None:
    inputs, expected = cases[identifier]["input"], cases[identifier]["expected"]
    length = len(inputs["text"])
    predicted = clip_soft_spans([tuple(span) for span in inputs["pred_soft"]], length)
    scores = soft_scores(predicted.spans, [tuple(span) for span in inputs["gold_soft"]], length)
    assert scores.correlation.score == pytest.approx(expected["cor"], abs=1e-6)


def test_an_unreadable_reply_is_no_empty_prediction(cases: Cases) -> None:
    hs030 = cases["hs-030"]
    gold = [tuple(span) for span in hs030["input"]["gold_hard"]]
    assert overlap(None, gold).iou == hs030["expected"]["iou"]
    assert overlap(None, gold).recall == 0
    assert (overlap(None, []).iou, overlap(None, []).f1) == (0, 0)
    assert (overlap([], []).iou, overlap([], []).f1) == (1, 1)
    soft = soft_scores(None, [], 10)
    assert (soft.correlation.score, soft.correlation.case) == (0, "unreadable")
    assert soft.overlap.iou == 0


@pytest.mark.parametrize(
    ("predicted", "gold", "iou", "precision", "recall", "f1"),
    [
        pytest.param([(0, 10)], [(0, 10)], 1, 1, 1, 1, id="the same"),
        pytest.param([(0, 4)], [(0, 10)], 0.4, 1, 0.4, 4 / 7, id="too short"),
        pytest.param([(0, 10)], [(5, 10)], 0.5, 0.5, 1, 2 / 3, id="too long"),
        pytest.param([(0, 5)], [(5, 10)], 0, 0, 0, 0, id="touching only"),
        pytest.param([], [(5, 10)], 0, math.nan, 0, 0, id="nothing predicted"),
        pytest.param([(5, 10)], [], 0, 0, math.nan, 0, id="nothing to find"),
        pytest.param([], [], 1, math.nan, math.nan, 1, id="nothing on both sides"),
        pytest.param([(0, 2), (4, 6)], [(1, 5)], 1 / 3, 0.5, 0.5, 0.5, id="two pieces"),
    ],
)
def test_hard_hand_worked(
    predicted: list[tuple[int, int]],
    gold: list[tuple[int, int]],
    iou: float,
    precision: float,
    recall: float,
    f1: float,
) -> None:
    score = overlap(predicted, gold)
    assert score.iou == pytest.approx(iou)
    assert score.precision == pytest.approx(precision, nan_ok=True)
    assert score.recall == pytest.approx(recall, nan_ok=True)
    assert score.f1 == pytest.approx(f1)


@given(SPANS, SPANS)
def test_counts_are_those_of_character_sets(
    predicted: list[tuple[int, int]], gold: list[tuple[int, int]]
) -> None:
    left, right = characters(predicted), characters(gold)
    assert overlap(predicted, gold) == CharacterOverlap(
        common=len(left & right), predicted=len(left), gold=len(right)
    )


@given(SPANS, SPANS)
def test_hard_bounds_and_symmetry(
    predicted: list[tuple[int, int]], gold: list[tuple[int, int]]
) -> None:
    score, swapped = overlap(predicted, gold), overlap(gold, predicted)
    assert score.iou == swapped.iou
    assert score.f1 == swapped.f1 == pytest.approx(2 * score.iou / (1 + score.iou))
    assert score.precision == pytest.approx(swapped.recall, nan_ok=True)
    assert 0 <= score.iou <= score.f1 <= 1


class TestPool:
    def test_hand_worked(self) -> None:
        pooled = pool([overlap([(0, 4)], [(0, 8)]), overlap([(0, 2)], [])])
        assert pooled == CharacterOverlap(common=4, predicted=6, gold=8, samples=2)
        assert pooled.precision == pytest.approx(4 / 6)
        assert pooled.recall == 0.5
        assert pooled.f1 == pytest.approx(8 / 14)

    def test_unreadable_replies_are_misses(self) -> None:
        pooled = pool([overlap([(0, 4)], [(0, 4)]), overlap(None, [(0, 4)])])
        assert (pooled.recall, pooled.precision, pooled.unread) == (0.5, 1, 1)

    def test_only_unreadable_replies_on_clean_samples_are_no_agreement(self) -> None:
        pooled = pool([overlap(None, []), overlap(None, [])])
        assert (pooled.iou, pooled.f1) == (0, 0)

    def test_clean_samples_left_clean_agree(self) -> None:
        pooled = pool([overlap([], []), overlap(None, [])])
        assert (pooled.iou, pooled.f1) == (1, 1)

    def test_no_samples_are_undefined(self) -> None:
        pooled = pool([])
        figures = (pooled.iou, pooled.precision, pooled.recall, pooled.f1)
        assert all(math.isnan(figure) for figure in figures)

    @given(st.lists(st.tuples(SPANS, SPANS), min_size=1, max_size=4))
    def test_pooling_is_scoring_the_texts_in_a_row(
        self, samples: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]
    ) -> None:
        shifted: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for place, sample in enumerate(samples):
            for side, spans in zip(shifted, sample, strict=True):
                side += [(start + place * LENGTH, end + place * LENGTH) for start, end in spans]
        joined = overlap(*shifted)
        pooled = pool(overlap(predicted, gold) for predicted, gold in samples)
        assert (pooled.iou, pooled.f1) == (joined.iou, joined.f1)


@given(SOFT, SOFT)
def test_soft_scores_are_scipy_and_hardened_sets(
    predicted: list[tuple[int, int, float]], gold: list[tuple[int, int, float]]
) -> None:
    left, right = (
        [max((p for a, b, p in soft if a <= i < b), default=0.0) for i in range(LENGTH)]
        for soft in (predicted, gold)
    )
    scores = soft_scores(predicted, gold, LENGTH)
    if scores.correlation.case == "ranked":
        assert scores.correlation.rho == pytest.approx(spearmanr(left, right).statistic, abs=1e-12)
    else:
        assert min(len(set(left)), len(set(right))) == 1
    assert scores.overlap == overlap(harden(predicted), harden(gold))


@pytest.mark.parametrize(
    ("predicted", "gold", "score"),
    [
        pytest.param([(0, 10, 0.9)], [(0, 10, 1.0)], 1, id="whole text on both sides"),
        pytest.param([(0, 5, 1.0), (5, 10, 1.0)], [(0, 10, 1.0)], 1, id="whole text in pieces"),
        pytest.param([(0, 10, 1.0)], [], 0, id="whole text marked, nothing there"),
        pytest.param([], [(0, 10, 1.0)], 0, id="nothing marked, whole text wrong"),
        pytest.param([(0, 10, 0.0)], [], 1, id="marked with probability 0 is not marked"),
    ],
)
def test_soft_conventions(
    predicted: list[tuple[int, int, float]], gold: list[tuple[int, int, float]], score: float
) -> None:
    correlation = soft_scores(predicted, gold, 10).correlation
    assert correlation.score == score
    assert math.isnan(correlation.rho)


def test_the_threshold_holds_for_both_sides() -> None:
    predicted, gold = [(0, 4, 0.5)], [(0, 4, 0.5), (4, 8, 0.9)]
    assert soft_scores(predicted, gold, 10).overlap.iou == 0
    assert soft_scores(predicted, gold, 10, threshold=0.4).overlap.iou == 0.5


class TestFloors:
    @pytest.mark.parametrize(
        ("gold", "expected"),
        [
            pytest.param([], (1, 0), id="clean"),
            pytest.param([(0, 4), (2, 5)], (0, 0.5), id="half"),
            pytest.param([(0, 10)], (0, 1), id="all"),
        ],
    )
    def test_hard(self, gold: list[tuple[int, int]], expected: tuple[float, float]) -> None:
        assert hard_floors(gold, 10) == expected

    @pytest.mark.parametrize(
        ("gold", "spearman", "iou"),
        [
            pytest.param([], (1, 0), (1, 0), id="clean"),
            pytest.param([(0, 5, 0.9)], (0, 0), (0, 0.5), id="half"),
            pytest.param([(0, 5, 0.4)], (0, 0), (1, 0), id="only below the threshold"),
            pytest.param([(0, 10, 0.8)], (0, 1), (0, 1), id="all evenly"),
            pytest.param([(0, 5, 0.8), (5, 10, 0.6)], (0, 0), (0, 1), id="all unevenly"),
        ],
    )
    def test_soft(
        self,
        gold: list[tuple[int, int, float]],
        spearman: tuple[float, float],
        iou: tuple[float, float],
    ) -> None:
        assert soft_floors(gold, 10) == (spearman, iou)

    def test_an_empty_text_has_nothing_to_mark(self) -> None:
        assert hard_floors([], 0) == (1, 1)
        assert soft_floors([], 0) == ((1, 1), (1, 1))

    def test_means(self) -> None:
        floors = [hard_floors([], 10), hard_floors([(0, 5)], 10)]
        assert mean_floors(floors) == MarkingFloors(nothing=0.5, everything=0.25)

    def test_means_of_nothing_are_nan(self) -> None:
        floors = mean_floors([])
        assert math.isnan(floors.nothing)
        assert math.isnan(floors.everything)
