"""A panel of scripted judges on the loopback server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import GenerateConfig, Model, get_model

from tests.servers.openai_server import OpenAIServer, Request, Script, Scripted

JUDGES = ("judge-a", "judge-b", "judge-c")


def graded(score: object, rationale: str = "It holds the key facts.") -> str:
    """Return a judge's reply."""
    return json.dumps({"rationale": rationale, "score": score})


def sorted_as(kind: str) -> str:
    """Return the reply of a judge that sorts answers."""
    return json.dumps({"rationale": "It says so.", "kind": kind})


def script(candidate: Scripted | str, judges: Mapping[str, Scripted | str]) -> Script:
    """Return a script in which the candidate and each judge always say the same."""

    def reply(request: Request) -> Scripted | str:
        return judges.get(request["model"], candidate)

    return reply


def asked(server: OpenAIServer, model: str) -> list[Request]:
    """Return the requests that a model received."""
    return [request for request in server.requests if request["model"] == model]


def model(server: OpenAIServer, name: str, **settings: Any) -> Model:
    """Return a model at the loopback server."""
    return get_model(
        f"openai-api/loopback/{name}",
        base_url=server.url,
        api_key="a-secret",
        config=GenerateConfig(**settings),
        memoize=False,
    )


def judged(
    task: Task,
    server: OpenAIServer,
    folder: Path,
    judges: Sequence[str | Model] = JUDGES,
    **settings: Any,
) -> EvalLog:
    """Run a task with judges and return its log, read back from disk."""
    panel = [one if isinstance(one, Model) else model(server, one) for one in judges]
    (log,) = eval(
        task,
        model=model(server, "candidate"),
        model_roles={"judge": panel} if panel else {},
        log_dir=str(folder / "logs"),
        display="log",
        log_realtime=False,
        **settings,
    )
    return read_eval_log(log.location)
