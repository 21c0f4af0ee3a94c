"""Recorded answers whose quality is known, and judges that see it."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog

from tests.servers.openai_server import OpenAIServer, Request, Scripted, user_text

_QUALITY = re.compile(r"Answer of quality (\d+)\.")
_QUESTION = re.compile(r"Question (\d+)\?")


def answers(path: Path, qualities: Mapping[int, int] | int, questions: int = 3) -> Path:
    """Write answers as the earlier tool did, and return the path.

    Args:
        path: Where they go.
        qualities: The quality of each answer, or of all.
        questions: Number of questions.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["doc\\.Question", "target", "filtered_resps"])
        for number in range(questions):
            quality = qualities if isinstance(qualities, int) else qualities[number]
            text = f"Answer of quality {quality}."
            writer.writerow([f"Question {number}?", f"Reference {number}.", text])
    return path


def better(request: Request) -> str:
    """Reply as a judge that finds the better answer, wherever it stands."""
    first, second = (int(one) for one in _QUALITY.findall(user_text(request)))
    winner = "tie" if first == second else "A" if first > second else "B"
    return json.dumps({"rationale": f"{first} against {second}.", "winner": winner})


def question_of(request: Request) -> int:
    """Return the number of the question that a judge is asked about."""
    found = _QUESTION.search(user_text(request))
    assert found
    return int(found.group(1))


def silent(
    judges: Collection[str] = (), questions: Collection[int] = ()
) -> Callable[[Request], Scripted | str]:
    """Return a script in which some judges, and all on some questions, say nothing readable."""

    def reply(request: Request) -> str:
        mute = request["model"] in judges or question_of(request) in questions
        return "I cannot tell." if mute else better(request)

    return reply


def calls(server: OpenAIServer) -> Counter[tuple[str, int]]:
    """Return how often each judge was asked about each question."""
    return Counter((request["model"], question_of(request)) for request in server.requests)


def outcomes(log: EvalLog) -> dict[str, list[str | None]]:
    """Return each judge's decisions, in the order of the questions."""
    found: dict[str, list[str | None]] = {}
    for details in details_of(log):
        for judge, record in details["judges"].items():
            found.setdefault(judge, []).append(record["outcome"])
    return found


def details_of(log: EvalLog) -> list[dict[str, Any]]:
    """Return the metadata of all scores of `win_rate`, in the order of the questions."""
    scores = [(sample.scores or {})["win_rate"] for sample in log.samples or []]
    return sorted((score.metadata or {} for score in scores), key=lambda one: str(one["question"]))
