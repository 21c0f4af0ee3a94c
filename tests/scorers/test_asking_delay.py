"""The least time between two requests to a judge, by a clock that stands still."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from eve_inspect import EveInspectError
from tests.scorers.panel import asked
from tests.scorers.versus import Voice, newer, run, silent
from tests.servers.openai_server import OpenAIServer

NOW = 100.0


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that requests waited for their turn, in order; nobody really waits."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)
        await anyio.lowlevel.checkpoint()

    clock = SimpleNamespace(
        current_time=lambda: NOW, sleep=sleep, create_task_group=anyio.create_task_group
    )
    monkeypatch.setattr("eve_inspect.scorers._asking.anyio", clock)
    return found


def test_requests_to_a_judge_take_turns(
    server: OpenAIServer, tmp_path: Path, waits: list[float]
) -> None:
    run(server, tmp_path, {"judge-a": newer}, count=3, judge_delay=2)
    assert waits == [0, 2, 4, 6, 8, 10]
    assert len(server.requests) == 6


def test_each_judge_has_turns_of_its_own(
    server: OpenAIServer, tmp_path: Path, waits: list[float]
) -> None:
    run(server, tmp_path, {"judge-a": newer, "judge-b": newer}, count=2, judge_delay=0.5)
    assert sorted(waits) == [0, 0, 0.5, 0.5, 1, 1, 1.5, 1.5]


def test_further_attempts_take_turns_too(
    server: OpenAIServer, tmp_path: Path, waits: list[float]
) -> None:
    run(server, tmp_path, {"judge-a": silent}, count=1, judge_attempts=2, judge_delay=3)
    assert waits == [0, 3, 6, 9, 12, 15]
    assert len(asked(server, "judge-a")) == 6


@pytest.mark.parametrize("voice", [newer, silent], ids=["scored", "repeated"])
def test_without_a_delay_nobody_waits(
    server: OpenAIServer, tmp_path: Path, waits: list[float], voice: Voice
) -> None:
    log = run(server, tmp_path, {"judge-a": voice}, count=1)
    assert log.status == "success"
    assert waits == []


@pytest.mark.parametrize("delay", [math.inf, math.nan, True], ids=str)
def test_a_delay_is_a_number_of_seconds(server: OpenAIServer, tmp_path: Path, delay: float) -> None:
    with pytest.raises(EveInspectError, match="judge_delay"):
        run(server, tmp_path, {"judge-a": newer}, judge_delay=delay)
    assert not server.requests
