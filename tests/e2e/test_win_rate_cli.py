"""Comparing models from the command line: options, a configuration, Ctrl-C, a kill."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from click.testing import CliRunner, Result
from inspect_ai.log import EvalLog, read_eval_log

from eve_inspect.cli import main
from eve_inspect.reports import win_rate_tables
from tests.e2e.starting import Installation, environment, run_well
from tests.evaluation.comparisons import answers, better, calls, outcomes
from tests.servers.openai_server import OpenAIServer, Request, Scripted
from tests.tasks.exam import figures

ReadLog = Callable[[Path], EvalLog]

MANY = 16
"""Questions of a run that is stopped on its way."""

AT_ONCE = 2
"""Requests to a judge, and samples, at the same time in it."""


@pytest.fixture(autouse=True)
def _judges_that_see(server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.script = better
    monkeypatch.chdir(tmp_path)
    for name in ("JUDGE_NAME", "JUDGE_BASE_URL", "JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def judge(server: OpenAIServer) -> str:
    """A judge as the option ``--judge`` takes it."""
    return json.dumps(
        {
            "model": "openai-api/loopback/judge-a",
            "base_url": server.url,
            "max_connections": AT_ONCE,
            "model_args": {"api_key": "a-secret"},
        }
    )


def command(*arguments: str) -> Result:
    """Run ``eve-inspect win-rate`` in this process."""
    return CliRunner().invoke(main, ["win-rate", "--display", "log", *arguments])


def lines(result: Result, head: str) -> list[str]:
    """Return what follows a word at the start of lines."""
    return [
        line.removeprefix(head).strip()
        for line in result.output.splitlines()
        if line.startswith(head)
    ]


# By options


def test_two_models_are_compared(judge: str, server: OpenAIServer, tmp_path: Path) -> None:
    answers(tmp_path / "a.csv", {0: 2, 1: 1, 2: 1})
    answers(tmp_path / "b.csv", 1)
    options = ["-T", "order=balanced", "--seed", "5", "--limit", "2", "--output-dir", "out"]
    done = command("-a", "new=a.csv", "-b", "b.csv", "--judge", judge, *options)
    assert done.exit_code == 0, done.output
    assert "new against b: 2 pairs" in done.output
    assert "alpaca win rate 0.750" in done.output
    assert lines(done, "Seed:") == ["5"]
    files = [Path(one) for one in lines(done, "File:")]
    assert [one.name for one in files] == [
        "results_new_vs_b.csv",
        "summary_new_vs_b.csv",
        "metrics_new_vs_b.csv",
        "comparison_new_vs_b.png",
    ]
    assert all((tmp_path / one).stat().st_size for one in files)
    assert calls(server) == {("judge-a", 0): 1, ("judge-a", 1): 1}
    (log,) = [read_eval_log(one) for one in lines(done, "Log:")]
    assert outcomes(log) == {"judge-a": ["win", "tie"]}
    assert "a-secret" not in done.output


def test_three_models_meet_in_a_round_robin_and_are_ranked(
    judge: str, server: OpenAIServer, tmp_path: Path
) -> None:
    for name, quality in {"low": 1, "high": 3, "mid": 2}.items():
        answers(tmp_path / f"{name}.csv", quality)
    models = [part for name in ("low", "high", "mid") for part in ("-a", f"{name}.csv")]
    done = command(*models, "--judge", judge)
    assert done.exit_code == 0, done.output
    heads = [line for line in done.output.splitlines() if " against " in line]
    met = ("low against high", "low against mid", "high against mid")
    assert heads == [f"{names}: 3 pairs" for names in met]
    table = done.output.split("rank_high\n")[1].splitlines()[:3]
    assert [line.split()[0] for line in table] == ["high", "mid", "low"]
    assert [line.split()[4] for line in table] == ["1", "2", "3"]
    ranking = pd.read_csv(tmp_path / "win_rate_results" / "ranking.csv")
    assert list(ranking["model"]) == ["high", "mid", "low"]
    matrix = pd.read_csv(tmp_path / "win_rate_results" / "win_rate_matrix.csv", index_col="model")
    assert matrix.loc["high", "low"] == 1
    assert len(server.requests) == 3 * 3 * 2


_BOTH = ("-a", "a.csv", "-b", "b.csv", "--judge", "JUDGE")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param((*_BOTH, "-b", "gone.csv"), "'gone.csv' does not exist", id="no-file"),
        pytest.param(_BOTH[:4], "name a judge or more", id="no-judge"),
        pytest.param(("-a", "a.csv", *_BOTH[4:]), "make no comparison", id="one-model"),
        pytest.param(_BOTH[4:], "make no comparison", id="no-model"),
        pytest.param((*_BOTH, "-a", "b=a.csv"), "are both called 'b'", id="one-name"),
        pytest.param((*_BOTH, "--judge", "nowhere/x"), "'nowhere/x' cannot be used", id="judge"),
        pytest.param((*_BOTH, "-T", "mode=x"), "mode='x'", id="mode"),
        pytest.param((*_BOTH, "-T", "x=1"), "'x' is no argument", id="option"),
        pytest.param((*_BOTH, "--limit", "0"), "limit=0", id="limit"),
        pytest.param((*_BOTH, "--seed", "-1"), "seed=-1", id="seed"),
        pytest.param((*_BOTH, "--output-dir", "a.csv"), "--output-dir: is a file", id="output"),
        pytest.param((*_BOTH, "--output-dir", "a.csv/x"), "is below a file", id="below"),
        pytest.param(("--config", "gone.yaml"), "gone.yaml", id="no-config"),
        pytest.param(("--config", "x.yaml", *_BOTH[:2]), "leave out the other", id="both"),
    ],
)
def test_mistakes_are_one_line_and_cost_nothing(
    judge: str, server: OpenAIServer, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    for name in ("a", "b"):
        answers(tmp_path / f"{name}.csv", 1)
    done = command(*(judge if one == "JUDGE" else one for one in arguments))
    assert done.exit_code == 1
    (line,) = done.output.strip().splitlines()
    assert line.startswith("Error: ")
    assert message in line
    assert server.requests == []
    assert not list(tmp_path.rglob("*.eval"))


@pytest.mark.parametrize(
    "judge",
    [
        "{model: nowhere/x, model_args: {api_key: a-secret}}",
        "{model: openai/x, model_args: {api_key: a-secret, zork: 1}}",
        "{model: openai/x, api_key: a-secret}",
        "{model: openai/x, model_args: {api_key: a-secret",
        "{model: [openai/x], model_args: {api_key: a-secret}}",
    ],
)
def test_a_mistake_about_a_judge_shows_no_key(judge: str, tmp_path: Path) -> None:
    answers(tmp_path / "a.csv", 1)
    done = command("-a", "a.csv", "-b", "b.csv", "--judge", judge)
    assert done.exit_code == 1
    assert "a-secret" not in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_judges_that_are_not_heard_are_an_error_with_its_reason(
    judge: str, server: OpenAIServer, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        answers(tmp_path / f"{name}.csv", 1, questions=1)
    server.script = lambda _: Scripted("no credit left", status=402)
    both = ["-a", "a.csv", "-b", "b.csv", "--judge", judge]
    done = command(*both)
    assert done.exit_code == 1
    last = done.output.strip().splitlines()[-1]
    assert last.startswith("Error: no pair of ")
    assert "no credit left" in last
    assert (tmp_path / "win_rate_results" / "results_a_vs_b.csv").is_file()
    server.reset(better)
    assert command(*both).exit_code == 0
    assert len(server.requests) == 2


# By a configuration of the earlier tool


@pytest.fixture
def config(server: OpenAIServer, repository: Path, tmp_path: Path) -> dict[str, Any]:
    """The earlier tool's file, with nothing but the endpoint's address put in."""
    for name, quality in {"tuned": 3, "tuned_long": 2, "base": 1}.items():
        answers(tmp_path / "answers" / f"{name}.csv", quality, questions=2)
    text = (repository / "tests/data/win_rate_config.yaml").read_text(encoding="utf-8")
    for path in ("/v1", "/api/v1/"):
        text = text.replace(f"http://127.0.0.1:9{path}", f"{server.url}/")
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    return dict(yaml.safe_load(text))


def test_the_configuration_of_the_earlier_tool_runs_unchanged(
    config: dict[str, Any],
    server: OpenAIServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIRST_JUDGE_KEY", "sk-first")
    monkeypatch.setenv("SECOND_JUDGE_KEY", "sk-second")
    done = command("--config", "config.yaml")
    assert done.exit_code == 0, done.output
    assert [line for line in done.output.splitlines() if " against " in line] == [
        "tuned against base: 2 pairs",
        "tuned-long against base: 2 pairs",
    ]
    assert lines(done, "Seed:") == [str(config["evaluation"]["random_seed"])]
    assert {path.name for path in (tmp_path / "compared").iterdir()} == {
        *(
            f"{kind}_{model}_against_base.csv"
            for kind in ("pairs", "judges")
            for model in ("tuned", "tuned-long")
        ),
        "metrics_tuned_vs_base.csv",
        "metrics_tuned-long_vs_base.csv",
        "ranking.csv",
        "win_rate_matrix.csv",
    }
    table = pd.read_csv(tmp_path / "compared" / "metrics_tuned_vs_base.csv", index_col="name")
    for judge in ("first-judge", "second-judge"):
        assert table.loc[f"win_rate/{judge}/tuned", "value"] == 1
        assert table.loc[f"alpaca_win_rate/{judge}/base", "value"] == 0
    assert table.loc["aggregate/alpaca_win_rate_difference", "value"] == 1
    with (tmp_path / "compared" / "pairs_tuned_against_base.csv").open(encoding="utf-8") as file:
        (row, _) = csv.DictReader(file)
    assert (row["decision/first-judge"], row["target"]) == ("tuned", "Reference 0.")
    assert row["rationale_BA/second-judge"] == "1 against 3."
    # Each judge sees both orders, under the endpoint's own name and with its own key.
    asked = zip((one["model"] for one in server.requests), server.authorizations, strict=True)
    assert set(asked) == {
        ("judge-large", "Bearer sk-first"),
        ("vendor/judge-small", "Bearer sk-second"),
    }
    assert set(calls(server).values()) == {2 * 2}
    logs = [read_eval_log(one) for one in lines(done, "Log:")]
    assert [log.eval.tags for log in logs] == [[config["task"]]] * 2
    assert command("--config", "config.yaml").exit_code == 0
    assert len(server.requests) == 2 * 2 * 2 * 2


def test_a_variable_that_is_not_set_is_one_line(
    config: dict[str, Any],  # noqa: ARG001 - for the file
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIRST_JUDGE_KEY", "sk-first")
    monkeypatch.delenv("SECOND_JUDGE_KEY", raising=False)
    done = command("--config", "config.yaml")
    assert done.exit_code == 1
    (line,) = done.output.strip().splitlines()
    assert "judges[1].api_key" in line
    assert "SECOND_JUDGE_KEY" in line
    assert server.requests == []


# Stopped on its way


def stopped(
    here: Installation, server: OpenAIServer, folder: Path, sent: signal.Signals
) -> tuple[int, str]:
    """Run a configuration in a process of its own, and stop it after half of the requests.

    Returns:
        The exit code, and what was told.
    """
    for name, quality in {"new": 2, "old": 1}.items():
        answers(folder / f"{name}.csv", quality, questions=MANY)
    judges = [{"name": "judge-a", "model": "judge-a", "base_url": server.url, "api_key": "none"}]
    content = {
        "model_a": ["new.csv"],
        "model_b": ["old.csv"],
        "judges": judges,
        "evaluation": {"max_workers": AT_ONCE},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    half = threading.Event()

    def reply(request: Request) -> Scripted:
        if len(server.requests) > MANY:
            half.set()
        return Scripted(better(request), latency=0.05)

    server.script = reply
    script = here.inspect.with_name("eve-inspect")
    with subprocess.Popen(
        [str(here.python), str(script), "win-rate", "--config", "config.yaml"],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert half.wait(60)
        process.send_signal(sent)
        _, told = process.communicate(timeout=60)
    server.script = better
    return process.returncode, told


def check_that_it_goes_on(server: OpenAIServer) -> None:
    """Assert that the rest is done, and only open samples are paid twice."""
    assert MANY < len(server.requests) < 2 * MANY
    assert server.peak == AT_ONCE
    done = command("--config", "config.yaml")
    assert done.exit_code == 0, done.output
    assert f"new against old: {MANY} pairs" in done.output
    paid = calls(server)
    assert set(paid) == {("judge-a", number) for number in range(MANY)}
    twice = [number for (_, number), count in paid.items() if count > 2]
    assert len(twice) <= AT_ONCE
    assert len(server.requests) <= 2 * MANY + 2 * AT_ONCE
    (log,) = [read_eval_log(one) for one in lines(done, "Log:")]
    assert log.status == "success"
    assert outcomes(log) == {"judge-a": ["win"] * MANY}


def test_after_a_kill_only_open_samples_are_paid_again(
    here: Installation, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a run has done is kept in the user's folder too, where the next run looks for it.
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, environment(tmp_path)[name])
    code, _ = stopped(here, server, tmp_path, signal.SIGKILL)
    assert code == -signal.SIGKILL
    check_that_it_goes_on(server)


def test_an_interrupt_leaves_a_log_that_can_be_used(
    here: Installation, server: OpenAIServer, tmp_path: Path, only_log: ReadLog
) -> None:
    code, told = stopped(here, server, tmp_path, signal.SIGINT)
    assert code == 1
    last = told.strip().splitlines()[-1]
    assert last.startswith("Error: 1 of 1 comparisons did not end")
    assert "the same command goes on" in last
    log = only_log(tmp_path / "logs")
    assert log.status == "cancelled"
    decided = [one for one in win_rate_tables(log).results["outcome/judge-a"] if one]
    assert MANY / 2 - AT_ONCE <= len(decided) < MANY
    assert set(decided) == {"win"}
    check_that_it_goes_on(server)


# By Inspect's own command, and to Weights & Biases


def test_inspect_runs_the_task_without_a_model(
    here: Installation, server: OpenAIServer, tmp_path: Path, only_log: ReadLog
) -> None:
    for name, quality in {"a": 2, "b": 1}.items():
        answers(tmp_path / f"{name}.csv", quality)
    judge = {
        "model": "openai-api/loopback/judge-a",
        "model_args": {"base_url": server.url, "api_key": "none"},
    }
    task = ["eval", "eve_inspect/win_rate", "-T", "model_a=a.csv", "-T", "model_b=b.csv"]
    ran = run_well(
        here.cli(*task, "--model-role", f"judge={json.dumps(judge)}"), tmp_path, tmp_path
    )
    assert "wins_judge-a" in ran.out
    log = only_log(tmp_path / "logs")
    assert (log.status, log.eval.model) == ("success", "none/none")
    assert figures(log)["win_rate/alpaca_win_rate"] == 1
    assert len(server.requests) == 3 * 2


@pytest.mark.slow
def test_results_go_to_weights_and_biases_without_a_network(
    config: dict[str, Any],
    here: Installation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("FIRST_JUDGE_KEY", "SECOND_JUDGE_KEY"):
        monkeypatch.setenv(name, f"sk-{name}")
    monkeypatch.setenv("WANDB_MODE", "offline")
    config["wandb"]["enabled"] = True
    config["model_a"] = config["model_a"][:1]
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    script = here.inspect.with_name("eve-inspect")
    ran = run_well(
        [
            str(here.python),
            str(script),
            "win-rate",
            "--config",
            "config.yaml",
            "--display",
            "plain",
        ],
        tmp_path,
        tmp_path,
    )
    assert "tuned against base: 2 pairs" in ran.out
    assert "2/2" in ran.out  # progress is shown
    runs = tmp_path.glob("wandb/offline-run-*/*.wandb")
    (held,) = [path.read_bytes() for path in runs]
    for figure in (
        b"win_rate/first-judge/tuned",
        b"alpaca_win_rate/second-judge/base",
        b"aggregate/judge_agreement",
        b"tuned_against_base",
        b"radar-questions",
    ):
        assert figure in held
    assert b"sk-" not in held
    assert "sk-" not in ran.out + ran.err
