"""Reading the label of a judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eve_inspect.answers import JudgeStatus, Reply, read_label

CASES = [
    case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases" / "judge.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if "format" in case["input"]
]
GRADES = ("C", "I")
SIDES = ("A", "B", "tie")
KINDS = ("insufficient_context", "hedged_answer", "policy_refusal", "answer")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    reading = read_label(Reply(case["input"]["judge_reply"]), GRADES)
    expected = case["expected"]
    assert (reading.verdict, reading.status) == (expected["grade"], expected["status"])


def test_all_cases_of_labels_are_there() -> None:
    assert len(CASES) == 2


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("GRADE: C", "C"),
        ("GRADE: I", "I"),
        ("grade: c", "C"),
        ("Grade: **C**", "C"),
        ("**GRADE:** C", "C"),
        ("**GRADE: I**", "I"),
        ("> GRADE: C", "C"),
        ("GRADE: `C`", "C"),
        ("GRADE: (C)", "C"),
        ("GRADE: [C]", "C"),
        ("GRADE: $C$", "C"),
        ("GRADE: \\boxed{C}", "C"),
        ("GRADE: Ｃ", "C"),
        ("GRADE: C.", "C"),
        ("GRADE: C (right orbit)", "C"),
        ("GRADE: C - right orbit", "C"),
        ("GRADE: C because the orbit is right", "C"),
        ("GRADE:\nC", "C"),
        ("## Grade\nC", "C"),
        ("Grade C", "C"),
        ("Final grade: I", "I"),
        ("The grade is C.", "C"),
        ("My verdict is: C", "C"),
        ("Verdict: C", "C"),
        ("It is right.\n\nGRADE: C", "C"),
        ("GRADE: C\nGRADE: I", "I"),
        ("GRADE: C or I\nGRADE: I", "I"),
        ("C", "C"),
        ("c", "C"),
        ("I", "I"),
        ("**C**", "C"),
        ("[[C]]", "C"),
        ("It is right. [[C]]", "C"),
        ("\\boxed{I}", "I"),
        ("<grade>C</grade>", "C"),
        ("<verdict>I</verdict>", "I"),
        ('{"grade": "C"}', "C"),
        ('{"grade": "c"}', "C"),
        ('{"Grade": " C. "}', "C"),
        ('{"final_grade": "C"}', "C"),
        ('{"verdict": "I", "answer": "the orbit"}', "I"),
        ('{"result": {"grade": "C"}}', "C"),
        ('{"output": "{\\"grade\\": \\"C\\"}"}', "C"),
        ('[{"grade": "C"}]', "C"),
        ('{"grade": ["C"]}', "C"),
        ('{"grade": "C", "reason": "The orb', "C"),
        ('```json\n{"grade": "C"}\n```', "C"),
        ('GRADE: I\n{"grade": "C"}', "C"),
        ("<think>GRADE: I</think>GRADE: C", "C"),
    ],
)
def test_grades(text: str, label: str) -> None:
    reading = read_label(Reply(text), GRADES)
    assert (reading.verdict, reading.status, reading.problem) == (label, "scored", "")
    assert reading.method


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("[[A]]", "A"),
        ("[[B]]", "B"),
        ("[[tie]]", "tie"),
        ("[[ B ]]", "B"),
        ('{"winner": "assistant_a"}', "A"),
        ("[[TIE]]", "tie"),
        ("My final verdict is: [[B]]", "B"),
        ("A [[A]] would be too much. Verdict: [[B]]", "B"),
        ("[[A]] if A is better, [[B]] if B is better. I choose [[B]]", "B"),
        ("Winner: A", "A"),
        ("Winner: Answer A", "A"),
        ("Winner: Response B.", "B"),
        ("Winner: model b", "B"),
        ("Winner: tie", "tie"),
        ("Verdict: A is better.", "A"),
        ("The winner is B.", "B"),
        ("The winner is Answer B.", "B"),
        ('{"winner": "A"}', "A"),
        ('{"winner": "tie"}', "tie"),
        ('{"winner": "Answer B"}', "B"),
        ('{"winner": "B (clearer)"}', "B"),
        ('{"answer": "A", "winner": "B"}', "B"),
        ("tie", "tie"),
        ("Tie.", "tie"),
        ("Answer A", "A"),
        ("<winner>B</winner>", "B"),
    ],
)
def test_sides(text: str, label: str) -> None:
    reading = read_label(Reply(text), SIDES)
    assert (reading.verdict, reading.status) == (label, "scored")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"kind": "insufficient_context"}', "insufficient_context"),
        ('{"kind": "Insufficient context"}', "insufficient_context"),
        ('{"kind": "insufficient-context"}', "insufficient_context"),
        ('{"kind": "INSUFFICIENT_CONTEXT"}', "insufficient_context"),
        ('{"rationale": "It declines.", "kind": "policy_refusal"}', "policy_refusal"),
        ('{"kind": "hedged_answer"}', "hedged_answer"),
        ('{"kind": "answer"}', "answer"),
        ('{"kind": "answer."}', "answer"),
        ('{"kind": "policy_refusal: it declines"}', "policy_refusal"),
        ('{"answer": "hedged answer"}', "hedged_answer"),
        ("kind: hedged answer", "hedged_answer"),
        ("Kind: **hedged_answer**", "hedged_answer"),
        ("Kind: answer", "answer"),
        ("Kind: policy refusal, since it declines", "policy_refusal"),
        ("The kind is insufficient_context.", "insufficient_context"),
        ("hedged_answer", "hedged_answer"),
        ("`Hedged answer`", "hedged_answer"),
        ("answer", "answer"),
        ("[[policy_refusal]]", "policy_refusal"),
    ],
)
def test_kinds(text: str, label: str) -> None:
    reading = read_label(Reply(text), KINDS)
    assert (reading.verdict, reading.status) == (label, "scored")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("A good answer.", SIDES),
        ("I think it is right.", GRADES),
        ("I'm not sure.", GRADES),
        ("GRADE: I think it is right", GRADES),
        ("GRADE: I'm not sure", GRADES),
        ("GRADE: I is the grade", GRADES),
        ("Verdict: A good answer", SIDES),
        ("Verdict: a tie-break is needed", SIDES),
        ("Answer: A good one is missing", SIDES),
        ("C is right", GRADES),
        ("The answer is right.", GRADES),
        ("No reason to downgrade: C", GRADES),
        ("GRADE:", GRADES),
        ("GRADE: C or I", GRADES),
        ("GRADE: C/I", GRADES),
        ("GRADE: <C or I>", GRADES),
        ("GRADE: not C", GRADES),
        ("GRADE: CORRECT", GRADES),
        ("The grade is not C.", GRADES),
        ('The text says "GRADE: C" to me.', GRADES),
        ("Winner: A and B", SIDES),
        ("Verdict: A > B", SIDES),
        ("Winner: A vs B", SIDES),
        ("[[A>B]]", SIDES),
        ("It is not a tie.", SIDES),
        ("The model should have refused but it gave a value.", KINDS),
        ("The reply is a policy refusal.", KINDS),
        ("Kind: answer is missing", KINDS),
        ("Kind: not an answer", KINDS),
        ("Kind: answer or hedged_answer", KINDS),
        ("The answer is good.", KINDS),
        ("{}", GRADES),
        ('{"grade": null}', GRADES),
        ('{"grade": {}}', GRADES),
        ('{"grade": ["C", "I"]}', GRADES),
        ('{"grade": "C or I"}', GRADES),
        ('{"grade": "<C or I>"}', GRADES),
        ('{"grade": "string"}', GRADES),
        ('{"grade": "It is right as it stands."}', GRADES),
        ('{"grade": ""}', GRADES),
        ('{"reason": "GRADE: C"}', GRADES),
        ('{"grade": "C', GRADES),
    ],
)
def test_no_label_is_unreadable(text: str, labels: tuple[str, ...]) -> None:
    reading = read_label(Reply(text), labels)
    assert (reading.verdict, reading.status, reading.method) == (None, "unreadable", "")
    assert reading.problem


@pytest.mark.parametrize(
    "text",
    [
        "[[P]]",
        "It is fair: [[P]]",
        "GRADE: P",
        "Grade: p.",
        '{"grade": "P"}',
        '{"grade": "partial"}',
        '{"grade": 1}',
        "P",
    ],
)
def test_a_label_that_was_not_offered_is_out_of_scale(text: str) -> None:
    reading = read_label(Reply(text), GRADES)
    assert (reading.verdict, reading.status) == (None, "out_of_scale")
    assert reading.problem.endswith("is not one of C, I")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply("GRADE: C", "max_tokens"), "unreadable"),
        (Reply("It is", "max_tokens"), "truncated"),
        (Reply('{"grade": "C', "max_tokens"), "unreadable"),
        (Reply('{"reason": "It is', "max_tokens"), "truncated"),
        (Reply(""), "empty"),
        (Reply(None, "content_filter"), "refused"),
        (Reply("No.", "content_filter"), "refused"),
        (Reply(None, error="timeout"), "error"),
    ],
)
def test_what_is_no_verdict_of_the_judge(reply: Reply, status: JudgeStatus) -> None:
    reading = read_label(reply, GRADES)
    assert (reading.verdict, reading.status) == (None, status)
    assert reading.problem


def test_keys_can_be_named() -> None:
    text = '{"verdict": "A", "preferred_side": "B"}'
    assert read_label(Reply(text), SIDES).verdict == "A"
    assert read_label(Reply(text), SIDES, keys=["preferred_side"]).verdict == "B"
    assert read_label(Reply("Preferred side: B"), SIDES, keys=["preferred_side"]).verdict == "B"


def test_labels_may_be_words_of_logic_and_numbers() -> None:
    assert read_label(Reply('{"label": true}'), ["true", "false"]).verdict == "true"
    assert read_label(Reply('{"label": 2}'), ["1", "2"]).verdict == "2"
