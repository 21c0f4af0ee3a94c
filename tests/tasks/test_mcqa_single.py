"""Single-answer questions through ``eval()`` against a real endpoint."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from inspect_ai.scorer import value_to_float

from eve_inspect import mcqa_single, results
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer, Scripted
from tests.tasks.exam import SINGLE, by_question, figures, write

REPLIES: dict[int, Scripted | str] = {
    0: "Answer: A",
    1: "I would say that x fits, or perhaps y.",
    2: "",
    3: "Answer: Q",
    4: "Both A and B are right.",
    5: "I don't know.",
    6: Scripted("<think>It could be C, since", finish_reason="length"),
    7: Scripted(None, finish_reason="content_filter"),
}
STATUSES = {
    0: "answered",
    1: "no_answer",
    2: "empty",
    3: "out_of_range",
    4: "ambiguous",
    5: "refusal",
    6: "truncated",
    7: "refusal",
}


def test_each_status_stays_in_the_denominator(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question(REPLIES)
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE)))
    assert log.status == "success"
    assert log.samples is not None
    seen = {
        int(str(sample.input).split()[1].rstrip("?")): sample.scores["single_answer"]
        for sample in log.samples
        if sample.scores
    }
    assert {
        number: score.metadata["status"] for number, score in seen.items() if score.metadata
    } == STATUSES
    assert seen[0].answer == "A"
    assert {score.answer for number, score in seen.items() if number} == {""}
    found = figures(log)
    assert found["single_answer/accuracy"] == 1 / 8
    assert found["single_answer/coverage"] == 1 / 8
    assert found["single_answer/status_refusal"] == 2
    assert found["single_answer/floor_best_constant"] == 2 / 8
    assert found["single_answer/floor_random_guess"] == 1 / 4
    assert len(server.requests) == 8


def test_the_log_says_what_was_run(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE)), limit=2)
    assert log.eval.task == "eve_inspect/mcqa_single"
    assert log.eval.task_version == 1
    assert log.eval.packages["eve-inspect"]
    assert log.eval.metadata is not None
    data = log.eval.metadata["dataset"]
    assert (data["source"], data["name"], data["rows"]) == ("file", "exam.jsonl", 8)
    assert len(data["fingerprint"]) == 64
    assert any("1261" in warning for warning in data["warnings"])
    assert log.eval.metadata["prompt"]["version"] == "1"
    assert str(tmp_path) not in (log.eval.dataset.location or "")
    assert log.eval.headline_metric is not None
    assert log.eval.headline_metric.metric == "accuracy"
    (request, _) = server.requests
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["messages"][1]["content"] == "Question 0?\n\nA. w\nB. x\nC. y\nD. z\n\nAnswer:"


def test_a_failed_call_is_unscored_and_counted(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    right = {number: f"Answer: {row['Answer']}" for number, row in enumerate(SINGLE)}
    failed: dict[int, Scripted | str] = {**right, 3: Scripted("no", status=404), 0: "Answer: B"}
    server.script = by_question(failed)
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE)), fail_on_error=False)
    table = results(log)
    row = table[table.metric == "accuracy"].iloc[0]
    assert row.value == pytest.approx(6 / 7)
    assert row.value_over_all == pytest.approx(6 / 8)
    assert row.coverage == pytest.approx(7 / 8)
    assert (row.replies, row.scored, row.errored, row.unscored) == (8, 7, 1, 0)
    floor = table[table.metric == "floor_random_guess"].iloc[0]
    assert math.isnan(floor.value_over_all)


def test_epochs_are_reduced_before_the_mean_and_counted_in_the_coverage(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    replies = iter(["Answer: A", "none that I can name with any certainty here"] * 4)
    server.script = lambda _: next(replies)
    rows = [{**row, "Answer": "A"} for row in SINGLE[:4]]
    log = evaluate(
        mcqa_single(dataset=write(tmp_path / "exam.jsonl", rows)), epochs=2, max_connections=1
    )
    assert log.samples is not None
    values = [value_to_float()(s.scores["single_answer"].value) for s in log.samples if s.scores]
    assert sorted(values) == [0.0] * 4 + [1.0] * 4
    found = figures(log)
    assert found["single_answer/accuracy"] == 0.5
    assert found["single_answer/coverage"] == 0.5
    assert found["single_answer/status_answered"] == 4
    assert found["single_answer/floor_best_constant"] == 1.0
