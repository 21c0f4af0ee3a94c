"""What in a reply is not the answer to the item: the echoed prompt and invented next questions."""

from __future__ import annotations

import re
from itertools import dropwhile, pairwise

from eve_inspect.answers._decoration import NO, YES
from eve_inspect.answers._labels import Head, Page
from eve_inspect.answers._options import LABELS, tokens
from eve_inspect.answers._phrases import words

_NUMBER = r"[ \t]{0,2}(?:(?:no|nr)?[#.]?[ \t]?\d{1,4})?[ \t]{0,2}"
NEXT = re.compile(
    rf"(?m)^[ \t#>\-]*(?:{words('question')}{_NUMBER}(?:[:.)]|$)|{words('turn')}[ \t]{{0,2}}:"
    r"|[^\n?]{10,}\?[ \t]*\n[ \t]*\n?[ \t]*\(?a[.):][ \t])"
)
"""Lines (in lower case) that start a question or another speaker's turn."""

_MOST_SEGMENTS = 50
_LAST_LABELS = 3
_OPTIONS_WORDS = frozenset({"answer", "options", "choices"})
_ENTRY_MARK = re.compile(r"[)\]]*(?:[.:)][)\]]*\s|\s?\()")
_JOINT = re.compile(rf"[,;]?\s{words('conjunction')}\s*\Z")
_BEGUN_NUMBER = re.compile(r"\n[^\S\n]*\d{1,2}[.)]?\s*\Z")


def segments(page: Page) -> list[str]:
    """The reply cut where a question or another speaker's turn begins.

    The first segment that declares an answer is the answer to the item; what follows it was
    invented. A question at the very start is the echoed prompt and stays in the first segment.
    """
    first = len(page.text) - len(page.text.lstrip())
    starts = [match.start() for match in NEXT.finditer(page.low) if match.start() > first]
    if not starts:
        return [page.text]
    del starts[_MOST_SEGMENTS:]
    bounds = [0, *starts, len(page.text)]
    return [page.text[a:b] for a, b in pairwise(bounds)]


def without_echo(page: Page) -> str:
    """The reply without an echoed list of all options and the question before it."""
    count = len(page.options.labels)
    heads = page.heads
    for first in range(len(heads) - count + 1):
        block = heads[first : first + count]
        if all(_is_entry(page, head, i) for i, head in enumerate(block)):
            before, after = page.text[: block[0].start], page.text[block[-1].end :]
            asked = NEXT.match(page.low) or before.rstrip().endswith("?")
            return after if asked or not before.strip() else f"{before.rstrip()}\n{after}"
    return page.text


def repeats_options(page: Page, *, cut: bool) -> bool:
    """Whether a reply says nothing but all options in their order, in whatever layout.

    Args:
        page: The reply.
        cut: Whether it was cut, so that the last of them may be missing.
    """
    least, most = len(page.options.raw[0]), 2 * page.options.length + 200
    if not (least if cut else page.options.length) <= len(page.text) <= most:
        return False
    if YES in page.text or NO in page.text:
        return False
    said = list(dropwhile(_OPTIONS_WORDS.__contains__, page.tokens))
    for labelled in (True, False):
        entries = [
            [label.lower(), *words] if labelled else words
            for label, words in zip(page.options.labels, page.options.words, strict=True)
        ]
        listed = [word for entry in entries for word in entry]
        if said == (listed[: len(said)] if cut else listed):
            return len(said) > len(entries[0])
    return False


def without_cut_entry(page: Page, *, several: bool) -> str:
    """A cut reply without what it breaks off in: an entry ("C. Ship") or, of several, an "and"."""
    joint = _JOINT.search(page.low, max(0, len(page.low) - 40)) if several else None
    if joint and not page.text[joint.start() :].strip().isupper():  # "A" is "and" in Czech
        return page.text[: joint.start()]
    number = _BEGUN_NUMBER.search(page.text, max(0, len(page.text) - 40))
    if number:
        return page.text[: number.start()]
    for label in reversed(page.labels[-_LAST_LABELS:]):
        if len(label.letters) > 1 or label.letters not in page.options.labels:
            continue
        begun = tokens(page.low[label.end :])
        whole = page.options.words[LABELS.index(label.letters)]
        mark = _ENTRY_MARK.match(page.text, label.end)
        if begun and mark and len(begun) <= len(whole) and begun != whole:
            head, last = begun[:-1], begun[-1]
            if head == whole[: len(head)] and whole[len(head)].startswith(last):
                return page.text[: label.end]
    return page.text


def _is_entry(page: Page, head: Head, index: int) -> bool:
    """Whether a line is a label and its option's text, and nothing of an answer."""
    if head.label.letters != page.options.labels[index]:
        return False
    prefix = page.text[head.start : head.label.start]
    if YES in prefix or NO in prefix or YES in head.rest:
        return False
    return page.searchable(head.rest) == page.options.texts[index]
