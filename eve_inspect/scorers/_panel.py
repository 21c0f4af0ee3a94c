"""What the panel scorers share: settings, what judges are shown, and the score of a panel."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from inspect_ai.scorer import Score
from inspect_ai.solver import Generate, Solver, TaskState, solver

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import Reading
from eve_inspect.datasets import documents_in, documents_text
from eve_inspect.metrics import PanelValues, default_quorum, panel_values
from eve_inspect.prompts import Rubric
from eve_inspect.scorers._asking import Verdict
from eve_inspect.scorers._judges import (
    RECORDED,
    ROLE,
    Judge,
    SampleKey,
    configured_judges,
    panel,
    relation,
)
from eve_inspect.scorers._reply import score_reading

T = TypeVar("T")

NAN = float("nan")

_LATER = "judge_later"
"""Where a sample keeps what judges who come later are to be asked."""


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """How a panel works, whatever it is asked.

    Attributes:
        attempts: Further requests to a judge whose reply gave no verdict.
        quorum: Verdicts that the panel's values need; None for a majority of the panel.
        role: The model role of the judges.

    Raises:
        EveInspectError: A value that is not offered.
    """

    attempts: int = 2
    quorum: int | None = None
    role: str = ROLE

    def __post_init__(self) -> None:
        check_whole("judge_attempts", self.attempts, 0, "a whole number from 0 on")
        if self.quorum is not None:
            check_whole("quorum", self.quorum, 1, "a whole number from 1 on")
        role: object = self.role
        if not isinstance(role, str) or not role.strip():
            raise EveInspectError(f"role={self.role!r} is not the name of a model role.")

    def judges(self) -> list[Judge]:
        """Return the panel.

        Raises:
            EveInspectError: No judge is configured, or fewer than the quorum.
        """
        judges = panel(self.role)
        if self.quorum is not None and self.quorum > len(judges):
            raise EveInspectError(
                f"quorum={self.quorum!r} is more than the {len(judges)} judges of the panel: take "
                f"a number from 1 to {len(judges)}, or leave it out for a majority."
            )
        return judges

    def quorum_of(self, judges: int) -> int:
        """Return the verdicts that a panel of that size needs."""
        return default_quorum(judges) if self.quorum is None else self.quorum


@dataclass(frozen=True, slots=True)
class Judged(Generic[T]):
    """A candidate's answer with what the judges made of it.

    Attributes:
        reading: The candidate's answer as it was read.
        gold: What the answer is compared with.
        candidate: The candidate model's name.
        judges: The panel.
        verdicts: Each judge's verdict; empty when there was no answer to send.
        value: Turns a verdict into a value 0..1.
        show: Turns a verdict into words.
    """

    reading: Reading[str]
    gold: str
    candidate: str
    judges: Sequence[Judge]
    verdicts: Mapping[str, Verdict[T]]
    value: Callable[[T], float]
    show: Callable[[T], str]

    @property
    def answer(self) -> str:
        """The visible answer; empty when there is none."""
        return self.reading.answer or ""

    @property
    def values(self) -> list[float | None]:
        """Each judge's verdict as a value 0..1, in the order of the panel; None for a missing one.

        An answer that is not there is worth nothing, and needs no judge to say so.
        """
        if not self.verdicts:
            return [0.0 for _ in self.judges]
        found = (self.verdicts[judge.name].verdict for judge in self.judges)
        return [None if verdict is None else self.value(verdict) for verdict in found]


@solver
def require_judges(
    attempts: int = 2,
    quorum: int | None = None,
    role: str = ROLE,
    later: Mapping[str, Any] | None = None,
) -> Solver:
    """Stop before a token is spent when there is no panel to judge the answers.

    Args:
        attempts: As the scorer's ``judge_attempts``.
        quorum: As the scorer's ``quorum``.
        role: The model role of the judges.
        later: What judges who come later are to be asked: arguments of the scorer. No judge is
            required then; the sample keeps them, and the scorer holds to them.
    """
    settings = PanelSettings(attempts, quorum, role)

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if later is None:
            settings.judges()
        else:
            state.metadata[_LATER] = dict(later)
        return state

    return solve


def check_later(state: TaskState, **arguments: object) -> None:
    """Make sure that judges who come later are asked what the task was told to ask.

    ``inspect score`` makes a scorer by its defaults, whatever the task was given. Arguments that
    the task left out are free.

    Args:
        state: The sample.
        arguments: The scorer's.

    Raises:
        EveInspectError: Another value than the task's.
    """
    given = state.metadata.get(_LATER)
    if not isinstance(given, Mapping) or RECORDED.get() is not None:  # rescore knows them
        return
    for name, value in arguments.items():
        if given.get(name) is not None and given[name] != value:
            raise EveInspectError(
                f"{name}={value!r} is not what the answers were generated for, {name}="
                f"{given[name]!r}: say -S {name}={given[name]}, or use `eve-inspect rescore`, "
                f"which takes over the task's arguments and replaces them by its own -S."
            )


def check_judges_of_command(settings: PanelSettings) -> None:
    """Stop a command without judges with one line, before data are loaded.

    On Inspect's command line the roles are known while a task is made. In Python they may come
    later, with ``eval(task, model_roles=...)``: there ``require_judges`` looks.

    Raises:
        EveInspectError: A command that names no judge.
    """
    import click

    command = click.get_current_context(silent=True)
    if command is None or command.find_root().command.name != "inspect":
        configured_judges(settings.role)  # incomplete variables are a mistake anywhere
        return
    settings.judges()


def check_whole(name: str, value: object, minimum: int, allowed: str) -> None:
    """Make sure that an argument is a whole number that is large enough.

    Raises:
        EveInspectError: It is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise EveInspectError(f"{name}={value!r} is not {allowed}.")


def check_context_place(replacement: str | None, rubric: Rubric, judge_sees_context: bool) -> None:
    """Make sure that judges see documents if, and only if, their rubric has a place for them.

    Args:
        replacement: Path of the rubric, None for the built-in one, whose place can stay empty.
        rubric: The rubric.
        judge_sees_context: The scorer's argument.

    Raises:
        EveInspectError: They do not fit each other.
    """
    if not isinstance(judge_sees_context, bool):
        raise EveInspectError(
            f"judge_sees_context={judge_sees_context!r} is not offered: use true or false."
        )
    if replacement is not None and rubric.uses_context != judge_sees_context:
        has, say = ("has the", "true") if rubric.uses_context else ("lacks a", "false")
        raise EveInspectError(
            f"rubric={replacement!r} {has} placeholder '{{context}}', but judge_sees_context="
            f"{judge_sees_context!r}: change the file, or say judge_sees_context={say}."
        )


def sample_key(state: TaskState) -> SampleKey:
    """Return what tells a sample apart from the others of its log."""
    return str(state.sample_id), state.epoch


def question_of(state: TaskState) -> str:
    """Return the bare question of a sample."""
    return question_in(state.metadata, state.input_text)


def question_in(metadata: Mapping[str, Any], input_text: str) -> str:
    """Return the bare question, from a sample's metadata and the text of its input."""
    return str(metadata.get("question", input_text))


def context_of(state: TaskState) -> str:
    """Return the documents of a sample, as text; empty when it has none."""
    return context_in(state.metadata, state.input_text)


def context_in(metadata: Mapping[str, Any], input_text: str) -> str:
    """Return the documents as text, from a sample's metadata and the text of its input."""
    if "context" in metadata:
        return str(metadata["context"])
    documents = metadata.get("documents")
    if documents:
        return documents_text(documents)
    return documents_in(input_text, question_in(metadata, input_text))


def panel_score(
    judged: Judged[T],
    settings: PanelSettings,
    pass_at: float,
    columns: Mapping[str, float] | None = None,
    unscored: str = "",
    **details: object,
) -> Score:
    """Return the score of a panel: a column for each judge, and the panel's own.

    Args:
        judged: The answer and the verdicts.
        settings: The panel's.
        pass_at: The value 0..1 from which on a verdict is a vote for the answer.
        columns: Further columns.
        unscored: Why the answer says nothing about the model, if it does not.
        details: More for the score's metadata.

    Returns:
        A score with NaN under every key when it is unscored or the quorum was missed, with the
        reason in its metadata; an unscored one when the candidate's reply is an error.
    """
    quorum = settings.quorum_of(len(judged.judges))
    found = panel_values(judged.values, pass_at=pass_at, quorum=quorum)
    missed = unscored or ("" if found.quorum else _missed(judged, quorum))
    values = {**_columns(judged, found), **(columns or {})}
    if missed:
        values = dict.fromkeys(values, NAN)
        details["unscored_reason"] = missed
    score = score_reading(
        judged.reading,
        value=dict(values),
        answer=judged.answer,
        gold=judged.gold,
        judged=bool(judged.verdicts),
        panel=[judge.name for judge in judged.judges],
        quorum=quorum,
        judges=_records(judged),
        average=None if math.isnan(found.average) else found.average,
        low=found.low,
        high=found.high,
        answer_sha256=hashlib.sha256(judged.answer.encode()).hexdigest(),
        answer_characters=len(judged.answer),
        **details,
    )
    if judged.verdicts:
        score.explanation = _explanation(judged, missed)
    return score


def _columns(judged: Judged[T], found: PanelValues) -> dict[str, float]:
    own = {
        f"llm_as_judge_{judge.name}": NAN if value is None else value
        for judge, value in zip(judged.judges, judged.values, strict=True)
    }
    return {
        **own,
        "llm_as_judge_avg": found.average,
        "judge_voting": found.voting,
        # Judges who were not asked have not agreed.
        "judge_agreement": found.agreement if judged.verdicts else NAN,
    }


def _records(judged: Judged[T]) -> dict[str, dict[str, Any]]:
    """Return what each judge did, JSON-able; empty when none was asked."""
    if not judged.verdicts:
        return {}
    return {
        judge.name: {
            **judged.verdicts[judge.name].to_metadata(),
            "value": value,
            "relation": relation(judge.model, judged.candidate),
        }
        for judge, value in zip(judged.judges, judged.values, strict=True)
    }


def _missed(judged: Judged[T], quorum: int) -> str:
    missing = [
        f"{name} ({verdict.status})"
        for name, verdict in judged.verdicts.items()
        if verdict.verdict is None
    ]
    total = len(judged.judges)
    return (
        f"{total - len(missing)} of {total} judges gave a verdict, {quorum} are needed; missing: "
        f"{', '.join(missing)}"
    )


def _explanation(judged: Judged[T], missed: str) -> str:
    lines = [f"Not scored: {missed}."] if missed else []
    for name, verdict in judged.verdicts.items():
        said = " ".join(verdict.rationale.split())
        given = verdict.verdict
        shown = f"no verdict ({verdict.status})" if given is None else judged.show(given)
        lines.append(f"**{name}**: {shown}{f' - {said}' if said else ''}")
    return "\n\n".join(lines)
