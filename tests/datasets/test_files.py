from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._files import parse_csv, parse_json, parse_jsonl, read_records
from tests.datasets.conftest import to_parquet

Write = Callable[[str, str | bytes], Path]

# Each of these is something else to a reader that infers types.
TEXTS = [
    "NA",
    "None",
    "null",
    "nan",
    "1e3",
    "007",
    "2024-05-01",
    "true",
    "",
    " x ",
    "a\u2028b",
    "é",
]
ROWS = [{"id": text, "Question": f"{text} 🛰"} for text in TEXTS]


def to_jsonl(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_csv(rows: list[dict[str, Any]], delimiter: str = ",", end: str = "\n") -> str:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(
        buffer, list(rows[0]), delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL
    )
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("x.jsonl", to_jsonl(ROWS), id="jsonl"),
        pytest.param("x.jsonl", "\n" + to_jsonl(ROWS).replace("\n", "\r\n\r\n"), id="blank-lines"),
        pytest.param("x.jsonl", "\ufeff" + to_jsonl(ROWS), id="jsonl-bom"),
        pytest.param("X.JSONL", to_jsonl(ROWS).rstrip(), id="no-last-newline"),
        pytest.param("x.json", json.dumps(ROWS, indent=2), id="json"),
        pytest.param("x.json", "\ufeff" + json.dumps(ROWS), id="json-bom"),
        pytest.param("x.json", to_jsonl(ROWS), id="json-lines"),
        pytest.param("x.csv", to_csv(ROWS), id="csv"),
        pytest.param("x.csv", "\ufeff" + to_csv(ROWS), id="csv-bom"),
        pytest.param("x.csv", to_csv(ROWS, end="\r\n"), id="csv-crlf"),
        pytest.param("x.csv", to_csv(ROWS, delimiter=";"), id="csv-semicolons"),
        pytest.param("x.csv", to_csv(ROWS, delimiter="\t"), id="csv-tabs"),
        pytest.param("x.parquet", to_parquet(ROWS), id="parquet"),
        pytest.param("a [1]*.parquet", to_parquet(ROWS), id="parquet-glob-characters"),
    ],
)
def test_text_stays_text(write: Write, name: str, content: str | bytes) -> None:
    assert read_records(write(name, content)) == ROWS


def test_other_values_keep_their_types(write: Write) -> None:
    rows = [{"Hard labels": [[0, 5]], "is_hallucinated": True, "Doc 1": None}]
    assert read_records(write("x.jsonl", to_jsonl(rows))) == rows
    assert read_records(write("x.json", json.dumps(rows))) == rows
    assert read_records(write("x.parquet", to_parquet(rows))) == rows


def test_cells_may_hold_lines_quotes_and_much_text() -> None:
    rows = [{"Question": 'a "b"\r\nc,\n\nd', "Answer": "x" * 200_000}]
    limit = csv.field_size_limit()
    assert parse_csv(to_csv(rows)) == rows
    assert csv.field_size_limit() == limit


@given(
    st.lists(
        st.fixed_dictionaries(
            {name: st.text(st.characters(exclude_categories=["Cs"])) for name in ("q", "a")}
        ),
        min_size=1,
    )
)
def test_any_text_survives(rows: list[dict[str, str]]) -> None:
    assert parse_jsonl(to_jsonl(rows)) == rows
    assert parse_json(json.dumps(rows)) == rows
    without_nul = [{k: v.replace("\0", "") for k, v in row.items()} for row in rows]
    assert parse_csv(to_csv(without_nul)) == without_nul


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("x.jsonl", "", "holds no rows", id="empty-jsonl"),
        pytest.param("x.jsonl", "\n \n", "holds no rows", id="blank-jsonl"),
        pytest.param("x.json", "[]", "holds no rows", id="empty-list"),
        pytest.param("x.csv", "Question,Answer\n", "holds no rows", id="header-only"),
        pytest.param("x.csv", "", "holds no rows", id="empty-csv"),
        pytest.param("x.parquet", "", "is not a Parquet file, or damaged", id="empty-parquet"),
        pytest.param("x.parquet", "Question", "is not a Parquet file", id="text-parquet"),
        pytest.param(
            "x.jsonl", '{"a": 1}\n{"a": \n', "line 2, character 7 is not JSON", id="jsonl"
        ),
        pytest.param("x.jsonl", '{"a": 1}\n\n[1]\n', "line 3 is not an object", id="no-object"),
        pytest.param("x.jsonl", "[" * 100_000, "line 1 is nested too deeply", id="deep"),
        pytest.param(
            "x.json", '[\n{"a": 1},\n{"a" 2}]', "line 3, character 6 is not JSON", id="json"
        ),
        pytest.param("x.json", '[{"a": 1}, 2]', "entry 2 is not an object", id="no-objects"),
        pytest.param("x.json", '{\n "a": 1\n}', "line 1, character 2 is not JSON", id="one-object"),
        pytest.param("x.csv", "a,b\n1,2\n1\n", "row 2 has 1 cells, the header 2", id="narrow"),
        pytest.param("x.csv", "a,b\n1,2,3\n", "row 1 has 3 cells", id="wide"),
        pytest.param("x.csv", "a,a\n1,2\n", "the header repeats a name: a, a", id="repeated"),
        pytest.param("x.csv", 'a,b\n"1,2\n', "line 2 is not CSV", id="open-quote"),
        pytest.param("x.csv", b"a,b\n\xe9,2\n", "byte 4 is not UTF-8; save it", id="latin-1"),
        pytest.param("x.csv", "a,b".encode("utf-16"), "byte 0 is not UTF-8", id="utf-16"),
    ],
)
def test_unreadable_files(write: Write, name: str, content: str | bytes, message: str) -> None:
    path = write(name, content)
    with pytest.raises(EveInspectError, match=message) as caught:
        read_records(path)
    assert caught.value.message.startswith(f"dataset={str(path)!r} ")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("x.jsonl", "does not exist: check the path", id="missing"),
        pytest.param(
            "smaple", "is not offered: use 'hub', 'sample', or the path of", id="mistyped"
        ),
        pytest.param("x.xlsx", "a .parquet, .jsonl, .json, .csv file", id="suffix"),
        pytest.param("eve-esa/mcqa", "is not offered", id="hub-id"),
        pytest.param("", "is not offered|is a directory", id="nothing"),
    ],
)
def test_paths_that_are_not_offered(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(EveInspectError, match=message):
        read_records(str(tmp_path / name) if name.endswith("jsonl") else name)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match="is a directory: name a file in it"):
        read_records(tmp_path)


def test_what_the_system_refuses_is_told(tmp_path: Path) -> None:
    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    with pytest.raises(EveInspectError, match="cannot be read: Too many levels"):
        read_records(loop)


def test_home_is_expanded(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    path = write("x.jsonl", to_jsonl(ROWS))
    monkeypatch.setenv("HOME", str(path.parent))
    assert read_records("~/x.jsonl") == ROWS


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param('{"Answer": "A", "Answer": "B"}', "repeats the key 'Answer'", id="repeated"),
        pytest.param('{"Answer": ' + "9" * 5000 + "}", "digits", id="huge number"),
    ],
)
def test_json_that_nobody_can_mean(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(line)
    with pytest.raises(EveInspectError, match=f"line 1: .*{reason}"):
        read_records(file)
