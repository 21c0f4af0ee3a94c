"""What of a reply can be read."""

from __future__ import annotations

import pytest

from eve_inspect.answers._readable import Visible, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("B", "B"),
        ("<think>x</think>B", "B"),
        ("<think>\nx\n</think>\n\nB", "\n\nB"),
        ("<thinking>x</thinking>B", "B"),
        ("<reasoning>x</reasoning>B", "B"),
        ("<thought>x</thought>B", "B"),
        ("<THINK>x</THINK>B", "B"),
        ('<think time="3">x</think>B', "B"),
        ("<seed:think>x</seed:think>B", "B"),
        ("[THINK]x[/THINK]B", "B"),
        ("◁think▷x◁/think▷B", "B"),
        ("&lt;think&gt;x&lt;/think&gt;B", "B"),
        ('<details type="reasoning" done="true">x</details>B', "B"),
        ("<|begin_of_thought|>x<|end_of_thought|>B", "B"),
        ("<unused94>thought\nx<unused95>B", "B"),
        ("<|channel>thought\nx<channel|>B", "B"),
        ("x</think>B", "B"),
        ("<think>a<think>b</think>c</think>B", "B"),
        ("<think>x</think>B</think>", "B"),
        ("A<think>x</think>B", "AB"),
        (
            "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>B",
            "B",
        ),
        ("analysisWe look.assistantfinalB", "B"),
    ],
)
def test_reasoning_is_not_visible(text: str, seen: str) -> None:
    assert visible(text) == Visible(seen, reasoned=text != "B", unclosed=False)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("<think>x", ""),
        ("A <think>x", "A "),
        ("[THINK]x B", ""),
        ("<|channel|>analysis<|message|>x", ""),
        ("analysisWe look at it", ""),
    ],
)
def test_unclosed_reasoning_hides_what_follows(text: str, seen: str) -> None:
    assert visible(text) == Visible(seen, reasoned=True, unclosed=True)


@pytest.mark.parametrize(
    "text",
    ["analysis of the orbit", "a < b and c > d", "[1, 2]", "see <table> below", "thinking aloud"],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == Visible(text, reasoned=False, unclosed=False)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("B<|im_end|>", "B"),
        ("B</s>", "B"),
        ("B<|eot_id|>", "B"),
        ("B<end_of_turn>", "B"),
        ("B<｜end▁of▁sentence｜>", "B"),
        ("<s>B</s>", "B"),
        ("<|im_start|>assistant\nB<|im_end|>\n<|im_start|>user\nAnd now?", "B"),
        ("<|start_header_id|>assistant<|end_header_id|>B<|eot_id|>", "B"),
        ("<|im_start|>user\nWhich?<|im_end|><|im_start|>assistant\nB", "B"),
        ("[INST] Which? [/INST]B</s>", "B"),
        ("<|assistant|>B<|user|>And now?", "B"),
        ("B</s>Answer: C", "B"),
    ],
)
def test_only_the_models_own_first_turn_is_visible(text: str, seen: str) -> None:
    assert visible(text).text.strip() == seen
