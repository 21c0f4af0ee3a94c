from __future__ import annotations

import math
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import REFUSAL, BadRowError, Item, Row, Rules, load, refusal_text
from eve_inspect.datasets._rows import read_rows

ROW = {
    "Question": " What does the sensor weigh? ",
    "Answer": "The context does not say.",
    "Context": "The sensor has seven bands.\n",
}
TEXT = """\
Context:
The sensor has seven bands.

Question:
What does the sensor weigh?"""


def item(change: dict[str, Any]) -> Item:
    return REFUSAL.to_item(Row({**ROW, **change}, REFUSAL.aliases), Rules())


def test_text() -> None:
    assert refusal_text("What does the sensor weigh?", "The sensor has seven bands.") == TEXT


def test_a_row_of_the_hub() -> None:
    question, context = "What does the sensor weigh?", "The sensor has seven bands."
    assert item({}) == Item(
        content=[question, "The context does not say.", context, None],
        input=TEXT,
        target="The context does not say.",
        metadata={"question": question, "context": context, "answerable": None},
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (False, False),
        ("true", True),
        (" FALSE ", False),
        (None, None),
        (math.nan, None),
        ("", None),
        (" ", None),
    ],
    ids=repr,
)
def test_answerable(value: object, expected: bool | None) -> None:
    assert item({"answerable": value}).metadata["answerable"] is expected


def test_a_corrected_gold_is_another_sample() -> None:
    golds = [item({"answerable": value}).content for value in (True, False, None)]
    assert len({str(gold) for gold in golds}) == 3
    assert golds[-1] == item({}).content


def test_lower_case_columns() -> None:
    record = {name.lower(): value for name, value in ROW.items()} | {"Answerable": "True"}
    assert REFUSAL.to_item(Row(record), Rules()) == item({"answerable": True})


@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Question": ""}, "Question", "is empty", id="empty-question"),
        pytest.param({"Answer": None}, "Answer", "is missing", id="no-answer"),
        pytest.param({"Context": None}, "Context", "holds no text", id="no-context"),
        pytest.param({"Context": math.nan}, "Context", "holds no text", id="nan"),
        pytest.param({"Context": "nan"}, "Context", "holds no text", id="nan-as-text"),
        pytest.param({"Context": " \n"}, "Context", "holds no text", id="blank-context"),
        pytest.param({"Context": 7}, "Context", "is the number 7, not text", id="number"),
        pytest.param({"Context": ["x"]}, "Context", "not text", id="list"),
        pytest.param({"Context": "a\ud83d"}, "Context", "half a surrogate", id="surrogate"),
        pytest.param({"answerable": "maybe"}, "answerable", "allowed: true, false", id="maybe"),
        pytest.param({"answerable": 1}, "answerable", "is the number 1; allowed", id="one"),
    ],
)
def test_bad_rows_name_the_column(change: dict[str, Any], column: str, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        item(change)
    assert caught.value.column == column


def test_a_set_without_contexts_is_another() -> None:
    records = [{"Question": "q", "Answer": "a"}]
    with pytest.raises(EveInspectError, match="x has no column 'Context'"):
        read_rows(REFUSAL, records, Rules(), "skip", "x")


def test_the_sample_set_has_controls() -> None:
    kinds = [(sample.metadata or {})["answerable"] for sample in load(REFUSAL, "sample").samples]
    assert set(kinds) == {True, False}
    assert min(kinds.count(True), kinds.count(False)) >= 5
