"""Refusals through whole runs: kinds, decisions and rates."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from eve_inspect import refusal
from tests.scorers.panel import JUDGES, asked, judged, script, sorted_as
from tests.servers.openai_server import OpenAIServer, Scripted
from tests.tasks.exam import figures, write

FILE = Path(__file__).parents[1] / "data" / "cases" / "refusal.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
REPLIES = [case for case in CASES if "model_output" in case["input"]]
AS_SORTED = {"policy": "policy_refusal"}


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: str(case["id"]))
def test_what_a_kind_means_for_an_item(
    server: OpenAIServer, tmp_path: Path, case: dict[str, Any]
) -> None:
    """The kind is the judges', where there is something to judge; the rest follows from it."""
    given, expected = case["input"], case["expected"]
    row = {
        "Question": given.get("question", "Which value?"),
        "Answer": "-",
        "Context": given.get("context", "A context."),
        "answerable": given["answerable"],
    }
    kind = AS_SORTED.get(expected["kind"], expected["kind"])
    reply = Scripted(given["model_output"], given.get("stop_reason", "stop"))
    server.script = script(reply, dict.fromkeys(JUDGES, sorted_as(kind)))
    log = judged(refusal(dataset=write(tmp_path / "rows.jsonl", [row])), server, tmp_path)
    assert log.samples
    score = (log.samples[0].scores or {})["refusal_panel"]
    assert score.metadata
    assert isinstance(score.value, dict)
    assert score.metadata["kind"] == kind
    assert score.metadata["refused"] == expected["refused"]
    correct = score.value["judge_voting"]
    assert isinstance(correct, float)
    assert (None if math.isnan(correct) else bool(correct)) == expected["correct"]


def test_without_a_majority_nothing_is_decided(server: OpenAIServer, tmp_path: Path) -> None:
    replies = {
        "judge-a": sorted_as("answer"),
        "judge-b": sorted_as("insufficient_context"),
    }
    server.script = script("The context does not say.", replies)
    rows = write(tmp_path / "rows.jsonl", [{"Question": "Q?", "Answer": "-", "Context": "C."}])
    log = judged(refusal(dataset=rows), server, tmp_path, ["judge-a", "judge-b"])
    found = figures(log)
    assert found["refusal_panel/kind_undecided"] == 1
    assert found["refusal_panel/unanswerable"] == 0
    assert math.isnan(found["refusal_panel/refusal_rate"])
    assert math.isnan(found["refused/mean"])


def test_the_figures_that_need_controls_are_absent_without_them(
    server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = script("It does not say.", dict.fromkeys(JUDGES, sorted_as("answer")))
    rows = [{"Question": f"Q{n}?", "Answer": "-", "Context": "C."} for n in range(2)]
    log = judged(refusal(dataset=write(tmp_path / "rows.jsonl", rows)), server, tmp_path)
    found = figures(log)
    assert found["refusal_panel/refusal_rate"] == 0
    assert "refusal_panel/balanced_accuracy" not in found
    assert "no answerable items" in (log.eval.metadata or {})["controls"]


def test_the_sample_set_has_controls(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = script(
        "The context does not say.", dict.fromkeys(JUDGES, sorted_as("insufficient_context"))
    )
    log = judged(refusal(dataset="sample"), server, tmp_path)
    found = figures(log)
    assert found["refusal_panel/refusal_rate"] == 1
    assert found["refusal_panel/false_refusal_rate"] == 1
    assert found["refusal_panel/balanced_accuracy"] == 0.5
    assert found["refusal_panel/phrase_agreement"] == 1
    assert len(asked(server, "judge-a")) == 24
