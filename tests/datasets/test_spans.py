from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.datasets import BadRowError, HardSpan, Row, SoftSpan, utf16_to_codepoints
from eve_inspect.datasets._spans import read_hard_spans, read_soft_spans

ANSWER = "Sentinel-3 measures salinity."


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([[20, 28], [0, 8]], id="pairs"),
        pytest.param([(0, 8), (20, 28)], id="tuples"),
        pytest.param("[[0, 8], [20, 28]]", id="cell"),
        pytest.param([{"start": 0, "end": 8}, {"start": 20, "end": 28}], id="objects"),
        pytest.param(
            [{"start_char": 0, "end_char": 8}, {"start_char": 20, "end_char": 28}], id="x"
        ),
        pytest.param({"start": [0, 20], "end": [8, 28]}, id="object-of-lists"),
        pytest.param([{"start": 0, "end": 8, "text": "Sentinel", "note": 1}, [20, 28]], id="quote"),
    ],
)
def test_forms_of_hard_spans(value: object) -> None:
    spans = read_hard_spans(Row({"hard_labels": value}), ANSWER)
    assert spans == [HardSpan(0, 8), HardSpan(20, 28)]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([{"start": 20, "end": 28, "prob": 0.75, "text": "salinity"}], id="hub"),
        pytest.param([{"start_char": 20, "end_char": 28, "probability": 0.75}], id="spelling"),
        pytest.param([[20, 28, 0.75]], id="triple"),
        pytest.param(
            {"start": [20], "end": [28], "prob": [0.75], "text": ["salinity"]}, id="lists"
        ),
    ],
)
def test_forms_of_soft_spans(value: object) -> None:
    assert read_soft_spans(Row({"Soft labels": value}), ANSWER) == [SoftSpan(20, 28, 0.75)]


@pytest.mark.parametrize("value", [None, "", " "])
def test_nothing_is_not_an_empty_list(value: object) -> None:
    assert read_hard_spans(Row({"Hard labels": value}), ANSWER) is None
    assert read_soft_spans(Row({"Soft labels": value}), ANSWER) is None


@pytest.mark.parametrize("value", [[], "[]", {"start": [], "end": []}])
def test_no_spans(value: object) -> None:
    assert read_hard_spans(Row({"Hard labels": value}), ANSWER) == []


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        pytest.param(
            [5, 40], r"span \[5, 40\] must hold 0 <= start < end <= 29", id="past-the-end"
        ),
        pytest.param([-1, 4], "must hold", id="negative"),
        pytest.param([8, 8], "must hold", id="empty"),
        pytest.param([8, 3], "must hold", id="reversed"),
        pytest.param([0, 8, 1], "needs start, end", id="triple"),
        pytest.param([0], "needs start, end", id="one"),
        pytest.param("0-8", "needs start, end", id="text"),
        pytest.param({"start": 0}, "has no end", id="no-end"),
        pytest.param({"start": None, "end": 3}, "has no start", id="null"),
        pytest.param([0.5, 8], "start is the number 0.5, not a whole number", id="fraction"),
        pytest.param(["0", "8"], "start is '0', not a whole number", id="digits-as-text"),
        pytest.param([False, True], "start is the boolean false", id="booleans"),
        pytest.param({"start": 0, "end": 8, "text": "Sentinel-3"}, "0..8 holds 'Sentinel'", id="q"),
    ],
)
def test_bad_hard_spans_name_column_and_reason(span: object, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        read_hard_spans(Row({"Hard labels": [span]}), ANSWER)
    assert caught.value.column == "Hard labels"


@pytest.mark.parametrize("probability", [85, 1.01, -0.1, float("nan"), True, "0.5"])
def test_a_bad_probability_is_never_rescaled(probability: object) -> None:
    with pytest.raises(BadRowError, match=r"not a number in 0\.\.1") as caught:
        read_soft_spans(Row({"Soft labels": [[0, 5, probability]]}), ANSWER)
    assert caught.value.column == "Soft labels"


@pytest.mark.parametrize(
    "value", [7, "salinity", True, {"start": 0, "end": 8}, {"start": [0], "end": [8, 9]}]
)
def test_what_is_no_list_of_spans(value: object) -> None:
    with pytest.raises(BadRowError, match="not a list of spans"):
        read_hard_spans(Row({"Hard labels": value}), ANSWER)


def test_spans_of_the_cases(cases: Mapping[str, Any]) -> None:
    case = cases["dt-017"]["input"]
    with pytest.raises(BadRowError, match="must hold"):
        read_hard_spans(Row({"Hard labels": case["gold_hard"]}), case["text"])

    case = cases["hs-032"]["input"]
    with pytest.raises(BadRowError, match="probability is the number 85"):
        read_soft_spans(Row({"Soft labels": case["gold_soft"]}), "x" * case["text_len"])

    case = cases["hs-016"]
    text, expected = case["input"]["text"], case["expected"]
    row = Row({"Hard labels": case["input"]["gold_hard_utf16"]})
    spans = read_hard_spans(row, text, utf16=True)
    assert spans == [HardSpan(*pair) for pair in expected["gold_hard"]]
    assert [text[span.start : span.end] for span in spans or []] == [expected["check"]]

    case = cases["hs-017"]
    text = case["input"]["text"]
    (span,) = read_hard_spans(Row({"Hard labels": case["input"]["gold_hard"]}), text) or []
    assert text[span.start : span.end] == case["expected"]["slice"]


def test_a_wrong_quote_after_an_astral_character_hints_at_the_units() -> None:
    row = Row({"Hard labels": [{"start": 3, "end": 6, "text": "SAR"}]})
    with pytest.raises(BadRowError, match="declare offsets=utf16"):
        read_hard_spans(row, "🛰 SAR.")
    assert read_hard_spans(row, "🛰 SAR", utf16=True) == [HardSpan(2, 5)]


@pytest.mark.parametrize("offset", [1, 99, -1])
def test_an_offset_within_a_character_is_bad(offset: int) -> None:
    with pytest.raises(BadRowError, match=f"{offset} is no boundary between characters"):
        read_hard_spans(Row({"Hard labels": [[offset, 100]]}), "🛰 SAR", utf16=True)


@given(text=st.text(st.characters(exclude_categories=["Cs"])), data=st.data())
def test_utf16_offsets_mean_the_same_place(text: str, data: st.DataObject) -> None:
    point = data.draw(st.integers(0, len(text)))
    units = len(text[:point].encode("utf-16-le")) // 2
    assert utf16_to_codepoints(text, [units]) == [point]
