"""Does an answer decline for lack of information? A panel of language models decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal, get_args

from inspect_ai.model import ResponseSchema
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import json_schema
from pydantic import BaseModel, ConfigDict

from eve_inspect.answers import read_label, read_refusal, read_text
from eve_inspect.metrics import RefusalItem, refusal_rates
from eve_inspect.prompts import Rubric, resolve_rubric
from eve_inspect.scorers._asking import Panel, Request, Verdict
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._judges import ROLE
from eve_inspect.scorers._panel import (
    NAN,
    Judged,
    PanelSettings,
    check_later,
    context_of,
    panel_score,
    question_of,
    sample_key,
)
from eve_inspect.scorers._panel_metrics import (
    judge_usage,
    panel_agreement,
    panel_coverage,
    panel_leniency,
)
from eve_inspect.scorers._reply import details_of, reply_of, unscorable

JudgedKind = Literal["insufficient_context", "hedged_answer", "policy_refusal", "answer"]
"""What judges tell apart."""

_REFUSALS = ("insufficient_context", "policy_refusal")
_PHRASE_REFUSALS = ("insufficient_context", "policy")
_KINDS: tuple[str, ...] = tuple(
    sorted({*get_args(JudgedKind), "empty", "provider_filter", "truncated", "undecided"})
)
_FORM = (
    'Reply with one JSON object and nothing else. Its first key is "rationale": a short text that '
    'says why. Its second key is "kind": one of '
    + ", ".join(f'"{kind}"' for kind in get_args(JudgedKind))
    + "."
)


class _Kind(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rationale: str
    kind: JudgedKind


_SCHEMA = ResponseSchema(name="verdict", json_schema=json_schema(_Kind), strict=True)


@metric(scores="unreduced")
def refusal_classification() -> Metric:
    """How often the model declines where it should, and where it should not.

    An empty or cut reply is in the denominators and neither a refusal nor an answer. What the
    panel could not decide, and what the provider's filter stopped, is in none.

    Returns:
        ``refusal_rate``: declined, of the unanswerable items, 0..1. ``refusal_rate_lenient``: with
        those that declined and then answered all the same. ``false_refusal_rate``: declined, of the
        answerable ones. ``balanced_accuracy``: mean of the shares that were right on either side.
        The last two are there only if the scored set has answerable items. ``unanswerable`` and
        ``answerable``: replies of each that were decided; ``kind_...``: replies of each kind.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = _refusals(scores)
        rates = refusal_rates(_items(details))
        kinds = Counter(str(one["kind"]) for one in details)
        controls = {
            "false_refusal_rate": rates.false_refusal_rate,
            "balanced_accuracy": rates.balanced_accuracy,
        }
        return {
            "refusal_rate": rates.refusal_rate,
            "refusal_rate_lenient": rates.lenient_refusal_rate,
            **(controls if rates.answerable else {}),
            "unanswerable": rates.unanswerable,
            "answerable": rates.answerable,
            **{f"kind_{kind}": kinds[kind] for kind in _KINDS},
        }

    return compute


@metric(scores="unreduced")
def phrase_agreement() -> Metric:
    """Share of decided answers on which plain phrases say the same as the panel.

    The phrases are no judge: they miss what is said in other words. A low share is a reason to read
    some answers.

    Returns:
        ``phrase_agreement``, 0..1; NaN when nothing was decided.
    """

    def compute(scores: list[SampleScore]) -> Value:
        decided = [one for one in _refusals(scores) if one["judged"] and one["refused"] is not None]
        same = sum(one["refused"] == (one["phrases"] in _PHRASE_REFUSALS) for one in decided)
        return {"phrase_agreement": same / len(decided) if decided else NAN}

    return compute


@scorer(
    metrics=[
        {"*": [mean(), stderr()]},
        refusal_classification(),
        coverage(),
        panel_coverage(),
        panel_agreement(),
        panel_leniency(),
        phrase_agreement(),
        judge_usage(),
    ]
)
def refusal_panel(
    rubric: str | None = None,
    judge_attempts: int = 2,
    quorum: int | None = None,
    role: str = ROLE,
) -> Scorer:
    """Decide by a panel of judge models whether an answer declines, and whether it should have.

    The judges see the question, the context and the answer. They tell apart: declines for lack of
    information, declines and then answers, declines for another reason, answers.

    Args:
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        quorum: Verdicts that the panel's values need; a majority of the panel when left out.
        role: The model role of the judges.
    """
    settings = PanelSettings(judge_attempts, quorum, role)
    rules = refusal_rubric(rubric)
    asking: Panel[str] = Panel(judge_attempts)

    async def score(state: TaskState, target: Target) -> Score:
        check_later(state, rubric=rubric, quorum=quorum)
        judges = settings.judges()
        context = context_of(state)
        if not context:
            return unscorable("The sample has no context that the answer could be missing from.")
        reply = reply_of(state)
        reading = read_text(reply)
        verdicts: dict[str, Verdict[str]] = {}
        if reading.answer:
            request = _request(rules, question_of(state), reading.answer, context)
            verdicts = await asking.ask(judges, request, sample_key(state))
        answerable = bool(state.metadata.get("answerable"))
        judged = Judged(
            reading=reading,
            gold="answer" if answerable else "refuse",
            candidate=str(state.model),
            judges=judges,
            verdicts=verdicts,
            value=lambda kind: float((kind in _REFUSALS) != answerable),
            show=str,
        )
        filtered = reading.status == "refusal"
        refused = _decision(verdicts, len(judges))
        return panel_score(
            judged,
            settings,
            pass_at=1.0,
            columns={"refused": NAN if refused is None else float(refused)},
            unscored="the provider's filter stopped the reply" if filtered else "",
            reference=target.text,
            answerable=answerable,
            refused=refused,
            kind=_kind(reading.status, verdicts, refused),
            phrases=read_refusal(reply).answer,
            rubric=rules.info,
        )

    return score


def refusal_rubric(rubric: str | None) -> Rubric:
    """Return the rubric that tells kinds of answers apart.

    Raises:
        EveInspectError: A replacement that cannot be used.
    """
    return resolve_rubric("refusal", rubric, required=("question", "output", "context"))


def _request(rules: Rubric, question: str, answer: str, context: str) -> Request[str]:
    message = rules.render(
        question=question, output=answer, context=context, format_instructions=_FORM
    )
    read = partial(read_label, labels=get_args(JudgedKind), untrusted=(answer, context))
    return Request(message, _SCHEMA, read)


def _decision(verdicts: dict[str, Verdict[str]], judges: int) -> bool | None:
    """Return whether a majority of the configured panel saw a refusal; None when there is none."""
    kinds = [one.verdict for one in verdicts.values() if one.verdict is not None]
    refusals = sum(kind in _REFUSALS for kind in kinds)
    needed = judges // 2 + 1
    if refusals >= needed:
        return True
    return False if len(kinds) - refusals >= needed else None


def _kind(status: str, verdicts: dict[str, Verdict[str]], refused: bool | None) -> str:
    """Return the kind that most judges of the winning side saw, if there is one."""
    if not verdicts:
        return {"refusal": "provider_filter", "truncated": "truncated"}.get(status, "empty")
    counts = Counter(
        one.verdict
        for one in verdicts.values()
        if one.verdict is not None and (one.verdict in _REFUSALS) == refused
    )
    ranked = counts.most_common(2)
    if refused is None or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return "undecided"
    return ranked[0][0]


def _refusals(scores: Iterable[SampleScore]) -> list[Any]:
    return [one for one in details_of(scores) if "answerable" in one]


def _items(details: Sequence[Any]) -> list[RefusalItem]:
    """Return what was decided: not what the filter stopped, or what the judges left open."""
    return [
        RefusalItem(one["answerable"], one["refused"], one["kind"] == "hedged_answer")
        for one in details
        if one["refused"] is not None or (not one["judged"] and one["kind"] != "provider_filter")
    ]
