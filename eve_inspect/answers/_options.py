"""The options of an item: their labels, and finding their texts in what a model wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._decoration import plain
from eve_inspect.answers._phrases import EVERY, NONE

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

TOKEN = re.compile(
    r"(?:(?<!\w)-)?\d+(?:[.,]\d+)*"  # a number, with its sign
    r"|(?<![^\W\d_])[a-zµμ]{1,3}/[a-z]{1,4}\d?(?!\w)"  # a unit such as m/s
    r"|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # scripts without spaces: by character
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]*"
    r"|[<>≤≥±=%°√∞^+]"
)

_RANGE_BEFORE = re.compile(r"\d(?: to| and| bis| und| à| et| y| e)?\Z")
"""What before a number makes it the end of a range, and no value ("10-20 m")."""


def tokens(folded: str) -> list[str]:
    """The words, numbers and telling signs of folded text."""
    return TOKEN.findall(folded)


def joined(words: Sequence[str]) -> str:
    """Tokens as one searchable string: each between spaces, so that whole tokens are found."""
    return f" {' '.join(words)} "


class Options:
    """The options of one item.

    Args:
        texts: Option texts in the order in which they are labelled A, B, C, ...

    Raises:
        ValueError: No option, or more than there are labels.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        if not 1 <= len(texts) <= len(LABELS):
            raise ValueError(
                f"{len(texts)!r} options: answers are read for 1 to {len(LABELS)} options "
                "(labels A to Z); split or drop such an item"
            )
        self.raw = texts
        self.labels = LABELS[: len(texts)]

    @cached_property
    def words(self) -> list[list[str]]:
        """Tokens of each option text."""
        return [tokens(fold(plain(normalise(text)))) for text in self.raw]

    @cached_property
    def texts(self) -> list[str]:
        """Searchable form of each option text."""
        return [joined(words) for words in self.words]

    @cached_property
    def _longest_first(self) -> list[tuple[str, str]]:
        pairs = [(text, label) for text, label in zip(self.texts, self.labels, strict=True)]
        return sorted((p for p in pairs if p[0].strip()), key=lambda pair: -len(pair[0]))

    @cached_property
    def length(self) -> int:
        """Length in characters of all option texts."""
        return sum(map(len, self.raw))

    @cached_property
    def shortest(self) -> int:
        """Length in characters of the shortest option text."""
        return min(map(len, self.raw))

    @cached_property
    def longest(self) -> int:
        """Length in characters of the longest option text."""
        return max(map(len, self.raw))

    def equal_to(self, text: str) -> list[str]:
        """Labels of the options whose text is exactly this one (searchable form)."""
        return [label for option, label in self._longest_first if option == text]

    def heading(self, text: str) -> tuple[str, str]:
        """Label of the longest option text that a searchable text begins with, and the rest."""
        for option, label in self._longest_first:
            if text.startswith(option) and self.texts.count(option) == 1:
                return label, text[len(option) - 1 :]
        return "", text

    def inside(self, text: str) -> list[str]:
        """Labels of the option texts found in a searchable text as whole tokens, longest first."""
        found: list[str] = []
        for option, label in self._longest_first:
            if option not in text:
                continue
            if not (option[1].isdigit() and _RANGE_BEFORE.search(text[: text.index(option)])):
                found.append(label)
            text = text.replace(option, " | ")
        return sorted(found)

    def holds_number(self, number: int) -> bool:
        """Whether an option text holds this number, so that it could be meant as a value."""
        return any(str(number) == word.lstrip("-") for words in self.words for word in words)

    @cached_property
    def all_of_them(self) -> str:
        """Label of the option that says "all of the above"; empty when none does."""
        return self._label_of(EVERY)

    @cached_property
    def none_of_them(self) -> str:
        """Label of the option that says "none of the above"; empty when none does."""
        return self._label_of(NONE)

    def _label_of(self, phrase: re.Pattern[str]) -> str:
        for text, label in zip(self.texts, self.labels, strict=True):
            if phrase.fullmatch(text.strip()):
                return label
        return ""
