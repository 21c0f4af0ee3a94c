"""Two models' answers to the same questions are found, and nothing else is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from eve_inspect import EveInspectError
from eve_inspect.answers import Reading
from eve_inspect.scorers._answer_sets import AnswerSet, RecordedAnswer
from eve_inspect.scorers._pairs import Pairs, pair_answers

Row = tuple[str, str, str]


def answer(key: str, question: str, reference: str, epoch: int = 1) -> RecordedAnswer:
    """Return an answer whose text names where it is from."""
    text = f"{key}/{epoch}"
    return RecordedAnswer(key, epoch, question, reference, "", Reading(text, "answered"))


def answers(rows: Sequence[Row], epochs: int = 1, *, ids: bool = True) -> AnswerSet:
    """Return a set of answers."""
    found = tuple(answer(*row, epoch) for epoch in range(1, epochs + 1) for row in rows)
    return AnswerSet("m", "m.eval", "0" * 16, None, None, None, found, has_ids=ids)


def texts(found: Pairs) -> list[tuple[str | None, str | None]]:
    """Return the texts of the pairs."""
    return [(pair.model.reading.answer, pair.baseline.reading.answer) for pair in found.pairs]


ROWS: list[Row] = [("a", "A?", "Ra"), ("b", "B?", "Rb"), ("c", "C?", "Rc")]


def test_ids_join_in_the_order_of_the_model() -> None:
    found = pair_answers(answers(ROWS), answers(ROWS[::-1]))
    assert texts(found) == [(f"{key}/1", f"{key}/1") for key in "abc"]
    assert [pair.id for pair in found.pairs] == ["a", "b", "c"]
    assert [pair.question_id for pair in found.pairs] == ["a", "b", "c"]
    assert (found.only_model, found.only_baseline) == ((), ())


def test_epochs_meet_the_same_epoch_and_share_a_question() -> None:
    found = pair_answers(answers(ROWS[:2], 2), answers(ROWS[:2], 2))
    assert [pair.id for pair in found.pairs] == ["a#1", "b#1", "a#2", "b#2"]
    assert [pair.question_id for pair in found.pairs] == ["a", "b"] * 2
    assert all(one == two for one, two in texts(found))


@pytest.mark.parametrize("ids", [True, False])
def test_a_single_epoch_meets_every_epoch_of_the_other(ids: bool) -> None:
    one, two = answers(ROWS[:1], ids=ids), answers(ROWS[:1], 2)
    assert texts(pair_answers(one, two)) == [("a/1", "a/1"), ("a/1", "a/2")]
    assert texts(pair_answers(two, one)) == [("a/1", "a/1"), ("a/2", "a/1")]
    assert [pair.epoch for pair in pair_answers(one, two).pairs] == [1, 2]


def test_an_epoch_that_only_one_side_has_is_listed() -> None:
    short = answers(ROWS[:1], 2)
    found = pair_answers(answers(ROWS[:1], 3), short, unpaired="skip")
    assert found.only_model == ("a#3",)
    with pytest.raises(EveInspectError, match=r"1 \(a#3\) only in model_a, 0 only in model_b"):
        pair_answers(answers(ROWS[:1], 3), short)


def test_what_is_on_one_side_only_is_an_error_or_listed() -> None:
    more = [(f"m{n}", f"M{n}?", "R") for n in range(5)]
    one, two = answers([*ROWS, *more]), answers([*ROWS[1:], ("z", "Z?", "Rz")])
    message = r"6 \(a, m0, m1, ...\) only in model_a, 1 \(z\) only in model_b.*unpaired=skip"
    with pytest.raises(EveInspectError, match=message):
        pair_answers(one, two)
    found = pair_answers(one, two, unpaired="skip")
    assert texts(found) == [("b/1", "b/1"), ("c/1", "c/1")]
    assert found.only_model == ("a", "m0", "m1", "m2", "m3", "m4")
    assert found.only_baseline == ("z",)


def test_nothing_in_common_is_an_error_whatever_is_allowed() -> None:
    with pytest.raises(EveInspectError, match=r"nothing in common: 1 \(a\) on one side, 1 \(b\)"):
        pair_answers(answers(ROWS[:1]), answers(ROWS[1:2]), unpaired="skip", force=True)


@pytest.mark.parametrize(("one", "two"), [(True, False), (False, True), (False, False)])
def test_without_ids_questions_join_with_white_space_folded(one: bool, two: bool) -> None:
    others = [("x", " B \n ?", "Rb"), ("y", "A?", "Ra")]
    mine = [("a", "A?", "Ra"), ("b", "B ?", "Rb")]
    found = pair_answers(answers(mine, ids=one), answers(others, ids=two))
    assert texts(found) == [("a/1", "y/1"), ("b/1", "x/1")]


REPEATS: dict[str, tuple[list[str], list[str], list[tuple[str, str]]]] = {
    "alike, in order": (["R", "R"], ["R", "R"], [("a0", "b0"), ("a1", "b1")]),
    "by reference": (["R", "S"], ["S", "R"], [("a0", "b1"), ("a1", "b0")]),
    "no references here": (["", ""], ["S", "R"], [("a0", "b0"), ("a1", "b1")]),
}


@pytest.mark.parametrize(("mine", "others", "expected"), REPEATS.values(), ids=REPEATS)
def test_a_question_that_repeats(
    mine: list[str], others: list[str], expected: list[tuple[str, str]]
) -> None:
    one, two = (
        answers([(f"{side}{n}", "Q?", text) for n, text in enumerate(references)], ids=False)
        for side, references in (("a", mine), ("b", others))
    )
    found = texts(pair_answers(one, two))
    assert found == [(f"{first}/1", f"{second}/1") for first, second in expected]


def test_alike_rows_are_one_question() -> None:
    rows = [("a", "Q?", "R"), ("a-2", "Q?", "R"), ("b", "Q?", "S")]
    found = pair_answers(answers(rows), answers(rows))
    assert [pair.question_id for pair in found.pairs] == ["a", "a", "b"]


def test_a_question_that_does_not_repeat_as_often_is_an_error() -> None:
    two = answers([("a", "Q?", "R"), ("b", "Q?", "R")], ids=False)
    with pytest.raises(EveInspectError, match="question 'Q\\?' is 2 times in model_a and 1 times"):
        pair_answers(two, answers([("c", "Q?", "R")]), unpaired="skip", force=True)


def test_references_must_agree() -> None:
    one, two = answers([("a", "Q?", "Ten  days.")]), answers([("a", "Q?", "Ten days. ")])
    assert len(pair_answers(one, two).pairs) == 1
    other = answers([("a", "Q?", "Five days.")])
    with pytest.raises(EveInspectError, match=r"sample 'a' has the references 'Ten days.' in"):
        pair_answers(one, other)
    (pair,) = pair_answers(one, other, force=True).pairs
    assert pair.baseline.reference == pair.model.reference == "Ten  days."


def test_a_reference_or_documents_of_one_side_hold_for_both() -> None:
    one, two = answers([("a", "Q?", "")]), answers([("a", "Q?", "R")])
    documented = replace(two, answers=(replace(two.answers[0], context="Document 1:\nD"),))
    for first, second in ((one, documented), (documented, one)):
        (pair,) = pair_answers(first, second).pairs
        assert pair.model.reference == pair.baseline.reference == "R"
        assert pair.model.context == pair.baseline.context == "Document 1:\nD"
    with pytest.raises(EveInspectError, match="sample 'a' has no reference on either side"):
        pair_answers(one, one)
    assert len(pair_answers(one, one, force=True).pairs) == 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda one, value: replace(one, task=value), "tasks"),
        (lambda one, value: replace(one, fingerprint=value), "datasets"),
        (lambda one, value: replace(one, prompt=value), "prompts"),
    ],
    ids=["task", "fingerprint", "prompt"],
)
def test_logs_of_other_conditions_are_refused_unless_forced(
    change: Callable[[AnswerSet, str], AnswerSet], what: str
) -> None:
    one, two = (change(answers(ROWS), value) for value in ("this", "that"))
    with pytest.raises(EveInspectError, match=f"different {what}.*'this' and 'that'.*force=true"):
        pair_answers(one, two)
    assert len(pair_answers(one, two, force=True).pairs) == 3
    assert len(pair_answers(one, answers(ROWS)).pairs) == 3


def test_a_choice_that_is_not_offered() -> None:
    with pytest.raises(EveInspectError, match="unpaired='drop' is not offered"):
        pair_answers(answers(ROWS), answers(ROWS), unpaired="drop")  # type: ignore[arg-type]


def test_thousands_of_rows_join_by_question() -> None:
    rows = [(f"i{n}", f"Q{n % 1500}?", f"R{n}") for n in range(3000)]
    found = pair_answers(answers(rows, ids=False), answers(rows[::-1], ids=False))
    assert all(one == two for one, two in texts(found))
    assert len(found.pairs) == 3000


def test_an_id_that_names_two_questions_is_told() -> None:
    other: list[Row] = [("a", "B?", "Ra"), ("b", "A?", "Rb")]
    with pytest.raises(EveInspectError, match=r"'a' is the question 'A\?' in model_a and 'B\?'"):
        pair_answers(answers(ROWS[:2]), answers(other))
    assert len(pair_answers(answers(ROWS[:2]), answers(other), force=True).pairs) == 2
