"""Scoring a set of letters."""

from __future__ import annotations

from dataclasses import asdict

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from eve_inspect.answers import read_letters
from eve_inspect.datasets import option_letters
from eve_inspect.metrics import ChoiceItem, exact_match, iou, multiple_choice_floors
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._reply import details_of, reply_of, score_reading, unscorable


@metric(scores="unreduced")
def multiple_answer_floors() -> Metric:
    """Exact match and IoU without any knowledge, from the gold sets of the scored samples.

    Returns:
        For each of the two, ``floor_<measure>_best_constant`` (the one letter set that does best
        when given to every item), ``floor_<measure>_random_guess`` (a non-empty subset of the
        options drawn uniformly) and ``floor_<measure>_all_options``, 0..1.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        floors = multiple_choice_floors(
            ChoiceItem(frozenset(detail["gold"]), detail["options"]) for detail in details
        )
        return {
            f"floor_{measure}_{name}": value
            for measure, values in asdict(floors).items()
            for name, value in values.items()
            if name != "constant_answer"
        }

    return compute


@scorer(
    metrics=[
        {"exact_match": [mean(), stderr()], "iou": [mean(), stderr()]},
        coverage(),
        multiple_answer_floors(),
    ]
)
def multiple_answer() -> Scorer:
    """Compare the set of letters that a reply declares with the right set.

    The value has the columns ``exact_match`` (0 or 1) and ``iou`` (0..1, intersection over union of
    the two sets); ``answer`` lists the letters (``A, C``), empty when none was declared.
    """

    async def score(state: TaskState, target: Target) -> Score:
        options = [choice.value for choice in state.choices]
        if not set(target) <= set(option_letters(options)) or not options:
            return unscorable(f"The target {list(target)!r} has other letters than the choices.")
        reading = read_letters(reply_of(state), options)
        predicted = None if reading.answer is None else frozenset(reading.answer)
        gold = frozenset(target)
        return score_reading(
            reading,
            value={"exact_match": exact_match(predicted, gold), "iou": iou(predicted, gold)},
            answer=", ".join(reading.answer or ()),
            gold=sorted(gold),
            options=len(options),
        )

    return score
