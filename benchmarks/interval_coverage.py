"""How often 95 % intervals of win rates cover the truth, and how often p-values cry wolf.

``python -m benchmarks.interval_coverage`` simulates 1,000 comparisons of 200 questions for each row
and prints Markdown; it takes some minutes. Its output is kept in ``docs/interval_coverage.md``.
A verdict copies the question's own outcome with a chance of one half and is drawn anew from the
same shares otherwise, so that judges and epochs hang together.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from eve_inspect.metrics._bootstrap import bootstrap_p_value, sign_test, win_rate_interval
from eve_inspect.metrics._pairwise import Outcome

Rate = Literal["win_rate", "alpaca_win_rate"]

QUESTIONS = 200
TRUTHS = (0.1, 0.3, 0.5, 0.7, 0.9)
RATES: tuple[Rate, ...] = ("win_rate", "alpaca_win_rate")
COPIED = 0.5
LOW, HIGH = 0.93, 0.97
_SEED = 2026


class Panel(NamedTuple):
    """Who judges what.

    Attributes:
        judges: How many.
        epochs: Of each question.
        ties: How far ties take the place of what else could be, 0..1.
        missing: Share of missing verdicts.
    """

    judges: int
    epochs: int
    ties: float
    missing: float

    def __str__(self) -> str:
        """Return it as cells of a table."""
        return f"{self.judges} | {self.epochs} | {self.ties:.0%} | {self.missing:.0%}"


class Errors(NamedTuple):
    """Shares of comparisons of equal models that a test at 5 % calls different."""

    sign_test: float
    bootstrap: float


PANELS = (
    Panel(1, epochs=1, ties=0.0, missing=0.0),
    Panel(1, epochs=1, ties=0.4, missing=0.1),
    Panel(4, epochs=1, ties=0.0, missing=0.0),
    Panel(4, epochs=1, ties=0.4, missing=0.1),
    Panel(4, epochs=2, ties=0.4, missing=0.1),
)


def simulate(
    random: np.random.Generator,
    questions: int,
    panel: Panel,
    truth: float,
    rate: Rate = "alpaca_win_rate",
) -> dict[str, list[Outcome | None]]:
    """Return a simulated panel's outcomes, epoch after epoch, whose true rate is known."""
    if rate == "win_rate":
        tie = panel.ties * (1 - truth)
        win = truth
    else:
        tie = 2 * panel.ties * min(truth, 1 - truth)
        win = truth - tie / 2
    shares = [win, tie, 1 - win - tie]
    shape = (panel.judges, panel.epochs, questions)
    common = random.choice(3, p=shares, size=questions)
    drawn = random.choice(3, p=shares, size=shape)
    codes = np.where(random.random(shape) < COPIED, common, drawn)
    codes[random.random(shape) < panel.missing] = 3
    names: list[Outcome | None] = ["win", "tie", "loss", None]
    return {
        f"judge {number}": [names[code] for code in column.ravel()]
        for number, column in enumerate(codes)
    }


def coverage(panel: Panel, rate: Rate, truth: float, *, simulations: int, replicates: int) -> float:
    """Return the share of simulated comparisons whose interval covers the truth."""
    random = np.random.default_rng(_SEED)
    covered = 0
    for seed in range(simulations):
        outcomes = simulate(random, QUESTIONS, panel, truth, rate)
        low, high = win_rate_interval(outcomes, _ids(panel), rate, seed=seed, replicates=replicates)
        covered += low <= truth <= high
    return covered / simulations


def errors(panel: Panel, *, simulations: int, replicates: int) -> Errors:
    """Return how often the tests call equal models different at 5 %."""
    random = np.random.default_rng(_SEED)
    signs = boots = 0
    for seed in range(simulations):
        outcomes = simulate(random, QUESTIONS, panel, 0.5)
        signs += sign_test(outcomes, _ids(panel)) < 0.05
        boots += bootstrap_p_value(outcomes, _ids(panel), seed=seed, replicates=replicates) < 0.05
    return Errors(signs / simulations, boots / simulations)


def _ids(panel: Panel) -> list[str]:
    return [str(number) for number in range(QUESTIONS)] * panel.epochs


def report(simulations: int, replicates: int) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{simulations:,} comparisons of {QUESTIONS} questions a figure, {replicates:,} samples."
    yield ""
    yield "Share of 95 % intervals that cover the truth:"
    yield ""
    heads = " | ".join(f"true {truth}" for truth in TRUTHS)
    yield f"| rate | judges | epochs | ties | missing | {heads} |"
    yield f"|---|{'---:|' * (4 + len(TRUTHS))}"
    every = []
    for rate in RATES:
        for panel in PANELS:
            row = [
                coverage(panel, rate, truth, simulations=simulations, replicates=replicates)
                for truth in TRUTHS
            ]
            every += row
            yield f"| {rate} | {panel} | {' | '.join(f'{one:.3f}' for one in row)} |"
    within = sum(LOW <= one <= HIGH for one in every)
    yield ""
    yield (
        f"From {min(every):.3f} to {max(every):.3f}; {within} of {len(every)} are within {LOW} to "
        f"{HIGH}. The interval of the difference is that of `alpaca_win_rate`, stretched."
    )
    yield ""
    yield "Share of comparisons of equal models that a test at 5 % calls different:"
    yield ""
    yield "| judges | epochs | ties | missing | sign test | bootstrap |"
    yield f"|{'---:|' * 6}"
    for panel in PANELS:
        found = errors(panel, simulations=simulations, replicates=replicates)
        yield f"| {panel} | {found.sign_test:.3f} | {found.bootstrap:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--replicates", type=int, default=2000)
    arguments = parser.parse_args()
    for line in report(arguments.simulations, arguments.replicates):
        print(line, flush=True)


if __name__ == "__main__":
    main()
