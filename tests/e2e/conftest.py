"""A small exam on the built-in sample set, with an examinee whose score is known."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from tests.e2e.starting import Installation, build_wheel, editable, install_wheel
from tests.servers.openai_server import OpenAIServer, Request, user_text


@dataclass(frozen=True)
class Exam:
    """A run that is expected.

    Attributes:
        server: Answers the first ``limit`` questions; all right but the second.
        limit: How many samples to run.
        accuracy: The score to find.
        version: The package's version as the project declares it.
    """

    server: OpenAIServer
    limit: int
    accuracy: float
    version: str

    def check(self, log: EvalLog) -> None:
        """Assert that a log is the one of this run."""
        assert log.status == "success"
        assert log.eval.task == "eve_inspect/mcqa_single"
        # The distribution's name: Inspect records what to install, not what to import.
        assert log.eval.packages["eve-inspect"] == self.version
        assert log.eval.task_file is None
        assert log.results is not None
        assert log.results.completed_samples == self.limit
        (scored,) = [s for s in log.results.scores if "accuracy" in s.metrics]
        assert scored.metrics["accuracy"].value == self.accuracy
        assert len(self.server.requests) == self.limit


@pytest.fixture
def exam(server: OpenAIServer, repository: Path) -> Exam:
    """The first questions of the sample set of ``mcqa_single``, with all but one answered right."""
    limit = 4
    data = repository / "eve_inspect" / "datasets" / "samples" / "mcqa_single.jsonl"
    rows: list[dict[str, Any]] = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    right = {row["Question"]: row["Answer"] for row in rows[:limit]}
    wrong = rows[1]["Question"]

    def script(request: Request) -> str:
        question = user_text(request).split("\n\nA. ")[0]
        letter = right[question]
        if question == wrong:
            letter = "B" if letter == "A" else "A"
        return f"Answer: {letter}"

    server.script = script
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    return Exam(server, limit, (limit - 1) / limit, project["version"])


@pytest.fixture(scope="session")
def here() -> Installation:
    """The installation that runs the tests, from the source tree."""
    return editable()


@pytest.fixture(scope="session")
def from_wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A fresh environment with the wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    return install_wheel(build_wheel(repository, folder), folder)


@pytest.fixture
def only_log() -> Callable[[Path], EvalLog]:
    """Read the one log of a directory."""

    def read(folder: Path) -> EvalLog:
        (info,) = list_eval_logs(str(folder))
        return read_eval_log(info.name)

    return read
