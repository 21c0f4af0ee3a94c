"""What goes to Weights & Biases, read back from what a run without a network leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from eve_inspect import EveInspectError
from eve_inspect.reports import _win_rate_wandb
from eve_inspect.reports._win_rate_tables import win_rate_tables
from eve_inspect.reports._win_rate_wandb import log_win_rate_to_wandb
from tests.reports.win_rate_logs import log_of, panel_of

ALL = {
    "win_rates": True,
    "accuracy_rates": True,
    "judge_agreement": True,
    "position_bias": True,
    "visualizations": True,
    "raw_results": True,
    "sample_rationales": True,
    "sample_count": 2,
}
MEDIA = {"win_rate_chart", "results", "summary", "sample_rationales"}
NONE: dict[str, bool | int] = {**dict.fromkeys(ALL, False), "sample_count": 2}
_SEND = """
import json, sys
from pathlib import Path
from inspect_ai.log import read_eval_log
from eve_inspect.reports._win_rate_wandb import log_win_rate_to_wandb
given = json.loads(sys.argv[1])
print(log_win_rate_to_wandb(
    read_eval_log(given["log"]), project="p", entity=None, run_name="eve_vs_base", tags=["one"],
    task="open_ended", log_options=given["options"], files=[Path(one) for one in given["files"]],
))
"""
_READ = """
import json, sys
from pathlib import Path
from wandb.proto.wandb_internal_pb2 import Record
data, place, part, found = Path(sys.argv[1]).read_bytes(), 7, b"", {}
while place + 7 <= len(data):
    room = 32768 - place % 32768
    if room < 7:  # the rest of a block is padding
        place += room
        continue
    size, kind = int.from_bytes(data[place + 4 : place + 6], "little"), data[place + 6]
    part += data[place + 7 : place + 7 + size]
    place += 7 + size
    if kind in (1, 4):  # a whole record, or its last part
        record, part = Record.FromString(part), b""
        name = record.WhichOneof("record_type")
        if name == "history":
            for item in record.history.item:
                key = item.key or "/".join(item.nested_key)
                found.setdefault(name, {})[key] = json.loads(item.value_json)
        elif name == "run":
            found[name] = {
                "name": record.run.display_name, "project": record.run.project,
                "tags": list(record.run.tags),
                "config": {i.key: json.loads(i.value_json) for i in record.run.config.update},
            }
        elif name == "artifact":
            paths = [entry.path for entry in record.artifact.manifest.contents]
            found.setdefault(name, {})[record.artifact.type] = paths
        elif name == "exit":
            found[name] = record.exit.exit_code
print(json.dumps(found))
"""


def python(
    code: str, *arguments: str, folder: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own: wandb starts threads and a server."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WANDB_")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={
            **kept,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "HOME": str(folder),
            "WANDB_DIR": str(folder),
            **variables,
        },
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )


def sent(log: EvalLog, options: Mapping[str, bool | int], folder: Path) -> dict[str, Any]:
    """Return what a run recorded."""
    result = folder / "results.csv"
    result.write_text("id\n", encoding="utf-8")
    given = {"log": log.location, "options": dict(options), "files": [str(result)]}
    done = python(_SEND, json.dumps(given), folder=folder, WANDB_MODE="offline")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "None"
    (file,) = folder.glob("wandb/offline-run-*/*.wandb")
    read = python(_READ, str(file), folder=folder)
    assert read.returncode == 0, read.stderr
    return dict(json.loads(read.stdout))


def figures_of(found: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of a run, without wandb's own and those of pictures and tables."""
    return {
        name: value
        for name, value in found["history"].items()
        if isinstance(value, int | float)
        if not name.startswith("_") and name.split("/")[0] not in MEDIA
    }


def defined(log: EvalLog) -> dict[str, float]:
    """Return the figures of a log that are defined."""
    table = win_rate_tables(log).metrics.dropna()
    return dict(zip(table["name"], table["value"], strict=True))


def leaves(folder: Path) -> Iterator[bytes]:
    """Yield the content of all files of a run."""
    yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_everything_goes_under_its_name_and_no_secret_with_it(tmp_path: Path) -> None:
    rows = panel_of({"a": ["win", "loss", "tie", None], "b": ["win"] * 4}, mode="correctness")
    for row in rows:
        row["judges"]["b"]["correct"] = {"model": 1.0, "baseline": 0.0}
    log = log_of(tmp_path / "logs", rows)
    folder = tmp_path / "run"
    folder.mkdir()
    found = sent(log, ALL, folder)
    assert figures_of(found) == pytest.approx(defined(log))
    assert {"win_rate/a/eve", "accuracy/b/base", "position_bias/a"} <= set(figures_of(found))
    history = found["history"]
    assert history["win_rate_chart/_type"] == "image-file"
    kinds = [history[f"{name}/_type"] for name in ("results", "summary", "sample_rationales")]
    assert kinds == ["table-file"] * 3
    assert history["results/nrows"] == 4
    assert history["sample_rationales/nrows"] == 2 * 2  # pairs, judges
    assert (found["artifact"]["win_rate"], found["exit"]) == (["results.csv"], 0)
    run = found["run"]
    assert (run["name"], run["project"], run["tags"]) == ("eve_vs_base", "p", ["one"])
    config = run["config"]
    assert (config["task"], config["model"], config["baseline"]) == ("open_ended", "eve", "base")
    assert config["judges"] == {"a": "openai/judge", "b": "openai/judge"}
    assert (config["mode"], config["random_seed"], config["pairs"]) == ("correctness", 7, 4)
    assert not any(b"secret-address" in one for one in leaves(folder / "wandb"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen", "some", "other"),
    [
        (("win_rates",), "alpaca_win_rate/a/eve", "position_bias/a"),
        (("judge_agreement", "sample_rationales"), "aggregate/judge_agreement", "win_rate/a/eve"),
    ],
    ids=["win-rates", "agreement-and-rationales"],
)
def test_only_what_is_selected_goes(
    tmp_path: Path, chosen: tuple[str, ...], some: str, other: str
) -> None:
    log = log_of(tmp_path / "logs", panel_of({"a": ["win", "loss"], "b": ["win", "win"]}))
    found = sent(log, {**NONE, **dict.fromkeys(chosen, True)}, tmp_path)
    names = set(found["history"])
    assert some in names
    assert other not in names
    assert "win_rate" not in found.get("artifact", {})
    assert {name.split("/")[0] for name in names} & MEDIA == set(chosen) & {"sample_rationales"}


def test_without_a_login_the_error_says_where_the_results_are(tmp_path: Path) -> None:
    log = log_of(tmp_path / "logs", panel_of({"a": ["win"]}))
    given = {"log": log.location, "options": NONE, "files": ["out/results.csv"]}
    done = python(_SEND, json.dumps(given), folder=tmp_path, WANDB_MODE="online")
    (line,) = [one for one in done.stderr.splitlines() if "Error: Weights" in one]
    assert "did not take run 'eve_vs_base' of project 'p'" in line
    assert "the results are in out/results.csv" in line
    assert "WANDB_MODE=offline" in line


def send(log: EvalLog) -> None:
    """Send next to nothing."""
    log_win_rate_to_wandb(
        log,
        project="p",
        entity=None,
        run_name="r",
        tags=(),
        task="t",
        log_options=NONE,
        files=(),
    )


def test_without_the_package_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        assert name == "wandb"

    monkeypatch.setattr(_win_rate_wandb, "find_spec", missing)
    with pytest.raises(EveInspectError, match=r'pip install "eve-inspect\[wandb\]"'):
        send(log_of(tmp_path, panel_of({"a": ["win"]})))


def test_an_error_of_any_kind_is_one_line_that_names_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no\nnetwork")

    monkeypatch.setattr(_win_rate_wandb, "_send", fail)
    log = log_of(tmp_path, panel_of({"a": ["win"]}))
    with pytest.raises(EveInspectError, match=r"\(no network\)") as caught:
        send(log)
    assert log.location in caught.value.message
    assert "\n" not in caught.value.message
