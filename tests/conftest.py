"""Fixtures shared by all tests, and the walls around them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
# The servers are modules of the tests, not of the package; importlib mode adds no path for them.
sys.path.insert(0, str(ROOT / "tests" / "servers"))

hypothesis.settings.register_profile("eve", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("eve")

_CLOSED = "http://127.0.0.1:9"


def pytest_configure() -> None:
    """Let nothing out of this machine, from subprocesses either: their proxy is a closed port."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        os.environ[name] = os.environ[name.lower()] = _CLOSED
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    os.environ["INSPECT_DISPLAY"] = "none"


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return ROOT
