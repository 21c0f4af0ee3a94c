"""From a finished sample to a reply, and from a reading to a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from inspect_ai.model import ContentReasoning, ModelOutput
from inspect_ai.scorer import SampleScore, Score, Value
from inspect_ai.solver import TaskState

from eve_inspect.answers import Reading, Reply

T = TypeVar("T")


def reply_of(state: TaskState) -> Reply:
    """Return what the provider reported for a sample."""
    return reply_in(state.output)


def reply_in(output: ModelOutput) -> Reply:
    """Return what the provider reported.

    An empty output (a limit struck before the model replied, say) is an error of the
    machinery, not an empty reply. So is a prompt that does not fit the model's context. When
    nothing was generated, what stands in the reply's place is the provider's message, and is not
    read.
    """
    if output.empty:
        return Reply(None, error=output.error or "the sample has no model output")
    if output.usage is None and output.stop_reason == "model_length":
        return Reply(None, error=output.error or "the prompt does not fit the model's context")
    if output.usage is None and output.stop_reason == "content_filter":
        return Reply(None, "content_filter")
    content = output.message.content
    reasoning = isinstance(content, list) and any(
        isinstance(part, ContentReasoning) for part in content
    )
    # A provider reports its own moderation as an error too; that is a refusal, not a failure.
    error = None if output.stop_reason == "content_filter" else output.error
    return Reply(output.completion, output.stop_reason, reasoning, error)


def score_reading(
    reading: Reading[T], value: Value, answer: str, gold: object, **details: object
) -> Score:
    """Return the score of a reading, or an unscored one when the machinery failed.

    Args:
        reading: What was read.
        value: The score's value, used unless the reading is an error.
        answer: The stable text form of the answer; empty when there is none.
        gold: The right answer, JSON-able: metrics read it from the score.
        details: More for the score's metadata.
    """
    metadata: dict[str, Any] = {
        "status": reading.status,
        "readable": reading.answer is not None,
        "method": reading.method,
        "flags": list(reading.flags),
        "gold": gold,
        **details,
    }
    if reading.status == "error":
        explanation = "Not scored: the model call failed, which says nothing about the model."
        return Score.unscored(reason="no_response", explanation=explanation, metadata=metadata)
    return Score(
        value=value, answer=answer, explanation=_explain(reading, answer), metadata=metadata
    )


def unscorable(problem: str) -> Score:
    """Return the unscored score of a sample that the scorer was not made for.

    Args:
        problem: What the sample lacks and what is allowed, as a sentence.
    """
    return Score.unscored(
        reason="scoring_failed", explanation=problem, metadata={"status": "error"}
    )


def details_of(scores: Iterable[SampleScore]) -> list[Mapping[str, Any]]:
    """Return what ``score_reading`` wrote into scores; scores of other scorers are passed over."""
    found = [sample.score.metadata or {} for sample in scores]
    return [details for details in found if "readable" in details]


def _explain(reading: Reading[T], answer: str) -> str:
    if reading.answer is None:
        return f"No answer was read from the reply ({reading.status})."
    how = reading.method.replace("_", " ")
    flags = f"; flags: {', '.join(reading.flags)}" if reading.flags else ""
    status = "" if reading.status == "answered" else f"; status: {reading.status}"
    return f"Read {answer or 'an empty answer'!r} ({how}{status}{flags})."
