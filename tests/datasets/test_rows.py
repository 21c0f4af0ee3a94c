from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import MCQA_SINGLE, OnBadRows, Rules, hallucination_detection
from eve_inspect.datasets._rows import Rows, Skipped, read_rows

ROW = {"Question": "Which band?", "Choices": ["C", "L"], "Answer": "A"}
BAD = {**ROW, "Answer": "E"}


def read(records: list[dict[str, Any]], on_bad_rows: OnBadRows = "error") -> Rows:
    return read_rows(MCQA_SINGLE, records, Rules(), on_bad_rows, "mcqa_single (x.csv)")


def test_a_row_becomes_a_sample() -> None:
    (sample,) = read([{**ROW, "Topic": "SAR", "source": "a handbook", "note": "n"}]).samples
    assert sample.input == "Which band?\n\nA. C\nB. L"
    assert (sample.target, sample.choices) == ("A", ["C", "L"])
    expected = {"question": "Which band?", "topic": "SAR", "source": "a handbook"}
    assert sample.metadata == expected


def test_topic_and_source_are_no_part_of_the_identity() -> None:
    plain, told = read([ROW]), read([{**ROW, "Topic": "SAR"}])
    assert plain.samples[0].id == told.samples[0].id
    assert plain.fingerprint == told.fingerprint


@pytest.mark.parametrize(
    "change",
    [{"Question": "Which?"}, {"Choices": ["C", "X"]}, {"Choices": ["L", "C"]}, {"Answer": "B"}],
)
def test_content_is_the_identity(change: dict[str, Any]) -> None:
    assert read([ROW]).samples[0].id != read([{**ROW, **change}]).samples[0].id
    assert read([ROW]).fingerprint != read([{**ROW, **change}]).fingerprint


def test_the_spelling_of_a_row_is_not() -> None:
    spelled = {
        "question": " Which band? ",
        "choices": {"label": ["1", "2"], "text": ["C", "L "]},
        "answer": "1",
    }
    assert read([spelled]).samples == read([ROW]).samples


MANY: list[dict[str, Any]] = [*({**ROW, "Question": f"q{i}"} for i in range(4)), ROW, ROW, ROW]


@given(st.permutations(MANY))
def test_ids_are_unique_and_stable_under_reordering(records: list[dict[str, Any]]) -> None:
    ids = {str(sample.id): str(sample.input) for sample in read(records).samples}
    assert len(ids) == 7
    assert ids == {str(sample.id): sample.input for sample in read(MANY).samples}


def test_own_ids_are_kept_as_text_beside_those_of_the_content(cases: Mapping[str, Any]) -> None:
    own = cases["hs-028"]["input"]["ids"]
    records = [{**ROW, "id": value, "Question": f"q {value}"} for value in own]
    samples = read(records).samples
    assert [(s.metadata or {})["id"] for s in samples] == cases["hs-028"]["expected"]["ids"]
    without = read([{**ROW, "Question": f"q {value}"} for value in own]).samples
    assert [sample.id for sample in samples] == [sample.id for sample in without]
    assert (read([{**ROW, "ID": 7}]).samples[0].metadata or {})["id"] == "7"


@pytest.mark.parametrize("value", [None, " ", 7.5, True], ids=repr)
def test_what_is_no_id_is_left_out(value: object) -> None:
    (sample,) = read([{**ROW, "id": value}]).samples
    assert "id" not in (sample.metadata or {})


def test_a_corrected_gold_is_another_sample() -> None:
    ids = {read([{**ROW, "id": "x", "Answer": gold}]).samples[0].id for gold in ("A", "B")}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Question": ""}, "Question", "is empty", id="empty-question"),
        pytest.param({"Question": None}, "Question", "is missing", id="no-question"),
        pytest.param({"Choices": ["C"]}, "Choices", r"has 1 option\(s\)", id="one-option"),
        pytest.param({"Choices": ["C", ""]}, "Choices", "option 2 is blank", id="blank-option"),
        pytest.param({"Answer": "E"}, "Answer", "'E' names no option; allowed: A, B", id="unknown"),
        pytest.param({"Answer": ""}, "Answer", "names no right option: ''", id="empty-gold"),
        pytest.param({"question": "other"}, "question", "says otherwise", id="two-questions"),
    ],
)
def test_a_bad_row_is_named_with_the_way_out(
    change: dict[str, Any], column: str, reason: str
) -> None:
    with pytest.raises(
        EveInspectError,
        match=rf"^mcqa_single \(x\.csv\), row 2, column '{column}': {reason}.*\. Correct the data, "
        r"or leave bad rows out.* -T on_bad_rows=skip\.$",
    ):
        read([ROW, {**ROW, **change}, ROW])


def test_further_bad_rows_are_counted() -> None:
    with pytest.raises(EveInspectError, match=r"row 1, .* 2 more of 4 rows are bad"):
        read([BAD, ROW, BAD, BAD])


def test_bad_rows_can_be_skipped() -> None:
    rows = read([BAD, ROW, {**ROW, "Question": " "}, ROW], "skip")
    assert [sample.id for sample in rows.samples] == [s.id for s in read([ROW, ROW]).samples]
    assert rows.fingerprint == read([ROW, ROW]).fingerprint
    assert rows.skipped == [
        Skipped(1, "Answer", "'E' names no option; allowed: A, B"),
        Skipped(3, "Question", "is empty"),
    ]


@pytest.mark.parametrize("on_bad_rows", ["skip", "error"])
def test_a_set_without_a_good_row_is_an_error(on_bad_rows: OnBadRows) -> None:
    with pytest.raises(EveInspectError, match="has no usable row of 2; row 1, column 'Answer'"):
        read([BAD, BAD], on_bad_rows)


@pytest.mark.parametrize("on_bad_rows", ["skip", "error"])
def test_a_missing_column_is_an_error_of_the_set(on_bad_rows: OnBadRows) -> None:
    records = [{"Question": "q", "Options": ["x", "y"], "Answer": "A"}]
    with pytest.raises(
        EveInspectError,
        match=r"has no column 'Choices': needed are 'Question', 'Choices', 'Answer', found are "
        r"'Question', 'Options', 'Answer'\.",
    ):
        read(records, on_bad_rows)


def test_the_level_says_which_columns_are_needed() -> None:
    records = [{"Question": "q", "Answer": "a", "is_hallucinated": True}]
    read_rows(hallucination_detection("binary"), records, Rules(), "error", "x")
    with pytest.raises(EveInspectError, match="x has no column 'Hard labels'"):
        read_rows(hallucination_detection("hard"), records, Rules(), "error", "x")
