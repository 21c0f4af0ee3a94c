"""Hallucination detection at its three levels through ``eval()`` against a real endpoint."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Literal

import pytest

from eve_inspect import hallucination_detection
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer, Request, Scripted, user_text
from tests.tasks.exam import FALSE, by_question, figures, hallucination_rows, write

START = FALSE.index("250 km")


def quote(*fragments: str, probability: float | None = None) -> str:
    """Return a reply that quotes fragments."""
    extra = {} if probability is None else {"probability": probability}
    return json.dumps({"spans": [{"text": fragment, **extra} for fragment in fragments]})


def test_binary_figures_count_an_unreadable_reply_as_a_miss_of_its_own_class(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    # Clean: 0, 1, 2. Hallucinated: 3, 4, 5.
    server.script = by_question(
        {0: "B. No", 1: "Answer: A", 2: "Partially.", 3: "Yes", 4: '{"answer": "B"}', 5: "Hm."}
    )
    data = write(tmp_path / "rows.jsonl", hallucination_rows(3, 3))
    log = evaluate(hallucination_detection(dataset=data))
    found = figures(log)
    prefix = "hallucination_binary/"
    assert found[prefix + "accuracy"] == pytest.approx(2 / 6)
    assert found[prefix + "precision"] == pytest.approx(1 / 2)
    assert found[prefix + "recall"] == pytest.approx(1 / 3)
    assert found[prefix + "f1"] == pytest.approx(0.4)
    assert found[prefix + "unread_hallucinated"] == 1
    assert found[prefix + "unread_clean"] == 1
    assert found[prefix + "coverage"] == pytest.approx(4 / 6)
    assert found[prefix + "floor_f1_best_constant"] == pytest.approx(2 / 3)
    assert found[prefix + "floor_f1_random_guess"] == pytest.approx(1 / 2)
    assert found[prefix + "floor_accuracy_random_guess"] == pytest.approx(1 / 2)
    assert found[prefix + "floor_accuracy_best_constant"] == pytest.approx(1 / 2)
    assert log.samples is not None
    answers = [s.scores["hallucination_binary"].answer for s in log.samples if s.scores]
    assert sorted(map(str, answers)) == ["", "", "no", "no", "yes", "yes"]


def test_binary_figures_survive_epochs_that_differ(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    replies = iter(["Answer: A", "Answer: B"] * 2)
    server.script = lambda _: next(replies)
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 2))
    log = evaluate(hallucination_detection(dataset=data), epochs=2, max_connections=1)
    found = figures(log)
    assert found["hallucination_binary/recall"] == 0.5
    assert found["hallucination_binary/precision"] == 1.0
    assert found["hallucination_binary/f1"] == pytest.approx(2 / 3)


def test_an_undefined_precision_is_nan_and_not_zero(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({}, otherwise="Answer: B")
    data = write(tmp_path / "rows.jsonl", hallucination_rows(1, 1))
    found = figures(evaluate(hallucination_detection(dataset=data)))
    assert math.isnan(found["hallucination_binary/precision"])
    assert found["hallucination_binary/recall"] == 0.0


def test_hard_spans_are_located_and_an_unreadable_reply_is_no_empty_prediction(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    # Clean: 0, 1. Hallucinated: 2, 3, 4.
    server.script = by_question(
        {
            0: quote(),
            1: "I find nothing to complain about in this text, all things considered.",
            2: quote("250 km"),
            3: quote("250  KM.", "not in the text"),
            4: quote("a une fauchée de 250 km"),
        }
    )
    data = write(tmp_path / "rows.jsonl", hallucination_rows(2, 3))
    log = evaluate(hallucination_detection(level="hard", dataset=data))
    found = figures(log)
    assert log.samples is not None
    ious = {
        sample.input_number: sample.value
        for sample in (
            _Seen(str(s.input), s.scores["hallucination_hard"].value)
            for s in log.samples
            if s.scores
        )
    }
    assert ious[0] == pytest.approx(
        {"iou": 1, "f1": 1, "precision": math.nan, "recall": math.nan}, nan_ok=True
    )
    assert ious[1] == pytest.approx(
        {"iou": 0, "f1": 0, "precision": math.nan, "recall": math.nan}, nan_ok=True
    )
    assert ious[2] == {"iou": 1.0, "f1": 1.0, "precision": 1.0, "recall": 1.0}
    assert ious[3] == pytest.approx({"iou": 6 / 7, "f1": 12 / 13, "precision": 6 / 7, "recall": 1})
    assert ious[4]["iou"] == pytest.approx(6 / len("a une fauchée de 250 km"))
    prefix = "hallucination_hard/"
    assert found[prefix + "fragments_unplaced"] == 1
    assert found[prefix + "coverage"] == pytest.approx(4 / 5)
    assert found[prefix + "overlap_recall"] == 1.0
    assert found[prefix + "floor_iou_nothing_marked"] == pytest.approx(2 / 5)
    first = next(s for s in log.samples if "Question 2?" in str(s.input))
    assert first.scores is not None
    assert first.scores["hallucination_hard"].answer == json.dumps([[START, START + 6]])


@pytest.mark.parametrize("level", ["hard", "soft"])
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        pytest.param(quote("a quarter of a thousand kilometres"), "unplaced", id="paraphrase"),
        pytest.param(quote("290 km", probability=85), "dropped", id="impossible probability"),
    ],
)
def test_a_claim_that_cannot_be_placed_is_no_empty_prediction(
    evaluate: Evaluate,
    server: OpenAIServer,
    tmp_path: Path,
    level: Literal["hard", "soft"],
    reply: str,
    outcome: str,
) -> None:
    server.script = by_question({}, otherwise=reply)
    data = write(tmp_path / "rows.jsonl", hallucination_rows(1, 0))
    found = figures(evaluate(hallucination_detection(level=level, dataset=data)))
    assert found["iou/mean"] == 0.0
    assert found[f"hallucination_{level}/coverage"] == 0.0
    assert found[f"hallucination_{level}/status_out_of_range"] == 1
    assert found[f"hallucination_{level}/fragments_{outcome}"] == 1


def test_an_improbable_fragment_is_not_marked_at_the_hard_level(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({}, otherwise=quote("290 km", probability=0.2))
    data = write(tmp_path / "rows.jsonl", hallucination_rows(1, 0))
    found = figures(evaluate(hallucination_detection(level="hard", dataset=data)))
    assert found["iou/mean"] == found["hallucination_hard/coverage"] == 1.0


def test_soft_spans_are_correlated_per_character(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question(
        {
            0: quote(),
            1: quote("250 km", probability=0.9),
            2: quote("250 km", probability=0.4),
            3: quote("250 km", probability=90),
        }
    )
    data = write(tmp_path / "rows.jsonl", hallucination_rows(1, 3))
    found = figures(evaluate(hallucination_detection(level="soft", dataset=data)))
    # Any probability ranks the right characters first; only one above 0.5 marks them.
    assert found["spearman/mean"] == pytest.approx(3 / 4)
    assert found["iou/mean"] == pytest.approx(2 / 4)
    assert found["hallucination_soft/fragments_dropped"] == 1
    assert found["hallucination_soft/floor_spearman_nothing_marked"] == pytest.approx(1 / 4)


def test_the_schema_is_sent_and_given_up_where_it_is_refused(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    def script(request: Request) -> Scripted | str:
        if "response_format" in request:
            return Scripted("json_schema is not supported", status=400)
        return quote("250 km")

    server.script = script
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 4))
    log = evaluate(
        hallucination_detection(level="hard", dataset=data), max_connections=1, max_samples=1
    )
    assert figures(log)["iou/mean"] == 1.0
    with_schema = [r for r in server.requests if "response_format" in r]
    assert len(with_schema) == 1
    assert len(server.requests) == 5
    assert log.samples is not None
    assert {sample.metadata["response_schema"] for sample in log.samples} == {"refused"}
    schema = with_schema[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["spans"]


@pytest.mark.parametrize("status", [403, 404])
def test_other_refusals_of_the_provider_are_errors(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path, status: int
) -> None:
    server.script = lambda _: Scripted("no such model", status=status)
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 1))
    log = evaluate(hallucination_detection(level="hard", dataset=data))
    assert log.status == "error"
    assert len(server.requests) == 1


def test_a_request_that_fails_either_way_does_not_cost_the_others_their_schema(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({0: Scripted("bad request", status=400)}, otherwise=quote("250 km"))
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 4))
    task = hallucination_detection(level="hard", dataset=data)
    log = evaluate(task, fail_on_error=False, max_samples=1, max_connections=1)
    assert ["response_format" in request for request in server.requests] == [
        True,
        False,
        True,
        True,
        True,
    ]
    assert log.samples is not None
    assert not any("response_schema" in sample.metadata for sample in log.samples)


@pytest.mark.parametrize(
    ("level", "headline"),
    [
        ("binary", ("hallucination_binary", None, "f1")),
        ("hard", ("hallucination_hard", "iou", "mean")),
        ("soft", ("hallucination_soft", "spearman", "mean")),
    ],
)
def test_each_level_has_its_headline(
    evaluate: Evaluate,
    server: OpenAIServer,
    level: Literal["binary", "hard", "soft"],
    headline: tuple[str, str | None, str],
) -> None:
    server.script = lambda _: "Verdict: A"
    log = evaluate(hallucination_detection(level=level, dataset="sample"), limit=1)
    found = log.eval.headline_metric
    assert found is not None
    assert (found.scorer, found.score, found.metric) == headline
    assert f"{found.score or found.scorer}/{found.metric}" in figures(log)
    assert log.eval.task_version == 1


def test_demonstrations_show_their_true_labels(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    data = write(tmp_path / "rows.jsonl", hallucination_rows(2, 2))
    evaluate(hallucination_detection(dataset=data, fewshot=3))
    for request in server.requests:
        shown = request["messages"][1:-1]
        for user, assistant in zip(shown[::2], shown[1::2], strict=True):
            assert assistant["content"] == (
                "Verdict: A" if FALSE in user["content"] else "Verdict: B"
            )


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("hard", {"spans": [{"text": "250 km"}]}),
        ("soft", {"spans": [{"text": "250 km", "probability": 0.8}]}),
    ],
)
def test_demonstrations_of_spans_quote_them(
    evaluate: Evaluate,
    server: OpenAIServer,
    tmp_path: Path,
    level: Literal["hard", "soft"],
    expected: object,
) -> None:
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 2))
    evaluate(hallucination_detection(level=level, dataset=data, fewshot=1), limit=1)
    (request,) = server.requests
    assert json.loads(request["messages"][2]["content"]) == expected
    assert user_text(request) != request["messages"][1]["content"]


class _Seen:
    def __init__(self, text: str, value: object) -> None:
        assert isinstance(value, dict)
        self.input_number = int(text.split("Question ")[1].split("?", maxsplit=1)[0])
        self.value = value
