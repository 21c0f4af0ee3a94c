"""Reading JSON out of a text."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.answers._json import cut_json, json_values, scan_json

_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Cn", "Co"]), max_size=12
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT
)
_VALUES = st.recursive(
    st.lists(_LEAVES, max_size=3) | st.dictionaries(_TEXT, _LEAVES, max_size=3),
    lambda inner: (
        st.lists(inner | _LEAVES, max_size=3) | st.dictionaries(_TEXT, inner | _LEAVES, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("no braces here", []),
        ('{"answer": "B"}', [{"answer": "B"}]),
        ('Sure:\n```json\n{"answer": "B"}\n```\nDone.', [{"answer": "B"}]),
        ('{"a": 1} and then [2, 3]', [{"a": 1}, [2, 3]]),
        ("{'a': True, 'b': None, 'c': [False]}", [{"a": True, "b": None, "c": [False]}]),
        ('{"a": [1, 2,], }', [{"a": [1, 2]}]),
        ('{"a": 1, "a": 2}', [{"a": 2}]),
        ("{answer: 'B'}", [{"answer": "B"}]),
        ('{"text": "the "blue" band", "p": .5}', [{"text": 'the "blue" band', "p": 0.5}]),
        ("{'text': 'the sensor's swath'}", [{"text": "the sensor's swath"}]),
        ('{"a": "two\nlines"}', [{"a": "two\nlines"}]),
        (r'{"a": "\ud83d\ude00 \u00e9 \n \" \d"}', [{"a": '😀 é \n " \\d'}]),
        (r"{'a': '10\xa0m'}", [{"a": "10\u00a0m"}]),
        (r'{"a": "\ud83d"}', [{"a": "\ufffd"}]),
        ("{} []", [{}, []]),
        (r"the set \boxed{B} and {x, y}", []),
        ('{see below} {"a": 1}', [{"a": 1}]),
        ('{"B"} {"a": 1}', [{"a": 1}]),
        ('{"text: "a"} [1, 2]', [[1, 2]]),
        ('[see {"a": 1}]', [{"a": 1}]),
        ('{"a": "b", see {"c": 1}', [{"c": 1}]),
        ("[1} [2]", [[2]]),
        ('{"a"] [2]', [[2]]),
        ('{"a": 85%} [2]', [[2]]),
        ("[1,,2]", []),
        ("[,1]", []),
        ('{"a" 1}', []),
        ('{"a": what}', []),
        ('{"a": 1]', []),
        ("[1 2]", []),
        ("[+1, -2, 1e3, 1.]", [[1, -2, 1000.0, 1.0]]),
        ("[Infinity, -Infinity]", [[math.inf, -math.inf]]),
        (f"[{'9' * 500}]", [[math.inf]]),
    ],
)
def test_values(text: str, values: list[object]) -> None:
    assert json_values(text) == values


def test_nan_is_a_float() -> None:
    assert [repr(item) for value in json_values("[NaN]") for item in list_of(value)] == ["nan"]


def list_of(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize(
    ("text", "values", "rest"),
    [
        ("{", [], {}),
        ('{"a', [], {}),
        ('{"a"', [], {}),
        ('{"a": "b"', [], {"a": "b"}),
        ('{"a": 1', [], {}),
        ('{"a": tru', [], {}),
        ("{answ", [], {}),
        ('{"text: [1, 2]', [], {}),
        ('{"a": 1, "b": [{"c": 1}, {"d', [], {"a": 1, "b": [{"c": 1}]}),
        ("[[26, 32], [40", [], [[26, 32]]),
        ('[1] {"a": {"answer": "B"}, "b": ', [[1]], {"a": {"answer": "B"}}),
    ],
)
def test_cut_value_is_no_value_but_its_complete_parts_are_kept(
    text: str, values: list[object], rest: object
) -> None:
    scan = scan_json(text)

    assert cut_json(text)
    assert json_values(text) == values
    assert scan.rest is not None
    assert scan.rest.value == rest
    assert scan.open_levels >= 1


def test_places() -> None:
    text = 'say {"a": 1}, then [2].'

    scan = scan_json(text)

    assert [text[found.start : found.end] for found in scan.found] == ['{"a": 1}', "[2]"]
    assert (scan.open_levels, scan.rest) == (0, None)
    assert not cut_json(text)


def test_too_deep_nesting_is_passed_over() -> None:
    assert json_values("[" * 65 + "]" * 65 + " [1]") == [[1]]
    assert len(json_values("[" * 64 + "]" * 64)) == 1


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        "[{",
        "[",
        '"',
        '{"',
        "{\"{'",
        "[[1],",
        '{"a":',
        '{"a":1,',
        "\\",
        '{"\\"',
        "[1 ",
        '",',
        "}",
    ],
)
@pytest.mark.parametrize("head", ["", '{"', "[", '{"a":"'])
def test_hostile_text_gives_at_most_whole_values(unit: str, head: str) -> None:
    text = head + unit * (200_000 // len(unit))

    scan = scan_json(text)

    for found in scan.found:
        assert text[found.start] in "[{"
        assert text[found.end - 1] in "]}"


def test_a_loop_of_values_is_read_up_to_a_bound() -> None:
    assert 3_000 < len(json_values('{"answer": "B"} ' * 20_000)) < 20_000


@given(_VALUES, st.sampled_from(["{}", "It's this: {}", "```json\n{}\n```", "(see {} there)"]))
def test_json_comes_back(value: object, around: str) -> None:
    assert json_values(around.replace("{}", json.dumps(value, ensure_ascii=False))) == [value]
    assert json_values(around.replace("{}", json.dumps(value, indent=2))) == [value]


@given(_VALUES)
def test_python_values_come_back(value: object) -> None:
    assert json_values(repr(value)) == [value]


@given(_VALUES, st.data())
def test_a_beginning_of_json_gives_no_value(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    length = data.draw(st.integers(1, len(text) - 1))

    assert json_values(text[:length]) == []


@given(st.text() | st.text(alphabet="{}[]\"':,\\ab1 \n", max_size=60))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for found in scan_json(text).found:
        assert isinstance(found.value, list | dict)
        assert 0 <= found.start < found.end <= len(text)
