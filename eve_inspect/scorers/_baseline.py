"""The other model's answer to a sample: recorded with the sample, or looked up in a log or file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from inspect_ai.solver import TaskState

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import Reading
from eve_inspect.scorers._answer_sets import AnswerSet, EpochChoice, RecordedAnswer, load_answers
from eve_inspect.scorers._panel import question_of


@dataclass(frozen=True, slots=True)
class Opponent:
    """The baseline's answer to a sample.

    Attributes:
        name: The baseline's name.
        model: The model that answered, as far as that is known; the name otherwise.
        reading: Its answer as it was read.
        reference: The reference that was recorded with it; empty when none was.
    """

    name: str
    model: str
    reading: Reading[str]
    reference: str = ""


class Baseline:
    """Recorded answers, found again by sample and epoch, or else by question.

    Args:
        answers: The answers.
    """

    def __init__(self, answers: AnswerSet) -> None:
        self._name = answers.name
        self._model = answers.model or answers.name
        self._by_id: dict[tuple[str, int], RecordedAnswer] = {}
        self._by_question: defaultdict[str, list[RecordedAnswer]] = defaultdict(list)
        for one in answers.answers:
            self._by_id[one.id, one.epoch] = one
            self._by_question[_folded(one.question)].append(one)
        self._epochs = {one.epoch for one in answers.answers}

    def find(self, sample: str, epoch: int, question: str) -> Opponent | None:
        """Return the answer to a sample; None when there is none, or more than one could be meant.

        Answers of a single epoch meet every epoch of the model.
        """
        wanted = epoch if len(self._epochs) > 1 else next(iter(self._epochs))
        found = self._by_id.get((sample, wanted))
        if found is not None and _folded(found.question) != _folded(question):
            found = None  # an id that names another question there
        if found is None:
            same = [one for one in self._by_question[_folded(question)] if one.epoch == wanted]
            found = same[0] if len(same) == 1 else None
        if found is None:
            return None
        return Opponent(self._name, self._model, found.reading, found.reference)


def baseline_of(source: str, name: str | None, epochs: EpochChoice) -> Baseline:
    """Load the baseline's answers.

    Raises:
        EveInspectError: Answers that cannot be read, or an argument that is not offered.
    """
    if epochs not in get_args(EpochChoice):
        allowed = ", ".join(map(repr, get_args(EpochChoice)))
        raise EveInspectError(f"baseline_epochs={epochs!r} is not offered: use one of {allowed}.")
    return Baseline(load_answers(source, name=name, epochs=epochs, side="baseline"))


def recorded_reading(metadata: Mapping[str, Any], answer: str, status: str) -> Reading[str]:
    """Return an answer that the task `win_rate` recorded with a sample.

    Args:
        metadata: The sample's.
        answer: Key of the text.
        status: Key of what became of the reply.
    """
    text = metadata[answer]
    return Reading(text or None, metadata[status])


def opponent_of(state: TaskState, baseline: Baseline | None) -> Opponent | None:
    """Return the baseline's answer to a sample, from wherever it is.

    Raises:
        EveInspectError: No baseline was named, and the sample holds none.
    """
    if baseline is None:
        if "baseline_answer" not in state.metadata:
            raise EveInspectError(
                "win_rate has nothing to compare with: the samples hold no second answer. Name the "
                "other model's log or file with baseline=<path> (-S baseline=<path>)."
            )
        reading = recorded_reading(state.metadata, "baseline_answer", "baseline_status")
        name = str(state.metadata["baseline"])
        return Opponent(name, str(state.metadata.get("baseline_answered_by", name)), reading)
    return baseline.find(str(state.sample_id), state.epoch, question_of(state))


def _folded(text: str) -> str:
    return " ".join(text.split())
