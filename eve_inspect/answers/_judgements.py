"""Labels that are judged: "B is correct", "A and C are wrong", "A: true", "✗ B"."""

from __future__ import annotations

import re

from eve_inspect.answers._declarations import FIRM, SOFT, Claim, Rejection
from eve_inspect.answers._decoration import NO, YES
from eve_inspect.answers._labels import Head, Page, is_separated
from eve_inspect.answers._phrases import (
    BEFORE_LABEL,
    JOIN,
    JUDGE,
    JUDGE_KINDS,
    JUDGEMENT,
    JUDGEMENT_KINDS,
    NOT_MEANT,
    TENTATIVE,
    kind_of,
)

_LONGEST_JOIN = 24
_ENTRY_MARK = re.compile(r"[)\]}\"'>]*[^\S\n]*(?:[.:)|=,;-][^\S\n]*)*[(\[\"']*")
_JSON_JUDGEMENT = re.compile(r"[\"']([A-Za-z])[\"']\s*:\s*(true|false)\b", re.IGNORECASE)
_JSON_OBJECT_JUDGEMENT = re.compile(
    r"[\"'](?:letter|label|option|choice|id|answer)[\"']\s*:\s*[\"']([A-Za-z])\b[^{}]{0,400}?"
    r"[\"'](?:is_?)?(?:correct|right|true|valid|selected|applies)[\"']\s*:\s*(true|false)\b",
    re.IGNORECASE,
)
_UP_TO_JUDGEMENT = re.compile(
    r"[)\]\"']*(?:\s?\([^()\n]{0,100}\))?,?[^\S\n]?(?:选项|選項|项|項|番|번)?"
)


def read_judged_labels(page: Page, claims: list[Claim], rejections: list[Rejection]) -> None:
    """Read labels that a judgement follows ("B is correct", "A and C are wrong")."""
    for index, label in enumerate(page.labels):
        if not label.upper:
            continue
        judge = _judge_after(page, label.end) if page.text[label.end : label.end + 1] else None
        if not judge:
            continue
        first, letters, choice = _subjects(page, index)
        before = page.low[max(0, first - 40) : first]
        if not BEFORE_LABEL.search(before) or NOT_MEANT.search(before):
            continue
        kind = kind_of(judge.group(), JUDGE_KINDS)
        if kind == "wrong":
            rejections += [Rejection(first, letter) for letter in letters]
            continue
        known = set(letters) <= set(page.options.labels)
        if known and not TENTATIVE.match(page.low, judge.end()):
            both = page.searchable(f"both {page.text[first : label.end]}")
            labels = tuple(page.options.equal_to(both)) or letters
            weight = FIRM if kind == "decisive" else SOFT
            claims.append(Claim(first, "labels", labels, "judgement", weight, judge.end(), choice))


def _judge_after(page: Page, end: int) -> re.Match[str] | None:
    """The judgement after a label, over its option text or a bracket."""
    over = _UP_TO_JUDGEMENT.match(page.text, end)
    return JUDGE.match(page.low, over.end() if over else end)


def _subjects(page: Page, index: int) -> tuple[int, tuple[str, ...], bool]:
    """The labels that share a judgement: a list that ends with the label at an index."""
    last = page.labels[index]
    letters = [last.letters]
    first, choice = last, False
    while index and len(letters) < 26:
        index -= 1
        before = page.labels[index]
        near = first.start - before.end < _LONGEST_JOIN and before.upper
        join = JOIN.fullmatch(page.low, before.end, first.start) if near else None
        if not join or not is_separated(join):
            break
        choice = choice or bool(join["or"])
        letters.insert(0, before.letters)
        first = before
    return first.start, tuple(letters), choice


def judgements(page: Page, heads: list[Head]) -> dict[str, bool]:
    """What a list of judgements says of each option ("A: true", "✗ B", `"C": false`)."""
    judged: dict[str, bool] = {}
    for head in heads:
        verdict = judgement_of(page, head)
        if verdict is not None:
            judged[head.label.letters] = verdict
    if '"' in page.text or "'" in page.text:
        for pattern in (_JSON_JUDGEMENT, _JSON_OBJECT_JUDGEMENT):
            for match in pattern.finditer(page.text):
                judged[match[1].upper()] = match[2].lower() == "true"
    return judged


def judgement_of(page: Page, head: Head) -> bool | None:
    """What a line that begins with a label says of that option; None when it does not judge."""
    prefix = page.text[head.start : head.label.start]
    if YES in prefix or NO in prefix:
        return YES in prefix
    own = page.text_end(head.label)
    mark = _ENTRY_MARK.match(page.text, head.label.end if own is None else own)
    start = mark.end() if mark else head.label.end
    rest = page.text[start : head.end].strip(" |.")
    if rest[:1] in (YES, NO) or rest[-1:] in (YES, NO):
        return YES in (rest[:1], rest[-1:])
    if own is None and start == head.label.end:
        return None
    match = JUDGEMENT.match(page.low, start)
    return kind_of(match.group(), JUDGEMENT_KINDS) == "true" if match else None
