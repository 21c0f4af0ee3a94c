"""What a user does with a finished log: score it again, and look at it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from inspect_ai import Task, score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Scorer

from eve_inspect import hallucination_detection, mcqa_multiple, mcqa_single
from eve_inspect.scorers import (
    hallucination_binary,
    hallucination_hard,
    hallucination_soft,
    multiple_answer,
    single_answer,
)
from tests.conftest import Evaluate
from tests.e2e.starting import Installation, environment, run_well
from tests.servers.openai_server import OpenAIServer, Request, Scripted
from tests.tasks.exam import SINGLE, by_question, write

PORT_OPEN = "Running on"


Figure = tuple[str, str, str | None, str]
"""Score column, scorer, reducer and metric."""


def outcome(log: EvalLog) -> dict[Figure, float]:
    """Return all figures of a log."""
    assert log.results is not None
    return {
        (result.name, result.scorer, result.reducer, name): float(metric.value)
        for result in log.results.scores
        for name, metric in result.metrics.items()
    }


def same(figures: dict[Figure, float]) -> object:
    """Return what equals figures that were summed in another order; undefined ones too."""
    return pytest.approx(figures, nan_ok=True)


class Mark(NamedTuple):
    """What one reply was given; the value as text, so that undefined figures are equal."""

    sample: int | str
    epoch: int
    scorer: str
    value: str
    answer: str | None
    metadata: dict[str, Any] | None


def marks(log: EvalLog) -> list[Mark]:
    """Return what every reply of a log was given."""
    assert log.samples is not None
    return [
        Mark(sample.id, sample.epoch, name, repr(mark.value), mark.answer, mark.metadata)
        for sample in log.samples
        for name, mark in (sample.scores or {}).items()
    ]


@pytest.fixture
def finished(evaluate: Evaluate, server: OpenAIServer, tmp_path: Path) -> Path:
    """The log of a run with replies of several kinds."""
    server.script = by_question({0: "Answer: A", 1: "Hm.", 2: Scripted("", finish_reason="length")})
    exam: list[dict[str, object]] = [{**row} for row in SINGLE[:4]]
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", exam)))
    return Path(log.location.removeprefix("file://"))


def test_the_command_line_scores_again(
    here: Installation, finished: Path, tmp_path: Path, server: OpenAIServer
) -> None:
    again = tmp_path / "again.eval"
    shutil.copy(finished, again)
    before, asked = read_eval_log(str(again)), len(server.requests)
    scorer = ["--scorer", "eve_inspect/single_answer", "--action", "overwrite", "--overwrite"]
    run_well(here.cli("score", str(again), *scorer, "--model", "none/none"), tmp_path, tmp_path)
    after = read_eval_log(str(again))
    assert outcome(after) == same(outcome(before))
    assert marks(after) == marks(before)
    assert {figure[1] for figure in outcome(after)} == {"single_answer"}
    assert len(server.requests) == asked == 4


def _changing(replies: list[str]) -> Callable[[Request], str]:
    """Return a script that goes through replies in turn, so that epochs differ."""
    turn: Iterator[str] = (replies[n % len(replies)] for n in range(1000))
    return lambda _: next(turn)


def _spans(*spans: dict[str, Any]) -> str:
    return json.dumps({"spans": spans})


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize(
    ("task", "scorer", "replies"),
    [
        pytest.param(
            lambda: mcqa_single(dataset="sample"),
            single_answer,
            ["Answer: A", "Hm.", "Answer: B", "", "I don't know."],
            id="single_answer",
        ),
        pytest.param(
            lambda: mcqa_multiple(dataset="sample"),
            multiple_answer,
            ["Answer: A, C", "Hm.", "Answer: B", "", "Answer: A, Z"],
            id="multiple_answer",
        ),
        pytest.param(
            lambda: hallucination_detection(dataset="sample"),
            hallucination_binary,
            ["Answer: A", "Hm.", "No", "", "yes"],
            id="hallucination_binary",
        ),
        pytest.param(
            lambda: hallucination_detection(level="hard", dataset="sample"),
            hallucination_hard,
            [_spans(), "Hm.", _spans({"text": "the"}), "", _spans({"text": "nowhere to be found"})],
            id="hallucination_hard",
        ),
        pytest.param(
            lambda: hallucination_detection(level="soft", dataset="sample"),
            hallucination_soft,
            [_spans(), "Hm.", _spans({"text": "the", "probability": 0.7}), ""],
            id="hallucination_soft",
        ),
    ],
)
def test_scoring_again_gives_the_same(
    evaluate: Evaluate,
    server: OpenAIServer,
    task: Callable[[], Task],
    scorer: Callable[[], Scorer],
    replies: list[str],
    epochs: int,
) -> None:
    server.script = _changing(replies)
    log = evaluate(task(), limit=5, epochs=epochs)
    asked = len(server.requests)
    again = score(log, scorer(), model="none/none", action="overwrite", display="none")
    assert outcome(again) == same(outcome(log))
    assert marks(again) == marks(log)
    assert len(marks(again)) == 5 * epochs
    assert len({(mark.metadata or {})["status"] for mark in marks(log)}) > 1
    assert len(server.requests) == asked


@pytest.fixture
def viewer(here: Installation, finished: Path, tmp_path: Path) -> Iterator[str]:
    """The address of ``inspect view`` over the directory of the finished log."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = here.cli("view", "--log-dir", str(finished.parent), "--port", str(port))
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout is not None
            said = []
            for line in process.stdout:
                said.append(line)
                if PORT_OPEN in line:
                    break
            assert PORT_OPEN in said[-1], said
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def test_the_viewer_lists_the_log_with_its_headline(viewer: str, finished: Path) -> None:
    def get(path: str) -> str:
        with urlopen(viewer + path, timeout=30) as response:
            text: str = response.read().decode()
        return text

    assert "<title>Inspect View</title>" in get("/")
    (listed,) = json.loads(get("/api/logs"))["files"]
    assert listed["name"].endswith(finished.name)
    log = json.loads(get(f"/api/logs/{quote(listed['name'], safe='')}?header-only=0"))
    assert log["eval"]["headline_metric"] == {"scorer": "single_answer", "metric": "accuracy"}
    shown = {name for result in log["results"]["scores"] for name in result["metrics"]}
    assert {"accuracy", "coverage", "floor_best_constant", "status_truncated"} <= shown
