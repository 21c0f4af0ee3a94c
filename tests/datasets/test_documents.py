from __future__ import annotations

import math
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eve_inspect.datasets import BadRowError, Row, documents_in, with_documents
from eve_inspect.datasets._documents import (
    CUT_MARK,
    Documents,
    cut_documents,
    documents_text,
    read_document,
)

TEXT = """\
Document 1:
The swath is 290 km.

Document 2:
The orbit is sun-synchronous.

Question:
How wide is the swath?"""


def test_documents_come_first_numbered() -> None:
    documents = ["The swath is 290 km.", "The orbit is sun-synchronous."]
    assert with_documents("How wide is the swath?", documents) == TEXT


def test_without_documents_it_is_the_question() -> None:
    assert with_documents("How wide is the swath?", []) == "How wide is the swath?"


HOSTILE = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(["q", "\n", "\n\nQuestion:\n", "Question:\nq", "Document 1:\n", "[cut]"])
    ).map("".join),
)


@given(HOSTILE, st.lists(HOSTILE, max_size=4))
@example("q", ["a\n\nQuestion:\nq"])
@example("a\n\nQuestion:\nq", [])
@example("Document 1:\na\n\nQuestion:\nq", [])
@example("q\n\nQuestion:\nq", ["", "\n\nQuestion:\nq\n\nQuestion:\nq"])
@example("", [""])
def test_documents_are_found_again(question: str, documents: list[str]) -> None:
    text = with_documents(question, documents)
    assert documents_in(text, question) == documents_text(documents)
    for document in documents:
        assert document in documents_in(text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        pytest.param(TEXT, "How wide?", id="another-question"),
        pytest.param(f"{TEXT}\n\nAnswer:", "How wide is the swath?", id="closed"),
        pytest.param("Context:\nx\n\nQuestion:\nq", "q", id="other-heading"),
        pytest.param("Question:\nq\n\nAnswer:\na", "q", id="other-task"),
        pytest.param("", "q", id="nothing"),
    ],
)
def test_other_messages_have_no_documents(text: str, question: str) -> None:
    assert documents_in(text, question) == ""


@pytest.mark.parametrize(
    "value", [None, math.nan, "", " \n\t", "nan", "NaN", " None ", "null", "<NA>"], ids=repr
)
def test_what_is_no_document(value: object) -> None:
    assert read_document(Row({"Doc 1": value}), "Doc 1") is None


@pytest.mark.parametrize("text", ["nano", "None of the bands.", "0", "NaN\nNaN"])
def test_a_word_for_null_is_one_alone(text: str) -> None:
    assert read_document(Row({"doc_1": f" {text}\n"}), "Doc 1") == text


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(7, "is the number 7, not text", id="number"),
        pytest.param(0, "is the number 0, not text", id="zero"),
        pytest.param(False, "is the boolean false, not text", id="boolean"),
        pytest.param(["x"], r"is \['x'\], not text", id="list"),
        pytest.param("a\ud83d", "half a surrogate pair", id="surrogate"),
    ],
)
def test_what_is_no_text(value: object, reason: str) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        read_document(Row({"Doc 2": value}), "Doc 2")
    assert caught.value.column == "Doc 2"


@pytest.mark.parametrize(
    ("documents", "limit", "expected"),
    [
        pytest.param(["one two"], None, Documents(["one two"], 7, 7), id="no-limit"),
        pytest.param(["one two"], 7, Documents(["one two"], 7, 7), id="fits"),
        pytest.param(["one two"], 6, Documents(["one [cut]"], 7, 3), id="within-a-word"),
        pytest.param(["one two"], 4, Documents(["one [cut]"], 7, 3), id="after-the-space"),
        pytest.param(["one two"], 3, Documents(["one [cut]"], 7, 3), id="after-the-word"),
        pytest.param(["one\n\ntwo"], 5, Documents(["one [cut]"], 8, 3), id="lines"),
        pytest.param(["one two"], 2, Documents(["on [cut]"], 7, 2), id="first-word"),
        pytest.param(["雷达卫星测量海冰"], 4, Documents(["雷达卫星 [cut]"], 8, 4), id="no-spaces"),
        pytest.param(["🛰🛰 🛰🛰"], 4, Documents(["🛰🛰 [cut]"], 5, 2), id="code-points"),
        pytest.param(
            ["a b c d e f", "x y"],
            8,
            Documents(["a b c [cut]", "x y"], 14, 8),
            id="the-longest-first",
        ),
        pytest.param(
            ["x y", "a b c d e f", "g h i j k"],
            13,
            Documents(["x y", "a b c [cut]", "g h i [cut]"], 23, 13),
            id="equal-shares",
        ),
        pytest.param(
            ["one", "two", "six"],
            2,
            Documents(["[cut]", "t [cut]", "s [cut]"], 9, 2),
            id="hardly-anything",
        ),
        pytest.param([], 1, Documents([], 0, 0), id="no-documents"),
    ],
)
def test_cutting(documents: list[str], limit: int | None, expected: Documents) -> None:
    assert cut_documents(documents, limit) == expected


def test_an_overlong_word_is_cut_within() -> None:
    assert cut_documents([f"x {'y' * 500}"], 90) == Documents([f"x {CUT_MARK}"], 502, 1)
    kept = cut_documents([f"x {'y' * 500}"], 400)
    assert kept == Documents([f"x {'y' * 398} {CUT_MARK}"], 502, 400)


WORDS = st.text(alphabet="ab \n", min_size=1, max_size=400).map(str.strip).filter(bool)


@given(st.lists(WORDS, min_size=1, max_size=4), st.integers(1, 1000))
def test_the_limit_holds_and_texts_are_beginnings(documents: list[str], limit: int) -> None:
    cut = cut_documents(documents, limit)
    parts = [text.removesuffix(CUT_MARK).rstrip() for text in cut.texts]
    assert all(whole.startswith(part) for whole, part in zip(documents, parts, strict=True))
    assert sum(map(len, parts)) == cut.kept <= max(limit, 0)
    assert cut.chars == sum(map(len, documents))
    assert (cut.texts == documents) == (cut.chars <= limit)
    for whole, text in zip(documents, cut.texts, strict=True):
        assert text == whole or text.endswith(CUT_MARK)


@given(st.lists(WORDS, min_size=2, max_size=4), st.integers(1, 1000))
def test_no_document_is_cut_below_one_that_is_longer(documents: list[str], limit: int) -> None:
    cut = cut_documents(documents, limit)
    untouched = [len(a) for a, b in zip(documents, cut.texts, strict=True) if a == b]
    touched = [len(a) for a, b in zip(documents, cut.texts, strict=True) if a != b]
    assert not untouched or not touched or max(untouched) <= min(touched)


@pytest.mark.parametrize("piece", [" ", "x", "x ", "\n\nQuestion:\nq"], ids=repr)
def test_large_documents_take_no_time(piece: str) -> None:
    large = piece * (2_000_000 // len(piece))
    before = time.perf_counter()
    cut = cut_documents([large, large, large], 3_000_000)
    text = with_documents("q", cut.texts)
    assert documents_in(text, "q") == documents_text(cut.texts)
    assert time.perf_counter() - before < 2
