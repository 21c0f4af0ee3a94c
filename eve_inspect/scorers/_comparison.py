"""What the scores of `win_rate` say, pair by pair, in the form that the figures need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from eve_inspect.answers import Preferred
from eve_inspect.metrics import PREFERENCE, Outcome, Outcomes, Tally, defined_mean, tally

Side = Literal["model", "baseline"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compared pairs, one entry of a list for each, in one order throughout.

    Attributes:
        judges: Names of the judges.
        outcomes: What each judge decided, seen from the model; None for a missing verdict.
        questions: Id of the question, which its epochs share.
        lengths: Characters of the model's answers.
        baseline_lengths: Characters of the baseline's.
        seed: Seed of resampling.
        details: The scores' metadata.
    """

    judges: tuple[str, ...]
    outcomes: Mapping[str, list[Outcome | None]]
    questions: list[str]
    lengths: list[int]
    baseline_lengths: list[int]
    seed: int
    details: list[Mapping[str, Any]]

    @property
    def asks_accuracy(self) -> bool:
        """Whether judges were asked if answers are right."""
        return any(one["mode"] == "correctness" for one in self.details)

    @property
    def tallies(self) -> dict[str, Tally]:
        """Wins, losses, ties and missing verdicts of each judge."""
        return {judge: tally(outcomes) for judge, outcomes in self.outcomes.items()}

    @property
    def judged(self) -> dict[str, list[Outcome | None]]:
        """The outcomes that judges decided: what an empty answer decided is none of theirs."""
        asked = [bool(one["judged"]) for one in self.details]
        return {
            judge: [one if was else None for one, was in zip(outcomes, asked, strict=True)]
            for judge, outcomes in self.outcomes.items()
        }

    @property
    def preferences(self) -> dict[str, list[float | None]]:
        """The outcomes as numbers: 1 for a win, 0.5 for a tie, 0 for a loss."""
        return _numbers(self.outcomes)

    @property
    def judged_preferences(self) -> dict[str, list[float | None]]:
        """The outcomes that judges decided, as numbers."""
        return _numbers(self.judged)

    def places(self, judge: str) -> list[list[Preferred | None]]:
        """Return for each question which place a judge preferred, in each order and epoch."""
        found: dict[str, list[Preferred | None]] = {}
        for one in self.details:
            orders = one["judges"].get(judge, {}).get("orders", {})
            found.setdefault(str(one["question_id"]), []).extend(
                order["preferred"] for order in orders.values()
            )
        return list(found.values())

    def inconsistent(self, judge: str) -> float:
        """Return the share of a judge's decisions over two orders that changed with the order."""
        known = [one["inconsistent"] for one in self.records(judge)]
        return defined_mean(float(one) for one in known if one is not None)

    def accuracy(self, judge: str, side: Side) -> float:
        """Return the share of answers that a judge found right; NaN where it was not asked.

        An answer that is not there is wrong. Where one of the two is not there, nobody looked at
        the other, and the pair says nothing of it.
        """
        return defined_mean(
            value
            for one in self.details
            if one["mode"] == "correctness" and judge in one["judges"]
            if (value := _correct(one, judge, side)) is not None
        )

    def records(self, judge: str) -> list[Mapping[str, Any]]:
        """Return what a judge said of each pair that it was a judge of."""
        return [one["judges"][judge] for one in self.details if judge in one["judges"]]


def comparison(details: Iterable[Mapping[str, Any]]) -> Comparison:
    """Gather the scores of `win_rate`; those of other scorers are passed over.

    Args:
        details: Metadata of scores.
    """
    found = [one for one in details if is_comparison(one)]
    judges = tuple(dict.fromkeys(name for one in found for name in one["panel"]))
    return Comparison(
        judges=judges,
        outcomes={
            judge: [one["judges"].get(judge, {}).get("outcome") for one in found]
            for judge in judges
        },
        questions=[str(one["question_id"]) for one in found],
        lengths=[int(one["characters"]) for one in found],
        baseline_lengths=[int(one["baseline_characters"]) for one in found],
        seed=next((int(one["seed"]) for one in found), 0),
        details=found,
    )


def is_comparison(details: Mapping[str, Any]) -> bool:
    """Whether metadata are those of a score of `win_rate`."""
    return "baseline_answer" in details and "judges" in details


def _numbers(outcomes: Outcomes) -> dict[str, list[float | None]]:
    return {
        judge: [None if one is None else PREFERENCE[one] for one in column]
        for judge, column in outcomes.items()
    }


def _correct(one: Mapping[str, Any], judge: str, side: Side) -> float | None:
    correct = one["judges"][judge]["correct"]
    if one["judged"]:
        value = correct[side] if correct else None
        return None if value is None else float(value)
    empty = not (one["answer_text"] if side == "model" else one["baseline_answer"])
    return 0.0 if empty and one["judges"][judge]["outcome"] is not None else None
