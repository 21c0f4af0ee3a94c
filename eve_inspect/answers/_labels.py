# ruff: noqa: RUF001 - letters of other scripts that look like Latin labels
"""Where labels stand in a reply, and how they are joined to lists.

A label is a letter that is not part of a word, a unit, a number or a name such as "C-band". Whether
it declares anything is for others to say: a letter in prose is a label here too.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cached_property
from typing import NamedTuple

from eve_inspect.answers._characters import fold
from eve_inspect.answers._decoration import BOX, END, NO, TAG, YES
from eve_inspect.answers._options import LABELS, TOKEN, Options, joined, tokens
from eve_inspect.answers._phrases import ATTRIBUTE, HEADS, JOIN, OPTION_WORD

_LOOKALIKES = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТХУаеорсухіј",
    "ABEZHIKMNOPTYXABESIJKMHOPCTXYaeopcyxij",
)
_WORD = "0-9A-Za-zÀ-ÖØ-öø-ɏͰ-ԯ؀-ۿ_°º"
_LABEL = re.compile(
    rf"(?<![{_WORD}])(?<!N/)(?!N/A)(?<![{_WORD}]['@])(?<![{_WORD}][{_WORD}]-)(?<!\^)"
    r"[A-Za-zΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТХУаеорсухіј]"
    rf"(?![{_WORD}%²³])(?!'[A-Za-z])(?!\.[{_WORD}](?![a-z]))(?![+#](?!\s?[A-Z](?![{_WORD}])))"
    rf"(?!-(?![A-Z](?![{_WORD}]))[{_WORD}])"
)
_CLUSTER = re.compile(rf"[A-Za-z]{{2,26}}(?![{_WORD}'-])")
_GAP = re.compile(r"\s*(?:(?:[-*]|\d{1,2}[.)])\s)?[\"'(\[]*(?:[-*]\s)?")
_STANDS = re.compile(rf"[)\]}}\"'>{END}]*[^\S\n]*(?:\Z|[\n.,;:)(|={YES}{NO}{END}-])")
_SEPARATING = re.compile(r"[,;/&+|、·\n]")
_LONE = re.compile(r"[^\S\n]*(?:\Z|[\n.,;:!?)/&-]|[A-Za-z](?![A-Za-z'-]))")
_HEAD_MARK = re.compile(rf"[)\]}}\"'>]*\s*(?:\Z|[.:)(|=,;{YES}{NO}{END}-])")
_MOST_LABELS = 1_000
_LONGEST_LIST = 200
_AFTER_LABEL = re.compile(r"[)\]}\"'>]*[^\S\n]*[.:)(\-,|]?[^\S\n]*[(\"']?")
_CLOSED = re.compile(r"[)\]}\"'>]*")
_ENTRY = re.compile(r"[)\]}\"'>]*(?:[^\S\n]*(?:[.:(|]|-(?=\s))|[^\S\n])")


class Label(NamedTuple):
    """Letters that stand where labels stand.

    Attributes:
        start: Offset of the first character.
        end: Offset after the last one.
        letters: Upper-case Latin letters; more than one for "ACD".
        upper: Whether they are written in upper case.
        latin: Whether they are Latin letters, and not look-alikes of another script.
    """

    start: int
    end: int
    letters: str
    upper: bool
    latin: bool = True

    @property
    def wordlike(self) -> bool:
        """Whether the letter is also a word in some language ("A", "I", "e")."""
        return not self.upper or not self.latin or self.letters in "AEIOUY"


class LabelList(NamedTuple):
    """Labels joined to a list.

    Attributes:
        labels: The labels in the order in which they stand, ranges filled in.
        start: Offset of the first one.
        end: Offset after the last one, and after its option text when that follows.
        last: The last label.
        choice: Whether "or" joins them.
        dangling: Whether a separator follows the last one and nothing else does.
    """

    labels: tuple[str, ...]
    start: int
    end: int
    last: Label
    choice: bool
    dangling: bool


class Head(NamedTuple):
    """A line that begins with a label.

    Attributes:
        start: Offset of the line.
        label: The label.
        rest: What follows it on the line.
        end: Offset of the end of the line.
    """

    start: int
    label: Label
    rest: str
    end: int


class Page:
    """A plain reply with its labels.

    Args:
        text: Plain text.
        options: The item's options.
    """

    def __init__(self, text: str, options: Options) -> None:
        self.text = text
        self.low = fold(text).replace("_", " ")  # "correct_answers", the key, is a phrase too
        self.options = options
        found = deque(_LABEL.finditer(text), maxlen=_MOST_LABELS)
        self.labels = [_label(match) for match in found]
        self.at = {label.start: label for label in self.labels}

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the whole reply."""
        return tokens(self.low)

    @cached_property
    def heads(self) -> list[Head]:
        """The lines that begin with an upper-case label and go on after punctuation, or end."""
        found: list[Head] = []
        for match in deque(HEADS.finditer(self.low), maxlen=_MOST_LABELS):
            label = self.at.get(match.end())
            if not label or not label.upper:
                continue
            end = self.text.find("\n", label.end)
            end = len(self.text) if end < 0 else end
            rest = self.text[label.end : end]
            if _HEAD_MARK.match(rest) or match.group().strip():
                found.append(Head(match.start(), label, rest, end))
        return found

    def label_at(self, start: int) -> Label | None:
        """The label at an offset: a letter, or letters written together."""
        label = self.at.get(start)
        if label:
            return self._without_article(label)
        match = _CLUSTER.match(self.text, start)
        if not match:
            return None
        letters = match.group()
        upper = letters.isupper()
        known = set(letters.upper()) <= set(self.options.labels)
        rising = list(letters.upper()) == sorted(set(letters.upper()))
        if known and rising and (upper or not set(letters) - set("abcd")):
            return Label(start, match.end(), letters.upper(), upper)
        return None

    def _without_article(self, label: Label) -> Label:
        """The label itself, or the one after it where it is an article ("é a B")."""
        if label.upper or self.text[label.end : label.end + 1] != " ":
            return label
        after = label.end + 1
        while self.text[after : after + 1] in ("(", "[", '"', "'"):
            after += 1
        following = self.at.get(after)
        return following if following and following.upper else label

    def list_at(self, start: int, *, across_lines: bool = False) -> LabelList | None:
        """The list of labels that begins at an offset."""
        first = self.label_at(start)
        if not first:
            return None
        labels = list(first.letters)
        last, choice = first, False
        end = self._after_text(last)
        dangling = False
        while len(labels) < _LONGEST_LIST and (join := JOIN.match(self.low, end)):
            following = self._joined(join, last, across_lines=across_lines)
            if not following:
                said = join["between"] or join["through"] or ""
                dangling = bool(said.strip()) and not self.text[join.end() :].strip()
                break
            if join["through"] and len(last.letters) == len(following.letters) == 1:
                labels += LABELS[LABELS.index(last.letters) + 1 : LABELS.index(following.letters)]
            labels += following.letters
            choice = choice or bool(join["or"])
            last = following
            end = self._after_text(last)
        return LabelList(tuple(labels), first.start, end, last, choice, dangling)

    def _joined(self, join: re.Match[str], last: Label, *, across_lines: bool) -> Label | None:
        """The label that a separator leads to, if it is one of the same list."""
        start = join.end()
        for word in ("and", "or"):  # "E" may be a label where "e" is a conjunction
            if join[word] and (mistaken := self.at.get(join.start(word))) and mistaken.upper:
                return mistaken
        if start not in self.at:
            return self._on_next_line(start, across_lines=across_lines)
        label = self.at[start]
        spaced = not is_separated(join) and not _LONE.match(self.text, label.end)
        range_of_words = join["through"] and not label.upper
        if label.upper != last.upper or spaced or range_of_words or not join.group():
            return None
        return label

    def _on_next_line(self, start: int, *, across_lines: bool) -> Label | None:
        """The label that a list goes on with on the next line, where lists may do that."""
        gap = _GAP.match(self.text, start)
        end = gap.end() if gap else start
        quoted = self.text[end - 1 : end] in ('"', "'")
        label = self.at.get(end) if across_lines or quoted else None
        stands = label and (_STANDS.match(self.text, label.end) or self.text_end(label))
        return label if stands else None

    def _after_text(self, label: Label) -> int:
        """Offset after the label, and after the option text that may follow it as an entry."""
        if len(label.letters) > 1 or not _ENTRY.match(self.text, label.end):
            return label.end
        end = self.text_end(label)
        return label.end if end is None else end

    def text_end(self, label: Label) -> int | None:
        """Offset after the text of an option that follows its own label; None if it does not."""
        index = LABELS.index(label.letters) if len(label.letters) == 1 else len(LABELS)
        if index >= len(self.options.labels) or not self.options.words[index]:
            return None
        position = label.end
        for word in self.options.words[index]:
            match = TOKEN.search(self.low, position, position + len(word) + 6)
            if not match or match.group() != word or "\n" in self.low[position : match.start()]:
                return None
            position = match.end()
        closed = _CLOSED.match(self.text, position)
        return closed.end() if closed else position

    def named(self, label: Label) -> bool:
        """Whether the letter is part of a name, as in "C band"."""
        return bool(ATTRIBUTE.match(self.low, label.end)) and self.text_end(label) is None

    def line_from(self, start: int) -> str:
        """The first line with text from an offset on, up to a closing mark; bounded in length."""
        limit = 3 * self.options.longest + 200
        begin = start
        while begin < len(self.text) and self.text[begin] in " \t\n":
            begin += 1
        line = self.text[begin : begin + limit]
        for stop in ("\n", END):
            line = line.partition(stop)[0]
        return line

    def searchable(self, text: str) -> str:
        """A stretch of text in the form in which option texts are found."""
        return joined(tokens(fold(text)))


def _label(match: re.Match[str]) -> Label:
    raw = match.group()
    letter = raw.translate(_LOOKALIKES)
    return Label(match.start(), match.end(), letter.upper(), raw.isupper(), raw.isascii())


_MARKS = f"{BOX}{TAG}{END}"


def bare(text: str) -> str:
    """Text without marks, punctuation and spaces at its ends."""
    return text.strip(_MARKS + " \t\n.,;:!?()[]{}<>\"'*-=|、。，；：！？✓")


def is_separated(join: re.Match[str]) -> bool:
    """Whether a word or sign joins two labels, and not only spaces or a word for "option"."""
    worded = join["and"] or join["or"] or join["through"] or join["close"]
    return bool(worded or _SEPARATING.search(join.group()))


def after_option_word(low: str, start: int) -> int:
    """Offset after a word for "option" and spaces, if one stands there."""
    match = OPTION_WORD.match(low, start)
    if not match:
        return start
    position = match.end()
    while position < len(low) and low[position] in " \t:(['\"":
        position += 1
    return position
