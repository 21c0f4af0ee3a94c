"""A panel of judges from the command line: named in roles or in the environment, now or later."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, read_eval_log

from tests.e2e.starting import Installation, Ran, endpoint, run, run_well
from tests.scorers.panel import graded
from tests.servers.openai_server import OpenAIServer, Request
from tests.tasks.exam import figures

ReadLog = Callable[[Path], EvalLog]

LIMIT = 4
SCORES = {"judge-a": 5, "judge-b": 4, "judge-c": 0}
MEANS = {
    "llm_as_judge_judge-a/mean": 1.0,
    "llm_as_judge_judge-b/mean": 0.8,
    "llm_as_judge_judge-c/mean": 0.0,
    "llm_as_judge_avg/mean": 0.6,
    "judge_voting/mean": 1.0,
    "judge_agreement/mean": 0.0,
}
OPEN_ENDED = ("eval", "eve_inspect/open_ended", "-T", "dataset=sample", f"--limit={LIMIT}")


@pytest.fixture(autouse=True)
def _no_judge_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JUDGE_NAME", "JUDGE_BASE_URL", "JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def judges(server: OpenAIServer) -> list[str]:
    """The options that name three judges, each with a key of its own."""

    def reply(request: Request) -> str:
        score = SCORES.get(request["model"])
        return "It depends on the wavelength." if score is None else graded(score)

    server.script = reply
    panel = [
        {
            "model": f"openai-api/loopback/{name}",
            "model_args": {"base_url": server.url, "api_key": key_of(name)},
        }
        for name in SCORES
    ]
    return ["--model-role", f"judge={json.dumps(panel)}"]


def key_of(name: str) -> str:
    return f"sk-kept-out-of-logs-{name}"


def calls(server: OpenAIServer) -> dict[str, int]:
    return dict(Counter(request["model"] for request in server.requests))


def holds(log: Path, text: str) -> bool:
    """Return whether a log file holds a text, in any of its parts."""
    with zipfile.ZipFile(log) as parts:
        return any(text.encode() in parts.read(name) for name in parts.namelist())


def one_line(ran: Ran, *named: str) -> None:
    assert ran.code == 1
    assert ran.out.strip() == ""
    (line,) = ran.err.strip().splitlines()
    assert line.startswith("Error: ")
    for text in named:
        assert text in line


def means(log: EvalLog) -> dict[str, float]:
    found = figures(log)
    return {name: found[name] for name in MEANS}


def test_a_role_names_the_panel_and_its_keys_stay_out_of_the_log(
    here: Installation, server: OpenAIServer, judges: list[str], tmp_path: Path, only_log: ReadLog
) -> None:
    ran = run_well(here.cli(*OPEN_ENDED, *endpoint(server), *judges), tmp_path, tmp_path)
    log = only_log(tmp_path / "logs")
    assert log.status == "success"
    assert means(log) == pytest.approx(MEANS)
    assert calls(server) == dict.fromkeys(["model", *SCORES], LIMIT)
    used = dict(zip((one["model"] for one in server.requests), server.authorizations, strict=True))
    assert used == {"model": "Bearer none", **{name: f"Bearer {key_of(name)}" for name in SCORES}}
    (file,) = (tmp_path / "logs").glob("*.eval")
    assert holds(file, "openai-api/loopback/judge-b")
    assert not holds(file, "sk-kept-out-of-logs")
    assert "sk-kept-out-of-logs" not in ran.out + ran.err


def test_without_a_judge_a_command_ends_in_one_line_and_no_request(
    here: Installation, server: OpenAIServer, tmp_path: Path
) -> None:
    ran = run(here.cli(*OPEN_ENDED, *endpoint(server)), tmp_path, tmp_path)
    one_line(ran, "no judge is configured", "--model-role judge=", "JUDGE_NAME", "judge_later=true")
    assert server.requests == []
    assert not list(tmp_path.rglob("*.eval"))


def test_answers_of_today_are_judged_later(
    here: Installation, server: OpenAIServer, judges: list[str], tmp_path: Path
) -> None:
    command = [*OPEN_ENDED, *endpoint(server), "-T", "judge_later=true"]
    run_well(here.cli(*command), tmp_path, tmp_path)
    assert calls(server) == {"model": LIMIT}
    (file,) = (tmp_path / "logs").glob("*.eval")
    later = ["score", str(file), "--scorer", "eve_inspect/judge_panel", *judges]
    run_well(here.cli(*later, "--model", "none/none", "--overwrite"), tmp_path, tmp_path)
    assert calls(server) == dict.fromkeys(["model", *SCORES], LIMIT)
    log = read_eval_log(str(file))
    assert log.status == "success"
    assert means(log) == pytest.approx(MEANS)
    assert figures(log)["judge_panel/judge_calls_judge-a"] == LIMIT
    assert not holds(file, "sk-kept-out-of-logs")


def test_the_environment_names_a_judge(
    here: Installation,
    server: OpenAIServer,
    judges: list[str],  # noqa: ARG001 - for the script
    tmp_path: Path,
    only_log: ReadLog,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_NAME", "judge-b")
    monkeypatch.setenv("JUDGE_BASE_URL", f"{server.url}/chat/completions")
    monkeypatch.setenv("JUDGE_API_KEY", key_of("judge-b"))
    run_well(here.cli(*OPEN_ENDED, *endpoint(server)), tmp_path, tmp_path)
    log = only_log(tmp_path / "logs")
    found = figures(log)
    assert (found["llm_as_judge_judge-b/mean"], found["llm_as_judge_avg/mean"]) == (0.8, 0.8)
    assert calls(server) == {"model": LIMIT, "judge-b": LIMIT}
    assert f"Bearer {key_of('judge-b')}" in server.authorizations
    (file,) = (tmp_path / "logs").glob("*.eval")
    assert not holds(file, "sk-kept-out-of-logs")


def test_a_judge_in_half_of_the_variables_is_one_line(
    here: Installation, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_NAME", "judge-b")
    monkeypatch.setenv("JUDGE_API_KEY", key_of("judge-b"))
    ran = run(here.cli(*OPEN_ENDED, *endpoint(server)), tmp_path, tmp_path)
    one_line(ran, "JUDGE_NAME='judge-b'", "JUDGE_BASE_URL is not")
    assert "sk-kept" not in ran.err
    assert server.requests == []
