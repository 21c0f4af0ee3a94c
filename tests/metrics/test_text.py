"""Overlap of texts: figures worked by hand, agreement with the libraries, and what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

from eve_inspect.metrics import LightMeasure, LightMetric, corpus_bleu, greedy_match_f1
from eve_inspect.metrics._text import common_subsequence

ALL: tuple[LightMetric, ...] = ("bleu", "rouge1", "rouge2", "rougeL", "chrf")
WORDS = st.lists(st.sampled_from(["sea", "ice", "radar", "sees", "the"]), max_size=30)


def figures(candidate: str, *references: str) -> dict[str, float]:
    return LightMeasure(ALL).measure(candidate, references).values


@pytest.mark.parametrize(
    ("candidate", "reference", "metric", "expected"),
    [
        # 4 of 5 words, 2 of 4 pairs; of 3 triples and 2 quadruples none, smoothed to 1/2 and 1/4.
        pytest.param(
            "radar sees the sea ice",
            "radar sees sea ice",
            "bleu",
            (4 / 5 * 2 / 4 * (1 / 2) / 3 * (1 / 4) / 2) ** (1 / 4),
            id="bleu",
        ),
        # All words and the one pair are right; two orders. Brevity: exp(1 - 4 / 2).
        pytest.param("sea ice", "sea ice is seen", "bleu", math.exp(-1), id="bleu, brevity"),
        pytest.param("Sea ice", "sea ice", "bleu", (1 / 2 * (1 / 2) / 1) ** 0.5, id="bleu, case"),
        pytest.param("sea", "sea", "bleu", 1.0, id="bleu of one word"),
        pytest.param("radar sees the sea ice", "radar sees sea ice", "rouge1", 8 / 9, id="rouge1"),
        pytest.param("radar sees the sea ice", "radar sees sea ice", "rouge2", 4 / 7, id="rouge2"),
        pytest.param("ice sea sees radar", "radar sees sea ice", "rouge1", 1.0, id="order, rouge1"),
        pytest.param("ice sea sees radar", "radar sees sea ice", "rougeL", 1 / 4, id="order, L"),
        pytest.param("Sea-ICE.", "sea ice", "rougeL", 1.0, id="rouge folds case and signs"),
        pytest.param("radars", "radar", "rouge1", 0.0, id="rouge does not stem"),
        # Orders 1 to 3 exist: (2/3 + 1/2 + 0) / 3.
        pytest.param("abc", "abd", "chrf", (2 / 3 + 1 / 2) / 3, id="chrf"),
        pytest.param("a b c", "abc", "chrf", 1.0, id="chrf leaves spaces out"),
    ],
)
def test_hand_worked(candidate: str, reference: str, metric: LightMetric, expected: float) -> None:
    assert figures(candidate, reference)[metric] == pytest.approx(expected)


def test_recall_weighs_twice_in_chrf() -> None:
    # One order: precision 1 of 2, recall 1 of 1.
    precision, recall = 1 / 2, 1.0
    expected = 5 * precision * recall / (4 * precision + recall)
    assert figures("ab", "a")["chrf"] == pytest.approx(expected)


def test_the_same_text_is_exactly_one() -> None:
    text = "Sentinel-2 carries the MSI, with 13 bands; its swath is 290 km."
    assert figures(text, text) == dict.fromkeys(ALL, 1.0)


@pytest.mark.parametrize("empty", ["", " \n", "\u200b"])
def test_no_word_is_zero(empty: str) -> None:
    assert figures(empty, "Sentinel-2 has 13 bands.") == dict.fromkeys(ALL, 0.0)


@pytest.mark.parametrize(
    ("reference", "undefined"),
    [
        pytest.param("Sentinel", {"rouge2"}, id="one word has no pair"),
        pytest.param("雲と海氷", {"rouge1", "rouge2", "rougeL"}, id="no letter that ROUGE knows"),
        pytest.param("Sentinel-2", set(), id="two words"),
    ],
)
@pytest.mark.parametrize("candidate", ["Sentinel-2 of ESA", ""])
def test_what_a_reference_does_not_define_is_nan(
    reference: str, undefined: set[str], candidate: str
) -> None:
    values = figures(candidate, reference)
    assert {name for name, value in values.items() if math.isnan(value)} == undefined


def test_the_best_reference_of_each_figure_counts() -> None:
    # The first is better in its words, the second in their order.
    candidate, words, order = "radar sees sea ice", "ice sea sees radar well", "radar sees ice"
    alone = figures(candidate, words), figures(candidate, order)
    assert alone[0]["rouge1"] > alone[1]["rouge1"]
    assert alone[0]["rougeL"] < alone[1]["rougeL"]
    expected = {name: max(one[name] for one in alone) for name in ALL}
    assert figures(candidate, words, order) == expected


def test_a_reference_that_defines_nothing_does_not_hide_one_that_does() -> None:
    assert figures("sea ice", "雲", "sea ice") == dict.fromkeys(ALL, 1.0)


def test_only_what_is_asked_for() -> None:
    measure = LightMeasure(["rougeL", "chrf"])
    found = measure.measure("sea ice", ["sea ice"])
    assert found.values == {"rougeL": 1.0, "chrf": 1.0}
    assert found.bleu is None
    assert list(measure.settings()) == ["rougeL", "chrf"]


def test_settings_name_case_words_and_versions() -> None:
    settings = LightMeasure(ALL).settings()
    assert list(settings) == list(ALL)
    for name, parts in {
        "bleu": {"sacrebleu", "case:mixed", "eff:yes", "tok:13a", "smooth:exp"},
        "chrf": {"sacrebleu", "case:mixed", "nc:6", "nw:0"},
        "rouge2": {"F1", "case:lower", "stem:no"},
    }.items():
        assert parts <= set(settings[name].split("|"))
        assert "version:" in settings[name] or "rouge-score:" in settings[name]


@given(WORDS, WORDS)
def test_rouge_is_that_of_the_library(candidate: list[str], reference: list[str]) -> None:
    names = ["rouge1", "rouge2", "rougeL"]
    library = RougeScorer(names).score(" ".join(reference), " ".join(candidate))
    values = figures(" ".join(candidate), " ".join(reference) or "the")
    for name in names if len(reference) > 1 else []:
        assert values[name] == pytest.approx(library[name].fmeasure)


@given(WORDS, WORDS)
def test_a_common_subsequence_has_the_bounds_of_one(a: list[str], b: list[str]) -> None:
    length = common_subsequence(a, b)
    assert length == common_subsequence(b, a)
    assert common_subsequence(a, a) == len(a)
    assert common_subsequence([*a, "x"], [*b, "x"]) == length + 1
    assert length <= len([word for word in a if word in b])


def test_a_reply_that_repeats_itself_takes_no_square_of_time() -> None:
    # A table of these would have 1.6 billion cells.
    assert common_subsequence(["ice", "sea"] * 20_000, ["sea", "ice"] * 20_000) == 39_999


TEXTS = [
    ("radar sees the sea ice of the north", "radar sees sea ice in the north"),
    ("", "nothing was said"),
    ("The swath is 290 km.", "The swath of Sentinel-2 is 290 km."),
    ("band", "band"),
]


@pytest.mark.parametrize("chosen", [TEXTS, TEXTS[:1], TEXTS[1:2]], ids=["all", "one", "empty"])
def test_bleu_of_the_corpus_is_that_of_the_library(chosen: list[tuple[str, str]]) -> None:
    measure = LightMeasure(["bleu"])
    counted = [measure.measure(candidate, [reference]).bleu for candidate, reference in chosen]
    candidates, references = zip(*chosen, strict=True)
    expected = BLEU().corpus_score(list(candidates), [list(references)]).score / 100
    assert corpus_bleu(one for one in counted if one) == pytest.approx(expected)


def test_bleu_of_no_corpus_is_undefined() -> None:
    assert math.isnan(corpus_bleu([]))


def unit_rows(*rows: tuple[float, float]) -> NDArray[np.float64]:
    vectors = np.array(rows, dtype=float)
    lengths: NDArray[np.float64] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


EAST, NORTH, BETWEEN, WEST = (1, 0), (0, 1), (3, 4), (-1, 0)


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        pytest.param([EAST, NORTH], [NORTH, EAST], 1.0, id="order does not count"),
        # Precision (0.6 + 0.8) / 2, recall 0.8: 2 * 0.7 * 0.8 / 1.5.
        pytest.param([EAST, NORTH], [BETWEEN], 1.12 / 1.5, id="one nearest each"),
        pytest.param([EAST], [EAST, NORTH], 2 / 3, id="recall misses one"),
        pytest.param([EAST], [WEST], 0.0, id="opposite is raised to 0"),
    ],
)
def test_greedy_matching(
    candidate: list[tuple[float, float]], reference: list[tuple[float, float]], expected: float
) -> None:
    a, b = unit_rows(*candidate), unit_rows(*reference)
    count_a, count_b = np.ones(len(a), dtype=bool), np.ones(len(b), dtype=bool)
    assert greedy_match_f1(a, b, count_a, count_b) == pytest.approx(expected)
    assert greedy_match_f1(b, a, count_b, count_a) == pytest.approx(expected)


def test_a_mark_of_the_tokeniser_can_be_nearest_but_is_in_no_mean() -> None:
    text, mark_and_text = unit_rows(EAST), unit_rows(EAST, BETWEEN)
    counts, not_the_first = np.array([True]), np.array([False, True])
    # Precision: the mark is the nearest, 1. Recall: of the one token that counts, 0.6.
    found = greedy_match_f1(text, mark_and_text, counts, not_the_first)
    assert found == pytest.approx(2 * 0.6 / 1.6)


def test_texts_without_tokens() -> None:
    some, none = np.array([True]), np.array([False])
    rows = unit_rows(EAST)
    assert greedy_match_f1(rows, rows, none, some) == 0.0
    assert math.isnan(greedy_match_f1(rows, rows, some, none))
    assert math.isnan(greedy_match_f1(rows, rows, none, none))
