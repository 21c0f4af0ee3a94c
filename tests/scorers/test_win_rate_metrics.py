"""Figures of comparisons through whole runs: what was put in comes out, and the card names it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.scorer import SampleScore, Score

from eve_inspect import win_rate
from eve_inspect.reports import win_rate_ranking, win_rate_tables
from eve_inspect.scorers import (
    win_rate_agreement,
    win_rate_length,
    win_rate_position,
    win_rate_uncertainty,
    win_rate_usage,
    win_rates,
)
from tests.conftest import ROOT
from tests.scorers.versus import (
    NEW,
    OLD,
    Voice,
    answers,
    compared,
    details,
    even,
    newer,
    older,
    right,
    run,
    shows_new_first,
    silent,
    winner,
)
from tests.servers.openai_server import OpenAIServer, Request, user_text
from tests.tasks.exam import figures

CASES = {
    case["id"]: case
    for line in (ROOT / "tests/data/cases/winrate.jsonl").read_text(encoding="utf-8").splitlines()
    if (case := json.loads(line))
}
METRICS = [
    win_rates,
    win_rate_uncertainty,
    win_rate_agreement,
    win_rate_position,
    win_rate_length,
    win_rate_usage,
]


def chance(text: str) -> float:
    """Return a number from 0 to 1 that depends on a text alone."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 16**8


def question(request: Request) -> str:
    """Return the question that a judge is asked about."""
    found = re.search(r"Question \d+\?", user_text(request))
    assert found
    return found[0]


def by_question(numbers: set[int], one: Voice, other: Voice) -> Voice:
    """Return a judge that speaks with one voice on some questions and with another on the rest."""

    def voice(request: Request) -> Any:
        number = int(question(request).removeprefix("Question ").removesuffix("?"))
        return (one if number in numbers else other)(request)

    return voice


def test_wins_losses_ties_and_missing_add_up(server: OpenAIServer, tmp_path: Path) -> None:
    mixed = by_question({0, 1, 2}, newer, by_question({3}, older, by_question({4}, even, silent)))
    log = run(server, tmp_path, {"judge-a": mixed, "judge-b": older}, count=6, judge_attempts=0)
    found = {name.removeprefix("win_rate/"): value for name, value in figures(log).items()}
    names = ("wins", "losses", "ties", "missing")
    assert [found[f"{name}_judge-a"] for name in names] == [3, 1, 1, 1]
    assert [found[f"{name}_judge-b"] for name in names] == [0, 6, 0, 0]
    assert [found[name] for name in names] == [3, 7, 1, 1]
    assert found["win_rate_judge-a"] == pytest.approx(3 / 5)
    assert found["alpaca_win_rate_judge-a"] == pytest.approx(3.5 / 5)
    assert found["win_rate"] == pytest.approx((3 / 5 + 0) / 2)
    assert found["win_rate_baseline"] == pytest.approx((1 / 5 + 1) / 2)
    assert found["win_rate_difference"] == pytest.approx(0.3 - 0.6)
    assert found["win_rate_pooled"] == pytest.approx(3 / 11)
    assert found["alpaca_win_rate"] == pytest.approx((3.5 / 5 + 0) / 2)
    assert found["alpaca_win_rate"] + found["alpaca_win_rate_baseline"] == pytest.approx(1)
    assert found["alpaca_win_rate_pooled"] == pytest.approx(3.5 / 11)
    assert found["alpaca_win_rate_low"] < found["alpaca_win_rate"] < found["alpaca_win_rate_high"]
    assert found["win_rate_low"] < found["win_rate"] < found["win_rate_high"]


def test_agreement_is_of_the_pairs_that_two_judged(server: OpenAIServer, tmp_path: Path) -> None:
    judges = {
        "judge-a": newer,
        "judge-b": by_question({0, 1}, newer, older),
        "judge-c": by_question({0}, newer, by_question({1}, silent, even)),
    }
    found = figures(run(server, tmp_path, judges, count=3, judge_attempts=0))
    # Question 0: three agree. 1: two agree, one is missing. 2: win, loss and tie.
    assert found["win_rate/unanimous"] == pytest.approx(2 / 3)
    assert found["win_rate/majority"] == 0
    assert found["win_rate/split"] == pytest.approx(1 / 3)
    assert found["win_rate/agreement"] == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert -1 <= found["win_rate/krippendorff_alpha"] <= 1


def test_a_preference_for_the_first_place_is_recovered(
    server: OpenAIServer, tmp_path: Path
) -> None:
    """The judge takes the first answer in 80 % of its verdicts, whoever gave it."""

    def biased(request: Request) -> str:
        told = question(request) + str(shows_new_first(request))
        return winner("A" if chance(told) < 0.8 else "B")

    def fair(request: Request) -> str:
        new_wins = chance(question(request)) < 0.5
        return newer(request) if new_wins else older(request)

    log = run(server, tmp_path, {"judge-a": biased, "judge-b": fair}, count=60)
    found = figures(log)
    assert found["win_rate/position_first_judge-a"] == pytest.approx(0.8, abs=0.08)
    assert found["win_rate/position_p_judge-a"] < 1e-4
    assert found["win_rate/inconsistent_judge-a"] == pytest.approx(0.8**2 + 0.2**2, abs=0.1)
    assert found["win_rate/alpaca_win_rate_judge-a"] == pytest.approx(0.5, abs=0.1)
    assert found["win_rate/position_first_judge-b"] == 0.5
    assert math.isnan(found["win_rate/position_p_judge-b"])  # no pair speaks for either place
    assert found["win_rate/inconsistent_judge-b"] == 0


def test_a_preference_for_length_is_recovered_and_controlled(
    server: OpenAIServer, tmp_path: Path
) -> None:
    """The judge takes the longer answer in 85 % of the pairs, and the model writes more."""
    texts = [
        (f"{NEW} {n}.{' More.' * int(14 * chance(f'new {n}'))}", f"{OLD} {n}.{' And.' * 8}")
        for n in range(100)
    ]

    def longer(request: Request) -> str:
        new, old = texts[int(question(request).removeprefix("Question ").removesuffix("?"))]
        takes_longer = chance(question(request)) < 0.85
        return newer(request) if (len(new) > len(old)) == takes_longer else older(request)

    server.script = longer
    task = win_rate(
        answers(tmp_path / "new.jsonl", [new for new, _ in texts]),
        answers(tmp_path / "old.jsonl", [old for _, old in texts]),
    )
    log = compared(task, server, tmp_path)
    found = {name.removeprefix("win_rate/"): value for name, value in figures(log).items()}
    assert found["length_mean"] == pytest.approx(sum(len(new) for new, _ in texts) / 100)
    assert found["baseline_length_mean"] == pytest.approx(sum(len(old) for _, old in texts) / 100)
    assert found["alpaca_win_rate_longer"] > 0.75
    assert found["alpaca_win_rate_shorter"] < 0.25
    assert found["length_effect"] > 1
    assert found["length_controlled_win_rate"] == pytest.approx(0.5, abs=0.12)
    assert (
        found["length_controlled_win_rate_low"]
        < found["length_controlled_win_rate"]
        < found["length_controlled_win_rate_high"]
    )


def test_epochs_do_not_make_a_difference_surer(server: OpenAIServer, tmp_path: Path) -> None:
    mixed = by_question({0, 1, 2, 3, 4, 5, 6}, newer, older)
    once = figures(run(server, tmp_path / "once", {"judge-a": mixed}, count=10))
    twice = figures(run(server, tmp_path / "twice", {"judge-a": mixed, "judge-b": mixed}, count=10))
    for name in ("p_sign_test", "alpaca_win_rate_low", "alpaca_win_rate_high", "questions_needed"):
        assert twice[f"win_rate/{name}"] == pytest.approx(once[f"win_rate/{name}"], rel=1e-9)
    assert once["win_rate/p_sign_test"] == pytest.approx(0.34375)
    assert 0.05 < once["win_rate/p_bootstrap"] < 0.6
    assert once["win_rate/questions_needed"] > 10


def test_what_an_empty_answer_decides_is_no_agreement_and_no_length(
    server: OpenAIServer, tmp_path: Path
) -> None:
    split = {"judge-a": newer, "judge-b": by_question({0, 1}, newer, older)}
    server.script = lambda request: split[request["model"]](request)
    texts = [f"{OLD} {n}." for n in range(4)]
    old = answers(tmp_path / "old.jsonl", [*texts, "", ""])
    new = answers(tmp_path / "new.jsonl", [f"{NEW} {n}." for n in range(6)])
    log = compared(win_rate(new, old), server, tmp_path, list(split))
    found = figures(log)
    assert (found["win_rate/wins_judge-a"], found["win_rate/judged_without_call"]) == (6, 2)
    assert found["win_rate/unanimous"] == 0.5
    assert math.isnan(found["win_rate/alpaca_win_rate_longer"])
    assert found["win_rate/alpaca_win_rate_similar"] == pytest.approx((1 + 0.5) / 2)
    table = win_rate_tables(log).metrics
    named = dict(zip(table["name"], table["value"], strict=True))
    for ours, documented in {
        "unanimous": "judge_agreement",
        "majority": "judge_agreement_majority",
        "split": "judge_agreement_split",
        "agreement": "judge_agreement_mean",
        "krippendorff_alpha": "krippendorff_alpha",
    }.items():
        expected = pytest.approx(found[f"win_rate/{ours}"], nan_ok=True)
        assert named[f"aggregate/{documented}"] == expected
    # They win all the same: nothing that a rate counts is left out of the ranks.
    matrix = win_rate_ranking([log]).matrix
    assert matrix.loc["new", "old"] == pytest.approx(found["win_rate/alpaca_win_rate_pooled"])
    assert found["win_rate/alpaca_win_rate_pooled"] == pytest.approx(10 / 12)


def test_epochs_of_a_question_are_one_sign_for_a_place() -> None:
    def scored(question: int, epoch: int) -> SampleScore:
        orders = {order: {"preferred": "first"} for order in ("AB", "BA")}
        record = {"outcome": "tie", "inconsistent": True, "correct": None, "orders": orders}
        details = {
            **{"readable": True, "mode": "preference", "seed": 0, "judged": True},
            **{"question_id": f"q{question}", "panel": ["j"], "judges": {"j": record}},
            **{"baseline_answer": "b", "answer_text": "a", "epoch": epoch},
            **{"characters": 1, "baseline_characters": 1},
        }
        return SampleScore(score=Score(value=0.5, metadata=details))

    compute: Any = win_rate_position()
    found = compute([scored(question, epoch) for question in range(3) for epoch in range(4)])
    assert found == {"position_first_j": 1.0, "position_p_j": pytest.approx(2 / 2**3)}


def test_two_answers_that_are_right_in_one_order_only_are_inconsistent(
    server: OpenAIServer, tmp_path: Path
) -> None:
    def fickle(request: Request) -> str:
        new = shows_new_first(request)
        return right(new, new)

    log = run(server, tmp_path, {"judge-a": fickle}, count=2, mode="correctness")
    found = figures(log)
    assert (found["win_rate/ties"], found["win_rate/inconsistent"]) == (2, 1)
    assert (found["win_rate/accuracy"], found["win_rate/baseline_accuracy"]) == (0.5, 0.5)


def test_what_was_asked_is_counted(server: OpenAIServer, tmp_path: Path) -> None:
    log = run(server, tmp_path, {"judge-a": newer, "judge-b": silent}, count=3, judge_attempts=1)
    found = figures(log)
    assert found["win_rate/judge_calls_judge-a"] == 3 * 2
    assert found["win_rate/judge_calls_judge-b"] == 3 * 2 * 2
    assert len(server.requests) == 18
    assert found["win_rate/judge_input_tokens_judge-a"] > 0
    assert found["win_rate/judge_output_tokens_judge-a"] > 0


@pytest.mark.parametrize("name", ["wr-001", "wr-031"])
def test_the_cases_of_whole_comparisons(server: OpenAIServer, tmp_path: Path, name: str) -> None:
    """The scores of a win, a loss and a tie, as often as a case has them."""
    voice = by_question({0}, newer, by_question({1}, older, even))
    log = run(server, tmp_path, {"judge-a": voice}, count=3)
    kinds = dict(zip(("win", "loss", "tie"), details(log), strict=True))
    given, expected = CASES[name]["input"], CASES[name]["expected"]
    if "verdicts" in given:
        said = {"A": "win", "B": "loss", "tie": "tie"}
        given = Counter(said[one] for one in given["verdicts"])
        expected = {
            "alpaca_win_rate": expected["A"],
            "alpaca_win_rate_baseline": expected["B"],
        }
    metadata = [
        {**kinds[kind], "question_id": f"{kind} {place}"}
        for kind, count in given.items()
        for place in range(count)
    ]
    compute: Any = win_rates()
    found = compute([SampleScore(score=Score(value=0, metadata=one)) for one in metadata])
    assert [found[name] for name in ("wins", "losses", "ties")] == [
        given[kind] for kind in ("win", "loss", "tie")
    ]
    shares = {"loss_rate": "win_rate_baseline"}
    for figure, value in expected.items():
        if figure != "tie_rate":
            assert found[shares.get(figure, figure)] == pytest.approx(value)


@pytest.mark.parametrize("make", METRICS, ids=lambda one: str(one.__name__))
@pytest.mark.parametrize("scored", [False, True], ids=["nothing", "unscored"])
def test_no_pair_is_no_figure(make: Any, scored: bool) -> None:
    failed = Score.unscored(reason="scoring_failed", explanation="No.", metadata={"status": "x"})
    scores = [SampleScore(score=failed)] if scored else []
    found = make()(scores)
    counts = ("wins", "losses", "ties", "missing", "judged_without_call")
    assert {name: value for name, value in found.items() if not math.isnan(value)} == (
        dict.fromkeys(counts, 0) if make is win_rates else {}
    )


def test_another_run_has_the_same_figures(server: OpenAIServer, tmp_path: Path) -> None:
    mixed = by_question({0, 2, 3}, newer, older)
    kept: dict[str, Any] = {"count": 5, "order": "balanced", "seed": 3}
    once = figures(run(server, tmp_path / "one", {"judge-a": mixed}, **kept))
    again = figures(run(server, tmp_path / "two", {"judge-a": mixed}, **kept))
    assert once == pytest.approx(again, nan_ok=True)


def test_the_card_names_every_figure(server: OpenAIServer, tmp_path: Path) -> None:
    card = (ROOT / "scorers" / "win_rate" / "README.md").read_text(encoding="utf-8")
    section = card.split("## Figures")[1].split("\n## ")[0]
    named: set[str] = set()
    for cell in re.findall(r"^\| (.*?) \| (.*?) \|$", section, re.MULTILINE):
        names = re.findall(r"`([a-z_…]+)`", " ".join(cell))
        stem = names[0].rsplit("_", 1)[0] if names else ""
        named |= {f"{stem}{name[1:]}" if name.startswith("…_") else name for name in names}
    named = {name.removesuffix("…").removesuffix("_") for name in named}

    def voice(request: Request) -> str:
        new = shows_new_first(request)
        return right(new, not new)

    log = run(server, tmp_path, {"judge-a": voice}, count=2, mode="correctness")
    computed = {
        name.removeprefix("win_rate/")
        .removesuffix("_judge-a")
        .removesuffix("_low")
        .removesuffix("_high")
        for name in figures(log)
        if name.startswith("win_rate/")
    }
    assert computed == named - {"…_low", "…_high"}
