"""JSON values inside a model's reply.

Models wrap JSON in prose and code fences, write Python dictionaries, leave commas behind, forget to
escape a quote, or stop halfway. A reply is read once, from left to right; every step either moves
on or gives up on all that is open, so the time is linear in the length of the text.

Decisions: the last of two equal keys wins (as a last declaration does); ``NaN`` and ``Infinity``
become floats, as in Python's own reader; a lone surrogate becomes U+FFFD, so that the value can be
stored; what is nested deeper than 64 levels is passed over; a text is read up to its 20,000th JSON
token (each value counts as three more), which is more than the longest replies hold and bounds what
a hostile one costs.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

_Container: TypeAlias = "list[object] | dict[str, object]"
_Step: TypeAlias = Literal["open", "closed", "cut", "broken"]

_MAX_DEPTH = 64
_MAX_TOKENS = 20_000
_COST_OF_A_VALUE = 3  # in tokens: so that a loop of "[]" costs no more than a list

# What can begin a value: most brackets of prose are told apart here, without a step of ours.
_OPENER = re.compile(
    r"\{(?=\s*+(?:[\"'}]|\Z|[A-Za-z_]\w*+\s*+(?::|\Z)))"
    r"|\[(?=\s*+(?:[\"'\]\[{]|\Z|[\w.+-]++\s*+(?:[,\]]|\Z)))"
)
_TOKEN = re.compile(
    r"\s*+(?:"
    r"(?P<mark>[\[\]{},])"
    r"|(?P<quote>[\"'])"
    r"|(?P<number>[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+)(?=\s*+[,\]}])"
    r"|(?P<word>[+-]?+[A-Za-z_]\w*+)"
    r")"
)
_COLON = re.compile(r"\s*+:")
_CUT_TAIL = re.compile(r"\s*+[\w.+-]*+\s*+\Z")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))",
    re.DOTALL,
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")

# A quote ends a string when JSON goes on behind it; any other is a quote that was not escaped.
_STRING_REST = {
    quote: re.compile(rf"(?:[^{quote}\\]++|\\.|{quote}(?!\s*+(?:[,:}}\]]|\Z)))*+{quote}", re.DOTALL)
    for quote in ('"', "'")
}
_AFTER = re.compile(r"\s*+(.?)", re.DOTALL)


class JsonValue(NamedTuple):
    """A value and where it stands: ``text[start:end]``."""

    value: object
    start: int
    end: int


class JsonScan(NamedTuple):
    """What a text holds in JSON.

    Attributes:
        found: The complete top-level objects and arrays, in order.
        open_levels: How many objects and arrays are open where the text ends; 0 when none is.
        rest: What is complete of the value that was cut: members and items that were closed. An
            item of an array that was itself cut is left out. None when nothing was cut.
    """

    found: list[JsonValue]
    open_levels: int
    rest: JsonValue | None


def json_values(text: str) -> list[object]:
    """Return all complete top-level JSON objects and arrays of a text, in order.

    Args:
        text: Any text; JSON may stand anywhere in it.

    Returns:
        Dictionaries and lists as ``json.loads`` would give them. An unfinished value is not
        returned, nor is anything inside it.
    """
    return [found.value for found in scan_json(text).found]


def cut_json(text: str) -> bool:
    """Return whether a text ends inside an object or array that it began."""
    return scan_json(text).open_levels > 0


def scan_json(text: str) -> JsonScan:
    """Read all JSON of a text, with what is complete of a value that was cut at its end."""
    strings = _Strings(text)
    found: list[JsonValue] = []
    position = 0
    left = _MAX_TOKENS
    while left > 0 and (opener := _OPENER.search(text, position)):
        attempt = _Attempt(text, strings, opener.start())
        outcome = attempt.run(left)
        if outcome == "cut":
            rest = JsonValue(attempt.complete_parts(), opener.start(), len(text))
            return JsonScan(found, attempt.open_levels, rest)
        if outcome == "closed" and attempt.depth <= _MAX_DEPTH:
            found.append(JsonValue(attempt.root, opener.start(), attempt.position))
        position = attempt.position
        left -= attempt.tokens + _COST_OF_A_VALUE
    return JsonScan(found, 0, None)


class _Strings:
    """Where strings of a text end.

    Where a string ends does not depend on where it began, so that an end once found holds for all
    beginnings before it: no stretch of text is searched twice.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = {'"': -1, "'": -1}

    def end(self, start: int) -> int | None:
        """Return the offset of the quote that ends the string begun at ``start``, or None.

        Args:
            start: Offset of the opening quote; never less than in an earlier call.
        """
        quote = self._text[start]
        if self._ends[quote] <= start:
            rest = _STRING_REST[quote].match(self._text, start + 1)
            self._ends[quote] = rest.end() - 1 if rest else len(self._text)
        end = self._ends[quote]
        return end if end < len(self._text) else None


class _Frame:
    """An object or array that is open."""

    __slots__ = ("container", "key", "ready")

    def __init__(self, mark: str) -> None:
        self.container: _Container = {} if mark == "{" else []
        self.key: str | None = None
        self.ready = True  # a comma or the opening mark came last

    def wants_value(self) -> bool:
        """Whether the next token may be a value."""
        return self.ready if isinstance(self.container, list) else self.key is not None

    def wants_key(self) -> bool:
        """Whether the next token may be the key of a member."""
        return self.ready and self.key is None and isinstance(self.container, dict)

    def add(self, value: object) -> None:
        """Put a complete value in its place."""
        if isinstance(self.container, list):
            self.container.append(value)
        elif self.key is not None:
            self.container[self.key] = value
        self.key = None
        self.ready = False


class _Attempt:
    """One attempt to read a value that begins at a given opening mark.

    When it fails, all that is open would fail at the same place if tried anew, so the search goes
    on where the attempt stopped. Only the inside of a string that turned out to be none is looked
    at again, and that string was not read yet.
    """

    def __init__(self, text: str, strings: _Strings, start: int) -> None:
        self._text = text
        self._strings = strings
        self._stack = [_Frame(text[start])]
        self.root: object = self._stack[0].container
        self.depth = 1
        self.tokens = 0
        self.position = start + 1

    def run(self, limit: int) -> _Step:
        """Read until the value is ``closed``, the text ends (``cut``) or it is ``broken``."""
        step: _Step = "open"
        while step == "open":
            self.tokens += 1
            token = _TOKEN.match(self._text, self.position)
            if token is None:
                step = self._unread(self.position)
            elif token["mark"]:
                step = self._mark(token["mark"], token.end())
            elif token["quote"]:
                step = self._string(token.end() - 1)
            else:
                step = self._bare(token)
            if self.tokens > limit:
                return "broken"
        return step

    @property
    def open_levels(self) -> int:
        """How many objects and arrays are open."""
        return len(self._stack)

    def complete_parts(self) -> object:
        """Close what is open, leaving out an item of an array that was itself cut."""
        for outer, inner in zip(self._stack, self._stack[1:], strict=False):
            if isinstance(outer.container, list):
                break
            outer.add(inner.container)
        return self.root

    def _mark(self, mark: str, end: int) -> _Step:
        frame = self._stack[-1]
        is_object = isinstance(frame.container, dict)
        if mark == ",":
            fits = not frame.ready
            frame.ready = True
        elif mark in "[{":
            fits = frame.wants_value()
            self._stack.append(_Frame(mark))
            self.depth = max(self.depth, len(self._stack))
        else:
            fits = frame.key is None and (mark == "}") == is_object
            self._stack.pop()
            if self._stack:
                self._stack[-1].add(frame.container)
        if not fits:
            return "broken"
        self.position = end
        return "open" if self._stack else "closed"

    def _string(self, start: int) -> _Step:
        """Read a string, or move inside it when JSON does not go on behind it."""
        frame = self._stack[-1]
        end = self._strings.end(start)
        if end is None:
            return "cut"
        after = _AFTER.match(self._text, end + 1)
        following = after[1] if after else ""
        closing = "}" if isinstance(frame.container, dict) else "]"
        if frame.wants_key() and following in (":", ""):
            frame.key = _decoded(self._text[start + 1 : end])
            return self._colon(end + 1)
        if frame.wants_value() and following in (",", closing, ""):
            frame.add(_decoded(self._text[start + 1 : end]))
            self.position = end + 1
            return "open"
        self.position = start + 1
        return "broken"

    def _bare(self, token: re.Match[str]) -> _Step:
        """Read a number, a literal or an unquoted key."""
        frame = self._stack[-1]
        word = token["word"]
        if word and frame.wants_key():
            frame.key = word
            return self._colon(token.end())
        if frame.wants_value():
            known, value = _literal(word) if word else _number(token["number"])
            if known:
                frame.add(value)
                self.position = token.end()
                return "open"
        return self._unread(token.start())

    def _colon(self, start: int) -> _Step:
        colon = _COLON.match(self._text, start)
        if colon is None:
            return self._unread(start)
        self.position = colon.end()
        return "open"

    def _unread(self, start: int) -> _Step:
        return "cut" if _CUT_TAIL.match(self._text, start) else "broken"


class _Literal(NamedTuple):
    known: bool
    value: object = None


def _literal(word: str) -> _Literal:
    match word.lstrip("+-"):
        case "true" | "True" | "TRUE":
            return _Literal(True, True)
        case "false" | "False" | "FALSE":
            return _Literal(True, False)
        case "null" | "None" | "NULL":
            return _Literal(True, None)
        case "NaN" | "nan" | "Infinity" | "inf":
            return _Literal(True, float(word))
        case _:
            return _Literal(False)


def _number(digits: str) -> _Literal:
    # Python refuses to turn more than 4300 digits into an int; nobody means such a number.
    whole = len(digits) < 400 and digits.lstrip("+-").isdigit()
    return _Literal(True, int(digits) if whole else float(digits))


def _decoded(raw: str) -> str:
    if "\\" not in raw:
        return _SURROGATE.sub("\ufffd", raw)
    return _SURROGATE.sub("\ufffd", _ESCAPE.sub(_unescaped, raw))


def _unescaped(match: re.Match[str]) -> str:
    high, low, code, python_code, char = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if code or python_code:
        return chr(int(code or python_code, 16))
    return {
        "b": "\b",
        "f": "\f",
        "n": "\n",
        "r": "\r",
        "t": "\t",
        '"': '"',
        "'": "'",
        "/": "/",
        "\\": "\\",
        "\n": "",
    }.get(char, match[0])
