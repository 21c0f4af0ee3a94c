"""Reading the false fragments that a model quotes out of an answer.

The model is asked for ``{"spans": [{"text": "...", "probability": 0.9}]}``. What is kept apart
here: an explicit empty list (a prediction that nothing is false), prose (no prediction at all) and
a reply that was cut (the complete items are kept, the status says that it was cut).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._echo import NEXT
from eve_inspect.answers._json import JsonScan, JsonValue, scan_json
from eve_inspect.answers._readable import open_reply, under_filter
from eve_inspect.answers._reading import Reading, Reply
from eve_inspect.answers._verdicts import is_refusal


class Fragment(NamedTuple):
    """A fragment that a model calls false.

    Attributes:
        text: The quotation as the model gave it; None when the model gave offsets instead.
        probability: How sure the model is, 0 to 1; 1 when it did not say. NaN when what it said is
            not a number from 0 to 1: ``locate`` drops and counts such a fragment.
        start: First code point in the answer; None when the model gave text.
        end: Code point after the last one; None when the model gave text.
    """

    text: str | None
    probability: float = 1.0
    start: int | None = None
    end: int | None = None


_UNREADABLE = Fragment(None, math.nan)
"""An item in which neither text nor offsets can be read: dropped and counted by ``locate``."""

_LIST_KEYS = re.compile(
    r"spans?|fragments|hallucinations|errors|quotes|unsupported|(?:hard|soft)_labels"
    r"|(?:false|hallucinated|unsupported|incorrect|wrong)"
    r"_(?:spans?|fragments?|statements?|claims?|information|parts?|texts?|quotes?)"
)
_WRAPPER_KEYS = re.compile(r"(?:final_)?answer|results?|output|response|data")
_TEXT_KEYS = (
    "text",
    "span",
    "fragment",
    "quote",
    "content",
    "substring",
    "phrase",
    "excerpt",
    "claim",
    "statement",
    "false_fragment",
    "hallucinated_text",
)
_START_KEYS = ("start", "start_char", "begin", "start_index", "start_offset")
_END_KEYS = ("end", "end_char", "stop", "end_index", "end_offset")
_PROBABILITY_KEYS = ("probability", "prob", "p", "confidence", "score", "likelihood")

_CURLY_JSON = re.compile("[{\\[]\\s*[\u201c\u201d]")  # typographic quotes as those of JSON
_STRAIGHT = str.maketrans({"\u201c": '"', "\u201d": '"'})
_QUOTED_LINE = re.compile(r"[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]+\"([^\"]+)\"[ \t.,;]*")
_OPENING = 400

_LINE_END = re.compile(r"[\s.`*_)>]*?(?:\n|\Z)")
_NOTHING = re.compile(
    r"(?:(?:answer|spans|fragments|false fragments|result|output)\s*:\s*)?"
    r"(?:none|nothing(?: is)?(?: false| unsupported| hallucinated)?"
    r"|(?:(?:there (?:is|are|were)|i (?:found|find|see|detect|detected|could find)"
    r"|(?:the|this) (?:answer|response|text) (?:contains|has|includes)|it (?:contains|has)) )?"
    r"no (?:(?:false|unsupported|incorrect|hallucinated|wrong|or|and|such|factual|inaccurate"
    r"|fabricated|untrue) )*"
    r"(?:fragments?|spans?|parts?|quotes?|hallucinations?|errors?|mistakes?|inaccurac(?:y|ies)"
    r"|information|claims?|statements?|content|text|passages?|facts?|details?)"
    r"|(?:an )?empty list)"
    r"(?: (?:was|were|is|are|have been|has been|could be))?"
    r"(?: (?:found|detected|identified|present|contained|to report|here"
    r"|in (?:the|this) (?:answer|response|text)))*"
)


def read_fragments(reply: Reply) -> Reading[tuple[Fragment, ...]]:
    """Read the false fragments that a reply lists.

    The last JSON value that has the shape of a list of fragments wins; a list under a known key, or
    of objects, beats a bare list of strings or offsets. Bare objects, one fragment each, are
    taken together.

    Args:
        reply: The model's reply.

    Returns:
        ``answered`` with the fragments, none when the model says that nothing is false;
        ``truncated`` with the complete items of a list that was cut, or None when there is none;
        otherwise no answer and the status that says why. A list that is complete in an object
        that is not closed is ``answered``, flagged ``unclosed_json``.
    """
    opened = open_reply(reply)
    if opened.status is not None:
        return Reading(None, opened.status, flags=opened.flags)
    return under_filter(reply, _read(opened.text, "truncated" if reply.cut else None))


def _read(text: str, cut: Literal["truncated"] | None) -> Reading[tuple[Fragment, ...]]:
    if _CURLY_JSON.search(text):
        text = text.translate(_STRAIGHT)
    scan = scan_json(text)
    fragments = _last_list(text, scan.found)
    if fragments is not None:
        return Reading(fragments, "answered", "json")
    if scan.open_levels:
        return _unfinished(scan, cut)
    quoted = _quoted_lines(text)
    if quoted:
        return Reading(quoted, "truncated" if cut else "answered", "lines")
    if len(text) < _OPENING and _NOTHING.fullmatch(_bare(text)):
        return Reading((), "answered", "whole_reply")
    if is_refusal(normalise(text[:_OPENING]).strip().lower()):
        return Reading(None, "refusal")
    return Reading(None, cut or "no_answer")


def _unfinished(scan: JsonScan, cut: Literal["truncated"] | None) -> Reading[tuple[Fragment, ...]]:
    rest = scan.rest.value if scan.rest else None
    kept = _as_list(rest)
    if kept is not None and scan.open_levels == 1 and isinstance(rest, Mapping):
        return Reading(kept, "answered", "json", ("unclosed_json",))
    if kept:
        return Reading(kept, "truncated", "json", ("unclosed_json",))
    # An open bracket at the end of prose is no list that was begun.
    begun = isinstance(rest, Mapping) and _under(rest, _LIST_KEYS) is not _ABSENT
    return Reading(None, "truncated" if begun else cut or "no_answer")


def _quoted_lines(text: str) -> tuple[Fragment, ...]:
    """The fragments of a reply that is nothing but quotations, one a line; else none."""
    lines = [line for line in text.translate(_STRAIGHT).splitlines() if line.strip()]
    quoted = [_QUOTED_LINE.fullmatch(line) for line in lines]
    return tuple(Fragment(line[1]) for line in quoted if line) if all(quoted) else ()


def _bare(text: str) -> str:
    return re.sub(r"\s+", " ", normalise(text)).strip(" .!*_`\"'[](){}").lower()


def _last_list(text: str, found: Sequence[JsonValue]) -> tuple[Fragment, ...] | None:
    keyed: tuple[Fragment, ...] | None = None
    bare: tuple[Fragment, ...] | None = None
    single: list[Fragment] = []
    position = 0
    for value, start, end in found:
        listed = keyed is not None or bare is not None or bool(single)
        if listed and NEXT.search(fold(text[position:start])):
            break  # what follows answers a question that the model made up
        position = end
        fragments = _as_list(value)
        if fragments is not None:
            if _holds_object(value):
                keyed = fragments
            elif _LINE_END.match(text, end):  # a bracket inside a sentence lists no fragments
                bare = fragments
        elif isinstance(value, Mapping) and (item := _from_object(value)):
            single.append(item)
    if keyed is not None:
        return keyed
    return tuple(single) if single else bare


def _holds_object(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
    )


def _as_list(value: object) -> tuple[Fragment, ...] | None:
    """Return the fragments of a value that lists them, or None when it has another shape."""
    if isinstance(value, list):
        items = [_from_item(item) for item in value]
        return None if None in items else tuple(item for item in items if item)
    if not isinstance(value, Mapping):
        return None
    listed = _under(value, _LIST_KEYS)
    if listed is not _ABSENT:
        return _listed(listed)
    wrapped = _under(value, _WRAPPER_KEYS)
    return _as_list(wrapped) if _holds_object(wrapped) else None


def _listed(value: object) -> tuple[Fragment, ...] | None:
    """Return the fragments that stand under a key made for them."""
    if isinstance(value, str):
        nothing = not value.strip() or _NOTHING.fullmatch(_bare(value))
        return () if nothing else (Fragment(value),)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        return () if value is None else None
    if pair := _from_pair(value):
        return (pair,)
    items = [_from_item(item) for item in value]
    if items and not any(items):
        return None
    return tuple(item or _UNREADABLE for item in items)


def _from_item(item: object) -> Fragment | None:
    if isinstance(item, str):
        return Fragment(item)
    if isinstance(item, Mapping):
        return _from_object(item)
    return _from_pair(item) if isinstance(item, list) else None


def _from_pair(item: Sequence[object]) -> Fragment | None:
    """Read ``[start, end]``, ``[start, end, probability]`` or ``[text, probability]``."""
    if len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], int | float):
        return Fragment(item[0], _probability(item[1]))
    if len(item) in (2, 3):
        start, end = _offset(item[0]), _offset(item[1])
        if start is not None and end is not None:
            return Fragment(None, _probability(item[2]) if len(item) == 3 else 1.0, start, end)
    return None


def _from_object(item: Mapping[str, object]) -> Fragment | None:
    members = {_plain_key(key): value for key, value in item.items()}
    probability = _probability(_first(members, _PROBABILITY_KEYS))
    text = _first(members, _TEXT_KEYS)
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)  # a fragment such as 2015, quoted without quotation marks
    if isinstance(text, str):
        return Fragment(text, probability)
    start = _offset(_first(members, _START_KEYS))
    end = _offset(_first(members, _END_KEYS))
    if text is None and start is not None and end is not None:
        return Fragment(None, probability, start, end)
    return None


_ABSENT = object()


def _under(value: Mapping[str, object], keys: re.Pattern[str]) -> object:
    for key, member in value.items():
        if keys.fullmatch(_plain_key(key)):
            return member
    return _ABSENT


def _plain_key(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip().lower())


def _first(members: Mapping[str, object], keys: Sequence[str]) -> object:
    return next((members[key] for key in keys if members.get(key) is not None), None)


def _offset(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _probability(value: object) -> float:
    """Return a probability from 0 to 1, 1 for none given, NaN for anything else."""
    if value is None:
        return 1.0
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if 0 <= value <= 1 else math.nan
