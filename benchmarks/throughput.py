"""How close a whole run comes to the limit that latency and connections set.

``python -m benchmarks.throughput`` evaluates ``mcqa_single`` on 1,261 synthetic rows against the
loopback server at 0.2 s latency over 32 connections. No run can take less than
ceil(1261 / 32) * 0.2 s; the ratio to that limit can be compared between machines and versions.
Inspect itself needs some 20 ms of CPU a sample, so on a fast endpoint the ratio says more about
that than about us: ``benchmarks/bare.py`` asks the same with Inspect's own parts and is run beside.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
_OPTIONS = ("5 m", "10 m", "20 m", "60 m")


def write_rows(path: Path, count: int) -> None:
    """Write synthetic rows in the columns of the hub's set."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = {
                "Question": f"Synthetic question {number}: which pixel size has band {number}? "
                + "It is asked at some length, as real questions are. " * 4,
                "Choices": _OPTIONS,
                "Answer": "ABCD"[number % 4],
            }
            file.write(json.dumps(row) + "\n")


def evaluate(task: str, url: str, logs: Path, connections: int) -> float:
    """Run a task as a user would, and return the CPU seconds that it took."""
    name, argument = task.split(" ")
    command = [
        str(Path(sys.executable).parent / "inspect"),
        *("eval", name, "-T", argument, "--model", "openai-api/loopback/model"),
        *("--model-base-url", url, "-M", "api_key=none"),
        *("--max-connections", str(connections), "--max-samples", str(connections)),
        *("--log-dir", str(logs), "--display", "none"),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, "INSPECT_LOG_LEVEL": "error"}, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of_run(logs: Path) -> tuple[float, float]:
    """Return the seconds from the first to the last sample, and the accuracy."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    log = read_eval_log(list_eval_logs(str(logs))[0], header_only=True)
    if log.status != "success" or log.results is None:
        raise SystemExit(f"the run ended with status {log.status!r}")
    started, completed = (
        datetime.fromisoformat(stamp) for stamp in (log.stats.started_at, log.stats.completed_at)
    )
    accuracy = float(log.results.scores[0].metrics["accuracy"].value)
    return (completed - started).total_seconds(), accuracy


def main() -> None:
    """Measure once and print one figure a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1261)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    limit = math.ceil(options.rows / options.connections) * options.latency
    server = subprocess.Popen(
        [
            sys.executable,
            ROOT / "tests/servers/openai_server.py",
            "--latency",
            str(options.latency),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder, "rows.jsonl")
            write_rows(rows, options.rows)
            before = time.perf_counter()
            ours = f"eve_inspect/mcqa_single dataset={rows}"
            cpu = evaluate(ours, url, Path(folder, "ours"), options.connections)
            whole = time.perf_counter() - before
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            run, accuracy = seconds_of_run(Path(folder, "ours"))
            bare = f"benchmarks/bare.py@bare rows={rows}"
            bare_cpu = evaluate(bare, url, Path(folder, "bare"), options.connections)
            bare_run, _ = seconds_of_run(Path(folder, "bare"))
    finally:
        server.terminate()
        server.wait()
    print(f"rows, connections, latency  {options.rows}, {options.connections}, {options.latency} s")
    print(f"accuracy (every reply is B) {accuracy:.3f}")
    print(f"limit                       {limit:.1f} s")
    print(f"run                         {run:.1f} s, {run / limit:.2f} times the limit")
    print(f"whole command               {whole:.1f} s, {whole / limit:.2f} times the limit")
    print(f"CPU                         {cpu:.1f} s")
    print(f"peak memory                 {memory:.0f} MiB")
    print(f"bare Inspect task           {bare_run:.1f} s, CPU {bare_cpu:.1f} s")
    print(f"run / bare Inspect task     {run / bare_run:.2f}, CPU {cpu / bare_cpu:.2f}")


if __name__ == "__main__":
    main()
