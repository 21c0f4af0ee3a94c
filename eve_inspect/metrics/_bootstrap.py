"""How sure a win rate is: questions are what is resampled.

The verdicts of several judges on one question, and of several epochs of it, hang together. They
are one cluster, and only other questions tell how far a rate would vary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from eve_inspect.metrics._intervals import Interval, wilson_interval
from eve_inspect.metrics._pairwise import PREFERENCE, Outcome, Outcomes, sign_p_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Floats: TypeAlias = NDArray[np.float64]

WinRate = Literal["win_rate", "alpaca_win_rate"]
"""A rate that has an interval."""

_CELLS = 2_000_000  # of a block of replicates: 16 MB
_TOLERANCE = 1e-9  # rates that differ less are the same
_WORTH: Mapping[WinRate, Mapping[Outcome, float]] = {
    "win_rate": {"win": 1.0, "tie": 0.0, "loss": 0.0},
    "alpaca_win_rate": PREFERENCE,
}


class _Clusters(NamedTuple):
    """Questions that have a verdict; those with the same verdicts are one row.

    Attributes:
        sums: What the verdicts of each judge are worth, rows by judges.
        judged: Verdicts of each judge, rows by judges.
        times: Questions that a row stands for.
    """

    sums: _Floats
    judged: _Floats
    times: _Floats

    @property
    def questions(self) -> int:
        """Questions that have a verdict."""
        return int(self.times.sum())

    @property
    def rate(self) -> float:
        """The mean over judges of the rate."""
        return float(_rates(self.times @ self.sums, self.times @ self.judged))


def win_rate_interval(
    outcomes: Outcomes,
    questions: Sequence[str],
    rate: WinRate = "alpaca_win_rate",
    *,
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
) -> Interval:
    """Return the confidence interval of a rate's mean over judges.

    The variance is that of the rate over samples of questions with replacement (times n / (n - 1)
    for n questions). It says how many independent answers of yes or no the verdicts are worth,
    ``rate (1 - rate) / variance``, and the interval is Wilson's for that many. So it respects that
    judges share questions, lies within 0..1 and is lopsided near the ends. Where samples do not
    vary, all questions being alike, percentiles of the samples would have no width; here a question
    then counts as one answer, which makes the interval too wide rather than too narrow.

    Args:
        outcomes: The outcomes of each judge.
        questions: Id of the question of each pair.
        rate: Which rate.
        level: Coverage, between 0 and 1, both excluded.
        seed: Seed of the samples.
        replicates: How many samples are drawn.

    Returns:
        The bounds as shares of 1; NaN for both without a verdict.

    Raises:
        ValueError: ``level`` is not in 0..1, ``replicates`` below 2, or sequences differ in length.
    """
    _check(level, replicates)
    found = _clusters(outcomes, questions, rate)
    if found is None:
        return Interval(math.nan, math.nan)
    samples = _resample(found.sums, found.judged, found.times, seed, replicates)
    worth = _effective_answers(found, samples)
    return wilson_interval(found.rate * worth, worth, level)


def difference_interval(
    outcomes: Outcomes,
    questions: Sequence[str],
    *,
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
) -> Interval:
    """Return the confidence interval of the model's rate minus the baseline's, -1..1.

    Win rates and Alpaca win rates have the same difference, wins minus losses over the judged
    pairs, since half a tie more on both sides cancels. It is twice the Alpaca win rate minus 1.

    Args:
        outcomes: The outcomes of each judge.
        questions: Id of the question of each pair.
        level: Coverage, between 0 and 1, both excluded.
        seed: Seed of the samples.
        replicates: How many samples are drawn.

    Raises:
        ValueError: As of `win_rate_interval`.
    """
    low, high = win_rate_interval(
        outcomes, questions, "alpaca_win_rate", level=level, seed=seed, replicates=replicates
    )
    return Interval(2 * low - 1, 2 * high - 1)


def bootstrap_p_value(
    outcomes: Outcomes, questions: Sequence[str], *, seed: int = 0, replicates: int = 2000
) -> float:
    """Return the two-sided p-value of "no difference", by a paired bootstrap.

    If the models are alike, each question's verdicts could as well have gone the other way round.
    So questions are sampled with replacement, and the models of each change places by the toss of
    a coin; the p-value is the share of samples with a difference at least as large as the one
    seen, that one included. Unlike a bootstrap around the difference seen, it calls three wins of
    three no proof.

    Args:
        outcomes: The outcomes of each judge.
        questions: Id of the question of each pair.
        seed: Seed of the samples.
        replicates: How many samples are drawn.

    Returns:
        The p-value, above 0 and up to 1; NaN without a verdict.

    Raises:
        ValueError: ``replicates`` is below 2, or sequences differ in length.
    """
    import numpy as np

    _check(0.5, replicates)
    found = _clusters(outcomes, questions, "alpaca_win_rate")
    if found is None:
        return math.nan
    both = np.concatenate([found.sums, found.judged - found.sums])
    judged = np.concatenate([found.judged, found.judged])
    times = np.concatenate([found.times, found.times]) / 2
    samples = _resample(both, judged, times, seed, replicates)
    seen = abs(found.rate - 0.5) - _TOLERANCE
    extreme = int((np.abs(samples - 0.5) >= seen).sum())
    return (extreme + 1) / (replicates + 1)


def sign_test(outcomes: Outcomes, questions: Sequence[str]) -> float:
    """Return the exact two-sided p-value of "no difference", by a sign test over questions.

    A question's sign is that of wins minus losses over judges and epochs; one without a sign is
    left out.

    Args:
        outcomes: The outcomes of each judge.
        questions: Id of the question of each pair.

    Returns:
        The p-value; NaN when no question has a sign.

    Raises:
        ValueError: Sequences differ in length.
    """
    import numpy as np

    found = _clusters(outcomes, questions, "alpaca_win_rate")
    if found is None:
        return math.nan
    signs = np.sign((2 * found.sums - found.judged).sum(axis=1))
    ahead, behind = (int(found.times[signs == sign].sum()) for sign in (1, -1))
    return sign_p_value(ahead, behind)


def questions_needed(
    outcomes: Outcomes, questions: Sequence[str], *, power: float = 0.8, level: float = 0.95
) -> float:
    """Return how many questions would show the difference seen, judged as these were.

    ``((z_level + z_power) sd / difference)²`` with the standard deviation of what a single
    question contributes to the difference: the usual size of a sample for a test of a mean.

    Args:
        outcomes: The outcomes of each judge.
        questions: Id of the question of each pair.
        power: Chance of seeing the difference, between 0 and 1, both excluded.
        level: 1 minus the two-sided level of the test, between 0 and 1, both excluded.

    Returns:
        The number, not rounded, and never fewer than with which any result could show a difference
        in a sign test; infinite for no difference; NaN with fewer than two questions.

    Raises:
        ValueError: ``power`` or ``level`` is not in 0..1, or sequences differ in length.
    """
    import numpy as np

    if not 0 < power < 1:
        raise ValueError(f"power={power!r}: give a share between 0 and 1, such as 0.8")
    _check(level, 2)
    found = _clusters(outcomes, questions, "alpaca_win_rate")
    if found is None or found.questions < 2:
        return math.nan
    difference = 2 * found.rate - 1
    if abs(difference) < _TOLERANCE:
        return math.inf
    parts = 2 * found.questions * _contributions(found)
    deviation = math.sqrt(float(found.times @ np.square(parts)) / (found.questions - 1))
    normal = NormalDist()
    quantiles = normal.inv_cdf(0.5 + level / 2) + normal.inv_cdf(power)
    fewest = math.ceil(math.log2(2 / (1 - level)))
    return max((quantiles * deviation / abs(difference)) ** 2, float(fewest))


def _check(level: float, replicates: int) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}: give a share between 0 and 1, such as 0.95")
    if replicates < 2:
        raise ValueError(f"replicates={replicates!r}: give at least 2, such as 2000")


def _clusters(outcomes: Outcomes, questions: Sequence[str], rate: WinRate) -> _Clusters | None:
    """Return the questions that have a verdict, None if none has.

    Judges are taken by name and rows by value, so that neither the order of judges nor that of
    pairs changes what a seed draws.
    """
    import numpy as np

    for judge, column in outcomes.items():
        if len(column) != len(questions):
            raise ValueError(
                f"judge {judge!r} has {len(column)} outcomes for {len(questions)} questions: give "
                "one for each pair, None for a missing one"
            )
    judges = sorted(name for name, column in outcomes.items() if any(column))
    if not judges:
        return None
    worth = _WORTH[rate]
    places = {question: number for number, question in enumerate(dict.fromkeys(questions))}
    sums, judged = np.zeros((2, len(places), len(judges)))
    for place, judge in enumerate(judges):
        for question, outcome in zip(questions, outcomes[judge], strict=True):
            if outcome is not None:
                sums[places[question], place] += worth[outcome]
                judged[places[question], place] += 1
    known = judged.any(axis=1)
    table = np.concatenate([sums[known], judged[known]], axis=1)
    rows, times = np.unique(table, axis=0, return_counts=True)
    return _Clusters(rows[:, : len(judges)], rows[:, len(judges) :], times.astype(float))


def _rates(sums: _Floats, judged: _Floats) -> _Floats:
    """Return the mean over the last axis, the judges', of those that have verdicts."""
    import numpy as np

    has = judged > 0
    shares = sums / np.where(has, judged, 1)  # nothing judged is worth nothing
    means: _Floats = shares.sum(axis=-1) / has.sum(axis=-1)
    return means


def _resample(
    sums: _Floats, judged: _Floats, times: _Floats, seed: int, replicates: int
) -> _Floats:
    """Return the rate of each sample of questions with replacement.

    How often each row is drawn is multinomial, which is drawn at once: questions with the same
    verdicts need not be told apart.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    questions = round(float(times.sum()))
    counts = (
        random.multinomial(questions, times / questions, size=size).astype(float)
        for size in _blocks(replicates, len(times))
    )
    return np.concatenate([_rates(block @ sums, block @ judged) for block in counts])


def _blocks(replicates: int, rows: int) -> Iterator[int]:
    """Yield how many replicates to draw at once, which bounds the memory."""
    size = max(1, _CELLS // rows)
    for start in range(0, replicates, size):
        yield min(size, replicates - start)


def _effective_answers(found: _Clusters, samples: _Floats) -> float:
    """Return how many independent answers of yes or no the verdicts are worth."""
    n = found.questions
    variance = float(samples.var()) * n / (n - 1) if n > 1 else 0.0
    spread = found.rate * (1 - found.rate)
    return spread / variance if variance > _TOLERANCE**2 and spread > 0 else float(n)


def _contributions(found: _Clusters) -> _Floats:
    """Return by how much a question of each row moves the rate, to first order; their sum is 0."""
    totals = found.times @ found.judged
    shares = (found.times @ found.sums) / totals
    parts: _Floats = ((found.sums - shares * found.judged) / totals).mean(axis=1)
    return parts
