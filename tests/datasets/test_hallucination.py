from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import (
    BadRowError,
    Item,
    Level,
    Row,
    Rules,
    hallucination_detection,
    hallucination_text,
)

ANSWER = " 🛰 Sentinel-3 measures salinity."
START = ANSWER.index("salinity")
ROW = {
    "Question": "What does Sentinel-3 measure?",
    "Answer": ANSWER,
    "Soft labels": [{"start": START, "end": START + 8, "prob": 0.75, "text": "salinity"}],
    "Hard labels": [[START, START + 8]],
    "is_hallucinated": True,
}
CLEAN = {**ROW, "Soft labels": [], "Hard labels": [], "is_hallucinated": False}
LEVELS: tuple[Level, ...] = get_args(Level)


def item(record: dict[str, Any], level: Level = "binary", rules: Rules | None = None) -> Item:
    return hallucination_detection(level).to_item(Row(record), rules or Rules())


def test_text() -> None:
    assert hallucination_text(" Why? ", ANSWER) == f"Question:\nWhy?\n\nAnswer:\n{ANSWER}"


def test_binary() -> None:
    assert item(ROW).target == "yes"
    assert item(CLEAN).target == "no"
    assert item(ROW).metadata == {"question": ROW["Question"]}
    assert item(ROW).input == hallucination_text("What does Sentinel-3 measure?", ANSWER)


def test_hard() -> None:
    hard = item(ROW, "hard")
    span = {"start": START, "end": START + 8, "text": "salinity"}
    assert json.loads(str(hard.target)) == [span]
    assert hard.metadata["hard"] == [[START, START + 8]]
    assert hard.metadata["answer"] == ANSWER
    assert "soft" not in hard.metadata
    assert item(CLEAN, "hard").target == "[]"
    assert item(CLEAN, "hard").metadata["hard"] == []


def test_soft() -> None:
    soft = item(ROW, "soft")
    span = {"start": START, "end": START + 8, "prob": 0.75, "text": "salinity"}
    assert json.loads(str(soft.target)) == [span]
    assert soft.metadata["soft"] == [[START, START + 8, 0.75]]
    assert soft.metadata["hard"] == [[START, START + 8]]
    alone = {key: value for key, value in ROW.items() if key != "Hard labels"}
    assert "hard" not in item(alone, "soft").metadata


def test_levels_share_input_and_content() -> None:
    assert len({str((item(ROW, level).input, item(ROW, level).content)) for level in LEVELS}) == 1


def test_the_answer_is_never_normalised() -> None:
    decomposed = {**CLEAN, "Answer": "Re\u0301union is an island. "}
    assert item(decomposed, "hard").metadata["answer"] == "Re\u0301union is an island. "


@pytest.mark.parametrize(
    ("level", "column"),
    [("binary", "is_hallucinated"), ("hard", "Hard labels"), ("soft", "Soft labels")],
)
def test_the_gold_of_the_level_has_to_be_there(level: Level, column: str) -> None:
    assert column in hallucination_detection(level).columns
    with pytest.raises(BadRowError, match="is missing") as caught:
        item({**ROW, column: None}, level)
    assert caught.value.column == column


@pytest.mark.parametrize("level", LEVELS)
def test_no_other_gold_has_to_be_there(level: Level) -> None:
    needed = hallucination_detection(level).columns
    alone = {key: value for key, value in ROW.items() if key in needed}
    assert len(alone) == 3
    assert item(alone, level).target == item(ROW, level).target


@pytest.mark.parametrize(
    ("value", "target"),
    [(True, "yes"), (False, "no"), ("true", "yes"), ("False", "no"), (" TRUE ", "yes")],
)
def test_booleans(value: object, target: str) -> None:
    record = {"Question": "q", "Answer": "a", "is_hallucinated": value}
    assert item(record).target == target


@pytest.mark.parametrize("value", ["maybe", "yes", 1, 0, 1.0, [], {"a": 1}])
def test_what_is_no_boolean(value: object) -> None:
    with pytest.raises(BadRowError, match="allowed: true, false") as caught:
        item({"Question": "q", "Answer": "a", "is_hallucinated": value})
    assert caught.value.column == "is_hallucinated"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        pytest.param({"Answer": " "}, "Answer", "is empty", id="no-answer"),
        pytest.param({"Hard labels": [[5, 400]]}, "Hard labels", "must hold", id="past-the-end"),
        pytest.param({"Soft labels": [[0, 5, 85]]}, "Soft labels", "in 0..1", id="percent"),
        pytest.param({"is_hallucinated": False}, "is_hallucinated", "is false, but 1", id="false"),
        pytest.param(
            {"Hard labels": [], "Soft labels": []},
            "is_hallucinated",
            "no span is marked",
            id="true",
        ),
    ],
)
def test_every_level_checks_every_column(
    level: Level, change: dict[str, Any], column: str, reason: str
) -> None:
    with pytest.raises(BadRowError, match=reason) as caught:
        item({**ROW, **change}, level)
    assert caught.value.column == column


def test_a_doubtful_answer_may_have_no_marked_span() -> None:
    assert item({**ROW, "Hard labels": []}).target == "yes"


def test_declared_utf16_offsets() -> None:
    shifted = {**ROW, "Hard labels": [[START + 1, START + 9]], "Soft labels": []}
    assert item(shifted, "hard", Rules(offsets="utf16")).metadata["hard"] == [[START, START + 8]]


def test_golds_of_the_cases(cases: Mapping[str, Any]) -> None:
    with pytest.raises(BadRowError, match="is missing"):
        item(cases["hb-020"]["input"]["record"])
    for gold in (*cases["hb-022"]["input"]["gold_raw"], cases["rt-022"]["input"]["gold_parsed"]):
        with pytest.raises(BadRowError):
            item({"Question": "q", "Answer": "a", "is_hallucinated": gold})


def test_unknown_level() -> None:
    with pytest.raises(EveInspectError, match="level='fuzzy' is not offered: use 'binary'"):
        hallucination_detection("fuzzy")  # type: ignore[arg-type]
