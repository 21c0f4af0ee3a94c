"""What a reader of judges' replies takes and returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, Literal, TypeVar, get_args

T_co = TypeVar("T_co", covariant=True)

JudgeStatus = Literal[
    "scored", "unreadable", "out_of_scale", "empty", "truncated", "refused", "error"
]
"""What became of a judge's reply.

``scored``: a verdict was declared. ``unreadable``: text that declares none, or one that is no
single value. ``out_of_scale``: a value that is not on offer. ``empty``: no visible text.
``truncated``: cut before a verdict, or reasoning never closed. ``refused``: the provider's filter
stopped the reply. ``error``: the provider or our machinery failed.
All but the first make the judge missing for the sample; none of them is ever a number.
"""

JUDGE_STATUSES: tuple[JudgeStatus, ...] = get_args(JudgeStatus)
"""All statuses, in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scores that a judge may give.

    Attributes:
        name: What it is called ("0-5").
        low: The worst score.
        high: The best score.
        whole: Whether only whole numbers are on it.
    """

    name: str
    low: float
    high: float
    whole: bool = True

    @property
    def two_points(self) -> bool:
        """Whether it holds a fail and a pass and nothing between."""
        return self.whole and self.high - self.low == 1

    def holds(self, score: float) -> bool:
        """Return whether a score is on the scale."""
        return self.low <= score <= self.high and (not self.whole or score == int(score))

    def normalise(self, score: float) -> float:
        """Return a score of the scale as a share of the way from ``low`` to ``high``, 0..1."""
        return (score - self.low) / (self.high - self.low)


SCALES: Mapping[str, Scale] = MappingProxyType(
    {"0-5": Scale("0-5", 0, 5), "0-1": Scale("0-1", 0, 1)}
)
"""The scales of the built-in rubrics, by name."""


@dataclass(frozen=True, slots=True)
class JudgeReading(Generic[T_co]):
    """What was read from a judge's reply.

    Attributes:
        verdict: The score on its own scale, or the label; None unless the status is ``scored``.
        status: What became of the reply.
        rationale: What the judge said for it: the object's rationale, else the other text.
        method: How the verdict was found (``json``, ``cue``, ``whole_reply``, ...); empty when
            there was none.
        flags: What is worth an audit (``salvaged``, ``nested``, ``echo``, ...), sorted.
        problem: What was wrong, as a clause that the judge can be told; empty when scored.
    """

    verdict: T_co | None
    status: JudgeStatus
    rationale: str = ""
    method: str = ""
    flags: tuple[str, ...] = ()
    problem: str = ""
