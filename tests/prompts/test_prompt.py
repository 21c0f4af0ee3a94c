"""Built-in prompts and their versions."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from eve_inspect import EveInspectError
from eve_inspect.prompts import builtin, resolve

FILES = sorted(
    entry.name
    for entry in resources.files("eve_inspect.prompts").iterdir()
    if entry.name.endswith(".txt")
)


@pytest.mark.parametrize("file", FILES)
def test_every_packaged_text_is_reachable(file: str) -> None:
    name, _, version = file.removesuffix(".txt").rpartition("-v")
    prompt = builtin(name)
    assert int(prompt.version) >= int(version)
    assert prompt.text == prompt.text.strip() != ""


def test_there_is_a_text_for_every_task() -> None:
    assert {file.rpartition("-v")[0] for file in FILES} == {
        "hallucination_binary",
        "hallucination_hard",
        "hallucination_soft",
        "mcqa_multiple",
        "mcqa_single",
        "open_ended",
        "open_ended_w_context",
        "refusal",
    }


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="mcqa_triple"):
        builtin("mcqa_triple")


def test_the_digest_tells_texts_apart() -> None:
    one, other = builtin("mcqa_single").info, builtin("mcqa_multiple").info
    assert one["sha256"] != other["sha256"]
    assert one == builtin("mcqa_single").info


def test_what_stands_below_a_rule_closes_each_question(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Choose --- well.\n---\nYour letter:\n")
    prompt = resolve("mcqa_single", str(file))
    assert (prompt.text, prompt.closing) == ("Choose --- well.", "Your letter:")
    file.write_text("Choose well.")
    assert resolve("mcqa_single", str(file)).closing == ""


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "image.txt"
    file.write_bytes(b"\x89PNG\xff")
    with pytest.raises(EveInspectError, match="not UTF-8 text"):
        resolve("mcqa_single", str(file))
