"""Verdicts that stand in running text: after a cue, in brackets, in a sentence, or alone."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Generic, Literal, NamedTuple, TypeVar

from eve_inspect.answers._characters import fold
from eve_inspect.answers._decoration import BOX, END, TAG
from eve_inspect.answers._judge_values import (
    OBJECT,
    STRICT,
    VALUE,
    Finding,
    Grammar,
    Slot,
    is_aside,
)
from eve_inspect.answers._judge_words import CRITERIA, OVERALL, PRIOR

T = TypeVar("T")

Where = Literal["overall", "cue", "brackets", "sentence"]

_MOST = 400  # places looked at, from the end
_NEAR = 60
_BEFORE = re.compile(r"[\n.!?;:,()\[\]{}|>\"\ue000-\ue004]")
_WORD = re.compile(r"\w[\w'-]*")
_REMARK = (
    r"[\"']?+(?:[^\S\n]{0,2}[(\[][^()\[\]\n]{0,60}[)\]])?+[\"']?+"
    r"(?:[^\S\n]{1,2}for (?:the|this)(?: \w{1,20})? (?:answer|response|submission|candidate))?+"
    r"(?:[^\S\n]{1,2}(?:out of|on (?:a|the)|from) [^:=\n]{0,40}(?=[:=]))?+"
)
_IS = r"(?:is|was|are|would be|should be|will be|as|at|of|ist|est|es|è|é)"
_COLON = re.compile(
    rf"{_REMARK}(?:[^\S\n]{{1,2}}{_IS})?[^\S\n]{{0,3}}(?::|={{1,2}}|\](?=[^\S\n])|[=-]>|→|\||(?<=[^\S\n])-(?=\s))"
    r"[^\S\n]{0,8}(?:\n\s{0,8})?"
)
_JOINED = re.compile(
    rf"{_REMARK}[^\S\n]{{1,3}}{_IS}[^\S\n]{{1,3}}(?:(?:thus|therefore|still|only|now)[^\S\n]){{0,2}}"
)
_ALONE = re.compile(rf"{_REMARK}(?:[^\S\n]{{0,3}}\n\s{{0,8}}|[^\S\n]{{0,3}})")
_LINE_END = re.compile(r"[^\S\n]*[.!]?[^\S\n]*(?:\n|\Z)")
_WEAK_END = re.compile(rf"[^\S\n]*(?:\n|\Z|[.;!](?!\d)|[(|{END}{OBJECT}]|-[^\S\n])")
_MARK = re.compile(rf"[{BOX}{TAG}{VALUE}][^{BOX}{TAG}{VALUE}{END}\n]{{1,80}}{END}")
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|if|whether|unless|why|how|instead of|rather than|wants?|asks?|asked"
    r"|demands?|claims?|says?|requests?)\b|n't\b)[^.!?\n]*\Z"
)
_SUPPOSED = re.compile(r"\bif\b[^.!?\n]*\Z")
_MARKS = "\ue000\ue001\ue002\ue003\ue004"
_OWN = re.compile(r"(?<!\w)(?:(?:my|overall|final|total)[^\S\n]{1,3}){1,3}\Z")
_EDGES = f" \t\n!,;*\"'()[]{{}}<>{_MARKS}"
_HEADING = re.compile(
    rf"(?m)^[^\w\n]*(?:\d{{1,2}}[.)]? )?(?:\w+ (?:and )?)?(?:{'|'.join(sorted(CRITERIA))})"
    r"(?: (?:and )?\w+)?[^\w\n]*$"
)


class Said(NamedTuple, Generic[T]):
    """A verdict that running text gives.

    Attributes:
        finding: What it declares.
        where: How it was given.
        start: Offset of the cue, the bracket or the sentence.
        end: Offset after the value.
        method: How it was read, for the reading.
        salvaged: Whether it stood in an object that is no JSON.
        alone: Whether nothing announces it: it fills the reply, or a line.
    """

    finding: Finding[T]
    where: Where
    start: int
    end: int
    method: str
    salvaged: bool = False
    alone: bool = False


def read_prose(text: str, grammar: Grammar[T]) -> list[Said[T]]:
    """Find the verdicts of running text, in no order.

    Args:
        text: Plain text, with `OBJECT` where objects were.
        grammar: What a verdict looks like.
    """
    low = fold(text)
    quotes = _Quotes(text)
    announced = [said for said in _announced(text, low, grammar) if not quotes.hold(said)]
    found = [*_without_criteria(announced, low), *_bracketed(text, grammar)]
    found += _stated(text, low, grammar)
    return [said for said in found if not quotes.hold(said)]


def read_whole(text: str, grammar: Grammar[T]) -> Said[T] | None:
    """Read a reply that is a verdict and nothing else."""
    if len(text) > 400 or OBJECT in text or _MARK.search(text):
        return None
    bare = text.strip(_EDGES).rstrip(_EDGES + ".")
    slot = grammar.slot(bare, 0)
    if slot is None or bare[slot.end :].strip(_EDGES + "."):
        return None
    method = "fraction" if slot.fraction else "whole_reply"
    start = text.find(bare)
    return Said(slot.finding, "overall", start, start + len(bare), method, alone=True)


def _announced(text: str, low: str, grammar: Grammar[T]) -> Iterator[Said[T]]:
    for cue in deque(grammar.cue.finditer(low), maxlen=_MOST):
        prior = _prior(low, cue.start())
        if prior and prior[-1] not in PRIOR:
            continue
        read = _after_cue(text, low, cue, grammar)
        if read is None:
            continue
        slot, firm = read
        if prior and not _OWN.search(f"{prior[-1]} ") and not STRICT.match(text, slot.end):
            continue  # "the score: 5 claim"
        doubted = _SUPPOSED if firm else _DENIED
        if doubted.search(low, max(0, cue.start() - _NEAR), cue.start()):
            continue
        words = {*prior[-3:], *_WORD.findall(cue.group().replace("_", " "))}
        where: Where = "sentence" if not firm else "overall" if words & OVERALL else "cue"
        key = low[cue.end() : cue.end() + 1] in ("'", '"') and low[cue.start() - 1 : cue.start()]
        salvaged = firm and key in ("'", '"')
        own = _OWN.search(low, max(0, cue.start() - _NEAR), cue.start())
        start = own.start() if own else cue.start()
        yield Said(slot.finding, where, start, slot.end, "cue", salvaged)


def _prior(low: str, start: int) -> list[str]:
    """Return the words right before a cue, in its own phrase."""
    return _WORD.findall(_BEFORE.split(low[max(0, start - _NEAR) : start])[-1])


def _after_cue(
    text: str, low: str, cue: re.Match[str], grammar: Grammar[T]
) -> tuple[Slot[T], bool] | None:
    """Read what a cue announces, and whether it does so with a colon or on a line of its own."""
    weak = cue["weak"] is not None
    colon = _COLON.match(low, cue.end())
    if colon:
        slot = _slot(text, colon, grammar)
        if slot is None or is_aside(text, slot.end, announced=True):
            return None
        return (slot, True) if not weak or _WEAK_END.match(text, slot.end) else None
    if weak:
        return None
    joined = _JOINED.match(low, cue.end())
    slot = _slot(text, joined or _ALONE.match(low, cue.end()), grammar)
    if slot is None:
        return None
    if joined:
        given = STRICT.match(text, slot.end) and not is_aside(text, slot.end, announced=False)
        return (slot, False) if given else None
    return (slot, True) if _LINE_END.match(text, slot.end) else None


def _slot(text: str, lead: re.Match[str] | None, grammar: Grammar[T]) -> Slot[T] | None:
    """Read the value after a lead, unless the lead names a criterion ("Score (accuracy): 2")."""
    if lead is None or not CRITERIA.isdisjoint(_WORD.findall(lead.group())):
        return None
    return grammar.slot(text, lead.end())


def _without_criteria(announced: list[Said[T]], low: str) -> list[Said[T]]:
    """Drop scores under headings of criteria, if there is no score but one for each heading."""
    plain = [said for said in announced if said.where == "cue"]
    headings = [heading.start() for heading in _HEADING.finditer(low)] if plain else []
    if not headings or len(plain) > len(headings) or plain[0].start < headings[0]:
        return announced
    return [said for said in announced if said.where != "cue"]


def _bracketed(text: str, grammar: Grammar[T]) -> Iterator[Said[T]]:
    for mark in deque(_MARK.finditer(text), maxlen=_MOST):
        slot = grammar.slot(text, mark.start())
        if slot is None or slot.end < mark.end() or is_aside(text, slot.end, announced=False):
            continue
        yield Said(slot.finding, "brackets", mark.start(), slot.end, "brackets")


def _stated(text: str, low: str, grammar: Grammar[T]) -> Iterator[Said[T]]:
    if grammar.stated is None:
        return
    for lead in deque(grammar.stated.finditer(low), maxlen=_MOST):
        slot = grammar.slot(text, lead.end())
        if slot is None or not STRICT.match(text, slot.end):
            continue
        if is_aside(text, slot.end, announced=False):
            continue
        if _DENIED.search(low, max(0, lead.start() - _NEAR), lead.start()):
            continue
        method = "fraction" if slot.fraction else "sentence"
        alone = not _WORD.search(lead.group())
        yield Said(slot.finding, "sentence", lead.start(), slot.end, method, alone=alone)


class _Quotes:
    """Where double quotes stand, so that what is quoted from elsewhere is told apart."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._all = '"' in text

    def hold(self, said: Said[T]) -> bool:
        """Return whether a verdict stands inside a quotation of its line."""
        if not self._all:
            return False
        start = self._text.rfind("\n", 0, said.start) + 1
        inside = self._text.count('"', start, said.start) % 2 == 1
        value = self._text[said.start : said.end].rstrip(_EDGES)
        if not inside or '"' in value:
            return False
        close = self._text.find('"', said.start + len(value))
        return close >= 0 and "\n" not in self._text[said.start : close]
