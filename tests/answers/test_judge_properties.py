"""What holds of every reply of a judge."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eve_inspect.answers import (
    JUDGE_STATUSES,
    SCALES,
    Reply,
    Scale,
    read_label,
    read_score,
    read_text,
)

LABELS = ("A", "B", "tie", "insufficient_context", "answer")
REAL = Scale("0-1 real", 0, 1, whole=False)
PIECES = (
    "Score", "score", "overall", "final", "rating", "Grade", "Verdict", "Kind", "accuracy", ":",
    "=", "-", "/", " ", "\n", "\t", "[[", "]]", "(", ")", "{", "}", "[", "]", '"', "'", "\\", "<",
    ">", "*", "_", "`", "|", "<score>", "</score>", "\\boxed{", "0", "1", "4", "5", "7", "4/5",
    "4.5", "4,5", "1e9", "NaN", "true", "null", "four", "out of", "to", "or", "and", "pass", "A",
    "B", "tie", "answer", "insufficient_context", "I give it", "not", "if", "would", "the", "is",
    '{"score": 4}', '{"score": ', '"score"', '"rationale": "', "<think>", "</think>", "４", "٤",
    "½", "评分", "\u200b", "\ue001", "\ue002", "\ue003", "\ue004",
)  # fmt: skip
STOPS = (None, "stop", "max_tokens", "content_filter")

soup = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
texts = st.one_of(soup, st.text())
stops = st.sampled_from(STOPS)
scales = st.sampled_from([SCALES["0-5"], SCALES["0-1"], REAL])
WORDS = (
    "The answer names orbit {B2, B3} and 4 of 5 bands , \" ' [ ] ( ) : 2 underscore: 700 km \n I"
    " think it's a {wide swath} ``` **right** score scored"
)
prose = st.lists(st.sampled_from(WORDS.split(" ")), max_size=30).map(" ".join)


@given(texts, stops, scales, st.lists(texts, max_size=2))
def test_a_score_is_on_the_scale_or_absent(
    text: str, stop: str | None, scale: Scale, untrusted: list[str]
) -> None:
    reading = read_score(Reply(text, stop), scale, untrusted)
    assert reading.status in JUDGE_STATUSES
    scored = reading.status == "scored"
    assert (reading.verdict is not None) == scored == bool(reading.method)
    assert scored != bool(reading.problem)
    assert reading.flags == tuple(sorted(set(reading.flags)))
    if reading.verdict is not None:
        assert scale.holds(reading.verdict)
        assert 0 <= scale.normalise(reading.verdict) <= 1


@given(texts, stops, st.lists(texts, max_size=2))
def test_a_label_is_on_offer_or_absent(text: str, stop: str | None, untrusted: list[str]) -> None:
    reading = read_label(Reply(text, stop), LABELS, untrusted)
    assert reading.status in JUDGE_STATUSES
    assert (reading.verdict in LABELS) == (reading.status == "scored") == bool(reading.method)
    assert (reading.status == "scored") != bool(reading.problem)


@given(texts, stops)
def test_a_text_is_answered_or_absent(text: str, stop: str | None) -> None:
    reading = read_text(Reply(text, stop))
    assert bool(reading.answer) == (reading.status == "answered")


@given(prose, st.integers(0, 5), st.sampled_from(["{}", "```json\n{}\n```", "{}\n"]))
def test_an_object_after_any_prose_is_read(text: str, score: int, form: str) -> None:
    told = json.dumps({"rationale": text, "score": score})
    reading = read_score(Reply(f"{text}\n{form.replace('{}', told)}"), SCALES["0-5"])
    assert (reading.verdict, reading.method, reading.rationale) == (score, "json", text.strip())


@example(text='" " : "', score=6)
@given(prose, st.integers(6, 10**6))
def test_an_object_that_is_out_of_scale_is_never_read(text: str, score: int) -> None:
    reading = read_score(Reply(f'{text}\n{{"score": {score}}}'), SCALES["0-5"])
    assert (reading.verdict, reading.status) == (None, "out_of_scale")


@given(st.integers(0, 5), st.integers(1, 40))
def test_a_cut_object_gives_no_other_score(score: int, kept: int) -> None:
    whole = json.dumps({"rationale": "It names 4 of 5 bands.", "score": score, "more": "none"})
    reading = read_score(Reply(whole[:-kept], "max_tokens"), SCALES["0-5"])
    assert reading.verdict in (None, score)


@given(soup, st.sampled_from(["<think>", "[THINK]", "◁think▷"]))
def test_reasoning_that_never_closed_gives_no_score(text: str, opening: str) -> None:
    inside = re.sub(r"[<>\[\]◁▷|/]|assistantfinal", " ", text)
    reading = read_score(Reply(opening + inside, "max_tokens"), SCALES["0-5"])
    assert (reading.verdict, reading.status) == (None, "truncated")


@given(soup)
def test_a_repeated_text_is_no_verdict(text: str) -> None:
    assert read_score(Reply(text), SCALES["0-5"], [text]).verdict is None
    assert read_label(Reply(text), LABELS, [text]).verdict is None


@pytest.mark.parametrize(
    "unit",
    [
        "Score: ", "Score: 4 ", "Score: 4\n", "> Score: 5\n", "score of ", "Score (", "not ",
        "I give it 4 out of 5. ", "I give the answer ", '{"score": 4}', '{"score": ', '{"a":', "{",
        '{\\"score\\": 4}', '{"criterion": "a", "score": 4}\n', "[[4]] ", "[[", "<score> ",
        "<score>4</score>", "\\boxed{4}", '"', '"Score: 4" ', "4/", "1", "1,", "1e", "½", "٤", "(",
        ")", " ", "\n", "[ '", '\n{"', '\n{"a": ', '\n{"a": "b',
        "Accuracy\nScore: 2\n", "my final ", "GRADE: C\n", "A or ", "A and B ", "insufficient ",
    ],
)  # fmt: skip
def test_hostile_replies_take_linear_time(unit: str) -> None:
    # A pattern that takes quadratic time would run into the time limit of the tests here.
    text = (unit * (200_000 // len(unit) + 1))[:200_000]
    assert read_score(Reply(text), SCALES["0-5"], [text]).verdict is None
    assert read_label(Reply(text), LABELS, [text]).verdict is None
