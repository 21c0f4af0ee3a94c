from __future__ import annotations

import math
from typing import Any

import pytest

from eve_inspect.datasets import BadRowError, Row


@pytest.mark.parametrize(
    "name", ["Hard labels", "hard_labels", "Hard Labels", "HardLabels", "HARD-LABELS"]
)
def test_columns_are_found_under_any_spelling(name: str) -> None:
    row = Row({name: "x"})
    assert "Hard labels" in row
    assert row.text("Hard labels") == "x"


@pytest.mark.parametrize("null", [None, math.nan])
def test_null_is_like_an_absent_value(null: object) -> None:
    row = Row({"Question": null, "question": "q"})
    assert row.text("Question") == "q"
    assert Row({"Question": null}).get("Question") is None
    assert "Question" in Row({"Question": null})
    assert "Answer" not in Row({"Question": null})


def test_two_columns_of_one_name_have_to_agree() -> None:
    assert Row({"Question": "q", "question": "q"}).text("Question") == "q"
    with pytest.raises(BadRowError, match="says otherwise than column 'Question'"):
        Row({"Question": "q", "question": "other"})


def test_an_alias_stands_for_its_column() -> None:
    row = Row({"answer": "A"}, {"Answer": "Answers"})
    assert "Answer" not in row
    assert row.get("Answers") == "A"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param({}, "is missing", id="absent"),
        pytest.param({"Question": None}, "is missing", id="null"),
        pytest.param({"Question": ""}, "is empty", id="empty"),
        pytest.param({"Question": " \n"}, "is empty", id="blank"),
        pytest.param({"Question": 7}, "is the number 7, not text", id="number"),
        pytest.param({"Question": True}, "is the boolean true, not text", id="boolean"),
        pytest.param({"Question": ["q"]}, r"is \['q'\], not text", id="list"),
        pytest.param({"Question": "a\ud83d"}, "half a surrogate pair", id="surrogate"),
    ],
)
def test_text_that_is_none(record: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        Row(record).text("Question")
    assert caught.value.column == "Question"


def test_text_stays_as_it_is() -> None:
    decomposed = " Re\u0301union\u00a0"
    assert Row({"Answer": decomposed}).text("Answer") == decomposed


@pytest.mark.parametrize(
    ("value", "expected"), [("SAR", "SAR"), (None, None), (" ", None), (7, None)]
)
def test_optional_text(value: object, expected: str | None) -> None:
    assert Row({"Topic": value}).optional_text("Topic") == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param('["A","C"]', ["A", "C"], id="json"),
        pytest.param("['A', 'C']", ["A", "C"], id="python"),
        pytest.param('{"label": ["A"], "text": ["x"]}', {"label": ["A"], "text": ["x"]}, id="obj"),
        pytest.param(" A, C ", "A, C", id="other-text"),
        pytest.param("  ", None, id="blank"),
        pytest.param(["A"], ["A"], id="no-text"),
    ],
)
def test_structure_parses_cells(cell: object, expected: object) -> None:
    assert Row({"Choices": cell}).structure("Choices") == expected


@pytest.mark.parametrize("cell", ["[A, C", "{'a': b}", "[" * 100_000])
def test_structure_refuses_what_begins_like_json_only(cell: str) -> None:
    with pytest.raises(BadRowError, match="is not valid JSON") as caught:
        Row({"Choices": cell}).structure("Choices")
    assert len(caught.value.reason) < 100


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param({"A": "x", "B": "y"}, ["x", "y"], id="letters"),
        pytest.param({"b": "y", "a": "x"}, ["x", "y"], id="lower-case-any-order"),
        pytest.param({"option_a": "x", "Option B": "y"}, ["x", "y"], id="named"),
        pytest.param({"A": "x", "B": "y", "C": "", "D": None}, ["x", "y"], id="unused-at-the-end"),
        pytest.param({"A": "x", "B": "", "C": "z"}, ["x", "", "z"], id="gap-is-kept"),
        pytest.param({"A": "x", "C": "z"}, ["x"], id="letters-run-from-a"),
        pytest.param({"A": "x", "B": "y", "Choices": ["p", "q"]}, ["p", "q"], id="choices-win"),
        pytest.param({"A": "x", "B": "y", "Choices": None}, ["x", "y"], id="choices-null"),
    ],
)
def test_option_columns_take_the_place_of_choices(
    record: dict[str, Any], expected: list[str]
) -> None:
    assert Row(record).get("Choices") == expected
