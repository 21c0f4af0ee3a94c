"""What a label of a judge looks like: "C", "tie", "insufficient_context".

Decisions: words of a label may be joined by spaces, underscores or hyphens, in any case; a label of
one word is read only where the phrase ends after it ("answer", not "answer is missing"); one that
was not offered is ``out_of_scale``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._judge_values import (
    CLOSERS,
    LEAD,
    PLACEHOLDER,
    STRICT,
    Finding,
    Slot,
    flat,
    quoted,
)
from eve_inspect.answers._judge_words import NEUTRAL, OVERALL, key_words

_JOINT = re.compile(r"[\s_-]+")
_LEAD = re.compile(
    rf"{LEAD}(?:(?:answer|response|model|option|assistant|candidate|output)(?:[^\S\n]|_){{1,3}}"
    rf"(?=\w(?!\w)))?+{LEAD}",
    re.IGNORECASE,
)
_CLOSERS = re.compile(CLOSERS)
_SAID = re.compile(r"[^\S\n]+(?:is|are|wins|won)\b")
_OTHER = re.compile(rf"([A-Za-z])(?={CLOSERS}[^\S\n]*(?:[.;,]?[^\S\n]*(?:\n|\Z)))")
_TOKEN = re.compile(r"[\w-]{1,40}")


class LabelGrammar:
    """What a label looks like.

    Args:
        labels: The labels on offer.
        keys: Names under which it may stand, best first.
    """

    noun = "verdict"
    stated: re.Pattern[str] | None = None

    def __init__(self, labels: Sequence[str], keys: Sequence[str]) -> None:
        self._labels = {_canonical(label): label for label in labels}
        self._keys = {frozenset(key_words(key)): len(keys) - i for i, key in enumerate(keys)}
        listed = "|".join(map(_pattern, sorted(labels, key=len, reverse=True)))
        self._label = re.compile(rf"(?:{listed})(?!\w)", re.IGNORECASE)
        self._more = re.compile(
            rf"{CLOSERS}\s{{0,3}}(?:,|/|\||>|<|=|vs\.?|(?:or|and|nor)\b){LEAD}(?:or\b\s{{0,3}})?{LEAD}"
            rf"(?:{listed})(?!\w)",
            re.IGNORECASE,
        )
        named = "|".join(re.escape(fold(key)).replace("_", "[ _-]?") for key in keys)
        over = "|".join(sorted(OVERALL, key=len, reverse=True))
        # All cues are firm: the group of weak ones never matches.
        self.cue = re.compile(
            rf"(?<!\w)(?<!\w-)(?:(?:{over})_)?(?:{named})(?!\w)(?P<weak>(?!))?", re.IGNORECASE
        )

    def rank(self, key: str) -> int:
        """Return how much a key is that of the label; 0 when it is not."""
        words = frozenset(key_words(key))
        return self._keys.get(words) or self._keys.get(words - OVERALL - NEUTRAL, 0)

    def held(self, value: object) -> Finding[str] | None:
        """Read the value under a key; None for the placeholder of a template."""
        match value:
            case [single]:
                return self.held(single)
            case bool() | int():
                return self._worded(str(value))
            case str():
                return self._worded(value)
            case _:
                return Finding(None, "unreadable", "it held no single verdict")

    def slot(self, text: str, start: int) -> Slot[str] | None:
        """Read the label at a place of plain text; None when there is none."""
        lead = _LEAD.match(text, start)
        place = lead.end() if lead else start
        label = self._label.match(text, place) or self._label.match(text, start)
        if not label:
            return self._unknown(text, place)
        if self._more.match(text, label.end()):
            return None
        closers = _CLOSERS.match(text, label.end())
        end = closers.end() if closers else label.end()
        name = _canonical(label.group())
        if "_" not in name and not self._ends(text, end, one=len(name) == 1):
            return None
        return Slot(Finding(self._labels[name]), end)

    def _ends(self, text: str, end: int, *, one: bool) -> bool:
        """Whether the phrase ends there: "C because", "A is better", but no "I think"."""
        if STRICT.match(text, end) or text[end : end + 1] in ("[", ":", "|"):
            return True
        return one and _SAID.match(text, end) is not None and text[end - 1 : end] != "I"

    def _unknown(self, text: str, start: int) -> Slot[str] | None:
        """Read a letter that stands alone and is not on offer."""
        other = _OTHER.match(text, start)
        if not other:
            return None
        closers = _CLOSERS.match(text, other.end())
        return Slot(self._not_offered(other[1]), closers.end() if closers else other.end())

    def _worded(self, text: str) -> Finding[str] | None:
        bare = flat(normalise(text[:400])).strip()
        exact = self._labels.get(_canonical(bare.strip(" .\"'()[]")))
        if exact is not None:
            return Finding(exact)
        slot = self.slot(bare, 0)
        if slot is not None:
            return slot.finding
        if PLACEHOLDER.fullmatch(text[:200]) or self._label.match(bare):
            return None
        if _TOKEN.fullmatch(bare):
            return self._not_offered(bare)
        return Finding(None, "unreadable", f"the verdict was {quoted(text)}")

    def _not_offered(self, found: str) -> Finding[str]:
        offered = ", ".join(self._labels.values())
        return Finding(None, "out_of_scale", f"{quoted(found)} is not one of {offered}")


def _canonical(label: str) -> str:
    return "_".join(_JOINT.split(fold(label).strip()))


def _pattern(label: str) -> str:
    return r"[\s_-]{1,3}".join(map(re.escape, _JOINT.split(label.strip())))
