"""One record of a set, under whatever spelling its columns have."""

from __future__ import annotations

import ast
import json
import math
import re
import string
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

_OPTION_COLUMN = re.compile(r"(?:option|choice)?([a-z])")


class BadRowError(Exception):
    """A row that cannot be asked or scored.

    Attributes:
        column: The column at fault, in the hub's spelling.
        reason: What is wrong, with the value, as a clause without a full stop.
    """

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(f"column {column!r}: {reason}")
        self.column = column
        self.reason = reason


class Row:
    """A record whose columns are found under any spelling of their names.

    ``Hard labels``, ``hard_labels`` and ``HardLabels`` are one column. Option columns (``A``,
    ``B``, ... or ``option_a``, ...) take the place of ``Choices`` where that is absent. A null is
    like an absent value.

    Args:
        record: Column names and values, as read.
        aliases: Other names of columns and the name that each is for.

    Raises:
        BadRowError: Two columns with different values have the same name but for the spelling.
    """

    def __init__(self, record: Mapping[str, Any], aliases: Mapping[str, str] | None = None) -> None:
        renamed = {_key(alias): _key(name) for alias, name in (aliases or {}).items()}
        self._values: dict[str, object] = {}
        names: dict[str, str] = {}
        for name, value in record.items():
            key = renamed.get(_key(name), _key(name))
            known = _null_as_none(value)
            if self._values.get(key) is None:
                self._values[key], names[key] = known, name
            elif known is not None and known != self._values[key]:
                raise BadRowError(
                    name, f"says otherwise than column {names[key]!r}; keep one of them"
                )
        if self._values.get("choices") is None and (options := _option_columns(self._values)):
            self._values["choices"] = options

    def __contains__(self, column: str) -> bool:
        """Whether the record has that column, be its value null."""
        return _key(column) in self._values

    def get(self, column: str) -> object:
        """Return the value as read; None for null or absent."""
        return self._values.get(_key(column))

    def text(self, column: str) -> str:
        """Return a text, as it stands.

        Raises:
            BadRowError: No text, or a blank one.
        """
        value = self.get(column)
        if value is None:
            raise BadRowError(column, "is missing")
        if not isinstance(value, str):
            raise BadRowError(column, f"is {describe(value)}, not text")
        if not value.strip():
            raise BadRowError(column, "is empty")
        return sound(value, column)

    def optional_text(self, column: str) -> str | None:
        """Return a text that nothing depends on; None where there is none.

        Raises:
            BadRowError: Text that cannot be stored.
        """
        value = self.get(column)
        return self.text(column) if isinstance(value, str) and value.strip() else None

    def boolean(self, column: str) -> bool | None:
        """Return a boolean, which text files hold as ``true`` or ``false`` in any case.

        None stands for null, blank and absent.

        Raises:
            BadRowError: Anything else.
        """
        value = self.get(column)
        if isinstance(value, str):
            word = value.strip().casefold()
            value = {"true": True, "false": False, "": None}.get(word, value)
        if value is None or isinstance(value, bool):
            return value
        raise BadRowError(column, f"is {describe(value)}; allowed: true, false")

    def structure(self, column: str) -> object:
        """Return a value that may be a list or an object, parsed where a cell holds it as text.

        JSON is read, and lists in Python's own notation, as pandas writes them into CSV files.
        Other text, and what is no text, comes back as it is; blank text as None.

        Raises:
            BadRowError: Text that begins like a list or an object but cannot be read.
        """
        value = self.get(column)
        if not isinstance(value, str):
            return value
        cell = value.strip()
        if not cell.startswith(("[", "{")):
            return cell or None
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            pass
        try:
            return ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise BadRowError(column, f"{shorten(cell)} is not valid JSON") from None


def sound(text: str, column: str) -> str:
    """Return the text, which can be sent and stored.

    Raises:
        BadRowError: Half a surrogate pair, as JSON escapes may hold it.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRowError(
            column, f"holds half a surrogate pair, no character, at {error.start}"
        ) from None
    return text


def describe(value: object) -> str:
    """Return a value with its kind, for error messages."""
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value!r}"
    if value is None:
        return "null"
    return shorten(value)


def shorten(value: object, width: int = 60) -> str:
    """Return the value's ``repr``, cut to a width that fits a line."""
    text = repr(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _key(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _null_as_none(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


def _option_columns(values: Mapping[str, object]) -> list[object]:
    """Return the option columns' values from A on, without the unused ones at the end."""
    found = {
        match[1]: value for key, value in values.items() if (match := _OPTION_COLUMN.fullmatch(key))
    }
    run = takewhile(found.__contains__, string.ascii_lowercase)
    options = [found[letter] for letter in run]
    while options and (options[-1] is None or not str(options[-1]).strip()):
        options.pop()
    return options
