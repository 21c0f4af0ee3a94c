"""A recorded answer stands in the output as if the model had just given it."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample

from eve_inspect.solvers._replay import replay


def test_answers_are_replayed_and_no_model_is_called(tmp_path: Path) -> None:
    recorded = [("Ten days.", "answered"), ("", "empty"), ("", "error")]
    samples = [
        Sample(
            id=status,
            input="How often?",
            metadata={"answer_text": text, "answer_status": status, "model": "eve-5"},
        )
        for text, status in recorded
    ]
    task = Task(dataset=MemoryDataset(samples), solver=replay(), model="none/none")
    (log,) = eval(task, log_dir=str(tmp_path), display="log")
    assert log.status == "success"
    assert log.samples is not None
    found = {one.id: one for one in log.samples}
    assert found["answered"].output.completion == "Ten days."
    assert found["answered"].output.model == "eve-5"
    assert [one.role for one in found["answered"].messages] == ["user", "assistant"]
    assert found["empty"].output.completion == ""
    assert not found["empty"].output.empty
    assert found["error"].output.empty
    assert [one.role for one in found["error"].messages] == ["user"]
    assert log.stats.model_usage == {}
