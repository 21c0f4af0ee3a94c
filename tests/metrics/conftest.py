"""Golden cases for the numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parents[1] / "data" / "cases"


@pytest.fixture(scope="session")
def cases() -> Mapping[str, dict[str, Any]]:
    """The cases by id."""
    files = ("halluc_binary", "halluc_span", "mcqa_multi", "runtime")
    entries = (
        json.loads(line)
        for name in files
        for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    )
    return {entry["id"]: entry for entry in entries}
