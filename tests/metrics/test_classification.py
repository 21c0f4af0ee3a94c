from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from eve_inspect.metrics import BinaryPair, BinaryScores, binary_floors, binary_scores

Cases = Mapping[str, dict[str, Any]]
PAIRS = st.lists(st.builds(BinaryPair, st.booleans(), st.none() | st.booleans()))


def scores_of(pairs: list[list[int | None]]) -> BinaryScores:
    """Scores of pairs as the cases write them: 1, 0 or null."""
    return binary_scores(
        (bool(gold), None if predicted is None else bool(predicted)) for gold, predicted in pairs
    )


def test_unread_replies_hide_in_no_class(cases: Cases) -> None:
    hb023 = cases["hb-023"]
    expected = hb023["expected"]
    scores = scores_of(hb023["input"]["pairs_gold_pred"])
    for name in ("accuracy", "precision", "recall", "f1"):
        assert getattr(scores, name) == pytest.approx(expected[name], abs=1e-6), name
    assert scores.unread == expected["n_unparsed"]
    assert scores == BinaryScores(tp=1, fp=1, tn=1, fn=1, unread_positive=1, unread_negative=1)
    assert scores.undefined == {}


def test_nothing_predicted_positive(cases: Cases) -> None:
    hb024 = cases["hb-024"]
    expected = hb024["expected"]
    scores = scores_of(hb024["input"]["pairs_gold_pred"])
    assert math.isnan(scores.precision)
    assert scores.undefined == {"precision": expected["warn"]}
    assert scores.accuracy == pytest.approx(expected["accuracy"], abs=1e-6)
    assert (scores.recall, scores.f1) == (expected["recall"], expected["f1"])


def test_f1_is_of_the_whole_set(cases: Cases) -> None:
    hb025 = cases["hb-025"]
    first, second = hb025["input"]["batches"]
    assert scores_of(first + second).f1 == hb025["expected"]["f1"]
    assert (scores_of(first).f1 + scores_of(second).f1) / 2 == hb025["expected"]["not"]


@pytest.mark.parametrize(
    ("pairs", "undefined"),
    [
        pytest.param(
            [],
            dict.fromkeys(("accuracy", "precision", "recall", "f1", "coverage"), "no_samples"),
            id="no samples",
        ),
        pytest.param(
            [(False, False)],
            {
                "precision": "no_positive_predictions",
                "recall": "no_positive_gold",
                "f1": "no_positive_gold",
            },
            id="only true negatives",
        ),
        pytest.param([(False, True)], {"recall": "no_positive_gold"}, id="only false alarms"),
        pytest.param([(True, None)], {"precision": "no_positive_predictions"}, id="only unread"),
        pytest.param([(True, True)], {}, id="all right"),
    ],
)
def test_reasons_name_exactly_the_nan_figures(
    pairs: list[tuple[bool, bool | None]], undefined: dict[str, str]
) -> None:
    scores = binary_scores(pairs)
    names = ("accuracy", "precision", "recall", "f1", "coverage")
    assert {name for name in names if math.isnan(getattr(scores, name))} == set(undefined)
    assert scores.undefined == undefined


@given(PAIRS)
def test_figures_are_those_of_the_definition(pairs: list[BinaryPair]) -> None:
    assume(pairs)
    scores = binary_scores(pairs)
    right = sum(pair.gold is pair.predicted for pair in pairs)
    assert scores.accuracy == right / len(pairs)
    assert scores.total == len(pairs)
    assert scores.coverage == sum(pair.predicted is not None for pair in pairs) / len(pairs)
    if not {"precision", "recall"} & set(scores.undefined) and scores.tp:
        harmonic = 2 / (1 / scores.precision + 1 / scores.recall)
        assert scores.f1 == pytest.approx(harmonic)


@given(PAIRS)
def test_an_unread_positive_counts_as_a_miss(pairs: list[BinaryPair]) -> None:
    missed = [
        pair._replace(predicted=False) if pair.gold and pair.predicted is None else pair
        for pair in pairs
    ]
    before, after = binary_scores(pairs), binary_scores(missed)
    for name in ("accuracy", "precision", "recall", "f1"):
        assert getattr(before, name) == pytest.approx(getattr(after, name), nan_ok=True), name


@given(PAIRS)
def test_reading_a_negative_as_no_only_helps_accuracy(pairs: list[BinaryPair]) -> None:
    unread = binary_scores([*pairs, BinaryPair(False, None)])
    read = binary_scores([*pairs, BinaryPair(False, False)])
    assert read.accuracy > unread.accuracy
    for name in ("precision", "recall", "f1"):
        assert getattr(read, name) == pytest.approx(getattr(unread, name), nan_ok=True), name


@pytest.mark.parametrize(
    ("positive", "total", "accuracy", "best", "yes_f1", "random_f1"),
    [
        pytest.param(2, 4, 0.5, 0.5, 2 / 3, 0.5, id="balanced"),
        pytest.param(3, 4, 0.75, 0.75, 6 / 7, 0.6, id="mostly positive"),
        pytest.param(1, 4, 0.25, 0.75, 0.4, 1 / 3, id="mostly negative"),
        pytest.param(0, 4, 0.0, 1.0, 0.0, 0.0, id="none positive"),
        pytest.param(4, 4, 1.0, 1.0, 1.0, 2 / 3, id="all positive"),
    ],
)
def test_floors(
    positive: int, total: int, accuracy: float, best: float, yes_f1: float, random_f1: float
) -> None:
    floors = binary_floors(positive, total)
    assert floors.always_yes_accuracy == accuracy
    assert floors.best_constant_accuracy == best
    assert floors.always_yes_f1 == pytest.approx(yes_f1)
    assert floors.random_accuracy == 0.5
    assert floors.random_f1 == pytest.approx(random_f1)


@given(golds=st.lists(st.booleans(), min_size=1))
def test_floors_are_the_scores_of_the_answers_they_name(golds: list[bool]) -> None:
    floors = binary_floors(sum(golds), len(golds))
    yes = binary_scores((gold, True) for gold in golds)
    no = binary_scores((gold, False) for gold in golds)
    assert floors.always_yes_accuracy == yes.accuracy
    assert floors.best_constant_accuracy == pytest.approx(max(yes.accuracy, no.accuracy))
    assert floors.always_yes_f1 == pytest.approx(yes.f1)
    # Every sample once answered yes and once no has exactly the expected counts, doubled.
    coin = binary_scores((gold, answer) for gold in golds for answer in (True, False))
    assert floors.random_f1 == pytest.approx(coin.f1)
    assert floors.random_accuracy == coin.accuracy


def test_floors_of_nothing_are_nan() -> None:
    floors = binary_floors(0, 0)
    assert math.isnan(floors.always_yes_accuracy)
    assert math.isnan(floors.best_constant_accuracy)
    assert math.isnan(floors.always_yes_f1)
    assert math.isnan(floors.random_accuracy)
    assert math.isnan(floors.random_f1)


@pytest.mark.parametrize(("positive", "total"), [(3, 2), (-1, 2)])
def test_floors_reject_impossible_counts(positive: int, total: int) -> None:
    with pytest.raises(ValueError, match=f"positive={positive}"):
        binary_floors(positive, total)
