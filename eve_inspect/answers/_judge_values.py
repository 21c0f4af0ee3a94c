"""What a place in a judge's reply can hold, and what tells where to look: shared by the readers."""

from __future__ import annotations

import re
import unicodedata
from typing import Generic, NamedTuple, Protocol, TypeVar

from eve_inspect.answers._decoration import BOX, END, TAG, plain
from eve_inspect.answers._judge_reading import JudgeStatus

T = TypeVar("T")

OBJECT = "\ue003"
"""Stands in plain text where a JSON object was; `normalise` drops it from replies."""

VALUE = "\ue004"
"""Stands before what double brackets or a tag of a verdict hold; `END` stands after it."""

LEAD = rf"[\s\"'(\[{{<{BOX}{TAG}{VALUE}]{{0,8}}+"
"""What may stand before a value in its place, as a pattern."""

CLOSERS = rf"[\"')\]}}{END}]{{0,8}}+"
"""What may close a value, as a pattern."""

ASIDE = re.compile(
    r"\s*(?:\?|,?\s*(?:if|unless|but|although)\b|(?:would|could|might|should|will|means?|requires?"
    r"|needs?|denotes?|is for|is reserved|is given|stands? for|for (?:an? )?(?:answers?|responses?)"
    r"|for (?:those|any|when)|when)\b|={1,2}(?!\w))",
    re.IGNORECASE,
)
"""What follows a value that is talked about, not given ("5 would need ...", "4 if ...")."""

_ASIDE_AFTER_COLON = re.compile(r"\s*,?\s*(?:but|although)\b", re.IGNORECASE)

PLACEHOLDER = re.compile(
    r"\W*(?:<[^<>]*>|\{[^{}]*\}|\[[a-z][^\[\]]*\]|\.\.\.|…|x|n|int|integer|number|float|string|str"
    r"|score|label|verdict|your[ _][a-z ]{1,30}|the[ _][a-z ]{1,30}|one of\b.*)\W*",
    re.IGNORECASE | re.DOTALL,
)
"""What stands in a template where the value belongs."""

STRICT = re.compile(
    r"\s*\Z|[ \t]*\n|[ \t]*[.;!)(](?!\d)|[ \t]*,(?![ \t]*\d)|[ \t]+-[ \t]|[ \t]+(?:because|since|as"
    r"|due|given|overall|here|on (?:a|the|this|our)|for (?:this|the) (?:answer|response)"
    r"|for (?:it|this)(?=[ \t]*[.,;!\n])|rather|instead|in total"
    r"|(?:is|seems|feels|appears)[ ](?:appropriate|fair|right|justified|warranted|deserved|given"
    r"|assigned|correct|adequate|fitting))\b"
    rf"|[{END}{OBJECT}]",
    re.IGNORECASE,
)
"""What may follow a value that was given in running text."""


class Finding(NamedTuple, Generic[T]):
    """What a place declares.

    Attributes:
        verdict: The verdict; None unless the status is ``scored``.
        status: ``scored``, ``out_of_scale`` or ``unreadable``.
        problem: What was wrong, as a clause.
        flags: Flags of the reading.
    """

    verdict: T | None
    status: JudgeStatus = "scored"
    problem: str = ""
    flags: tuple[str, ...] = ()


class Slot(NamedTuple, Generic[T]):
    """A value in running text.

    Attributes:
        finding: What it declares.
        end: Offset after it and what closes it.
        fraction: Whether it was given with the top of the scale ("4/5").
    """

    finding: Finding[T]
    end: int
    fraction: bool = False


class Grammar(Protocol[T]):
    """What one kind of verdict looks like."""

    @property
    def noun(self) -> str:
        """What is looked for ("score")."""

    @property
    def cue(self) -> re.Pattern[str]:
        """Words that announce a verdict, in lower-case text; group ``weak``: if nothing follows."""

    @property
    def stated(self) -> re.Pattern[str] | None:
        """Sentences that give a verdict without a cue, up to it, in lower-case text."""

    def rank(self, key: str) -> int:
        """Return how much a key of an object is that of the verdict; 0 when it is not."""

    def held(self, value: object) -> Finding[T] | None:
        """Read the value under a key; None for the placeholder of a template."""

    def slot(self, text: str, start: int) -> Slot[T] | None:
        """Read the value at a place of plain text; None when there is none, or a placeholder."""


def is_aside(text: str, end: int, *, announced: bool) -> bool:
    """Return whether a value is talked about rather than given.

    Args:
        text: Plain text.
        end: Offset after the value.
        announced: Whether a cue and a colon came before: "Score: 4, but no orbit" is a verdict.
    """
    if announced and _ASIDE_AFTER_COLON.match(text, end):
        return False
    return ASIDE.match(text, end) is not None


_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_MARKED = re.compile(
    r"\[\[([^\[\]\n]{1,60})\]\]"
    r"|<\s?((?:final_|overall_)?(?:score|rating|grade|mark|label|winner|kind|decision|verdict"
    r"|result))\s?>\s*([^<>\n]{1,60}?)\s*<\s?/\s?\2\s?>",
    re.IGNORECASE,
)


def flat(text: str) -> str:
    """Take decoration off normalised text; `VALUE` marks what brackets and tags hold.

    Digits of other scripts become ASCII digits.
    """
    if "[[" in text or "</" in text:
        text = _MARKED.sub(lambda m: f"{VALUE}{(m[1] or m[3]).strip()}{END}", text)
    return _spelled(plain(text))


def _spelled(text: str) -> str:
    """Write digits of other scripts as ASCII digits, in the same length."""
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), text)


def quoted(text: str, most: int = 40) -> str:
    """Return text in quotes, shortened, for a problem that is told."""
    line = " ".join(text[: 4 * most].split())
    return repr(line if len(line) <= most else f"{line[: most - 3]}...")
