"""Recorded answers of a file: CSV of the earlier tool, or any CSV or JSON with named columns."""

from __future__ import annotations

import ast
import json
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import Reply, read_text
from eve_inspect.datasets import (
    Record,
    content_digest,
    content_ids,
    parse_csv,
    parse_json,
    parse_jsonl,
)
from eve_inspect.scorers._answer_sets import AnswerSet, RecordedAnswer, fold

_USUAL: Mapping[str, tuple[str, ...]] = {
    "question": ("doc\\.Question", "doc.Question", "Question", "question"),
    "reference": ("reference", "target", "Answer"),
    "answer": ("answer", "response", "output", "filtered_resps"),
    "id": ("id",),
    "context": ("context",),
}
_NO_ANSWER = ("[]", "[None]", "[nan]", "[null]", "[NaN]")
_NEEDED = ("question", "answer")
_LISTED = 20
_PARSERS: Mapping[str, Callable[[str], list[Record]]] = {
    ".csv": parse_csv,
    ".json": parse_json,
    ".jsonl": parse_jsonl,
}


def file_answers(content: bytes, source: str, columns: Mapping[str, str], side: str) -> AnswerSet:
    """Read the answers of a file; the arguments are those of ``load_answers``.

    Raises:
        EveInspectError: Content that is not what the suffix says, columns that are not there, or a
            cell that is no text.
    """
    where = f"{side}={source!r}"
    records = _records(content, source, where)
    names = _columns(records, columns, side, where)
    cells = {
        field: [
            _cell(record.get(column), where, number, column, whole=field == "id")
            for number, record in enumerate(records, 1)
        ]
        for field, column in names.items()
    }
    if names["answer"].endswith("resps"):
        cells["answer"] = _unwrapped(cells["answer"])
    _check_filled(cells, names, where)
    empty = [""] * len(records)
    questions = cells["question"]
    own = "id" in cells
    ids = cells["id"] if own else content_ids(content_digest(fold(text)) for text in questions)
    rows = zip(
        ids,
        questions,
        cells.get("reference", empty),
        cells.get("context", empty),
        cells["answer"],
        strict=True,
    )
    answers = tuple(
        RecordedAnswer(key, 1, question, reference, context, read_text(Reply(answer)))
        for key, question, reference, context, answer in rows
    )
    return AnswerSet(Path(source).stem, source, "", None, None, None, answers, has_ids=own)


def _records(content: bytes, source: str, where: str) -> list[Record]:
    try:
        records = _PARSERS[Path(source).suffix.casefold()](content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise EveInspectError(
            f"{where} cannot be read: byte {error.start} is not UTF-8; save it in that encoding."
        ) from error
    except ValueError as error:
        raise EveInspectError(f"{where} cannot be read: {error}.") from error
    if not records:
        raise EveInspectError(f"{where} holds no rows: name a file that does.")
    return [_flat(record) for record in records]


def _flat(record: Record) -> Record:
    """Name the fields of lm-eval's ``doc`` as in its CSV."""
    doc = record.get("doc")
    if not isinstance(doc, dict):
        return record
    return {**{f"doc.{name}": value for name, value in doc.items()}, **record}


def _columns(
    records: Sequence[Record], given: Mapping[str, str], side: str, where: str
) -> dict[str, str]:
    """Return the column of each field that the file has."""
    present = {name: None for record in records for name in record}
    for field, column in given.items():
        if field not in _USUAL:
            raise EveInspectError(
                f"the columns of {side} name {field!r}, which is not offered: use "
                f"{', '.join(_USUAL)}."
            )
        if column not in present:
            raise EveInspectError(
                f"{where} has no column {column!r} ({field}): it has {_listed(present)}."
            )
    names = dict(given)
    for field, usual in _USUAL.items():
        found = [name for name in usual if name in present and name not in given.values()]
        if field not in names and found:
            names[field] = found[0]
        elif field not in names and field in _NEEDED:
            raise EveInspectError(
                f"{where} has no column {' or '.join(map(repr, usual))} ({field}): name it in the "
                f"columns of {side}; the file has {_listed(present)}."
            )
    return names


def _listed(present: Mapping[str, None]) -> str:
    names = [repr(name) for name in present]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


def _cell(value: object, where: str, number: int, column: str, *, whole: bool) -> str:
    """Return the text of a cell; empty for none, the only text of a list of one."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if whole and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise EveInspectError(
            f"{where}, row {number}: {column!r} holds {type(value).__name__}, not text."
        )
    # Half a surrogate pair is no character: it could be neither sent to a judge nor written.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unwrapped(cells: list[str]) -> list[str]:
    """Take texts out of lists of one, if most cells that are filled hold such a list.

    A list without an answer is none. A cell that is no list stays as it is.
    """
    found = [_only(cell) if cell.strip() else "" for cell in cells]
    lists = sum(text is not None for cell, text in zip(cells, found, strict=True) if cell.strip())
    if 2 * lists <= sum(bool(cell.strip()) for cell in cells):
        return cells
    return [cell if text is None else text for cell, text in zip(cells, found, strict=True)]


def _only(cell: str) -> str | None:
    """Return the text of ``['text']``, as Python or JSON writes it; None for what is no list."""
    written = cell.strip()
    if written in _NO_ANSWER:
        return ""
    if written[:2] not in ("['", '["') or not written.endswith("]"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that ``repr`` never writes
            value = ast.literal_eval(written)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        value = None
    # Python would read 'a' 'b' as one text too: what ``repr`` does not write is no such list.
    if repr(value) != written:
        try:
            value = json.loads(written)
        except (ValueError, RecursionError):
            return None
    alone = isinstance(value, list) and len(value) == 1 and isinstance(value[0], str)
    return value[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace") if alone else None


def _check_filled(cells: Mapping[str, Sequence[str]], names: Mapping[str, str], where: str) -> None:
    for field in ("question", "id"):
        blank = [n for n, text in enumerate(cells.get(field, ()), 1) if not text.strip()]
        if blank:
            raise EveInspectError(f"{where}, row {blank[0]}: {names[field]!r} ({field}) is blank.")
