"""Figures of a panel: what it covers, how far it agrees, how its judges differ, what it cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from eve_inspect.metrics import (
    defined_mean,
    krippendorff_alpha,
    leniency,
    pairwise_kappa,
    rank_correlation,
    unanimous_share,
)
from eve_inspect.scorers._reply import details_of

_LEVELS = {"0-5": 6, "0-1": 2}
"""Number of levels of each scale; verdicts of other scorers are right or wrong."""

Details = Mapping[str, Any]


@metric(scores="unreduced")
def panel_coverage() -> Metric:
    """How many verdicts and samples the panel covers, and what the missing ones could change.

    Returns:
        ``judge_coverage_{judge}``: verdicts over the answers that the judge was sent, 0..1.
        ``quorum``: share of the answers for which the panel's quorum was met.
        ``avg_if_missing_worst`` and ``avg_if_missing_best``: the panel's mean if every missing
        verdict had been 0 or 1, over all answers, those without a quorum too.
        ``judge_is_candidate`` and ``judge_is_of_family``: number of judges that are the model they
        judge, or of its family.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = _panels(scores)
        sent = [one for one in details if one["judged"]]
        met = [one for one in sent if "unscored_reason" not in one]
        return {
            **{
                f"judge_coverage_{judge}": defined_mean(
                    _value_of(one, judge) is not None for one in sent if judge in one["judges"]
                )
                for judge in _judges(details)
            },
            "quorum": len(met) / len(sent) if sent else math.nan,
            "avg_if_missing_worst": defined_mean(one["low"] for one in details),
            "avg_if_missing_best": defined_mean(one["high"] for one in details),
            "judge_is_candidate": len(_related(sent, "same_model")),
            "judge_is_of_family": len(_related(sent, "same_family")),
        }

    return compute


@metric(scores="unreduced")
def panel_agreement() -> Metric:
    """How far the judges agree, over the verdicts there are.

    Returns:
        ``unanimous``: share of the answers with two verdicts or more on which all are equal.
        ``krippendorff_alpha``: ordinal, 1 for perfect agreement, 0 for chance. ``kappa_{a}_{b}``:
        Cohen's kappa of each pair of judges, with quadratic weights. NaN where undefined, as when
        all verdicts are the same.
    """

    def compute(scores: list[SampleScore]) -> Value:
        sent = [one for one in _panels(scores) if one["judged"]]
        ratings = _ratings(sent)
        steps = max((_LEVELS.get(one.get("scale", ""), 2) for one in sent), default=2) - 1
        levels = [step / steps for step in range(steps + 1)]
        return {
            "unanimous": unanimous_share(ratings),
            "krippendorff_alpha": krippendorff_alpha(ratings, "ordinal"),
            **{
                f"kappa_{a}_{b}": kappa for (a, b), kappa in pairwise_kappa(ratings, levels).items()
            },
        }

    return compute


@metric(scores="unreduced")
def panel_leniency() -> Metric:
    """How each judge differs from the panel, and what the panel would say without it.

    Returns:
        ``leniency_{judge}``: mean of the judge's verdicts minus the panel's on the same answers,
        -1..1; above 0 is more lenient. ``avg_without_{judge}``: the mean of the other judges, 0..1.
    """

    def compute(scores: list[SampleScore]) -> Value:
        ratings = _ratings([one for one in _panels(scores) if one["judged"]])
        figures: dict[str, float] = {}
        for one in leniency(ratings):
            figures[f"leniency_{one.judge}"] = one.leniency
            figures[f"avg_without_{one.judge}"] = one.mean_without
        return dict(figures)

    return compute


@metric(scores="unreduced")
def length_correlation() -> Metric:
    """Spearman's rank correlation of the panel's mean with the answer's length in characters.

    Length earns nothing in the rubrics: a strong correlation is a reason to look.

    Returns:
        ``length_correlation``, -1..1; NaN where undefined.
    """

    def compute(scores: list[SampleScore]) -> Value:
        sent = [one for one in _panels(scores) if one["judged"] and one["average"] is not None]
        values = [float(one["average"]) for one in sent]
        lengths = [float(one["answer_characters"]) for one in sent]
        return {"length_correlation": rank_correlation(values, lengths)}

    return compute


@metric(scores="unreduced")
def judge_usage() -> Metric:
    """What the judges were asked and what it cost.

    Inspect keeps no account of the judges of a log that is scored again; this one is in the scores.
    A verdict that was taken over from an earlier scoring counts as it did there.

    Returns:
        ``judge_calls_{judge}`` (requests, further attempts included),
        ``judge_input_tokens_{judge}`` and ``judge_output_tokens_{judge}``.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = _panels(scores)
        return {
            f"judge_{name}_{judge}": sum(
                int(one["judges"][judge][key]) for one in details if judge in one["judges"]
            )
            for judge in _judges(details)
            for name, key in (
                ("calls", "attempts"),
                ("input_tokens", "input_tokens"),
                ("output_tokens", "output_tokens"),
            )
        }

    return compute


def _panels(scores: Iterable[SampleScore]) -> list[Details]:
    return [one for one in details_of(scores) if "panel" in one]


def _judges(details: Iterable[Details]) -> list[str]:
    """Return the names of all judges, in the order of the panels."""
    return list(dict.fromkeys(name for one in details for name in one["panel"]))


def _value_of(one: Details, judge: str) -> float | None:
    value = one["judges"].get(judge, {}).get("value")
    return None if value is None else float(value)


def _ratings(sent: list[Details]) -> dict[str, list[float | None]]:
    return {judge: [_value_of(one, judge) for one in sent] for judge in _judges(sent)}


def _related(sent: Iterable[Details], relation: str) -> set[str]:
    return {
        name
        for one in sent
        for name, judge in one["judges"].items()
        if judge["relation"] == relation
    }
