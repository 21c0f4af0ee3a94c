"""Files of AlpacaEval's annotations; the rows are our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._alpaca import AlpacaAnnotation, read_alpaca_annotations

Write = Callable[[str, str | bytes], Path]


def row(**changes: Any) -> dict[str, Any]:
    """Return an annotation in the public form, with changed fields."""
    return {
        "instruction": "Why does calm water look dark to a radar?",
        "output_1": "It absorbs the pulse.",
        "output_2": "It reflects the pulse away from the sensor.",
        "generator_1": "baseline",
        "generator_2": "model",
        "annotator": "judge",
        "preference": 2.0,
        **changes,
    }


def without(field: str) -> dict[str, Any]:
    """Return an annotation that lacks a field."""
    return {name: value for name, value in row().items() if name != field}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", json.dumps([row(), row(preference=1)], indent=1)),
        ("x.jsonl", f"{json.dumps(row())}\n\n{json.dumps(row(preference=1))}\n"),
        ("X.JSON", "\ufeff" + json.dumps([row(price=0.1, time=None), row(preference=1)])),
    ],
    ids=["list", "lines", "more_fields"],
)
def test_annotations_are_read_in_order(write: Write, name: str, text: str) -> None:
    first, second = read_alpaca_annotations(write(name, text))
    assert first == AlpacaAnnotation(**row())
    assert second == AlpacaAnnotation(**row(preference=1.0))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1", 1.0),
        ("2", 2.0),
        ("1.5", 1.5),
        ("1.0000012", 1.0000012),
        ("0", 1.5),
        ("0.0", 1.5),
        ("null", None),
        ("NaN", None),
    ],
)
def test_preferences(write: Write, given: str, expected: float | None) -> None:
    text = json.dumps([row(preference="?")]).replace('"?"', given)
    (found,) = read_alpaca_annotations(write("x.json", text))
    assert found.preference == expected


def test_an_answer_may_be_empty(write: Write) -> None:
    (found,) = read_alpaca_annotations(write("x.json", json.dumps([row(output_2="")])))
    assert found.output_2 == ""


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (row(preference=3), "field 'preference' is the number 3; allowed: a number from 1"),
        (row(preference=0.5), "field 'preference' is the number 0.5; allowed"),
        (row(preference=-1), "field 'preference' is the number -1; allowed"),
        (row(preference=True), "field 'preference' is the boolean true; allowed"),
        (row(preference="2"), "field 'preference' is '2'; allowed"),
        (row(preference=float("inf")), "field 'preference' is the number inf; allowed"),
        (without("preference"), "has no field 'preference': add it"),
        (without("output_1"), "has no field 'output_1': add it, as text"),
        (row(output_2=None), "field 'output_2' is null: give text"),
        (row(generator_1=["a"]), "field 'generator_1' is ['a']: give text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_names_row_and_field(write: Write, wrong: dict[str, Any], says: str) -> None:
    path = write("x.json", json.dumps([row(), wrong]))
    with pytest.raises(EveInspectError) as caught:
        read_alpaca_annotations(path)
    assert str(caught.value.message).startswith(f"{str(path)!r}, row 2")
    assert says in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.csv", "instruction\na\n", "is not offered: name a .json or .jsonl file"),
        ("x.json", "[", "is not JSON"),
        ("x.json", "[1]", "entry 1 is not an object"),
        ("x.json", "[]", "holds no rows"),
    ],
    ids=["suffix", "damaged", "no_object", "empty"],
)
def test_a_file_that_is_none(write: Write, name: str, text: str, says: str) -> None:
    with pytest.raises(EveInspectError, match=says):
        read_alpaca_annotations(write(name, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match="is no file: check the path"):
        read_alpaca_annotations(tmp_path / "x.json")
