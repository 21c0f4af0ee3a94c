"""What README.md shows is what runs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest


def blocks(repository: Path, language: str) -> list[str]:
    """Return the README's code blocks in a language."""
    text = (repository / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_lines_to_type_are_those_that_make_runs(repository: Path) -> None:
    # The defaults, also where the tests themselves were started by make with other values.
    command = ["make", "-nB", "VENV=.venv", "PYTHON=python3", "demo", "test"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    printed = subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, text=True, check=True
    ).stdout
    joined = re.sub(r"\\\n\s*", "", printed)
    run = {
        re.sub(r" --(quiet|disable-pip-version-check)", "", line) for line in joined.splitlines()
    }
    typed = blocks(repository, "bash")[1].splitlines()
    assert len(typed) == 6
    assert [line for line in typed if line not in run] == []


def test_the_python_block_runs(
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (code,) = blocks(repository, "python")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec(code, scope)
    assert "accuracy" in capsys.readouterr().out
    assert set(scope["table"].replies) == {8}


def test_every_link_to_a_file_leads_somewhere(repository: Path) -> None:
    pages = [
        repository / "README.md",
        repository / "CONTRIBUTING.md",
        *(repository / "tasks").rglob("*.md"),
        *(repository / "scorers").rglob("*.md"),
    ]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) > 10
    assert [(p.name, t) for p, t in links if not (p.parent / t).exists()] == []
