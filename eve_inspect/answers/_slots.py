"""Where the answer stands that a cue announces."""

from __future__ import annotations

import re
from typing import NamedTuple

from eve_inspect.answers._cues import BRIDGE, NEGATION, SEPARATION
from eve_inspect.answers._labels import Page

_WINDOW = 120
_JSON_KEY = re.compile(r"[\"']\s*:")


class Cue(NamedTuple):
    """A phrase or form that an answer may follow."""

    kind: str
    phrase: str
    start: int
    end: int


class Slot(NamedTuple):
    """Where the answer that a cue announces is expected.

    Attributes:
        begin: Offset after the colon or verb.
        at: Offset after words of no weight.
        separated: Whether a colon or verb stands between.
    """

    begin: int
    at: int
    separated: bool


def method_of(page: Page, cue: Cue) -> str:
    """How an answer after a cue is declared: by a box, a tag, a JSON key, or in words."""
    if cue.kind in ("boxed", "tag"):
        return cue.kind
    quoted = page.text[cue.start - 1 : cue.start] in ('"', "'") and cue.start > 0
    return "json" if quoted and _JSON_KEY.match(page.text, cue.end) else "cue"


def find_slot(page: Page, cue: Cue) -> Slot | None:
    """The slot after a cue; for a name of the answer, also over words before the verb."""
    direct = _bridged(page, cue, cue.end)
    if direct.at in page.at or direct.separated or page.label_at(direct.at):
        return direct
    if NEGATION.match(page.low, direct.at) or cue.kind != "answer":
        return direct
    end = min(len(page.low), cue.end + _WINDOW)
    for stop in (".", "\n", "!", "?", ";"):
        found = page.low.find(stop, cue.end, end)
        end = found if found >= 0 else end
    for verb in SEPARATION.finditer(page.low, cue.end, end + 1):
        slot = _bridged(page, cue, verb.end())._replace(begin=verb.end(), separated=True)
        if NEGATION.search(page.low, cue.end, verb.start()):
            return None
        if slot.at in page.at or NEGATION.match(page.low, slot.at) or verb.group() == ":":
            return slot
        if page.options.inside(page.searchable(page.line_from(slot.begin))):
            return slot
    return None


def _bridged(page: Page, cue: Cue, start: int) -> Slot:
    bridge = BRIDGE.match(page.low, start)
    end = bridge.end() if bridge else start
    if cue.kind not in ("answer", "heading"):
        return Slot(start, end, separated=True)
    verb = SEPARATION.search(page.low, start, end)
    return Slot(verb.end() if verb else start, end, separated=bool(verb))
