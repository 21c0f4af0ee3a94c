"""Scoring the verdict whether an answer is hallucinated."""

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

from eve_inspect.answers import read_yes_no
from eve_inspect.metrics import BinaryPair, binary_floors, binary_scores
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._reply import details_of, reply_of, score_reading, unscorable


@metric(scores="unreduced")
def hallucination_classification() -> Metric:
    """Precision, recall and F1 with hallucinated as the positive class, over all scored samples.

    A reply that could not be read is a miss of its own gold class: it lowers the recall of
    hallucinated answers, and is no "no" for clean ones. A figure whose denominator is empty is NaN.

    Returns:
        ``f1``, ``precision``, ``recall`` (0..1), ``unread_hallucinated`` and ``unread_clean``
        (replies).
    """

    def compute(scores: list[SampleScore]) -> Value:
        result = binary_scores(_pairs(scores))
        return {
            "f1": result.f1,
            "precision": result.precision,
            "recall": result.recall,
            "unread_hallucinated": result.unread_positive,
            "unread_clean": result.unread_negative,
        }

    return compute


@metric(scores="unreduced")
def hallucination_binary_floors() -> Metric:
    """Accuracy and F1 without any knowledge, from the gold labels of the scored samples.

    Returns:
        ``floor_accuracy_best_constant``, ``floor_accuracy_random_guess``,
        ``floor_f1_best_constant`` (always "yes") and ``floor_f1_random_guess`` (a fair coin), 0..1.
    """

    def compute(scores: list[SampleScore]) -> Value:
        golds = [pair.gold for pair in _pairs(scores)]
        floors = binary_floors(sum(golds), len(golds))
        return {
            "floor_accuracy_best_constant": floors.best_constant_accuracy,
            "floor_accuracy_random_guess": floors.random_accuracy,
            "floor_f1_best_constant": floors.always_yes_f1,
            "floor_f1_random_guess": floors.random_f1,
        }

    return compute


@scorer(
    metrics=[
        accuracy(),
        stderr(),
        hallucination_classification(),
        coverage(),
        hallucination_binary_floors(),
    ]
)
def hallucination_binary() -> Scorer:
    """Compare the verdict of a reply with the label: does the answer hold false information?

    The value is correct or incorrect; ``answer`` is ``yes``, ``no``, or empty when no verdict could
    be read.
    """

    async def score(state: TaskState, target: Target) -> Score:
        if target.text not in ("yes", "no"):
            return unscorable(f"The target {target.text!r} is neither 'yes' nor 'no'.")
        reading = read_yes_no(reply_of(state))
        return score_reading(
            reading,
            value=CORRECT if reading.answer == target.text else INCORRECT,
            answer=reading.answer or "",
            gold=target.text,
            verdict=reading.answer or "",
        )

    return score


def _pairs(scores: list[SampleScore]) -> list[BinaryPair]:
    return [
        BinaryPair.from_words(details["gold"], details["verdict"]) for details in details_of(scores)
    ]
