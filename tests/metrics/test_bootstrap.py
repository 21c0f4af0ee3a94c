"""How sure a win rate is: intervals that cover, and p-values that hold."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
import pytest

from benchmarks.interval_coverage import Panel, coverage, errors, simulate
from eve_inspect.metrics import wilson_interval
from eve_inspect.metrics._bootstrap import (
    bootstrap_p_value,
    difference_interval,
    questions_needed,
    sign_test,
    win_rate_interval,
)
from eve_inspect.metrics._pairwise import Outcome, mean_over_judges, tally

Verdicts = list[Outcome | None]
Rate = Literal["win_rate", "alpaca_win_rate"]
_: Outcome | None = None


def verdicts(wins: int, losses: int, ties: int = 0) -> Verdicts:
    """Return outcomes of those numbers."""
    won: Verdicts = ["win"] * wins
    lost: Verdicts = ["loss"] * losses
    tied: Verdicts = ["tie"] * ties
    return won + lost + tied


def ids(number: int) -> list[str]:
    """Return ids of that many questions."""
    return [f"q{i}" for i in range(number)]


WORKED = {"a": verdicts(72, 25, 3)}


def test_one_judge_has_about_the_interval_of_wilson() -> None:
    found = win_rate_interval(WORKED, ids(100), "win_rate")
    assert found == pytest.approx(wilson_interval(72, 100), abs=0.005)


def test_ties_carry_no_doubt() -> None:
    plain = win_rate_interval({"a": verdicts(50, 50)}, ids(100))
    tied = win_rate_interval({"a": verdicts(5, 5, 90)}, ids(100))
    assert tied.high - tied.low < 0.5 * (plain.high - plain.low)


def test_the_difference_is_the_same_for_both_rates() -> None:
    low, high = difference_interval(WORKED, ids(100))
    alpaca = win_rate_interval(WORKED, ids(100))
    assert low < 0.72 - 0.25 < high
    assert (low, high) == pytest.approx((2 * alpaca.low - 1, 2 * alpaca.high - 1))


def test_judges_that_say_the_same_tell_no_more_than_one() -> None:
    four = dict.fromkeys("abcd", WORKED["a"])
    assert win_rate_interval(four, ids(100)) == pytest.approx(win_rate_interval(WORKED, ids(100)))


def test_epochs_that_say_the_same_tell_no_more_than_one() -> None:
    twice = {"a": WORKED["a"] * 2}
    once = win_rate_interval(WORKED, ids(100))
    assert win_rate_interval(twice, ids(100) * 2) == pytest.approx(once)
    apart = win_rate_interval(twice, ids(200))
    assert apart.high - apart.low < 0.8 * (once.high - once.low)


@pytest.mark.parametrize("share", [1.0, 0.0], ids=["all_won", "all_lost"])
@pytest.mark.parametrize("rate", ["win_rate", "alpaca_win_rate"])
def test_the_ends_have_a_width(share: float, rate: Rate) -> None:
    column = verdicts(50, 0) if share else verdicts(0, 50)
    found = win_rate_interval({"a": column, "b": column}, ids(50), rate)
    assert found == pytest.approx(wilson_interval(50 * share, 50))
    assert (found.high if share else found.low) == share


def test_ties_alone_have_a_width() -> None:
    found = win_rate_interval({"a": verdicts(0, 0, 50)}, ids(50))
    assert found == pytest.approx(wilson_interval(25, 50))


def test_one_question_is_one_answer() -> None:
    found = win_rate_interval({"a": ["win", "win"]}, ["q", "q"])
    assert found == pytest.approx(wilson_interval(1, 1))


NOTHING: list[Mapping[str, Verdicts]] = [{}, {"a": [_, _]}]


@pytest.mark.parametrize("outcomes", NOTHING, ids=["no_judge", "no_verdict"])
def test_nothing_judged_is_nan(outcomes: Mapping[str, Verdicts]) -> None:
    questions = ids(2)
    bounds = [
        *win_rate_interval(outcomes, questions),
        *difference_interval(outcomes, questions),
    ]
    values = [
        bootstrap_p_value(outcomes, questions),
        sign_test(outcomes, questions),
        questions_needed(outcomes, questions),
    ]
    assert all(math.isnan(value) for value in [*bounds, *values])


def test_a_judge_without_a_verdict_changes_nothing() -> None:
    silent: Mapping[str, Verdicts] = {**WORKED, "b": [_] * 100}
    assert win_rate_interval(silent, ids(100)) == win_rate_interval(WORKED, ids(100))


def test_a_judge_of_one_question_is_missing_from_some_samples() -> None:
    outcomes: Mapping[str, Verdicts] = {"a": verdicts(10, 10), "b": ["win", *[_] * 19]}
    low, high = win_rate_interval(outcomes, ids(20))
    assert 0 <= low < mean_over_judges(map(tally, outcomes.values()), "win_rate") < high <= 1


def panel(n: int, judges: int = 4, rate: float = 0.6) -> Mapping[str, Verdicts]:
    """Return the outcomes of a simulated panel."""
    shape = Panel(judges, epochs=1, ties=0.3, missing=0.1)
    return simulate(np.random.default_rng(5), n, shape, rate)


Drawn = Callable[[Mapping[str, Verdicts], Sequence[str], int], object]
DRAWN: list[Drawn] = [
    lambda outcomes, questions, seed: win_rate_interval(outcomes, questions, seed=seed),
    lambda outcomes, questions, seed: bootstrap_p_value(outcomes, questions, seed=seed),
]


@pytest.mark.parametrize("compute", DRAWN, ids=["interval", "p_value"])
def test_the_seed_decides_and_no_order_does(compute: Drawn) -> None:
    found = panel(100, rate=0.52)
    backwards = {judge: column[::-1] for judge, column in reversed(list(found.items()))}
    first = compute(found, ids(100), 1)
    assert compute(found, ids(100), 1) == first
    assert compute(backwards, ids(100)[::-1], 1) == first
    assert compute(found, ids(100), 2) != first


def test_drawing_in_blocks_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = win_rate_interval(panel(100), ids(100))
    monkeypatch.setattr("eve_inspect.metrics._bootstrap._CELLS", 1000)
    assert win_rate_interval(panel(100), ids(100)) == whole


# p-values


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "expected"),
    [
        pytest.param(3, 0, 0, 0.25, id="three_of_three"),
        pytest.param(6, 1, 5, 16 / 128, id="ties_are_left_out"),
        pytest.param(1, 1, 0, 1.0, id="even"),
        pytest.param(0, 6, 0, 2 / 64, id="all_lost"),
    ],
)
def test_sign_test_worked_by_hand(wins: int, losses: int, ties: int, expected: float) -> None:
    column = verdicts(wins, losses, ties)
    assert sign_test({"a": column}, ids(len(column))) == pytest.approx(expected)


def test_a_question_has_one_sign() -> None:
    outcomes: Mapping[str, Verdicts] = {"a": ["win", "win", "win"], "b": ["loss", "tie", _]}
    # q0: a win and a loss; q1: two wins and a tie. One sign.
    assert sign_test(outcomes, ["q0", "q1", "q1"]) == 1.0
    assert math.isnan(sign_test({"a": ["tie"]}, ["q"]))


def test_bootstrap_p_agrees_with_the_exact_one() -> None:
    found = bootstrap_p_value({"a": verdicts(3, 0)}, ids(3))
    assert found == pytest.approx(0.25, abs=0.03)
    even = {"a": verdicts(30, 18)}
    assert bootstrap_p_value(even, ids(48)) == pytest.approx(sign_test(even, ids(48)), abs=0.04)


def test_bootstrap_p_is_never_zero_and_one_without_a_difference() -> None:
    assert bootstrap_p_value({"a": verdicts(200, 0)}, ids(200)) == 1 / 2001
    assert bootstrap_p_value({"a": verdicts(20, 20)}, ids(40)) == 1.0
    assert bootstrap_p_value({"a": verdicts(0, 0, 9)}, ids(9)) == 1.0


# Questions needed


def test_questions_needed_worked_by_hand() -> None:
    # Differences 1, -1 and 0 of 72, 25 and 3 questions: mean 0.47, variance (97 - 22.09) / 99.
    expected = (1.959964 + 0.841621) ** 2 * (97 - 100 * 0.47**2) / 99 / 0.47**2
    assert questions_needed(WORKED, ids(100)) == pytest.approx(expected, rel=1e-5)


def test_judges_that_say_the_same_need_as_many_questions() -> None:
    four = dict.fromkeys("abcd", WORKED["a"])
    assert questions_needed(four, ids(100)) == pytest.approx(questions_needed(WORKED, ids(100)))


def test_questions_needed_at_the_ends() -> None:
    assert questions_needed({"a": verdicts(5, 5)}, ids(10)) == math.inf
    assert math.isnan(questions_needed({"a": ["win"]}, ["q"]))
    # Five wins of five are no proof at 0.05, two-sided; six are.
    assert questions_needed({"a": verdicts(50, 0)}, ids(50)) == 6


# Faults


@pytest.mark.parametrize(
    ("compute", "message"),
    [
        pytest.param(lambda: win_rate_interval({"a": ["win"]}, []), "judge 'a' has 1", id="length"),
        pytest.param(lambda: sign_test({"a": []}, ["q"]), "judge 'a' has 0", id="no_outcomes"),
        pytest.param(lambda: win_rate_interval({}, [], level=95), "level=95", id="percent"),
        pytest.param(lambda: questions_needed({}, [], level=1), "level=1", id="level"),
        pytest.param(lambda: questions_needed({}, [], power=80), "power=80", id="power"),
        pytest.param(lambda: bootstrap_p_value({}, [], replicates=1), "replicates=1", id="few"),
    ],
)
def test_faults_are_told(compute: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compute()


# Properties that a benchmark shows at length


ONE = Panel(1, epochs=1, ties=0.4, missing=0.0)
FOUR = Panel(4, epochs=1, ties=0.4, missing=0.1)


@pytest.mark.parametrize(
    ("panel_", "rate", "truth"),
    [
        pytest.param(ONE, "win_rate", 0.1, id="one_judge_low"),
        pytest.param(ONE, "alpaca_win_rate", 0.9, id="one_judge_high"),
        pytest.param(FOUR, "win_rate", 0.1, id="four_judges_low"),
        pytest.param(FOUR, "alpaca_win_rate", 0.5, id="four_judges_even"),
    ],
)
def test_intervals_cover_the_truth(panel_: Panel, rate: Rate, truth: float) -> None:
    # 300 simulations: 0.95 give or take three standard errors of 0.0126.
    found = coverage(panel_, rate, truth, simulations=300, replicates=300)
    assert 0.912 <= found <= 0.988


def test_p_values_hold_their_level() -> None:
    found = errors(ONE, simulations=300, replicates=300)
    # 0.05 and three standard errors of 0.0126; the sign test, being exact, errs less often.
    assert found.sign_test <= 0.088
    assert 0.012 <= found.bootstrap <= 0.088


def test_a_large_comparison_is_quick_enough_for_interim_figures() -> None:
    found = panel(1257)
    start = time.process_time()
    win_rate_interval(found, ids(1257))
    assert time.process_time() - start < 1
