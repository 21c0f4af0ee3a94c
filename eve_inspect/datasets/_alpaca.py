"""Annotations in the public form of AlpacaEval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.datasets._files import read_records
from eve_inspect.datasets._row import describe

_SUFFIXES = (".json", ".jsonl")
_DRAW = 1.5


@dataclass(frozen=True, slots=True)
class AlpacaAnnotation:
    """Which of two answers an annotator prefers.

    Attributes:
        instruction: What was asked.
        output_1: The baseline's answer.
        output_2: The model's answer.
        generator_1: Name of the baseline.
        generator_2: Name of the model.
        annotator: Name of the judge.
        preference: From 1, the baseline's is better, to 2, the model's is; 1.5 is a draw; None for
            a failed annotation.
    """

    instruction: str
    output_1: str
    output_2: str
    generator_1: str
    generator_2: str
    annotator: str
    preference: float | None


def read_alpaca_annotations(path: str | Path) -> list[AlpacaAnnotation]:
    """Read a file of annotations.

    Args:
        path: A ``.json`` file with a list of objects, or a ``.jsonl`` file with one on each line.
            Other fields than the seven are passed over. A preference of 0, a draw in old files, is
            read as 1.5; one of null or NaN as None.

    Returns:
        The annotations, in order.

    Raises:
        EveInspectError: The file cannot be read, or a field of a row is missing or says nothing
            that is allowed.
    """
    if Path(path).suffix.casefold() not in _SUFFIXES:
        raise EveInspectError(
            f"annotations={str(path)!r} is not offered: name a {' or '.join(_SUFFIXES)} file of "
            "AlpacaEval annotations."
        )
    if not user_path("annotations", path).is_file():
        raise EveInspectError(
            f"annotations={str(path)!r} is no file: check the path, which counts from the folder "
            "where the command is run."
        )
    return [
        _annotation(record, f"{str(path)!r}, row {number}")
        for number, record in enumerate(read_records(path), 1)
    ]


def _annotation(record: Mapping[str, Any], where: str) -> AlpacaAnnotation:
    return AlpacaAnnotation(
        _text(record, "instruction", where),
        _text(record, "output_1", where),
        _text(record, "output_2", where),
        _text(record, "generator_1", where),
        _text(record, "generator_2", where),
        _text(record, "annotator", where),
        _preference(record, where),
    )


def _text(record: Mapping[str, Any], field: str, where: str) -> str:
    """Return a text, which may be empty: a model may have answered nothing."""
    if field not in record:
        raise EveInspectError(f"{where} has no field {field!r}: add it, as text.")
    value = record[field]
    if not isinstance(value, str):
        raise EveInspectError(f"{where}, field {field!r} is {describe(value)}: give text.")
    return value


def _preference(record: Mapping[str, Any], where: str) -> float | None:
    if "preference" not in record:
        raise EveInspectError(
            f"{where} has no field 'preference': add it; a failed annotation is null."
        )
    value = record["preference"]
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not (value == 0 or 1 <= value <= 2):
        raise EveInspectError(
            f"{where}, field 'preference' is {describe(value)}; allowed: a number from 1 "
            "(output_1 is better) to 2 (output_2 is better), 1.5 or 0 (a draw), null (failed)."
        )
    return float(value) if value else _DRAW
