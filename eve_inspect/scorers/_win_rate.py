"""Two models' answers to the same question, compared by a panel of language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from eve_inspect.answers import Reading, read_text
from eve_inspect.scorers._answer_sets import EpochChoice
from eve_inspect.scorers._asking import Panel
from eve_inspect.scorers._baseline import Opponent, baseline_of, opponent_of, recorded_reading
from eve_inspect.scorers._comparing import (
    Comparing,
    Match,
    OrderChoice,
    PairMode,
    Said,
    check_delay,
    check_names,
    comparing,
    renamed,
)
from eve_inspect.scorers._comparison_score import Compared, comparison_score
from eve_inspect.scorers._judges import ROLE
from eve_inspect.scorers._panel import PanelSettings, context_of, question_of
from eve_inspect.scorers._reply import reply_of, unscorable
from eve_inspect.scorers._win_rate_metrics import (
    win_rate_agreement,
    win_rate_length,
    win_rate_position,
    win_rate_uncertainty,
    win_rate_usage,
    win_rates,
)


@dataclass(frozen=True, slots=True)
class _Side:
    """The model's side of a comparison."""

    name: str
    model: str
    reading: Reading[str]


@scorer(
    metrics=[
        {"*": [mean(), stderr()]},
        win_rates(),
        win_rate_uncertainty(),
        win_rate_agreement(),
        win_rate_position(),
        win_rate_length(),
        win_rate_usage(),
    ]
)
def win_rate(
    baseline: str | None = None,
    mode: PairMode = "preference",
    order: OrderChoice = "both",
    seed: int = 0,
    judge_sees_context: bool = False,
    rubric: str | None = None,
    baseline_name: str | None = None,
    baseline_epochs: EpochChoice = "single",
    judge_attempts: int = 2,
    judge_names: Sequence[str] | None = None,
    judge_delay: float = 0.0,
    role: str = ROLE,
) -> Scorer:
    """Decide by a panel of judge models which of two models answered a question better.

    The judges are the models of a role (`--model-role judge=<model>,<model>`). They see both
    answers beside the reference, not whose they are. A judge that gives no readable verdict in any
    of its orders is missing for that question: no tie, and in no denominator.

    Args:
        baseline: Log (.eval) or file (.csv, .jsonl, .json) with the other model's answers; left
            out where the samples hold them, as in the task `win_rate`.
        mode: `preference` (which answer is better, or neither) or `correctness` (each answer is
            right or wrong; one right answer wins, else it is a tie).
        order: `both` (each judge sees the answers in both orders; a verdict that changes with the
            order is a tie, and counted as inconsistent) or `balanced` (in one, chosen by a hash:
            half the cost).
        seed: Seed of the order of `balanced`, and of resampling for intervals.
        judge_sees_context: Whether the judges see the documents that the answers were to be based
            on.
        rubric: Path of a YAML file with the key `prompt` that replaces the built-in rubric.
        baseline_name: What the baseline is called; its model's or file's name when left out.
        baseline_epochs: Of a baseline log with several epochs: `single` refuses it, `first` takes
            the first, `all` compares each epoch with the same epoch of the baseline.
        judge_attempts: Further requests to a judge whose reply gave no verdict.
        judge_names: Names of the judges, in their order; their models' when left out.
        judge_delay: Least seconds between the starts of two requests to one judge.
        role: The model role of the judges.
    """
    settings = PanelSettings(judge_attempts, role=role)
    rules = comparing(mode, order, seed, rubric, judge_sees_context)
    check_delay(judge_delay)
    check_names(judge_names)
    opponents = None if baseline is None else baseline_of(baseline, baseline_name, baseline_epochs)
    asking: Panel[Said] = Panel(judge_attempts, judge_delay)

    async def score(state: TaskState, target: Target) -> Score:
        judges = renamed(settings.judges(), judge_names)
        opponent = opponent_of(state, opponents)
        context = context_of(state) if judge_sees_context else ""
        problem = _problem(opponent, target.text, context, rules)
        if opponent is None or problem:
            return unscorable(problem)
        side = _side(state, recorded=opponents is None)
        match = Match(
            id=f"{state.sample_id}#{state.epoch}",
            question=question_of(state),
            reference=target.text,
            context=context,
            answer=side.reading.answer or "",
            baseline=opponent.reading.answer or "",
        )
        said = await rules.ask(asking, judges, match) if match.answer and match.baseline else {}
        return comparison_score(
            Compared(
                rules=rules,
                match=match,
                question_id=str(state.metadata.get("question_id", state.sample_id)),
                model=side.name,
                baseline=f"{opponent.name}{' (baseline)' * (opponent.name == side.name)}",
                reading=side.reading,
                baseline_reading=opponent.reading,
                answered_by=(side.model, opponent.model),
                judges=judges,
                said=said,
            )
        )

    return score


def _side(state: TaskState, *, recorded: bool) -> _Side:
    """Return the model's answer: the recorded one in a comparison, else what it just replied."""
    if recorded:
        reading = recorded_reading(state.metadata, "answer_text", "answer_status")
        called = str(state.metadata["model"])
        return _Side(called, str(state.metadata.get("answered_by", called)), reading)
    model = str(state.model)
    name = (state.output.model or "model") if model.startswith("none/") else model
    return _Side(name, name, read_text(reply_of(state)))


def _problem(opponent: Opponent | None, reference: str, context: str, rules: Comparing) -> str:
    """Return why a sample cannot be compared; empty when it can."""
    if opponent is None:
        return "The baseline has no answer to this question, or several that cannot be told apart."
    if opponent.reference and opponent.reference.split() != reference.split():
        return "The baseline was given another reference answer for this question."
    if rules.sees_context and not context:
        return "The judges are to see documents, but the sample has none."
    return ""
