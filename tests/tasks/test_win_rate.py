"""The task that compares recorded answers: what its log holds, and what else one can do with it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, Task, eval, score
from inspect_ai.log import EvalLog, read_eval_log

from eve_inspect import EveInspectError, open_ended, win_rate
from eve_inspect.scorers import win_rate as win_rate_scorer
from tests.scorers.panel import JUDGES, judged, model, script
from tests.scorers.versus import (
    NEW,
    OLD,
    answers,
    compared,
    details,
    files,
    first,
    newer,
    older,
    records,
    right,
    run,
    shows_new_first,
    silent,
    voices,
)
from tests.servers.openai_server import OpenAIServer, Request, user_text
from tests.tasks.exam import figures, write


def mixed(request: Request) -> str:
    """Prefer the model on question 0, the baseline on question 1, and say nothing on question 2."""
    text = user_text(request)
    if "Question 2?" in text:
        return silent(request)
    return newer(request) if "Question 0?" in text else older(request)


def test_the_log_says_what_was_compared(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = newer
    sides = files(tmp_path, 2)
    log = compared(win_rate(**sides, name_b="a rival"), server, tmp_path)
    made = (log.eval.metadata or {})["win_rate"]
    assert [made[side]["name"] for side in ("model_a", "model_b")] == ["new", "a rival"]
    assert made["model_a"]["source"].endswith("new.jsonl")
    for side in ("model_a", "model_b"):
        content = Path(sides[side]).read_bytes()
        assert made[side]["sha256"] == hashlib.sha256(content).hexdigest()[:16]
    assert made["pairs"] == 2
    assert (log.eval.model, log.eval.dataset.name) == ("none/none", "new vs a rival")
    assert {request["model"] for request in server.requests} == {"judge-a"}


@pytest.mark.parametrize(
    ("new", "old", "outcome"),
    [(True, False, "win"), (False, True, "loss"), (True, True, "tie"), (False, False, "tie")],
)
def test_correctness_in_one_order(
    server: OpenAIServer, tmp_path: Path, new: bool, old: bool, outcome: str
) -> None:
    def voice(request: Request) -> str:
        return right(new, old) if shows_new_first(request) else right(old, new)

    kept: dict[str, Any] = {"mode": "correctness", "order": "balanced"}
    log = run(server, tmp_path, {"judge-a": voice}, count=6, **kept)
    assert len(server.requests) == 6
    assert {next(iter(one["orders"])) for one in records(log, "judge-a")} == {"AB", "BA"}
    assert [one["outcome"] for one in records(log, "judge-a")] == [outcome] * 6
    assert {one["inconsistent"] for one in records(log, "judge-a")} == {None}
    found = figures(log)
    assert (found["win_rate/accuracy"], found["win_rate/baseline_accuracy"]) == (new, old)


def test_correctness_that_changes_with_the_order(server: OpenAIServer, tmp_path: Path) -> None:
    """The model's answer is right when it stands first, and wrong when it stands second."""

    def voice(request: Request) -> str:
        return right(shows_new_first(request), False)

    log = run(server, tmp_path, {"judge-a": voice}, count=2, mode="correctness")
    for one in records(log, "judge-a"):
        assert (one["outcome"], one["inconsistent"]) == ("tie", True)
        assert one["correct"] == {"model": 0.5, "baseline": 0}
    assert figures(log)["win_rate/accuracy_judge-a"] == 0.5


def test_a_verdict_that_is_missing_counts_for_no_accuracy(
    server: OpenAIServer, tmp_path: Path
) -> None:
    def voice(request: Request) -> str:
        silenced = "Question 1?" in user_text(request) and shows_new_first(request)
        return silent(request) if silenced else right(True, True)

    log = run(server, tmp_path, {"judge-a": voice}, count=2, mode="correctness", judge_attempts=0)
    assert records(log, "judge-a")[1]["correct"] == {"model": None, "baseline": None}
    found = figures(log)
    assert (found["win_rate/accuracy"], found["win_rate/missing"]) == (1, 1)


def test_an_empty_answer_is_wrong_and_says_nothing_of_the_other(
    server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = lambda _: right(True, True)
    task = win_rate(
        answers(tmp_path / "new.jsonl", ["", f"{NEW} 1."]),
        answers(tmp_path / "old.jsonl", [f"{OLD} 0.", f"{OLD} 1."]),
        mode="correctness",
    )
    found = figures(compared(task, server, tmp_path))
    assert (found["win_rate/accuracy"], found["win_rate/baseline_accuracy"]) == (0.5, 1)


def test_a_missing_verdict_in_one_order_alone_is_missing(
    server: OpenAIServer, tmp_path: Path
) -> None:
    log = run(server, tmp_path, {"judge-a": mixed}, count=3, order="balanced", judge_attempts=0)
    assert [one["outcome"] for one in records(log, "judge-a")] == ["win", "loss", None]
    found = figures(log)
    assert (found["win_rate/missing"], found["win_rate/win_rate"]) == (1, 0.5)


def test_a_refusal_is_judged(server: OpenAIServer, tmp_path: Path) -> None:
    """Only an answer that is not there loses without a call."""
    server.script = voices({"judge-a": first})
    refusal = "I cannot help with that."
    task = win_rate(
        answers(tmp_path / "new.jsonl", [refusal]), answers(tmp_path / "old.jsonl", [f"{OLD}."])
    )
    log = compared(task, server, tmp_path)
    assert details(log)[0]["judged"] is True
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "reducers", [["max"], ["median"], ["at_least_1"], ["mean", "mode"]], ids=str
)
def test_figures_do_not_depend_on_how_epochs_are_reduced(
    server: OpenAIServer, tmp_path: Path, reducers: list[str]
) -> None:
    """Each epoch is a pair, and all epochs of a question are one cluster."""
    server.script = mixed
    task = win_rate(**files(tmp_path, 3), judge_attempts=0)
    found = figures(compared(task, server, tmp_path, epochs=Epochs(2, reducers)))
    names = ("wins", "losses", "ties", "missing")
    assert [found[f"win_rate/{name}"] for name in names] == [2, 2, 0, 2]
    assert found["win_rate/p_sign_test"] == 1
    assert found["preference_judge-a/mean"] == 0.5


def unscored(task: Task, folder: Path, **settings: Any) -> EvalLog:
    """Run a task without its scorer."""
    (log,) = eval(task, score=False, log_dir=str(folder), display="log", **settings)
    return read_eval_log(log.location)


def test_a_comparison_can_be_scored_later(
    server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "a-secret")  # Inspect makes the log's judges anew
    server.script = newer
    judges: dict[str, Any] = {"judge": [model(server, one) for one in JUDGES[:2]]}
    log = unscored(win_rate(**files(tmp_path, 2)), tmp_path, model_roles=judges)
    assert log.status == "success"
    assert not server.requests
    later = score(log, win_rate_scorer(), model_roles=judges, display="log")
    assert [one["outcome"] for one in records(later, "judge-b")] == ["win"] * 2
    assert {(one["model"], one["baseline"]) for one in details(later)} == {("new", "old")}


def test_without_a_baseline_there_is_nothing_to_compare(
    server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "a-secret")  # Inspect makes the log's model anew
    rows = write(tmp_path / "rows.jsonl", [{"Question": "Question 0?", "Answer": "Reference 0."}])
    server.script = script(f"{NEW}.", {})
    log = judged(open_ended(dataset=rows, judge_later=True), server, tmp_path, [])
    server.reset(newer)
    judges: dict[str, Any] = {"judge": [model(server, "judge-a")]}
    with pytest.raises(EveInspectError, match=r"baseline=<") as error:
        score(log, win_rate_scorer(), model_roles=judges, display="log")
    assert "\n" not in error.value.message
    assert not server.requests
