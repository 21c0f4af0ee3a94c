"""Reading the letter, or the letters, that a reply chooses: the map of the rules.

What is read, in this order (rule: module):

1. A failed call is an `error`; no content is `empty`, `truncated` or `refusal` by its stop reason;
   reasoning and chat tokens are removed, unclosed reasoning is `truncated`: `_readable`.
2. Characters are unified (width, quotes, dashes, invisible ones): `_characters`.
3. Markdown, LaTeX, HTML and tags are taken off; boxes and answer tags leave a mark: `_decoration`.
4. An echoed prompt is dropped, an invented next question cut off: `_echo`.
5. The whole reply may be labels, option texts, a number, "all", "none": `_by_position`.
6. Else declarations are collected and weighed (rejected labels dropped, a declaration beats a
   conclusion and a judgement, the last one wins, "also" adds): `_weighing`. They are made
   - after a cue, in a box, a tag or a JSON value, unless denied, supposed or conditional:
     `_after_cue`; the cues and all other phrases of some thirty languages: `_phrases`,
     `phrases.toml`;
   - at the head of the reply, in a paragraph or a last line of their own: `_by_position`;
   - by judging labels ("B is correct", "A: true", ticks): `_judgements`;
   - without letters (option texts, numbers, "all but B", "none", "I do not know"):
     `_without_letters`.
7. What a letter must look like to be a label at all, and how labels form lists: `_labels`; what
   the item offers, and how its texts are found: `_options`; the types: `_declarations`.
8. A claim becomes a status here. Nothing declared: `refusal`, `truncated` or `no_answer`.

Conventions of ours:

- A repetition of all options in their order declares nothing where one answer is asked for
  (`no_answer`; of a cut reply `truncated`). Where several are asked for, one option a line is how
  an answer looks, so it chooses all of them, unless the question is repeated with it.
- A list of several that runs into the cut keeps its letters with the status `truncated`; a reply
  cut in later prose, or after a closed box, tag or JSON value, stays `answered`.
- A cut reply whose last line begins with a label has not settled on it: `truncated`.
- Of a text that runs away only the first 10,000 and the last 30,000 characters are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from eve_inspect.answers._by_position import from_whole, is_empty_list
from eve_inspect.answers._characters import normalise
from eve_inspect.answers._declarations import Claim
from eve_inspect.answers._decoration import plain
from eve_inspect.answers._echo import repeats_options, segments, without_cut_entry, without_echo
from eve_inspect.answers._labels import Page, bare
from eve_inspect.answers._options import Options
from eve_inspect.answers._phrases import CUE, PENDING, declines
from eve_inspect.answers._readable import Opened, nothing_in, open_reply, under_filter
from eve_inspect.answers._reading import Reading, Reply, Status, T
from eve_inspect.answers._weighing import collect, weigh

_TRANSPORT = re.compile(
    r"\W{0,5}(?:[a-z.]{0,20}error|exception|http)\b[^\n]{0,200}?"
    r"(?:\b[45]\d\d\b|too many requests|rate.?limit|time.?out|timed out|unavailable|overloaded"
    r"|connection)",
    re.IGNORECASE,
)


_ASKED = re.compile(r"(?m)^[ \t]*Q[ \t]?:")
_REPLIED = re.compile(r"(?m)^[ \t]*A[ \t]?:")
_ENTRY_B = re.compile(r"(?m)^[ \t]*B[ \t]?:")
_EITHER = re.compile(r"\b(?:either|both|between|neither|entweder|soit|sia|tanto)\W{1,4}\Z")
_NUMBERED = re.compile(r"\s*\d{1,2}[.)]\s")
_OPEN = " \t\n.,;:-*|&/+\"'"
"""What after the last label of a list leaves it open."""

_LONGEST_CUE = 80
_LONGEST_DECORATED_LETTER = 12
_LONGEST_HEAD = 10_000
_LONGEST_TAIL = 30_000


class _Declared(NamedTuple):
    page: Page
    claim: Claim | None


def read_letter(reply: Reply, options: Sequence[str]) -> Reading[str]:
    """Read the one option that a reply chooses.

    Several commitments, and "all of the above" where it is not offered, are `ambiguous`; "none of
    the above" where it is not offered is `no_answer`. Letter and option text that disagree: the
    letter counts, flagged `letter_text_conflict`. A letter that is no label but an option's text
    is read as that text. A reply stopped by a content filter is a `refusal` unless it declares an
    answer before, which counts, flagged `content_filter`.

    Args:
        reply: The model's reply.
        options: Option texts in the order of their labels A, B, C, ...

    Returns:
        The label, with status and method.

    Raises:
        ValueError: There are no options, or more than 26.
    """
    offered = Options(options)
    opened = _open(reply)
    if opened.status:
        return Reading(None, opened.status, flags=opened.flags)
    page, claim = _declared(reply, opened.text, offered, several=False)
    if not claim:
        return _silent(reply, page)
    labels = tuple(dict.fromkeys(claim.labels))
    status: Status = "answered"
    if claim.kind == "unknown":
        status = "refusal"
    elif claim.kind == "none":
        status = "no_answer"
    elif reply.cut and (claim.dangling or _unsettled(page, claim)):
        status = "truncated"
    elif claim.kind == "every" or len(labels) > 1:
        status = "ambiguous"
    elif labels[0] not in offered.labels:
        status = "out_of_range"
    answer = labels[0] if status == "answered" else None
    return under_filter(reply, Reading(answer, status, claim.method, _flags(page, claim)))


def read_letters(reply: Reply, options: Sequence[str]) -> Reading[tuple[str, ...]]:
    """Read the set of options that a reply chooses.

    A deliberate "none of these" is answered with the empty tuple. Labels not offered stay in the
    answer (status `out_of_range`), unless no label is offered. A list cut by the token limit is
    kept as far as it goes (status `truncated`). "A or B" commits to nothing: `ambiguous`.

    Args:
        reply: The model's reply.
        options: Option texts in the order of their labels A, B, C, ...

    Returns:
        The labels, sorted and unique, with status and method.

    Raises:
        ValueError: There are no options, or more than 26.
    """
    offered = Options(options)
    opened = _open(reply)
    if opened.status:
        return Reading(None, opened.status, flags=opened.flags)
    page, claim = _declared(reply, opened.text, offered, several=True)
    if not claim:
        return _silent(reply, page)
    labels = tuple(offered.labels) if claim.kind == "every" else tuple(sorted({*claim.labels}))
    answer: tuple[str, ...] | None = labels
    status: Status = "answered"
    if claim.kind == "unknown":
        answer, status = None, "refusal"
    elif claim.choice and len(labels) > 1:
        answer, status = None, "ambiguous"
    elif not set(labels) <= set(offered.labels):
        answer = labels if set(labels) & set(offered.labels) else None
        status = "out_of_range"
    elif reply.cut and (claim.dangling or _open_ended(page, claim)):
        status = "truncated"
    return under_filter(reply, Reading(answer, status, claim.method, _flags(page, claim)))


def _open(reply: Reply) -> Opened:
    """The plain text of a reply, without reasoning and decoration."""
    opened = open_reply(reply)
    if opened.status:
        return opened
    text = plain(normalise(_ends(opened.text)))
    if _ASKED.search(text) and not _ENTRY_B.search(text):
        text = _REPLIED.sub("Answer:", text)
    return Opened(text) if bare(text) or is_empty_list(text) else nothing_in(reply, reasoned=False)


def _ends(text: str) -> str:
    """The text; of one that runs away, its beginning and its end."""
    if len(text) <= _LONGEST_HEAD + _LONGEST_TAIL:
        return text
    return f"{text[:_LONGEST_HEAD]}\n{text[-_LONGEST_TAIL:]}"


def _declared(reply: Reply, text: str, options: Options, *, several: bool) -> _Declared:
    """What a plain reply declares in the end, and the page that says so."""
    page = Page(text, options)
    if reply.cut:
        page = _turned(page, without_cut_entry(page, several=several))
    if repeats_options(page, cut=reply.cut) and not several:
        return _Declared(page, None)
    trimmed = without_echo(page)
    asked = page.heads and bare(page.text[: page.heads[0].start])
    if bare(trimmed) or not several or asked:
        page = _turned(page, trimmed)
    for segment in segments(page):
        part = _turned(page, segment)
        claim = from_whole(part) or weigh(collect(part), options, several=several)
        if claim:
            return _Declared(part, _as_texts(part, claim))
    return _Declared(page, None)


def _turned(page: Page, text: str) -> Page:
    return page if text is page.text else Page(text, page.options)


def _as_texts(page: Page, claim: Claim) -> Claim:
    """The claim, with letters that are no labels read as option texts where all of them are."""
    if set(claim.labels) <= set(page.options.labels):
        return claim
    equal = [page.options.equal_to(page.searchable(label)) for label in claim.labels]
    if not all(len(labels) == 1 for labels in equal):
        return claim
    return claim._replace(labels=tuple(labels[0] for labels in equal), by_text=True)


def _silent(reply: Reply, page: Page) -> Reading[T]:
    """The reading of a reply that declares nothing."""
    flags = ("transport_error_text",) if _TRANSPORT.match(page.text) else ()
    status: Status = "truncated" if reply.cut else "no_answer"
    if declines(page.low):
        status = "refusal"
    return under_filter(reply, Reading(None, status, flags=flags))


def _flags(page: Page, claim: Claim) -> tuple[str, ...]:
    one = not claim.by_text and len(claim.labels) == 1
    return ("letter_text_conflict",) if one and _conflicts(page, claim) else ()


def _conflicts(page: Page, claim: Claim) -> bool:
    """Whether the text after a letter is that of another option."""
    label = claim.labels[0]
    if claim.conflict:
        return True
    if page.options.shortest <= _LONGEST_DECORATED_LETTER:
        same = page.options.equal_to(page.searchable(label))
        if same and label not in same:
            return True
    after = page.text[claim.end : claim.end + page.options.longest + 40].partition("\n")[0]
    following = re.match(r"[)\]\"'>]*\s?[.:)(=,-]?\s?[(\"']?\s?(?=\S)", after)
    if not following or not following.group():
        return False
    named, _ = page.options.heading(page.searchable(after))
    return bool(named) and named != label


def _unsettled(page: Page, claim: Claim) -> bool:
    """Whether a cut reply breaks off at a label that need not have been the answer.

    It may be the first letter of a word, the first of a list of all options, an entry of numbered
    reasoning, the first part of "either A or B", or what stood above an answer that never came.
    """
    if claim.method == "head" and _begins_to_declare(page.low, claim.end):
        return True
    if page.text[claim.end :].strip(_OPEN):
        return False
    if claim.method == "last_line" or _NUMBERED.match(page.text):
        return True
    if _EITHER.search(page.low, 0, claim.end - 1):
        return True
    last = page.text.rstrip()[-1:]
    return claim.method == "cue" and last.islower() and page.text[claim.place : claim.end] == last


def _begins_to_declare(low: str, start: int) -> bool:
    """Whether a text ends in a cue without what it announces: "... The correct answer is"."""
    return any(
        PENDING.match(low, cue.end())
        for cue in CUE.finditer(low, max(start, len(low) - _LONGEST_CUE))
    )


def _open_ended(page: Page, claim: Claim) -> bool:
    """Whether a reply broke off right after the labels, so that more may have been meant."""
    return claim.kind == "labels" and claim.end > 0 and not page.text[claim.end :].strip(_OPEN)
