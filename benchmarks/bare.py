"""Tasks of Inspect's own parts on the same rows, to tell its cost from ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, MemoryDataset, Sample, json_dataset
from inspect_ai.model import GenerateConfig, ModelOutput, ResponseSchema, model_roles
from inspect_ai.scorer import Score, Scorer, Target, answer, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.util import collect, json_schema
from pydantic import create_model


@task
def bare(rows: str) -> Task:
    """Ask the same questions and read the letter with Inspect's ``answer``.

    Args:
        rows: Path of the rows.
    """

    def sample(record: dict[str, str]) -> Sample:
        lines = "\n".join(record["Choices"])
        return Sample(input=f"{record['Question']}\n\n{lines}", target=record["Answer"])

    return Task(dataset=json_dataset(rows, sample), solver=generate(), scorer=answer("letter"))


@scorer(metrics=[mean(), stderr()])
def ask_judges(frame: int) -> Scorer:
    """Ask the models of the role ``judge`` at once, and make a plain number of what they say.

    Args:
        frame: Characters of a message besides question, reference and answer.
    """
    instructions = ("Grade this answer from 0 to 5. " * (frame // 30 + 1))[:frame]
    # Inspect runs this file outside of sys.modules, where a class's annotations are not found.
    verdict = create_model("Verdict", rationale=(str, ...), score=(Literal[0, 1, 2, 3, 4, 5], ...))
    form = ResponseSchema(name="verdict", json_schema=json_schema(verdict), strict=True)
    config = GenerateConfig(temperature=0.0, response_schema=form)

    async def score(state: TaskState, target: Target) -> Score:
        judges = model_roles()["judge"]
        assert isinstance(judges, list)
        answered = state.output.completion
        message = f"{instructions}{state.input_text}{target.text}{answered}"
        outputs = await collect(*(judge.generate(message, config=config) for judge in judges))
        verdicts = [json.loads(one.completion) for one in outputs]
        total = sum(one["score"] for one in verdicts)
        return Score(
            value=total / len(verdicts) / 5,
            answer=answered,
            explanation="\n".join(one["rationale"] for one in verdicts),
        )

    return score


@task
def bare_judges(rows: str, frame: int) -> Task:
    """Put the same questions, and make the calls of a panel in a scorer of a few lines.

    Args:
        rows: Path of the rows.
        frame: As the scorer's.
    """
    data = json_dataset(rows, FieldSpec(input="Question", target="Answer"))
    return Task(dataset=data, solver=generate(), scorer=ask_judges(frame))


@scorer(metrics=[mean(), stderr()])
def ask_pairs(frame: int) -> Scorer:
    """Show the judges two answers in both orders, and make a plain number of what they say.

    Args:
        frame: Characters of a message besides question, reference and answers.
    """
    instructions = ("Say which answer is better. " * (frame // 28 + 1))[:frame]
    verdict = create_model("Verdict", rationale=(str, ...), winner=(str, ...))
    form = ResponseSchema(name="verdict", json_schema=json_schema(verdict), strict=True)
    config = GenerateConfig(temperature=0.0, response_schema=form)

    async def score(state: TaskState, target: Target) -> Score:
        judges = model_roles()["judge"]
        assert isinstance(judges, list)
        mine, other = state.metadata["answer"], state.metadata["baseline"]
        calls = [
            judge.generate(
                f"{instructions}{state.input_text}{target.text}{one}{two}", config=config
            )
            for judge in judges
            for one, two in ((mine, other), (other, mine))
        ]
        verdicts = [json.loads(one.completion) for one in await collect(*calls)]
        wins = sum(
            one["winner"] == ("A" if place % 2 == 0 else "B") for place, one in enumerate(verdicts)
        )
        return Score(
            value=wins / len(verdicts),
            answer=mine,
            explanation="\n".join(one["rationale"] for one in verdicts),
        )

    return score


@solver
def recorded() -> Solver:
    """Take the recorded answer for the reply."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.output = ModelOutput.from_content("recorded", state.metadata["answer"])
        return state

    return solve


@task
def bare_pairs(model_a: str, model_b: str, frame: int) -> Task:
    """Make the calls of a comparison in a scorer of a few lines.

    Args:
        model_a: Path of the model's answers.
        model_b: Path of the baseline's.
        frame: As the scorer's.
    """
    sides = [
        [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        for path in (model_a, model_b)
    ]
    samples = [
        Sample(
            input=one["question"],
            target=one["reference"],
            metadata={"answer": one["answer"], "baseline": two["answer"]},
        )
        for one, two in zip(*sides, strict=True)
    ]
    return Task(
        dataset=MemoryDataset(samples),
        solver=recorded(),
        scorer=ask_pairs(frame),
        model="none/none",
    )
