"""Reading a file of records, with text kept as text.

The readers of the ``datasets`` library infer types: dates become timestamps, ``NA`` becomes
missing, ``007`` becomes 7. Text formats are therefore read with the standard library, which infers
nothing, leaves no copy in a cache, and tells the line of a fault. Parquet has its types in the
file.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path

Record: TypeAlias = dict[str, Any]
"""A record of a file: its values by column."""

_MAX_CELL = 2**31 - 1
_DELIMITERS = ",;\t"


def read_records(path: str | Path) -> list[Record]:
    """Read all records of a file.

    Args:
        path: A ``.parquet`` file; a ``.jsonl`` file, with an object on each line; a ``.json`` file,
            with a list of objects or as ``.jsonl``; or a ``.csv`` file with a header and commas,
            semicolons or tabs. Text files are UTF-8, with or without a byte order mark. All cells
            of a ``.csv`` file are text.

    Raises:
        EveInspectError: The file is missing, has another suffix, or cannot be read as what its
            suffix says, or holds no records.
    """
    file = user_path("dataset", path)
    reader = _READERS.get(file.suffix.casefold())
    if file.is_dir():
        raise EveInspectError(f"dataset={str(path)!r} is a directory: name a file in it.")
    if reader is None:
        raise EveInspectError(
            f"dataset={str(path)!r} is not offered: use 'hub', 'sample', or the path of a "
            f"{', '.join(_READERS)} file in the hub's columns."
        )
    try:
        records = reader(file)
    except FileNotFoundError:
        raise EveInspectError(
            f"dataset={str(path)!r} does not exist: check the path, which counts from the "
            "folder where the command is run, or use dataset=sample."
        ) from None
    except OSError as error:
        raise EveInspectError(
            f"dataset={str(path)!r} cannot be read: {error.strerror or type(error).__name__}."
        ) from error
    except _UnreadableError as error:
        raise EveInspectError(f"dataset={str(path)!r} cannot be read: {error}.") from error
    if not records:
        raise EveInspectError(f"dataset={str(path)!r} holds no rows: name a file that does.")
    return records


def parse_jsonl(text: str) -> list[Record]:
    """Read an object from each line that is not blank.

    Raises:
        ValueError: A line that is not a JSON object.
    """
    return [
        _object(_json(line.rstrip("\r\n"), number), f"line {number}")
        for number, line in enumerate(io.StringIO(text, newline="\n"), 1)
        if line.strip()
    ]


def parse_json(text: str) -> list[Record]:
    """Read a list of objects, or objects on lines of their own.

    Raises:
        ValueError: Anything else.
    """
    if not text.lstrip().startswith("["):
        return parse_jsonl(text)
    values = cast("list[object]", _json(text, 1))  # what begins with a bracket is a list, or fails
    return [_object(value, f"entry {number}") for number, value in enumerate(values, 1)]


def parse_csv(text: str) -> list[Record]:
    """Read records under a header; commas, semicolons or tabs separate cells.

    Raises:
        ValueError: A header that repeats a name, or a row of another width than it.
    """
    header_line = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header_line.count)
    limit = csv.field_size_limit(_MAX_CELL)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return list(_csv_records(rows))
    except csv.Error as error:
        raise _UnreadableError(f"line {rows.line_num} is not CSV ({error})") from error
    finally:
        csv.field_size_limit(limit)


class _UnreadableError(ValueError):
    """Content that does not have the form its suffix promises."""


def _csv_records(rows: Iterable[list[str]]) -> Iterator[Record]:
    filled = (cells for cells in rows if cells)
    header = [name.strip() for name in next(filled, [])]
    if len(set(header)) < len(header):
        raise _UnreadableError(f"the header repeats a name: {', '.join(header)}")
    for number, cells in enumerate(filled, 1):
        if len(cells) != len(header):
            raise _UnreadableError(f"row {number} has {len(cells)} cells, the header {len(header)}")
        yield dict(zip(header, cells, strict=True))


def _json(text: str, line: int) -> object:
    """Parse JSON; an error names the line, counted on from the one that the text begins on."""
    try:
        return json.loads(text, object_pairs_hook=_unrepeated)
    except json.JSONDecodeError as error:
        where = f"line {line + error.lineno - 1}, character {error.colno}"
        raise _UnreadableError(f"{where} is not JSON ({error.msg})") from error
    except RecursionError as error:
        raise _UnreadableError(f"line {line} is nested too deeply") from error
    except ValueError as error:  # a repeated key, or a number of thousands of digits
        raise _UnreadableError(f"line {line}: {error}") from error


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dictionary of an object's pairs; of a repeated key nobody can tell which is meant."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object repeats the key {repeated!r}")
    return values


def _object(value: object, where: str) -> Record:
    if not isinstance(value, dict):
        raise _UnreadableError(f"{where} is not an object with column names and values")
    return value


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError(
            f"byte {error.start} is not UTF-8; save it in that encoding"
        ) from error


def _read_parquet(file: Path) -> list[Record]:
    import pyarrow
    from pyarrow import parquet

    try:
        with file.open("rb") as stream:
            return list(parquet.read_table(stream).to_pylist())
    except (pyarrow.ArrowException, ValueError, OverflowError) as error:
        # The last two: values of other columns that Python cannot hold, such as times.
        raise _UnreadableError("it is not a Parquet file, or damaged, or has odd values") from error


_READERS: dict[str, Callable[[Path], list[Record]]] = {
    ".parquet": _read_parquet,
    ".jsonl": lambda file: parse_jsonl(_text(file)),
    ".json": lambda file: parse_json(_text(file)),
    ".csv": lambda file: parse_csv(_text(file)),
}
