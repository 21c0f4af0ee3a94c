"""Reading what a judge of two answers replied: which is better, or of each whether it is right.

Decisions: a verdict is by the place in which the answers were shown, A first. ``C`` is the tie of
judges who were taught that format, ``A>B`` is a win of A. Of correctness both verdicts have to be
there; one alone is no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar

from eve_inspect.answers._judge_reading import JudgeReading
from eve_inspect.answers._judge_reply import read_label
from eve_inspect.answers._reading import Reply

V = TypeVar("V")

Preferred = Literal["first", "second", "tie"]
"""What a judge said of two answers, by place."""

_PREFERRED: Mapping[str, Preferred] = MappingProxyType(
    {
        **dict.fromkeys(("A", "first", "first answer", "A>B", "A>>B", "B<A", "B<<A"), "first"),
        **dict.fromkeys(("B", "second", "second answer", "B>A", "B>>A", "A<B", "A<<B"), "second"),
        **dict.fromkeys(("tie", "C", "A=B", "B=A", "A==B", "tied", "draw", "equal"), "tie"),
        **dict.fromkeys(("neither", "both", "none"), "tie"),
    }
)
_WINNER = ("winner", "verdict", "better", "preference", "preferred", "decision", "choice", "label")

_RIGHT = ("correct", "right", "true", "pass", "passes", "yes", "1")
_WRONG = ("incorrect", "wrong", "false", "fail", "fails", "no", "0")


class Correctness(NamedTuple):
    """Which of two answers are right, by place.

    Attributes:
        first: Whether the one that was shown first is.
        second: Whether the other is.
    """

    first: bool
    second: bool


def read_preference(reply: Reply, untrusted: Sequence[str] = ()) -> JudgeReading[Preferred]:
    """Read which of two answers a judge prefers.

    Args:
        reply: The judge's reply.
        untrusted: Texts that it was shown and that are not ours: a verdict that stands in them is
            not the judge's.

    Returns:
        The place of the better answer or ``tie``, or why there is none.
    """
    reading = read_label(reply, list(_PREFERRED), untrusted, _WINNER)
    verdict = None if reading.verdict is None else _PREFERRED[reading.verdict]
    return _with(reading, verdict)


def read_correctness(reply: Reply, untrusted: Sequence[str] = ()) -> JudgeReading[Correctness]:
    """Read of each of two answers whether a judge finds it right.

    Args:
        reply: The judge's reply.
        untrusted: As in `read_preference`.

    Returns:
        Both verdicts, or why one of them is missing.
    """
    first, second = (
        read_label(reply, (*_RIGHT, *_WRONG), untrusted, _keys(place)) for place in "ab"
    )
    for one in (first, second):
        if one.verdict is None:
            return _with(one, None)
    return _with(first, Correctness(first.verdict in _RIGHT, second.verdict in _RIGHT))


def _keys(place: str) -> tuple[str, ...]:
    """Return what announces the verdict on an answer; a lone letter would be an article too."""
    named = [f"{noun}_{place}" for noun in ("answer", "response", "assistant", "model", "output")]
    return (*named, *(f"{name}_correct" for name in named), f"{place}_correct", f"correct_{place}")


def _with(reading: JudgeReading[str], verdict: V | None) -> JudgeReading[V]:
    """Return a reading with another verdict."""
    return JudgeReading(
        verdict, reading.status, reading.rationale, reading.method, reading.flags, reading.problem
    )
