"""Runs of two commands against the loopback server, and what they took, as a ratio."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
MOST = 1.5
"""Times the bare scorer's wall time that ours may take."""


class Measured(NamedTuple):
    """One run.

    Attributes:
        run: Seconds from the first to the last sample.
        whole: Seconds of the command.
        cpu: CPU seconds of the command.
        memory: Its peak, in MiB.
        calls: Requests that the server received, by model.
        value: The mean that the log reports.
        load: The machine's load over the last minute of the run: above its cores, the wall time
            says more about the neighbours than about us, and CPU is the better guide.
    """

    run: float
    whole: float
    cpu: float
    memory: float
    calls: dict[str, int]
    value: float
    load: float


class Setting(NamedTuple):
    """What both runs have in common."""

    url: str
    judges: list[str]
    connections: int
    calls: dict[str, int]
    """The calls of a run in which nothing fails, by model."""

    def command(self, logs: Path, *what: str) -> list[str]:
        """Return the command of a run, as a user would type it."""
        arguments = {"base_url": self.url, "api_key": "none"}
        panel = [
            {"model": f"openai-api/loopback/{judge}", "model_args": arguments}
            for judge in self.judges
        ]
        candidate = ["--model", "openai-api/loopback/candidate", "-M", "api_key=none"]
        return [
            str(Path(sys.executable).parent / "inspect"),
            *("eval", *what, "--max-samples", str(self.connections)),
            *([*candidate, "--model-base-url", self.url] if "candidate" in self.calls else []),
            *("--model-role", f"judge={json.dumps(panel)}"),
            *("--max-connections", str(self.connections)),
            *("--log-dir", str(logs), "--display", "none"),
        ]


def measure(setting: Setting, logs: Path, *what: str) -> Measured:
    """Run a command and return what it took."""
    before = calls_so_far(setting.url)
    started = time.perf_counter()
    process = subprocess.Popen(
        setting.command(logs, *what), env={**os.environ, "INSPECT_LOG_LEVEL": "error"}, cwd=ROOT
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    whole = time.perf_counter() - started
    load = os.getloadavg()[0]
    if process.returncode != 0:
        raise SystemExit(f"{what[0]} ended with exit code {process.returncode}")
    run, value = run_of(logs)
    after = calls_so_far(setting.url)
    calls = {model: count - before.get(model, 0) for model, count in after.items()}
    if calls != setting.calls:
        raise SystemExit(f"{what[0]} made other calls than {setting.calls}: {calls}")
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(run, whole, cpu, usage.ru_maxrss / 1024, calls, value, load)


def calls_so_far(url: str) -> dict[str, int]:
    """Return the requests that each model has received."""
    with urlopen(f"{url}/count") as response:
        counts: dict[str, int] = json.load(response)
    return counts


def run_of(logs: Path) -> tuple[float, float]:
    """Return the seconds from the first to the last sample, and the mean of the panel."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    log = read_eval_log(list_eval_logs(str(logs))[0], header_only=True)
    if log.status != "success" or log.results is None:
        raise SystemExit(f"the run ended with status {log.status!r}")
    started, completed = (
        datetime.fromisoformat(stamp) for stamp in (log.stats.started_at, log.stats.completed_at)
    )
    (value,) = (
        score.metrics["mean"].value
        for score in log.results.scores
        if score.name in ("llm_as_judge_avg", "ask_judges", "preference_avg", "ask_pairs")
    )
    return (completed - started).total_seconds(), float(value)


@contextmanager
def serving(latency: float, answer: str, verdict: str) -> Iterator[str]:
    """Serve the candidate's answer and the judges' verdict in a process of its own."""
    server = subprocess.Popen(
        [
            *(sys.executable, ROOT / "tests/servers/openai_server.py"),
            *("--latency", str(latency), "--reply", answer, "--judge-reply", verdict),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


def show(name: str, runs: list[Measured]) -> None:
    """Print the runs of one scorer."""
    for one in runs:
        print(
            f"{name:<6} run {one.run:6.1f} s   whole {one.whole:6.1f} s   CPU {one.cpu:6.1f} s   "
            f"peak {one.memory:4.0f} MiB   calls {sum(one.calls.values())}   "
            f"mean {one.value:.3f}   load {one.load:.1f}"
        )


def options_of(description: str | None, samples: str) -> argparse.Namespace:
    """Read the options that the benchmarks share.

    Args:
        description: Of the benchmark.
        samples: What is counted: samples, pairs.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--samples", type=int, default=1257, help=samples)
    parser.add_argument("--judges", type=int, default=4)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--connections", type=int, default=32, help="per model")
    parser.add_argument("--rounds", type=int, default=1, help="runs of each, in turns")
    return parser.parse_args()


def compare(
    options: argparse.Namespace,
    ours: str,
    replies: tuple[str, str],
    asked: Mapping[str, int],
    commands: Callable[[Path], Mapping[str, Sequence[str]]],
) -> int:
    """Run the bare scorer and ours in turns, print what they took, and return the exit code.

    Args:
        options: The shared options.
        ours: The name of our run; the other one is ``bare``.
        replies: What the server says as a candidate and as a judge.
        asked: Calls of each sample to the candidate and to each judge.
        commands: Writes data into a folder and returns what to evaluate, by name.
    """
    judges = [f"judge-{number}" for number in range(1, options.judges + 1)]
    runs: dict[str, list[Measured]] = {"bare": [], ours: []}
    with serving(options.latency, *replies) as url, tempfile.TemporaryDirectory() as folder:
        calls = {"candidate": asked["candidate"], **dict.fromkeys(judges, asked["judge"])}
        expected = {name: count * options.samples for name, count in calls.items() if count}
        setting = Setting(url, judges, options.connections, expected)
        what = commands(Path(folder))
        for number in range(options.rounds):
            for name in ("bare", ours) if number % 2 == 0 else (ours, "bare"):
                logs = Path(folder, f"{name}-{number}")
                runs[name].append(measure(setting, logs, *what[name]))
    print(
        f"{options.samples} samples, {options.judges} judges, {options.latency} s, "
        f"{options.connections} connections per model"
    )
    for name, measured in runs.items():
        show(name, measured)
    ratio, whole, cpu = (
        sum(getattr(one, field) for one in runs[ours])
        / sum(getattr(one, field) for one in runs["bare"])
        for field in ("run", "whole", "cpu")
    )
    print(f"{ours} / bare: run {ratio:.2f} (at most {MOST}), whole {whole:.2f}, CPU {cpu:.2f}")
    return int(ratio > MOST)
