"""Several-answer questions through ``eval()`` against a real endpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

from eve_inspect import mcqa_multiple
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import MULTIPLE, by_question, figures, write


def test_sets_are_compared_as_sets(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({0: "Answer: A", 1: "Answer: C, B", 2: "Answer: A, F", 3: "Hm."})
    log = evaluate(mcqa_multiple(dataset=write(tmp_path / "exam.jsonl", MULTIPLE)))
    assert log.samples is not None
    scores = {
        str(sample.input).split("?")[0][-1]: sample.scores["multiple_answer"]
        for sample in log.samples
        if sample.scores
    }
    assert {number: score.answer for number, score in scores.items()} == {
        "0": "A",
        "1": "B, C",
        "2": "A, F",
        "3": "",
    }
    # The letter that was not offered stays in the union: A of {A, C, F}.
    assert scores["2"].value == {"exact_match": 0.0, "iou": pytest.approx(1 / 3)}
    found = figures(log)
    assert found["exact_match/mean"] == 1 / 4
    assert found["exact_match/stderr"] == pytest.approx(1 / 4)
    assert found["iou/stderr"] > 0
    assert log.eval.task_version == 1
    assert found["iou/mean"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 0) / 4)
    assert found["multiple_answer/coverage"] == 3 / 4
    # All options: 1/4, 1/4, 2/4, 3/4.
    assert found["multiple_answer/floor_iou_all_options"] == pytest.approx(7 / 16)
    assert found["multiple_answer/floor_exact_match_all_options"] == 0


def test_a_deliberate_none_is_an_answer(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({}, otherwise="None of the above.")
    log = evaluate(mcqa_multiple(dataset=write(tmp_path / "exam.jsonl", MULTIPLE[:1])))
    found = figures(log)
    assert found["iou/mean"] == 0
    assert found["multiple_answer/coverage"] == 1
    assert found["multiple_answer/status_answered"] == 1


def test_epochs_keep_their_own_answers_in_the_coverage(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    replies = iter(["Answer: A", "Hm."])
    server.script = lambda _: next(replies)
    log = evaluate(
        mcqa_multiple(dataset=write(tmp_path / "exam.jsonl", MULTIPLE[:1])),
        epochs=2,
        max_connections=1,
    )
    found = figures(log)
    assert found["iou/mean"] == found["exact_match/mean"] == 0.5
    assert found["multiple_answer/coverage"] == 0.5


def test_the_headline_is_the_mean_iou(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({}, otherwise="Answer: A")
    log = evaluate(mcqa_multiple(dataset=write(tmp_path / "exam.jsonl", MULTIPLE[:1])))
    headline = log.eval.headline_metric
    assert headline is not None
    assert (headline.scorer, headline.score, headline.metric) == ("multiple_answer", "iou", "mean")
