"""Free-text answers, scored against a reference by a panel of language models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from inspect_ai.model import ResponseSchema
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState
from inspect_ai.util import json_schema
from pydantic import BaseModel, ConfigDict

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import SCALES, Scale, read_score, read_text
from eve_inspect.prompts import Rubric, resolve_rubric
from eve_inspect.scorers._asking import Panel, Request, Verdict
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._judges import ROLE
from eve_inspect.scorers._panel import (
    Judged,
    PanelSettings,
    check_context_place,
    check_later,
    context_of,
    panel_score,
    question_of,
    sample_key,
)
from eve_inspect.scorers._panel_metrics import (
    judge_usage,
    length_correlation,
    panel_agreement,
    panel_coverage,
    panel_leniency,
)
from eve_inspect.scorers._reply import reply_of, unscorable

ScaleName = Literal["0-5", "0-1"]
"""The rubrics' scales: levels of quality, or pass and fail."""

_PASS_MARKS: dict[ScaleName, int] = {"0-5": 4, "0-1": 1}


class _Graded(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rationale: str
    score: Literal[0, 1, 2, 3, 4, 5]


class _Passed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rationale: str
    score: Literal[0, 1]


_SCHEMAS: dict[ScaleName, type[BaseModel]] = {"0-5": _Graded, "0-1": _Passed}


@dataclass(frozen=True, slots=True)
class Grading:
    """How answers are graded.

    Attributes:
        name: The scale's name.
        rubric: What the judges are told.
        sees_context: Whether they see the documents too.
        pass_mark: The score from which on a verdict is a vote for the answer.
        schema: The form of a reply.
    """

    name: ScaleName
    rubric: Rubric
    sees_context: bool
    pass_mark: int
    schema: ResponseSchema

    @property
    def scale(self) -> Scale:
        """The scale."""
        return SCALES[self.name]

    @property
    def form(self) -> str:
        """The form of a reply, in words."""
        low, high = int(self.scale.low), int(self.scale.high)
        return (
            'Reply with one JSON object and nothing else. Its first key is "rationale": a short '
            'text that says why. Its second key is "score": a whole number from '
            f"{low} to {high}."
        )


def grading(
    scale: ScaleName = "0-5",
    rubric: str | None = None,
    judge_sees_context: bool = False,
    pass_mark: int | None = None,
) -> Grading:
    """Check what is asked of the judges.

    Raises:
        EveInspectError: An argument that is not offered, or a rubric that does not fit them.
    """
    if scale not in get_args(ScaleName):
        raise EveInspectError(f"scale={scale!r} is not offered: use '0-5' or '0-1'.")
    if rubric is not None and not isinstance(rubric, str):
        raise EveInspectError(f"rubric={rubric!r} is not the path of a YAML file.")
    mark = _PASS_MARKS[scale] if pass_mark is None else pass_mark
    low, high = int(SCALES[scale].low), int(SCALES[scale].high)
    if type(mark) is not int or not low < mark <= high:
        raise EveInspectError(
            f"pass_mark={mark!r} is not offered on the scale {scale!r}: use a whole number from "
            f"{low + 1} to {high}."
        )
    found = resolve_rubric(scale.replace("-", "_"), rubric)
    check_context_place(rubric, found, judge_sees_context)
    schema = ResponseSchema(name="verdict", json_schema=json_schema(_SCHEMAS[scale]), strict=True)
    return Grading(scale, found, judge_sees_context, mark, schema)


@scorer(
    metrics=[
        {"*": [mean(), stderr()]},
        coverage(),
        panel_coverage(),
        panel_agreement(),
        panel_leniency(),
        length_correlation(),
        judge_usage(),
    ]
)
def judge_panel(
    scale: ScaleName = "0-5",
    rubric: str | None = None,
    judge_sees_context: bool = False,
    judge_attempts: int = 2,
    quorum: int | None = None,
    pass_mark: int | None = None,
    role: str = ROLE,
) -> Scorer:
    """Compare a free-text answer with the reference, as several judge models see it.

    The judges are the models of a role (`--model-role judge=<model>,<model>`). A judge that gives
    no readable verdict is missing for that answer, never a number; the panel's values need a
    quorum.

    Args:
        scale: `0-5` (levels of quality, normalised to 0..1) or `0-1` (pass or fail).
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        judge_sees_context: Whether the judges see the documents that the answer was to be based on.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        quorum: Verdicts that the panel's values need; a majority of the panel when left out.
        pass_mark: Score from which on a verdict is a vote for the answer; 4 on `0-5`, 1 on `0-1`.
        role: The model role of the judges.
    """
    settings = PanelSettings(judge_attempts, quorum, role)
    graded = grading(scale, rubric, judge_sees_context, pass_mark)
    asking: Panel[float] = Panel(judge_attempts)
    asked = partial(
        check_later,
        scale=scale,
        rubric=rubric,
        judge_sees_context=judge_sees_context,
        quorum=quorum,
        pass_mark=pass_mark,
    )

    async def score(state: TaskState, target: Target) -> Score:
        asked(state)
        judges = settings.judges()
        context = context_of(state) if judge_sees_context else ""
        if judge_sees_context and not context:
            return unscorable("The judges are to see documents, but the sample has none.")
        reading = read_text(reply_of(state))
        verdicts: dict[str, Verdict[float]] = {}
        if reading.answer:
            request = _request(graded, question_of(state), target.text, reading.answer, context)
            verdicts = await asking.ask(judges, request, sample_key(state))
        judged = Judged(
            reading=reading,
            gold=target.text,
            candidate=str(state.model),
            judges=judges,
            verdicts=verdicts,
            value=graded.scale.normalise,
            show=lambda score: f"{score:g} of {graded.scale.high:g}",
        )
        return panel_score(
            judged,
            settings,
            pass_at=graded.scale.normalise(graded.pass_mark),
            scale=graded.name,
            pass_mark=graded.pass_mark,
            rubric=graded.rubric.info,
            judge_sees_context=judge_sees_context,
        )

    return score


def _request(
    graded: Grading, question: str, reference: str, answer: str, context: str
) -> Request[float]:
    message = graded.rubric.render(
        question=question,
        output=answer,
        reference=reference,
        context=context or None,
        format_instructions=graded.form,
    )
    untrusted = (answer, context)
    return Request(
        message, graded.schema, partial(read_score, scale=graded.scale, untrusted=untrusted)
    )
