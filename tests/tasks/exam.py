"""Rows of a tiny exam, and scripts that answer it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspect_ai.log import EvalLog, EvalScore

from tests.servers.openai_server import Request, Scripted, user_text

SINGLE = [
    {"Question": f"Question {number}?", "Choices": ["w", "x", "y", "z"], "Answer": letter}
    for number, letter in enumerate("ABCDABCD")
]
MULTIPLE = [
    {
        "Question": f"Question {number}?",
        "Choices": {"label": ["A", "B", "C", "D"], "text": ["w", "x", "y", "z"]},
        "Answers": answers,
    }
    for number, answers in enumerate([["A"], ["B"], ["A", "C"], ["B", "C", "D"]])
]
CLEAN = "The swath of Sentinel-2 is 290 km."
FALSE = "Le satellite Réunion a une fauchée de 250 km."


def hallucination_rows(clean: int, false: int) -> list[dict[str, object]]:
    """Return rows with that many clean answers, then that many with one false fragment."""
    start = FALSE.index("250 km")
    span = {"start": start, "end": start + 6, "prob": 0.8, "text": "250 km"}
    return [
        {
            "Question": f"Question {number}?",
            "Answer": FALSE if number >= clean else CLEAN,
            "is_hallucinated": number >= clean,
            "Hard labels": [[start, start + 6]] if number >= clean else [],
            "Soft labels": [span] if number >= clean else [],
        }
        for number in range(clean + false)
    ]


def write(path: Path, rows: Sequence[Mapping[str, object]]) -> str:
    """Write rows as JSON lines and return the path as a task takes it."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def by_question(
    replies: Mapping[int, Scripted | str], otherwise: Scripted | str = ""
) -> Callable[[Request], Scripted | str]:
    """Return a script that replies by the number in ``Question <number>?``."""

    def script(request: Request) -> Scripted | str:
        number = int(user_text(request).split("Question ")[1].split("?")[0])
        return replies.get(number, otherwise)

    return script


def score_named(log: EvalLog, name: str, reducer: str | None = "mean") -> EvalScore:
    """Return a log's score with that name; reducer None selects the one over all replies."""
    assert log.results is not None, log.error and log.error.traceback[-1500:]
    found = [s for s in log.results.scores if s.name == name]
    exact = [s for s in found if s.reducer == reducer]
    return (exact or found)[0]


def figures(log: EvalLog) -> dict[str, float]:
    """Return all metrics of a log by ``<score>/<metric>``."""
    assert log.results is not None, log.error and log.error.traceback[-1500:]
    return {
        f"{score.name}/{name}": float(metric.value)
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }
