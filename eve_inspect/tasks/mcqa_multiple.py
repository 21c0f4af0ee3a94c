"""Multiple-choice questions with one or more right options."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import generate

from eve_inspect.datasets import MCQA_MULTIPLE, AnswerBase, OnBadRows, Rules
from eve_inspect.scorers import multiple_answer
from eve_inspect.solvers import FewshotSampler
from eve_inspect.tasks._setup import Fewshot, answer_line, setup


@task
def mcqa_multiple(
    dataset: str = "hub",
    revision: str | None = None,
    on_bad_rows: OnBadRows = "error",
    fewshot: int = 0,
    fewshot_sampler: FewshotSampler = "first",
    fewshot_seed: int = 0,
    fewshot_dataset: str | None = None,
    fewshot_split: str | None = None,
    prompt: str | None = None,
    answer_base: AnswerBase | None = None,
) -> Task:
    """Multiple-choice questions on Earth observation with one or more right options.

    Args:
        dataset: `hub` (eve-esa/mcqa-multiple-answers), `sample` (the built-in sample set), or the
            path of a .parquet, .jsonl, .json or .csv file in the hub's columns.
        revision: Branch, tag or commit of the hub's set; the newest when left out. The commit is
            recorded either way.
        on_bad_rows: `error` stops at a row that cannot be asked or scored; `skip` leaves such rows
            out, counts and lists them in the log.
        fewshot: Number of demonstrations, shown as chat turns before the question.
        fewshot_sampler: `first` takes the first of the pool, `random` draws anew for each question.
        fewshot_seed: Seed of `random`.
        fewshot_dataset: Where demonstrations come from, given like `dataset`; the scored set itself
            when left out, of which a question is never shown to itself.
        fewshot_split: Split of the hub's set to take as the pool, with `fewshot_dataset=hub`.
        prompt: Path of a text file that replaces the task's instructions; what stands below a line
            `---` in it closes each question.
        answer_base: For a file whose right options are numbers: 0 or 1, where they count from.
    """
    shots = Fewshot(fewshot, fewshot_sampler, fewshot_seed, fewshot_dataset, fewshot_split)
    prepared = setup(
        MCQA_MULTIPLE,
        "mcqa_multiple",
        answer_line,
        dataset=dataset,
        revision=revision,
        on_bad_rows=on_bad_rows,
        shots=shots,
        prompt=prompt,
        rules=Rules(answer_base=answer_base),
    )
    return Task(
        dataset=prepared.dataset,
        solver=[*prepared.solvers, generate(tool_calls="none")],
        scorer=multiple_answer(),
        version=1,
        metadata=prepared.metadata,
        headline_metric=HeadlineMetric(scorer="multiple_answer", score="iou", metric="mean"),
    )
