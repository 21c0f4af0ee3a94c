"""What in a reply is not the answer to the item: the echoed prompt and invented next questions."""

from __future__ import annotations

import re
from itertools import pairwise

from eve_inspect.answers._cues import words
from eve_inspect.answers._labels import Head, Page
from eve_inspect.answers._plain import NO, YES

_NUMBER = r"[ \t]{0,2}(?:(?:no|nr)?[#.]?[ \t]?\d{1,4})?[ \t]{0,2}"
NEXT = re.compile(
    rf"(?m)^[ \t#>\-]*(?:{words('question')}{_NUMBER}(?:[:.)]|$)|{words('turn')}[ \t]{{0,2}}:"
    r"|[^\n?]{10,}\?[ \t]*\n[ \t]*\n?[ \t]*\(?a[.):][ \t])"
)
"""Lines (in lower case) that start a question or another speaker's turn."""

_MOST_SEGMENTS = 50


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


def _is_entry(page: Page, head: Head, index: int) -> bool:
    """Whether a line is a label and its option's text, and nothing of an answer."""
    if head.label.letters != page.options.labels[index]:
        return False
    prefix = page.text[head.start : head.label.start]
    if YES in prefix or NO in prefix or YES in head.rest:
        return False
    return page.searchable(head.rest) == page.options.texts[index]
