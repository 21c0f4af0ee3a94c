from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._hub import read_hub
from tests.datasets.conftest import NEW, OLD, SETS, questions
from tests.servers.hub import TOKEN, HubStub, serve_hub


def test_the_newest_commit(hub: HubStub) -> None:
    found = read_hub("eve-esa/open")
    assert (found.records, found.commit, found.unreachable) == (questions(3), NEW, None)
    assert any("/resolve/" in path for path in hub.requests)


@pytest.mark.parametrize(("revision", "commit"), [("v1", OLD), (OLD, OLD), ("main", NEW)])
def test_a_revision(hub: HubStub, revision: str, commit: str) -> None:  # noqa: ARG001
    found = read_hub("eve-esa/open", revision)
    assert found.commit == commit
    assert found.records == questions(2 if commit == OLD else 3)


@pytest.mark.parametrize("repo", ["eve-esa/private", "eve-esa/gated"])
def test_a_token_opens_the_door(
    hub: HubStub,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    repo: str,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert read_hub(repo).records == questions(3)


CAUSES = [
    pytest.param("private", None, None, "is private and no token is set", id="private"),
    pytest.param("gated", None, None, "granted to you, and no token is set", id="gated"),
    pytest.param("unknown", None, None, "does not exist there, or", id="unknown"),
    pytest.param("unknown", None, TOKEN, "the token that is set gives no access", id="no-access"),
    pytest.param("open", None, "hf_wrong", "does not accept the token that is set", id="wrong"),
    pytest.param("open", "v9", None, "it has no revision 'v9'", id="revision"),
    pytest.param("hangs", None, None, "the hub did not answer within", id="hangs"),
    pytest.param("drips", None, None, "the hub did not answer within", id="drips"),
    pytest.param("broken", None, None, "the hub answered with HTTP status 503", id="broken"),
    pytest.param("babbles", None, None, r"cannot be reached \(JSONDecodeError\)", id="babbles"),
    pytest.param("damaged", None, None, r"the download failed \(", id="damaged"),
]


@pytest.mark.parametrize(("name", "revision", "token", "cause"), CAUSES)
def test_what_is_in_the_way_is_told_in_one_line(
    hub: HubStub,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    revision: str | None,
    token: str | None,
    cause: str,
) -> None:
    monkeypatch.setattr("eve_inspect.datasets._hub._REQUEST_SECONDS", 0.3)
    monkeypatch.setattr("eve_inspect.datasets._hub._DEADLINE_SECONDS", 0.5)
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(EveInspectError, match=cause) as caught:
        read_hub(f"eve-esa/{name}", revision)
    message = caught.value.message
    assert message.startswith(f"eve-esa/{name} cannot be loaded from the hub: ")
    assert all(way in message for way in ("HF_TOKEN", "dataset=sample", "dataset=<file>"))
    assert "HF_ENDPOINT is set" in message
    assert not any(secret in message for secret in ("hf_", "127.0.0.1", "\n"))


def test_a_closed_port(hub: HubStub, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    monkeypatch.setenv("HF_ENDPOINT", "http://user:secret@127.0.0.1:9")
    with pytest.raises(EveInspectError, match="the hub cannot be reached") as caught:
        read_hub("eve-esa/open")
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("revision", [None, "v1", OLD])
def test_the_cache_has_it(
    hub: HubStub, monkeypatch: pytest.MonkeyPatch, revision: str | None
) -> None:
    fresh = read_hub("eve-esa/open", revision)
    hub.requests.clear()
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    cached = read_hub("eve-esa/open", revision)
    assert cached[:2] == fresh[:2]
    assert "cannot be reached" in str(cached.unreachable)


def test_the_cache_has_another_revision(hub: HubStub, monkeypatch: pytest.MonkeyPatch) -> None:
    read_hub("eve-esa/open", "v1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    hub.requests.clear()
    with pytest.raises(EveInspectError, match="HF_HUB_OFFLINE is set"):
        read_hub("eve-esa/open", "main")
    assert hub.requests == []


def test_a_split_that_is_not_there(hub: HubStub) -> None:  # noqa: ARG001
    with pytest.raises(
        EveInspectError, match="split='dev' is not in eve-esa/open: use one of train"
    ):
        read_hub("eve-esa/open", split="dev")


# The libraries read their variables at import: here they do so afresh, as in a user's process.

SCRIPT = """
import json, sys
from dataclasses import replace
from eve_inspect.datasets import MCQA_SINGLE, load
from eve_inspect._errors import EveInspectError
told = {}
for name in sys.argv[1:]:
    try:
        told[name] = load(replace(MCQA_SINGLE, hub=f"eve-esa/{name}")).info
    except EveInspectError as error:
        told[name] = error.message
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Variables that lead to a hub of this module's own, which is stopped by ``HF_HUB_OFFLINE``."""
    home = tmp_path_factory.mktemp("home")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    with serve_hub(SETS) as stub:
        yield {**kept, "HF_ENDPOINT": stub.url, "HF_HOME": str(home)}


def tell(environment: dict[str, str], folder: Path, *names: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


def test_environment_variables(environment: dict[str, str], tmp_path: Path) -> None:
    with_token = tell({**environment, "HF_TOKEN": TOKEN}, tmp_path, "open", "private")
    assert [info["commit"] for info in with_token.values()] == [NEW, NEW]
    offline = tell({**environment, "HF_HUB_OFFLINE": "1"}, tmp_path, "open", "private", "gated")
    told = "eve-esa/gated cannot be loaded from the hub: HF_HUB_OFFLINE is set"
    assert offline.pop("gated").startswith(told)
    assert all("HF_HUB_OFFLINE is set" in info["warnings"][0] for info in offline.values())


def test_command_line(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "exam.py").write_text(
        "from inspect_ai import Task, task\n"
        "from eve_inspect.datasets import MCQA_SINGLE, load\n"
        "@task\n"
        "def exam(dataset: str = 'hub') -> Task:\n"
        "    return Task(load(MCQA_SINGLE, dataset).dataset)\n"
    )
    closed = {**environment, "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "eval", "exam.py", "--model", "none/none"],
        env=closed,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("Error: "))
    assert line.startswith("Error: eve-esa/mcqa-single-answer cannot be loaded from the hub: ")
    assert line.endswith("(.parquet, .jsonl, .json, .csv).")
