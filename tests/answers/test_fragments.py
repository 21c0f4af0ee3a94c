"""Reading false fragments and finding them in the text."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from eve_inspect.answers import (
    STATUSES,
    Fragment,
    Located,
    Reading,
    Reply,
    SoftSpan,
    locate,
    read_fragments,
)

_CASES = [
    case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases" / "halluc_span.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if {"pred_texts", "model_output", "pred_hard"} & set(case["input"])
]
SWATH = "Sentinel-2 has a swath of 250 km and revisits every 5 days."


def _quoted(*texts: str) -> list[Fragment]:
    return [Fragment(text) for text in texts]


def _slices(text: str, located: Located) -> list[str]:
    return [text[span.start : span.end] for span in located.spans]


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    given_, expected = case["input"], case["expected"]
    if "model_output" in given_:
        reading = read_fragments(Reply(given_["model_output"]))
        assert (reading.answer, reading.status) == (None, expected["status"])
        return
    fragments = _quoted(*given_.get("pred_texts", []))
    fragments += [Fragment(None, 1.0, *pair) for pair in given_.get("pred_hard", [])]

    located = locate(given_["text"], fragments)

    spans = [[span.start, span.end] for span in located.spans]
    if "pred_texts" in given_:
        assert spans == expected.get("spans", expected.get("pred_hard"))
    assert located.unplaced == expected.get("n_unplaced", 0)
    assert located.clipped == expected.get("n_clipped", 0)
    assert located.dropped == expected.get("n_dropped", 0)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ('{"spans": [{"text": "290 km", "probability": 0.9}]}', [Fragment("290 km", 0.9)]),
        (
            'Here:\n```json\n{"spans": [{"text": "290 km", "probability": 0.9}]}\n```\nDone!',
            [Fragment("290 km", 0.9)],
        ),
        ("{'spans': [{'text': \"its sensor's swath\"},]}", [Fragment("its sensor's swath")]),
        (
            '{"spans": [{"text": "the "blue" band", "probability": 1}]}',
            [Fragment('the "blue" band')],
        ),
        ("{“spans”: [{“text”: “a”}]}", [Fragment("a")]),
        ('{"Spans": ["a", "b c"]}', _quoted("a", "b c")),
        ('{"fragments": ["a"]}', _quoted("a")),
        ('{"hallucinations": [{"quote": "a", "score": 0.5}]}', [Fragment("a", 0.5)]),
        ('{"hallucinated_spans": [{"span": "a", "confidence": "0.25"}]}', [Fragment("a", 0.25)]),
        ('{"unsupported claims": [{"claim": "a", "prob": 0}]}', [Fragment("a", 0.0)]),
        ('{"hallucinated": true, "spans": [{"text": "a", "kind": "false"}]}', _quoted("a")),
        ('{"spans": {"text": "a", "p": 0.5}}', [Fragment("a", 0.5)]),
        ('{"spans": "a b"}', _quoted("a b")),
        ('{"spans": [{"text": 2015}]}', _quoted("2015")),
        ('{"spans": [{"text": "a", "probability": null}]}', _quoted("a")),
        ('{"result": {"spans": ["a"]}}', _quoted("a")),
        ('[{"text": "a"}, {"text": "b", "prob": 0.5}]', [Fragment("a"), Fragment("b", 0.5)]),
        ('["a", "b"]', _quoted("a", "b")),
        ('[["a", 0.5]]', [Fragment("a", 0.5)]),
        ('{"text": "a", "probability": 0.5}', [Fragment("a", 0.5)]),
        ('{"text": "a"}\n{"text": "b"}', _quoted("a", "b")),
        ("[[3, 7]]", [Fragment(None, 1.0, 3, 7)]),
        ("[[3, 7, 0.5], [8, 9, 1]]", [Fragment(None, 0.5, 3, 7), Fragment(None, 1.0, 8, 9)]),
        ('{"spans": [26, 32]}', [Fragment(None, 1.0, 26, 32)]),
        ('{"spans": [{"start": 3, "end": 7.0, "prob": 0.5}]}', [Fragment(None, 0.5, 3, 7)]),
        ('{"spans": [{"start_char": 3, "end_char": 7}]}', [Fragment(None, 1.0, 3, 7)]),
        ('{"spans": [{"text": "a", "start": 3, "end": 7}]}', _quoted("a")),
        ('{"spans": ["a"]}\nCorrection: {"spans": ["b"]}', _quoted("b")),
        ('{"spans": ["a"]}\n[]', _quoted("a")),
        ('<think>{"spans": ["z"]}</think>{"spans": ["a"]}', _quoted("a")),
        ('{"spans": ["a", {"text": "b"}]}', _quoted("a", "b")),
        ('{"spans": ["a"]}\n\nQuestion: Which band?\n{"spans": ["b"]}', _quoted("a")),
        ('Question: Which part?\n{"spans": ["a"]}', _quoted("a")),
        ('{"spans": [{"text": "Question: what?"}]}', _quoted("Question: what?")),
        ('{"spans": [{"text": "a", "reason": "it is [250 km] {really}"}]}', _quoted("a")),
        ('{"spans": ["\\u00e9t\\u00e9", "🛰 𝟭𝟱"]}<|im_end|>', _quoted("été", "🛰 𝟭𝟱")),
    ],
)
def test_fragments(text: str, fragments: list[Fragment]) -> None:
    assert read_fragments(Reply(text)) == Reading(tuple(fragments), "answered", "json")


@pytest.mark.parametrize(
    ("text", "stop_reason", "fragments", "status"),
    [
        ('- "290 km"\n- "2014"', None, _quoted("290 km", "2014"), "answered"),
        ("1. “290 km”\n2. “2014”.", None, _quoted("290 km", "2014"), "answered"),
        ('- "290 km"\n- "2014"', "max_tokens", _quoted("290 km", "2014"), "truncated"),
        ('- "290 km"\nis wrong', None, None, "no_answer"),
        ('- "290 km"\n- "20', "max_tokens", None, "truncated"),
        ('"290 km"', None, None, "no_answer"),
    ],
)
def test_a_reply_of_nothing_but_quoted_lines_lists_fragments(
    text: str, stop_reason: str | None, fragments: list[Fragment] | None, status: str
) -> None:
    reading = read_fragments(Reply(text, stop_reason))

    assert (reading.answer, reading.status) == (fragments and tuple(fragments), status)


def test_a_list_before_the_content_filter_counts() -> None:
    reading = read_fragments(Reply('{"spans": ["a"]}', "content_filter"))

    assert reading == Reading(tuple(_quoted("a")), "answered", "json", ("content_filter",))


@pytest.mark.parametrize("given_", ["90", '"90%"', '"high"', "-0.1", "NaN", "true", "[1]"])
def test_probability_that_is_none_is_never_rescaled(given_: str) -> None:
    reading = read_fragments(Reply(f'{{"spans": [{{"text": "km", "probability": {given_}}}]}}'))

    assert reading.answer is not None
    assert math.isnan(reading.answer[0].probability)
    assert locate(SWATH, reading.answer) == Located((), unplaced=0, clipped=0, dropped=1)


def test_unreadable_item_beside_readable_ones_is_dropped_and_counted() -> None:
    reading = read_fragments(
        Reply('{"spans": [{"text": "250 km"}, {"why": "x"}, 5, {"start": 1}]}')
    )

    assert reading.answer is not None
    assert locate(SWATH, reading.answer) == Located(
        (SoftSpan(26, 32, 1.0),), unplaced=0, clipped=0, dropped=3
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"spans": []}', '{"spans": null}', '{"spans": "None"}', '{"spans": ""}', "[]",
        "```json\n[]\n```", "The list of false fragments is [].", "None", "none.", "**None**",
        "Nothing", "No false fragments.", "No hallucinations detected.", "I found no errors.",
        "There are no false fragments in the answer.", "Spans: none",
        "No false or unsupported fragments were found.",
        "The answer contains no false information.",
        '{"spans": ["a"]}\nOn reflection: {"spans": []}',
    ],
)  # fmt: skip
def test_explicit_nothing_is_an_empty_prediction(text: str) -> None:
    reading = read_fragments(Reply(text))

    assert (reading.answer, reading.status) == ((), "answered")


@pytest.mark.parametrize(
    "text",
    [
        "I think the swath is wrong.",
        'The swath is wrong: "290 km".', '- "290 km" (0.9)', "290 km",
        "No", "Yes", "No cloud was seen.", "{}", "[1]", "See [1] and [2, 3].", "- [ ] swath",
        'Bands ["B2"] are used here.', '{"answer": "A"}', '{"spans": 5}', '{"spans": true}',
        '{"spans": [{"prob": 0.5}]}', '["a", 5]', '{"text": ["a"]}', '{"answer": ["a"]}',
        "The interval is [26, 32", "The set {",
    ],
)  # fmt: skip
def test_prose_is_no_prediction(text: str) -> None:
    assert read_fragments(Reply(text)) == Reading(None, "no_answer")


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply("429", error="429"), "error"),
        (Reply("The swath", "content_filter"), "refusal"),
        (Reply("I cannot help with that."), "refusal"),
        (Reply("Ich weiß es nicht."), "refusal"),
        (Reply(None), "empty"),
        (Reply(None, "max_tokens"), "truncated"),
        (Reply('<think>{"spans": []}'), "truncated"),
        (Reply("The swath", "max_tokens"), "truncated"),
        (Reply('{"spans": [', "max_tokens"), "truncated"),
        (Reply('{"spans": [{"text": "290', "max_tokens"), "truncated"),
        (Reply('{"spans": [{"text": "290'), "truncated"),
        (Reply('{"spans"', "max_tokens"), "truncated"),
    ],
)
def test_reply_without_fragments(reply: Reply, status: str) -> None:
    reading = read_fragments(reply)

    assert (reading.answer, reading.status) == (None, status)


def test_complete_items_of_a_cut_list_are_kept() -> None:
    text = '{"spans": [{"text": "a", "probability": 0.9}, {"text": "b", "probability": 0.'

    assert read_fragments(Reply(text, "max_tokens")) == Reading(
        (Fragment("a", 0.9),), "truncated", "json", ("unclosed_json",)
    )


def test_complete_list_in_an_unclosed_object_is_an_answer() -> None:
    assert read_fragments(Reply('{"spans": [{"text": "a"}]')) == Reading(
        (Fragment("a"),), "answered", "json", ("unclosed_json",)
    )


@pytest.mark.parametrize(
    ("text", "fragment", "found"),
    [
        ("swath of 290 km", "290 km", "290 km"),
        ("swath of 290  km", "290 km", "290  km"),
        ("swath of 290\u00a0km", "290 km", "290\u00a0km"),
        ("swath of 290 km", "290km", "290 km"),
        ("swath of 290km", "290 km", "290km"),
        ("The Swath is wide", "the swath", "The Swath"),
        ("from 10–20 m", "10-20 m", "10–20 m"),
        ("at −5 °C", "-5 °C", "−5 °C"),
        ("the “blue” band’s", '"blue" band\'s', "“blue” band’s"),
        ("ＭＳＩ has 13 bands", "MSI has", "ＭＳＩ has"),
        ("in Re\u0301union now", "R\u00e9union", "Re\u0301union"),
        ("in R\u00e9union now", "Re\u0301union", "R\u00e9union"),
        ("high CO₂ here", "CO2", "CO₂"),
        ("the **blue** band", "the blue band", "the **blue** band"),
        ("zero\u200bwidth text", "zerowidth", "zero\u200bwidth"),
        ("Straße nach Ulm", "strasse", "Straße"),
        ("a swath of 290 km, and", '"a swath of 290 km."', "a swath of 290 km"),
        ("a swath of 290 km", "...swath of", "swath of"),
        ("the least and the East", "east", "East"),
        ("every 2.5 days or 5 days", "5 days", "5 days"),
        ("a 5,5 km or 5 km", "5 km", "5 km"),
        ("not here, e\u0301t here, et", "et", "et"),
        ("cafe\u0301 or cafe", "cafe", "cafe"),
        ("衛星は東を見る", "東", "東"),
        ("at least", "eas", "eas"),
        ("AT LEAST", "eas", "EAS"),
        ("🛰 measures salinity.", "salinity", "salinity"),
        ("a 🛰️ measures", "🛰 measures", "🛰️ measures"),
    ],
)
def test_quotation_is_found(text: str, fragment: str, found: str) -> None:
    assert _slices(text, locate(text, _quoted(fragment))) == [found]


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Réunion", "Reunion"),
        ("e\u0301", "e\u0300"),
        ("ﬁne", "f"),
        ("a swath of 290 km", "a width of 290 km"),
        ("a swath of 290 km", "a swath ... km"),
        ("a swath of 290 km", "a swath of 290 km wide"),
        ("", "a"),
    ],
)
def test_nothing_is_matched_by_likeness(text: str, fragment: str) -> None:
    assert locate(text, _quoted(fragment)) == Located((), unplaced=1, clipped=0, dropped=0)


def test_decimal_number_is_not_parted_where_the_number_stands_elsewhere() -> None:
    text = "from 2.5 to 5 km or 5.1 km"

    assert [span.start for span in locate(text, _quoted("5")).spans] == [12]


def test_repeated_fragment_takes_the_next_place() -> None:
    text = "east, East and least east"

    located = locate(text, _quoted("east", "east", "east", "east", "East"))

    assert [span[:2] for span in located.spans] == [(0, 4), (21, 25), (6, 10)]
    assert located.unplaced == 2


def test_other_spelling_does_not_take_a_place_twice() -> None:
    located = locate("OLI flies", _quoted("OLI", "oli", "O L I"))

    assert (len(located.spans), located.unplaced) == (1, 2)


@pytest.mark.parametrize(
    ("start", "end", "located"),
    [
        (26, 32, Located((SoftSpan(26, 32, 0.5),), 0, 0, 0)),
        (-3, 2, Located((SoftSpan(0, 2, 0.5),), 0, 1, 0)),
        (55, 99, Located((SoftSpan(55, len(SWATH), 0.5),), 0, 1, 0)),
        (-9, 999, Located((SoftSpan(0, len(SWATH), 0.5),), 0, 1, 0)),
        (30, 20, Located((), 0, 0, 1)),
        (5, 5, Located((), 0, 0, 1)),
        (-5, -2, Located((), 0, 0, 1)),
        (100, 120, Located((), 0, 0, 1)),
    ],
)
def test_offsets(start: int, end: int, located: Located) -> None:
    assert locate(SWATH, [Fragment(None, 0.5, start, end)]) == located


@pytest.mark.parametrize(
    "fragment", [Fragment(""), Fragment(" \n"), Fragment(None), Fragment("km", 1.5)]
)
def test_empty_and_improbable_fragments_are_dropped(fragment: Fragment) -> None:
    assert locate(SWATH, [fragment]) == Located((), unplaced=0, clipped=0, dropped=1)


def test_many_fragments_in_a_long_text() -> None:
    text = "the east swath " * 13_000

    located = locate(text, _quoted(*["East  swath"] * 15_000, *["absent"] * 1_000))

    assert (len(located.spans), located.unplaced) == (13_000, 3_000)


def test_a_long_run_of_accents() -> None:
    text = "e" + "\u0301" * 100_000

    assert locate(text, _quoted("E\u0301 x")).unplaced == 1


_WORDS = st.lists(
    st.text(st.characters(categories=["L", "N", "P", "S", "M"]), min_size=1, max_size=8),
    min_size=1,
    max_size=12,
)


def test_an_accent_after_a_space_is_a_word_of_its_own() -> None:
    assert _slices("0 0 0 \u0300", locate("0 0 0 \u0300", _quoted("\u0300"))) == ["\u0300"]


@given(_WORDS, st.data())
def test_words_of_a_text_are_found_as_they_are(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    text, part = " ".join(words), " ".join(words[first : last + 1])

    located = locate(text, _quoted(part))

    assert _slices(text, located) == [part]


@given(_WORDS, st.sampled_from(["upper", "NFD", "NFC", "spaces"]))
def test_words_are_found_when_rewritten(words: list[str], how: str) -> None:
    text = " ".join(words)
    assume(not re.fullmatch(r"[*`\s]*", text))
    part = {
        "upper": text if text.upper().casefold() != text.casefold() else text.upper(),
        "NFD": unicodedata.normalize("NFD", text),
        "NFC": unicodedata.normalize("NFC", text),
        "spaces": text.replace(" ", " \u00a0 "),
    }[how]

    located = locate(text, _quoted(part))

    assert len(located.spans) == 1


@given(
    st.text(max_size=40),
    st.lists(
        st.builds(
            Fragment,
            st.none() | st.text(max_size=6),
            st.floats(),
            st.none() | st.integers(-50, 50),
            st.none() | st.integers(-50, 50),
        ),
        max_size=6,
    ),
)
def test_every_fragment_is_accounted_for(text: str, fragments: list[Fragment]) -> None:
    located = locate(text, fragments)

    assert len(located.spans) + located.unplaced + located.dropped == len(fragments)
    assert located.clipped <= len(located.spans)
    assert all(0 <= span.start < span.end <= len(text) for span in located.spans)
    assert all(0 <= span.probability <= 1 for span in located.spans)


@given(st.text() | st.text(alphabet='{}[]":,a01. \n', max_size=60))
@example('{"spans": [' * 3000)
@example('["a", ' * 3000)
def test_any_text_is_read_without_an_exception(text: str) -> None:
    reading = read_fragments(Reply(text))

    assert reading.status in STATUSES
    if reading.status != "truncated":
        assert (reading.answer is not None) == (reading.status == "answered")


@given(st.lists(st.text(alphabet="The swath of 290 km, wrong; é", min_size=1), max_size=4))
def test_what_is_asked_for_is_read_back(texts: list[str]) -> None:
    reply = json.dumps({"spans": [{"text": text, "probability": 0.5} for text in texts]})

    assert read_fragments(Reply(reply)).answer == tuple(Fragment(text, 0.5) for text in texts)
