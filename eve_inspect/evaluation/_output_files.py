"""Names of files that are made of models' names: safe on every system, and none taken twice."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection
from itertools import count
from pathlib import Path
from typing import NamedTuple, Protocol

PLACES = ("{model_a}", "{model_b}")
"""The placeholders of a pattern."""

_PLACE = re.compile(r"\{[^{}]*\}")
_UNSAFE = re.compile(r'[\\/:*?"<>|]')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)")
_MOST_BYTES_OF_A_MODEL = 72
_MOST_BYTES = 200
"""Below the 255 bytes that file systems take, which leaves room for what is put after a name."""


class Files(NamedTuple):
    """The files of a comparison."""

    results: Path
    summary: Path
    metrics: Path
    visualization: Path


class _Patterns(Protocol):
    @property
    def output_dir(self) -> Path: ...
    @property
    def results_filename(self) -> str: ...
    @property
    def summary_filename(self) -> str: ...
    @property
    def metrics_filename(self) -> str: ...
    @property
    def visualization_filename(self) -> str: ...


def files_of(output: _Patterns, model: str, baseline: str, taken: Collection[Path] = ()) -> Files:
    """Return where a comparison's results go: always files right in the output folder.

    What a file system would refuse or take for a folder becomes ``_``, and a name that is too long
    is cut and gets a digest of all of it. Where a name is taken, also by one that differs in case
    only, a number is put after it. What lies in the folder from an earlier run is written over.

    Args:
        output: The folder and the patterns.
        model: The model's name.
        baseline: The baseline's name.
        taken: Files of the comparisons before.
    """
    used = {_key(path.name) for path in taken}
    names = []
    for pattern in (
        output.results_filename,
        output.summary_filename,
        output.metrics_filename,
        output.visualization_filename,
    ):
        name = _free(_safe(_filled(pattern, model, baseline), _MOST_BYTES), used)
        used.add(_key(name))
        names.append(output.output_dir / name)
    return Files(*names)


def filled(pattern: str, model: str, baseline: str) -> str:
    """Return a pattern with the names of the models in it, as they are."""
    names = dict(zip(PLACES, (model, baseline), strict=True))
    return _PLACE.sub(lambda match: names.get(match.group(), match.group()), pattern)


def unknown_places(pattern: str) -> list[str]:
    """Return the placeholders of a pattern that nothing is put in for."""
    return [place for place in _PLACE.findall(pattern) if place not in PLACES]


def _filled(pattern: str, model: str, baseline: str) -> str:
    sides = (_safe(name, _MOST_BYTES_OF_A_MODEL, is_file=False) for name in (model, baseline))
    return filled(pattern, *sides)


def _safe(name: str, most: int, *, is_file: bool = True) -> str:
    """Return a name that every file system takes."""
    visible = (" " if char.isspace() else char for char in unicodedata.normalize("NFC", name))
    shown = "".join("_" if unicodedata.category(char)[0] == "C" else char for char in visible)
    safe = _UNSAFE.sub("_", shown).strip(". ") or "_"
    if is_file and _RESERVED.match(safe):
        safe = f"_{safe}"
    return _cut(safe, name, most, Path(safe).suffix if is_file else "")


def _cut(safe: str, name: str, most: int, suffix: str) -> str:
    """Return a name of so many bytes at most, with a digest of what it was when it is cut."""
    if len(safe.encode()) <= most:
        return safe
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    room = most - len(f"-{digest}{suffix}".encode())
    head = safe.removesuffix(suffix).encode()[:room].decode("utf-8", "ignore")
    return f"{head.rstrip('. ')}-{digest}{suffix}"


def _free(name: str, used: Collection[str]) -> str:
    """Return a name that is not used, with a number before its suffix if need be."""
    path = Path(name)
    numbered = (f"{path.stem}-{turn}{path.suffix}" for turn in count(2))
    return name if _key(name) not in used else next(n for n in numbered if _key(n) not in used)


def _key(name: str) -> str:
    """Return what two names share that a file system may take for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
