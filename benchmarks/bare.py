"""Tasks of Inspect's own parts on the same rows, to tell its cost from ours."""

from __future__ import annotations

import json
from typing import Literal

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, Sample, json_dataset
from inspect_ai.model import GenerateConfig, ResponseSchema, model_roles
from inspect_ai.scorer import Score, Scorer, Target, answer, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate
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
