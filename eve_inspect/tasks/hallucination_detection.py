"""Is there false information in an answer, where, and with what probability?"""

from __future__ import annotations

from inspect_ai import Task, task

from eve_inspect.datasets import Level, Offsets, OnBadRows, Rules
from eve_inspect.datasets import hallucination_detection as benchmark
from eve_inspect.solvers import FewshotSampler
from eve_inspect.tasks._hallucination_levels import LEVELS
from eve_inspect.tasks._setup import Fewshot, setup


@task
def hallucination_detection(
    level: Level = "binary",
    dataset: str = "hub",
    revision: str | None = None,
    on_bad_rows: OnBadRows = "error",
    fewshot: int = 0,
    fewshot_sampler: FewshotSampler = "first",
    fewshot_seed: int = 0,
    fewshot_dataset: str | None = None,
    fewshot_split: str | None = None,
    prompt: str | None = None,
    offsets: Offsets = "codepoints",
) -> Task:
    """Answers to Earth-observation questions: is there false information in them, and where?

    Args:
        level: `binary` (does the answer hold false information?), `hard` (quote the fragments)
            or `soft` (quote them with a probability each).
        dataset: `hub` (eve-esa/hallucination-detection), `sample` (the built-in sample set),
            or the path of a .parquet, .jsonl, .json or .csv file in the hub's columns.
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
        offsets: What span offsets in a file count: `codepoints`, or `utf16` code units.
    """
    shots = Fewshot(fewshot, fewshot_sampler, fewshot_seed, fewshot_dataset, fewshot_split)
    data = benchmark(level)
    chosen = LEVELS[level]
    prepared = setup(
        data,
        chosen.prompt,
        chosen.reply,
        dataset=dataset,
        revision=revision,
        on_bad_rows=on_bad_rows,
        shots=shots,
        prompt=prompt,
        rules=Rules(offsets=offsets),
    )
    return Task(
        dataset=prepared.dataset,
        solver=[*prepared.solvers, chosen.generate()],
        scorer=chosen.scorer(),
        version=1,
        metadata=prepared.metadata,
        headline_metric=chosen.headline,
    )
