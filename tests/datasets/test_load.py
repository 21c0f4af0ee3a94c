from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import MCQA_SINGLE, Rules, load
from tests.datasets.conftest import NEW, OLD, questions, to_parquet
from tests.servers.hub import HubStub

Write = Callable[[str, str | bytes], Path]
OPEN = replace(MCQA_SINGLE, hub="eve-esa/open")


@pytest.fixture
def exam(write: Write) -> Path:
    """A file of three rows."""
    return write("exam.parquet", to_parquet(questions(3)))


def test_a_file(exam: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded = load(MCQA_SINGLE, exam)
    warning = "rows loaded: 3, in the paper: 1261; scores are not comparable"
    assert {**loaded.info, "fingerprint": "", "warnings": []} == {
        "source": "file",
        "name": "exam.parquet",
        "rows": 3,
        "paper_rows": 1261,
        "fingerprint": "",
        "skipped": [],
        "warnings": [],
    }
    assert len(loaded.info["fingerprint"]) == 64
    assert loaded.info["warnings"][0].startswith(warning)
    assert [sample.choices for sample in loaded.samples] == [["NA", "None", "1e3", "007"]] * 3
    assert (loaded.dataset.name, loaded.dataset.location) == (
        "mcqa_single (exam.parquet)",
        "exam.parquet",
    )
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"mcqa_single (exam.parquet): {warning}")


def test_no_folder_of_the_machine_is_recorded(exam: Path) -> None:
    loaded = load(MCQA_SINGLE, str(exam))
    told = json.dumps([loaded.info, [sample.model_dump() for sample in loaded.samples]])
    assert str(exam.parent) not in told + str(loaded.dataset.location)


def test_the_papers_number_of_rows_is_no_warning(
    exam: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert load(replace(MCQA_SINGLE, paper_rows=3), exam).info["warnings"] == []
    assert load(MCQA_SINGLE, exam, check_rows=False).info["warnings"] == []
    assert caplog.records == []


def test_skipped_rows_are_listed(write: Write) -> None:
    rows = [*questions(2), *questions(1, gold="E")]
    path = write("exam.jsonl", "\n".join(json.dumps(row) for row in rows))
    with pytest.raises(
        EveInspectError, match=r"mcqa_single \(exam.jsonl\), row 3, column 'Answer'"
    ):
        load(MCQA_SINGLE, path)
    info = load(MCQA_SINGLE, path, on_bad_rows="skip").info
    reason = "'E' names no option; allowed: A, B, C, D"
    assert info["skipped"] == [{"row": 3, "column": "Answer", "reason": reason}]
    assert info["rows"] == 2
    json.dumps(info)


def test_rules_are_followed(write: Write) -> None:
    path = write("exam.csv", "Question,A,B,Answer\nWhich?,NA,1e3,1\n")
    with pytest.raises(EveInspectError, match="give letters, or declare which with answer_base"):
        load(MCQA_SINGLE, path)
    (sample,) = load(MCQA_SINGLE, path, rules=Rules(answer_base=1)).samples
    assert (sample.target, sample.choices) == ("A", ["NA", "1e3"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param({"dataset": "smaple"}, "dataset='smaple' is not offered", id="dataset"),
        pytest.param({"dataset": 3}, "dataset=3 is not offered", id="dataset-type"),
        pytest.param({"on_bad_rows": "ignore"}, "on_bad_rows='ignore' is not offered", id="rows"),
        pytest.param({"revision": 1.0}, "revision=1.0 was read as a number", id="revision-type"),
        pytest.param(
            {"dataset": "sample", "revision": "v1"}, "revision='v1' goes with dataset='hub'", id="r"
        ),
        pytest.param({"dataset": "sample", "split": "dev"}, "split='dev' goes with", id="split"),
    ],
)
def test_arguments_that_are_not_offered(
    hub: HubStub, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(EveInspectError, match=message):
        load(OPEN, **arguments)
    assert hub.requests == []


def test_the_hub(hub: HubStub, caplog: pytest.LogCaptureFixture) -> None:
    loaded = load(OPEN)
    assert {key: loaded.info[key] for key in ("source", "name", "revision", "commit", "split")} == {
        "source": "hub",
        "name": "eve-esa/open",
        "revision": None,
        "commit": NEW,
        "split": "train",
    }
    assert [sample.choices for sample in loaded.samples] == [["NA", "None", "1e3", "007"]] * 3
    assert len(loaded.info["warnings"]) == len(caplog.records) == 1
    assert hub.requests


def test_a_revision_of_the_hub(hub: HubStub) -> None:  # noqa: ARG001
    info = load(OPEN, revision="v1").info
    assert (info["revision"], info["commit"], info["rows"]) == ("v1", OLD, 2)


def test_a_copy_in_the_cache_is_a_warning(hub: HubStub, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = load(OPEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    hub.requests.clear()
    cached = load(OPEN)
    assert cached.info["warnings"][0] == (
        f"the copy in the local cache (commit {NEW}) is used: HF_HUB_OFFLINE is set."
    )
    assert cached.info["fingerprint"] == fresh.info["fingerprint"]
    assert hub.requests == []
