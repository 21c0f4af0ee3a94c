"""Two models' recorded answers, compared: no model is called but the judges."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers import (
    ROLE,
    EpochChoice,
    OrderChoice,
    Pair,
    PairMode,
    Pairs,
    PanelSettings,
    Unpaired,
    check_judges_of_command,
    load_answers,
    pair_answers,
    require_judges,
)
from eve_inspect.scorers import win_rate as win_rate_scorer
from eve_inspect.solvers import replay


@task
def win_rate(
    model_a: str,
    model_b: str,
    mode: PairMode = "preference",
    order: OrderChoice = "both",
    seed: int = 0,
    judge_sees_context: bool = False,
    rubric: str | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
    columns_a: dict[str, str] | None = None,
    columns_b: dict[str, str] | None = None,
    answer_epochs: EpochChoice = "single",
    unpaired: Unpaired = "error",
    force: bool = False,
    judge_attempts: int = 2,
    judge_names: list[str] | None = None,
    judge_delay: float = 0.0,
) -> Task:
    """Which of two models answered better, as a panel of judges sees it.

    Both models' answers are recorded ones; `--model` is not needed. Judges sit in the role `judge`.

    Args:
        model_a: The model's answers: a log (.eval) or a file (.csv, .jsonl, .json).
        model_b: The baseline's answers, likewise.
        mode: `preference` (which answer is better, or neither) or `correctness` (each answer is
            right or wrong; one right answer wins, else it is a tie).
        order: `both` (each judge sees the answers in both orders; a verdict that changes with the
            order is a tie, and counted as inconsistent) or `balanced` (in one, chosen by a hash:
            half the cost).
        seed: Seed of the order of `balanced`, and of resampling for intervals.
        judge_sees_context: Whether the judges see the documents too; the paper's did not.
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        name_a: What the model is called; its model's or file's name when left out.
        name_b: What the baseline is called, likewise.
        columns_a: Where a file of the model holds what: `question`, `reference`, `answer`, `id`,
            `context`. The usual names are found by themselves.
        columns_b: The same for the baseline.
        answer_epochs: Of a log with several epochs: `single` refuses it, `first` takes the first,
            `all` pairs each epoch with the same epoch of the other.
        unpaired: `error` stops when a question is on one side only, `skip` leaves it out and lists
            it in the log.
        force: Compare logs of different tasks, data or prompts all the same.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        judge_names: Names of the judges, in their order; their models' when left out.
        judge_delay: Least seconds between the starts of two requests to one judge.
    """
    scorer = win_rate_scorer(
        mode=mode,
        order=order,
        seed=seed,
        judge_sees_context=judge_sees_context,
        rubric=rubric,
        judge_attempts=judge_attempts,
        judge_names=judge_names,
        judge_delay=judge_delay,
    )
    check_judges_of_command(PanelSettings(judge_attempts))
    pairs = pair_answers(
        load_answers(model_a, name=name_a, columns=columns_a, epochs=answer_epochs, side="model_a"),
        load_answers(model_b, name=name_b, columns=columns_b, epochs=answer_epochs, side="model_b"),
        unpaired=unpaired,
        force=force,
    )
    _check_context(pairs, judge_sees_context=judge_sees_context)
    names = _names(pairs)
    return Task(
        dataset=MemoryDataset([_sample(pair, pairs) for pair in pairs.pairs], " vs ".join(names)),
        setup=require_judges(judge_attempts, role=ROLE),
        solver=replay(),
        scorer=scorer,
        model="none/none",
        version=1,
        metadata={"win_rate": _sources(pairs)},
        headline_metric=HeadlineMetric(scorer="win_rate", metric="alpaca_win_rate"),
    )


def _check_context(pairs: Pairs, *, judge_sees_context: bool) -> None:
    if judge_sees_context and not any(pair.model.context for pair in pairs.pairs):
        raise EveInspectError(
            "judge_sees_context=True, but neither model_a nor model_b holds documents: name the "
            "column that holds them (columns_a={context: <column>}), or leave it out."
        )


def _names(pairs: Pairs) -> tuple[str, str]:
    """Return what the models are called, which has to tell them apart."""
    names = (pairs.model.name, pairs.baseline.name)
    if names[0] == names[1]:
        raise EveInspectError(
            f"model_a={pairs.model.source!r} and model_b={pairs.baseline.source!r} are both called "
            f"{names[0]!r}: give them names with name_a=<name> and name_b=<name>."
        )
    return names


def _sample(pair: Pair, pairs: Pairs) -> Sample:
    answers = (pair.model.reading, pair.baseline.reading)
    return Sample(
        id=pair.id,
        input=pair.model.question,
        target=pair.model.reference,
        metadata={
            "question": pair.model.question,
            "question_id": pair.question_id,
            **({"context": pair.model.context} if pair.model.context else {}),
            "model": pairs.model.name,
            "answered_by": pairs.model.model or pairs.model.name,
            "answer_text": answers[0].answer or "",
            "answer_status": answers[0].status,
            "baseline": pairs.baseline.name,
            "baseline_answered_by": pairs.baseline.model or pairs.baseline.name,
            "baseline_answer": answers[1].answer or "",
            "baseline_status": answers[1].status,
        },
    )


def _sources(pairs: Pairs) -> dict[str, object]:
    """Return what was compared, for the log."""
    sides = {"model_a": pairs.model, "model_b": pairs.baseline}
    return {
        **{
            side: {
                "name": one.name,
                "source": one.source,
                "sha256": one.sha256,
                "task": one.task,
                "dataset": one.fingerprint,
                "prompt": one.prompt,
            }
            for side, one in sides.items()
        },
        "pairs": len(pairs.pairs),
        "only_model_a": list(pairs.only_model),
        "only_model_b": list(pairs.only_baseline),
    }
