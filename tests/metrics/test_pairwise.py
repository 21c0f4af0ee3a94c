"""Who wins, how far judges agree, and which place they prefer."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from eve_inspect.metrics._pairwise import (
    Order,
    Outcome,
    Tally,
    combine,
    decision_agreement,
    mean_over_judges,
    outcome_alpha,
    outcome_of,
    pooled,
    position_preference,
    sign_p_value,
    tally,
)
from tests.metrics.conftest import CASES

Preferred = Literal["first", "second", "tie"]
Verdicts = list[Outcome | None]
_: Outcome | None = None


@pytest.fixture(scope="module")
def duels() -> Mapping[str, dict[str, Any]]:
    """The cases of pairwise comparison, by id."""
    lines = (CASES / "winrate.jsonl").read_text(encoding="utf-8").splitlines()
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def of_counts(counts: Mapping[str, int]) -> Tally:
    """Return the tally of a case's counts; an error is a missing verdict."""
    names: Mapping[str, Outcome | None] = {"win": "win", "loss": "loss", "tie": "tie", "error": _}
    return tally(names[name] for name, count in counts.items() for _number in range(count))


# Tallies


def test_the_worked_example() -> None:
    found = of_counts({"win": 72, "loss": 25, "tie": 3})
    assert found == Tally(72, 25, 3, 0)
    assert found.win_rate == 0.72
    assert found.alpaca_win_rate == 0.735
    assert found.win_rate - found.other.win_rate == pytest.approx(0.47)
    assert found.alpaca_win_rate - found.other.alpaca_win_rate == pytest.approx(0.47)


def test_ties_count_half_and_are_shown(duels: Mapping[str, dict[str, Any]]) -> None:
    case = duels["wr-001"]
    found = of_counts(case["input"])
    assert {name: getattr(found, name) for name in case["expected"]} == case["expected"]


def test_nothing_judged_is_nan(duels: Mapping[str, dict[str, Any]]) -> None:
    case = duels["wr-019"]
    found = of_counts(case["input"])
    assert case["expected"]["win_rate"] is None
    assert (found.judged, found.missing) == (0, case["input"]["error"])
    rates = (found.win_rate, found.loss_rate, found.tie_rate, found.alpaca_win_rate)
    assert all(math.isnan(rate) for rate in rates)


def test_the_two_sides_add_up(duels: Mapping[str, dict[str, Any]]) -> None:
    case = duels["wr-031"]
    names: Mapping[str, Outcome] = {"A": "win", "B": "loss", "tie": "tie"}
    found = tally(names[verdict] for verdict in case["input"]["verdicts"])
    assert found.alpaca_win_rate == pytest.approx(case["expected"]["A"])
    assert found.other.alpaca_win_rate == pytest.approx(case["expected"]["B"])


OUTCOMES: st.SearchStrategy[Verdicts] = st.lists(
    st.sampled_from([*get_args(Outcome), None]), max_size=40
)


@given(OUTCOMES)
def test_tallies_against_a_loop(outcomes: Verdicts) -> None:
    found = tally(outcomes)
    worth = {"win": 1.0, "tie": 0.5, "loss": 0.0}
    values = [worth[one] for one in outcomes if one is not None]
    assert found.wins + found.losses + found.ties == found.judged == len(values)
    assert found.judged + found.missing == len(outcomes)
    if values:
        assert found.alpaca_win_rate == pytest.approx(sum(values) / len(values))
        assert found.alpaca_win_rate + found.other.alpaca_win_rate == pytest.approx(1)
        assert found.win_rate + found.loss_rate + found.tie_rate == pytest.approx(1)
        assert found.win_rate == pytest.approx(values.count(1.0) / len(values))


def test_each_judge_has_the_same_weight_and_pooling_gives_it_by_verdict() -> None:
    tallies = [Tally(8, 2, 0, 0), Tally(0, 1, 1, 8), Tally(0, 0, 0, 10)]
    assert mean_over_judges(tallies, "alpaca_win_rate") == pytest.approx((0.8 + 0.25) / 2)
    assert mean_over_judges(tallies, "loss_rate") == pytest.approx((0.2 + 0.5) / 2)
    assert mean_over_judges(tallies, "tie_rate") == pytest.approx((0 + 0.5) / 2)
    assert pooled(tallies) == Tally(8, 3, 1, 18)


def test_no_judge_has_no_mean() -> None:
    assert math.isnan(mean_over_judges([], "win_rate"))
    assert math.isnan(mean_over_judges([Tally(0, 0, 0, 3)], "win_rate"))
    assert pooled([]) == Tally(0, 0, 0, 0)


# Orders


@pytest.mark.parametrize(
    ("order", "preferred", "outcome"),
    [
        ("AB", "first", "win"),
        ("AB", "second", "loss"),
        ("AB", "tie", "tie"),
        ("BA", "first", "loss"),
        ("BA", "second", "win"),
        ("BA", "tie", "tie"),
        ("AB", None, None),
        ("BA", None, None),
    ],
)
def test_a_place_is_one_of_the_models(
    order: Order, preferred: Preferred | None, outcome: Outcome | None
) -> None:
    assert outcome_of(order, preferred) == outcome


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param({"AB": "win", "BA": "win"}, ("win", False), id="won_in_both"),
        pytest.param({"AB": "loss", "BA": "loss"}, ("loss", False), id="lost_in_both"),
        pytest.param({"AB": "tie", "BA": "tie"}, ("tie", False), id="tied_in_both"),
        pytest.param({"AB": "win", "BA": "loss"}, ("tie", True), id="the_first_place_wins"),
        pytest.param({"AB": "loss", "BA": "win"}, ("tie", True), id="the_second_place_wins"),
        pytest.param({"AB": "win", "BA": "tie"}, ("tie", True), id="won_once"),
        pytest.param({"AB": "tie", "BA": "loss"}, ("tie", True), id="lost_once"),
        pytest.param({"AB": "win", "BA": None}, (None, None), id="one_is_missing"),
        pytest.param({"AB": None, "BA": None}, (None, None), id="both_are_missing"),
        pytest.param({"BA": "win"}, ("win", None), id="one_order"),
        pytest.param({"AB": None}, (None, None), id="one_order_missing"),
    ],
)
def test_orders_combine(
    outcomes: Mapping[Order, Outcome | None], expected: tuple[Outcome | None, bool | None]
) -> None:
    assert combine(outcomes) == expected


def test_no_order_is_a_fault() -> None:
    with pytest.raises(ValueError, match="no order"):
        combine({})


@pytest.mark.parametrize("name", ["wr-004", "wr-032"])
def test_orders_of_the_cases(duels: Mapping[str, dict[str, Any]], name: str) -> None:
    case = duels[name]
    places: Mapping[str, Preferred | None] = {"first": "first", "second": "second", "ERROR": None}
    orders: Mapping[Order, str] = case["input"]["orders"]
    found = combine({order: outcome_of(order, places[said]) for order, said in orders.items()})
    assert found.outcome == case["expected"]["result"]
    flipped = case["expected"].get("flag") == "position_inconsistent"
    assert found.inconsistent == (True if flipped else None)


# Agreement


def test_agreement_worked_by_hand() -> None:
    found = decision_agreement(
        {
            "a": ["win", "win", "win", "win", _],
            "b": ["win", "win", "loss", _, _],
            "c": ["win", "tie", "tie", _, _],
            "d": [_, "win", _, _, "loss"],
        }
    )
    assert found.questions == 3
    shares = (found.unanimous, found.majority, found.split)
    assert shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.agreement == pytest.approx((1 + 3 / 4 + 1 / 3) / 3)


def test_half_is_split() -> None:
    found = decision_agreement({"a": ["win"], "b": ["loss"]})
    assert found == (0, 0, 1, 0.5, 1)


@pytest.mark.parametrize(
    "outcomes", [{}, {"a": ["win"]}, {"a": ["win", _], "b": [_, "win"]}], ids=str
)
def test_agreement_needs_two_verdicts(outcomes: Mapping[str, Verdicts]) -> None:
    found = decision_agreement(outcomes)
    assert found.questions == 0
    assert all(math.isnan(one) for one in found[:4])
    assert math.isnan(outcome_alpha(outcomes))


@given(st.lists(st.tuples(*[st.sampled_from([*get_args(Outcome), None])] * 4), max_size=20))
def test_agreement_against_a_loop(rows: list[tuple[Outcome | None, ...]]) -> None:
    outcomes = {f"judge {number}": [row[number] for row in rows] for number in range(4)}
    found = decision_agreement(outcomes)
    kinds = Counter[str]()
    for row in rows:
        given_ = [one for one in row if one is not None]
        if len(given_) < 2:
            continue
        most = max(given_.count(one) for one in given_)
        kinds[
            "unanimous" if most == len(given_) else "rest" if 2 * most > len(given_) else "s"
        ] += 1
    assert found.questions == sum(kinds.values())
    if found.questions:
        assert found.unanimous + found.majority + found.split == pytest.approx(1)
        assert found.unanimous == kinds["unanimous"] / found.questions
        assert found.split == pytest.approx(kinds["s"] / found.questions)


def test_alpha_worked_by_hand() -> None:
    # Two judges, two pairs, one disagreement: observed 1/2; the coincidences are win 2, loss 1,
    # tie 1 of 4, so expected is 1 - (2 * 1) / (4 * 3) = 5/6 and alpha 1 - 0.5 / (5/6).
    assert outcome_alpha({"a": ["win", "loss"], "b": ["win", "tie"]}) == pytest.approx(0.4)


def test_names_have_no_distance() -> None:
    wide = outcome_alpha({"a": ["win", "win", "tie"], "b": ["win", "loss", "tie"]})
    near = outcome_alpha({"a": ["win", "win", "loss"], "b": ["win", "tie", "loss"]})
    assert wide == pytest.approx(near)


# Position


@given(st.integers(0, 1500), st.integers(0, 1500))
def test_sign_p_value_agrees_with_scipy(ahead: int, behind: int) -> None:
    if ahead + behind:
        expected = binomtest(ahead, ahead + behind, 0.5).pvalue
        assert sign_p_value(ahead, behind) == pytest.approx(expected, rel=1e-9)


def test_a_better_model_is_no_preference_for_a_place() -> None:
    found = position_preference([["first", "second"]] * 50)
    assert (found.first, found.second, found.ties, found.share) == (50, 50, 0, 0.5)
    assert math.isnan(found.p_value)


def test_two_verdicts_of_a_pair_are_one_sign() -> None:
    pairs: list[list[Preferred | None]] = [["first", "first"] for _number in range(5)]
    found = position_preference([*pairs, ["second", "tie"], ["first", None], []])
    assert (found.first, found.second, found.ties) == (11, 1, 1)
    assert found.share == pytest.approx(11 / 12)
    # Six signs for the first place, one for the second: 2 * (1 + 7) / 2**7.
    assert found.p_value == pytest.approx(16 / 128)


@pytest.mark.parametrize("pairs", [[], [[None]], [["tie", "tie"]]], ids=str)
def test_without_a_winner_there_is_no_preference(pairs: Sequence[Sequence[Preferred]]) -> None:
    found = position_preference(pairs)
    assert math.isnan(found.share)
    assert math.isnan(found.p_value)


def judged(rng: random.Random, pull: float) -> list[Preferred | None]:
    """Return the verdicts on a pair in both orders, of a judge that a place pulls at times."""
    better = rng.random() < 0.7  # the model wins more often than not
    orders: list[Preferred | None] = []
    for place, other in (("first", "second"), ("second", "first")):
        quality: Preferred = "first" if (place if better else other) == "first" else "second"
        orders.append("first" if rng.random() < pull else quality)
    return orders


def test_a_simulated_preference_is_recovered() -> None:
    rng = random.Random(20)
    found = position_preference([judged(rng, 0.2) for _number in range(1000)])
    # Drawn to the first place one time in five, else one verdict for each: 0.2 + 0.8 / 2.
    assert found.share == pytest.approx(0.6, abs=0.03)
    assert found.p_value < 1e-6


def test_a_fair_judge_in_one_order_is_called_fair() -> None:
    rng = random.Random(21)
    found = position_preference([[rng.choice(judged(rng, 0.0))] for _number in range(1000)])
    assert found.share == pytest.approx(0.5, abs=0.05)
    assert found.p_value > 0.05
