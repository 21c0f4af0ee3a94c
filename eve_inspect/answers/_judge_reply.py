"""Reading what a judge model replied: a score on a scale, or a label.

What decides, best first: an object that holds the key, a score that is called overall or final, a
cue with a colon, double brackets or a box, a sentence ("I give it 4 out of 5"). Of equals the last
one does. A number or a letter alone counts only as the whole reply. Nothing is clamped, rescaled or
guessed, and what the judge only repeats from the texts it was shown is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from eve_inspect.answers._characters import normalise
from eve_inspect.answers._judge_echo import Shown
from eve_inspect.answers._judge_json import JsonPart, read_json
from eve_inspect.answers._judge_labels import LabelGrammar
from eve_inspect.answers._judge_prose import Said, read_prose, read_whole
from eve_inspect.answers._judge_reading import JudgeReading, JudgeStatus, Scale
from eve_inspect.answers._judge_scores import ScoreGrammar
from eve_inspect.answers._judge_values import OBJECT, Finding, Grammar, flat
from eve_inspect.answers._readable import open_reply
from eve_inspect.answers._reading import Reply, Status

T = TypeVar("T")

_KEYS = ("verdict", "label", "grade", "winner", "decision", "kind", "category", "class", "answer")
_RANKS = {"json": 3, "overall": 3, "cue": 2, "brackets": 1, "sentence": 0}
_MOST = 50  # declarations compared with what the judge was shown
_UNCLOSED = " \t\n.,/"
_MARKS = str.maketrans("", "", "\ue000\ue001\ue002\ue003\ue004")
_BEGUN = re.compile(r"[\"']([^\"'\n]{1,80})[\"']\s*:\s*[\"']?[\w.+-][^\n\"',}]{0,40}(?:,\d+)?\Z")

_NOTHING: dict[Status, tuple[JudgeStatus, str]] = {
    "error": ("error", "no reply was received"),
    "refusal": ("refused", "a content filter stopped it"),
    "truncated": ("truncated", "it was cut off before it gave a {noun}"),
    "empty": ("empty", "it was empty"),
}


class _Declared(NamedTuple, Generic[T]):
    """A verdict that a reply declares.

    Attributes:
        finding: What it declares.
        rank: How much it counts beside others.
        place: Offset in the page's text.
        pieces: What declares it, to be looked for in what the judge was shown.
        end: Offset after it.
        method: How it was found.
        rationale: What its object says for it.
        flags: Flags of the reading.
        line: Whether it is an echo only of a whole line.
        unclosed: Whether nothing closes it before the reply ends.
    """

    finding: Finding[T]
    rank: int
    place: int
    pieces: tuple[str, ...]
    end: int
    method: str
    rationale: str = ""
    flags: tuple[str, ...] = ()
    line: bool = False
    unclosed: bool = False


class _Page(NamedTuple):
    """A reply's running text and its JSON.

    Attributes:
        text: Plain text, with `OBJECT` in the place of each object.
        json: What it holds in JSON.
        places: Offsets of the objects in ``text``.
    """

    text: str
    json: JsonPart
    places: list[int]


def read_score(reply: Reply, scale: Scale, untrusted: Sequence[str] = ()) -> JudgeReading[float]:
    """Read the score that a judge gave.

    Args:
        reply: The judge's reply.
        scale: The scale that it was told; a number outside is ``out_of_scale``.
        untrusted: Texts that it was shown and that are not ours (the candidate's answer,
            documents): a verdict that stands in them is not the judge's.

    Returns:
        The score on its own scale, or why there is none.
    """
    return _read(reply, ScoreGrammar(scale), untrusted)


def read_label(
    reply: Reply,
    labels: Sequence[str],
    untrusted: Sequence[str] = (),
    keys: Sequence[str] = _KEYS,
) -> JudgeReading[str]:
    """Read the label that a judge gave.

    Args:
        reply: The judge's reply.
        labels: The labels on offer.
        untrusted: Texts that it was shown and that are not ours; see `read_score`.
        keys: What announces a label, as the key of an object or before a colon, best first.

    Returns:
        The label as it is written in ``labels``, or why there is none.
    """
    return _read(reply, LabelGrammar(labels, keys), untrusted)


def _read(reply: Reply, grammar: Grammar[T], untrusted: Sequence[str]) -> JudgeReading[T]:
    opened = open_reply(reply)
    filtered = reply.stop_reason == "content_filter"
    if opened.status is not None:
        status, problem = _NOTHING["refusal" if filtered else opened.status]
        return JudgeReading(
            None, status, flags=opened.flags, problem=problem.format(noun=grammar.noun)
        )
    reading = _decide(opened.text, grammar, Shown(untrusted), reply)
    if not filtered:
        return reading
    if reading.status == "unreadable":
        status, problem = _NOTHING["refusal"]
        return JudgeReading(None, status, reading.rationale, flags=reading.flags, problem=problem)
    return _flagged(reading, "content_filter")


def _decide(text: str, grammar: Grammar[T], shown: Shown, reply: Reply) -> JudgeReading[T]:
    page = _page(text, grammar)
    if not page.text.strip() and not page.json.spans:
        return JudgeReading(None, "empty", problem="it was empty")
    declared = sorted(
        _declarations(page, grammar), key=lambda one: (one.rank, one.place), reverse=True
    )
    echoes = 0
    for one in declared[:_MOST]:
        if _is_echo(one, shown):
            echoes += 1
            continue
        reading = _reading_of(one, page, grammar, open_end=_is_open(reply))
        return _flagged(reading, "echo") if echoes else reading
    return _none(page, grammar, echoes=echoes > 0, reply=reply)


def _page(text: str, grammar: Grammar[T]) -> _Page:
    part = read_json(text, grammar.rank)
    pieces: list[str] = []
    position = 0
    for start, end in part.spans:
        pieces.append(normalise(part.text[position:start]))
        position = end
    pieces.append(normalise(part.text[position:]))
    joined = flat(f"\n{OBJECT}\n".join(pieces))
    places = [mark.start() for mark in re.finditer(OBJECT, joined)]
    return _Page(joined, part, places)


def _declarations(page: _Page, grammar: Grammar[T]) -> Iterator[_Declared[T]]:
    yield from _in_json(page, grammar)
    whole = read_whole(page.text, grammar)
    if whole:
        yield _of_said(whole, page)
        return
    for said in read_prose(page.text, grammar):
        yield _of_said(said, page)


def _in_json(page: _Page, grammar: Grammar[T]) -> Iterator[_Declared[T]]:
    by_start = {start: i for i, (start, _) in enumerate(page.json.spans)}
    for verdict in page.json.verdicts[-_MOST:]:
        finding = grammar.held(verdict.held.value)
        if finding is None:
            continue
        index = by_start[verdict.start]
        known = len(page.places) == len(page.json.spans)
        place = page.places[index] if known else len(page.text) + index
        flags = (*(["nested"] if verdict.held.nested else []), *(["salvaged"] * verdict.cut))
        pieces = (page.json.text[verdict.start : verdict.end], verdict.held.text)
        yield _Declared(
            finding,
            _RANKS["json"],
            place,
            tuple(filter(None, pieces)),
            place,
            "json",
            verdict.held.rationale,
            flags,
        )


def _of_said(said: Said[T], page: _Page) -> _Declared[T]:
    return _Declared(
        said.finding,
        _RANKS[said.where],
        said.start,
        (page.text[said.start : said.end],),
        said.end,
        said.method,
        flags=("salvaged",) if said.salvaged else (),
        line=said.alone,
        unclosed=not page.text[said.end :].strip(_UNCLOSED),
    )


def _around(text: str, start: int, end: int) -> str:
    """Return the text before the sentence of a verdict, or else the text after the verdict."""
    stops = (text.rfind(stop, 0, start) for stop in ("\n", ". ", "! ", "? "))
    before = text[: max(stops) + 1].translate(_MARKS).strip()
    return before or text[end:].translate(_MARKS).strip(" \t\n.,;:-")


def _is_echo(declared: _Declared[T], shown: Shown) -> bool:
    if declared.method == "json":
        return any(map(shown.hold_object, declared.pieces))
    if declared.line:
        return any(map(shown.hold_line, declared.pieces))
    return any(map(shown.hold, declared.pieces))


def _is_open(reply: Reply) -> bool:
    """Whether the last word of the reply may be unfinished."""
    return reply.cut and not (reply.text or "")[-1:].isspace()


def _reading_of(
    one: _Declared[T], page: _Page, grammar: Grammar[T], *, open_end: bool
) -> JudgeReading[T]:
    finding, noun = one.finding, grammar.noun
    if one.unclosed and open_end:
        finding = Finding(None, "unreadable", f"it was cut off inside the {noun}")
    flags = tuple(sorted({*one.flags, *finding.flags}))
    method = one.method if finding.status == "scored" else ""
    rationale = one.rationale or _around(page.text, one.place, one.end)
    return JudgeReading(finding.verdict, finding.status, rationale, method, flags, finding.problem)


def _none(page: _Page, grammar: Grammar[T], *, echoes: bool, reply: Reply) -> JudgeReading[T]:
    rationale = page.text.translate(_MARKS).strip()
    noun = grammar.noun
    if echoes:
        problem = "it repeated the answer's own text"
        return JudgeReading(None, "unreadable", rationale, flags=("echo",), problem=problem)
    begun = _BEGUN.search(page.json.text, max(0, len(page.json.text) - 140))
    if page.json.open_end and begun and grammar.rank(begun[1]):
        problem = f"it was cut off inside the {noun}"
        return JudgeReading(None, "unreadable", rationale, problem=problem)
    if reply.cut:
        status, problem = _NOTHING["truncated"]
        return JudgeReading(None, status, rationale, problem=problem.format(noun=noun))
    problem = "its JSON was never closed" if page.json.open_end else f"it held no single {noun}"
    return JudgeReading(None, "unreadable", rationale, problem=problem)


def _flagged(reading: JudgeReading[T], flag: str) -> JudgeReading[T]:
    flags = tuple(sorted({*reading.flags, flag}))
    return JudgeReading(
        reading.verdict,
        reading.status,
        reading.rationale,
        reading.method,
        flags,
        reading.problem,
    )
