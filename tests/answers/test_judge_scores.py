"""Reading the score of a judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eve_inspect.answers import (
    SCALES,
    JudgeReading,
    JudgeStatus,
    Reply,
    Scale,
    read_score,
    read_text,
)

CASES = [
    case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases" / "judge.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if "scale" in case["input"] and "judge_reply" in case["input"]
]
REAL = Scale("0-1 real", 0, 1, whole=False)
NAMED = {"0-5 integer": SCALES["0-5"], "0-1 integer": SCALES["0-1"], "0-1 real": REAL}


def read(text: str | None, scale: str | Scale = "0-5", stop: str = "stop") -> JudgeReading[float]:
    found = SCALES[scale] if isinstance(scale, str) else scale
    return read_score(Reply(text, stop), found)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    scale = NAMED[given["scale"]]
    reading = read_score(Reply(given["judge_reply"], given.get("stop_reason")), scale)
    assert (reading.verdict, reading.status) == (expected["score"], expected["status"])
    if reading.verdict is not None:
        assert scale.normalise(reading.verdict) == expected["normalised"]


def test_all_cases_of_replies_are_there() -> None:
    assert len(CASES) == 20


FOUR = (
    # objects
    '{"score": 4}',
    '{"rationale": "It names the orbit.", "score": 4}',
    "{'score': 4, 'reason': 'right'}",
    '{"score": 4,}',
    '{score: 4}',
    '{"score": 4.0}',
    '{"score": "4"}',
    '{"score": " 4 "}',
    '{"score": "4.0"}',
    '{"score": "4,0"}',
    '{"score": "4/5"}',
    '{"score": "4 / 5"}',
    '{"score": "4 out of 5"}',
    '{"score": 4/5}',
    '{"score": "four"}',
    '{"score": "Four"}',
    '{"score": "**4**"}',
    '{"score": "4 (mostly right)"}',
    '{"score": "4 - mostly right"}',
    '{"score": "4 points"}',
    '{"score": "４"}',
    '{"score": "٤"}',
    '{"score": [4]}',
    '{"score": {"value": 4}}',
    '{"score": {"score": 4, "max": 5}}',
    '{"Score": 4}',
    '{"SCORE": 4}',
    '{"score ": 4}',
    '{"score (0-5)": 4}',
    '{"final_score": 4}',
    '{"finalScore": 4}',
    '{"Final score": 4}',
    '{"overall_score": 4}',
    '{"overall-score": 4}',
    '{"total_score": 4}',
    '{"overall": 4}',
    '{"rating": 4}',
    '{"grade": 4}',
    '{"mark": 4}',
    '{"points": 4}',
    '{"verdict": 4}',
    '{"Bewertung": 4}',
    '{"puntuación": 4}',
    '{"评分": 4}',
    '{"accuracy": 2, "overall": 4}',
    '{"accuracy": 2, "completeness": 5, "overall_score": 4}',
    '{"score": 4, "max_score": 5}',
    '{"score": 4, "confidence": 5}',
    '{"score": 2, "final_score": 4}',
    '{"score": 2, "score": 4}',
    '{"scores": {"accuracy": 2, "overall": 4}}',
    '{"accuracy": {"score": 2}, "overall": {"score": 4}}',
    '{"result": {"score": 4, "reason": "x"}}',
    '{"evaluation": {"score": 4}}',
    '{"output": "{\\"score\\": 4}"}',
    '{"name": "submit", "arguments": "{\\"score\\": 4}"}',
    '[{"score": 4}]',
    '"{\\"score\\": 4}"',
    '{\\"score\\": 4}',
    '{{"score": 4}}',
    "{“score”: 4}",
    '｛"score": 4｝',
    # objects in text
    '```json\n{"score": 4}\n```',
    '```\n{"score": 4}\n```\nThat is all.',
    '~~~json\n{"score": 4}\n~~~',
    'Here it is: {"score": 4}',
    '{"score": 4}\nI hope this helps {you}.',
    'B = {B2, B3}. {"score": 4}',
    '{"note": "a {brace"} {"score": 4}',
    '{"score": 2}\nOn second thought:\n{"score": 4}',
    '{"score": 4}\n{"source": "the paper"}',
    '{"score": 7} is not allowed, so {"score": 4}',
    'Score: 2\n{"score": 4}',
    '{"score": 4}\nScore: 5 would need the revisit time.',
    '{"score": 4}\nA score of 5 would need the revisit time.',
    '{"score": "<0-5>"}\n{"score": 4}',
    '{"score": 4}\n{"score": "<integer>"}',
    '{"rationale": "It says {\\"score\\": 5}.", "score": 4}',
    '{"rationale": "Score: 5 was asked for.", "score": 4}',
    '{"rationale": "The "wide" swath is right", "score": 4}',
    '<think>Score: 2</think>{"score": 4}',
    'Score: 1</think>{"score": 4}',
    '<think>{"score": 1}</think>\n\nScore: 4',
    '{"score": 4}<|im_end|>',
    "It holds [ 'B2 and B3.\n{\"score\": 4}",
    "It holds [ 'B2 and B3. {\"score\": 4}",
    "It holds [ 'B2 ] and [ 'B3 ].\n{\"rationale\": \"[ ' ]\", \"score\": 4}",
    'It holds {"B2 and B3.\n{"score": 4}',
    'It holds {"B2 and B3.\n```json\n{"score": 4}\n```',
    # a cue
    "Score: 4",
    "score: 4",
    "SCORE: 4",
    "Score:4",
    "Score : 4",
    "Score = 4",
    "Score - 4",
    "Score — 4",
    "Score – 4",
    "Score 4",
    "Score\n4",
    "Score:\n\n4",
    "# Score\n4/5",
    "**Score:** 4",
    "**Score**: 4",
    "**Score: 4**",
    "*Score*: `4`",
    "Score: $4$",
    "Score: \\boxed{4}",
    "Score: [[4]]",
    "Score: [4]",
    "Score: (4)",
    "Score: <4>",
    "> Score: 4",
    "- Score: 4",
    "| Score | 4 |",
    "| Accuracy score | 2 |\n| Overall score | 4 |",
    "Score: 4.",
    "Score: 4!",
    "Score: 4.0",
    "Score: 4,0",
    "Score: 4/5",
    "Score: 4 / 5",
    "Score: 4/5.0",
    "Score: 4 out of 5",
    "Score: 4 points",
    "Score: 4 out of a possible 5",
    "Score: four",
    "Score: Four out of five",
    "Score: ４",
    "Score: ④",
    "Score: ４／５",
    "Score： 4",
    "Score: ٤",
    "Score: +4",
    "Score: 4 (good)",
    "Score: 4 - the orbit is right",
    "Score: 4 because the orbit is right",
    "Score: 4, since the orbit is right",
    "Score: 4, but the swath is wrong",
    "Score: 4 Explanation: the orbit is right",
    "Score (0-5): 4",
    "Score (out of 5): 4",
    "Score [0-5]: 4",
    "Score out of 5: 4",
    "Score on a scale of 0 to 5: 4",
    "Score: 4 on a scale of 0 to 5",
    "Score: ~~2~~ 4",
    "The score is 4.",
    "The score is: 4",
    "The score should be 4.",
    "The final score is **4**.",
    "I assign a score of 4.",
    "This earns a score of 4 because it names the orbit.",
    "A score of 4 is appropriate.",
    "The appropriate score is 4.",
    "The score for this answer is 4.",
    "The score for the candidate answer: 4",
    "Score for this response: 4",
    "It is right. [RESULT] 4",
    "So the score: 4, since the orbit is right",
    "score=4, reason=right",
    "Score (accuracy): 2\nScore (overall): 4",
    "I thought 2 at first, but the score is 4.",
    "Score: 4\nMaximum score: 5\nPassing score: 3\nConfidence: 5",
    "rationale: The score: 5 claim is wrong\nscore: 4",
    '"score": 4',
    '{"score": 4 // good\n}',
    '{"reason": "He said "yes", and left", "score": 4}',
    "<result>\n<score>4</score>\n</result>",
    "总分：4",
    "Score: four (4)",
    "I first give it 2 out of 5. On reflection I give it 4 out of 5.",
    "Overall score: 4",
    "Final score: 4",
    "Final rating: 4/5",
    "Total score: 4",
    "Overall: 4/5",
    "My rating: 4",
    "Rating: 4",
    "Grade: 4",
    "Mark: 4",
    "Verdict: 4",
    "Note : 4/5",
    "Punktzahl: 4",
    "Gesamtpunktzahl: 4 von 5",
    "Bewertung: vier",
    "Note finale : 4 sur 5",
    "Puntuación: 4 de 5",
    "Punteggio: 4 su 5",
    "评分：4分",
    "最终得分：4",
    "スコア：4",
    "점수: 4점",
    "Оценка: 4 из 5",
    "Score: 2\nThat was too low.\nScore: 4",
    "Accuracy score: 2\nCompleteness score: 5\nFinal score: 4",
    "Accuracy: 2\nCompleteness: 5\nScore: 4",
    "Overall score: 4\n\nAccuracy\nScore: 2\nCompleteness\nScore: 5",
    "There are 2 reasons. Score: 4",
    "Score: <0-5>\nScore: 4",
    "Score: 0 to 5\n\nScore: 4",
    "Score 5: all right. Score 0: all wrong. Score: 4",
    "Score: 5? No. Score: 4",
    "It is no underscore: 5 is there. Score: 4",
    'The text says "Score: 5". Score: 4',
    "<score>4</score>",
    "<score> 4/5 </score>",
    "The orbit is right.\n<final_score>4</final_score>",
    "[[4]]",
    "The answer is right: [[4]]",
    "A [[2]] would do for less. [[4]]",
    "\\boxed{4}",
    # a sentence
    "I give it 4 out of 5.",
    "I give it 4/5.",
    "I'd give this answer a 4.",
    "I would rate this 4 out of 5 because it names the orbit.",
    "I give the answer four out of five.",
    "I rate the response as 4.",
    "The answer deserves a 4.",
    "This answer is right but terse.\n\n4/5",
    "This answer is right but terse.\n\n**4 out of 5**",
    # alone
    "4",
    " 4\n",
    "**4**",
    "4.",
    "4.0",
    "(4)",
    "[4]",
    '"4"',
    "`4`",
    "```\n4\n```",
    "4/5",
    "4 / 5",
    "4 out of 5",
    "Four",
    "four out of five",
    "4 points",
    "４",
    "<think>Is it 2 or 3?</think>4",
)  # fmt: skip


@pytest.mark.parametrize("text", FOUR)
def test_four_is_read(text: str) -> None:
    reading = read(text)
    assert (reading.verdict, reading.status, reading.problem) == (4, "scored", "")
    assert reading.method


UNREADABLE = (
    "The answer is right.",
    "I cannot evaluate this answer.",
    "I'm sorry, but I can't give a score of 5 here.",
    "There are 4 reasons to accept this.",
    "The answer names 4 out of 5 bands.",
    "It gets 4/5 of the facts right.",
    "4 of the 5 facts are right.",
    "4\nThe answer is right.",
    "4 - mostly right, though the swath is missing",
    "The underscore: 4 bands",
    "No need to downgrade: 4 facts are right.",
    "A z-score: 4",
    "A highscore: 4",
    "Score",
    "Score:",
    "Score: none",
    "Score: N/A",
    "Score: X/5",
    "Score: good",
    "Score: 3-4",
    "Score: 3–4",
    "Score: 3 to 4",
    "Score: 3 or 4",
    "Score: 3, 4",
    "Score: 3/4/5",
    "Score: between 3 and 4",
    "Score: 3.5-4",
    "Score: 4+",
    "Score: 4-",
    "Score: 4-ish",
    "Score: ~4",
    "Score: about 4",
    "Score: >3",
    "Score: 80%",
    "Score: 4½",
    "Score: one half",
    "Score: 4 and a half",
    "Score: 4 of the facts",
    "Score: 4x",
    "Score: 4:30",
    "Score: 1.2.3",
    "Score: 1,000",
    "Score: not 4",
    "Score: 0-5",
    "Score: 0 to 5",
    "Score: <0-5>",
    "Score: [0-5]",
    "Score: 0, 1, 2, 3, 4 or 5",
    "Score: <score>",
    "Score: [your score]",
    "Score: 5 = fully right",
    "Score: 5 would need the revisit time.",
    "Score: 5 if it had named the orbit",
    "Score: 5?",
    "Score 5: fully right. Score 4: minor errors.",
    "Score: ★★★★☆",
    "Score: PASS",
    "Score: true",
    "Score: due to errors",
    "Note: 4 facts are missing.",
    "The score is not 4.",
    "I would not give it a score of 4.",
    "I would give it a score of 5 if it named the orbit.",
    "I would give it a 5 if it named the orbit.",
    "I would give it a 5, but the orbit is wrong.",
    "I will not say whether the score is 4.",
    "The answer asks for a score of 5.",
    "The maximum score is 5.",
    "The score: 5 claim is wrong.",
    "A score of 5 is not appropriate.",
    "Score for accuracy: 2\nScore for style: 5",
    "Score: 5 -> 4",
    "Score (accuracy): 2\nScore (completeness): 5",
    "Final answer: 4",
    "I'd say this is a solid 4.",
    "Score: ...4",
    "They ask whether I give it 4 out of 5.",
    '{"a": {"b": {"score": {"value": 4}}}}',
    f'{{"score{100 * " "}": 4}}',
    "The reference score: 5",
    "The candidate's score: 5",
    "A perfect score of 5",
    'The question holds "Score: 4" as text.',
    "Accuracy score: 2\nCompleteness score: 5",
    "Accuracy: 2/5\nCompleteness: 5/5",
    "Accuracy\nScore: 2\n\nCompleteness\nScore: 5",
    "### 1. Accuracy\nAll right.\nScore: 5\n### 2. Completeness\nTerse.\nScore: 2",
    "准确性评分：2",
    "I give it 4 for accuracy and 2 for style.",
    "{}",
    "[]",
    "[3, 4]",
    '{"reason": "right"}',
    '{"value": 4}',
    '{"score": null}',
    '{"score": NaN}',
    '{"score": Infinity}',
    '{"score": -Infinity}',
    '{"score": "NaN"}',
    '{"score": "good"}',
    '{"score": ""}',
    '{"score": "N/A"}',
    '{"score": true}',
    '{"score": false}',
    '{"score": "true"}',
    '{"score": "pass"}',
    '{"score": "3-4"}',
    '{"score": "3 or 4"}',
    '{"score": [3, 4]}',
    '{"score": []}',
    '{"score": {}}',
    '{"score": {"accuracy": 2, "completeness": 5}}',
    '{"score": "<0-5>"}',
    '{"score": <0-5>}',
    '{"score": 0-5}',
    '{"score": "integer"}',
    '{"score": "0-5"}',
    '{"type": "object", "properties": {"score": {"type": "integer", "maximum": 5}}}',
    '{"accuracy": 2, "completeness": 5}',
    '{"accuracy_score": 4}',
    '{"scores": {"accuracy": 2, "completeness": 5}}',
    '{"accuracy": {"score": 2}, "completeness": {"score": 5}}',
    '{"accuracy": {"score": 4}}',
    '{"first": {"score": 2}, "second": {"score": 5}}',
    '{"score_1": 2, "score_2": 5}',
    '{"max_score": 5}',
    '{"reference_score": 5}',
    '{"example": {"score": 5}}',
    '{"candidate_answer": "{\\"score\\": 5}"}',
    '{"answer": "{\\"score\\": 5}"}',
    '{"rationale": "{\\"score\\": 5}"}',
    '{"rationale": "Score: 5"}',
    '{"rationale": "I give it 4 out of 5."}',
    '{"criterion": "accuracy", "score": 2}\n{"criterion": "style", "score": 5}',
    '[{"score": 2}, {"score": 5}]',
    '{"rationale": "The answer says {"score": 5}", "thoughts": "no"}',
    '{"rationale": "The answer says {"score": 5}',
    '{"kind": "x", "rationale": "It says\n{"score": 5}\nat its end',
    '{"score": 1',
    '{"score": 4',
    '{"score": 4.',
    '{"score":',
    '{"score": "4',
    '{"rationale": "Score: 4',
    "{'a': {'b': {'c': {'score': 4}}}}",
    '"{\\"reason\\": 1}"',
    '"{\\"score\\": 4',
    '"\\"',
)  # fmt: skip


@pytest.mark.parametrize("text", UNREADABLE)
def test_no_single_score_is_unreadable(text: str) -> None:
    reading = read(text)
    assert (reading.verdict, reading.status, reading.method) == (None, "unreadable", "")
    assert reading.problem


OUT_OF_SCALE = (
    '{"score": 7}',
    '{"score": -1}',
    '{"score": 4.5}',
    '{"score": "4.5"}',
    '{"score": "4,5"}',
    '{"score": "8/10"}',
    '{"score": "six"}',
    '{"score": 9.2e124}',
    '{"score": 1' + 299 * "0" + "}",
    '{"score": 1' + 350 * "0" + "}",
    '{"score": "1' + 999 * "0" + '"}',
    '{"score": 4}\n{"score": 40}',
    '{"score": 4,5}',
    "8",
    "4.5",
    "-1",
    "4/10",
    "4 out of 10",
    "Score: 7",
    "Score: -1",
    "Score: −1",
    "Score: 4.5",
    "Score: 4,5",
    "Score: 4.5/5",
    "Score: 7/5",
    "Score: 8/10",
    "Score: 8 out of 10",
    "Score: 80/100",
    "Score: 4/0",
    "Score: six",
    "Score: 1e9",
    "Score: " + 5000 * "9",
    "I give it 8 out of 10.",
    "Score: 4\nFinal score: 7",
    "[[7]]",
)  # fmt: skip


@pytest.mark.parametrize("text", OUT_OF_SCALE, ids=lambda text: text[:40])
def test_what_is_not_on_the_scale_is_never_moved_onto_it(text: str) -> None:
    reading = read(text)
    assert (reading.verdict, reading.status, reading.method) == (None, "out_of_scale", "")
    assert "from 0 to 5" in reading.problem


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1", 1),
        ("0", 0),
        ("-0", 0),
        ("one", 1),
        ("Score: zero", 0),
        ("Score: 1/1", 1),
        ('{"score": true}', 1),
        ('{"score": false}', 0),
        ('{"score": "true"}', 1),
        ('{"score": "False"}', 0),
        ('{"score": "PASS"}', 1),
        ('{"score": "fail"}', 0),
        ('{"verdict": "Pass"}', 1),
        ('{"pass": true}', 1),
        ('{"passed": false}', 0),
        ("PASS", 1),
        ("fail", 0),
        ("**PASS**", 1),
        ("Verdict: PASS", 1),
        ("Score: FAIL", 0),
        ("Grade: passed", 1),
        ("Score: true", 1),
        ("[[1]]", 1),
    ],
)
def test_the_scale_of_two_points_has_words(text: str, score: float) -> None:
    reading = read(text, "0-1")
    assert (reading.verdict, reading.status) == (score, "scored")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("It would pass.", "unreadable"),
        ("PASS or FAIL", "unreadable"),
        ("Verdict: PASS/FAIL", "unreadable"),
        ("Verdict: pass the data on", "unreadable"),
        ('{"score": "maybe"}', "unreadable"),
        ('{"password": true}', "unreadable"),
        ('{"score": 0.8}', "out_of_scale"),
        ("Score: 4/5", "out_of_scale"),
        ("2", "out_of_scale"),
    ],
)
def test_the_scale_of_two_points_has_nothing_else(text: str, status: JudgeStatus) -> None:
    reading = read(text, "0-1")
    assert (reading.verdict, reading.status) == (None, status)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"score": 0.8}', 0.8),
        ('{"score": ".8"}', 0.8),
        ("Score: 0.8", 0.8),
        ("Score: 0,8", 0.8),
        ("Score: 0,800", 0.8),
        ("Score: ٠٫٨", 0.8),
        ("Score: .8", 0.8),
        ("Score: 8e-1", 0.8),
        ("0.8", 0.8),
        ("Score: 0.8/1", 0.8),
        ("1", 1.0),
        ("Score: 1.01", "out_of_scale"),
        ("Score: 80%", "unreadable"),
        ('{"score": true}', "unreadable"),
        ('{"score": "pass"}', "unreadable"),
    ],
)
def test_a_real_scale(text: str, expected: float | str) -> None:
    reading = read(text, REAL)
    assert expected in (reading.verdict, reading.status)
    assert (reading.verdict is None) == isinstance(expected, str)


@pytest.mark.parametrize(
    ("text", "verdict", "status", "problem"),
    [
        ('{"score": 4, "reason": "The orb', 4, "scored", ""),
        ('{"score": 4,', 4, "scored", ""),
        ('{"score": "4", "rea', 4, "scored", ""),
        ('{"result": {"score": 4, "reason": "The orb', 4, "scored", ""),
        ('{"score": 4}', 4, "scored", ""),
        ('{"score": 4} It is ri', 4, "scored", ""),
        ("Score: 4\nIt is ri", 4, "scored", ""),
        ("Score: 4\n", 4, "scored", ""),
        ('{"score": 1', None, "unreadable", "it was cut off inside the score"),
        ('{"score": 4,5', None, "unreadable", "it was cut off inside the score"),
        ('{"score": "4', None, "unreadable", "it was cut off inside the score"),
        ("Score: 1", None, "unreadable", "it was cut off inside the score"),
        ("Score: 2\nFinal score: 1", None, "unreadable", "it was cut off inside the score"),
        ("Score: 4.", None, "unreadable", "it was cut off inside the score"),
        ("Score: 4/5", None, "unreadable", "it was cut off inside the score"),
        ("1", None, "unreadable", "it was cut off inside the score"),
        ('{"rationale": "The orb', None, "truncated", "it was cut off before it gave a score"),
        ('{"rationale": "Score: 4', None, "truncated", "it was cut off before it gave a score"),
        ('{"score":', None, "truncated", "it was cut off before it gave a score"),
        ("The answer", None, "truncated", "it was cut off before it gave a score"),
        ("<think>Score: 4", None, "truncated", "it was cut off before it gave a score"),
        ("", None, "truncated", "it was cut off before it gave a score"),
        (None, None, "truncated", "it was cut off before it gave a score"),
    ],
)
def test_cut_replies(text: str, verdict: float, status: JudgeStatus, problem: str) -> None:
    for stop in ("max_tokens", "model_length"):
        reading = read(text, stop=stop)
        assert (reading.verdict, reading.status, reading.problem) == (verdict, status, problem)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(""), "empty"),
        (Reply(None), "empty"),
        (Reply(" \n "), "empty"),
        (Reply("\u200b\ufeff"), "empty"),
        (Reply("<think>Score: 4</think>"), "empty"),
        (Reply("<think>Score: 4", "stop"), "truncated"),
        (Reply("<think>Score: 4", "content_filter"), "refused"),
        (Reply(None, "content_filter"), "refused"),
        (Reply("I cannot", "content_filter"), "refused"),
        (Reply('{"score": 9}', "content_filter"), "out_of_scale"),
        (Reply("Score: 4", error="HTTP 500"), "error"),
        (Reply(None, error="timeout"), "error"),
    ],
)
def test_what_is_no_verdict_of_the_judge(reply: Reply, status: JudgeStatus) -> None:
    reading = read_score(reply, SCALES["0-5"])
    assert (reading.verdict, reading.status) == (None, status)
    assert reading.problem


@pytest.mark.parametrize(
    ("text", "stop", "flags"),
    [
        ('{"score": 4}', "stop", ()),
        ('{"score": 4}', "content_filter", ("content_filter",)),
        ('{"result": {"score": 4}}', "stop", ("nested",)),
        ('{"score": 4, "reason": "The', "max_tokens", ("salvaged",)),
        ('{"result": {"score": 4, "reason": "The', "max_tokens", ("nested", "salvaged")),
        ('{"score": 4, reason}', "stop", ("salvaged",)),
    ],
)
def test_flags(text: str, stop: str, flags: tuple[str, ...]) -> None:
    reading = read(text, stop=stop)
    assert (reading.verdict, reading.flags) == (4, flags)


@pytest.mark.parametrize(
    ("text", "method", "rationale"),
    [
        ('{"rationale": " It is right. ", "score": 4}', "json", "It is right."),
        ('{"Reason": "right", "score": 4}', "json", "right"),
        ('{"result": {"score": 4}, "reason": "right"}', "json", "right"),
        ('{"rationale": ["right"], "score": 4}', "json", ""),
        ('It is right.\n\n```json\n{"score": 4}\n```', "json", "It is right."),
        ('```json\n{"score": 4}\n```\nIt is right.', "json", "It is right"),
        ("It is right.\n**Score: 4**", "cue", "It is right."),
        ("It is right. Score: 4", "cue", "It is right."),
        ("Score: 4\nIt is right.", "cue", "It is right"),
        ("It is right: [[4]]", "brackets", ""),
        ("It is right. I give it a 4.", "sentence", "It is right."),
        ("It is right. I give it 4/5.", "fraction", "It is right."),
        ("4/5", "fraction", ""),
        ("4", "whole_reply", ""),
    ],
)
def test_the_rationale_is_kept(text: str, method: str, rationale: str) -> None:
    reading = read(text)
    assert (reading.verdict, reading.method, reading.rationale) == (4, method, rationale)


def test_scales_are_normalised_from_their_ends() -> None:
    assert [SCALES["0-5"].normalise(score) for score in (0, 4, 5)] == [0, 0.8, 1]
    assert [SCALES["0-1"].normalise(score) for score in (0, 1)] == [0, 1]
    assert Scale("1-5", 1, 5).normalise(3) == 0.5


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Score: 3 (out of 10)", "out_of_scale"),
        ("Score: 3, or maybe 4", "unreadable"),
        ("Score: 5 if the orbit is right", "unreadable"),
        ("If the orbit were right, the score would be 5.", "unreadable"),
        ('Example: {"score": 5}', "unreadable"),
        ('For example, {"score": 5}', "unreadable"),
        ('**Example**\n\nExample: {"score": 5}\n\nI cannot grade this.', "unreadable"),
    ],
)
def test_what_is_said_of_another_case_or_scale_is_no_score(text: str, status: str) -> None:
    reading = read_score(Reply(text), SCALES["0-5"])
    assert (reading.verdict, reading.status) == (None, status)


@pytest.mark.parametrize(
    "text",
    [
        'Example: {"score": 5}\n\n{"score": 4}',
        'Score, in the form of the example: {"score": 4}',
        'It is a fine example of an answer.\n{"score": 4}',
        "Score: 4 (out of 5)",
    ],
)
def test_a_score_beside_an_example_is_read(text: str) -> None:
    assert read_score(Reply(text), SCALES["0-5"]).verdict == 4


def test_half_a_character_is_replaced() -> None:
    half = "\ud800"
    assert read_text(Reply(f"Five{half} days")).answer == "Five\ufffd days"
    reading = read_score(Reply(f'{{"rationale": "So{half}.", "score": 4}}'), SCALES["0-5"])
    assert (reading.verdict, reading.rationale) == (4, "So\ufffd.")
