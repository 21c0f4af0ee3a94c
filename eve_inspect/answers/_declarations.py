"""All that a reply declares: claims and rejections, each with its place and how it was made."""

from __future__ import annotations

import re
from collections import deque

from eve_inspect.answers._claims import FIRM, Claim, Declarations, Rejection
from eve_inspect.answers._cued import read_cue
from eve_inspect.answers._cues import BEFORE_LABEL, CUE, CUE_KINDS, kind_of
from eve_inspect.answers._judged import judgements, read_judged_labels
from eve_inspect.answers._labels import Head, Page
from eve_inspect.answers._places import from_head, from_last_line
from eve_inspect.answers._plain import BOX, TAG
from eve_inspect.answers._slots import Cue

_MOST_CUES = 150
_MOST_MATCHES = 2_000
_FORMS = re.compile(f"[{BOX}{TAG}]")


def collect(page: Page, heads: list[Head]) -> Declarations:
    """What a plain reply declares, as far as it can count, in no particular order.

    Cues are read from the end, because the last declaration wins: a firm one that is not rejected
    later ends the search.
    """
    claims: list[Claim] = []
    rejections: list[Rejection] = []
    judged = judgements(page, heads)
    read_judged_labels(page, claims, rejections)
    if not judged:
        claims += from_head(page, heads)
        claims += from_last_line(page, heads)
    only_keys = page.text.lstrip().startswith("{")
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
    if claim.weight < FIRM or (only_keys and claim.method != "json"):
        return False
    if claim.kind != "labels":
        return True
    rejected = {r.label for r in rejections if r.place > claim.place}
    return not set(claim.labels) <= rejected
