"""Verdicts that stand in JSON."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from eve_inspect.answers._characters import normalise
from eve_inspect.answers._json import JsonScan, JsonValue, scan_json
from eve_inspect.answers._judge_words import (
    OVERALL,
    RATIONALES,
    WRAPPERS,
    is_denied,
    key_words,
)

Rank: TypeAlias = Callable[[str], int]
_Object: TypeAlias = "dict[str, object]"

_DEPTH = 2  # objects that the one with the verdict may stand in
_NAMING = ("criterion", "aspect", "dimension", "category", "metric")
_BROKEN_DECIMAL = re.compile(r"[\"']\s*:\s*[+-]?\d+,\d+\s*\Z")
_LIST_OF_OBJECTS = re.compile(r"\[\s*+\{")
_OWN_LINE = re.compile(r"(?m)^[^\S\n]*+\{")
_OPEN_STRING = re.compile(r"[\"']\w[\w -]{0,39}[\"']\s{0,8}:\s{0,8}\"[^\"]*+\Z")
_EXAMPLE = re.compile(r"(?im)^\W*+(?:for\s+)?example\b[^\n{]{0,60}\Z")
_NEAR = 2000
_MOST_RESUMED = 20
_INNER = frozenset({"value", "number", "score"})


class Held(NamedTuple):
    """The value under a verdict's key.

    Attributes:
        value: The value.
        rationale: What the object says for it; empty when it says nothing.
        nested: Whether the object stands in another, or in a string.
        text: The object that holds the key, as text, if it is nested; else empty.
    """

    value: object
    rationale: str
    nested: bool = False
    text: str = ""


class JsonVerdict(NamedTuple):
    """An object of a reply that holds a verdict's key: ``text[start:end]``."""

    held: Held
    start: int
    end: int
    cut: bool


class JsonPart(NamedTuple):
    """What a reply holds in JSON.

    Attributes:
        text: The text that the offsets are of.
        verdicts: The objects with a verdict, in order.
        spans: Where objects stand: no other verdict is looked for inside them.
        open_end: Whether an object was still open where the text ends.
    """

    text: str
    verdicts: list[JsonVerdict]
    spans: list[tuple[int, int]]
    open_end: bool


def read_json(text: str, rank: Rank) -> JsonPart:
    """Find all objects of a reply that hold a verdict's key.

    Text without any is read again with typographic quotes made plain, and as a string of JSON.

    Args:
        text: The visible reply.
        rank: How much a key is that of the verdict; 0 when it is not.
    """
    first = _scan(text, rank)
    if first.verdicts or first.spans:
        return first
    for variant in _variants(text):
        other = _scan(variant, rank)
        if other.verdicts:
            return other
    return first


def _variants(text: str) -> list[str]:
    variants = [normalise(text)]
    stripped = text.strip()
    if '\\"' in text:
        variants.append(text.replace('\\"', '"').replace("\\n", "\n"))
        if stripped.startswith('"') and stripped.endswith('"'):
            with suppress(ValueError, RecursionError):
                variants.insert(0, str(json.loads(stripped)))
    return [variant for variant in variants if variant != text]


def _scan(text: str, rank: Rank) -> JsonPart:
    scan = _scan_on(text)
    found = [one for one in scan.found if _is_object(one.value)]
    verdicts = [
        JsonVerdict(held, one.start, one.end, cut=False)
        for one in found
        if (held := _find(one.value, rank, _DEPTH)) is not None and not _is_quoted(text, one.start)
    ]
    spans = [(one.start, one.end) for one in found]
    rest = _closed_rest(scan, text)
    if rest is not None:
        spans.append((rest.start, rest.end))
        held = _find(rest.value, rank, _DEPTH)
        if held is not None:
            verdicts.append(JsonVerdict(held, rest.start, rest.end, cut=True))
    part = JsonPart(text, verdicts, spans, scan.rest is not None)
    return part if verdicts else _strict(part, scan, rank)


def _strict(part: JsonPart, scan: JsonScan, rank: Rank) -> JsonPart:
    """Look for a flawless object on a line of its own, which a stray quote of prose may hide.

    Not inside an object: there it is what the judge quotes.
    """
    decoder = json.JSONDecoder()
    outer = [span for span in part.spans if part.text[span[0]] == "{"]
    if scan.rest is not None and not scan.rest.value:
        outer = outer[:-1]
    for line in reversed(deque(_OWN_LINE.finditer(part.text), maxlen=_MOST_RESUMED)):
        start = line.end() - 1
        if _is_quoted(part.text, start) or any(a <= start < b for a, b in outer):
            continue
        with suppress(ValueError, RecursionError):
            value, end = decoder.raw_decode(part.text, start)
            held = _find(value, rank, _DEPTH)
            if held is not None:
                spans = [span for span in outer if span[1] <= start or span[0] >= end]
                verdicts = [JsonVerdict(held, start, end, cut=False)]
                return JsonPart(part.text, verdicts, sorted([*spans, (start, end)]), False)
    return part


def _scan_on(text: str) -> JsonScan:
    """Read all JSON of a text, and go on behind a bracket of prose that is never closed."""
    found: list[JsonValue] = []
    start = 0
    scan = scan_json(text)
    for _ in range(_MOST_RESUMED):
        found += [_moved(one, start) for one in scan.found]
        opened = start + scan.rest.start if scan.rest else -1
        if opened < 0 or text[opened] == "{" or _LIST_OF_OBJECTS.match(text, opened):
            break
        start = opened + 1
        scan = scan_json(text[start:])
    return JsonScan(found, scan.open_levels, scan.rest and _moved(scan.rest, start))


def _moved(value: JsonValue, by: int) -> JsonValue:
    return JsonValue(value.value, value.start + by, value.end + by)


def _closed_rest(scan: JsonScan, text: str) -> JsonValue | None:
    """Return what is complete of a cut object; of "4,5" neither number is."""
    if scan.rest is None:
        return None
    if isinstance(scan.rest.value, dict) and _BROKEN_DECIMAL.search(text, max(0, len(text) - 80)):
        value = dict(list(scan.rest.value.items())[:-1])
        return scan.rest._replace(value=value)
    return scan.rest


def _is_object(value: object) -> bool:
    """Whether it is an object, or a list that holds one, and no prose between two quotes."""
    if isinstance(value, list):
        return any(isinstance(item, dict) for item in value)
    return isinstance(value, dict) and not any("{" in key or "\n" in key for key in value)


def _is_quoted(text: str, start: int) -> bool:
    """Whether an object is an example, or in a member's string, whose quotes were not escaped."""
    near = max(0, start - _NEAR)
    return any(one.search(text, near, start) is not None for one in (_OPEN_STRING, _EXAMPLE))


def _find(value: object, rank: Rank, depth: int) -> Held | None:
    if isinstance(value, list) and len(value) == 1:
        return _find(value[0], rank, depth)
    if not isinstance(value, dict) or _is_of_criterion(value):
        return None
    key = max(reversed(value), key=rank, default="")  # the last of equals
    if value and rank(key):
        return _under(value, key, rank, depth)
    if not depth:
        return None
    inner = [
        held
        for key, child in value.items()
        if (held := _inside(key, child, rank, depth - 1)) is not None
    ]
    return _in_owner(inner[0], value) if len(inner) == 1 else None


def _under(owner: _Object, key: str, rank: Rank, depth: int) -> Held | None:
    """Return what stands under the verdict's key, which may be an object or JSON in a string."""
    value = owner[key]
    child = _as_object(value)
    if child is None:
        return Held(value, _rationale(owner))
    if not depth:
        return None
    found = _find(child, lambda name: rank(name) or (name in _INNER), depth - 1)
    return _in_owner(_nested(found, value), owner) if found else None


def _inside(key: str, child: object, rank: Rank, depth: int) -> Held | None:
    if is_denied(key):
        return None
    if isinstance(child, str) and not (set(key_words(key)) <= WRAPPERS or rank(key)):
        return None
    inner = _as_object(child)
    found = _find(inner, rank, depth) if inner is not None else None
    return _nested(found, child) if found else None


def _nested(held: Held, child: object) -> Held:
    """Note that an object was found inside another, as what text."""
    text = child if isinstance(child, str) else json.dumps(child, ensure_ascii=False)
    return held._replace(nested=True, text=held.text or text)


def _in_owner(held: Held, owner: _Object) -> Held:
    return held._replace(rationale=held.rationale or _rationale(owner))


def _as_object(value: object) -> object | None:
    """Return an object, a list that holds one, or what JSON in a string stands for."""
    if _is_object(value):
        return value
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and value.rstrip()[-1:] in "]}":
        found = scan_json(value).found
        return found[0].value if len(found) == 1 and _is_object(found[0].value) else None
    return None


def _is_of_criterion(owner: _Object) -> bool:
    """Whether an object says that its score is one of several ({"criterion": "accuracy", ...})."""
    for name in _NAMING:
        named = owner.get(name)
        if isinstance(named, str) and not set(key_words(named)) & OVERALL:
            return True
    return False


def _rationale(owner: _Object) -> str:
    by_words = {key_words(key): value for key, value in owner.items() if isinstance(value, str)}
    return next((by_words[(name,)].strip() for name in RATIONALES if (name,) in by_words), "")
