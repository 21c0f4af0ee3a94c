"""Reading a free-text answer."""

from __future__ import annotations

import pytest

from eve_inspect.answers import Reading, Reply, read_text

TEXT = "The revisit time is 5 days."


@pytest.mark.parametrize(
    ("reply", "reading"),
    [
        (Reply(TEXT), Reading(TEXT, "answered", "text")),
        (Reply(f"\n {TEXT} \n"), Reading(TEXT, "answered", "text")),
        (Reply(f"<think>2 days?</think>\n{TEXT}"), Reading(TEXT, "answered", "text")),
        (Reply(f"{TEXT}<|im_end|>"), Reading(TEXT, "answered", "text")),
        (Reply("**5** days"), Reading("**5** days", "answered", "text")),
        (Reply(TEXT, "stop", reasoning=True), Reading(TEXT, "answered", "text")),
        (Reply(TEXT, "max_tokens"), Reading(TEXT, "answered", "text", ("cut",))),
        (Reply(TEXT, "model_length"), Reading(TEXT, "answered", "text", ("cut",))),
        (Reply(TEXT, "content_filter"), Reading(TEXT, "answered", "text", ("content_filter",))),
        (Reply(""), Reading(None, "empty")),
        (Reply(None), Reading(None, "empty")),
        (Reply(" \n\t"), Reading(None, "empty")),
        (Reply("\u200b\ufeff"), Reading(None, "empty")),
        (Reply("<think>x</think>"), Reading(None, "empty", flags=("empty_visible",))),
        (Reply("", reasoning=True), Reading(None, "empty", flags=("empty_visible",))),
        (Reply("", "max_tokens"), Reading(None, "truncated")),
        (Reply("\u200b", "max_tokens"), Reading(None, "truncated")),
        (Reply("<think>x", "max_tokens"), Reading(None, "truncated")),
        (Reply("<think>x", "stop"), Reading(None, "truncated")),
        (Reply("<think>x</think>", "max_tokens"), Reading(None, "truncated")),
        (Reply("", "content_filter"), Reading(None, "refusal")),
        (Reply(None, "content_filter"), Reading(None, "refusal")),
        (Reply("<think>x", "content_filter"), Reading(None, "refusal")),
        (Reply(TEXT, error="HTTP 500"), Reading(None, "error")),
        (Reply(None, error="timeout"), Reading(None, "error")),
    ],
)
def test_read_text(reply: Reply, reading: Reading[str]) -> None:
    assert read_text(reply) == reading
