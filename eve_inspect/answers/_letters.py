"""Reading the letter, or the letters, that a reply chooses.

The order of the rules:

1. A failed call is an `error`; no content is `empty`, `truncated` or `refusal` by its stop reason.
2. Reasoning and chat tokens are removed (`_text`); unclosed reasoning is `truncated`.
3. Characters are unified (`_text`), decoration taken off (`_plain`).
4. An echoed prompt is dropped, an invented next question cut off (`_echo`).
5. The whole reply may be labels, the text of one option, a number, "all", "none" (`_places`).
6. Declarations are collected (`_declarations`): cues in many languages, JSON keys, tags and boxes
   (`_cued`, phrases in `phrases.toml`), the head of the reply and its last line (`_places`), "B is
   correct" (`_judged`). Rejected labels are dropped. A declaration beats a conclusion ("so B") and
   a judgement; among equals the last one wins.
7. A list of judgements on every option counts when it marks one option (or, for several answers,
   whatever it marks).
8. Else the reply is a `refusal`, `truncated`, or declares nothing: `no_answer`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from eve_inspect.answers._claims import FIRM, Claim, Declarations
from eve_inspect.answers._cues import DECLINES
from eve_inspect.answers._declarations import collect
from eve_inspect.answers._echo import segments, without_echo
from eve_inspect.answers._labels import Page, bare
from eve_inspect.answers._options import Options
from eve_inspect.answers._places import from_whole
from eve_inspect.answers._plain import plain
from eve_inspect.answers._reading import Reading, Reply, Status
from eve_inspect.answers._text import normalise, visible

_TRANSPORT = re.compile(
    r"\W{0,5}(?:[a-z.]{0,20}error|exception|http)\b[^\n]{0,200}?"
    r"(?:\b[45]\d\d\b|too many requests|rate.?limit|time.?out|timed out|unavailable|overloaded"
    r"|connection)",
    re.IGNORECASE,
)


_ASKED = re.compile(r"(?m)^[ \t]*Q[ \t]?:")
_REPLIED = re.compile(r"(?m)^[ \t]*A[ \t]?:")
_ENTRY_B = re.compile(r"(?m)^[ \t]*B[ \t]?:")
_LONGEST_HEAD = 20_000
_LONGEST_TAIL = 40_000


class _Text(NamedTuple):
    """The readable text of a reply, or the reading that there is none."""

    plain: str
    status: Status | None
    flags: tuple[str, ...] = ()


def read_letter(reply: Reply, options: Sequence[str]) -> Reading[str]:
    """Read the one option that a reply chooses.

    Several commitments, and "all of the above" where it is not offered, are `ambiguous`; "none of
    the above" where it is not offered is `no_answer`. Letter and option text that disagree: the
    letter counts, flagged `letter_text_conflict`. A reply stopped by a content filter is a
    `refusal` unless it declares an answer before, which counts, flagged `content_filter`.

    Args:
        reply: The model's reply.
        options: Option texts in the order of their labels A, B, C, ...

    Returns:
        The label, with status and method.

    Raises:
        ValueError: There are no options, or more than 26.
    """
    offered = Options(options)
    text = _readable(reply)
    if text.status:
        return Reading(None, text.status, flags=text.flags)
    page, claim = _declared(text.plain, offered, several=False)
    if not claim:
        return Reading(None, _silent(reply, page), flags=_silent_flags(page))
    labels = tuple(dict.fromkeys(claim.labels))
    flags = _flags(reply, page, claim)
    status: Status = "answered"
    if claim.kind == "unknown":
        status = "refusal"
    elif claim.kind == "none":
        status = "no_answer"
    elif reply.cut and (claim.dangling or _maybe_article(page, claim)):
        status = "truncated"
    elif claim.kind == "every" or len(labels) > 1:
        status = "ambiguous"
    elif labels[0] not in offered.labels:
        status = "out_of_range"
    answer = labels[0] if status == "answered" else None
    return Reading(answer, status, claim.method, flags)


def read_letters(reply: Reply, options: Sequence[str]) -> Reading[tuple[str, ...]]:
    """Read the set of options that a reply chooses.

    A deliberate "none of these" is answered with the empty tuple. Labels not offered stay in the
    answer (status `out_of_range`), unless no label is offered. A list cut by the token limit is
    kept as far as it goes (status `truncated`). "A or B" commits to nothing: `ambiguous`.

    Args:
        reply: The model's reply.
        options: Option texts in the order of their labels A, B, C, ...

    Returns:
        The labels, sorted and unique, with status and method.

    Raises:
        ValueError: There are no options, or more than 26.
    """
    offered = Options(options)
    text = _readable(reply)
    if text.status:
        return Reading(None, text.status, flags=text.flags)
    page, claim = _declared(text.plain, offered, several=True)
    if not claim:
        return Reading(None, _silent(reply, page), flags=_silent_flags(page))
    flags = _flags(reply, page, claim)
    labels = tuple(offered.labels) if claim.kind == "every" else tuple(sorted({*claim.labels}))
    answer: tuple[str, ...] | None = labels
    status: Status = "answered"
    if claim.kind == "unknown":
        answer, status = None, "refusal"
    elif claim.choice and len(labels) > 1:
        answer, status = None, "ambiguous"
    elif not set(labels) <= set(offered.labels):
        answer = labels if set(labels) & set(offered.labels) else None
        status = "out_of_range"
    elif reply.cut and (claim.dangling or _open_ended(page, claim)):
        status = "truncated"
    return Reading(answer, status, claim.method, flags)


def _readable(reply: Reply) -> _Text:
    """What is there to read, after reasoning and decoration."""
    if reply.error is not None:
        return _Text("", "error")
    seen = visible(reply.text or "")
    if seen.unclosed:
        return _Text("", "truncated")
    text = plain(normalise(_ends(seen.text.strip())))
    if _ASKED.search(text) and not _ENTRY_B.search(text):
        text = _REPLIED.sub("Answer:", text)
    if bare(text):
        return _Text(text, None)
    if reply.stop_reason == "content_filter":
        return _Text("", "refusal")
    if reply.cut:
        return _Text("", "truncated")
    return _Text("", "empty", ("empty_visible",) if seen.reasoned or reply.reasoning else ())


def _ends(text: str) -> str:
    """The text; of one that runs away, its beginning and its end."""
    if len(text) <= _LONGEST_HEAD + _LONGEST_TAIL:
        return text
    return f"{text[:_LONGEST_HEAD]}\n{text[-_LONGEST_TAIL:]}"


def _declared(text: str, options: Options, *, several: bool) -> tuple[Page, Claim | None]:
    """What the reply declares in the end, and the page that says so."""
    page = Page(text, options)
    trimmed = without_echo(page)
    if not bare(trimmed) and several:
        trimmed = text  # nothing but all options: a choice of all of them
    if trimmed is not text:
        page = Page(trimmed, options)
    for segment in segments(page):
        part = page if segment is page.text else Page(segment, options)
        claim = from_whole(part, several=several) or _weigh(
            collect(part, part.heads), options, several=several
        )
        if claim:
            return part, claim
    return page, None


def _weigh(found: Declarations, options: Options, *, several: bool) -> Claim | None:
    """The declaration that counts."""
    claims = [kept for claim in found.claims if (kept := _unrejected(claim, found))]
    firm = [claim for claim in claims if claim.weight == FIRM]
    if several:
        firm = [claim for claim in firm if claim.method != "judgement"]
    if firm:
        return max(firm, key=lambda claim: claim.place)
    judged = _judged(found.judged, options, several=several)
    if judged:
        return judged
    verdicts = [claim for claim in claims if claim.method == "judgement"]
    soft = [claim for claim in claims if claim.method != "judgement"]
    last = max(claims, key=lambda claim: claim.place, default=None)
    if (last and last.method == "judgement") or (several and verdicts and not soft):
        labels = tuple(dict.fromkeys(label for claim in verdicts for label in claim.labels))
        return verdicts[-1]._replace(labels=labels)
    return last


def _unrejected(claim: Claim, found: Declarations) -> Claim | None:
    """The claim without the labels that the reply rejects later; None when none is left."""
    if claim.kind != "labels":
        return claim
    rejected = {r.label for r in found.rejections if r.place > claim.place}
    labels = tuple(label for label in claim.labels if label not in rejected)
    return claim._replace(labels=labels) if labels else None


def _judged(judged: dict[str, bool], options: Options, *, several: bool) -> Claim | None:
    """A claim by a list of judgements."""
    right = tuple(sorted(label for label, true in judged.items() if true))
    complete = set(judged) == set(options.labels)
    if not judged or not set(judged) <= set(options.labels):
        return None
    if several and (complete or len(right) == len(judged) > 1):
        kind: Literal["labels", "none"] = "labels" if right else "none"
        return Claim(0, kind, right, "judgements", FIRM, 0)
    if not several and right and complete:
        return Claim(0, "labels", right, "judgements", FIRM, 0)
    return None


def _silent(reply: Reply, page: Page) -> Status:
    """The status of a reply that declares nothing."""
    if reply.stop_reason == "content_filter" or DECLINES.search(page.low):
        return "refusal"
    return "truncated" if reply.cut else "no_answer"


def _silent_flags(page: Page) -> tuple[str, ...]:
    return ("transport_error_text",) if _TRANSPORT.match(page.text) else ()


def _flags(reply: Reply, page: Page, claim: Claim) -> tuple[str, ...]:
    flags = []
    if reply.stop_reason == "content_filter":
        flags.append("content_filter")
    if not claim.by_text and len(claim.labels) == 1 and _conflicts(page, claim):
        flags.append("letter_text_conflict")
    return tuple(flags)


def _conflicts(page: Page, claim: Claim) -> bool:
    """Whether the text after a letter is that of another option."""
    label = claim.labels[0]
    same = page.options.equal_to(page.searchable(label))
    if same and label not in same:
        return True
    after = page.text[claim.end : claim.end + page.options.longest + 40].partition("\n")[0]
    following = re.match(r"[)\]\"'>]*\s?[.:)(=,-]?\s?[(\"']?\s?(?=\S)", after)
    if not following or not following.group():
        return False
    named, _ = page.options.heading(page.searchable(after))
    return bool(named) and named != label


def _maybe_article(page: Page, claim: Claim) -> bool:
    """Whether a reply broke off at a lower-case letter that may have been a word."""
    last = page.text.rstrip()[-1:]
    return claim.method == "cue" and last.islower() and page.text[claim.place : claim.end] == last


def _open_ended(page: Page, claim: Claim) -> bool:
    """Whether a reply broke off right after the labels, so that more may have been meant."""
    return not claim.by_text and claim.end > 0 and not page.text[claim.end :].strip()
