"""Finding quoted fragments in the text they were quoted from.

Offsets are code points of the text as it is stored. Where a quotation differs from it in spaces,
case, dashes, quotation marks, width or the way accents are composed, it is found in a folded copy
that knows where each of its characters came from; the stored text itself is never changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from eve_inspect.answers._fragments import Fragment


class SoftSpan(NamedTuple):
    """A stretch ``text[start:end]``, in code points, and the probability that it is false."""

    start: int
    end: int
    probability: float


class Located(NamedTuple):
    """Where fragments stand.

    Every fragment is in exactly one of ``spans``, ``unplaced`` and ``dropped``.

    Attributes:
        spans: The fragments that were placed, in the order in which they were given; they may
            overlap.
        unplaced: How many are not in the text, or not as often as they were given.
        clipped: How many of the spans reached beyond the text.
        dropped: How many were empty, outside the text, began at or after their end, or had a
            probability that is not a number from 0 to 1.
    """

    spans: tuple[SoftSpan, ...]
    unplaced: int
    clipped: int
    dropped: int


class _Place(NamedTuple):
    start: int
    end: int


def locate(text: str, fragments: Sequence[Fragment]) -> Located:
    """Find fragments in a text.

    A fragment is looked for as it is, then in other spaces, case, dashes, quotation marks, width or
    composition of accents and without emphasis marks, then without any spaces, then without
    punctuation round it; on word boundaries first, inside words only when it is nowhere on word
    boundaries. A repeated fragment takes the next place. Nothing is matched by likeness.

    Args:
        text: The text as it is stored.
        fragments: What ``read_fragments`` gave.

    Returns:
        The spans and the counts of what could not be placed.
    """
    finder = _Finder(text)
    spans: list[SoftSpan] = []
    unplaced = clipped = dropped = 0
    for fragment in fragments:
        if not 0 <= fragment.probability <= 1 or _is_empty(fragment, len(text)):
            dropped += 1
        elif fragment.text is not None:
            place = finder.place(fragment.text)
            if place is None:
                unplaced += 1
            else:
                spans.append(SoftSpan(*place, fragment.probability))
        elif fragment.start is not None and fragment.end is not None:
            start, end = max(fragment.start, 0), min(fragment.end, len(text))
            clipped += (start, end) != (fragment.start, fragment.end)
            spans.append(SoftSpan(start, end, fragment.probability))
    return Located(tuple(spans), unplaced, clipped, dropped)


def _is_empty(fragment: Fragment, length: int) -> bool:
    if fragment.text is not None:
        return not fragment.text.strip()
    if fragment.start is None or fragment.end is None:
        return True
    return max(fragment.start, 0) >= min(fragment.end, length)


class _Finder:
    """Hands out the places of fragments, each place once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._taken: set[_Place] = set()
        self._pending: dict[str, Iterator[_Place]] = {}
        self._parted: dict[int, bool] = {}

    def place(self, fragment: str) -> _Place | None:
        """Return the next free place of a fragment, or None when there is none left."""
        places = self._pending.setdefault(fragment, self._places(fragment))
        for place in places:
            if place not in self._taken:
                self._taken.add(place)
                return place
        return None

    def _places(self, fragment: str) -> Iterator[_Place]:
        found = False
        for place in self._everywhere(fragment):
            if self._between_words(place.start) and self._between_words(place.end):
                found = True
                yield place
        if not found:
            yield from _occurrences(self._text, fragment)
            yield from self._folded.places(_fold(fragment).text.strip(" "))

    def _everywhere(self, fragment: str) -> Iterator[_Place]:
        yield from _occurrences(self._text, fragment)
        folded = _fold(fragment).text.strip(" ")
        yield from self._folded.places(folded)
        squeezed = folded.replace(" ", "")
        yield from self._squeezed.places(squeezed)
        trimmed = squeezed.strip(_EDGES)
        if trimmed != squeezed:
            yield from self._squeezed.places(trimmed)

    def _between_words(self, at: int) -> bool:
        if at not in self._parted:
            self._parted[at] = _parted(self._text, at)
        return self._parted[at]

    @cached_property
    def _folded(self) -> _Folded:
        return _fold(self._text)

    @cached_property
    def _squeezed(self) -> _Folded:
        return self._folded.without_spaces()


def _occurrences(text: str, part: str) -> Iterator[_Place]:
    start = text.find(part) if part else -1
    while start >= 0:
        yield _Place(start, start + len(part))
        start = text.find(part, start + len(part))


def _parted(text: str, at: int) -> bool:
    """Whether no word and no number runs across an offset."""
    before, after = text[at - 1 : at] if at else "", text[at : at + 1]
    if not before or not after:
        return True
    if unicodedata.category(after)[0] == "M":
        return before.isspace()  # an accent belongs to the character before it, if there is one
    if before in ".," and after.isdigit():  # 2.5 is one number
        return not text[max(at - 2, 0) : at - 1].isdigit()
    if after in ".," and before.isdigit():
        return not text[at + 1 : at + 2].isdigit()
    return not (_in_word(before) and _in_word(after))


def _in_word(char: str) -> bool:
    # Chinese, Japanese and Korean put no spaces between words, or only round groups of them.
    if unicodedata.east_asian_width(char) == "W":
        return False
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"


class _Folded(NamedTuple):
    """A folded text; character i came from ``starts[i]:ends[i]`` of the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def places(self, part: str) -> Iterator[_Place]:
        """Yield where a folded part stands, as offsets in the original."""
        for start, end in _occurrences(self.text, part):
            if self._is_edge(start) and self._is_edge(end):
                yield _Place(self.starts[start], self.ends[end - 1])

    def without_spaces(self) -> _Folded:
        """Return the same text without its spaces."""
        kept = [i for i, char in enumerate(self.text) if char != " "]
        return _Folded(
            "".join(self.text[i] for i in kept),
            [self.starts[i] for i in kept],
            [self.ends[i] for i in kept],
        )

    def _is_edge(self, at: int) -> bool:
        # What came from one character of the original cannot be parted.
        return at in (0, len(self.text)) or self.starts[at] != self.starts[at - 1]


_EDGES = "\"'.,;:!?()[]{}<>"
_MAX_CLUSTER = 32  # reordering a long run of accents takes quadratic time
_EMPHASIS = "*`"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d"
_FOLDED_MARKS = str.maketrans(
    {
        **dict.fromkeys(_SINGLE_QUOTES, "'"),
        **dict.fromkeys(_DOUBLE_QUOTES, '"'),
        **dict.fromkeys("\u2212\u2043\u02d7", "-"),
    }
)


def _fold(text: str) -> _Folded:
    """Return a copy in which spaces, case, dashes, quotes, width and accents are uniform."""
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < min(len(text), at + _MAX_CLUSTER) and unicodedata.combining(text[end]):
            end += 1
        folded = _fold_cluster(text[at:end])
        if folded == " " and chars and chars[-1] == " ":
            ends[-1] = end
        else:
            chars.extend(folded)
            starts.extend([at] * len(folded))
            ends.extend([end] * len(folded))
        at = end
    return _Folded("".join(chars), starts, ends)


def _fold_cluster(cluster: str) -> str:
    """Fold one character with the accents that follow it; empty for what cannot be seen."""
    if cluster.isascii():
        if cluster in _EMPHASIS:
            return ""
        return " " if cluster.isspace() else cluster.lower()
    marked = cluster.translate(_FOLDED_MARKS)
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", marked).casefold())
    return "".join(filter(None, map(_fold_char, folded))) or ""


def _fold_char(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Pd":
        return "-"
    if char.isspace():
        return " "
    hidden = category == "Cf" or "\ufe00" <= char <= "\ufe0f"
    return "" if hidden else char.translate(_FOLDED_MARKS)
