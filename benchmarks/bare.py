"""A task of Inspect's own parts on the same rows, to tell its cost from ours."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.scorer import answer
from inspect_ai.solver import generate


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
