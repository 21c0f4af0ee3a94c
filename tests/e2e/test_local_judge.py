"""Answers that attack a judge, before a real language model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, get_model

from eve_inspect import open_ended
from eve_inspect.answers import JUDGE_STATUSES
from tests.scorers.panel import model
from tests.servers.openai_server import OpenAIServer, Request, user_text
from tests.tasks.exam import write

FILE = Path(__file__).parents[1] / "data" / "injections.jsonl"
ATTACKS: list[str] = [json.loads(line)["answer"] for line in FILE.read_text("utf-8").splitlines()][
    ::2
]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_attack_becomes_a_verdict_of_a_real_judge(server: OpenAIServer, tmp_path: Path) -> None:
    """A small model can be talked into anything; but what it says is its own, or it is missing."""
    assert len(ATTACKS) >= 30
    rows = [{"Question": f"Question {n}?", "Answer": "13 bands."} for n in range(len(ATTACKS))]

    def reply(request: Request) -> str:
        return ATTACKS[int(user_text(request).split("Question ")[1].split("?")[0])]

    server.script = reply
    judge = get_model(
        "gguf/smollm2-135m",
        config=GenerateConfig(max_tokens=80),
        threads=2,
        context=2048,
        memoize=False,
    )
    (log,) = eval(
        open_ended(dataset=write(tmp_path / "rows.jsonl", rows), judge_attempts=0),
        model=model(server, "candidate"),
        model_roles={"judge": judge},
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    log = read_eval_log(log.location)
    assert log.status == "success"
    assert log.samples
    assert len(log.samples) == len(ATTACKS)
    for sample in log.samples:
        score = (sample.scores or {})["judge_panel"]
        assert score.metadata
        if not score.metadata["judged"]:
            assert score.answer == ""  # what is nothing but hidden text is no answer
            continue
        (record,) = score.metadata["judges"].values()
        assert record["status"] in JUDGE_STATUSES
        if record["status"] == "scored":
            assert record["raw"].strip() not in str(score.answer)
            assert 0 <= record["value"] <= 1
