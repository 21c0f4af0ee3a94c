"""Which declaration counts: all that a reply declares and rejects, and what is left of it."""

from __future__ import annotations

import re
from collections import deque

from eve_inspect.answers._after_cue import Cue, read_cue
from eve_inspect.answers._by_position import from_head, from_last_line, from_own_paragraph
from eve_inspect.answers._declarations import FIRM, Claim, Declarations, Kind, Rejection
from eve_inspect.answers._decoration import BOX, TAG
from eve_inspect.answers._judgements import judgements, read_judged_labels
from eve_inspect.answers._labels import Page
from eve_inspect.answers._options import Options
from eve_inspect.answers._phrases import BEFORE_LABEL, CUE, CUE_KINDS, kind_of

_MOST_CUES = 150
_MOST_MATCHES = 2_000
_FORMS = re.compile(f"[{BOX}{TAG}]")


def collect(page: Page) -> Declarations:
    """What a plain reply declares, as far as it can count, in no particular order.

    Cues are read from the end, because the last declaration wins: a firm one that is not rejected
    later ends the search.
    """
    heads = page.heads
    claims: list[Claim] = []
    rejections: list[Rejection] = []
    judged = judgements(page, heads)
    read_judged_labels(page, claims, rejections)
    if not judged:
        claims += from_head(page, heads)
        claims += from_own_paragraph(page, heads)
        claims += from_last_line(page, heads)
    only_keys = page.text.lstrip(" \t\n[").startswith("{")
    if only_keys and judged:
        return Declarations([], rejections, judged)
    for cue in _cues(page):
        known = len(claims)
        read_cue(page, heads, cue, claims, rejections)
        if len(claims) > known and _settles(claims[-1], rejections, only_keys=only_keys):
            break
    keys = [claim for claim in claims if claim.method == "json"] if only_keys else []
    return Declarations(keys or claims, rejections, judged)


def _cues(page: Page) -> list[Cue]:
    """The cues of a reply, the last one first; of a loop only the end."""
    firm: deque[Cue] = deque(maxlen=_MOST_CUES)
    soft: deque[Cue] = deque(maxlen=_MOST_CUES)
    for match in deque(CUE.finditer(page.low), maxlen=_MOST_MATCHES):
        kind = kind_of(match.group(), CUE_KINDS)
        if kind == "it_is":
            if not BEFORE_LABEL.search(page.low[max(0, match.start() - 40) : match.start()]):
                continue
            kind = "infer"
        cues = soft if kind == "infer" else firm
        cues.append(Cue(kind, match.group(), match.start(), match.end()))
    if BOX in page.text or TAG in page.text:
        for match in deque(_FORMS.finditer(page.text), maxlen=_MOST_CUES):
            kind = "boxed" if match.group() == BOX else "tag"
            firm.append(Cue(kind, "", match.start(), match.end()))
    return sorted([*firm, *soft], key=lambda cue: -cue.start)


def _settles(claim: Claim, rejections: list[Rejection], *, only_keys: bool) -> bool:
    """Whether no earlier cue can count any more."""
    if claim.weight < FIRM or claim.adds or (only_keys and claim.method != "json"):
        return False
    if claim.kind != "labels":
        return True
    rejected = {r.label for r in rejections if r.place > claim.place}
    return not set(claim.labels) <= rejected


def weigh(found: Declarations, options: Options, *, several: bool) -> Claim | None:
    """The declaration that counts."""
    claims = [kept for claim in found.claims if (kept := _unrejected(claim, found))]
    firm = [claim for claim in claims if claim.weight == FIRM]
    if several:
        firm = [claim for claim in firm if claim.method != "judgement"]
    if firm:
        return _with_added(firm)
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


def _with_added(firm: list[Claim]) -> Claim:
    """The last declaration, with those that it adds to."""
    firm = sorted(firm, key=lambda claim: claim.place)
    last = firm.pop()
    while last.adds and firm and firm[-1].kind == last.kind == "labels":
        before = firm.pop()
        last = last._replace(labels=(*before.labels, *last.labels), adds=before.adds)
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
        kind: Kind = "labels" if right else "none"
        return Claim(0, kind, right, "judgements", FIRM, 0)
    if not several and right and complete:
        return Claim(0, "labels", right, "judgements", FIRM, 0)
    return None
