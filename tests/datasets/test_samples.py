"""The built-in sample sets, read as users read them, and written as users may write their own."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from eve_inspect.datasets import (
    MCQA_MULTIPLE,
    MCQA_SINGLE,
    OPEN_ENDED,
    REFUSAL,
    Benchmark,
    hallucination_detection,
    load,
    open_ended_w_context,
)
from tests.datasets.conftest import to_parquet

BENCHMARKS = [
    pytest.param(MCQA_SINGLE, 60, id="mcqa_single"),
    pytest.param(MCQA_MULTIPLE, 40, id="mcqa_multiple"),
    pytest.param(hallucination_detection("binary"), 60, id="hallucination-binary"),
    pytest.param(hallucination_detection("hard"), 60, id="hallucination-hard"),
    pytest.param(hallucination_detection("soft"), 60, id="hallucination-soft"),
    pytest.param(OPEN_ENDED, 32, id="open_ended"),
    pytest.param(open_ended_w_context(), 18, id="open_ended_w_context"),
    pytest.param(REFUSAL, 24, id="refusal"),
]


@pytest.mark.parametrize(("benchmark", "at_least"), BENCHMARKS)
def test_every_row_is_good(
    benchmark: Benchmark, at_least: int, caplog: pytest.LogCaptureFixture
) -> None:
    loaded = load(benchmark, "sample")
    assert loaded.info["rows"] >= at_least
    assert loaded.info["skipped"] == []
    assert loaded.info["warnings"] == []
    assert caplog.records == []
    assert not any(str(sample.id).endswith("-2") for sample in loaded.samples)
    assert all((sample.metadata or {}).keys() >= {"topic", "source"} for sample in loaded.samples)


def test_levels_ask_the_same_samples() -> None:
    ids = [
        [sample.id for sample in load(hallucination_detection(level), "sample").samples]
        for level in ("binary", "hard", "soft")
    ]
    assert ids[0] == ids[1] == ids[2]


def to_csv(rows: list[dict[str, Any]]) -> str:
    """Return rows as CSV, with JSON in cells that hold no text."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    for row in rows:
        cells = {k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()}
        writer.writerow(cells)
    return buffer.getvalue()


FORMATS: dict[str, Callable[[list[dict[str, Any]]], str | bytes]] = {
    "jsonl": lambda rows: "\n".join(json.dumps(row) for row in rows),
    "json": json.dumps,
    "csv": to_csv,
    "parquet": to_parquet,
}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(("benchmark", "at_least"), BENCHMARKS)
def test_every_format_holds_the_same(
    benchmark: Benchmark,
    at_least: int,
    suffix: str,
    write: Callable[[str, str | bytes], Path],
) -> None:
    text = (
        resources.files("eve_inspect.datasets") / "samples" / f"{benchmark.name}.jsonl"
    ).read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    path = write(f"rows.{suffix}", FORMATS[suffix](rows[::-1]))
    loaded, sample = load(benchmark, path), load(benchmark, "sample")
    assert len(rows) >= at_least
    assert loaded.info["fingerprint"] == sample.info["fingerprint"]
    assert loaded.samples[::-1] == sample.samples
