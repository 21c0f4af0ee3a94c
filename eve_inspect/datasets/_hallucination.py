"""Answers to be checked for false or unsupported information."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._benchmark import JSON, Benchmark, Item, Rules
from eve_inspect.datasets._row import BadRowError, Row
from eve_inspect.datasets._spans import HardSpan, SoftSpan, read_hard_spans, read_soft_spans

Level = Literal["binary", "hard", "soft"]
"""What is asked of an answer: is it hallucinated, where, or where with which probability."""

_GOLD_COLUMNS: dict[Level, str] = {
    "binary": "is_hallucinated",
    "hard": "Hard labels",
    "soft": "Soft labels",
}


def hallucination_text(question: str, answer: str) -> str:
    """Return a question and the answer to be checked as the model sees them."""
    return f"Question:\n{question.strip()}\n\nAnswer:\n{answer}"


def hallucination_detection(level: Level = "binary") -> Benchmark:
    """Return the hallucination benchmark at one of its levels.

    Every level checks all columns that a row has, so that they all see the same rows; the one that
    holds the level's gold has to be there. A sample has the same id at each level.

    Args:
        level: ``binary``: the target is ``yes`` (hallucinated) or ``no``. ``hard``: the target is
            a JSON list of spans, ``{"start", "end", "text"}``; metadata ``hard`` has ``[start,
            end]`` pairs. ``soft``: spans have a ``prob`` too, as have the triples of metadata
            ``soft``. Metadata ``answer`` is the text that offsets, in code points, count in.

    Raises:
        EveInspectError: A level that does not exist.
    """
    if level not in get_args(Level):
        raise EveInspectError(f"level={level!r} is not offered: use 'binary', 'hard' or 'soft'.")
    return replace(
        _BASE,
        columns=("Question", "Answer", _GOLD_COLUMNS[level]),
        to_item=partial(_item, level=level),
    )


def _item(row: Row, rules: Rules, level: Level = "binary") -> Item:
    """Read an answer with all its golds, and put the level's one forward."""
    question, answer = row.text("Question").strip(), row.text("Answer")
    utf16 = rules.offsets == "utf16"
    hard = read_hard_spans(row, answer, utf16)
    soft = read_soft_spans(row, answer, utf16)
    hallucinated = row.boolean("is_hallucinated")
    golds: dict[Level, object] = {"binary": hallucinated, "hard": hard, "soft": soft}
    if golds[level] is None:
        raise BadRowError(_GOLD_COLUMNS[level], "is missing")
    _check_agreement(hallucinated, hard, soft)
    metadata: dict[str, JSON] = {"question": question}
    if level != "binary":
        metadata["answer"] = answer
    if level != "binary" and hard is not None:
        metadata["hard"] = [list(span) for span in hard]
    if level == "soft" and soft is not None:
        metadata["soft"] = [list(span) for span in soft]
    return Item(
        content=[question, answer, hallucinated, hard, soft],
        input=hallucination_text(question, answer),
        target=_target(level, hallucinated, hard, soft, answer),
        metadata=metadata,
    )


def _target(
    level: Level,
    hallucinated: bool | None,
    hard: list[HardSpan] | None,
    soft: list[SoftSpan] | None,
    answer: str,
) -> str:
    if level == "binary":
        return "yes" if hallucinated else "no"
    spans = soft if level == "soft" else hard
    return json.dumps(
        [{**span._asdict(), "text": answer[span.start : span.end]} for span in spans or []],
        ensure_ascii=False,
    )


def _check_agreement(
    hallucinated: bool | None, hard: list[HardSpan] | None, soft: list[SoftSpan] | None
) -> None:
    """Refuse golds that contradict each other.

    Soft spans do not decide: their probabilities may all be too small for a marked one.
    """
    if hallucinated is False and hard:
        raise BadRowError(
            "is_hallucinated", f"is false, but {len(hard)} span(s) are marked as such"
        )
    if hallucinated is True and hard == [] and not soft:
        raise BadRowError("is_hallucinated", "is true, but no span is marked")


_BASE = Benchmark(
    name="hallucination_detection",
    hub="eve-esa/hallucination-detection",
    paper_rows=2326,
    columns=("Question", "Answer"),
    to_item=_item,
)
