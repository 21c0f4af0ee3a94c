"""The values of a panel for one answer."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.metrics import panel_values

FILE = Path(__file__).parents[1] / "data" / "cases" / "judge.jsonl"
CASES: dict[str, Any] = {
    case["id"]: case for case in map(json.loads, FILE.read_text("utf-8").splitlines())
}
Verdicts = list[float | None]


@pytest.mark.parametrize(
    ("verdicts", "voting"),
    [
        ([1, 1], 1),
        ([0, 0], 0),
        ([1, 0], 0),
        ([1, 1, 0], 1),
        ([1, 0, 0], 0),
        ([1, 1, 1], 1),
        ([1, 1, 1, 0, 0], 1),
        ([1, 1, 0, 0, 0], 0),
        ([1, 1, None], 1),
        ([1, 0, None], 0),
        ([1, 1, 0, None], 0),
    ],
)
def test_half_and_one_more_of_the_configured_judges_decide(
    verdicts: Verdicts, voting: float
) -> None:
    assert panel_values(verdicts, pass_at=1).voting == voting


def test_a_pass_mark_that_rounding_could_miss_is_met() -> None:
    assert panel_values([4 / 5, 0.1 + 0.7], pass_at=4 / 5).voting == 1


@pytest.mark.parametrize("case", ["jd-043", "jd-046"])
def test_below_the_quorum_there_is_no_value(case: str) -> None:
    given_verdicts = [None if one == "FAIL" else one for one in CASES[case]["input"]["panel"]]
    found = panel_values(given_verdicts, pass_at=1, quorum=2)
    assert not found.quorum
    assert all(map(math.isnan, (found.average, found.voting, found.agreement)))


def test_judges_on_different_scales_are_averaged_as_shares() -> None:
    panel = CASES["jd-045"]["input"]["panel"]
    shares: Verdicts = [one["score"] / one["scale"][1] for one in panel]
    assert panel_values(shares, pass_at=1).average == pytest.approx(0.9)


def test_agreement_needs_two_verdicts() -> None:
    assert panel_values([1, 1, None], pass_at=1).agreement == 1
    assert panel_values([1, 0.8, None], pass_at=0.8).agreement == 0
    assert math.isnan(panel_values([1], pass_at=1).agreement)


def test_a_panel_needs_a_judge() -> None:
    with pytest.raises(ValueError, match="needs a judge"):
        panel_values([], pass_at=1)


@given(st.lists(st.none() | st.sampled_from([0, 0.2, 0.4, 0.6, 0.8, 1.0]), min_size=1, max_size=7))
def test_the_bounds_hold_the_average(verdicts: Verdicts) -> None:
    found = panel_values(verdicts, pass_at=0.8)
    assert 0 <= found.low <= found.high <= 1 + 1e-9
    if found.quorum:
        assert found.low - 1e-9 <= found.average <= found.high + 1e-9
        assert found == pytest.approx(panel_values(verdicts[::-1], pass_at=0.8), nan_ok=True)
