"""Scoring one letter."""

from __future__ import annotations

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from eve_inspect.answers import read_letter
from eve_inspect.datasets import option_letters
from eve_inspect.metrics import ChoiceItem, single_choice_floors
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._reply import details_of, reply_of, score_reading, unscorable


@metric(scores="unreduced")
def single_answer_floors() -> Metric:
    """Accuracy without any knowledge, from the gold letters of the scored samples.

    Returns:
        ``floor_best_constant`` (always the most frequent gold letter) and ``floor_random_guess``
        (an option drawn uniformly), 0..1.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        floors = single_choice_floors(
            ChoiceItem(frozenset({detail["gold"]}), detail["options"]) for detail in details
        )
        return {
            "floor_best_constant": floors.best_constant,
            "floor_random_guess": floors.random_guess,
        }

    return compute


@scorer(metrics=[accuracy(), stderr(), coverage(), single_answer_floors()])
def single_answer() -> Scorer:
    """Compare the one letter that a reply declares with the right one.

    The value is correct or incorrect; ``answer`` is the letter, empty when none could be read.
    """

    async def score(state: TaskState, target: Target) -> Score:
        options = [choice.value for choice in state.choices]
        if target.text not in option_letters(options):
            return unscorable(f"The target {target.text!r} is no letter of the sample's choices.")
        reading = read_letter(reply_of(state), options)
        return score_reading(
            reading,
            value=CORRECT if reading.answer == target.text else INCORRECT,
            answer=reading.answer or "",
            gold=target.text,
            options=len(options),
        )

    return score
