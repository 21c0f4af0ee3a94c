"""What a log of `win_rate` says, as rows and named figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from inspect_ai.log import EvalLog, EvalSample, read_eval_log

from eve_inspect._errors import EveInspectError
from eve_inspect.metrics import (
    Outcomes,
    Tally,
    bootstrap_p_value,
    decision_agreement,
    defined_mean,
    difference_interval,
    mean_over_judges,
    outcome_alpha,
    pooled,
    position_preference,
    questions_needed,
    sign_test,
    win_rate_interval,
)
from eve_inspect.scorers import Comparison, comparison, is_comparison

Cell: TypeAlias = str | int | float | bool | None
Section = Literal["win_rates", "accuracy_rates", "judge_agreement", "position_bias"]
"""What a figure is about: the names under which a configuration file selects them."""


class Figure(NamedTuple):
    """A named figure.

    Attributes:
        section: What it is about.
        name: Its name, unique in a log.
        value: NaN where it is undefined.
    """

    section: Section
    name: str
    value: float


class LogPair(NamedTuple):
    """A sample of a log.

    Attributes:
        sample: The sample.
        details: The metadata of its score of `win_rate`; None for one that has none.
    """

    sample: EvalSample
    details: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ComparedLog:
    """Two models that a log compares.

    Attributes:
        pairs: All samples.
        found: Those that were compared, in the same order.
        model: What the model is called in tables, unlike the baseline.
        baseline: What the baseline is called, and neither of them ``tie``.
    """

    pairs: Sequence[LogPair]
    found: Comparison
    model: str
    baseline: str


def compared_log(log: EvalLog) -> ComparedLog:
    """Return what a log compares.

    Two models of one name become ``{name} (A)`` and ``{name} (B)``, and a model called ``tie``
    likewise, so that a column that names the winner is clear.

    Raises:
        EveInspectError: A log without comparisons, or with those of more than two models.
    """
    if log.samples is None:
        log = read_eval_log(log.location)
    places = {id: place for place, id in enumerate(log.eval.dataset.sample_ids or [])}
    samples = sorted(  # which the log's reader sorts by id
        log.samples or [], key=lambda one: (one.epoch, places.get(one.id, len(places)))
    )
    names = {name for sample in samples for name, _ in _compared_scores(sample)}
    pairs = [LogPair(one, next((d for _, d in _compared_scores(one)), None)) for one in samples]
    found = comparison(details for _, details in pairs if details is not None)
    sides = {(str(one["model"]), str(one["baseline"])) for one in found.details}
    if len(names) > 1 or len(sides) != 1:
        shown = ", ".join(sorted(f"{model} with {baseline}" for model, baseline in sides))
        raise EveInspectError(
            f"log {log.location!r} compares {shown or 'no models'} in {len(names)} scorer(s): give "
            "a log in which one scorer `win_rate` compares one model with one baseline."
        )
    model, baseline = sides.pop()
    if model == baseline or "tie" in (model, baseline):
        model, baseline = f"{model} (A)", f"{baseline} (B)"
    return ComparedLog(pairs, found, model, baseline)


def summary_rows(log: ComparedLog) -> list[dict[str, Cell]]:
    """Return a row of figures for each judge, one for the panel and one for all verdicts pooled."""
    found = log.found
    rows = [_judge_row(log, judge) for judge in found.judges]
    return [*rows, _panel_row(log), _pooled_row(log)]


def figures(log: ComparedLog, rows: Sequence[Mapping[str, Cell]]) -> list[Figure]:
    """Return all figures under their documented names.

    Args:
        log: What a log compares.
        rows: Its ``summary_rows``.
    """
    *judges, panel, all_verdicts = rows
    made = [figure for row in judges for figure in _judge_figures(log, row)]
    made += _aggregates(log, panel, all_verdicts)
    made += _agreement(log)
    return list(_unique(made))


def _compared_scores(sample: EvalSample) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, score in (sample.scores or {}).items():
        details = score.metadata or {}
        if is_comparison(details):
            yield name, details


def _judge_row(log: ComparedLog, judge: str) -> dict[str, Cell]:
    found = log.found
    one = found.tallies[judge]
    places = position_preference(found.places(judge))
    return {
        **_head(log, "judge", judge),
        **_counts(one),
        **_rates(one.win_rate, one.loss_rate, one.tie_rate, one.alpaca_win_rate),
        **_uncertainty(found, {judge: found.outcomes[judge]}),
        "accuracy": found.accuracy(judge, "model"),
        "baseline_accuracy": found.accuracy(judge, "baseline"),
        "position_first": places.share,
        "position_p": places.p_value,
        "inconsistent": found.inconsistent(judge),
    }


def _panel_row(log: ComparedLog) -> dict[str, Cell]:
    """Return the means over judges, which is the paper's win rate."""
    found = log.found
    tallies = list(found.tallies.values())
    return {
        **_head(log, "panel", ""),
        **dict.fromkeys(_counts(pooled(tallies))),
        **_rates(
            mean_over_judges(tallies, "win_rate"),
            mean_over_judges(tallies, "loss_rate"),
            mean_over_judges(tallies, "tie_rate"),
            mean_over_judges(tallies, "alpaca_win_rate"),
        ),
        **_uncertainty(found, found.outcomes),
        "accuracy": defined_mean(found.accuracy(judge, "model") for judge in found.judges),
        "baseline_accuracy": defined_mean(
            found.accuracy(judge, "baseline") for judge in found.judges
        ),
        "inconsistent": defined_mean(found.inconsistent(judge) for judge in found.judges),
    }


def _pooled_row(log: ComparedLog) -> dict[str, Cell]:
    one = pooled(log.found.tallies.values())
    return {
        **_head(log, "pooled", ""),
        **_counts(one),
        **_rates(one.win_rate, one.loss_rate, one.tie_rate, one.alpaca_win_rate),
    }


def _head(log: ComparedLog, row: str, judge: str) -> dict[str, Cell]:
    pairs = len(log.found.details)
    return {
        "row": row,
        "judge": judge,
        "model": log.model,
        "baseline": log.baseline,
        "pairs": pairs,
    }


def _counts(one: Tally) -> dict[str, Cell]:
    return {
        "wins": one.wins,
        "losses": one.losses,
        "ties": one.ties,
        "missing": one.missing,
        "judged": one.judged,
    }


def _rates(wins: float, losses: float, ties: float, alpaca: float) -> dict[str, Cell]:
    return {
        "win_rate": wins,
        "loss_rate": losses,
        "tie_rate": ties,
        "win_rate_difference": wins - losses,
        "alpaca_win_rate": alpaca,
        "baseline_alpaca_win_rate": 1 - alpaca,
        "alpaca_win_rate_difference": 2 * alpaca - 1,
    }


def _uncertainty(found: Comparison, outcomes: Outcomes) -> dict[str, Cell]:
    """Return intervals and the sign test of one judge or of all."""
    made: dict[str, Cell] = {}
    for rate in ("win_rate", "alpaca_win_rate"):
        interval = win_rate_interval(outcomes, found.questions, rate=rate, seed=found.seed)
        made |= {f"{rate}_low": interval.low, f"{rate}_high": interval.high}
    return {**made, "p_sign_test": sign_test(outcomes, found.questions)}


def _judge_figures(log: ComparedLog, row: Mapping[str, Cell]) -> Iterator[Figure]:
    judge = row["judge"]
    for rate, own, other in (
        ("win_rate", "win_rate", "loss_rate"),
        ("alpaca_win_rate", "alpaca_win_rate", "baseline_alpaca_win_rate"),
    ):
        yield Figure("win_rates", f"{rate}/{judge}/{log.model}", _number(row[own]))
        yield Figure("win_rates", f"{rate}/{judge}/{log.baseline}", _number(row[other]))
    for name in ("tie_rate", "judged", "missing"):
        yield Figure("win_rates", f"{name}/{judge}", _number(row[name]))
    if log.found.asks_accuracy:
        for model, own in ((log.model, "accuracy"), (log.baseline, "baseline_accuracy")):
            yield Figure("accuracy_rates", f"accuracy/{judge}/{model}", _number(row[own]))
    for name, own in (
        ("position_bias", "position_first"),
        ("position_bias_p", "position_p"),
        ("position_inconsistency", "inconsistent"),
    ):
        yield Figure("position_bias", f"{name}/{judge}", _number(row[own]))


def _aggregates(
    log: ComparedLog, panel: Mapping[str, Cell], all_verdicts: Mapping[str, Cell]
) -> Iterator[Figure]:
    """Yield what is over judges: pooled under the model's name, means over judges under avg."""
    found = log.found
    # Wins minus losses is also what the win rates with ties as halves differ by.
    difference = difference_interval(found.outcomes, found.questions, seed=found.seed)
    for rate, own, other in (
        ("win_rate", "win_rate", "loss_rate"),
        ("alpaca_win_rate", "alpaca_win_rate", "baseline_alpaca_win_rate"),
    ):
        for prefix, row in (("", all_verdicts), ("avg_", panel)):
            for model, column in ((log.model, own), (log.baseline, other)):
                name = f"aggregate/{prefix}{model}_{rate}"
                yield Figure("win_rates", name, _number(row[column]))
        for name, value in (
            (f"avg_{log.model}_{rate}_low", panel[f"{rate}_low"]),
            (f"avg_{log.model}_{rate}_high", panel[f"{rate}_high"]),
            (f"{rate}_difference", panel[f"{rate}_difference"]),
            (f"{rate}_difference_low", difference.low),
            (f"{rate}_difference_high", difference.high),
        ):
            yield Figure("win_rates", f"aggregate/{name}", _number(value))
    for name, value in (
        ("pairs", panel["pairs"]),
        ("missing", all_verdicts["missing"]),
        ("p_sign_test", panel["p_sign_test"]),
        ("p_bootstrap", bootstrap_p_value(found.outcomes, found.questions, seed=found.seed)),
        ("questions_needed", questions_needed(found.outcomes, found.questions)),
    ):
        yield Figure("win_rates", f"aggregate/{name}", _number(value))
    if log.found.asks_accuracy:
        for model, own in ((log.model, "accuracy"), (log.baseline, "baseline_accuracy")):
            yield Figure("accuracy_rates", f"aggregate/avg_{model}_accuracy", _number(panel[own]))
    yield Figure(
        "position_bias", "aggregate/position_inconsistency", _number(panel["inconsistent"])
    )


def _agreement(log: ComparedLog) -> Iterator[Figure]:
    agreed = decision_agreement(log.found.judged)
    for name, value in (
        ("judge_agreement", agreed.unanimous),
        ("judge_agreement_majority", agreed.majority),
        ("judge_agreement_split", agreed.split),
        ("judge_agreement_mean", agreed.agreement),
        ("krippendorff_alpha", outcome_alpha(log.found.judged)),
    ):
        yield Figure("judge_agreement", f"aggregate/{name}", value)


def _unique(made: Iterable[Figure]) -> Iterator[Figure]:
    """Number the names that come again: with ``/`` in names, two figures can share one."""
    seen: set[str] = set()
    for figure in made:
        name, turn = figure.name, 1
        while name in seen:
            turn += 1
            name = f"{figure.name} ({turn})"
        seen.add(name)
        yield figure._replace(name=name)


def _number(value: Cell) -> float:
    """Return a cell as a number; NaN for what is undefined or without bound."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return math.nan
    return value
