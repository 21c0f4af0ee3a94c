"""Two models' answers to the same questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers._answer_sets import AnswerSet, RecordedAnswer, fold

Unpaired = Literal["error", "skip"]
"""What becomes of answers to questions that the other side was not asked."""

_SHOWN = 3
_LENGTH = 80
_FORCE = "compare them all the same with force=true"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers to a question.

    Attributes:
        id: Names the pair: the sample's id, with ``#<epoch>`` when several epochs are taken.
        question_id: Names the question: pairs that share it are no independent evidence.
        epoch: The epoch, from 1.
        model: The model's answer.
        baseline: The baseline's answer.
    """

    id: str
    question_id: str
    epoch: int
    model: RecordedAnswer
    baseline: RecordedAnswer


@dataclass(frozen=True, slots=True)
class Pairs:
    """What two sets have in common, and what not.

    Attributes:
        model: The model's set.
        baseline: The baseline's set.
        pairs: The pairs, in the order of the model's set.
        only_model: Ids that only the model's set has, with ``#<epoch>`` as above.
        only_baseline: Ids that only the baseline's set has, likewise.
    """

    model: AnswerSet
    baseline: AnswerSet
    pairs: tuple[Pair, ...]
    only_model: tuple[str, ...]
    only_baseline: tuple[str, ...]


def pair_answers(
    model: AnswerSet,
    baseline: AnswerSet,
    *,
    unpaired: Unpaired = "error",
    force: bool = False,
) -> Pairs:
    """Find the answers of two sets to the same questions.

    They are joined on the sample's id and epoch. If either set has no ids of its own, they are
    joined on the question, white space folded: questions that repeat are told apart by their
    reference, and then taken in order. Answers of a single epoch meet all epochs of the other set.

    A reference or documents that only one side recorded hold for the pair.

    Args:
        model: The model's answers.
        baseline: The baseline's answers.
        unpaired: ``error`` stops when an answer has no counterpart, ``skip`` leaves it out.
        force: Pair answers of different tasks, data or prompts, and of different references (the
            model's is taken) or none, all the same.

    Raises:
        EveInspectError: Sets that do not belong together, or have nothing in common; a question
            that repeats, but not as often on both sides; references that differ or are absent.
    """
    if unpaired not in get_args(Unpaired):
        raise EveInspectError(f"unpaired={unpaired!r} is not offered: use 'error' or 'skip'.")
    if not isinstance(force, bool):
        raise EveInspectError(f"force={force!r} is not offered: use true or false.")
    if not force:
        _check_alike(model, baseline)
    found = _join(model, baseline)
    several = any(one.epoch > 1 for side in (model, baseline) for one in side.answers)
    only = (
        _alone(model, [one for one, _ in found], several=several),
        _alone(baseline, [two for _, two in found], several=several),
    )
    if not found:
        raise EveInspectError(
            f"{_both(model, baseline)} have nothing in common: {_ids(model)} on one side, "
            f"{_ids(baseline)} on the other. Name answers to the same questions."
        )
    if any(only) and unpaired == "error":
        raise EveInspectError(
            f"{_both(model, baseline)} do not answer the same questions: "
            f"{_count(only[0])} only in model_a, {_count(only[1])} only in model_b. Leave them "
            "out with unpaired=skip, or name complete answers."
        )
    return Pairs(model, baseline, _pairs(found, several=several, force=force), *only)


def _check_alike(model: AnswerSet, baseline: AnswerSet) -> None:
    compared = (
        ("tasks", model.task, baseline.task),
        ("datasets (fingerprints)", model.fingerprint, baseline.fingerprint),
        ("prompts", model.prompt, baseline.prompt),
    )
    for what, first, second in compared:
        if first is not None and second is not None and first != second:
            raise EveInspectError(
                f"{_both(model, baseline)} are of different {what}, {first!r} and {second!r}: "
                f"{_FORCE}, or name answers that were given under the same conditions."
            )


def _join(model: AnswerSet, baseline: AnswerSet) -> list[tuple[RecordedAnswer, RecordedAnswer]]:
    """Return the pairs, in the order of the model's answers."""
    by_id = model.has_ids and baseline.has_ids
    join = _by_id if by_id else _by_question
    own, others = (_by_epoch(side) for side in (model, baseline))
    places = {(one.id, one.epoch): place for place, one in enumerate(model.answers)}
    found = [
        pair
        for first, answers in own.items()
        for second, counterparts in others.items()
        if first == second or len(own) == 1 or len(others) == 1
        for pair in join(answers, counterparts)
    ]
    return sorted(found, key=lambda pair: places[pair[0].id, pair[0].epoch])


def _by_epoch(side: AnswerSet) -> dict[int, list[RecordedAnswer]]:
    found: defaultdict[int, list[RecordedAnswer]] = defaultdict(list)
    for one in side.answers:
        found[one.epoch].append(one)
    return dict(found)


def _by_id(
    answers: Sequence[RecordedAnswer], counterparts: Sequence[RecordedAnswer]
) -> Iterator[tuple[RecordedAnswer, RecordedAnswer]]:
    known = {one.id: one for one in counterparts}
    return ((one, known[one.id]) for one in answers if one.id in known)


def _by_question(
    answers: Sequence[RecordedAnswer], counterparts: Sequence[RecordedAnswer]
) -> Iterator[tuple[RecordedAnswer, RecordedAnswer]]:
    own, others = (_grouped(side, "question") for side in (answers, counterparts))
    for question in (text for text in own if text in others):
        yield from _repeated(own[question], others[question])


def _repeated(
    own: Sequence[RecordedAnswer], others: Sequence[RecordedAnswer]
) -> Iterator[tuple[RecordedAnswer, RecordedAnswer]]:
    """Pair the answers to one question: by reference where both sides have those, and in order."""
    if len(own) > 1 or len(others) > 1:
        first, second = (_grouped(side, "reference") for side in (own, others))
        shared = [text for text in first if text in second]
        if shared and "" not in first and "" not in second:
            for reference in shared:
                yield from _in_order(first[reference], second[reference])
            return
    yield from _in_order(own, others)


def _in_order(
    own: Sequence[RecordedAnswer], others: Sequence[RecordedAnswer]
) -> Iterator[tuple[RecordedAnswer, RecordedAnswer]]:
    if len(own) != len(others):
        raise EveInspectError(
            f"the question {_short(own[0].question)} is {len(own)} times in model_a and "
            f"{len(others)} times in model_b, so that nobody can tell which answers belong "
            "together: give both sides a column with ids, or take the repeats out."
        )
    return zip(own, others, strict=True)


def _grouped(
    answers: Iterable[RecordedAnswer], field: Literal["question", "reference"]
) -> dict[str, list[RecordedAnswer]]:
    found: defaultdict[str, list[RecordedAnswer]] = defaultdict(list)
    for one in answers:
        found[fold(one.question if field == "question" else one.reference)].append(one)
    return dict(found)


def _pairs(
    found: Iterable[tuple[RecordedAnswer, RecordedAnswer]], *, several: bool, force: bool
) -> tuple[Pair, ...]:
    questions: dict[tuple[str, str, str], str] = {}
    pairs = []
    for one, two in found:
        model, baseline = _completed(one, two, force=force)
        # The same question with the same reference and documents, twice in the data, is one.
        content = (fold(model.question), fold(model.reference), fold(model.context))
        epoch = max(one.epoch, two.epoch)
        pairs.append(
            Pair(
                id=f"{one.id}#{epoch}" if several else one.id,
                question_id=questions.setdefault(content, one.id),
                epoch=epoch,
                model=model,
                baseline=baseline,
            )
        )
    return tuple(pairs)


def _completed(
    one: RecordedAnswer, two: RecordedAnswer, *, force: bool
) -> tuple[RecordedAnswer, RecordedAnswer]:
    """Return a pair with the same reference, and documents on both sides if either has them."""
    if fold(one.question) != fold(two.question) and not force:
        raise EveInspectError(
            f"sample {one.id!r} is the question {_short(one.question)} in model_a and "
            f"{_short(two.question)} in model_b: {_FORCE}, or give both sides ids that name the "
            "same questions."
        )
    first, second = fold(one.reference), fold(two.reference)
    if first and second and first != second and not force:
        raise EveInspectError(
            f"sample {one.id!r} has the references {_short(one.reference)} in model_a and "
            f"{_short(two.reference)} in model_b: {_FORCE} and the first of them, or name answers "
            "to the same questions."
        )
    if not first and not second and not force:
        raise EveInspectError(
            f"sample {one.id!r} has no reference on either side: name the column that holds it "
            f"(reference), or {_FORCE}."
        )
    reference = one.reference if first else two.reference
    return (
        replace(one, reference=reference, context=one.context or two.context),
        replace(two, reference=reference, context=two.context or one.context),
    )


def _alone(side: AnswerSet, paired: Iterable[RecordedAnswer], *, several: bool) -> tuple[str, ...]:
    """Return the ids of answers that are in no pair."""
    known = {(one.id, one.epoch) for one in paired}
    return tuple(
        f"{one.id}#{one.epoch}" if several else one.id
        for one in side.answers
        if (one.id, one.epoch) not in known
    )


def _both(model: AnswerSet, baseline: AnswerSet) -> str:
    return f"model_a={model.source!r} and model_b={baseline.source!r}"


def _count(ids: Sequence[str]) -> str:
    if not ids:
        return "0"
    more = ", ..." if len(ids) > _SHOWN else ""
    return f"{len(ids)} ({', '.join(ids[:_SHOWN])}{more})"


def _ids(side: AnswerSet) -> str:
    return _count([one.id for one in side.answers])


def _short(text: str) -> str:
    folded = fold(text)
    return repr(folded if len(folded) <= _LENGTH else f"{folded[:_LENGTH]}...")
