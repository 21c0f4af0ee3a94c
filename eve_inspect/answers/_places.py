"""Answers declared by their place: the whole reply, its head, its last line."""

from __future__ import annotations

import re

from eve_inspect.answers._claims import FIRM, SOFT, Claim, of_list
from eve_inspect.answers._cues import BECAUSE, BRIDGE, LIST_WORDS
from eve_inspect.answers._labels import Head, LabelList, Page, after_option_word, bare
from eve_inspect.answers._plain import BOX, END, TAG, YES
from eve_inspect.answers._special import number_at, special_at

_SURNAME = re.compile(r"\.\s?[A-Z][a-z]+\s(?:et al|and [A-Z]|\(|\d|[A-Z])|\.\s?[A-Z]\.")
_NUMBERED = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+")
_MARK_AFTER_LABEL = re.compile(r"[)\]\"'>]*\s?[).:\],;(=。-]")
_MARK_AFTER_WORD = re.compile(r"[)\]\"'>]*\s?[).:\](=。-]")
_SHORT_WORD = 4
_REJECTING = re.compile(r"wrong|incorrect|false|rule|exclud|eliminat|not ")
_LEADING = " \t\n.,;:!?()[]{}<>\"'*-=|✓\ue000\ue001\ue002"
_ABBREVIATION = re.compile(r"\s*\([^()\n]{1,40}\)\s*\.?\s*\Z")


def from_whole(page: Page, *, several: bool) -> Claim | None:
    """A claim by a whole reply of labels, option texts, a number, or a word such as "all"."""
    text = page.text
    if not bare(text):
        return None
    numbered = _NUMBERED.match(text)
    begin = numbered.end() if numbered else len(text) - len(text.lstrip(_LEADING))
    short = len(text) <= page.options.longest + 60
    equal = page.options.equal_to(page.searchable(text)) if short else []
    alone = _alone(page, begin, short=short)
    if alone and (len(alone.labels) == 1 or not equal):
        return of_list(alone, _manner(text[: alone.start]), FIRM)._replace(place=0)
    if len(equal) == 1:
        return _by_text(page, tuple(equal))
    number = None if numbered else number_at(page, begin, "whole_reply")
    for claim in (number, special_at(page, begin, "whole_reply", FIRM)):
        if claim and not bare(text[claim.end :]):
            return claim
    return _whole_by_text(page, several=several)


def _manner(before: str) -> str:
    """How labels are declared that nothing but this stands before."""
    if BOX in before:
        return "boxed"
    if TAG in before:
        return "tag"
    if "{" in before and ":" in before:
        return "json"
    return "cue" if ":" in before or "=" in before else "whole_reply"


def _alone(page: Page, begin: int, *, short: bool) -> LabelList | None:
    """The labels that a whole reply consists of, with option texts and words of no weight."""
    bridge = BRIDGE.match(page.low, begin)
    listed = page.list_at(bridge.end() if bridge else begin, across_lines=True)
    if not listed or bare(page.text[listed.end :]):
        return None
    wordlike = not listed.choice and set(listed.labels) & set("AEIOUY")
    worded = bare(page.text[begin : listed.start])
    if wordlike and worded and after_option_word(page.low, begin) != listed.start:
        return None  # "the A" is no reply of nothing but a label
    lettered = len(listed.labels) > 1 and listed.end == listed.last.end
    if lettered and short and page.options.inside(page.searchable(page.text)):
        return None  # an option may read "both A and B"
    return listed


def _whole_by_text(page: Page, *, several: bool) -> Claim | None:
    """A claim by a whole reply of one option text and its abbreviation, or of several texts."""
    if len(page.text) > 2 * sum(map(len, page.options.texts)) + 100:
        return None
    short = _ABBREVIATION.sub("", page.text)
    equal = page.options.equal_to(page.searchable(_NUMBERED.sub("", short)))
    if len(equal) == 1:
        return _by_text(page, tuple(equal))
    if not several:
        return None
    rest = page.searchable(page.text)
    labels: list[str] = []
    while rest.strip():
        label, after = page.options.heading(rest)
        if label:
            labels.append(label)
            rest = after
        elif rest.split()[0] in LIST_WORDS:
            rest = f" {rest.lstrip().partition(' ')[2]}"
        else:
            return None
    return _by_text(page, tuple(labels)) if labels else None


def _by_text(page: Page, labels: tuple[str, ...]) -> Claim:
    return Claim(0, "labels", labels, "whole_reply", FIRM, len(page.text), by_text=True)


def from_head(page: Page, heads: list[Head]) -> list[Claim]:
    """A claim by labels, or by a word such as "none", at the head of the reply."""
    begin = after_option_word(
        page.low, len(page.text) - len(page.text.lstrip(f" \t\n\"'([{{<-*•{YES}"))
    )
    special = special_at(page, begin, "head", SOFT)
    if special:
        return [special]
    listed = page.list_at(begin, across_lines=True)
    if not listed or not listed.last.upper or listed.start != begin:
        return []
    if any(head.label.letters not in listed.labels for head in heads):
        return []
    ended = bare(page.text[listed.end :].partition("\n")[0]).lower() in ("", "only", "alone")
    if not ended and ("\n" in page.text[begin : listed.end] or not _heads_prose(page, listed)):
        return []
    return [of_list(listed, "head", FIRM)]


def _heads_prose(page: Page, listed: LabelList) -> bool:
    """Whether labels at the head of a line of text stand there as the answer to it."""
    last, text = listed.last, page.text
    if not set(listed.labels) <= set(page.options.labels) or page.named(last):
        return False
    line = page.line_from(last.end)
    if _SURNAME.match(text, last.end) and not page.options.heading(page.searchable(line))[0]:
        return False
    if listed.end > last.end:
        return True
    if last.letters == "I":
        return False
    reason = BECAUSE.match(page.low, last.end)
    if reason and not (last.wordlike and len(reason.group().strip(" ,")) < _SHORT_WORD):
        return True
    mark = _MARK_AFTER_WORD if last.wordlike else _MARK_AFTER_LABEL
    return bool(mark.match(text, last.end))


def from_last_line(page: Page, heads: list[Head]) -> list[Claim]:
    """A claim by a last line, or last lines, of nothing but labels and their option texts."""
    text = page.text.rstrip(f" \t\n{END}")
    start = text.rfind("\n") + 1
    line = text[start:]
    begin = start + len(line) - len(line.lstrip(" \t\"'([{<-*>"))
    listed = page.list_at(after_option_word(page.low, begin))
    if not listed or not listed.last.upper or bare(text[listed.end :]):
        return []
    if listed.start != after_option_word(page.low, begin):
        return []
    if len(listed.labels) > 1:
        return [of_list(listed, "last_line", FIRM)]
    labels, begin = _last_entries(page, heads, start)
    intro = page.low[:begin].rstrip().rpartition("\n")[2]
    if len(labels) > 1 and _REJECTING.search(intro):
        return []
    return [of_list(listed, "last_line", FIRM)._replace(labels=labels or listed.labels)]


def _last_entries(page: Page, heads: list[Head], begin: int) -> tuple[tuple[str, ...], int]:
    """The labels of the lines at the end that hold nothing but an entry, and where they begin."""
    run: list[str] = []
    for head in reversed([head for head in heads if _is_pure(page, head)]):
        if run and page.text[head.end : begin].strip():
            break
        run.insert(0, head.label.letters)
        begin = head.start
    return tuple(run), begin


def _is_pure(page: Page, head: Head) -> bool:
    """Whether a line holds nothing but a label and its option's text."""
    own = page.text_end(head.label)
    return not bare(page.text[head.label.end if own is None else own : head.end])
