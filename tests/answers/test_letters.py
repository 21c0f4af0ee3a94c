"""Reading letters: the collected cases, replies of our own, and what the provider reports."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from eve_inspect.answers import STATUSES, Reply, read_letter, read_letters

CASES = Path(__file__).parents[1] / "data" / "cases"
SENSORS = (
    "Multispectral imager",
    "Synthetic aperture radar",
    "Thermal radiometer",
    "Hyperspectral imager",
)


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def by_id(name: str) -> list[Any]:
    return [
        pytest.param(row["input"], row["expected"], id=row["id"])
        for row in rows(name)
        if "model_output" in row["input"]
    ]


def our_own() -> list[Any]:
    return [
        pytest.param(row, id=f"{row['group']}: {row['reply'][:50]}")
        for row in rows("letters.jsonl")
    ]


def reply_of(given: dict[str, Any]) -> Reply:
    return Reply(
        given["model_output"],
        given.get("stop_reason"),
        reasoning=bool(given.get("reasoning")),
        error=given.get("error"),
    )


@pytest.mark.parametrize(("given", "expected"), by_id("mcqa_single.jsonl"))
def test_collected_cases_with_one_answer(given: dict[str, Any], expected: dict[str, Any]) -> None:
    reading = read_letter(reply_of(given), given["choices"])
    assert (reading.answer, reading.status) == (expected["answer"], expected["status"])


@pytest.mark.parametrize(("given", "expected"), by_id("mcqa_multi.jsonl"))
def test_collected_cases_with_several_answers(
    given: dict[str, Any], expected: dict[str, Any]
) -> None:
    reading = read_letters(reply_of(given), given["choices"])
    assert (reading.answer, reading.status) == (tuple(expected["letters"]), expected["status"])


@pytest.mark.parametrize("row", our_own())
def test_replies_of_our_own(row: dict[str, Any]) -> None:
    reply = Reply(row["reply"], row["stop_reason"])
    if row["several"]:
        several = read_letters(reply, row["options"])
        wanted = None if row["answer"] is None else tuple(row["answer"])
        assert (several.answer, several.status) == (wanted, row["status"])
    else:
        one = read_letter(reply, row["options"])
        assert (one.answer, one.status) == (row["answer"], row["status"])


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("B", "whole_reply"),
        ("Synthetic aperture radar", "whole_reply"),
        ("Answer: B", "cue"),
        ("It looks active. The answer is B.", "cue"),
        ('{"answer": "B"}', "json"),
        ("<answer>B</answer>", "tag"),
        ("\\boxed{B}", "boxed"),
        ("B. It sends pulses of its own.", "head"),
        ("It sends pulses of its own.\nB", "last_line"),
        ("B is correct.", "judgement"),
        ("A: no\nB: yes\nC: no\nD: no", "judgements"),
    ],
)
def test_the_method_says_how_a_letter_was_found(text: str, method: str) -> None:
    reading = read_letter(Reply(text), SENSORS)
    assert (reading.answer, reading.method) == ("B", method)


@pytest.mark.parametrize(
    ("reply", "status", "flags"),
    [
        (Reply("Answer: B. Thermal radiometer"), "answered", ("letter_text_conflict",)),
        (Reply("Answer: B (Thermal radiometer)"), "answered", ("letter_text_conflict",)),
        (Reply("Answer: B. Synthetic aperture radar"), "answered", ()),
        (Reply("Answer: B", "content_filter"), "answered", ("content_filter",)),
        (Reply("<think>It is B.</think>"), "empty", ("empty_visible",)),
        (Reply(None, reasoning=True), "empty", ("empty_visible",)),
        (Reply(""), "empty", ()),
        (Reply("Error: too many requests (429)"), "no_answer", ("transport_error_text",)),
        (Reply("HTTP error 503: service unavailable"), "no_answer", ("transport_error_text",)),
        (Reply("Answer: B", error="connection reset"), "error", ()),
        (Reply(None, "max_tokens"), "truncated", ()),
        (Reply(None, "model_length"), "truncated", ()),
        (Reply(None, "content_filter"), "refusal", ()),
    ],
)
def test_what_the_provider_reports_is_used(
    reply: Reply, status: str, flags: tuple[str, ...]
) -> None:
    for reading in (read_letter(reply, SENSORS), read_letters(reply, SENSORS)):
        assert (reading.status, reading.flags) == (status, flags)


def test_a_letter_that_is_another_options_text_is_flagged() -> None:
    reading = read_letter(Reply("Answer: A"), ("B", "A", "C"))
    assert (reading.answer, reading.flags) == ("A", ("letter_text_conflict",))


@pytest.mark.parametrize(
    ("text", "stop_reason", "answer", "status"),
    [
        ("Answer: A, C and", "max_tokens", ("A", "C"), "truncated"),
        ("Answer: A, C,", "max_tokens", ("A", "C"), "truncated"),
        ("Answer: A, C", "max_tokens", ("A", "C"), "truncated"),
        ("Answer: A, C\n\nBoth are active, as", "max_tokens", ("A", "C"), "answered"),
        ("A: true\nB: false", "max_tokens", None, "truncated"),
        ("Answer: A, C", "stop", ("A", "C"), "answered"),
    ],
)
def test_a_list_cut_by_the_token_limit_is_kept(
    text: str, stop_reason: str, answer: tuple[str, ...] | None, status: str
) -> None:
    reading = read_letters(Reply(text, stop_reason), SENSORS)
    assert (reading.answer, reading.status) == (answer, status)


@pytest.mark.parametrize("count", [0, 27])
def test_items_without_labels_for_their_options_are_an_error(count: int) -> None:
    with pytest.raises(ValueError, match=f"^{count} options: answers are read for 1 to 26 options"):
        read_letter(Reply("A"), [f"option text {i}" for i in range(count)])


def test_labels_go_up_to_the_last_option() -> None:
    options = [f"instrument number {i}" for i in range(26)]
    assert read_letter(Reply("Answer: Z"), options).answer == "Z"
    assert read_letters(Reply("Y, Z"), options).answer == ("Y", "Z")


UNITS = (
    "(", "[[", "**", "__", "`", "{", "\\boxed{", "\\text{", "$", "<", "<think>", "</think>",
    "<|im_end|>", "Answer:", "answer answer ", "Answer: A ", "Answer is ", "A, ", "A ", "A\n",
    "A and ", "B is correct. ", "is not ", "so ", "A. Multispectral imager\n", "- A: true\n",
    "Question:\n", "what?\n", " ", "\n", '"', "答案", "选择", "а ", "\u0301\u0315", "\u200b",
    "all of the above ", "Synthetic aperture radar ", "1. ", '{"answer": ', "[ ] ", "> ", "İ",
)  # fmt: skip


def calls_of(text: str) -> int:
    """Number of function calls that reading a text takes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        read_letter(Reply(text), SENSORS)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("unit", UNITS)
def test_work_grows_no_faster_than_the_text(unit: str) -> None:
    once = calls_of((unit * 10_000)[:10_000])
    twice = calls_of((unit * 20_000)[:20_000])
    assert twice < 2.5 * once + 200


@pytest.mark.parametrize("unit", UNITS)
def test_endless_texts_are_read(unit: str) -> None:
    # A pattern that takes quadratic time would run into the time limit of the tests here.
    reply = Reply((unit * 200_000)[:200_000], "max_tokens")
    assert read_letter(reply, SENSORS).status in STATUSES
    assert read_letters(reply, SENSORS).status in STATUSES


def test_an_answer_is_found_at_either_end_of_an_endless_reply() -> None:
    filler = "The swath is wide. " * 10_000
    assert read_letter(Reply(f"Answer: B\n{filler}"), SENSORS).answer == "B"
    assert read_letter(Reply(f"{filler}\nAnswer: B"), SENSORS).answer == "B"
