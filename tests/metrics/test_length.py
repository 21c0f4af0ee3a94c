"""What length has to do with winning: recovered where it was put in, and taken out again."""

from __future__ import annotations

import math
import random
from statistics import mean

import pytest

from eve_inspect.metrics import length_controlled_win_rate, win_rate_by_length

Pairs = tuple[dict[str, list[float | None]], list[int], list[int], list[str]]


def pairs(
    seed: int, quality: float, pull: float, count: int = 300, judges: int = 2, longer: float = 60
) -> Pairs:
    """Return simulated preferences.

    Args:
        seed: Of all that is drawn.
        quality: Log-odds of a win between answers of one length.
        pull: What a spread's worth of length adds to them.
        count: Pairs.
        judges: Judges.
        longer: Mean difference in length, in characters; its spread is 100.
    """
    rng = random.Random(seed)
    lengths = [max(1, round(rng.gauss(500 + longer, 100))) for _ in range(count)]
    others = [500] * count
    preferences: dict[str, list[float | None]] = {}
    for judge in range(judges):
        column: list[float | None] = []
        for mine, other in zip(lengths, others, strict=True):
            odds = quality + pull * math.tanh((mine - other) / 100)
            column.append(float(rng.random() < 1 / (1 + math.exp(-odds))))
        preferences[f"judge-{judge}"] = column
    return preferences, lengths, others, [f"q{n}" for n in range(count)]


def controlled(seed: int, quality: float, pull: float, count: int = 300) -> float:
    return length_controlled_win_rate(*pairs(seed, quality, pull, count)).win_rate


def test_a_pure_preference_for_length_is_no_win() -> None:
    """Of 200 simulations the mean is 0.50 within 0.02, where the plain win rate is not."""
    rates = [controlled(seed, quality=0.0, pull=2.0) for seed in range(200)]
    assert mean(rates) == pytest.approx(0.5, abs=0.02)
    plain = [value for value in pairs(0, 0.0, 2.0)[0]["judge-0"] if value is not None]
    assert mean(plain) > 0.6


@pytest.mark.parametrize("quality", [-1.0, 0.6])
@pytest.mark.parametrize("pull", [0.0, 1.5])
def test_a_difference_in_quality_stays(quality: float, pull: float) -> None:
    rates = [controlled(seed, quality, pull) for seed in range(40)]
    assert mean(rates) == pytest.approx(1 / (1 + math.exp(-quality)), abs=0.03)


def test_the_interval_covers() -> None:
    covered = 0
    for seed in range(200):
        found = length_controlled_win_rate(*pairs(seed, quality=0.4, pull=1.0, count=200))
        covered += found.interval.low <= 1 / (1 + math.exp(-0.4)) <= found.interval.high
    assert 180 <= covered <= 198


def test_the_effect_has_its_sign() -> None:
    for pull in (-1.5, 1.5):
        found = length_controlled_win_rate(*pairs(1, quality=0.0, pull=pull))
        assert found.effect * pull > 0
        assert found.pairs == 300
    assert abs(length_controlled_win_rate(*pairs(2, quality=0.5, pull=0.0)).effect) < 0.5


def test_the_two_models_add_up() -> None:
    preferences, lengths, others, questions = pairs(3, quality=0.5, pull=1.0)
    turned = {
        judge: [None if value is None else 1 - value for value in column]
        for judge, column in preferences.items()
    }
    one = length_controlled_win_rate(preferences, lengths, others, questions)
    two = length_controlled_win_rate(turned, others, lengths, questions)
    assert one.win_rate + two.win_rate == pytest.approx(1, abs=1e-9)
    assert one.interval.low + two.interval.high == pytest.approx(1, abs=1e-9)
    assert one.effect == pytest.approx(two.effect)


def test_judges_that_say_the_same_do_not_make_it_surer() -> None:
    preferences, lengths, others, questions = pairs(4, quality=0.3, pull=0.5, judges=1)
    one = length_controlled_win_rate(preferences, lengths, others, questions)
    alike = dict.fromkeys("abcd", preferences["judge-0"])
    many = length_controlled_win_rate(alike, lengths, others, questions)
    assert many.win_rate == pytest.approx(one.win_rate, abs=0.01)
    assert many.interval.high - many.interval.low == pytest.approx(
        one.interval.high - one.interval.low, rel=0.05
    )


@pytest.mark.parametrize(
    ("values", "rate"),
    [
        pytest.param([1.0, 1.0, 1.0], 1.0, id="all won"),
        pytest.param([0.0, 0.0, 0.0], 0.0, id="all lost"),
        pytest.param([0.5, 0.5, 0.5], 0.5, id="all tied"),
        pytest.param([1.0, 0.0, None], 0.5, id="one of each"),
        pytest.param([1.0, None, None], 1.0, id="one verdict"),
    ],
)
def test_the_ends_are_finite(values: list[float | None], rate: float) -> None:
    found = length_controlled_win_rate({"j": values}, [10, 10, 10], [10, 10, 10], ["a", "b", "c"])
    assert found.win_rate == pytest.approx(rate)


@pytest.mark.parametrize("lengths", [[0, 0, 0, 0], [1, 10**9, 1, 10**9], [5, 5, 5, 5]])
def test_no_length_is_too_odd(lengths: list[int]) -> None:
    preferences: dict[str, list[float | None]] = {"j": [1.0, 1.0, 0.0, 0.5]}
    found = length_controlled_win_rate(preferences, lengths, [5, 5, 5, 5], list("abcd"))
    assert 0 < found.win_rate < 1
    assert math.isfinite(found.effect)


@pytest.mark.parametrize("preferences", [{}, {"j": []}, {"j": [None, None]}])
def test_nothing_judged_is_nan(preferences: dict[str, list[float | None]]) -> None:
    count = len(preferences.get("j", []))
    found = length_controlled_win_rate(preferences, [1] * count, [1] * count, ["q"] * count)
    assert math.isnan(found.win_rate)
    assert math.isnan(found.interval.low)
    assert found.pairs == 0


def test_pairs_are_sorted_by_a_tenth_of_length() -> None:
    lengths, others = [110, 109, 100, 91, 90, 0, 0], [100, 100, 100, 100, 100, 0, 3]
    preferences: dict[str, list[float | None]] = {
        "a": [1.0, 0.5, 0.5, 0.5, 0.0, 0.5, None],
        "b": [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0],
        "c": [None] * 7,
    }
    found = win_rate_by_length(preferences, lengths, others)
    assert (found.longer.pairs, found.similar.pairs, found.shorter.pairs) == (1, 4, 2)
    assert found.longer.alpaca_win_rate == 1
    assert found.similar.alpaca_win_rate == pytest.approx((0.5 + 1) / 2)
    assert found.shorter.alpaca_win_rate == pytest.approx((0 + 0.5) / 2)


def test_a_kind_of_pair_that_is_not_there_is_nan() -> None:
    found = win_rate_by_length({"a": [1.0]}, [20], [10])
    assert math.isnan(found.similar.alpaca_win_rate)
    assert found.similar.pairs == 0
