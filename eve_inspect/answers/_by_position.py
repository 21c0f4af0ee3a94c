"""Answers declared by their place: the whole reply, its head, its last line."""

from __future__ import annotations

import re

from eve_inspect.answers._declarations import FIRM, SOFT, Claim, of_list
from eve_inspect.answers._decoration import BOX, END, TAG, YES
from eve_inspect.answers._labels import Head, Label, LabelList, Page, after_option_word, bare
from eve_inspect.answers._options import joined
from eve_inspect.answers._phrases import (
    ARTICLES,
    BECAUSE,
    BRIDGE,
    CHOICE_WORDS,
    JUDGEMENT_KINDS,
    LIST_WORDS,
    SUBJECT,
)
from eve_inspect.answers._without_letters import number_at, special_at

_SURNAME = re.compile(r"\.\s?[A-Z][a-z]+\s(?:et al|and [A-Z]|\(|\d|[A-Z])|\.\s?[A-Z]\.")
_NUMBERED = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+")
_MARK_AFTER_LABEL = re.compile(r"[)\]\"'>]*\s?[).:\],;(。-]")
_INLINE_ENTRY = re.compile(r"[.;!?]\s+\(?([A-Z])[:)]\s")
_JOURNAL = re.compile(r"\.\s?[A-Z][a-z]{1,9}\.\s[A-Z][a-z]{0,6}\.")
_MARK_AFTER_WORD = re.compile(r"[)\]\"'>]*\s?[).:\](。-]")
_SHORT_WORD = 4
_REJECTING = re.compile(r"wrong|incorrect|false|rule|exclud|eliminat|not ")
_LEADING = " \t\n.,;:!?()[]{}<>\"'*-=|✓\ue000\ue001\ue002"
_OPENING_WORD = re.compile(r"([^\W\d_]{2,20})\s?(?:[,.;:!\n]|-\s)")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n[^\S\n]*[(\[]?([A-Z])[)\].]*[^\S\n]*(?=\n[^\S\n]*\n)")
_BRACKETED = re.compile(r"\s\(([A-Z])\)")
_ABBREVIATION = re.compile(r"\s*\([^()\n]{1,40}\)\s*\.?\s*\Z")


def from_whole(page: Page) -> Claim | None:
    """A claim by a whole reply of labels, option texts, a number, or a word such as "all"."""
    text = page.text
    if is_empty_list(text):
        return Claim(0, "none", (), "whole_reply", FIRM, len(text))
    if not bare(text):
        return None
    numbered = _NUMBERED.match(text)
    begin = numbered.end() if numbered else len(text) - len(text.lstrip(_LEADING))
    short = len(text) <= page.options.longest + 60
    alone = _alone(page, begin, short=short)
    single = alone is not None and len(alone.labels) == 1
    equal = page.options.equal_to(joined(page.tokens)) if short and not single else []
    if alone and not equal:
        return of_list(alone, _manner(text[: alone.start]), FIRM)._replace(place=0)
    if len(equal) == 1:
        return _by_text(page, tuple(equal))
    number = None if numbered else number_at(page, begin, "whole_reply")
    for claim in (number, special_at(page, begin, "whole_reply", FIRM)):
        if claim and not bare(text[claim.end :]):
            return claim
    return _whole_by_text(page)


def is_empty_list(text: str) -> bool:
    """Whether a text is "[]" and nothing else."""
    return len(text) < 80 and "".join(text.split()) == "[]"


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
    before = bare(page.text[begin : listed.start]).lower()
    named = after_option_word(page.low, begin) == listed.start
    if before and not named and _may_be_word(listed, before):
        return None  # "the A" is no reply of nothing but a label
    lettered = len(listed.labels) > 1 and listed.end == listed.last.end
    if lettered and short and page.options.inside(page.searchable(page.text)):
        return None  # an option may read "both A and B"
    return listed


def _may_be_word(listed: LabelList, before: str) -> bool:
    """Whether a lone label with words before it may be a word itself."""
    if len(listed.labels) > 1 or not listed.last.wordlike:
        return False
    article = before.rpartition(" ")[2] in ARTICLES
    return article or not listed.last.upper or listed.last.letters == "I"


def _whole_by_text(page: Page) -> Claim | None:
    """A claim by a whole reply of one option text and its abbreviation, or of several texts."""
    if len(page.text) > 2 * page.options.length + 200:
        return None
    bracketed = _BRACKETED.findall(page.text)
    if bracketed:
        listed = _whole_by_text(Page(_BRACKETED.sub("", page.text), page.options))
        return listed if listed and listed.labels == tuple(bracketed) else None
    short = _ABBREVIATION.sub("", page.text)
    equal = page.options.equal_to(page.searchable(_NUMBERED.sub("", short)))
    if len(equal) == 1:
        return _by_text(page, tuple(equal))
    if page.text.rstrip().endswith("?"):
        return None
    rest = joined(page.tokens)
    labels: list[str] = []
    choice = False
    while rest.strip():
        label, after = page.options.heading(rest)
        if label:
            labels.append(label)
            rest = after
        elif rest.split()[0] in LIST_WORDS | CHOICE_WORDS:
            choice = choice or rest.split()[0] in CHOICE_WORDS
            rest = f" {rest.lstrip().partition(' ')[2]}"
        else:
            return None
    return _by_text(page, tuple(labels))._replace(choice=choice) if labels else None


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
    verdict = _verdict_word(page, begin)
    if verdict:
        return [Claim(begin, "labels", (verdict,), "head", SOFT, begin + 1, by_text=True)]
    listed = page.list_at(begin, across_lines=True)
    if not listed or not listed.last.upper or listed.start != begin:
        return []
    if any(head.label.letters not in listed.labels for head in heads):
        return []
    ended = bare(page.text[listed.end :].partition("\n")[0]).lower() in ("", "only", "alone")
    if not ended and ("\n" in page.text[begin : listed.end] or not _heads_prose(page, listed)):
        return []
    return [of_list(listed, "head", FIRM)]


def _verdict_word(page: Page, begin: int) -> str:
    """The label of a "yes" or "no" (of an item with just such options) that opens the reply."""
    word = _OPENING_WORD.match(page.text, begin)
    if not word or not all(text.strip() in JUDGEMENT_KINDS for text in page.options.texts):
        return ""
    return "".join(page.options.equal_to(page.searchable(word[1])))


def _heads_prose(page: Page, listed: LabelList) -> bool:
    """Whether labels at the head of a line of text stand there as the answer to it."""
    last, text = listed.last, page.text
    if not set(listed.labels) <= set(page.options.labels) or page.named(last):
        return False
    line = page.line_from(last.end)
    if _is_initial(page, last, line) or _INLINE_ENTRY.search(line):
        return False
    if listed.end > last.end:
        return True
    if last.letters == "I" or SUBJECT.match(page.low, last.end):
        return False
    reason = BECAUSE.match(page.low, last.end)
    if reason and not (last.wordlike and len(reason.group().strip(" ,")) < _SHORT_WORD):
        return True
    mark = _MARK_AFTER_WORD if last.wordlike else _MARK_AFTER_LABEL
    return bool(mark.match(text, last.end))


def _is_initial(page: Page, label: Label, line: str) -> bool:
    """Whether a label is the initial of a name or journal ("J. Geophys. Res."), not an answer."""
    if _JOURNAL.match(page.text, label.end):
        return True
    named = page.options.heading(page.searchable(line))[0]
    return bool(_SURNAME.match(page.text, label.end)) and not named


def from_own_paragraph(page: Page, heads: list[Head]) -> list[Claim]:
    """A weak claim by the only paragraph that is nothing but a label, between others."""
    found = [match for match in _PARAGRAPH.finditer(page.text) if page.at.get(match.start(1))]
    if len(found) != 1 or any(head.label.letters != found[0][1] for head in heads):
        return []
    label = page.at[found[0].start(1)]
    intro = page.low[: found[0].start()].rpartition("\n")[2]
    if label.letters not in page.options.labels or _REJECTING.search(intro):
        return []
    return [Claim(label.start, "labels", (label.letters,), "paragraph", SOFT, label.end)]


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
