"""Spans of an answer that are marked as hallucinated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from eve_inspect.datasets._row import BadRowError, Row, describe, shorten

_KEYS = {
    "start": "start",
    "start_char": "start",
    "end": "end",
    "end_char": "end",
    "prob": "prob",
    "probability": "prob",
    "text": "text",
}


class HardSpan(NamedTuple):
    """A marked span: code points from ``start`` up to, not including, ``end``."""

    start: int
    end: int


class SoftSpan(NamedTuple):
    """A span with the probability, in 0..1, that it is hallucinated."""

    start: int
    end: int
    prob: float


def utf16_to_codepoints(text: str, offsets: Sequence[int]) -> list[int]:
    """Convert offsets counted in UTF-16 code units into code points.

    Args:
        text: The text, in which offsets count from 0.
        offsets: Offsets in UTF-16 code units.

    Returns:
        Offsets in code points, in the same order.

    Raises:
        ValueError: An offset past the text or within a character.
    """
    points = {0: 0}
    units = 0
    for index, char in enumerate(text, 1):
        units += 2 if ord(char) > 0xFFFF else 1
        points[units] = index
    for offset in offsets:
        if offset not in points:
            raise ValueError(
                f"{offset} is no boundary between characters of a text of {units} UTF-16 units"
            )
    return [points[offset] for offset in offsets]


def read_hard_spans(
    row: Row, answer: str, utf16: bool = False, column: str = "Hard labels"
) -> list[HardSpan] | None:
    """Read marked spans: ``[start, end]`` pairs, or objects with these keys.

    Args:
        row: The row.
        answer: The text that offsets count in, never normalised.
        utf16: Whether offsets count UTF-16 code units.
        column: The column that holds the spans.

    Returns:
        Spans in code points, in order of place; None where the row has no such value.

    Raises:
        BadRowError: What is not a span within the text.
    """
    found = _spans(row, column, answer, utf16, ("start", "end"))
    return None if found is None else sorted(HardSpan(span.start, span.end) for span in found)


def read_soft_spans(
    row: Row, answer: str, utf16: bool = False, column: str = "Soft labels"
) -> list[SoftSpan] | None:
    """Read spans with probabilities: objects, or ``[start, end, prob]`` triples.

    Arguments, result and errors are those of ``read_hard_spans``. A probability outside 0..1 is bad
    too: what it was meant to be is not guessed.
    """
    found = _spans(row, column, answer, utf16, ("start", "end", "prob"))
    return None if found is None else sorted(found)


def _spans(
    row: Row, column: str, answer: str, utf16: bool, fields: tuple[str, ...]
) -> list[SoftSpan] | None:
    value = row.structure(column)
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = _transposed(value, column)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadRowError(column, f"is {describe(value)}, not a list of spans")
    return [_span(one, column, answer, utf16, fields) for one in value]


def _transposed(columns: Mapping[str, object], column: str) -> list[dict[str, object]]:
    """Turn an object of lists, another form of a list of objects, into that."""
    lists = {key: value for key, value in columns.items() if isinstance(value, list | tuple)}
    if len(lists) < len(columns) or len({len(value) for value in lists.values()}) > 1:
        raise BadRowError(column, f"is {shorten(columns)}, not a list of spans")
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def _span(
    value: object, column: str, answer: str, utf16: bool, fields: tuple[str, ...]
) -> SoftSpan:
    """Read and check one span."""
    parts = _parts(value, column, fields)
    start, end = (_offset(parts[key], key, column) for key in ("start", "end"))
    if utf16:
        try:
            start, end = utf16_to_codepoints(answer, [start, end])
        except ValueError as error:
            raise BadRowError(column, f"span {shorten(value)}: {error}") from None
    if not 0 <= start < end <= len(answer):
        raise BadRowError(
            column,
            f"span {shorten(value)} must hold 0 <= start < end <= {len(answer)}, "
            "the length of the answer",
        )
    _check_quote(parts.get("text"), answer, start, end, column)
    return SoftSpan(start, end, _probability(parts["prob"], column) if "prob" in fields else 1.0)


def _check_quote(quote: object, answer: str, start: int, end: int, column: str) -> None:
    """Compare a span's own text, where it has one, with what stands at its place."""
    held = answer[start:end]
    if quote is None or quote == held:
        return
    astral = any(ord(char) > 0xFFFF for char in answer)
    hint = "; declare offsets=utf16 if they count UTF-16 units" if astral else ""
    raise BadRowError(
        column, f"span {start}..{end} holds {shorten(held)}, not {shorten(quote)}{hint}"
    )


def _parts(value: object, column: str, fields: tuple[str, ...]) -> dict[str, object]:
    if isinstance(value, Mapping):
        parts = {_KEYS[key]: part for key, part in value.items() if key in _KEYS}
    elif isinstance(value, list | tuple) and len(value) == len(fields):
        parts = dict(zip(fields, value, strict=True))
    else:
        raise BadRowError(column, f"span {shorten(value)} needs {', '.join(fields)}")
    missing = [key for key in fields if parts.get(key) is None]
    if missing:
        raise BadRowError(column, f"span {shorten(value)} has no {', '.join(missing)}")
    return parts


def _offset(value: object, key: str, column: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadRowError(column, f"{key} is {describe(value)}, not a whole number of characters")
    return value


def _probability(value: object, column: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadRowError(column, f"probability is {describe(value)}, not a number in 0..1")
    return float(value)
