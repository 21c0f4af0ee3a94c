"""What a reader of replies takes and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

T = TypeVar("T")

Status = Literal[
    "answered",
    "no_answer",
    "ambiguous",
    "out_of_range",
    "empty",
    "refusal",
    "truncated",
    "error",
]
"""What became of a reply.

``answered``: a choice was declared. ``no_answer``: readable text that declares nothing.
``ambiguous``: several commitments where one was asked for. ``out_of_range``: a label that was not
offered. ``empty``: no visible text. ``refusal``: the model declines, or says that it does not know.
``truncated``: cut before it answered, or reasoning never closed. ``error``: the provider or our
machinery failed, so the sample is not scored.
"""

STATUSES: tuple[Status, ...] = get_args(Status)
"""All statuses, in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, reduced to what reading it needs.

    Attributes:
        text: Visible text as the provider returned it; None when it returned no content.
        stop_reason: Why generation stopped, in Inspect's words (``stop``, ``max_tokens``,
            ``model_length``, ``content_filter``, ...); None when unknown.
        reasoning: Whether the provider returned reasoning apart from the text.
        error: The provider's error message when the call failed.
    """

    text: str | None
    stop_reason: str | None = None
    reasoning: bool = False
    error: str | None = None

    @property
    def cut(self) -> bool:
        """Whether the provider says that the reply hit a token limit."""
        return self.stop_reason in ("max_tokens", "model_length")


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What was read from a reply.

    Attributes:
        answer: The answer, or None when nothing usable was declared.
        status: What became of the reply.
        method: How the answer was found (``whole_reply``, ``cue``, ``json``, ...); empty when none.
        flags: Things worth an audit (``letter_text_conflict``, ...), sorted.
    """

    answer: T | None
    status: Status
    method: str = ""
    flags: tuple[str, ...] = ()
