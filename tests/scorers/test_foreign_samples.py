"""Scorers and metrics on samples that they were not made for: never a number."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Scorer, match
from inspect_ai.solver import Generate, Solver, TaskState, solver

from eve_inspect.scorers import (
    coverage,
    hallucination_binary,
    hallucination_hard,
    hallucination_soft,
    multiple_answer,
    single_answer,
)


@solver
def reply() -> Solver:
    """Reply without a model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.output = ModelOutput.from_content("none", "Answer: A")
        return state

    return solve


@pytest.mark.parametrize(
    ("scorer", "sample", "named"),
    [
        pytest.param(
            single_answer(), Sample(input="q", target="w", choices=["w", "x"]), "'w'", id="text"
        ),
        pytest.param(single_answer(), Sample(input="q", target="A"), "'A'", id="no choices"),
        pytest.param(
            multiple_answer(),
            Sample(input="q", target="A, B", choices=["w", "x"]),
            "'A, B'",
            id="joined letters",
        ),
        pytest.param(hallucination_binary(), Sample(input="q", target="Yes"), "'Yes'", id="case"),
        pytest.param(hallucination_binary(), Sample(input="q"), "''", id="no target"),
        pytest.param(hallucination_hard(), Sample(input="q"), "'hard'", id="no hard spans"),
        pytest.param(hallucination_soft(), Sample(input="q"), "'soft'", id="no soft spans"),
    ],
)
def test_a_sample_without_gold_is_unscored_with_the_reason(
    scorer: Scorer, sample: Sample, named: str, tmp_path: Path
) -> None:
    task = Task(dataset=MemoryDataset([sample]), solver=reply(), scorer=scorer)
    (log,) = eval(task, model="none/none", display="log", log_dir=str(tmp_path))
    assert log.status == "success"
    assert log.samples is not None
    assert log.samples[0].scores is not None
    (score,) = log.samples[0].scores.values()
    assert math.isnan(score.as_float())
    assert named in str(score.explanation)


def test_the_coverage_of_another_scorer_is_undefined(tmp_path: Path) -> None:
    data = MemoryDataset([Sample(input="q", target="A")])
    task = Task(dataset=data, solver=reply(), scorer=match(), metrics=[coverage()])
    (log,) = eval(task, model="none/none", display="log", log_dir=str(tmp_path))
    assert log.status == "success"
    assert log.results is not None
    assert math.isnan(log.results.scores[0].metrics["coverage"].value)
