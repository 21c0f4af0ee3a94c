"""Judges who come later are asked what the task was told to ask, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Scorer

from eve_inspect import EveInspectError, open_ended, refusal, rescore
from eve_inspect.scorers import judge_panel, refusal_panel
from tests.scorers.panel import asked, graded, judged, model, script, sorted_as
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import figures, write

ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(2)]

Later = Callable[..., EvalLog]


@pytest.fixture
def later(server: OpenAIServer, tmp_path: Path) -> Later:
    """Makes a log of answers that nobody has judged."""

    def make(**arguments: Any) -> EvalLog:
        server.script = script("An answer.", {"judge-a": graded(1)})
        rows = write(tmp_path / "rows.jsonl", ROWS)
        task = open_ended(dataset=rows, judge_later=True, **arguments)
        return answers(task, server, tmp_path)

    return make


def answers(task: Task, server: OpenAIServer, folder: Path) -> EvalLog:
    log = judged(task, server, folder, [])
    assert log.status == "success"
    server.requests.clear()
    return log


def scored_by(log: EvalLog, scorer: Scorer, server: OpenAIServer) -> EvalLog:
    """Score as ``inspect score`` does."""
    roles = {"judge": [model(server, "judge-a")]}
    return score(log, scorer, model="none/none", model_roles=roles)


@pytest.mark.parametrize(
    ("given", "said", "message"),
    [
        ({"scale": "0-1"}, {}, r"scale='0-5'.*scale='0-1'.*eve-inspect rescore"),
        ({"pass_mark": 3}, {}, r"pass_mark=None.*pass_mark=3.*eve-inspect rescore"),
        ({"quorum": 1}, {"quorum": 2}, r"quorum=2.*quorum=1.*eve-inspect rescore"),
        ({}, {"scale": "0-1"}, r"scale='0-1'.*scale='0-5'.*eve-inspect rescore"),
    ],
    ids=["scale left out", "pass mark left out", "quorum", "another scale"],
)
def test_other_arguments_than_the_tasks_are_refused_before_a_call(
    server: OpenAIServer, later: Later, given: dict[str, Any], said: dict[str, Any], message: str
) -> None:
    log = later(**given)
    with pytest.raises(EveInspectError, match=message) as found:
        scored_by(log, judge_panel(**said), server)
    assert "\n" not in str(found.value)
    assert server.requests == []


def test_a_rubric_of_refusals_is_asked_for_again(server: OpenAIServer, tmp_path: Path) -> None:
    rubric = tmp_path / "mine.yaml"
    rubric.write_text("prompt: 'Sort {output} to {question} on {context}'\n")
    server.script = script("It is not stated.", {"judge-a": sorted_as("insufficient_context")})
    task = refusal(dataset="sample", rubric=str(rubric), judge_later=True)
    log = answers(task, server, tmp_path)
    with pytest.raises(EveInspectError, match=r"rubric=None.*mine.yaml.*eve-inspect rescore"):
        scored_by(log, refusal_panel(), server)
    assert server.requests == []
    scored_by(log, refusal_panel(rubric=str(rubric)), server)
    assert len(asked(server, "judge-a")) == len(log.samples or [])


def test_the_same_arguments_are_taken(server: OpenAIServer, later: Later) -> None:
    given: dict[str, Any] = {"scale": "0-1", "judge_attempts": 0}
    new = scored_by(later(**given), judge_panel(scale="0-1", pass_mark=1), server)
    assert figures(new)["llm_as_judge_judge-a/mean"] == 1


def test_rescore_takes_them_over_or_replaces_them(
    server: OpenAIServer, later: Later, tmp_path: Path
) -> None:
    log, judge = later(scale="0-1"), [model(server, "judge-a")]
    assert figures(rescore(log.location, judge))["llm_as_judge_avg/mean"] == 1
    other = rescore(log.location, judge, options={"scale": "0-5"}, output=tmp_path / "5.eval")
    assert figures(other)["llm_as_judge_avg/mean"] == pytest.approx(0.2)
