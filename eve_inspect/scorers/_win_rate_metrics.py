"""Figures of a comparison: who wins, how sure that is, and what position and length have to do."""

from __future__ import annotations

import math

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from eve_inspect.metrics import (
    bootstrap_p_value,
    decision_agreement,
    defined_mean,
    length_controlled_win_rate,
    mean_over_judges,
    outcome_alpha,
    pooled,
    position_preference,
    questions_needed,
    sign_test,
    win_rate_by_length,
    win_rate_interval,
)
from eve_inspect.scorers._comparison import Comparison, Side, comparison
from eve_inspect.scorers._reply import details_of


@metric(scores="unreduced")
def win_rates() -> Metric:
    """Who wins, by each judge and over judges.

    Returns:
        ``wins_{judge}``, ``losses_{judge}``, ``ties_{judge}`` (seen from the model),
        ``missing_{judge}``: numbers of pairs; the first three add up to the judged ones.
        ``win_rate_{judge}``: wins over judged. ``alpaca_win_rate_{judge}``: wins and half of the
        ties over judged. The same without a judge: ``wins``, ``losses``, ``ties`` and ``missing``
        over all judges; ``win_rate`` and ``alpaca_win_rate``, the means over judges (the paper's
        WR); ``win_rate_pooled`` and ``alpaca_win_rate_pooled``, of all verdicts together.
        ``win_rate_baseline`` and ``alpaca_win_rate_baseline``: the baseline's, likewise the means
        over judges; ``win_rate_difference`` and ``alpaca_win_rate_difference``: the model's minus
        the baseline's. ``accuracy_{judge}``, ``baseline_accuracy_{judge}``, ``accuracy`` and
        ``baseline_accuracy``: shares of right answers, in the mode that asks for them; an answer
        counts as half right if it was right in one order of two, an empty one as wrong, and the
        answer beside an empty one, at which nobody looked, not at all.
        ``judged_without_call``: pairs that an empty answer decided.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        return {**_by_judge(found), **_over_judges(found)}

    return compute


@metric(scores="unreduced")
def win_rate_uncertainty() -> Metric:
    """How sure the difference is; questions are resampled, since judges share them.

    Returns:
        ``win_rate_low`` and ``win_rate_high``, ``alpaca_win_rate_low`` and
        ``alpaca_win_rate_high``: bounds of 95 % intervals. ``p_sign_test`` (exact, over questions)
        and ``p_bootstrap``: p-values of "no difference". ``questions_needed``: questions that
        would show the difference seen with a power of 0.8; NaN where there is none.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        outcomes, questions, seed = found.outcomes, found.questions, found.seed
        plain = win_rate_interval(outcomes, questions, "win_rate", seed=seed)
        alpaca = win_rate_interval(outcomes, questions, "alpaca_win_rate", seed=seed)
        needed = questions_needed(outcomes, questions)
        return {
            "win_rate_low": plain.low,
            "win_rate_high": plain.high,
            "alpaca_win_rate_low": alpaca.low,
            "alpaca_win_rate_high": alpaca.high,
            "p_sign_test": sign_test(outcomes, questions),
            "p_bootstrap": bootstrap_p_value(outcomes, questions, seed=seed),
            "questions_needed": needed if math.isfinite(needed) else math.nan,
        }

    return compute


@metric(scores="unreduced")
def win_rate_agreement() -> Metric:
    """How far judges agree, and whether they would say the same in the other order.

    Returns:
        ``unanimous``, ``majority`` and ``split``: shares of the pairs with two verdicts or more on
        which all judges agree, more than half do, or no more than half; what an empty answer
        decided is no verdict. ``agreement``: mean share
        of the most common verdict. ``krippendorff_alpha``: nominal, 1 for perfect agreement, 0
        for chance. ``inconsistent_{judge}``: share of the judge's decisions over two orders that
        changed with the order; ``inconsistent``: their mean.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        agreed = decision_agreement(found.judged)
        changed = {judge: found.inconsistent(judge) for judge in found.judges}
        return {
            "unanimous": agreed.unanimous,
            "majority": agreed.majority,
            "split": agreed.split,
            "agreement": agreed.agreement,
            "krippendorff_alpha": outcome_alpha(found.judged),
            "inconsistent": defined_mean(changed.values()),
            **{f"inconsistent_{judge}": share for judge, share in changed.items()},
        }

    return compute


@metric(scores="unreduced")
def win_rate_position() -> Metric:
    """Whether a judge prefers the answer that it is shown first.

    Returns:
        ``position_first_{judge}``: share of the first answer among the verdicts that name one, 0.5
        without a preference. ``position_p_{judge}``: p-value of no preference, an exact sign test
        over questions; NaN where no question speaks for either place.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        figures: dict[str, float] = {}
        for judge in found.judges:
            places = position_preference(found.places(judge))
            figures[f"position_first_{judge}"] = places.share
            figures[f"position_p_{judge}"] = places.p_value
        return dict(figures)

    return compute


@metric(scores="unreduced")
def win_rate_length() -> Metric:
    """What the length of answers has to do with who wins; length is in characters.

    Returns:
        ``length_mean`` and ``baseline_length_mean``. ``alpaca_win_rate_longer``,
        ``alpaca_win_rate_similar`` and ``alpaca_win_rate_shorter``: where the model's answer is
        longer by a tenth or more, about as long, or shorter by a tenth or more.
        ``length_controlled_win_rate`` with ``..._low`` and ``..._high``: what a logistic model
        says with the effect of length taken out. ``length_effect``: that model's coefficient,
        above 0 where longer answers win.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        lengths = (found.lengths, found.baseline_lengths)
        slices = win_rate_by_length(found.judged_preferences, *lengths)
        controlled = length_controlled_win_rate(found.judged_preferences, *lengths, found.questions)
        return {
            "length_mean": defined_mean(found.lengths),
            "baseline_length_mean": defined_mean(found.baseline_lengths),
            "alpaca_win_rate_longer": slices.longer.alpaca_win_rate,
            "alpaca_win_rate_similar": slices.similar.alpaca_win_rate,
            "alpaca_win_rate_shorter": slices.shorter.alpaca_win_rate,
            "length_controlled_win_rate": controlled.win_rate,
            "length_controlled_win_rate_low": controlled.interval.low,
            "length_controlled_win_rate_high": controlled.interval.high,
            "length_effect": controlled.effect,
        }

    return compute


@metric(scores="unreduced")
def win_rate_usage() -> Metric:
    """What the judges were asked and what it cost.

    Returns:
        ``judge_calls_{judge}`` (requests, further attempts included),
        ``judge_input_tokens_{judge}`` and ``judge_output_tokens_{judge}``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _of(scores)
        return {
            f"judge_{name}_{judge}": sum(
                int(order[key])
                for record in found.records(judge)
                for order in record["orders"].values()
            )
            for judge in found.judges
            for name, key in (
                ("calls", "attempts"),
                ("input_tokens", "input_tokens"),
                ("output_tokens", "output_tokens"),
            )
        }

    return compute


def _of(scores: list[SampleScore]) -> Comparison:
    return comparison(details_of(scores))


def _by_judge(found: Comparison) -> dict[str, float]:
    figures: dict[str, float] = {}
    for judge, one in found.tallies.items():
        figures |= {
            f"wins_{judge}": one.wins,
            f"losses_{judge}": one.losses,
            f"ties_{judge}": one.ties,
            f"missing_{judge}": one.missing,
            f"win_rate_{judge}": one.win_rate,
            f"alpaca_win_rate_{judge}": one.alpaca_win_rate,
        }
        if found.asks_accuracy:
            figures[f"accuracy_{judge}"] = found.accuracy(judge, "model")
            figures[f"baseline_accuracy_{judge}"] = found.accuracy(judge, "baseline")
    return figures


def _over_judges(found: Comparison) -> dict[str, float]:
    tallies = list(found.tallies.values())
    all_of = pooled(tallies)
    wins, losses = (mean_over_judges(tallies, rate) for rate in ("win_rate", "loss_rate"))
    alpaca = mean_over_judges(tallies, "alpaca_win_rate")
    figures: dict[str, float] = {
        "wins": all_of.wins,
        "losses": all_of.losses,
        "ties": all_of.ties,
        "missing": all_of.missing,
        "win_rate": wins,
        "win_rate_baseline": losses,
        "win_rate_difference": wins - losses,
        "win_rate_pooled": all_of.win_rate,
        "alpaca_win_rate": alpaca,
        "alpaca_win_rate_baseline": 1 - alpaca,
        "alpaca_win_rate_difference": 2 * alpaca - 1,
        "alpaca_win_rate_pooled": all_of.alpaca_win_rate,
        "judged_without_call": sum(
            not one["judged"] and "unscored_reason" not in one for one in found.details
        ),
    }
    if found.asks_accuracy:
        sides: dict[str, Side] = {"accuracy": "model", "baseline_accuracy": "baseline"}
        for name, side in sides.items():
            figures[name] = defined_mean(found.accuracy(judge, side) for judge in found.judges)
    return figures
