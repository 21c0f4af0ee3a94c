from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.datasets import BadRowError, Row
from eve_inspect.datasets._files import parse_csv
from eve_inspect.datasets._options import Options, read_golds, read_options

TEXTS = ["red", "green", "blue", "infrared"]
LETTERS = Options(list("ABCD"), TEXTS)
DIGITS = Options(list("1234"), TEXTS)


@pytest.mark.parametrize(
    ("choices", "labels"),
    [
        pytest.param(TEXTS, "ABCD", id="list"),
        pytest.param(str(TEXTS), "ABCD", id="python-cell"),
        pytest.param({"label": list("ABCD"), "text": TEXTS}, "ABCD", id="label-text"),
        pytest.param({"Label": list("1234"), "Text": TEXTS}, "1234", id="digits"),
        pytest.param({"label": [1, 2, 3, 4], "text": TEXTS}, "1234", id="numbers"),
        pytest.param({"label": ["A.", "B)", "(C)", "D"], "text": TEXTS}, "ABCD", id="decorated"),
        pytest.param(dict(zip("abcd", TEXTS, strict=True)), "abcd", id="by-label"),
        pytest.param({**dict(zip("ABCD", TEXTS, strict=True)), "E": None}, "ABCD", id="unused"),
        pytest.param(
            [{"label": a, "text": b} for a, b in zip("ABCD", TEXTS, strict=True)], "ABCD", id="objs"
        ),
    ],
)
def test_forms_of_options(choices: object, labels: str) -> None:
    assert read_options(Row({"choices": choices})) == Options(list(labels), TEXTS)


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        pytest.param(None, "is missing", id="null"),
        pytest.param([], r"has 0 option\(s\); 2 to 26", id="none"),
        pytest.param(["red"], r"has 1 option\(s\)", id="one"),
        pytest.param([str(i) for i in range(27)], r"has 27 option\(s\)", id="too-many"),
        pytest.param(["red", " "], "option 2 is blank", id="blank"),
        pytest.param(["red", None], "option 2 is null", id="null-option"),
        pytest.param([10, 20], "option 1 is the number 10, not text; put it in quotes", id="int"),
        pytest.param(["red", "a\udc00"], "half a surrogate", id="surrogate"),
        pytest.param("red|green", "'red|green', not a list of options", id="text"),
        pytest.param(7, "is the number 7, not a list of options", id="number"),
        pytest.param({"label": ["A"], "text": ["x", "y"]}, "1 labels for 2 texts", id="lengths"),
        pytest.param({"label": "A", "text": 5}, "needs lists under", id="no-lists"),
        pytest.param({"label": ["A", "a"], "text": ["x", "y"]}, "repeats a label", id="repeated"),
        pytest.param({"label": ["A", ""], "text": ["x", "y"]}, "label 2 is blank", id="no-label"),
        pytest.param({"label": ["A", True], "text": ["x", "y"]}, "label 2 is the boolean", id="b"),
    ],
)
def test_bad_options_name_column_and_reason(choices: object, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason.replace("|", r"\|")) as caught:
        read_options(Row({"Choices": choices}))
    assert caught.value.column == "Choices"


def test_all_options_are_kept(cases: Mapping[str, Any]) -> None:
    count = cases["dt-009"]["input"]["n_choices"]
    row = Row({"Choices": [f"option {i}" for i in range(count)], "Answer": "F"})
    options = read_options(row)
    assert len(options.letters) == cases["dt-009"]["expected"]["n_choices_shown"]
    assert read_golds(row, options, "Answer") == [cases["dt-009"]["input"]["gold"]]


def test_texts_that_look_like_nulls_are_options(cases: Mapping[str, Any]) -> None:
    (record,) = parse_csv(cases["dt-003"]["input"]["csv"])
    assert read_options(Row(record)).texts == cases["dt-003"]["expected"]["choices"]


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        pytest.param("B", "B", id="letter"),
        pytest.param(" b ", "B", id="lower-case"),
        pytest.param("(B)", "B", id="brackets"),
        pytest.param("B.", "B", id="full-stop"),
        pytest.param("green", "B", id="text"),
        pytest.param(["B"], "B", id="list"),
        pytest.param(["C", "A"], "AC", id="two"),
        pytest.param(["A", "a", "red"], "A", id="repeats-count-once"),
        pytest.param("A,C", "AC", id="comma"),
        pytest.param("C, A", "AC", id="order-of-options"),
        pytest.param("AC", "AC", id="joined"),
        pytest.param("A and C", "AC", id="and"),
        pytest.param("A, B, and C", "ABC", id="serial-comma"),
        pytest.param("a;c", "AC", id="semicolon"),
        pytest.param("A/C", "AC", id="slash"),
        pytest.param("A & C", "AC", id="ampersand"),
        pytest.param('["A","C"]', "AC", id="json-cell"),
        pytest.param("['A', 'C']", "AC", id="python-cell"),
        pytest.param(["A, C"], "AC", id="list-of-one-text"),
    ],
)
def test_forms_of_golds(gold: object, expected: str) -> None:
    assert read_golds(Row({"Answers": gold}), LETTERS, "Answers") == list(expected)


@pytest.mark.parametrize(
    ("gold", "reason"),
    [
        pytest.param(None, "names no right option: null", id="null"),
        pytest.param("", "names no right option: ''", id="empty"),
        pytest.param([], r"names no right option: \[\]", id="empty-list"),
        pytest.param("[]", r"names no right option: '\[\]'", id="empty-cell"),
        pytest.param(["A", ""], "names no right option", id="blank-among"),
        pytest.param("E", "'E' names no option; allowed: A, B, C, D", id="unknown"),
        pytest.param("A, E", "'A, E' names no option", id="one-unknown"),
        pytest.param("AE", "'AE' names no option", id="joined-unknown"),
        pytest.param("dad", "'dad' names no option", id="a-word-is-no-list-of-letters"),
        pytest.param("Green", "'Green' names no option", id="text-in-other-case"),
        pytest.param("maybe", "'maybe' names no option", id="word"),
        pytest.param("A and", "'A and' names no option", id="half"),
        pytest.param(True, "the boolean true names no option", id="boolean"),
        pytest.param(0.5, "the number 0.5 names no option", id="fraction"),
        pytest.param({"A": 1}, "names no option", id="object"),
        pytest.param(1, "1 is a number, which may count from 0 or from 1", id="number"),
        pytest.param("1", "'1' is a number.*answer_base", id="number-as-text"),
        pytest.param(1.0, "1 is a number", id="number-as-float"),
    ],
)
def test_bad_golds_name_column_and_reason(gold: object, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        read_golds(Row({"Answers": gold}), LETTERS, "Answers")
    assert caught.value.column == "Answers"


@pytest.mark.parametrize(
    ("options", "gold", "base", "expected"),
    [
        pytest.param(LETTERS, 1, 1, "A", id="from-1"),
        pytest.param(LETTERS, 1, 0, "B", id="from-0"),
        pytest.param(LETTERS, "3", 0, "D", id="as-text"),
        pytest.param(LETTERS, 2.0, 1, "B", id="as-float"),
        pytest.param(LETTERS, [4, 1], 1, "AD", id="several"),
        pytest.param(LETTERS, "C", 1, "C", id="letters-still-read"),
        pytest.param(DIGITS, "2", None, "B", id="label"),
        pytest.param(DIGITS, 2, None, "B", id="label-as-number"),
        pytest.param(DIGITS, "1, 3", None, "AC", id="labels"),
        pytest.param(Options(["A", "B"], ["10", "20"]), "20", None, "B", id="number-as-option"),
        pytest.param(Options(["B", "A"], ["x", "y"]), "A", None, "B", id="label-is-mapped"),
    ],
)
def test_numbers(options: Options, gold: object, base: int | None, expected: str) -> None:
    assert read_golds(Row({"Answer": gold}), options, "Answer", base) == list(expected)


@pytest.mark.parametrize(
    ("gold", "base", "allowed"),
    [(0, 1, "1 to 4"), (5, 1, "1 to 4"), (4, 0, "0 to 3"), (-1, 0, "0")],
)
def test_numbers_out_of_range(gold: int, base: int, allowed: str) -> None:
    with pytest.raises(BadRowError, match=f"{gold} names no option; allowed: {allowed}"):
        read_golds(Row({"Answer": gold}), LETTERS, "Answer", base)


def test_golds_of_the_cases(cases: Mapping[str, Any]) -> None:
    base = cases["dt-004"]["input"]["base"]
    read = [
        read_golds(Row({"Answer": gold}), LETTERS, "Answer", base)
        for gold in cases["dt-004"]["input"]["gold_raw"]
    ]
    assert read == [[gold] for gold in cases["dt-004"]["expected"]["gold"]]

    several = [
        read_golds(Row({"Answers": gold}), LETTERS, "Answers")
        for gold in cases["dt-007"]["input"]["gold_raw"]
    ]
    assert several == cases["dt-007"]["expected"]["gold"]

    for gold in cases["dt-008"]["input"]["gold_raw"]:
        with pytest.raises(BadRowError, match="names no right option"):
            read_golds(Row({"Answer": gold}), LETTERS, "Answer")

    case = cases["dt-013"]
    row = Row({"Choices": case["input"]["choices"], "Answer": case["input"]["gold_raw"]})
    assert read_golds(row, read_options(row), "Answer") == [case["expected"]["gold"]]


@given(
    golds=st.sets(st.sampled_from("ABCDEFG"), min_size=1),
    form=st.sampled_from([", ", ",", " and ", "", "; ", " "]),
    lower=st.booleans(),
)
def test_every_form_of_a_set_reads_the_same(golds: set[str], form: str, lower: bool) -> None:
    options = Options(list("ABCDEFG"), [f"option number {i}" for i in range(7)])
    text = form.join(golds)
    text = text.lower() if lower and form else text
    assert read_golds(Row({"Answers": text}), options, "Answers") == sorted(golds)
