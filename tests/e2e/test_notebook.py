"""The notebook runs as it is written, in a kernel of its own; its judges are on loopback."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.servers.openai_server import OpenAIServer, Request, user_text

JUDGES = ("judge-a", "judge-b")


def blocks(text: str) -> dict[str, str]:
    """Return what stands between marks of a message to a judge."""
    found: dict[str, str] = {}
    for tag in ("reference", "answer_a", "answer_b"):
        opened = text.index(f"<{tag} ")
        found[tag] = text[text.index(">", opened) + 1 : text.index(f"</{tag} ")]
    return found


def by_reference(request: Request) -> str:
    """Prefer the answer that has more of the reference's words; judge-b is drawn to the first."""
    shown = blocks(user_text(request))
    wanted = set(shown["reference"].casefold().split())
    first, second = (
        len(wanted & set(shown[f"answer_{place}"].casefold().split())) for place in "ab"
    )
    tie = "A" if request["model"] == "judge-b" else "tie"
    winner = tie if first == second else "A" if first > second else "B"
    return json.dumps({"rationale": f"{first} against {second} words.", "winner": winner})


def notebook_of(repository: Path) -> nbformat.NotebookNode:
    path = repository / "docs" / "win_rate.ipynb"
    node: nbformat.NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return node


@pytest.fixture
def outputs(
    server: OpenAIServer, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """What the cells of the notebook show."""
    server.script = by_reference
    monkeypatch.setenv("LOOPBACK_BASE_URL", server.url)
    monkeypatch.setenv("LOOPBACK_API_KEY", "a-secret")
    monkeypatch.setenv("JUDGES", ",".join(f"openai-api/loopback/{one}" for one in JUDGES))
    monkeypatch.setenv("FOLDER", str(tmp_path / "example"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(repository)]))
    notebook = notebook_of(repository)
    NotebookClient(notebook, timeout=100, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown: list[Any] = [
        output.get("text") or output.get("data", {})
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]
    assert any("image/png" in one for one in shown)
    return "\n".join(
        one if isinstance(one, str) else str(one.get("text/markdown") or one.get("text/plain", ""))
        for one in shown
    )


def test_the_notebook_shows_what_it_says(outputs: str, server: OpenAIServer) -> None:
    # Of ten answers two are the same, and the short one is better in eight.
    assert re.search(r"^\d +panel .*\b0\.9 ", outputs, re.MULTILINE)
    assert "decided for: **short**" in outputs
    assert "short shown first: 8 against 1 words." in outputs
    assert re.search(r"^position_first_judge-b +1\.0$", outputs, re.MULTILINE)
    assert re.search(r"^inconsistent +0\.5$", outputs, re.MULTILINE)
    assert re.search(r"^2 +wrong +-\d\.\d+ .* 3 +3 +3$", outputs, re.MULTILINE)
    assert re.search(r"^wrong +0\.1 +0\.1 +NaN$", outputs, re.MULTILINE)
    # Two comparisons and a round robin of three, of ten pairs by two judges in both orders.
    assert len(server.requests) == 5 * 10 * 2 * 2


def test_it_is_kept_without_outputs(repository: Path) -> None:
    """What was printed on somebody's machine is nothing to read."""
    notebook = notebook_of(repository)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    assert not any(cell.get("execution_count") for cell in notebook.cells)
