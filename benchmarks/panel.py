"""What a panel of judges costs beside a bare scorer of Inspect's that makes the same calls.

``python -m benchmarks.panel`` evaluates ``open_ended`` on 1,257 synthetic rows with four judges at
0.2 s latency over 32 connections per model, against the loopback server, and
``benchmarks/bare.py@bare_judges`` on the same rows in the same minutes. The ratio of the two can be
compared between machines and versions. Both are bound by CPU: each call costs Inspect far more than
the latency costs the run. ``--samples 200`` gives a quick look; ``--rounds 2`` runs each twice, in
the order bare, panel, panel, bare. On a machine that others use, one pair can be off by a quarter
either way: judge by several rounds, and by CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
MOST = 1.5
"""Times the bare scorer's wall time that the panel may take."""

_ANSWER = (
    "Synthetic aperture radar sees through clouds, since its wavelength of several centimetres is "
    "far longer than a droplet is wide. It lights the scene itself, so it works by night as well. "
    "What comes back depends on roughness, moisture and geometry, which makes flooded land stand "
    "out dark."
)
_RATIONALE = (
    "The answer names the wavelength, the independence of sunlight and what the echo depends on as "
    "the reference does. It leaves out the double bounce in flooded forest, which the reference "
    "mentions in passing. No statement in it is wrong."
)
_REFERENCE = (
    "Radar waves of several centimetres pass clouds, and an active sensor needs no sunlight. Calm "
    "water reflects them away from the sensor and looks dark; flooded forest looks bright, because "
    "trunk and water surface send the wave back together."
)
_SCORE = 4


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
    rows: Path
    samples: int
    judges: list[str]
    connections: int

    @property
    def calls(self) -> dict[str, int]:
        """The calls of a run in which nothing fails."""
        return dict.fromkeys(["candidate", *self.judges], self.samples)

    def command(self, logs: Path, *what: str) -> list[str]:
        """Return the command of a run, as a user would type it."""
        arguments = {"base_url": self.url, "api_key": "none"}
        panel = [
            {"model": f"openai-api/loopback/{judge}", "model_args": arguments}
            for judge in self.judges
        ]
        return [
            str(Path(sys.executable).parent / "inspect"),
            *("eval", *what, "--model", "openai-api/loopback/candidate"),
            *("--model-base-url", self.url, "-M", "api_key=none"),
            *("--model-role", f"judge={json.dumps(panel)}"),
            *("--max-connections", str(self.connections)),
            *("--log-dir", str(logs), "--display", "none"),
        ]


def write_rows(path: Path, count: int) -> None:
    """Write synthetic rows in the columns of the hub's set."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            question = f"Synthetic question {number}: why does radar map floods under clouds?"
            file.write(json.dumps({"Question": question, "Answer": _REFERENCE}) + "\n")


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
        if score.name in ("llm_as_judge_avg", "ask_judges")
    )
    return (completed - started).total_seconds(), float(value)


@contextmanager
def serving(latency: float) -> Iterator[str]:
    """Serve the candidate's answer and the judges' verdict in a process of its own."""
    verdict = json.dumps({"rationale": _RATIONALE, "score": _SCORE})
    server = subprocess.Popen(
        [
            *(sys.executable, ROOT / "tests/servers/openai_server.py"),
            *("--latency", str(latency), "--reply", _ANSWER, "--judge-reply", verdict),
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


def frame() -> int:
    """Return the characters that our message to a judge has besides the material."""
    from eve_inspect.prompts import resolve_rubric
    from eve_inspect.scorers._judge_panel import grading

    graded = grading()
    rubric = resolve_rubric("0_5", None)
    return len(rubric.render(question="", output="", reference="", format_instructions=graded.form))


def show(name: str, runs: list[Measured]) -> None:
    """Print the runs of one scorer."""
    for one in runs:
        print(
            f"{name:<6} run {one.run:6.1f} s   whole {one.whole:6.1f} s   CPU {one.cpu:6.1f} s   "
            f"peak {one.memory:4.0f} MiB   calls {sum(one.calls.values())}   "
            f"mean {one.value:.3f}   load {one.load:.1f}"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1257)
    parser.add_argument("--judges", type=int, default=4)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--connections", type=int, default=32, help="per model")
    parser.add_argument("--rounds", type=int, default=1, help="runs of each, in turns")
    options = parser.parse_args()
    judges = [f"judge-{number}" for number in range(1, options.judges + 1)]
    runs: dict[str, list[Measured]] = {"bare": [], "panel": []}
    with serving(options.latency) as url, tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.jsonl")
        write_rows(rows, options.samples)
        setting = Setting(url, rows, options.samples, judges, options.connections)
        what = {
            "bare": ["benchmarks/bare.py@bare_judges", "-T", f"rows={rows}", "-T"],
            "panel": ["eve_inspect/open_ended", "-T", f"dataset={rows}"],
        }
        what["bare"].append(f"frame={frame()}")
        for number in range(options.rounds):
            for name in ("bare", "panel") if number % 2 == 0 else ("panel", "bare"):
                logs = Path(folder, f"{name}-{number}")
                runs[name].append(measure(setting, logs, *what[name]))
    print(
        f"{options.samples} samples, {options.judges} judges, {options.latency} s, "
        f"{options.connections} connections per model"
    )
    for name, measured in runs.items():
        show(name, measured)
    ratio, whole, cpu = (
        sum(getattr(one, field) for one in runs["panel"])
        / sum(getattr(one, field) for one in runs["bare"])
        for field in ("run", "whole", "cpu")
    )
    print(f"panel / bare: run {ratio:.2f} (at most {MOST}), whole {whole:.2f}, CPU {cpu:.2f}")


if __name__ == "__main__":
    main()
