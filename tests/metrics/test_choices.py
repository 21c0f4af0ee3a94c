from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain, combinations
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.metrics import (
    ChoiceItem,
    exact_match,
    iou,
    multiple_choice_floors,
    single_choice_floors,
)

Cases = Mapping[str, dict[str, Any]]
LABELS = "ABCDEFGHIJ"
LABEL_SETS = st.frozensets(st.sampled_from(LABELS))


@st.composite
def items(draw: st.DrawFn, most: int = 7) -> ChoiceItem:
    offered = draw(st.integers(2, most))
    gold = draw(st.frozensets(st.sampled_from(LABELS[:offered]), min_size=1))
    return ChoiceItem(gold, offered)


def subsets(labels: str) -> list[frozenset[str]]:
    """Every non-empty subset of the labels."""
    sizes = range(1, len(labels) + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(labels, k) for k in sizes)]


def test_golden(cases: Cases) -> None:
    scored = [
        entry
        for entry in cases.values()
        if "iou" in entry["expected"] and "exact" in entry["expected"]
    ]
    wrong = {}
    for entry in scored:
        expected, gold = entry["expected"], set(entry["input"]["gold"])
        # What was read counts, whatever the status: a reply cut after "A, C," chose A and C.
        predicted = set(expected.get("letters", entry["input"].get("pred_letters")))
        got = (exact_match(predicted, gold), round(iou(predicted, gold), 6))
        if got != (expected["exact"], expected["iou"]):
            wrong[entry["id"]] = got
    assert {"mcqm-041", "mcqm-042", "mcqm-043"} <= {entry["id"] for entry in scored}
    assert wrong == {}


@pytest.mark.parametrize(
    ("predicted", "gold", "exact", "overlap"),
    [
        pytest.param({"A"}, {"A"}, 1, 1, id="right"),
        pytest.param({"A"}, {"A", "B"}, 0, 1 / 2, id="one of two"),
        pytest.param({"A", "B", "C", "D"}, {"B"}, 0, 1 / 4, id="all ticked"),
        pytest.param({"A", "Z"}, {"A"}, 0, 1 / 2, id="a label not offered stays in the union"),
        pytest.param(set(), {"A"}, 0, 0, id="none of these"),
        pytest.param(None, {"A"}, 0, 0, id="unreadable"),
        pytest.param(None, set(), 0, 0, id="unreadable against nothing"),
        pytest.param({"10"}, {"1", "0"}, 0, 0, id="labels of two characters"),
    ],
)
def test_hand_worked(
    predicted: set[str] | None, gold: set[str], exact: float, overlap: float
) -> None:
    assert exact_match(predicted, gold) == exact
    assert iou(predicted, gold) == overlap


def test_kinds_of_sets_mix() -> None:
    assert exact_match(frozenset("A"), {"A"}) == 1
    assert exact_match({"A": 1}.keys(), frozenset("A")) == 1
    assert iou({"A": 1}.keys(), frozenset("AB")) == 0.5


@given(LABEL_SETS, LABEL_SETS)
def test_bounds_and_symmetry(left: frozenset[str], right: frozenset[str]) -> None:
    assert exact_match(left, right) == exact_match(right, left) == (left == right)
    assert iou(left, right) == iou(right, left)
    assert exact_match(left, right) <= iou(left, right) <= 1
    assert iou(left, left) == 1


class TestSingleChoiceFloors:
    def test_hand_worked(self) -> None:
        floors = single_choice_floors(
            [ChoiceItem({"B"}, 4), ChoiceItem({"B"}, 4), ChoiceItem({"A"}, 2), ChoiceItem({"E"}, 5)]
        )
        assert floors.best_constant == 0.5
        assert floors.constant_answer == "B"
        assert floors.random_guess == pytest.approx((0.25 + 0.25 + 0.5 + 0.2) / 4)

    def test_a_tie_goes_to_the_first_label(self) -> None:
        floors = single_choice_floors([ChoiceItem({"C"}, 4), ChoiceItem({"A"}, 4)])
        assert floors.constant_answer == "A"

    def test_no_items(self) -> None:
        floors = single_choice_floors([])
        assert math.isnan(floors.best_constant)
        assert math.isnan(floors.random_guess)
        assert floors.constant_answer == ""

    @pytest.mark.parametrize(
        ("item", "message"),
        [
            pytest.param(ChoiceItem({"A", "B"}, 4), r"\['A', 'B'\]: a single", id="two labels"),
            pytest.param(ChoiceItem(set(), 4), r"gold=\[\]", id="no label"),
            pytest.param(ChoiceItem({"A"}, 0), "options=0", id="no options"),
        ],
    )
    def test_rejects(self, item: ChoiceItem, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            single_choice_floors([item])


class TestMultipleChoiceFloors:
    def test_hand_worked(self) -> None:
        floors = multiple_choice_floors([ChoiceItem({"A"}, 2), ChoiceItem({"A", "B"}, 2)])
        # Three non-empty subsets each: A, B, AB.
        assert floors.exact_match.random_guess == pytest.approx(1 / 3)
        assert floors.iou.random_guess == pytest.approx(
            fmean([(1 + 0 + 1 / 2) / 3, (1 / 2 + 1 / 2 + 1) / 3])
        )
        assert floors.exact_match.all_options == 0.5
        assert floors.iou.all_options == 0.75
        # A and AB tie in both measures: the smaller one is named.
        assert floors.exact_match.constant_answer == ("A",)
        assert floors.exact_match.best_constant == 0.5
        assert floors.iou.constant_answer == ("A",)
        assert floors.iou.best_constant == 0.75

    def test_the_best_constant_need_not_be_a_gold_set(self) -> None:
        golds = [{"A", "B"}, {"B", "C"}, {"A", "C"}]
        floors = multiple_choice_floors([ChoiceItem(gold, 4) for gold in golds])
        assert floors.iou.constant_answer == ("A", "B", "C")
        assert floors.iou.best_constant == pytest.approx(2 / 3)
        assert floors.exact_match.best_constant == pytest.approx(1 / 3)

    def test_seven_labels_are_still_searched_in_full(self) -> None:
        ring = [{LABELS[i], LABELS[(i + 1) % 7]} for i in range(7)]
        floors = multiple_choice_floors([ChoiceItem(gold, 7) for gold in ring])
        assert floors.iou.constant_answer == tuple("ABCDEFG")
        assert floors.iou.best_constant == pytest.approx(2 / 7)

    def test_a_gold_set_that_is_empty_is_a_candidate(self) -> None:
        floors = multiple_choice_floors([ChoiceItem(set(), 3), ChoiceItem(set(), 3)])
        assert floors.exact_match.constant_answer == ()
        assert floors.exact_match.best_constant == 1
        assert floors.iou.best_constant == 1
        assert floors.exact_match.random_guess == 0
        assert floors.iou.random_guess == 0

    def test_more_than_seven_labels_fall_back_on_gold_sets_and_single_labels(self) -> None:
        golds = [{label} for label in LABELS] + [{"A", "B"}, {"A", "B"}]
        floors = multiple_choice_floors([ChoiceItem(gold, 10) for gold in golds])
        assert floors.exact_match.constant_answer == ("A", "B")
        assert floors.exact_match.best_constant == pytest.approx(2 / 12)
        assert floors.iou.constant_answer == ("A", "B")
        assert floors.iou.best_constant == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 12)

    @given(st.lists(items(), min_size=1, max_size=6))
    def test_agrees_with_enumeration(self, drawn: list[ChoiceItem]) -> None:
        floors = multiple_choice_floors(drawn)
        for score, got in ((exact_match, floors.exact_match), (iou, floors.iou)):
            constants = {s: fmean(score(s, i.gold) for i in drawn) for s in subsets(LABELS[:7])}
            assert got.best_constant == pytest.approx(max(constants.values()))
            named = constants[frozenset(got.constant_answer)]
            assert named == pytest.approx(max(constants.values()))
            assert got.random_guess == pytest.approx(
                fmean(fmean(score(s, i.gold) for s in subsets(LABELS[: i.options])) for i in drawn)
            )
            assert got.all_options == pytest.approx(
                fmean(score(set(LABELS[: i.options]), i.gold) for i in drawn)
            )

    @given(st.lists(items(most=10), min_size=1, max_size=6), st.data())
    def test_order_is_free(self, drawn: list[ChoiceItem], data: st.DataObject) -> None:
        shuffled = data.draw(st.permutations(drawn))
        assert multiple_choice_floors(drawn) == multiple_choice_floors(shuffled)

    def test_no_items(self) -> None:
        floors = multiple_choice_floors([])
        for measure in (floors.exact_match, floors.iou):
            assert math.isnan(measure.best_constant)
            assert math.isnan(measure.random_guess)
            assert math.isnan(measure.all_options)
            assert measure.constant_answer == ()

    def test_rejects_more_gold_labels_than_options(self) -> None:
        with pytest.raises(ValueError, match=r"gold=\['A', 'B', 'C'\] with options=2"):
            multiple_choice_floors([ChoiceItem({"A", "B", "C"}, 2)])
