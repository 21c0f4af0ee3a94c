"""Fixtures shared by all tests, and the walls around them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, read_eval_log

from tests.servers.openai_server import OpenAIServer

ROOT = Path(__file__).parents[1]
Evaluate = Callable[..., EvalLog]

hypothesis.settings.register_profile("eve", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("eve")

_CLOSED = "http://127.0.0.1:9"


def pytest_configure() -> None:
    """Let nothing out of this machine, from subprocesses either: their proxy is a closed port."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        os.environ[name] = os.environ[name.lower()] = _CLOSED
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    os.environ["INSPECT_DISPLAY"] = "log"


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def _loopback() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def server(_loopback: OpenAIServer) -> OpenAIServer:
    """A loopback endpoint that has received nothing yet; set its ``script``."""
    _loopback.reset(lambda _: "Answer: A")
    return _loopback


@pytest.fixture
def evaluate(server: OpenAIServer, tmp_path: Path) -> Evaluate:
    """Run a task against the loopback endpoint and return its log, read back from disk."""

    def run(task: Task, **settings: Any) -> EvalLog:
        (log,) = eval(
            task,
            model="openai-api/loopback/model",
            model_base_url=server.url,
            model_args={"api_key": "none"},
            log_dir=str(tmp_path / "logs"),
            display="log",
            log_realtime=False,
            **settings,
        )
        return read_eval_log(log.location)

    return run
