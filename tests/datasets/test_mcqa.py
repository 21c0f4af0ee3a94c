from __future__ import annotations

from typing import Any

import pytest

from eve_inspect.datasets import (
    MCQA_MULTIPLE,
    MCQA_SINGLE,
    BadRowError,
    Item,
    Row,
    Rules,
    mcqa_text,
)

ROW = {"Question": " Which band? ", "Choices": ["C ", "L", "X"], "Answer": "b"}
TEXT = "Which band?\n\nA. C\nB. L\nC. X"


def single(record: dict[str, Any], rules: Rules | None = None) -> Item:
    return MCQA_SINGLE.to_item(Row(record, MCQA_SINGLE.aliases), rules or Rules())


def multiple(record: dict[str, Any]) -> Item:
    return MCQA_MULTIPLE.to_item(Row(record, MCQA_MULTIPLE.aliases), Rules())


def test_single() -> None:
    assert single(ROW) == Item(
        content=["Which band?", ["C", "L", "X"], ["B"]],
        input=TEXT,
        target="B",
        choices=["C", "L", "X"],
        metadata={"question": "Which band?"},
    )


def test_multiple() -> None:
    choices = {"label": ["A", "B", "C"], "text": ["C", "L", "X"]}
    item = multiple({"Question": "Which band?", "Choices": choices, "Answers": ["C", "B"]})
    assert (item.input, item.target, item.choices) == (TEXT, ["B", "C"], ["C", "L", "X"])


@pytest.mark.parametrize("name", ["Answers", "answers", "answer", "Answer"])
def test_multiple_reads_the_gold_under_either_name(name: str) -> None:
    assert multiple({"question": "q", "choices": ["x", "y"], name: "A,B"}).target == ["A", "B"]


def test_one_right_option_of_several_is_a_list() -> None:
    assert multiple({"question": "q", "choices": ["x", "y"], "answers": "B"}).target == ["B"]


def test_labels_of_the_source_are_shown_as_letters() -> None:
    record = {"question": "q", "choices": {"label": ["1", "2"], "text": ["x", "y"]}, "answer": "2"}
    assert (single(record).input, single(record).target) == ("q\n\nA. x\nB. y", "B")


def test_option_columns() -> None:
    record = {"question": "q", "A": "NA", "B": "1e3", "C": "", "answer": "NA"}
    assert (single(record).choices, single(record).target) == (["NA", "1e3"], "A")


def test_declared_numbers() -> None:
    assert single({**ROW, "Answer": 3}, Rules(answer_base=1)).target == "C"


def test_every_option_is_shown() -> None:
    options = [f"option {i}" for i in range(26)]
    lines = mcqa_text("q", options).splitlines()
    assert lines[:3] == ["q", "", "A. option 0"]
    assert lines[-1] == "Z. option 25"
    assert len(lines) == 28


@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Question": ""}, "Question", "is empty", id="empty-question"),
        pytest.param({"Choices": ["x"]}, "Choices", "1 option", id="one-option"),
        pytest.param({"Answer": "D"}, "Answer", "'D' names no option", id="unknown-gold"),
        pytest.param({"Answer": None}, "Answer", "names no right option", id="no-gold"),
        pytest.param(
            {"Answer": "A, B"}, "Answer", "names 2 right options, not one", id="two-golds"
        ),
    ],
)
def test_bad_rows_name_the_column(change: dict[str, Any], column: str, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        single({**ROW, **change})
    assert caught.value.column == column
