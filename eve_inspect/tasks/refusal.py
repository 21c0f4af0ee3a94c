"""Questions whose context may not hold the answer: does the model say so?"""

from __future__ import annotations

from functools import partial

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import generate

from eve_inspect.datasets import REFUSAL, OnBadRows
from eve_inspect.scorers import PanelSettings, refusal_panel
from eve_inspect.solvers import FewshotSampler
from eve_inspect.tasks._judging import judging
from eve_inspect.tasks._setup import Fewshot, answer_text, setup


@task
def refusal(
    dataset: str = "hub",
    revision: str | None = None,
    on_bad_rows: OnBadRows = "error",
    fewshot: int = 0,
    fewshot_sampler: FewshotSampler = "first",
    fewshot_seed: int = 0,
    fewshot_dataset: str | None = None,
    fewshot_split: str | None = None,
    prompt: str | None = None,
    rubric: str | None = None,
    judge_attempts: int = 2,
    quorum: int | None = None,
    judge_later: bool = False,
) -> Task:
    """Questions on Earth observation whose context mostly lacks the answer: does the model say so?

    Args:
        dataset: `hub` (eve-esa/refusal), `sample` (the built-in sample set), or the path of a
            .parquet, .jsonl, .json or .csv file in the hub's columns.
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
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        quorum: Verdicts that the panel's values need; a majority of the panel when left out.
        judge_later: Generate now without judges; `eve-inspect rescore` judges the log later and
            takes over the arguments given here.
    """
    shots = Fewshot(fewshot, fewshot_sampler, fewshot_seed, fewshot_dataset, fewshot_split)
    judges = judging(
        PanelSettings(judge_attempts, quorum),
        partial(refusal_panel, rubric=rubric, judge_attempts=judge_attempts, quorum=quorum),
        later=judge_later,
    )
    prepared = setup(
        REFUSAL,
        "refusal",
        answer_text,
        dataset=dataset,
        revision=revision,
        on_bad_rows=on_bad_rows,
        shots=shots,
        prompt=prompt,
    )
    controls = sum((one.metadata or {}).get("answerable") is True for one in prepared.dataset)
    return Task(
        dataset=prepared.dataset,
        setup=judges.setup,
        solver=[*prepared.solvers, generate(tool_calls="none")],
        scorer=judges.scorer,
        version=1,
        metadata={**prepared.metadata, "controls": _told(controls)},
        headline_metric=judges.headline(
            HeadlineMetric(
                scorer="refusal_panel", metric="balanced_accuracy" if controls else "refusal_rate"
            )
        ),
    )


def _told(controls: int) -> str:
    """Return, for the log, how many answerable items there are and what follows."""
    if controls:
        return f"{controls} answerable items"
    return (
        "no answerable items, so false_refusal_rate and balanced_accuracy are not defined: a model "
        "that always declines would look perfect"
    )
