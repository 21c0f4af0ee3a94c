"""Kinds of values in a configuration, which say in one line what they take."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.evaluation._config_file import mistake, number

_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Settings(BaseModel):
    """A part of a configuration: it knows its keys, and cannot be changed."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, validate_default=True
    )


def whole(least: int, or_null: str = "") -> BeforeValidator:
    """Return a validator of whole numbers.

    Args:
        least: The least that is taken.
        or_null: What null means, where it is allowed.
    """
    also = f", or null {or_null}" if or_null else ""

    def check(value: object) -> int | None:
        if value is None and or_null:
            return None
        found = number(value)
        if found is None or found < least or found != int(found):
            raise mistake(f"use a whole number from {least} on{also}")
        return int(found)

    return BeforeValidator(check)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise mistake("has to be text: put it in quotes")
    if not value.strip():
        raise mistake("must not be empty")
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in value):
        raise mistake("holds a line break, a tab or another character that cannot be seen")
    return value.strip()


def _flag(value: object) -> bool:
    # A variable of the environment is text.
    found = _FLAGS.get(value.strip().casefold()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise mistake("use true or false")
    return found


def _seconds(value: object) -> float:
    found = number(value)
    if found is None or found < 0:
        raise mistake("use a number of seconds from 0 on")
    return float(found)


def _many(value: object) -> object:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise mistake("has to be a list: lines that begin with `- `, or values in [ ]")
    return tuple(value)


def _path(value: object) -> Path:
    try:
        return user_path("", str(value) if isinstance(value, Path) else _text(value))
    except EveInspectError as error:
        raise mistake("is no path: an unknown home, or a name that is too long") from error


def _existing_file(value: object, info: ValidationInfo) -> Path:
    path = _path(value)
    folder = (info.context or {}).get("folder", "")
    # Kept as it is written where it is a link: a model may be called after it.
    places = [os.path.abspath(place / path) for place in dict.fromkeys((Path(folder), Path()))]
    for place in places:
        if os.path.isfile(place):
            return Path(place)
    tried = " nor ".join(map(repr, dict.fromkeys(places)))
    raise mistake(
        f"there is no such file: neither {tried}"
        if " nor " in tried
        else f"there is no such file: {tried}"
    )


def _folder(value: object) -> Path:
    path = _path(value)
    if os.path.exists(path) and not os.path.isdir(path):
        raise mistake("is a file: name a folder")
    if any(os.path.isfile(parent) for parent in path.parents):
        raise mistake("is below a file: name a folder")
    return path


Text = Annotated[str, BeforeValidator(_text)]
"""Text that is not empty, on one line."""

Flag = Annotated[bool, BeforeValidator(_flag)]
"""True or false."""

Seconds = Annotated[float, BeforeValidator(_seconds)]
"""A length of time, in seconds."""

Folder = Annotated[Path, BeforeValidator(_folder)]
"""A folder, which need not be there; relative to the current one."""

ExistingFile = Annotated[Path, BeforeValidator(_existing_file)]
"""A file that is there: beside the configuration (``folder`` of the context), else from here."""

MANY = BeforeValidator(_many)
"""A list, or nothing at all."""

SECTION = BeforeValidator(lambda value: {} if value is None else value)
"""A mapping in which all may be left out."""
