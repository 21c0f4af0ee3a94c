"""Answers in words and numbers: "all", "none", "I do not know", "option 2", option texts."""

from __future__ import annotations

import re

from eve_inspect.answers._declarations import FIRM, Claim, Kind
from eve_inspect.answers._decoration import END
from eve_inspect.answers._labels import Page, after_option_word
from eve_inspect.answers._phrases import (
    BRIDGE,
    CONTRAST,
    CUE_KINDS,
    EVERY,
    EXCEPT,
    JUDGE,
    JUDGE_KINDS,
    NONE,
    OPTION_WORD,
    SLOT_END,
    kind_of,
    unknown_at,
)

_NUMBERS = re.compile(
    r"[\s\"'(\[#]*(\d{1,2}(?:[\s,;/&]{1,3}(?:and\s{1,2})?\d{1,2}){0,25}+)"
    rf"[)\].]*[\"']?[^\S\n]*(?=\Z|[\n{END}}}]|,\s*[\"'])"
)
_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"\A\s*\(?\d{1,2}[.)]\s+")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n")


def special_at(page: Page, start: int, method: str, weight: int) -> Claim | None:
    """A claim by "all (but ...)", "none" or "I do not know" at an offset."""
    low = page.low
    excepted = EXCEPT.match(low, start)
    if excepted:
        bridge = BRIDGE.match(low, excepted.end())
        listed = page.list_at(bridge.end() if bridge else excepted.end())
        if not listed or not set(listed.labels) < set(page.options.labels):
            return None
        kept = tuple(x for x in page.options.labels if x not in listed.labels)
        judge = JUDGE.match(low, listed.end + 1)
        if judge and kind_of(judge.group(), JUDGE_KINDS) == "wrong":
            kept = listed.labels  # "all except B are wrong"
        return Claim(start, "labels", kept, method, weight, listed.end)
    named: Kind
    for named, pattern in (("every", EVERY), ("none", NONE)):
        match = pattern.match(low, start)
        if match and (SLOT_END.match(low, match.end()) or JUDGE.match(low, match.end() + 1)):
            own = page.options.all_of_them if named == "every" else page.options.none_of_them
            if own:
                return Claim(start, "labels", (own,), method, weight, match.end(), by_text=True)
            return Claim(start, named, (), method, weight, match.end())
    unknown = unknown_at(low, start)
    if unknown:
        return Claim(start, "unknown", (), method, weight, unknown.end())
    return None


def number_at(page: Page, start: int, method: str) -> Claim | None:
    """A claim by numbers of options ("2", "1, 3", "option 2").

    A bare number counts only where no option holds it as a value.
    """
    worded = after_option_word(page.low, start)
    match = _NUMBERS.match(page.text, worded)
    if not match:
        return None
    numbers = [int(number) for number in _DIGITS.findall(match[1])]
    if not all(1 <= number <= len(page.options.labels) for number in numbers):
        return None
    word = OPTION_WORD.match(page.low, start)
    explicit = word and CUE_KINDS.get(word.group()) != "answer"
    if not explicit and any(page.options.holds_number(number) for number in numbers):
        return None
    labels = tuple(page.options.labels[number - 1] for number in numbers)
    return Claim(match.start(), "labels", labels, method, FIRM, match.end(), by_text=True)


def labels_by_text(page: Page, line: str, *, exact: bool) -> tuple[str, ...]:
    """The options that a declared stretch of text names, or (exact) is the text of."""
    options = page.options
    whole = page.searchable(line)
    equal = options.equal_to(whole)
    if equal:
        return tuple(equal) if len(equal) == 1 else ()
    sentence = _SENTENCE_END.split(line, maxsplit=1)[0]
    equal = options.equal_to(page.searchable(sentence))
    if exact or len(equal) == 1:
        return tuple(equal) if len(equal) == 1 else ()
    heading, rest = options.heading(page.searchable(_NUMBERED.sub("", line, count=1)))
    if heading and not options.inside(before_contrast(rest)):
        return (heading,)
    return tuple(options.inside(page.searchable(before_contrast(sentence))))


def before_contrast(text: str) -> str:
    """The text up to a "not", "because" or "rather than"."""
    contrast = CONTRAST.search(text.lower())
    return text[: contrast.start()] if contrast else text
