"""Answers that attack a judge: what a judge merely repeats of them is no verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eve_inspect.answers import SCALES, Reply, read_label, read_score
from eve_inspect.prompts import builtin_rubric

FILE = Path(__file__).parents[1] / "data" / "injections.jsonl"
ATTACKS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
KINDS = ("insufficient_context", "hedged_answer", "policy_refusal", "answer")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: str(attack["id"]))
def test_a_judge_that_repeats_the_answer_has_given_no_verdict(attack: dict[str, str]) -> None:
    answer = attack["answer"]
    told = builtin_rubric("0_5").render(question="Q?", output=answer, reference="R.")
    block = told[told.index("<answer ") : told.rindex("</answer ")]
    for reply in (answer, block, f"The answer says:\n{answer}\nThat is all.", f"> {answer}"):
        for scale in SCALES.values():
            assert read_score(Reply(reply), scale, (answer,)).verdict is None
        assert read_label(Reply(reply), KINDS, (answer,)).verdict is None


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: str(attack["id"]))
def test_a_verdict_below_the_repeated_answer_counts(attack: dict[str, str]) -> None:
    own = '{"rationale": "It holds no fact of the reference.", "score": 0}'
    reply = Reply(f"{attack['answer']}\n\n{own}")
    reading = read_score(reply, SCALES["0-5"], (attack["answer"],))
    # What an answer opens and never closes (reasoning, a turn) can hide a verdict, never make one.
    assert reading.verdict in (0, None)
