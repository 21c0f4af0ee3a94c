"""Open questions, answered from documents."""

from __future__ import annotations

from functools import partial

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import generate

from eve_inspect.datasets import OnBadRows
from eve_inspect.datasets import open_ended_w_context as benchmark
from eve_inspect.scorers import PanelSettings, ScaleName, judge_panel, win_rate
from eve_inspect.solvers import FewshotSampler
from eve_inspect.tasks._baseline import with_baseline
from eve_inspect.tasks._judging import judging
from eve_inspect.tasks._setup import Fewshot, answer_text, setup


@task
def open_ended_w_context(
    context: bool = True,
    context_chars: int | None = None,
    dataset: str = "hub",
    revision: str | None = None,
    on_bad_rows: OnBadRows = "error",
    fewshot: int = 0,
    fewshot_sampler: FewshotSampler = "first",
    fewshot_seed: int = 0,
    fewshot_dataset: str | None = None,
    fewshot_split: str | None = None,
    prompt: str | None = None,
    scale: ScaleName = "0-5",
    rubric: str | None = None,
    judge_sees_context: bool = False,
    judge_attempts: int = 2,
    quorum: int | None = None,
    pass_mark: int | None = None,
    judge_later: bool = False,
    baseline: str | None = None,
) -> Task:
    """Open questions on Earth observation with one to three documents to answer them from.

    Args:
        context: Whether the model sees the documents. `false` asks the same questions without
            them: the difference is what it owes to reading rather than to knowing.
        context_chars: Cut the documents of a question to this many characters in all, with a mark
            where they are cut; recorded for each sample. When left out nothing is cut, and a
            question that does not fit the model's window is an error, not a wrong answer.
        dataset: `hub` (eve-esa/open-ended-w-context), `sample` (the built-in sample set), or the
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
        scale: `0-5` (levels of quality, normalised to 0..1) or `0-1` (pass or fail).
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        judge_sees_context: Whether the judges see the documents too; the paper's did not.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        quorum: Verdicts that the panel's values need; a majority of the panel when left out.
        pass_mark: Score from which on a verdict is a vote for the answer; 4 on `0-5`, 1 on `0-1`.
        judge_later: Generate now without judges; `eve-inspect rescore` judges the log later and
            takes over the arguments given here.
        baseline: Log (.eval) or file (.csv, .jsonl, .json) with another model's answers to the same
            questions; the panel then also says which of the two is better (scorer `win_rate`).
    """
    shots = Fewshot(fewshot, fewshot_sampler, fewshot_seed, fewshot_dataset, fewshot_split)
    judges = judging(
        PanelSettings(judge_attempts, quorum),
        partial(
            judge_panel,
            scale=scale,
            rubric=rubric,
            judge_sees_context=judge_sees_context,
            judge_attempts=judge_attempts,
            quorum=quorum,
            pass_mark=pass_mark,
        ),
        later=judge_later,
    )
    prepared = setup(
        benchmark(context, keep_documents=judge_sees_context, context_chars=context_chars),
        "open_ended_w_context" if context else "open_ended",
        answer_text,
        dataset=dataset,
        revision=revision,
        on_bad_rows=on_bad_rows,
        shots=shots,
        prompt=prompt,
    )
    compare = partial(
        win_rate,
        baseline,
        judge_sees_context=judge_sees_context,
        judge_attempts=judge_attempts,
    )
    return Task(
        dataset=prepared.dataset,
        setup=judges.setup,
        solver=[*prepared.solvers, generate(tool_calls="none")],
        scorer=with_baseline(judges.scorer, baseline, prepared, compare),
        version=1,
        metadata=prepared.metadata,
        headline_metric=judges.headline(
            HeadlineMetric(scorer="judge_panel", score="llm_as_judge_avg", metric="mean")
        ),
    )
