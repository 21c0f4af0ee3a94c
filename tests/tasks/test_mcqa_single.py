"""Single-answer questions through ``eval()`` against a real endpoint."""

from __future__ import annotations

import json
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


def test_a_failed_call_is_left_out_and_counted(
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
    replies = iter(["Answer: A"] * 4 + ["none that I can name with any certainty here"] * 4)
    server.script = lambda _: next(replies)
    rows = [{**row, "Answer": "A"} for row in SINGLE[:4]]
    log = evaluate(
        mcqa_single(dataset=write(tmp_path / "exam.jsonl", rows)),
        epochs=2,
        max_samples=1,
        max_connections=1,
    )
    assert log.samples is not None
    values = [value_to_float()(s.scores["single_answer"].value) for s in log.samples if s.scores]
    assert sorted(values) == [0.0] * 4 + [1.0] * 4
    found = figures(log)
    assert found["single_answer/accuracy"] == 0.5
    assert found["single_answer/stderr"] == 0.0
    assert found["single_answer/coverage"] == 0.5
    assert found["single_answer/status_answered"] == 4
    assert found["single_answer/floor_best_constant"] == 1.0


def test_a_sample_without_a_reply_is_unscored(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    data = write(tmp_path / "exam.jsonl", SINGLE[:2])
    log = evaluate(mcqa_single(dataset=data), message_limit=1)
    assert server.requests == []
    assert log.samples is not None
    for sample in log.samples:
        assert sample.scores is not None
        score = sample.scores["single_answer"]
        assert math.isnan(score.as_float())
        assert score.metadata is not None
        assert score.metadata["status"] == "error"
    row = results(log).iloc[0]
    assert (row.replies, row.scored, row.errored, row.unscored) == (2, 0, 0, 2)
    assert row.value_over_all == 0.0
    assert row.coverage == 0.0


@pytest.mark.parametrize(
    ("code", "status", "unscored"),
    [("context_length_exceeded", "error", 1), ("content_filter", "refusal", 0)],
)
def test_the_provider_s_words_are_not_read_as_the_model_s(
    evaluate: Evaluate,
    server: OpenAIServer,
    tmp_path: Path,
    code: str,
    status: str,
    unscored: int,
) -> None:
    error = {"error": {"message": "Answer: A", "type": "invalid_request_error", "code": code}}
    server.script = lambda _: Scripted(status=400, raw=json.dumps(error))
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE[:1])))
    assert log.samples is not None
    assert log.samples[0].scores is not None
    metadata = log.samples[0].scores["single_answer"].metadata
    assert metadata is not None
    assert metadata["status"] == status
    assert results(log).unscored.iloc[0] == unscored


def test_reasoning_apart_from_the_text_is_seen(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question(
        {
            0: Scripted("Answer: A", reasoning="Surely B."),
            1: Scripted("", reasoning="The answer is B."),
            2: Scripted("", reasoning="The answer is", finish_reason="length"),
        }
    )
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE[:3])))
    found = figures(log)
    assert found["single_answer/accuracy"] == pytest.approx(1 / 3)
    assert found["single_answer/status_empty"] == 1
    assert found["single_answer/status_truncated"] == 1


def test_a_call_of_a_tool_that_nobody_offered_is_one_request(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    reply = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "model",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {"role": "assistant", "content": None, "tool_calls": [call]},
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    server.script = lambda _: Scripted(raw=json.dumps(reply))
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE[:2])), time_limit=20)
    assert len(server.requests) == 2
    assert figures(log)["single_answer/status_empty"] == 2


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_provider_is_asked_again(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path, status: int
) -> None:
    faults = iter([Scripted("busy", status=status, headers={"retry-after": "0"})])
    server.script = lambda _: next(faults, "Answer: A")
    log = evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE[:1])))
    assert figures(log)["single_answer/accuracy"] == 1.0
    assert len(server.requests) == 2


def test_a_time_limit_before_the_reply_is_no_fault_of_the_model(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({0: Scripted("Answer: A", latency=30)}, otherwise="Answer: B")
    data = write(tmp_path / "exam.jsonl", SINGLE[:2])
    log = evaluate(mcqa_single(dataset=data), time_limit=2)
    row = results(log).iloc[0]
    assert (row.value, row.value_over_all) == (1.0, 0.5)
    assert (row.scored, row.unscored) == (1, 1)
