"""Options of a question and which of them are right."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eve_inspect.datasets._row import BadRowError, Row, describe, shorten, sound

_MAX_OPTIONS = len(string.ascii_uppercase)
_DECORATED = re.compile(r"\(?\s*(\w+)\s*[).:]?")
_SEPARATOR = re.compile(r"[\s,;/&+|]+(?:and\s+)?", re.IGNORECASE)
_INTEGER = re.compile(r"-?[0-9]+")


def option_letters(options: Sequence[str]) -> list[str]:
    """Return the letters under which options are shown: A, B, C, ..."""
    return list(string.ascii_uppercase[: len(options)])


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one question.

    Attributes:
        labels: Labels as the source has them, in order.
        texts: The options' texts, without outer white space.
    """

    labels: list[str]
    texts: list[str]

    @property
    def letters(self) -> list[str]:
        """The letters under which the options are shown: A, B, C, ..."""
        return option_letters(self.texts)

    def label_index(self, gold: str) -> int | None:
        """Return the index of the option with that label, in any case, as in ``b`` or ``(B)``."""
        labels = [label.casefold() for label in self.labels]
        match = _DECORATED.fullmatch(gold)
        for candidate in (gold, match[1] if match else gold):
            if candidate.casefold() in labels:
                return labels.index(candidate.casefold())
        return None

    def index(self, gold: str) -> int | None:
        """Return the index of the option with that label, or else with exactly that text."""
        found = self.label_index(gold)
        if found is None and self.texts.count(gold) == 1:
            return self.texts.index(gold)
        return found


def read_options(row: Row, column: str = "Choices") -> Options:
    """Read the options of a question.

    A list of texts, an object with the lists ``label`` and ``text``, a list of objects with these
    two keys, and an object of texts under their labels are understood.

    Raises:
        BadRowError: Fewer than two options, more than the alphabet has, a blank or repeated label,
            a blank option, an option that is not text, or labels and texts of different number.
    """
    value = row.structure(column)
    if value is None:
        raise BadRowError(column, "is missing")
    labels, texts = _split(value, column)
    if labels is not None and len(labels) != len(texts):
        raise BadRowError(column, f"has {len(labels)} labels for {len(texts)} texts")
    if not 2 <= len(texts) <= _MAX_OPTIONS:
        raise BadRowError(column, f"has {len(texts)} option(s); 2 to {_MAX_OPTIONS} can be asked")
    checked = [_text(text, f"option {i}", column) for i, text in enumerate(texts, 1)]
    if labels is None:
        return Options(option_letters(checked), checked)
    names = [_label(label, i, column) for i, label in enumerate(labels, 1)]
    if len({name.casefold() for name in names}) < len(names):
        raise BadRowError(column, f"repeats a label: {shorten(names)}")
    return Options(names, checked)


def read_golds(
    row: Row, options: Options, column: str, answer_base: int | None = None
) -> list[str]:
    """Read which options are right.

    Args:
        row: The row.
        options: Its options.
        column: The column that holds the right options: one or a list of letters, of labels of the
            source or of exact option texts; or one text that names several, as ``"A, C"``,
            ``"AC"`` or ``"A and C"``. A label in any case wins over an option text.
        answer_base: Where numbers count from, if they do not name labels.

    Returns:
        Letters under which the right options are shown, in the order of the options, each once.

    Raises:
        BadRowError: Nothing, or a value that names no option.
    """
    value = row.structure(column)
    values = value if isinstance(value, list | tuple) else [value]
    if not values or any(v is None or (isinstance(v, str) and not v.strip()) for v in values):
        raise BadRowError(column, f"names no right option: {describe(row.get(column))}")
    found: set[int] = set()
    for gold in values:
        found.update(_indices(gold, options, column, answer_base))
    return [options.letters[index] for index in sorted(found)]


def _split(value: object, column: str) -> tuple[list[object] | None, list[object]]:
    """Return labels, if there are any, and texts."""
    if isinstance(value, Mapping):
        keys = {str(key).casefold(): key for key in value}
        if set(keys) == {"label", "text"}:
            labels, texts = value[keys["label"]], value[keys["text"]]
            if not isinstance(labels, Sequence) or not isinstance(texts, Sequence):
                raise BadRowError(
                    column, f"needs lists under 'label' and 'text', not {shorten(value)}"
                )
            return list(labels), list(texts)
        used = {key: text for key, text in value.items() if text is not None}
        return list(used), list(used.values())
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadRowError(column, f"is {describe(value)}, not a list of options")
    if value and all(isinstance(one, Mapping) and {"label", "text"} <= set(one) for one in value):
        return [one["label"] for one in value], [one["text"] for one in value]
    return None, list(value)


def _text(value: object, what: str, column: str) -> str:
    if not isinstance(value, str):
        raise BadRowError(column, f"{what} is {describe(value)}, not text; put it in quotes")
    if not value.strip():
        raise BadRowError(column, f"{what} is blank")
    return sound(value, column).strip()


def _label(value: object, number: int, column: str) -> str:
    """Return a label without decoration: ``A`` for ``(A)`` or ``A.``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = _text(value, f"label {number}", column)
    match = _DECORATED.fullmatch(text)
    return match[1] if match else text


def _indices(gold: object, options: Options, column: str, answer_base: int | None) -> list[int]:
    """Return the indices of the options that one value names."""
    if isinstance(gold, float) and gold.is_integer():
        gold = int(gold)
    if isinstance(gold, bool) or not isinstance(gold, str | int):
        raise BadRowError(column, f"{describe(gold)} names no option; {_allowed(options)}")
    text = str(gold).strip()
    is_number = _INTEGER.fullmatch(text) is not None
    if is_number and answer_base is not None:
        return [_counted(int(text), options, column, answer_base)]
    found = options.label_index(text) if isinstance(gold, int) else options.index(text)
    if found is not None:
        return [found]
    if is_number:
        raise BadRowError(
            column,
            f"{gold!r} is a number, which may count from 0 or from 1: give letters, or declare "
            "which with answer_base",
        )
    several = _several(text, options)
    if not several:
        raise BadRowError(column, f"{shorten(text)} names no option; {_allowed(options)}")
    return several


def _counted(number: int, options: Options, column: str, answer_base: int) -> int:
    """Return the index of the option with that number."""
    last = len(options.texts) - 1 + answer_base
    if not answer_base <= number <= last:
        raise BadRowError(column, f"{number} names no option; allowed: {answer_base} to {last}")
    return number - answer_base


def _several(text: str, options: Options) -> list[int]:
    """Return the options that a text like ``A, C`` or ``AC`` names; none if it is no such text."""
    tokens = [token for token in _SEPARATOR.split(text) if token]
    if text.isalpha() and text.isupper() and len(set(text)) == len(text):
        tokens = list(text)
    found = [options.label_index(token) for token in tokens]
    return [] if None in found else [index for index in found if index is not None]


def _allowed(options: Options) -> str:
    return f"allowed: {', '.join(options.labels)}"
