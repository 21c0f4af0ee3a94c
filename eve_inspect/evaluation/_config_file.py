"""YAML files that users write: filled from the environment, and mistakes told in one line."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from eve_inspect._errors import EveInspectError

Place = tuple[str | int, ...]
"""Where a value is: the keys and numbers that lead to it."""

Settings = TypeVar("Settings", bound=BaseModel)

_VARIABLE = re.compile(r"\$\{(?P<name>[^{}]*)(?P<end>\}?)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_DEEPEST = 20
_MOST_VALUES = 20_000
_SHOWN = 60
_SECRET = frozenset({"api_key", "extra_headers"})
_FORMS = {
    "dict_type": "has to be a mapping (lines of the form `key: value`)",
    "model_type": "has to be a mapping (lines of the form `key: value`)",
    "string_unicode": "holds characters that are no text",
}
_ODD = (ValueError, KeyError, IndexError, AttributeError, TypeError)
"""What PyYAML lets through for 2024-13-01, `!!bool x`, `!!int ""`, `!!timestamp x`."""


def mistake(message: str, *place: str | int) -> PydanticCustomError:
    """Return an error for a validator to raise.

    Args:
        message: What is allowed, and the way out; it follows the key and its value.
        place: What is meant, seen from the value that is validated; ``".."`` goes one up.
    """
    return PydanticCustomError("setting", "{message}", {"message": message, "place": place})


def nearest(key: str, known: Sequence[str]) -> str:
    """Return a hint at the known key that was probably meant, and which there are."""
    parts = [name for name in known if key and key in name.split("_")]
    close = get_close_matches(key, known, n=1) or parts
    meant = f"did you mean {close[0]!r}? " if close else ""
    return f"{meant}Known are {', '.join(known)}"


@dataclass(frozen=True, slots=True, repr=False)
class ConfigFile:
    """A file that was read, before it is checked.

    Attributes:
        path: Where it is.
        content: What it says, with the names of variables where their values go.
    """

    path: Path
    content: Mapping[str, Any]

    def expanded(self, environ: Mapping[str, str]) -> dict[str, Any]:
        """Return the content with each ``${NAME}`` replaced by a variable of the environment.

        What a variable holds is taken as it is. A ``$`` without ``{`` stays.

        Raises:
            EveInspectError: A variable that is not set or empty, a key that is no text, or content
                that is nested without end.
        """
        return _Expansion(self.path, environ).mapping(self.content, ())

    def validated(
        self, settings: type[Settings], content: Mapping[str, Any], context: Mapping[str, Any]
    ) -> Settings:
        """Return the settings that a content makes.

        Args:
            settings: The form they have to have.
            content: The expanded content.
            context: What validators need besides.

        Raises:
            EveInspectError: The first mistake. Values are shown as the file has them, with the
                names of variables; only paths that were tried are shown in full.
        """
        try:
            return settings.model_validate(content, context=dict(context))
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
        # Raised here, so that no traceback shows what the other error holds.
        raise self._error(settings, found)

    def _error(self, settings: type[BaseModel], found: Sequence[ErrorDetails]) -> EveInspectError:
        causes = [one for one in found if one["type"] != "default_factory_not_called"]
        # A misspelt key is a missing one too: the first says more.
        first = min(causes, key=lambda one: one["type"] != "extra_forbidden")
        place, ctx = first["loc"], first.get("ctx", {})
        if first["type"] == "extra_forbidden":
            known = nearest(str(place[-1]), _known(settings, place[:-1]))
            return config_error(self.path, place, f"is no key; {known}")
        if first["type"] == "missing":
            return config_error(self.path, place, "is missing: add this key")
        if first["type"] == "literal_error":
            message = f"use {ctx['expected']}"
        else:
            message = _FORMS.get(first["type"], ctx.get("message", first["msg"]))
        for step in ctx.get("place", ()):
            place = place[:-1] if step == ".." else (*place, step)
        return config_error(self.path, place, message, self._shown(place))

    def _shown(self, place: Place) -> str:
        if _SECRET & set(place):
            return ""
        value: object = self.content
        for step in place:
            try:
                value = value[step]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                # A path alone stands for a mapping with the key file.
                if step == "file" and isinstance(value, str):
                    break
                return ""
        return f"={_short(value)}" if place else ""


def read_config_file(path: str | Path) -> ConfigFile:
    """Read a YAML file that holds a mapping.

    Raises:
        EveInspectError: It cannot be read, is not YAML, repeats a key, or holds something else.
            Nothing of its content is shown, which may be a key.
    """
    file = Path(path)
    try:
        content = yaml.load(file.expanduser().read_bytes().decode("utf-8-sig"), _Loader)
    except (OSError, RuntimeError) as error:
        nested = isinstance(error, RecursionError)
        cause = "nested too deeply" if nested else getattr(error, "strerror", None) or str(error)
    except UnicodeDecodeError as error:
        cause = f"byte {error.start} is not UTF-8; save it in that encoding"
    except (yaml.YAMLError, ValueError) as error:
        cause = _problem(error)
    else:
        if not isinstance(content, Mapping):
            what = "it is empty" if content is None else f"it holds {_kind(content)}"
            raise config_error(file, (), f"has to be a mapping of keys and values; {what}")
        return ConfigFile(file, content)
    raise config_error(file, (), f"cannot be read: {cause}")


def config_error(path: Path, place: Place, message: str, value: str = "") -> EveInspectError:
    """Return a mistake in a file.

    Args:
        path: The file.
        place: Where in it.
        message: What is wrong or allowed, and the way out.
        value: What the file has there, with an equals sign before it.
    """
    where = dotted(place)
    separator = ": " if where else " "
    line = f"config={str(path)!r}{', ' if where else ''}{where}{value}{separator}{message}."
    return EveInspectError(" ".join(line.split()))


def dotted(place: Place) -> str:
    """Return a place as it is written: ``judges[0].api_key``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_cut(step)}" for step in place)
    return "".join(steps).removeprefix(".")


def number(value: object) -> int | float | None:
    """Return the number that a value is or spells, None if it is none.

    YAML 1.1 reads ``1e4`` as text, and a variable of the environment is always text.
    """
    if isinstance(value, str) and re.fullmatch(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?", value.strip()):
        value = float(value) if set(value) & set(".eE") else _whole(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:
        return None


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) < _SHOWN else None


class _Expansion:
    """Replaces the names of variables in a content."""

    def __init__(self, path: Path, environ: Mapping[str, str]) -> None:
        self._path = path
        self._environ = environ
        self._values = 0

    def mapping(self, values: Mapping[Any, Any], place: Place) -> dict[str, Any]:
        result = {}
        for key, value in values.items():
            if not isinstance(key, str):
                message = f"has the key {_short(key)}, which is no text: put it in quotes"
                raise config_error(self._path, place, message)
            result[key] = self._value(value, (*place, key))
        return result

    def _value(self, value: object, place: Place) -> object:
        self._values += 1
        if len(place) > _DEEPEST or self._values > _MOST_VALUES:
            raise config_error(self._path, place[:2], "is nested without end, or holds too much")
        if isinstance(value, Mapping):
            return self.mapping(value, place)
        if isinstance(value, list):
            return [self._value(one, (*place, number)) for number, one in enumerate(value)]
        if isinstance(value, str):
            return _VARIABLE.sub(lambda match: self._variable(match, place), value)
        return value

    def _variable(self, match: re.Match[str], place: Place) -> str:
        name = match["name"]
        if not match["end"] or not _NAME.fullmatch(name):
            message = "has ${ without the name of a variable after it: write ${NAME}"
            raise config_error(self._path, place, message)
        value = self._environ.get(name, "")
        if not value.strip():
            message = f"needs the environment variable {name}, which is not set or is empty: set it"
            raise config_error(self._path, place, message)
        return value


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which also minds repeated keys and tells where odd values are."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        try:
            return super().construct_object(node, deep)
        except _ODD as error:
            problem = (
                "a value that YAML takes for a date or a number, and is none: put it in quotes"
            )
            raise _OwnError(problem=problem, problem_mark=node.start_mark) from error

    def compose_mapping_node(self, anchor: dict[Any, yaml.Node]) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = (key.tag, key.value)
                if name in lines:
                    problem = f"the key {_cut(key.value)!r} is in line {lines[name]} already"
                    raise _OwnError(problem=problem, problem_mark=key.start_mark)
                lines[name] = key.start_mark.line + 1
        return node


class _OwnError(yaml.MarkedYAMLError):
    """A mistake in our words, which show nothing that is secret."""


def _problem(error: Exception) -> str:
    """Return what is wrong with a YAML text, without the text."""
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "no valid YAML"
    if "tag '!ref'" in problem:
        problem = "the tag !ref is not known here: write the value itself"
    elif "found character '\\t'" in problem:
        problem = "a tab: indent with spaces"
    elif not isinstance(error, _OwnError):
        problem = _QUOTED.sub(_one_character, problem)
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return f"{where}{problem}"


def _one_character(match: re.Match[str]) -> str:
    """Return quoted text if it is a character or its escape; longer text may be secret."""
    return match.group() if len(match.group()) <= len(r"'\x00'") else "'...'"


def _known(settings: type[BaseModel], place: Place) -> list[str]:
    """Return the keys that are known at a place."""
    for step in place:
        if isinstance(step, str):
            annotation: Any = settings.model_fields[step].annotation
            settings = next(iter(get_args(annotation)), annotation)  # of one, or of a tuple of them
    return list(settings.model_fields)


def _short(value: object) -> str:
    """Return a value as a user would know it again."""
    if isinstance(value, Mapping | list | tuple):
        return _kind(value)
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "a very large number"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _cut(repr(value) if isinstance(value, str) else str(value))


def _kind(value: object) -> str:
    kinds = {"a mapping": Mapping, "a list": list | tuple, "text": str}
    return next((kind for kind, of in kinds.items() if isinstance(value, of)), "a single value")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
