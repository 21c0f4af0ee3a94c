from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import (
    OPEN_ENDED,
    BadRowError,
    Benchmark,
    Item,
    Row,
    Rules,
    documents_in,
    load,
    open_ended_w_context,
    with_documents,
)
from eve_inspect.datasets._rows import read_rows

ROW = {"Question": " How wide is the swath? ", "Answer": "290 km.\n"}
DOCS = {"Doc 1": "The swath is 290 km wide.", "Doc 2": None, "Doc 3": " It has two satellites. "}
SHOWN = ["The swath is 290 km wide.", "It has two satellites."]
QUESTION = "How wide is the swath?"


def item(record: Mapping[str, Any], benchmark: Benchmark = OPEN_ENDED) -> Item:
    return benchmark.to_item(Row(record, benchmark.aliases), Rules())


def with_context(change: Mapping[str, Any], **options: Any) -> Item:
    return item({**ROW, **DOCS, **change}, open_ended_w_context(**options))


def test_open_ended() -> None:
    assert item(ROW) == Item(
        content=[QUESTION, "290 km."],
        input=QUESTION,
        target="290 km.",
        metadata={"question": QUESTION},
    )


def test_with_context() -> None:
    assert with_context({}) == Item(
        content=[QUESTION, "290 km.", SHOWN],
        input=with_documents(QUESTION, SHOWN),
        target="290 km.",
        metadata={"question": QUESTION},
    )


def test_without_context() -> None:
    assert with_context({}, context=False) == Item(
        content=[QUESTION, "290 km.", SHOWN],
        input=QUESTION,
        target="290 km.",
        metadata={"question": QUESTION},
    )


@pytest.mark.parametrize("context", [True, False])
def test_documents_are_kept_on_demand(context: bool) -> None:
    read = with_context({}, context=context, keep_documents=True)
    assert read.metadata == {"question": QUESTION, "documents": SHOWN}


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        pytest.param({"Doc 2": "b", "Doc 3": "c"}, ["a", "b", "c"], id="all"),
        pytest.param({"Doc 2": "", "Doc 3": "c"}, ["a", "c"], id="empty"),
        pytest.param({"Doc 2": math.nan, "Doc 3": "c"}, ["a", "c"], id="nan"),
        pytest.param({"Doc 2": "nan", "Doc 3": "c"}, ["a", "c"], id="nan-as-text"),
        pytest.param({"Doc 1": None, "Doc 3": "c"}, ["c"], id="first-missing"),
        pytest.param({"Doc 3": None}, ["a"], id="one"),
        pytest.param({"Doc 3": "a"}, ["a", "a"], id="twice-the-same"),
        pytest.param({"Doc 3": "c", "Doc 4": "d", "Doc 6": "f"}, ["a", "c", "d"], id="more"),
    ],
)
def test_absent_documents_are_left_out(change: dict[str, Any], shown: list[str]) -> None:
    read = with_context({"Doc 1": "a", **change}, keep_documents=True)
    assert read.input == with_documents(QUESTION, shown)
    assert read.metadata["documents"] == shown


def test_a_missing_document_is_never_printed(cases: Mapping[str, Any]) -> None:
    case = cases["dt-014"]
    read = with_context(case["input"])
    assert documents_in(read.input, QUESTION) == "Document 1:\ntext"
    for text in (*case["expected"]["prompt_contains_not"], "Document 2"):
        assert text not in read.input


def test_lower_case_columns() -> None:
    named = {"Question": "question", "Answer": "answer", "Doc 1": "doc_1", "Doc 3": "DOC3"}
    record = {named.get(name, name): value for name, value in {**ROW, **DOCS}.items()}
    assert "Doc 1" not in record
    assert item(record, open_ended_w_context()) == with_context({})


OPTIONS = [
    {"context": context, "keep_documents": keep, "context_chars": chars}
    for context, keep, chars in itertools.product((True, False), (True, False), (None, 10, 900))
]


def test_ids_pair_up_whatever_the_options() -> None:
    loaded = [load(open_ended_w_context(**options), "sample") for options in OPTIONS]  # type: ignore[arg-type]
    assert len({str([sample.id for sample in one.samples]) for one in loaded}) == 1
    assert len({one.info["fingerprint"] for one in loaded}) == 1


@pytest.mark.parametrize(
    "change", [{"Question": "?"}, {"Answer": "?"}, {"Doc 1": "?"}, {"Doc 2": "?"}, {"Doc 3": None}]
)
def test_content_is_the_identity(change: dict[str, Any]) -> None:
    assert with_context(change).content != with_context({}).content


def test_where_documents_stand_is_not() -> None:
    moved = with_context({"Doc 2": DOCS["Doc 3"], "Doc 3": ""})
    assert moved == with_context({})


LONG = {"Doc 1": "The swath of it measures 290 km at nadir.", "Doc 3": "It has two satellites."}
CUT = {"from": 41 + 22, "to": 15 + 22}
CUT_TEXTS = ["The swath of it [cut]", "It has two satellites."]


@pytest.mark.parametrize(
    ("options", "metadata"),
    [
        pytest.param({}, {"context_cut": CUT}, id="shown"),
        pytest.param(
            {"keep_documents": True},
            {"documents": CUT_TEXTS, "context_cut": CUT},
            id="shown-and-kept",
        ),
        pytest.param(
            {"keep_documents": True, "context": False},
            {"documents": CUT_TEXTS, "context_cut": CUT},
            id="kept-only",
        ),
        pytest.param({"context": False}, {}, id="nobody-sees-them"),
    ],
)
def test_a_cut_is_recorded(options: dict[str, bool], metadata: dict[str, Any]) -> None:
    read = with_context(LONG, context_chars=45, **options)
    assert read.metadata == {"question": QUESTION, **metadata}


def test_what_is_shown_is_cut() -> None:
    read = with_context({"Doc 2": "x " * 500}, context_chars=100)
    assert read.input == with_documents(QUESTION, [SHOWN[0], f"{'x ' * 26}x [cut]", SHOWN[1]])


@pytest.mark.parametrize("limit", [len("".join(SHOWN)), 10_000])
def test_what_fits_is_not_cut(limit: int) -> None:
    assert with_context({}, context_chars=limit) == with_context({})


@pytest.mark.parametrize("value", [0, -1, True, 1.5, 100.0, "100", math.nan, []], ids=repr)
def test_characters_that_are_none(value: Any) -> None:
    with pytest.raises(EveInspectError, match=r"context_chars=.* is not a whole number from 1 on"):
        open_ended_w_context(context_chars=value)


@pytest.mark.parametrize("name", ["context", "keep_documents"])
@pytest.mark.parametrize("value", ["false", 0, 1, None], ids=repr)
def test_switches_that_are_none(name: str, value: object) -> None:
    with pytest.raises(EveInspectError, match=f"{name}={value!r} is not offered: use true or"):
        open_ended_w_context(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Question": " "}, "Question", "is empty", id="empty-question"),
        pytest.param({"Question": None}, "Question", "is missing", id="no-question"),
        pytest.param({"Answer": ""}, "Answer", "is empty", id="empty-answer"),
        pytest.param({"Answer": math.nan}, "Answer", "is missing", id="no-answer"),
        pytest.param({"Answer": 290}, "Answer", "is the number 290, not text", id="number"),
        pytest.param({"Answer": ["290 km"]}, "Answer", "not text", id="list"),
        pytest.param({"Question": "a\ud83d"}, "Question", "half a surrogate", id="surrogate"),
    ],
)
@pytest.mark.parametrize(
    "benchmark", [OPEN_ENDED, open_ended_w_context()], ids=lambda one: one.name
)
def test_bad_rows_name_the_column(
    benchmark: Benchmark, change: dict[str, Any], column: str, reason: str
) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        item({**ROW, **DOCS, **change}, benchmark)
    assert caught.value.column == column


@pytest.mark.parametrize("context", [True, False])
@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Doc 2": 7}, "Doc 2", "is the number 7, not text", id="number"),
        pytest.param({"Doc 3": ["x"]}, "Doc 3", "not text", id="list"),
        pytest.param({"Doc 4": True}, "Doc 4", "is the boolean true", id="fourth"),
        pytest.param(
            {"Doc 1": "", "Doc 3": math.nan}, "Doc 1", "holds no document, nor does", id="none"
        ),
    ],
)
def test_bad_documents_are_bad_with_and_without_context(
    context: bool, change: dict[str, Any], column: str, reason: str
) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        with_context(change, context=context)
    assert caught.value.column == column


@pytest.mark.parametrize("context", [True, False])
def test_a_set_without_documents_is_another(context: bool) -> None:
    with pytest.raises(EveInspectError, match="x has no column 'Doc 1'"):
        read_rows(open_ended_w_context(context), [ROW], Rules(), "skip", "x")
