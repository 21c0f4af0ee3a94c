"""Logs of comparisons, made without a judge: a scorer that says what it is told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from eve_inspect.scorers._win_rate_metrics import (
    win_rate_agreement,
    win_rate_position,
    win_rate_uncertainty,
    win_rates,
)

Word = str | None
"""What a judge decided: win, loss or tie, ``changed`` for a tie by its order, None for missing."""

_SAID: Mapping[Word, tuple[Word, Word]] = {
    "win": ("first", "second"),
    "loss": ("second", "first"),
    "tie": ("tie", "tie"),
    "changed": ("first", "first"),
    None: (None, "first"),
}


def order_of(preferred: Word, rationale: str) -> dict[str, Any]:
    """Return what is recorded of a judge's reply."""
    return {
        "status": "unreadable" if preferred is None else "scored",
        "rationale": None if preferred is None else rationale,
        "raw": "reply",
        "attempts": 1,
        "failures": [],
        "preferred": preferred,
    }


def judged(word: Word, rationale: str = "Because.", correct: Any = None) -> dict[str, Any]:
    """Return what is recorded of a judge that saw both orders."""
    orders = dict(zip(("AB", "BA"), _SAID[word], strict=True))
    return {
        "model": "openai/judge",
        "identity": "secret-address",
        "relation": {"model": None, "baseline": None},
        "outcome": "tie" if word == "changed" else word,
        "inconsistent": None if word is None else word == "changed",
        "correct": correct,
        "orders": {order: order_of(said, rationale) for order, said in orders.items()},
    }


def details(judges: Mapping[str, Any], place: int = 0, **others: Any) -> dict[str, Any]:
    """Return the metadata of the score of a pair."""
    texts = {"answer_text": f"Answer {place}.", "baseline_answer": "Another."}
    texts |= {name: others[name] for name in texts if name in others}
    return {
        "status": "answered",
        "readable": True,
        "gold": "A reference.",
        "mode": "preference",
        "order": "both",
        "seed": 7,
        "rubric": {},
        "judge_sees_context": False,
        "model": "eve",
        "baseline": "base",
        "question_id": f"q{place}",
        "question": f"Question {place}?",
        "baseline_status": "answered",
        "characters": len(texts["answer_text"]),
        "baseline_characters": len(texts["baseline_answer"]),
        "judged": True,
        "panel": list(judges),
        "judges": dict(judges),
        **texts,
        **others,
    }


@scorer(
    name="win_rate",
    metrics=[
        {"*": [mean()]},
        win_rates(),
        win_rate_uncertainty(),
        win_rate_agreement(),
        win_rate_position(),
    ],
)
def told(rows: Sequence[Mapping[str, Any] | None]) -> Scorer:
    """Score each sample as it is told; None is a sample that cannot be compared."""
    values = {"win": 1.0, "tie": 0.5, "loss": 0.0, None: math.nan}

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        row = rows[int(state.sample_id)]
        if row is None:
            return Score.unscored(
                reason="scoring_failed", explanation="The baseline has no answer.", metadata={}
            )
        given = {name: values[one["outcome"]] for name, one in row["judges"].items()}
        known = [value for value in given.values() if not math.isnan(value)]
        average = sum(known) / len(known) if known else math.nan
        columns = {**{f"preference_{k}": v for k, v in given.items()}, "preference_avg": average}
        return Score(value=dict(columns), metadata=dict(row))

    return score


@solver
def silent() -> Solver:
    """Answer without a model; what is compared is in the scores."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.output = ModelOutput.from_content("none", "")
        return state

    return solve


def log_of(folder: Path, rows: Sequence[Mapping[str, Any] | None], epochs: int = 1) -> EvalLog:
    """Return the log of a run whose samples are scored as told."""
    samples = [
        Sample(id=str(place), input=f"Question {place}?", target="A reference.")
        for place in range(len(rows))
    ]
    task = Task(dataset=MemoryDataset(samples), solver=silent(), scorer=told(rows))
    (log,) = eval(
        task,
        log_dir=str(folder),
        display="log",
        log_realtime=False,
        epochs=epochs,
        model="none/none",
    )
    assert log.status == "success", log.error
    return log


def panel_of(words: Mapping[str, Sequence[Word]], **others: Any) -> list[dict[str, Any]]:
    """Return the metadata of pairs from each judge's decisions."""
    columns = zip(*words.values(), strict=True)
    return [
        details(
            {judge: judged(one) for judge, one in zip(words, column, strict=True)}, place, **others
        )
        for place, column in enumerate(columns)
    ]
