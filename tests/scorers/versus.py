"""Two models' answers on disk, and judges of the loopback server that compare them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model

from eve_inspect import win_rate
from tests.scorers.panel import JUDGES, model
from tests.servers.openai_server import OpenAIServer, Request, Scripted, user_text
from tests.tasks.exam import write

Voice = Callable[[Request], Scripted | str]
Place = Literal["first", "second"]

NEW, OLD = "A new answer", "An old answer"


def answers(path: Path, texts: Sequence[str | None]) -> str:
    """Write a model's answers to questions 0, 1, 2, ... and return the path."""
    rows = [
        {"question": f"Question {place}?", "reference": f"Reference {place}.", "answer": text}
        for place, text in enumerate(texts)
    ]
    return write(path, rows)


def files(folder: Path, count: int = 4) -> dict[str, Any]:
    """Write the answers of two models, and return them as the task takes them."""
    folder.mkdir(exist_ok=True)
    return {
        "model_a": answers(folder / "new.jsonl", [f"{NEW} {n}." for n in range(count)]),
        "model_b": answers(folder / "old.jsonl", [f"{OLD} {n}." for n in range(count)]),
    }


def winner(label: str) -> str:
    """Return a judge's reply in the mode ``preference``."""
    return json.dumps({"rationale": f"It is {label}.", "winner": label})


def right(first: bool, second: bool) -> str:
    """Return a judge's reply in the mode ``correctness``."""
    said = {True: "correct", False: "incorrect"}
    return json.dumps({"rationale": "So.", "answer_a": said[first], "answer_b": said[second]})


def shows_new_first(request: Request) -> bool:
    """Whether the model's answer stands before the baseline's."""
    text = user_text(request)
    return text.index(NEW) < text.index(OLD)


def newer(request: Request) -> str:
    """Prefer the model's answer."""
    return winner("A" if shows_new_first(request) else "B")


def older(request: Request) -> str:
    """Prefer the baseline's answer."""
    return winner("B" if shows_new_first(request) else "A")


def first(request: Request) -> str:  # noqa: ARG001
    """Prefer whatever stands first."""
    return winner("A")


def even(request: Request) -> str:  # noqa: ARG001
    """Prefer neither."""
    return winner("tie")


def silent(request: Request) -> str:  # noqa: ARG001
    """Say nothing that can be read as a verdict."""
    return "They differ in more than one way."


def voices(judges: Mapping[str, Voice]) -> Voice:
    """Return a script in which each judge speaks for itself."""
    return lambda request: judges[request["model"]](request)


def compared(
    task: Task,
    server: OpenAIServer,
    folder: Path,
    judges: Sequence[str | Model] = JUDGES[:1],
    **settings: Any,
) -> EvalLog:
    """Run a comparison and return its log, read back from disk."""
    panel = [one if isinstance(one, Model) else model(server, one) for one in judges]
    (log,) = eval(
        task,
        model_roles={"judge": panel},
        log_dir=str(folder / "logs"),
        display="log",
        log_realtime=False,
        **settings,
    )
    return read_eval_log(log.location)


def run(
    server: OpenAIServer,
    folder: Path,
    judges: Mapping[str, Voice],
    count: int = 4,
    **arguments: Any,
) -> EvalLog:
    """Compare two models by judges that speak as told."""
    server.script = voices(judges)
    return compared(win_rate(**files(folder, count), **arguments), server, folder, list(judges))


def details(log: EvalLog) -> list[dict[str, Any]]:
    """Return what was recorded of each pair, in the order of the questions."""
    samples = sorted(log.samples or [], key=lambda one: (str(one.input), one.epoch))
    return [dict((one.scores or {})["win_rate"].metadata or {}) for one in samples]


def records(log: EvalLog, judge: str) -> list[dict[str, Any]]:
    """Return what was recorded of a judge, in the order of the questions."""
    return [one["judges"][judge] for one in details(log)]


def values(log: EvalLog) -> list[dict[str, Any]]:
    """Return the value of each score, in the order of the questions."""
    samples = sorted(log.samples or [], key=lambda one: (str(one.input), one.epoch))
    found = [(one.scores or {})["win_rate"].value for one in samples]
    return [dict(one) if isinstance(one, Mapping) else {} for one in found]
