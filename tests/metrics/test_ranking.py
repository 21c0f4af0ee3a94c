"""Strengths and ranks of many models, against a direct fit and against simulated truth."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from eve_inspect.metrics import Game, bradley_terry, win_rate_matrix

Strengths = Mapping[str, float]

TRUE = {"a": 1.2, "b": 0.4, "c": -0.3, "d": -1.3}


def played(
    truth: Strengths, questions: int, seed: int = 1, ties: float = 0.2, judges: int = 1
) -> list[Game]:
    """Return games whose outcomes follow true strengths; a share of them ends in a tie."""
    rng = random.Random(seed)
    games = []
    for question in range(questions):
        for one, other in combinations(truth, 2):
            chance = 1 / (1 + math.exp(truth[other] - truth[one]))
            for _ in range(judges):
                value = 0.5 if rng.random() < ties else float(rng.random() < chance)
                games.append(Game(one, other, f"q{question}", value))
    return games


def fitted(games: Sequence[Game]) -> dict[str, float]:
    """Return the strengths of greatest likelihood, found by a general optimiser."""
    models = sorted({name for game in games for name in (game.model, game.baseline)})
    places = {name: place for place, name in enumerate(models)}
    a = np.array([places[game.model] for game in games])
    b = np.array([places[game.baseline] for game in games])
    value = np.array([game.value for game in games])

    def loss(theta: NDArray[np.float64]) -> float:
        ahead = theta[a] - theta[b]
        return float((value * np.logaddexp(0, -ahead) + (1 - value) * np.logaddexp(0, ahead)).sum())

    found = minimize(loss, np.zeros(len(models)), method="BFGS").x
    return dict(zip(models, found - found.mean(), strict=True))


def test_strengths_are_those_of_greatest_likelihood() -> None:
    games = played(TRUE, 150)
    expected = fitted(games)
    found = {one.model: one.strength for one in bradley_terry(games, replicates=50)}
    assert found == pytest.approx(expected, abs=0.01)
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)


def test_a_known_order_is_found_with_its_doubt() -> None:
    found = bradley_terry(played(TRUE, 150), replicates=200)
    assert [one.model for one in found] == list("abcd")
    assert [one.rank for one in found] == [1, 2, 3, 4]
    for one in found:
        assert one.interval.low < one.strength < one.interval.high
        assert one.rank_low <= one.rank <= one.rank_high


def test_intervals_and_ranges_hold_the_truth_about_as_often_as_they_say() -> None:
    """Of 40 tournaments of three models; each of the 120 intervals is to cover in 95 %."""
    truth = {"a": 0.5, "b": 0.0, "c": -0.5}
    covered = ranked = 0
    for seed in range(40):
        # Ties are halves: the strengths they leave are the true ones, drawn together.
        games = played(truth, 120, seed=seed, ties=0.0)
        for place, one in enumerate(
            sorted(bradley_terry(games, replicates=100), key=lambda one: one.model)
        ):
            covered += one.interval.low <= truth[one.model] <= one.interval.high
            ranked += one.rank_low <= place + 1 <= one.rank_high
    assert 106 <= covered <= 119
    assert ranked >= 114


def test_judges_that_say_the_same_do_not_make_it_surer() -> None:
    once = played(TRUE, 60)
    thrice = [game for game in once for _ in range(3)]
    one, other = (bradley_terry(games, replicates=200) for games in (once, thrice))
    for mine, theirs in zip(one, other, strict=True):
        assert theirs.interval.low == pytest.approx(mine.interval.low, abs=0.05)
        assert theirs.interval.high == pytest.approx(mine.interval.high, abs=0.05)


def test_who_never_loses_has_a_finite_strength() -> None:
    games = [
        *(Game("best", other, f"q{n}", 1.0) for n in range(20) for other in ("x", "y")),
        *(Game("x", "y", f"q{n}", float(n % 2)) for n in range(20)),
    ]
    best, *_ = bradley_terry(games, replicates=50)
    assert (best.model, best.rank, best.rank_high) == ("best", 1, 1)
    assert 2 < best.strength < 20


def test_equal_models_share_a_rank() -> None:
    games = [Game("x", "y", f"q{n}", 0.5) for n in range(10)]
    one, other = bradley_terry(games, replicates=20)
    assert (one.rank, other.rank) == (1, 1)
    assert one.strength == pytest.approx(0)
    # Ten ties tell nothing of how far the next would be from one.
    assert math.isnan(one.interval.low)
    assert math.isnan(one.interval.high)


def test_a_seed_gives_the_same_and_no_order_matters() -> None:
    games = played(TRUE, 30)
    first = bradley_terry(games, seed=3, replicates=50)
    assert bradley_terry(games, seed=3, replicates=50) == first
    assert bradley_terry(games, seed=4, replicates=50) != first
    turned = [Game(g.baseline, g.model, g.question, 1 - g.value) for g in games]
    for one, other in zip(bradley_terry(turned, replicates=50), first, strict=True):
        assert one.model == other.model
        assert one.strength == pytest.approx(other.strength)


def test_models_that_never_met_have_no_order() -> None:
    games = [Game("a", "b", "q", 1.0), Game("c", "d", "q", 1.0)]
    with pytest.raises(ValueError, match=r"no chain of games.*a, b; c, d"):
        bradley_terry(games)
    assert bradley_terry([]) == []


def test_no_games_are_no_even_odds() -> None:
    """Case wr-027."""
    values: dict[tuple[str, str], list[float]] = {("m1", "m2"): [1, 0, 0], ("m1", "m3"): []}
    games = [
        Game(one, other, f"q{n}", value)
        for (one, other), given in values.items()
        for n, value in enumerate(given)
    ]
    matrix = win_rate_matrix([*games, Game("m2", "m3", "q0", 1.0)])
    assert matrix["m1"]["m2"] == pytest.approx(1 / 3)
    assert matrix["m2"]["m1"] == pytest.approx(2 / 3)
    assert math.isnan(matrix["m1"]["m3"])
    assert math.isnan(matrix["m3"]["m1"])
    assert math.isnan(matrix["m1"]["m1"])
    assert win_rate_matrix([]) == {}
