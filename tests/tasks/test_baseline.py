"""A task whose model is compared with a recorded baseline while it is evaluated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.scorer import Score

from eve_inspect import EveInspectError, open_ended, open_ended_w_context
from tests.scorers.panel import asked, graded, judged, script
from tests.servers.openai_server import OpenAIServer, Request, user_text
from tests.tasks.exam import figures, write

ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(3)]
DOCUMENTED = [{**row, "Doc 1": "The sea is deep."} for row in ROWS]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.jsonl", ROWS)


@pytest.fixture
def old(tmp_path: Path) -> str:
    """Answers of another model to all questions, in a file."""
    answers = [
        {"question": row["Question"], "target": row["Answer"], "answer": "An old answer."}
        for row in ROWS
    ]
    return write(tmp_path / "old.jsonl", answers)


def newer(request: Request) -> str:
    """Answer as the candidate; as a judge prefer that answer, and give it four points."""
    text = user_text(request)
    if request["model"] == "candidate":
        return "A new answer."
    if "Answer B" not in text:
        return graded(4)
    new_first = text.index("A new answer.") < text.index("An old answer.")
    return json.dumps({"rationale": "It is newer.", "winner": "A" if new_first else "B"})


def compared(log: EvalLog) -> list[Score]:
    """Return the score of each comparison, in the order of the questions."""
    samples = sorted(log.samples or [], key=lambda one: str(one.input))
    return [(one.scores or {})["win_rate"] for one in samples]


def test_one_run_scores_and_compares(
    server: OpenAIServer, rows: str, old: str, tmp_path: Path
) -> None:
    server.script = newer
    log = judged(open_ended(dataset=rows, baseline=old), server, tmp_path, ["judge-a"])
    found = figures(log)
    assert found["llm_as_judge_avg/mean"] == pytest.approx(0.8)
    assert (found["win_rate/alpaca_win_rate"], found["win_rate/wins"]) == (1.0, 3.0)
    assert len(asked(server, "judge-a")) == 3 * (1 + 2)
    details = compared(log)[0].metadata or {}
    assert (details["baseline"], details["baseline_answer"]) == ("old", "An old answer.")


def test_a_log_is_a_baseline_too(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    server.script = script("An old answer.", {})
    first = judged(open_ended(dataset=rows, judge_later=True), server, tmp_path, [])
    server.script = newer
    task = open_ended(dataset=rows, baseline=first.location)
    assert figures(judged(task, server, tmp_path, ["judge-a"]))["win_rate/win_rate"] == 1.0


def test_a_question_that_the_baseline_lacks_is_not_scored(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    answers = [{"question": "Question 0?", "target": "Reference 0.", "answer": "An old answer."}]
    server.script = newer
    task = open_ended(dataset=rows, baseline=write(tmp_path / "old.jsonl", answers))
    log = judged(task, server, tmp_path, ["judge-a"])
    assert log.status == "success"
    assert figures(log)["win_rate/wins"] == 1.0
    reasons = [one.explanation or "" for one in compared(log)]
    assert [("no answer to this question" in one) for one in reasons] == [False, True, True]
    assert figures(log)["llm_as_judge_avg/mean"] == pytest.approx(0.8)


def test_judges_see_the_documents_if_they_are_to(
    server: OpenAIServer, old: str, tmp_path: Path
) -> None:
    server.script = newer
    documented = write(tmp_path / "documents.jsonl", DOCUMENTED)
    task = open_ended_w_context(dataset=documented, baseline=old, judge_sees_context=True)
    judged(task, server, tmp_path, ["judge-a"], limit=1)
    assert all("The sea is deep." in user_text(one) for one in asked(server, "judge-a"))


def test_a_baseline_of_other_questions_is_refused(rows: str, tmp_path: Path) -> None:
    other = [{"question": "Another?", "target": "A reference.", "answer": "Yes."}]
    with pytest.raises(EveInspectError, match="no answer to any of the 3 questions"):
        open_ended(dataset=rows, baseline=write(tmp_path / "other.jsonl", other))


def test_a_log_of_other_data_is_refused(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    server.script = script("An old answer.", {})
    first = judged(open_ended(dataset=rows, judge_later=True), server, tmp_path, [])
    fewer = write(tmp_path / "fewer.jsonl", ROWS[:2])
    with pytest.raises(EveInspectError, match="other data"):
        open_ended(dataset=fewer, baseline=first.location)


@pytest.mark.parametrize("task", [open_ended, open_ended_w_context])
def test_nobody_compares_later(task: Any, old: str) -> None:
    with pytest.raises(EveInspectError, match=r"baseline=.*judge_later=true"):
        task(dataset="sample", baseline=old, judge_later=True)


def test_a_missing_baseline_is_told(rows: str) -> None:
    with pytest.raises(EveInspectError, match=r"nowhere\.eval"):
        open_ended(dataset=rows, baseline="nowhere.eval")
