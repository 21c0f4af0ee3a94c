"""Wrong parameter values are errors of ours, before anything is asked."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, Literal

import docstring_parser
import pytest

import eve_inspect.tasks
from eve_inspect import (
    EveInspectError,
    hallucination_detection,
    mcqa_single,
    open_ended,
    open_ended_w_context,
    refusal,
    win_rate,
)
from tests.tasks.exam import SINGLE, write

EVERY = [getattr(eve_inspect.tasks, name) for name in eve_inspect.tasks.__all__]
TASKS = [task for task in EVERY if task is not win_rate]  # which asks no model
JUDGED = [open_ended, open_ended_w_context, refusal]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param({"fewshot": -1}, "fewshot=-1", id="negative fewshot"),
        pytest.param({"fewshot": "two"}, "fewshot='two'", id="fewshot in words"),
        pytest.param({"fewshot": True}, "fewshot=True", id="boolean fewshot"),
        pytest.param({"fewshot": 1.5}, "fewshot=1.5", id="fractional fewshot"),
        pytest.param({"fewshot_seed": "x"}, "fewshot_seed='x'", id="seed in words"),
        pytest.param({"fewshot_sampler": "last"}, "fewshot_sampler='last'", id="sampler"),
        pytest.param({"fewshot": 99}, "fewshot=99", id="pool too small"),
        pytest.param({"fewshot_dataset": "sample"}, "fewshot_dataset='sample'", id="unused pool"),
        pytest.param({"fewshot": 1, "fewshot_split": "dev"}, "fewshot_split='dev'", id="split"),
        pytest.param({"on_bad_rows": "maybe"}, "on_bad_rows='maybe'", id="bad rows"),
        pytest.param({"dataset": "exam.xlsx"}, "exam.xlsx", id="format"),
        pytest.param({"dataset": "nowhere.csv"}, "nowhere.csv", id="missing file"),
        pytest.param({"revision": "v1"}, "revision='v1'", id="revision of the sample set"),
        pytest.param({"prompt": "nowhere.txt"}, "prompt='nowhere.txt'", id="missing prompt"),
        pytest.param({"prompt": 3}, "prompt=3", id="prompt is a number"),
        pytest.param(
            {"dataset": "hub", "revision": 1.1}, "revision=1.1", id="revision as a number"
        ),
    ],
)
def test_the_error_names_the_value(task: Any, arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(EveInspectError) as error:
        task(**{"dataset": "sample", **arguments})
    assert named in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("task", JUDGED)
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param({"judge_attempts": "two"}, "judge_attempts='two'", id="attempts"),
        pytest.param({"quorum": 0}, "quorum=0", id="quorum"),
        pytest.param({"judge_later": "yes"}, "judge_later='yes'", id="later"),
        pytest.param({"rubric": "nowhere.yaml"}, "rubric='nowhere.yaml'", id="missing rubric"),
    ],
)
def test_a_wrong_judge_is_told_before_data_are_loaded(
    task: Any, arguments: dict[str, Any], named: str
) -> None:
    with pytest.raises(EveInspectError, match=re.escape(named)):
        task(**{"dataset": "nowhere.csv", **arguments})


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"context": "no"}, "context='no'"),
        ({"context_chars": 0}, "context_chars=0"),
        ({"judge_sees_context": 1}, "judge_sees_context=1"),
    ],
)
def test_a_wrong_context_is_told(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(EveInspectError, match=named):
        open_ended_w_context(dataset="sample", **arguments)


def test_a_parameter_means_the_same_in_every_task() -> None:
    """Each task spells its parameters out, since Inspect reads them there; none may drift."""
    meanings: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for task in EVERY:
        described = docstring_parser.parse(inspect.getdoc(task) or "").params
        for parameter in described:
            default = inspect.signature(task).parameters[parameter.arg_name].default
            text = " ".join((parameter.description or "").split())
            hub = re.sub(r"\(eve-esa/[\w-]+\)", "", text)
            meanings[parameter.arg_name].add((repr(default), hub))
    assert {name: said for name, said in meanings.items() if len(said) > 1} == {}


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(EveInspectError, match=r"level='medium'.*binary.*hard.*soft"):
        hallucination_detection(level="medium", dataset="sample")  # type: ignore[arg-type]


def test_a_blank_prompt_is_an_error(tmp_path: Path) -> None:
    blank = tmp_path / "blank.txt"
    blank.write_text(" \n")
    with pytest.raises(EveInspectError, match="is blank"):
        mcqa_single(dataset="sample", prompt=str(blank))


def test_the_error_for_a_small_pool_says_how_many_there_are(tmp_path: Path) -> None:
    data = write(tmp_path / "exam.jsonl", SINGLE[:3])
    with pytest.raises(EveInspectError, match=r"fewshot<=2"):
        mcqa_single(dataset=data, fewshot=3)
    assert len(mcqa_single(dataset=data, fewshot=2).dataset) == 3


def test_a_separate_pool_may_be_used_whole(tmp_path: Path) -> None:
    data = write(tmp_path / "exam.jsonl", SINGLE[:1])
    pool = write(tmp_path / "pool.jsonl", SINGLE[1:4])
    task = mcqa_single(dataset=data, fewshot=3, fewshot_dataset=pool)
    assert task.metadata is not None
    assert task.metadata["fewshot_dataset"]["name"] == "pool.jsonl"
    with pytest.raises(EveInspectError, match=r"fewshot<=3"):
        mcqa_single(dataset=data, fewshot=4, fewshot_dataset=pool)


@pytest.mark.parametrize(("base", "letters"), [(0, ["B", "C"]), (1, ["A", "B"])])
def test_numbers_as_right_options_count_from_the_declared_base(
    tmp_path: Path, base: Literal[0, 1], letters: list[str]
) -> None:
    rows = [{**SINGLE[0], "Answer": 1}, {**SINGLE[1], "Answer": 2}]
    data = write(tmp_path / "exam.jsonl", rows)
    with pytest.raises(EveInspectError, match="answer_base"):
        mcqa_single(dataset=data)
    task = mcqa_single(dataset=data, answer_base=base)
    assert [sample.target for sample in task.dataset] == letters


def test_utf16_offsets_are_declared(tmp_path: Path) -> None:
    answer = "\U0001f6f0 Sentinel-3 measures salinity."
    row = {
        "Question": "What?",
        "Answer": answer,
        "is_hallucinated": True,
        "Hard labels": [[23, 31]],
    }
    data = write(tmp_path / "rows.jsonl", [row])
    task = hallucination_detection(level="hard", dataset=data, offsets="utf16")
    assert task.dataset[0].metadata is not None
    assert task.dataset[0].metadata["hard"] == [[22, 30]]
