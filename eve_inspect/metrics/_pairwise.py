"""Who wins of two models, how far judges agree on it, and whether they prefer a place.

Everything is seen from the model; the other one is the baseline. A missing verdict is in no
denominator, and a figure whose denominator is empty is NaN.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from eve_inspect.metrics._agreement import krippendorff_alpha
from eve_inspect.metrics._numbers import mean, ratio

Outcome = Literal["win", "loss", "tie"]
"""What a judge decided, seen from the model."""

Order = Literal["AB", "BA"]
"""Whose answer a judge was shown first: ``AB`` the model's, ``BA`` the baseline's."""

Outcomes: TypeAlias = Mapping[str, Sequence[Outcome | None]]
"""The outcomes of each judge, one for each pair, in the same order; None for a missing one."""

Rate = Literal["win_rate", "loss_rate", "tie_rate", "alpaca_win_rate"]
"""A share of the judged pairs."""

_Preferred: TypeAlias = Literal["first", "second", "tie"]

_OUTCOMES: Mapping[tuple[Order, _Preferred], Outcome] = {
    ("AB", "first"): "win",
    ("AB", "second"): "loss",
    ("AB", "tie"): "tie",
    ("BA", "first"): "loss",
    ("BA", "second"): "win",
    ("BA", "tie"): "tie",
}

PREFERENCE: Mapping[Outcome, float] = {"loss": 0.0, "tie": 0.5, "win": 1.0}
"""What an outcome is worth to the model, as a number."""


class Tally(NamedTuple):
    """How many pairs were won, lost and tied; rates are shares of the judged pairs, 0..1.

    Attributes:
        wins: Pairs that the model won.
        losses: Pairs that the baseline won.
        ties: Pairs that neither won.
        missing: Pairs without a verdict.
    """

    wins: int
    losses: int
    ties: int
    missing: int

    @property
    def judged(self) -> int:
        """Pairs with a verdict."""
        return self.wins + self.losses + self.ties

    @property
    def win_rate(self) -> float:
        """Share of the judged pairs that the model won; NaN when none was judged."""
        return ratio(self.wins, self.judged)

    @property
    def loss_rate(self) -> float:
        """Share of the judged pairs that the baseline won; NaN when none was judged."""
        return ratio(self.losses, self.judged)

    @property
    def tie_rate(self) -> float:
        """Share of the judged pairs that neither won; NaN when none was judged."""
        return ratio(self.ties, self.judged)

    @property
    def alpaca_win_rate(self) -> float:
        """Wins and half of the ties over the judged pairs; NaN when none was judged.

        Those of the two models add up to 1.
        """
        return ratio(2 * self.wins + self.ties, 2 * self.judged)

    @property
    def other(self) -> Tally:
        """The same pairs, seen from the baseline."""
        return Tally(self.losses, self.wins, self.ties, self.missing)


class Combined(NamedTuple):
    """What a judge decided over the orders that it was asked in.

    Attributes:
        outcome: Its decision; None when a verdict is missing.
        inconsistent: Whether its verdicts differ between the two orders; None when it was asked in
            one order only, or a verdict is missing.
    """

    outcome: Outcome | None
    inconsistent: bool | None


class DecisionAgreement(NamedTuple):
    """How far judges decide alike, over the pairs with two verdicts or more.

    Attributes:
        unanimous: Share of the pairs on which all verdicts are the same.
        majority: Share on which not all are, but more than half.
        split: Share on which no more than half are. The three add up to 1.
        agreement: Mean share of the most common verdict, from 1/3 to 1.
        questions: Pairs that the shares are over.
    """

    unanimous: float
    majority: float
    split: float
    agreement: float
    questions: int


class PositionPreference(NamedTuple):
    """Whether a judge prefers the answer in one place.

    Attributes:
        first: Verdicts for the answer that was shown first.
        second: Verdicts for the other.
        ties: Verdicts for neither.
        share: ``first`` over ``first`` and ``second``: 0.5 without a preference; NaN when all are
            ties.
        p_value: Of no preference, exact and two-sided; NaN when no pair decides.
    """

    first: int
    second: int
    ties: int
    share: float
    p_value: float


def tally(outcomes: Iterable[Outcome | None]) -> Tally:
    """Count outcomes.

    Args:
        outcomes: One for each pair; None for a missing one.
    """
    counts = Counter(outcomes)
    return Tally(counts["win"], counts["loss"], counts["tie"], counts[None])


def pooled(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of all verdicts together, as if one judge had given them."""
    found = list(tallies)
    return Tally(
        sum(one.wins for one in found),
        sum(one.losses for one in found),
        sum(one.ties for one in found),
        sum(one.missing for one in found),
    )


def mean_over_judges(tallies: Iterable[Tally], rate: Rate) -> float:
    """Return the mean of a rate over the judges that gave a verdict, each with the same weight.

    Args:
        tallies: One for each judge.
        rate: Which rate; ``alpaca_win_rate`` gives the win rate of the EVE paper.

    Returns:
        The mean, 0..1; NaN when no judge gave a verdict.
    """
    return mean(float(getattr(one, rate)) for one in tallies if one.judged)


def outcome_of(order: Order, preferred: _Preferred | None) -> Outcome | None:
    """Return what a verdict by place says of the model.

    Args:
        order: Whose answer was shown first.
        preferred: The place that the judge preferred; None for no verdict.
    """
    return None if preferred is None else _OUTCOMES[order, preferred]


def combine(outcomes: Mapping[Order, Outcome | None]) -> Combined:
    """Return what a judge decided over the orders that it was asked in.

    One order decides alone. In two orders the same outcome twice is the decision, and anything
    else is a tie that the order made. A missing verdict leaves the other one exposed to the place,
    so nothing is decided.

    Args:
        outcomes: The outcome in each order, one or two of them.

    Raises:
        ValueError: No order.
    """
    if not outcomes:
        raise ValueError("no order: give the outcome in one order or in two")
    found = list(outcomes.values())
    if None in found or len(found) == 1:
        return Combined(None if None in found else found[0], None)
    same = len(set(found)) == 1
    return Combined(found[0] if same else "tie", not same)


def decision_agreement(outcomes: Outcomes) -> DecisionAgreement:
    """Return how far judges decide alike; NaN where no pair has two verdicts.

    Args:
        outcomes: The outcomes of each judge.
    """
    columns = [
        [one for one in column if one is not None]
        for column in zip(*outcomes.values(), strict=True)
    ]
    shares = [
        Counter(column).most_common(1)[0][1] / len(column) for column in columns if len(column) > 1
    ]
    pairs = len(shares)
    unanimous = sum(share == 1 for share in shares)
    majority = sum(0.5 < share < 1 for share in shares)
    return DecisionAgreement(
        ratio(unanimous, pairs),
        ratio(majority, pairs),
        ratio(pairs - unanimous - majority, pairs),
        mean(shares),
        pairs,
    )


def outcome_alpha(outcomes: Outcomes) -> float:
    """Return Krippendorff's alpha of the outcomes as names: 1 for agreement, 0 for chance.

    NaN where no pair has two verdicts, or all verdicts are the same.
    """
    coded = {
        judge: [None if one is None else PREFERENCE[one] for one in column]
        for judge, column in outcomes.items()
    }
    return krippendorff_alpha(coded, "nominal")


def position_preference(pairs: Sequence[Sequence[_Preferred | None]]) -> PositionPreference:
    """Return whether a judge prefers the answer in one place.

    The test is a sign test over pairs, of verdicts for the first minus verdicts for the second. A
    better model is named once in each place when both orders are asked, and counts for neither;
    two verdicts for the same place count as one pair, since they are not independent.

    Args:
        pairs: For each pair the judge's one or two verdicts by place, in any order; None for a
            missing one.
    """
    first = second = ties = ahead = behind = 0
    for verdicts in pairs:
        counts = Counter(verdicts)
        first, second = first + counts["first"], second + counts["second"]
        ties += counts["tie"]
        ahead += counts["first"] > counts["second"]
        behind += counts["first"] < counts["second"]
    share = ratio(first, first + second)
    return PositionPreference(first, second, ties, share, sign_p_value(ahead, behind))


def sign_p_value(ahead: int, behind: int) -> float:
    """Return the exact two-sided p-value of the sign test.

    Args:
        ahead: How many signs are positive.
        behind: How many are negative.

    Returns:
        The chance of signs that are at least as uneven if each is as likely; NaN without a sign.
    """
    n = ahead + behind
    if not n:
        return math.nan
    # Whole numbers of Python: exact for any n, and without the second that importing scipy takes.
    ways = tail = 1
    for chosen in range(min(ahead, behind)):
        ways = ways * (n - chosen) // (chosen + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << n))
