"""What follows a cue: labels, a rejection, option texts, or a word such as "none"."""

from __future__ import annotations

import re
from typing import NamedTuple

from eve_inspect.answers._declarations import FIRM, SOFT, Claim, Rejection, of_list
from eve_inspect.answers._judgements import judgement_of
from eve_inspect.answers._labels import Head, LabelList, Page, bare
from eve_inspect.answers._phrases import (
    ADDING,
    BECAUSE,
    BRIDGE,
    CONDITION,
    CONNECTIVE,
    INSTEAD,
    JUDGE,
    NEGATION,
    NOT_MEANT,
    PROVIDED,
    REJECTED,
    SEPARATION,
    SINGULAR,
    SUBJUNCTIVE,
    TENTATIVE,
    TERMINAL,
    UNTRUE,
    UNTRUE_BEFORE,
)
from eve_inspect.answers._without_letters import labels_by_text, number_at, special_at

_ASSIGNED = re.compile(r"[\"')\]]*\s*(?:[:=→]|->|[^\S\n]-[^\S\n])")
_LETTER_BEHIND = re.compile(r"\s\(([A-Z])\)\s?\.?\s*\Z")
_EMPTY_LIST = re.compile(r"[\s:\"'=]*(?:\[\s*\]|\{\s*\}|\"\"|''|\(\s*\)|null\b)")
_NEXT_IN_LIST = re.compile(r"\}\s*,\s*\{[^{}\[\]]*\Z")
_SENTENCE = re.compile(r"[.!?;]\s|\n")
_EMPTY_BRACKETS = re.compile(r"\s?[:=]\s*\[\s*\]")
_FORMULA = re.compile(r"=[^\W_]")
_GOES_ON = re.compile(r"[^\S\n]+[^\W_]")
_BELIEF = ("i ", "i'")
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
    if page.label_at(direct.at) or NEGATION.match(page.low, direct.at) or cue.kind != "answer":
        return direct
    end = _sentence_end(page.low, cue.end)
    if direct.separated:
        return _at_colon(page, cue, direct, end) or direct
    for verb in SEPARATION.finditer(page.low, cue.end, end + 1):
        slot = _bridged(page, cue, verb.end())._replace(begin=verb.end(), separated=True)
        between = page.low[cue.end : verb.start()]
        if NEGATION.search(between) or UNTRUE.search(between):
            return None
        if slot.at in page.at or NEGATION.match(page.low, slot.at) or verb.group() == ":":
            return slot
        if page.options.inside(page.searchable(page.line_from(slot.begin))):
            return slot
    return None


def _sentence_end(low: str, start: int) -> int:
    end = min(len(low), start + _WINDOW)
    for stop in (".", "\n", "!", "?", ";"):
        found = low.find(stop, start, end)
        end = found if found >= 0 else end
    return end


def _at_colon(page: Page, cue: Cue, direct: Slot, end: int) -> Slot | None:
    """The slot after a colon behind more words than one ("The answer is not hard to see: B")."""
    colon = page.low.find(":", direct.at, end)
    if colon < 0:
        return None
    slot = _bridged(page, cue, colon + 1)
    label = page.at.get(slot.at)
    lone = label and label.upper and TERMINAL.match(page.low, label.end)
    return slot._replace(begin=colon + 1, separated=True) if lone else None


def _bridged(page: Page, cue: Cue, start: int) -> Slot:
    bridge = BRIDGE.match(page.low, start)
    end = bridge.end() if bridge else start
    if cue.kind not in ("answer", "heading"):
        return Slot(start, end, separated=True)
    verb = SEPARATION.search(page.low, start, end)
    return Slot(verb.end() if verb else start, end, separated=bool(verb))


def read_cue(
    page: Page, heads: list[Head], cue: Cue, claims: list[Claim], rejections: list[Rejection]
) -> None:
    """Read what follows a cue: labels, a rejection, option texts, or a word such as "none"."""
    if NOT_MEANT.search(page.low[max(0, cue.start - 32) : cue.start]):
        return
    if cue.kind == "heading" and not _ASSIGNED.match(page.low, cue.end):
        return
    method = method_of(page, cue)
    slot = find_slot(page, cue)
    if slot is None or _supposed(page, cue, slot):
        return
    rejected = _rejected_at(page, cue, slot)
    if rejected is not None:
        _reject(page, rejected, rejections, claims, method)
        return
    claim = (
        _labels_claim(page, heads, cue, slot, method)
        or (cue.kind != "infer" and slot.separated and _text_claim(page, cue, slot, method))
        or _word_claim(page, cue, slot, method)
    )
    if claim:
        adds = bool(ADDING.search(page.low, cue.end, max(cue.end, claim.place)))
        if method == "json":
            adds = bool(_NEXT_IN_LIST.search(page.text[max(0, cue.start - 300) : cue.start]))
        claims.append(claim._replace(adds=adds))


def _rejected_at(page: Page, cue: Cue, slot: Slot) -> int | None:
    """Offset of what a slot rejects ("not B", "the wrong answers are A and C"); None if nothing."""
    if UNTRUE_BEFORE.search(page.low[max(0, cue.start - 32) : cue.start]):
        return slot.at
    negation = NEGATION.match(page.low, slot.at)
    if negation and not page.options.equal_to(page.searchable(page.line_from(slot.at))):
        return negation.end()
    listed = page.list_at(slot.at)
    return listed.start if listed and REJECTED.match(page.low, listed.end) else None


def _supposed(page: Page, cue: Cue, slot: Slot) -> bool:
    """Whether a sentence says what the answer would be under a condition."""
    if not SUBJUNCTIVE.search(page.low[cue.start : slot.at]):
        return False
    before = page.low[max(0, cue.start - _WINDOW) : cue.start]
    return bool(CONDITION.search(_SENTENCE.split(before)[-1]))


def _reject(
    page: Page, start: int, rejections: list[Rejection], claims: list[Claim], method: str
) -> None:
    """Read the labels after a negation, and those after a "but" behind them."""
    bridge = BRIDGE.match(page.low, start)
    listed = page.list_at(bridge.end() if bridge else start)
    if not listed:
        return
    rejections += [Rejection(listed.start, label) for label in listed.labels]
    after = REJECTED.match(page.low, listed.end)
    instead = after or INSTEAD.match(page.low, listed.end)
    if instead:
        bridge = BRIDGE.match(page.low, instead.end())
        second = page.list_at(bridge.end() if bridge else instead.end())
        if second and fits(page, second, strict=False):
            claims.append(of_list(second, method, FIRM))


def _labels_claim(page: Page, heads: list[Head], cue: Cue, slot: Slot, method: str) -> Claim | None:
    """A claim by the labels in a slot."""
    listed = page.list_at(slot.at)
    if not listed or not _meant(page, cue, slot, listed):
        return None
    other = _entries_below(page, heads, cue, listed) or _option_naming_labels(
        page, slot, listed, method
    )
    if other:
        return other
    if PROVIDED.match(page.low, listed.end):
        return None
    listed = _without_next_clause(page, listed)
    tentative = bool(TENTATIVE.match(page.low, listed.end))
    return of_list(listed, method, SOFT if cue.kind == "infer" or tentative else FIRM)


def _meant(page: Page, cue: Cue, slot: Slot, listed: LabelList) -> bool:
    """Whether labels in a slot are meant as the answer."""
    if not slot.separated and not _declared_directly(page, cue, slot, listed):
        return False
    strict = cue.kind == "infer"
    if not fits(page, listed, strict=strict and not cue.phrase.startswith(_BELIEF)):
        return False
    offered, labels = set(page.options.labels), set(listed.labels)
    if strict and not labels <= offered:
        return False
    return not (listed.choice and labels == offered)  # "A, B, C or D" is an instruction


def _declared_directly(page: Page, cue: Cue, slot: Slot, listed: LabelList) -> bool:
    """Whether a label right after a name of the answer is meant ("ANSWER B", "answer (B)")."""
    if not listed.last.upper or not TERMINAL.match(page.low, listed.end):
        return False
    if "(" in page.text[cue.end : slot.at] or "[" in page.text[cue.end : slot.at]:
        return True
    line = page.text.rfind("\n", 0, cue.start) + 1
    return not page.text[line : cue.start].strip(" \t-*>(\"'")


def fits(page: Page, listed: LabelList, *, strict: bool) -> bool:
    """Whether what follows the labels lets them be labels, and not words or names."""
    last = listed.last
    word = strict and last.wordlike and not last.upper
    if word or page.named(last) or _FORMULA.match(page.text, last.end):
        return False
    if listed.end > last.end or TERMINAL.match(page.low, listed.end):
        return not (last.letters == "I" and strict)
    if CONNECTIVE.match(page.low, last.end) and not (strict and last.wordlike):
        return last.upper or not last.wordlike or bool(BECAUSE.match(page.low, last.end))
    if JUDGE.match(page.low, last.end + 1):
        return True
    ratio = "/" in page.text[listed.start : listed.end]
    return not strict and not last.wordlike and not ratio


def _without_next_clause(page: Page, listed: LabelList) -> LabelList:
    """The list without a last label that begins the next clause ("B and C is wrong")."""
    if len(listed.labels) < 2 or not SINGULAR.match(page.low, listed.end):
        return listed
    return listed._replace(labels=listed.labels[: -len(listed.last.letters)])


def _entries_below(page: Page, heads: list[Head], cue: Cue, listed: LabelList) -> Claim | None:
    """A claim by entries, one a line, below a cue; None if the labels stand otherwise.

    A claim without labels means that the lines list all options or judge them.
    """
    if "\n" not in page.text[cue.end : listed.start]:
        return None
    index = next((i for i, head in enumerate(heads) if head.label.start == listed.start), None)
    if index is None:
        return None
    run = _run(page, heads, index)
    if len(run) < 2:
        return None
    letters = tuple(head.label.letters for head in run)
    if set(letters) == set(page.options.labels) and len(letters) > 1:
        letters = () if all(page.text_end(head.label) for head in run) else letters
    if any(judgement_of(page, head) is not None for head in run):
        letters = ()
    return Claim(listed.start, "labels", letters, "cue", FIRM, run[-1].end)


def _run(page: Page, heads: list[Head], index: int) -> list[Head]:
    """The entries that follow each other line by line, from one on."""
    run = [heads[index]]
    for head in heads[index + 1 :]:
        rising = head.label.letters > run[-1].label.letters
        if not rising or page.text[run[-1].end : head.start].strip() or _is_sentence(page, head):
            break
        run.append(head)
    return run


def _is_sentence(page: Page, head: Head) -> bool:
    """Whether a line goes on after the option's text as a sentence about it."""
    own = page.text_end(head.label)
    return own is not None and bool(_GOES_ON.match(page.text, own))


def _option_naming_labels(page: Page, slot: Slot, listed: LabelList, method: str) -> Claim | None:
    """An option such as "Both A and C" that a slot with several labels names."""
    line = page.line_from(slot.begin)
    equal = page.options.equal_to(page.searchable(line)) if len(bare(line)) > 1 else []
    if len(equal) == 1 and equal != list(listed.labels):
        end = slot.begin + len(line)
        return Claim(listed.start, "labels", tuple(equal), method, FIRM, end, by_text=True)
    if len(listed.labels) < 2:
        return None
    stretch = page.searchable(page.text[slot.begin : listed.end])
    for wording in (stretch, page.searchable(page.text[listed.start : listed.end])):
        equal = page.options.equal_to(wording)
        if len(equal) == 1:
            place = listed.start
            return Claim(place, "labels", tuple(equal), method, FIRM, listed.end, by_text=True)
    return None


def _text_claim(page: Page, cue: Cue, slot: Slot, method: str) -> Claim | None:
    """A claim by the texts of options in a slot."""
    line = page.line_from(slot.begin)
    if not line:
        return None
    labels = labels_by_text(page, line, exact=cue.kind == "heading")
    if not labels:
        return None
    place = slot.begin
    letter = _LETTER_BEHIND.search(line)
    if letter and letter[1] in page.options.labels:
        conflict = (letter[1],) != labels
        end = place + letter.end()
        return Claim(place, "labels", (letter[1],), method, FIRM, end, conflict=conflict)
    return Claim(place, "labels", labels, method, FIRM, place + len(line), by_text=True)


def _word_claim(page: Page, cue: Cue, slot: Slot, method: str) -> Claim | None:
    """A claim by "all", "none", "I do not know", an empty list or a bare number."""
    if not slot.separated:
        return None
    weight = SOFT if cue.kind == "infer" else FIRM
    near = page.text[slot.begin : slot.begin + 40]
    begin = slot.begin + len(near) - len(near.lstrip(" \t\n\"'([{"))
    for start in dict.fromkeys((begin, slot.at)):
        claim = special_at(page, start, method, weight)
        if claim:
            return claim
    if cue.kind == "infer":
        return None
    empty = _EMPTY_LIST if method == "json" else _EMPTY_BRACKETS
    if empty.match(page.text, cue.end + (method == "json")):
        return Claim(slot.begin, "none", (), method, weight, slot.at)
    return number_at(page, slot.begin, method) or number_at(page, slot.at, method)
