"""Rows, cases and a loopback hub for the tests of data sets."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from tests.servers.hub import HubSet, HubStub, serve_hub

CASES = Path(__file__).parents[1] / "data" / "cases"
NEW, OLD = "a" * 40, "b" * 40
Case = Mapping[str, Any]


@pytest.fixture(scope="session")
def cases() -> Mapping[str, Case]:
    """The cases about data, by id."""
    return {
        entry["id"]: entry
        for name in ("data", "halluc_binary", "halluc_span", "runtime")
        for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        for entry in [json.loads(line)]
    }


def to_parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), buffer)
    return buffer.getvalue()


def questions(count: int, gold: str = "B") -> list[dict[str, Any]]:
    """Return single-answer rows in the hub's columns, with texts that look like other types."""
    return [
        {"Question": f"Question {i}?", "Choices": ["NA", "None", "1e3", "007"], "Answer": gold}
        for i in range(count)
    ]


def hub_files(rows: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the files of a commit, laid out as on the hub."""
    card = b"---\nlicense: mit\nconfigs:\n- config_name: default\n  data_files:\n"
    card += b"  - split: train\n    path: data/train-*\n---\n"
    return {"README.md": card, "data/train-00000-of-00001.parquet": to_parquet(rows)}


def with_pool(rows: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the files of a commit that has a split ``dev`` too, of one other question."""
    pool = [{"Question": "Pool?", "Choices": ["w", "x"], "Answer": "A"}]
    card = b"---\nconfigs:\n- config_name: default\n  data_files:\n"
    card += b"  - split: train\n    path: data/train-*\n  - split: dev\n    path: data/dev-*\n---\n"
    return {
        "README.md": card,
        "data/train-0.parquet": to_parquet(rows),
        "data/dev-0.parquet": to_parquet(pool),
    }


COMMITS = {NEW: hub_files(questions(3)), OLD: hub_files(questions(2))}
REFS = {"main": NEW, "v1": OLD}
SETS = {
    "eve-esa/open": HubSet(COMMITS, REFS),
    "eve-esa/mcqa-single-answer": HubSet(
        {NEW: with_pool(questions(3)), OLD: with_pool(questions(2))}, REFS
    ),
    "eve-esa/mcqa-multiple-answers": HubSet(COMMITS, REFS, door="hangs"),
    "eve-esa/private": HubSet(COMMITS, REFS, door="private"),
    "eve-esa/gated": HubSet(COMMITS, REFS, door="gated"),
    "eve-esa/hangs": HubSet(COMMITS, REFS, door="hangs"),
    "eve-esa/drips": HubSet(COMMITS, REFS, door="drips"),
    "eve-esa/broken": HubSet(COMMITS, REFS, door="broken"),
    "eve-esa/babbles": HubSet(COMMITS, REFS, door="babbles"),
    "eve-esa/damaged": HubSet({NEW: {"data/train-00000-of-00001.parquet": b"no parquet"}}, REFS),
}


@pytest.fixture(scope="session")
def _hub_server() -> Iterator[HubStub]:
    with serve_hub(SETS) as stub:
        yield stub


@pytest.fixture
def hub(_hub_server: HubStub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> HubStub:
    """A loopback hub, with empty caches and no token.

    The libraries read most of their environment variables when they are imported, which other tests
    may have caused: here their values are set. That the variables themselves work is tested in a
    process of its own.
    """
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", _hub_server.url)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "datasets")
    _hub_server.requests.clear()
    return _hub_server


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file into the test's own folder and return its path."""

    def writer(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writer
