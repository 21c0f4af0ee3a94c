"""What judges said when a log was scored before, taken over instead of asked for again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers._judges import RECORDED, Judge, SampleKey


def recalled(
    judges: Sequence[Judge], message: str, sample: SampleKey | None
) -> dict[str, Mapping[str, Any]]:
    """Return the recorded verdicts that judges take over, each by one judge.

    Equal judges may have said different things: one's own name goes first.

    Raises:
        EveInspectError: A judge that is not asked again was asked something else.
    """
    recorded = RECORDED.get()
    if recorded is None or sample is None:
        return {}
    known = dict(recorded.verdicts.get(sample, {}))
    taken: dict[str, Mapping[str, Any]] = {}
    for judge in judges:
        one = known.get(judge.name)
        if one is not None and _may_recall(judge, one, message):
            taken[judge.name] = known.pop(judge.name)
    for judge in judges:
        names = [name for name, one in known.items() if _may_recall(judge, one, message)]
        if judge.name not in taken and names:
            taken[judge.name] = known.pop(names[0])
    return taken


def _may_recall(judge: Judge, record: Mapping[str, Any], message: str) -> bool:
    """Return whether a record answers what a judge would be asked.

    A judge that can be asked again is asked again where its verdict is missing.
    """
    same = record.get("request") == request_key(judge, message)
    if judge.live is not None:
        return same and record["status"] == "scored"
    if not same and record["identity"] == judge.identity:
        raise EveInspectError(
            f"judge {judge.name!r} was asked something else when the log was scored (another "
            "rubric, scale or reference), so that its verdicts and new ones do not go together: "
            "name the whole panel with --judge."
        )
    return same


def request_key(judge: Judge, message: str) -> str:
    """Return what tells a judge's request apart from all others."""
    return hashlib.sha256(f"{judge.identity}\n{message}".encode()).hexdigest()[:32]
