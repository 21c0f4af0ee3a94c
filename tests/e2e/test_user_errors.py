"""What a user can put right is one line, before a request is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eve_inspect import EveInspectError, hallucination_detection, mcqa_multiple, mcqa_single
from tests.e2e.starting import Installation, Ran, endpoint, run
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import SINGLE, write


def _exam_and(**last: object) -> list[dict[str, object]]:
    """Return good rows, and a ninth that differs from the first in what is given."""
    rows: list[dict[str, object]] = [{**row} for row in SINGLE]
    return [*rows, {**SINGLE[0], **last}]


def _one_line(ran: Ran, *named: str) -> None:
    assert ran.code == 1
    assert ran.out.strip() == ""
    (line,) = ran.err.strip().splitlines()
    assert line.startswith("Error: ")
    for text in named:
        assert text in line


def test_the_command_line_prints_a_wrong_value(
    here: Installation, server: OpenAIServer, tmp_path: Path
) -> None:
    command = ["eval", "eve_inspect/hallucination_detection", *endpoint(server)]
    wrong = ["-T", "dataset=sample", "-T", "level=medium"]
    ran = run(here.cli(*command, *wrong), tmp_path, tmp_path)
    _one_line(ran, "level='medium'", "'binary', 'hard' or 'soft'")
    assert server.requests == []


def test_the_command_line_prints_a_bad_row_without_a_display(
    here: Installation, server: OpenAIServer, tmp_path: Path
) -> None:
    data = write(tmp_path / "mine.jsonl", _exam_and(Answer="E"))
    command = ["eval", "eve_inspect/mcqa_single", *endpoint(server), "-T", f"dataset={data}"]
    ran = run(here.cli(*command, "--display", "none"), tmp_path, tmp_path)
    _one_line(ran, "mine.jsonl", "row 9", "'Answer'", "'E'", "on_bad_rows=skip")
    assert server.requests == []


def test_the_command_line_prints_an_unknown_local_model(here: Installation, tmp_path: Path) -> None:
    command = ["eval", "eve_inspect/mcqa_single", "-T", "dataset=sample", "--limit", "1"]
    ran = run(here.cli(*command, "--model", "gguf/no-such-model"), tmp_path, tmp_path)
    _one_line(ran, "no-such-model", "smollm2-135m")


@pytest.mark.parametrize("task", [mcqa_single, mcqa_multiple, hallucination_detection])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param(
            {"dataset": "/nowhere.jsonl"}, ["'/nowhere.jsonl'", "dataset=sample"], id="no-such-file"
        ),
        pytest.param(
            {"dataset": "Sample"}, ["'Sample'", "'sample'", ".parquet"], id="misspelt-set"
        ),
        pytest.param({"dataset": "."}, ["'.'", "name a file"], id="directory"),
        pytest.param({"fewshot": "abc"}, ["fewshot='abc'", "whole number"], id="fewshot-text"),
        pytest.param({"fewshot": -1}, ["fewshot=-1", "from 0 on"], id="fewshot-negative"),
        pytest.param({"fewshot": 1.5}, ["fewshot=1.5", "whole number"], id="fewshot-fraction"),
        pytest.param({"fewshot": True}, ["fewshot=True", "whole number"], id="fewshot-boolean"),
        pytest.param({"fewshot": 1000}, ["fewshot=1000", "fewshot<="], id="pool-too-small"),
        pytest.param({"fewshot_seed": "x"}, ["fewshot_seed='x'", "whole number"], id="seed"),
        pytest.param(
            {"fewshot": 1, "fewshot_sampler": "best"},
            ["fewshot_sampler='best'", "'first' or 'random'"],
            id="sampler",
        ),
        pytest.param(
            {"fewshot_dataset": "sample"},
            ["fewshot_dataset='sample'", "fewshot=<number>"],
            id="pool-without-shots",
        ),
        pytest.param(
            {"fewshot": 1, "fewshot_split": "test"},
            ["fewshot_split='test'", "fewshot_dataset=hub"],
            id="split-without-hub",
        ),
        pytest.param(
            {"on_bad_rows": "maybe"}, ["on_bad_rows='maybe'", "'error' or 'skip'"], id="bad-rows"
        ),
        pytest.param(
            {"revision": "main"}, ["revision='main'", "dataset='hub'"], id="revision-of-the-sample"
        ),
        pytest.param(
            {"prompt": "/nowhere"}, ["prompt='/nowhere'", "leave prompt out"], id="prompt"
        ),
        pytest.param({"prompt": 7}, ["prompt=7", "path"], id="prompt-number"),
    ],
)
def test_a_wrong_value_is_named_with_the_way_out(
    task: Callable[..., object], arguments: dict[str, Any], named: list[str]
) -> None:
    with pytest.raises(EveInspectError) as caught:
        task(**{"dataset": "sample", **arguments})
    message = caught.value.format_message()
    assert "\n" not in message
    for text in named:
        assert text in message


def test_an_unknown_level_is_named_with_the_levels() -> None:
    with pytest.raises(EveInspectError, match=r"level='medium'.*'binary', 'hard' or 'soft'"):
        hallucination_detection(level="medium", dataset="sample")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "named"),
    [
        pytest.param({"Answer": "E"}, ["'Answer'", "'E'"], id="gold-not-offered"),
        pytest.param({"Answer": ""}, ["'Answer'"], id="gold-empty"),
        pytest.param({"Question": " "}, ["'Question'", "empty"], id="question-blank"),
        pytest.param({"Choices": []}, ["'Choices'"], id="no-options"),
    ],
)
def test_a_bad_row_is_named_with_its_column(
    tmp_path: Path, row: dict[str, object], named: list[str]
) -> None:
    data = write(tmp_path / "mine.jsonl", _exam_and(**row))
    with pytest.raises(EveInspectError) as caught:
        mcqa_single(dataset=data)
    for text in ["mine.jsonl", "row 9", *named]:
        assert text in caught.value.format_message()


def test_a_missing_column_is_named_with_those_found(tmp_path: Path) -> None:
    data = tmp_path / "mine.jsonl"
    data.write_text(json.dumps({"Question": "Which?", "Choices": ["w", "x"]}), encoding="utf-8")
    with pytest.raises(
        EveInspectError, match=r"no column 'Answer'.*found are 'Question', 'Choices'"
    ):
        mcqa_single(dataset=str(data))
