"""Reading a yes or no: does an answer contain false or unsupported information?

The question offers "A. Yes" and "B. No". What is declared counts, the last declaration first: JSON,
a box or tag, what follows a cue, a line of its own, the first word. Without a declaration a
sentence that judges the answer as a whole counts; anything else is no answer, never a guess.

Conventions: a letter that disagrees with its text wins and is flagged; a word that disagrees with
the rest of its sentence is ``ambiguous``; the two options repeated declare nothing; "partly",
"maybe", and a bare "true", "false", "correct" or "wrong" declare nothing, as they were not offered.
Of a text of more than 20,000 characters only the beginning and the end are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._decoration import BOX, END, TAG, plain
from eve_inspect.answers._json import JsonScan, scan_json
from eve_inspect.answers._phrases import CUE, CUE_KINDS, NOT_MEANT, SEPARATION, kind_of
from eve_inspect.answers._readable import open_reply, under_filter
from eve_inspect.answers._reading import Reading, Reply
from eve_inspect.answers._statements import Verdict, statements
from eve_inspect.answers._verdicts import Slot, is_refusal, read_slot


class _Place(NamedTuple):
    """Where a declaration is expected.

    What "the answer is" says with an adjective is a statement, and read as one; after a colon it
    is a declaration.
    """

    start: int
    colon: bool


class _Declaration(NamedTuple):
    position: int
    slot: Slot
    method: str


_SEPARATED = re.compile(
    r"[ \t]*(?:\([^()\n]{0,40}\)[ \t]*|to (?:the|this|your) question )?"
    rf"(?P<by>{SEPARATION.pattern})(?P<colon>\s*[:=])?\s*"
)
_CONCLUSION = re.compile(
    r"\b(?:(?:i|we)(?:'d| would| will| must| have to)? (?:say|answer|conclude)(?: that)?[: ]"
    r"|(?:therefore|thus|hence|so|in conclusion|overall|in short|to conclude|assessment"
    r"|classification|judge?ment|evaluation|determination|answer|verdict)(?:[,:]| -)"
    r"|(?:hallucinat(?:ed|ions?)|(?:false|unsupported)(?: or (?:false|unsupported))?"
    r" (?:information|claims?|content))(?: (?:present|detected|found))?[ \t]*[:=]"
    r"|(?P<it>^(?:it is|it's) ))\s*",
    re.MULTILINE,
)
_JUDGING_QUESTION = re.compile(
    r"\b(?:false|unsupported|hallucinat\w+|incorrect|inaccurate|errors?|wrong)\b[^?\n]{0,120}\?\s*$",
    re.IGNORECASE,
)
_MARKS = re.compile(f"[{BOX}{TAG}{END}]")
_MARKED = re.compile(rf"[{BOX}{TAG}]([^{BOX}{TAG}{END}]{{0,400}})")
_NEXT_QUESTION = re.compile(r"\n[ \t]*(?:question|q\d*|user|human|example \d+)\s*:", re.IGNORECASE)
_ECHOED_OPTIONS = re.compile(
    r"\(?A[.):] ?Yes\b[^\n]{0,60}\n{1,2}[ \t]*\(?B[.):] ?No\b[^\n]{0,60}(?=\n|\Z)", re.IGNORECASE
)
_SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+")
_LINE_START = re.compile(r"^(?:[-+>#\s]|\d+[.)]\s)+")
_TICK = re.compile(r"(?m)^[ \t-]*✓")
_CROSSED_LINE = re.compile(r"(?m)^[ \t-]*✗[^\n]*$")

_LONGEST_TEXT = 20_000
_LONGEST_SLOT = 400
_LAST_PLACES = 50  # more boxes or cues than that are a loop; the last ones decide

_NEUTRAL_KEY = re.compile(
    r"(?:final_|my_|the_)?(?:answer|verdict|label|choice|option|prediction|result|response|decision"
    r"|judge?ment|classification|letter|output|conclusion|selected_option)"
)
_BAD_KEY = re.compile(
    r"(?:(?:is|has|contains?|any|includes?)_)*(?:hallucinat(?:ed|ions?|ory)|false|unsupported|errors?"
    r"|incorrect|inaccurate|(?:false|unsupported|incorrect|hallucinated)(?:_or_(?:false|unsupported))?"
    r"_(?:information|claims?|content|statements?))(?:_(?:detected|present|found|information))?"
)
_GOOD_KEY = re.compile(
    r"(?:(?:is|no|not|answer_is|is_not|has_no)_)*(?:(?:fully_)?supported|accurate|correct|factual"
    r"|faithful|truthful|(?:no|not|is_not|has_no)_(?:hallucinat(?:ed|ions?)|errors?|false_information))"
)
_PRAISE = re.compile(r"(?<!un)supported|(?<!in)(?:accurate|correct)|factual|faithful|truthful")


def read_yes_no(reply: Reply) -> Reading[Verdict]:
    """Read whether a reply says that an answer contains false or unsupported information.

    Args:
        reply: The model's reply to the question with the options "A. Yes" and "B. No".

    Returns:
        ``yes`` (false or unsupported information) or ``no``, or None with the status that says why.
        Flags: ``letter_text_conflict``, ``verdict_text_conflict``, ``unclosed_json``.
    """
    opened = open_reply(reply)
    if opened.status is not None:
        return Reading(None, opened.status, flags=opened.flags)
    return under_filter(reply, _read(reply, opened.text))


def _read(reply: Reply, text: str) -> Reading[Verdict]:
    text = _first_turn(normalise(_ends(text)))
    scan = scan_json(text)
    in_json = _in_json(scan)
    if in_json:
        later = [
            found
            for found in _declarations(plain(text[in_json.position :]), reply.cut)
            if found.method != "first_word"
        ]
        return _reading(later[-1] if later else in_json)
    prose = plain(_without_json(text, scan))
    declared = list(_declarations(prose, reply.cut))
    return _reading(declared[-1]) if declared else _from_statements(prose, reply.cut)


def _reading(declared: _Declaration) -> Reading[Verdict]:
    slot = declared.slot
    method = declared.method if slot.answer else ""
    return Reading(slot.answer, slot.status, method, slot.flags)


def _from_statements(prose: str, cut: bool) -> Reading[Verdict]:
    said = statements(prose)
    if said:
        return Reading(said[-1].verdict, "answered", "statement")
    if is_refusal(prose.strip().lower()):
        return Reading(None, "refusal")
    return Reading(None, "truncated" if cut else "no_answer")


def _ends(text: str) -> str:
    """Return where a verdict can stand: the beginning and the end of a very long text."""
    if len(text) <= _LONGEST_TEXT:
        return text
    return text[:_LONGEST_SLOT] + "\n" + text[_LONGEST_SLOT - _LONGEST_TEXT :]


def _first_turn(text: str) -> str:
    """Cut an invented next question off, and options that were only repeated."""
    text = text.strip()
    invented = _NEXT_QUESTION.search(text)
    if invented and not _NEXT_QUESTION.match("\n" + text):
        text = text[: invented.start()]
    if _TICK.search(plain(text)):
        text = _CROSSED_LINE.sub("", plain(text))
    return _ECHOED_OPTIONS.sub("", text).strip() or text


def _without_json(text: str, scan: JsonScan) -> str:
    """Blank out objects: what they hold is declared by their keys, or not at all."""
    kept: list[str] = []
    position = 0
    for found in [*scan.found, *([scan.rest] if scan.rest else [])]:
        if isinstance(found.value, Mapping) and (found.value or found is scan.rest):
            kept += text[position : found.start], "\n"
            position = found.end
    return "".join(kept) + text[position:]


def _in_json(scan: JsonScan) -> _Declaration | None:
    """Return the last JSON value that declares a verdict; its position is its end."""
    if scan.rest and (slot := _from_value(scan.rest.value)):
        flagged = slot._replace(flags=(*slot.flags, "unclosed_json"))
        return _Declaration(scan.rest.end, flagged, "json")
    for found in reversed(scan.found):
        if slot := _from_value(found.value):
            return _Declaration(found.end, slot, "json")
    return None


def _from_value(value: object, depth: int = 0) -> Slot | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, Mapping) or depth > 2:
        return None
    slots = [slot for key, member in value.items() if (slot := _from_member(key, member))]
    answers = {slot.answer for slot in slots if slot.answer}
    if len(answers) > 1:
        return Slot("ambiguous")
    nested = (_from_value(member, depth + 1) for member in value.values())
    best = [slot for slot in slots if slot.answer] or slots or [slot for slot in nested if slot]
    return best[-1] if best else None


def _from_member(key: str, value: object) -> Slot | None:
    key = re.sub(r"[^a-z]+", "_", key.lower()).strip("_")
    good = _GOOD_KEY.fullmatch(key)
    if good or _BAD_KEY.fullmatch(key):
        verdict = _truth(value)
        if verdict is None:
            return read_slot(value) if isinstance(value, str) and not good else None
        negated = re.search(r"(?:^|_)(?:not|no)_", key) is not None
        flipped = (_PRAISE.search(key) is not None) != negated
        return Slot("answered", ("no" if verdict == "yes" else "yes") if flipped else verdict)
    if _NEUTRAL_KEY.fullmatch(key):
        if isinstance(value, str):
            return read_slot(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return read_slot(str(value))
    return None


def _truth(value: object) -> Verdict | None:
    """Return whether the value of a key that asks for yes or no says yes."""
    if isinstance(value, str):
        word = value.strip().lower().rstrip(".")
        if word in ("true", "yes", "1"):
            return "yes"
        return "no" if word in ("false", "no", "0", "none") else None
    if value in (0, 1):
        return "yes" if value else "no"
    return None


def _declarations(prose: str, cut: bool) -> Iterator[_Declaration]:
    """Yield what a text declares, in order."""
    prose = prose.strip()
    whole = read_slot(_MARKS.sub("", prose)) if len(prose) < _LONGEST_SLOT else None
    if _ECHOED_OPTIONS.fullmatch(prose):
        whole = Slot("truncated" if cut else "no_answer", lone=True)
    if whole and whole.lone:
        yield _Declaration(0, whole, "whole_reply")
        return
    found = [*_marked(prose), *_cued(prose), *_first_word(prose), *_last_line(prose, cut)]
    yield from sorted(found, key=lambda declared: declared.position)


def _marked(prose: str) -> Iterator[_Declaration]:
    for mark in list(_MARKED.finditer(prose))[-_LAST_PLACES:]:
        if slot := read_slot(mark[1]):
            yield _Declaration(mark.start(), slot, "box" if mark[0][0] == BOX else "tag")


def _cued(prose: str) -> Iterator[_Declaration]:
    for place in sorted(_places(prose))[-_LAST_PLACES:]:
        line = prose[place.start : place.start + _LONGEST_SLOT].split("\n", 1)[0]
        if slot := read_slot(line, predicates=place.colon):
            yield _Declaration(place.start, slot, "cue")


def _places(prose: str) -> Iterator[_Place]:
    folded = fold(prose)
    for cue in list(CUE.finditer(folded))[-4 * _LAST_PLACES :]:
        kind = kind_of(cue.group(), CUE_KINDS)
        if kind == "infer" or NOT_MEANT.search(folded[max(cue.start() - 40, 0) : cue.start()]):
            continue
        separated = _SEPARATED.match(folded, cue.end())
        colon = separated is not None and (
            separated["colon"] is not None or not separated["by"][0].isalpha()
        )
        if colon or (separated and kind == "answer") or kind == "choose":
            yield _Place(separated.end() if separated else cue.end(), colon)
    for cue in _CONCLUSION.finditer(folded):
        yield _Place(cue.end(), colon=cue["it"] is None)


def _first_word(prose: str) -> Iterator[_Declaration]:
    start = _LINE_START.match(prose)
    slot = read_slot(prose[start.end() if start else 0 :][:_LONGEST_SLOT])
    if slot and slot.status not in ("no_answer", "refusal"):
        yield _Declaration(0, slot, "first_word")


def _last_line(prose: str, cut: bool) -> Iterator[_Declaration]:
    """Yield a verdict that stands alone in the last line or the last sentence."""
    before, _, line = prose.rpartition("\n")
    sentences = _SENTENCE_BREAK.split(line[-2000:])
    last = sentences[-1]
    if len(sentences) > 1:
        before = " ".join(sentences[:-1])
    unfinished = cut and not re.search(r"[.!)\]]\s*$", last)
    answers_other = before.rstrip().endswith("?") and not _JUDGING_QUESTION.search(before[-300:])
    if not before.strip() or unfinished or answers_other:
        return
    slot = read_slot(_LINE_START.sub("", last))
    if slot and slot.lone and slot.status not in ("no_answer", "refusal"):
        yield _Declaration(len(prose) - len(last), slot, "last_line")
