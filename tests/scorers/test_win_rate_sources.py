"""Comparisons of finished logs and of files, and the mistakes that one can make with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log

from eve_inspect import EveInspectError, open_ended, results, win_rate
from eve_inspect.scorers import win_rate as win_rate_scorer
from tests.scorers.panel import asked, judged, model, script
from tests.scorers.versus import (
    NEW,
    OLD,
    answers,
    compared,
    details,
    even,
    files,
    newer,
    records,
    run,
    silent,
)
from tests.servers.openai_server import OpenAIServer, user_text
from tests.tasks.exam import figures, write

# On finished logs, and from Python


@pytest.fixture
def finished(server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EvalLog:
    """The log of a model whose answers are new, two epochs of two questions."""
    monkeypatch.setenv("LOOPBACK_API_KEY", "a-secret")  # Inspect makes the log's model anew
    rows = write(
        tmp_path / "rows.jsonl",
        [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(2)],
    )
    server.script = script(f"{NEW}.", {})
    task = open_ended(dataset=rows, judge_later=True)
    log = judged(task, server, tmp_path, [], epochs=2)
    server.reset(newer)
    return log


@pytest.fixture
def old(tmp_path: Path) -> str:
    return answers(tmp_path / "old.jsonl", [f"{OLD} {n}." for n in range(2)])


def scored(log: EvalLog, server: OpenAIServer, **arguments: Any) -> EvalLog:
    """Score a finished log as a notebook does."""
    judges: dict[str, Any] = {"judge": [model(server, "judge-a")]}
    return score(
        log, win_rate_scorer(**arguments), model_roles=judges, action="overwrite", display="log"
    )


def test_a_finished_log_is_compared(server: OpenAIServer, finished: EvalLog, old: str) -> None:
    log = scored(finished, server, baseline=old, baseline_name="the old one")
    assert [one["outcome"] for one in records(log, "judge-a")] == ["win"] * 4
    assert {one["baseline"] for one in details(log)} == {"the old one"}
    assert {one["model"] for one in details(log)} == {"openai-api/loopback/candidate"}
    assert len(server.requests) == 4 * 2
    assert figures(log)["win_rate/wins"] == 4


def test_epochs_of_a_question_are_one_cluster(
    server: OpenAIServer, finished: EvalLog, old: str
) -> None:
    log = scored(finished, server, baseline=old)
    assert len({one["question_id"] for one in details(log)}) == 2
    assert figures(log)["win_rate/p_sign_test"] == pytest.approx(0.5)


def test_epochs_of_a_baseline_are_a_choice(server: OpenAIServer, finished: EvalLog) -> None:
    with pytest.raises(EveInspectError, match=r"2 epochs.*baseline_epochs"):
        win_rate_scorer(baseline=finished.location)
    server.script = even
    for choice in ("first", "all"):
        log = scored(finished, server, baseline=finished.location, baseline_epochs=choice)
        assert [one["outcome"] for one in records(log, "judge-a")] == ["tie"] * 4


def test_epochs_of_both_logs_meet(server: OpenAIServer, finished: EvalLog, tmp_path: Path) -> None:
    server.script = even
    arguments: dict[str, Any] = {
        "model_a": finished.location,
        "model_b": finished.location,
        "name_b": "again",
    }
    with pytest.raises(EveInspectError, match="2 epochs"):
        win_rate(**arguments)
    log = compared(win_rate(**arguments, answer_epochs="all"), server, tmp_path)
    assert figures(log)["win_rate/ties"] == 4
    assert len({one["question_id"] for one in details(log)}) == 2
    once = compared(win_rate(**arguments, answer_epochs="first"), server, tmp_path)
    assert figures(once)["win_rate/ties"] == 2


def test_inspect_score_compares_a_finished_log(
    server: OpenAIServer, finished: EvalLog, old: str, tmp_path: Path
) -> None:
    to = tmp_path / "compared.eval"
    environment = {**os.environ, "LOOPBACK_BASE_URL": server.url}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "inspect_ai", "score", finished.location),
            *("--scorer", "eve_inspect/win_rate", "-S", f"baseline={old}"),
            *("--model-role", "judge=openai-api/loopback/judge-a", "--model", "none/none"),
            *("--action", "append", "--output-file", str(to), "--display", "plain"),
        ],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    log = read_eval_log(str(to))
    assert [one["outcome"] for one in records(log, "judge-a")] == ["win"] * 4
    assert {one["model"] for one in details(log)} == {"openai-api/loopback/candidate"}
    assert len(server.requests) == 4 * 2


def test_another_reference_is_not_compared(
    server: OpenAIServer, finished: EvalLog, tmp_path: Path
) -> None:
    rows = [
        {"question": f"Question {n}?", "reference": "Another.", "answer": OLD} for n in range(2)
    ]
    log = scored(finished, server, baseline=write(tmp_path / "other.jsonl", rows))
    shown = [(one.scores or {})["win_rate"].explanation or "" for one in log.samples or []]
    assert all("another reference" in one for one in shown)
    assert not server.requests
    assert log.results
    counted = {one.unscored_samples for one in log.results.scores if one.reducer is None}
    assert counted == {4}
    assert figures(log)["win_rate/missing"] == 0  # no judge failed: there was no pair


def test_the_results_table_reads_a_comparison(server: OpenAIServer, tmp_path: Path) -> None:
    log = run(server, tmp_path, {"judge-a": newer, "judge-b": silent}, judge_attempts=0)
    table = results(log)
    row = table[table["metric"] == "alpaca_win_rate"].iloc[0]
    assert row["value"] == 1
    columns = table[(table["score"] == "preference_judge-b") & (table["metric"] == "mean")]
    assert columns["value"].isna().all()


# Mistakes are one line, before a judge is asked


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"mode": "taste"}, "mode='taste'"),
        ({"order": "random"}, "order='random'"),
        ({"seed": "x"}, "seed='x'"),
        ({"seed": True}, "seed=True"),
        ({"seed": -1}, "seed=-1"),
        ({"force": "maybe"}, "force='maybe'"),
        ({"judge_sees_context": True}, "holds documents"),
        ({"rubric": "nowhere.yaml"}, "nowhere.yaml"),
        ({"rubric": 3}, "rubric=3"),
        ({"judge_attempts": -1}, "judge_attempts=-1"),
        ({"judge_delay": -1}, "judge_delay=-1"),
        ({"judge_delay": "soon"}, "judge_delay='soon'"),
        ({"name_a": " "}, "name"),
        ({"name_a": "old"}, "both called 'old'"),
        ({"judge_names": ["low"]}, "low"),
        ({"judge_names": ["one", "one"]}, "no two alike"),
        ({"judge_names": 3}, "list of names"),
        ({"columns_a": {"answer": "nowhere"}}, "nowhere"),
        ({"columns_a": {"color": "answer"}}, "color"),
        ({"answer_epochs": "last"}, "epochs='last'"),
        ({"unpaired": "drop"}, "unpaired='drop'"),
        ({"model_b": "nowhere.eval"}, "nowhere.eval"),
    ],
    ids=lambda one: ",".join(f"{k}={v}" for k, v in one.items()) if isinstance(one, dict) else "",
)
def test_mistakes_are_told(arguments: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(EveInspectError) as error:
        win_rate(**{**files(tmp_path, 2), **arguments})
    assert told in error.value.message
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"baseline": "nowhere.eval"}, "nowhere.eval"),
        ({"baseline_epochs": "some"}, "baseline_epochs='some'"),
        ({"role": " "}, "role"),
    ],
    ids=["missing", "epochs", "role"],
)
def test_mistakes_of_the_scorer_are_told(arguments: dict[str, Any], told: str, old: str) -> None:
    with pytest.raises(EveInspectError) as error:
        win_rate_scorer(**{"baseline": old, **arguments})
    assert told in error.value.message


def test_a_rubric_without_the_reference_is_refused(tmp_path: Path) -> None:
    rubric = tmp_path / "mine.yaml"
    rubric.write_text("prompt: '{question} {answer_a} {answer_b}'\n")
    with pytest.raises(EveInspectError, match=r"\{reference\}"):
        win_rate(**files(tmp_path, 1), rubric=str(rubric))


def test_a_question_on_one_side_is_an_error_unless_allowed(
    server: OpenAIServer, tmp_path: Path
) -> None:
    new = answers(tmp_path / "new.jsonl", [f"{NEW} {n}." for n in range(3)])
    old = answers(tmp_path / "old.jsonl", [f"{OLD} {n}." for n in range(2)])
    with pytest.raises(EveInspectError, match=r"1 \(.*\) only in model_a.*unpaired=skip"):
        win_rate(new, old)
    server.script = newer
    log = compared(win_rate(new, old, unpaired="skip"), server, tmp_path)
    assert len(details(log)) == 2
    metadata = log.eval.metadata or {}
    assert len(metadata["win_rate"]["only_model_a"]) == 1
    assert not metadata["win_rate"]["only_model_b"]


def test_documents_are_shown_where_they_are_to_be(server: OpenAIServer, tmp_path: Path) -> None:
    rows = [{"question": "Q?", "reference": "R.", "answer": NEW, "context": "The sea is deep."}]
    other = [{"question": "Q?", "reference": "R.", "answer": OLD}]
    sides = (write(tmp_path / "new.jsonl", rows), write(tmp_path / "old.jsonl", other))
    server.script = newer
    compared(win_rate(*sides), server, tmp_path)
    assert not any("The sea is deep." in user_text(one) for one in server.requests)
    log = compared(win_rate(*sides, judge_sees_context=True), server, tmp_path)
    assert all("The sea is deep." in user_text(one) for one in asked(server, "judge-a")[2:])
    assert details(log)[0]["judge_sees_context"] is True


def test_documents_that_are_not_there_leave_a_pair_unscored(
    server: OpenAIServer, tmp_path: Path
) -> None:
    rows = [
        {"question": "Q1?", "reference": "R.", "answer": NEW, "context": "The sea is deep."},
        {"question": "Q2?", "reference": "R.", "answer": NEW, "context": ""},
    ]
    other = [{**row, "answer": OLD} for row in rows]
    sides = (write(tmp_path / "new.jsonl", rows), write(tmp_path / "old.jsonl", other))
    server.script = newer
    log = compared(win_rate(*sides, judge_sees_context=True), server, tmp_path)
    shown = [(one.scores or {})["win_rate"].explanation or "" for one in log.samples or []]
    assert sum("the sample has none" in one for one in shown) == 1
    assert len(server.requests) == 2


def test_a_judge_of_its_own_answers_is_told_whatever_the_names(
    server: OpenAIServer, finished: EvalLog, old: str, tmp_path: Path
) -> None:
    task = win_rate(finished.location, old, name_a="new", answer_epochs="first")
    log = compared(task, server, tmp_path, ["candidate", "judge-a"])
    (record, *_), (other, *_) = records(log, "candidate"), records(log, "judge-a")
    assert record["relation"]["model"] == "same_model"
    assert record["relation"]["baseline"] is None
    assert other["relation"]["model"] != "same_model"
    assert {one["model"] for one in details(log)} == {"new"}


def test_a_model_against_its_own_earlier_answers_has_two_names(
    server: OpenAIServer, finished: EvalLog
) -> None:
    server.script = even
    log = scored(finished, server, baseline=finished.location, baseline_epochs="all")
    assert {(one["model"], one["baseline"]) for one in details(log)} == {
        ("openai-api/loopback/candidate", "openai-api/loopback/candidate (baseline)")
    }
