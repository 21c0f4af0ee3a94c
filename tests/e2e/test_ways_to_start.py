"""Every way that a user starts the suite gives the same run under the same name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from inspect_ai.log import EvalLog, read_eval_log
from nbclient import NotebookClient

from tests.e2e.conftest import Exam
from tests.e2e.starting import Installation, endpoint, environment, run_well

ReadLog = Callable[[Path], EvalLog]

_CALL = """
from inspect_ai import eval
from eve_inspect import mcqa_single

(log,) = eval(
    mcqa_single(dataset="sample"),
    model="openai-api/loopback/model",
    model_base_url={url!r},
    model_args={{"api_key": "none"}},
    log_dir={log_dir!r},
    limit={limit},
)
"""
_WHERE = """
import eve_inspect, importlib.metadata, json
found = importlib.metadata.distribution("eve-inspect")
print(json.dumps([eve_inspect.__file__, str(found.locate_file("eve_inspect/__init__.py"))]))
"""


def _eval(exam: Exam, *what: str) -> list[str]:
    return ["eval", *what, *endpoint(exam.server), "-T", "dataset=sample", f"--limit={exam.limit}"]


def _call(exam: Exam, logs: Path) -> str:
    return _CALL.format(url=exam.server.url, log_dir=str(logs), limit=exam.limit)


@pytest.mark.xdist_group("wheel")
class TestWheel:
    """From a wheel in a fresh environment, in an empty folder."""

    def test_nothing_but_the_wheel_is_seen(self, from_wheel: Installation, tmp_path: Path) -> None:
        found = json.loads(run_well(from_wheel.code(_WHERE), tmp_path, tmp_path).out)
        venv = from_wheel.python.parents[1]
        assert [Path(path).is_relative_to(venv) for path in found] == [True, True], found

    def test_by_name(
        self, from_wheel: Installation, exam: Exam, tmp_path: Path, only_log: ReadLog
    ) -> None:
        ran = run_well(from_wheel.cli(*_eval(exam, "eve_inspect/mcqa_single")), tmp_path, tmp_path)
        # Nothing was said of a place, so the log is where `inspect view` looks for it.
        exam.check(only_log(tmp_path / "logs"))
        assert "coverage" in ran.out

    def test_by_run_file(
        self,
        from_wheel: Installation,
        exam: Exam,
        tmp_path: Path,
        repository: Path,
        only_log: ReadLog,
    ) -> None:
        run_file = str(repository / "tasks" / "mcqa_single" / "run.yaml")
        run_well(from_wheel.cli(*_eval(exam, "--run-config", run_file)), tmp_path, tmp_path)
        log = only_log(tmp_path / "logs")
        exam.check(log)
        assert log.plan.config.temperature == 0
        assert {request["temperature"] for request in exam.server.requests} == {0}

    def test_from_python(
        self, from_wheel: Installation, exam: Exam, tmp_path: Path, only_log: ReadLog
    ) -> None:
        where = f"import eve_inspect\nprint(eve_inspect.__file__)\n{_call(exam, tmp_path / 'logs')}"
        ran = run_well(from_wheel.code(where), tmp_path, tmp_path)
        exam.check(only_log(tmp_path / "logs"))
        assert Path(ran.out.splitlines()[0]).is_relative_to(from_wheel.python.parents[1])


class TestEditable:
    """From an editable installation, in the repository's root."""

    def test_by_name(
        self, here: Installation, exam: Exam, tmp_path: Path, repository: Path, only_log: ReadLog
    ) -> None:
        command = _eval(exam, "eve_inspect/mcqa_single", "--log-dir", str(tmp_path / "logs"))
        run_well(here.cli(*command), repository, tmp_path)
        exam.check(only_log(tmp_path / "logs"))

    def test_by_run_file(
        self, here: Installation, exam: Exam, tmp_path: Path, repository: Path, only_log: ReadLog
    ) -> None:
        command = _eval(exam, "--run-config", "tasks/mcqa_single/run.yaml")
        run_well(here.cli(*command, f"--log-dir={tmp_path / 'logs'}"), repository, tmp_path)
        log = only_log(tmp_path / "logs")
        exam.check(log)
        assert log.plan.config.temperature == 0

    def test_from_python(
        self, here: Installation, exam: Exam, tmp_path: Path, repository: Path, only_log: ReadLog
    ) -> None:
        run_well(here.code(_call(exam, tmp_path / "logs")), repository, tmp_path)
        exam.check(only_log(tmp_path / "logs"))


def _notebook(sources: list[str]) -> nbformat.NotebookNode:
    cell: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    cells = [{**cell, "id": f"cell-{n}", "source": source} for n, source in enumerate(sources)]
    saved = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    node: nbformat.NotebookNode = nbformat.from_dict(saved)  # type: ignore[no-untyped-call]
    return node


def test_notebook_in_the_root(
    exam: Exam, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = environment(tmp_path)
    for name in ("HOME", *(name for name in user if name.startswith("JUPYTER_"))):
        monkeypatch.setenv(name, user[name])
    table = (
        "from eve_inspect import results\n"
        "table = results(log).set_index('metric')\n"
        "columns = ['value', 'value_over_all', 'coverage', 'replies']\n"
        "print(table.loc['accuracy', columns].to_json())"
    )
    where = "import eve_inspect\nprint(log.location, eve_inspect.__file__)"
    cells = [_call(exam, tmp_path / "logs"), where, table]
    notebook = _notebook(cells)
    client = NotebookClient(
        notebook, timeout=100, kernel_name="python3", resources={"metadata": {"path": repository}}
    )
    client.execute(env=user)
    places, figures = [
        "".join(part["text"] for part in cell.outputs if part.get("name") == "stdout").strip()
        for cell in notebook.cells[1:]
    ]
    location, source = places.split()
    assert Path(source).is_relative_to(repository)
    exam.check(read_eval_log(location))
    assert json.loads(figures) == {
        "value": exam.accuracy,
        "value_over_all": exam.accuracy,
        "coverage": 1,
        "replies": exam.limit,
    }
