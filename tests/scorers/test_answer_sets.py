"""Recorded answers are read from logs and files, and mistakes are told in one line."""

from __future__ import annotations

import csv
import io
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalError, EvalLog, ProvenanceData, read_eval_log, write_eval_log

from eve_inspect import EveInspectError, open_ended, open_ended_w_context
from eve_inspect.scorers._answer_sets import load_answers
from tests.scorers.panel import judged
from tests.scorers.panel import script as always
from tests.servers.openai_server import OpenAIServer, Scripted
from tests.tasks.exam import by_question, write

ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(3)]
Make = Callable[..., Path]


def path_of(log: EvalLog, target: Path) -> Path:
    """Copy a log's file to a path."""
    return Path(shutil.copy(log.location.removeprefix("file://"), target))


@pytest.fixture
def make(server: OpenAIServer, tmp_path: Path) -> Make:
    """Make a log of open questions; ``script`` replies."""

    def run(script: Any, name: str = "a.eval", epochs: int = 1, **arguments: Any) -> Path:
        server.script = script if callable(script) else always(script, {})
        rows = write(tmp_path / "rows.jsonl", ROWS)
        task = open_ended(dataset=rows, judge_later=True, **arguments)
        log = judged(task, server, tmp_path, [], epochs=epochs, fail_on_error=False)
        return path_of(log, tmp_path / name)

    return run


def test_a_log_gives_answers_in_the_order_of_its_data(make: Make) -> None:
    replies: dict[int, Scripted | str] = {
        0: "<think>Hm.</think>Ten days.",
        1: "",
        2: Scripted("Half an ans", finish_reason="length"),
    }
    path = make(by_question(replies))
    found = load_answers(path)
    log = read_eval_log(str(path))
    assert [one.question for one in found.answers] == [row["Question"] for row in ROWS]
    assert [one.reference for one in found.answers] == [row["Answer"] for row in ROWS]
    assert [one.reading.answer for one in found.answers] == ["Ten days.", None, "Half an ans"]
    assert [one.reading.status for one in found.answers] == ["answered", "empty", "answered"]
    assert {one.id for one in found.answers} == {str(one.id) for one in log.samples or []}
    assert found.name == "openai-api/loopback/candidate"
    assert found.task == "open_ended"
    assert found.fingerprint == (log.eval.metadata or {})["dataset"]["fingerprint"]
    assert found.prompt is not None
    assert found.prompt.startswith("open_ended 1 (")
    assert len(found.sha256) == 16
    assert found.has_ids


def test_a_failed_sample_and_an_invalid_one_are_no_answers(make: Make, tmp_path: Path) -> None:
    log = read_eval_log(str(make("An answer.")))
    samples = log.samples or []
    samples[0].error = EvalError(message="", traceback="", traceback_ansi="")
    samples[1].invalidation = ProvenanceData(author="a", reason="wrong image")
    log.status = "cancelled"
    write_eval_log(log, str(tmp_path / "b.eval"))
    found = load_answers(tmp_path / "b.eval")
    statuses = {one.id: one.reading.status for one in found.answers}
    assert [statuses[str(one.id)] for one in samples] == ["error", "error", "answered"]


def test_other_demonstrations_are_another_prompt(make: Make) -> None:
    one, two = (
        load_answers(make("An answer.", f"{n}.eval", fewshot=n, fewshot_sampler="random"))
        for n in (1, 2)
    )
    assert one.prompt != two.prompt
    assert "fewshot n=1 sampler=random seed=0 pool=" in str(one.prompt)


def test_documents_of_a_log_are_its_context(server: OpenAIServer, tmp_path: Path) -> None:
    rows = write(
        tmp_path / "rows.jsonl",
        [{"Question": "How often?", "Answer": "Daily.", "Doc 1": "One a day.", "Doc 2": None}],
    )
    server.script = always("Daily.", {})
    task = open_ended_w_context(dataset=rows, judge_later=True)
    found = load_answers(path_of(judged(task, server, tmp_path, []), tmp_path / "c.eval"))
    (only,) = found.answers
    assert only.question == "How often?"
    assert only.context == "Document 1:\nOne a day."


@pytest.mark.parametrize(("choice", "epochs"), [("first", [1, 1, 1]), ("all", [1, 1, 1, 2, 2, 2])])
def test_epochs_are_a_choice(make: Make, choice: Any, epochs: list[int]) -> None:
    path = make("An answer.", epochs=2)
    assert [one.epoch for one in load_answers(path, epochs=choice).answers] == epochs
    with pytest.raises(EveInspectError, match="has 2 epochs: take the first with 'first'"):
        load_answers(path)


def test_a_log_in_json_is_told_from_records(make: Make, tmp_path: Path) -> None:
    log = read_eval_log(str(make("An answer.")))
    write_eval_log(log, str(tmp_path / "log.json"))
    (tmp_path / "records.json").write_text('[{"question": "Q?", "answer": "A"}]', encoding="utf-8")
    assert load_answers(tmp_path / "log.json").task == "open_ended"
    assert load_answers(tmp_path / "records.json").task is None
    assert load_answers(f"file://{tmp_path / 'log.json'}", name=" Eve ").name == "Eve"


def test_a_log_at_a_url_is_left_to_the_reader_of_inspect(make: Make) -> None:
    path, url = make("An answer."), "memory://bucket/a.eval"
    write_eval_log(read_eval_log(str(path)), url)
    far = load_answers(url)
    assert far.answers == load_answers(path).answers
    assert len(far.sha256) == 16
    assert far.sha256 == load_answers(url).sha256


def test_the_log_of_a_comparison_is_no_source(make: Make, tmp_path: Path) -> None:
    log = read_eval_log(str(make("An answer.")))
    log.eval.task = "eve_inspect/win_rate"
    write_eval_log(log, str(tmp_path / "w.eval"))
    with pytest.raises(EveInspectError, match="is the log of a comparison"):
        load_answers(tmp_path / "w.eval")


def csv_of(folder: Path, text: str, name: str = "model-a.csv") -> Path:
    """Write a file."""
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder / name


@pytest.mark.parametrize("question", ["doc\\.Question", "doc.Question", "Question", "question"])
def test_csv_of_the_earlier_tool(tmp_path: Path, question: str) -> None:
    rows = [
        ["0", "How often?", "Daily.", repr(["It's daily.\nYes."])],
        ["1", "How\nwide?", "290 km", repr([""])],
        ["2", "How old?", "nan", '["None"]'],
        ["3", "What?", "x", ""],
    ]
    written = io.StringIO(newline="")
    csv.writer(written).writerows([["", question, "target", "filtered_resps"], *rows])
    text = written.getvalue()
    found = load_answers(csv_of(tmp_path, text))
    assert found.name == "model-a"
    assert not found.has_ids
    assert (found.task, found.fingerprint, found.prompt) == (None, None, None)
    assert [one.question for one in found.answers] == [
        "How often?",
        "How\nwide?",
        "How old?",
        "What?",
    ]
    assert [one.reference for one in found.answers] == ["Daily.", "290 km", "nan", "x"]
    assert [one.reading.answer for one in found.answers] == [
        "It's daily.\nYes.",
        None,
        "None",
        None,
    ]
    assert [one.reading.status for one in found.answers] == ["answered", "empty"] * 2


@pytest.mark.parametrize(
    "cells",
    [
        ["['a']", "plain"],
        ["['a' 'b']"],
        ["['a', 'b']"],
        ["['a'"],
        ["[" * 5000 + "]" * 5000],
        ["['\\S']"],
    ],
    ids=["not all", "two literals", "two texts", "open", "deep", "an escape of no repr"],
)
def test_what_is_no_list_of_one_stays_as_it_is(tmp_path: Path, cells: list[str]) -> None:
    rows = [{"Question": f"Q{n}?", "filtered_resps": cell} for n, cell in enumerate(cells)]
    found = load_answers(write(tmp_path / "a.jsonl", rows))
    assert [one.reading.answer for one in found.answers] == cells


def test_an_odd_cell_leaves_the_lists_of_the_others_alone(tmp_path: Path) -> None:
    cells = ["['a']", "['b']", "['c']", "['d']", "['e']", "[]", "[None]", "nan", "plain"]
    rows = [{"Question": f"Q{n}?", "filtered_resps": cell} for n, cell in enumerate(cells)]
    found = load_answers(write(tmp_path / "a.jsonl", rows))
    answers = [one.reading.answer for one in found.answers]
    assert answers == ["a", "b", "c", "d", "e", None, None, "nan", "plain"]


def test_jsonl_of_lm_eval_and_values_of_json(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"doc": {"Question": "Q0?"}, "target": "R", "filtered_resps": ["['x']"]},
        {"doc": {"Question": "Q1?"}, "target": None, "filtered_resps": ["half \ud83d"]},
        {"doc": {"Question": "Q\ud83d?"}, "target": "R", "filtered_resps": [float("nan")]},
    ]
    found = load_answers(write(tmp_path / "a.jsonl", rows))
    assert [one.reading.answer for one in found.answers][1:] == ["half \ufffd", None]
    assert [one.question for one in found.answers] == ["Q0?", "Q1?", "Q\ufffd?"]
    assert [one.reference for one in found.answers] == ["R", "", "R"]


def test_named_columns_win_over_the_usual_ones(tmp_path: Path) -> None:
    rows = [{"question": "no", "Prompt": "Q?", "Gold": "R", "Model": "A", "nr": 7, "Docs": "D"}]
    columns = {
        "question": "Prompt",
        "reference": "Gold",
        "answer": "Model",
        "id": "nr",
        "context": "Docs",
    }
    (one,) = load_answers(write(tmp_path / "a.jsonl", rows), columns=columns).answers
    assert (one.id, one.question, one.reference, one.context) == ("7", "Q?", "R", "D")
    assert one.reading.answer == "A"


def test_questions_that_repeat_get_ids_of_their_own(tmp_path: Path) -> None:
    rows = [{"question": text, "answer": "A"} for text in ("Q?", "Q?", " Q? ", "R?")]
    found = load_answers(write(tmp_path / "a.jsonl", rows))
    first = found.answers[0].id
    ids = [one.id for one in found.answers]
    assert ids[:3] == [first, f"{first}-2", f"{first}-3"]
    assert len(set(ids)) == 4


CSV = "question,answer\nQ?,A\n"
FAULTS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "suffix": ("a.xlsx", CSV, {}, "is not offered: use the path of a log"),
    "no log": ("a.eval", "no log", {}, "is no log that can be read"),
    "a broken log of JSON": (
        "a.json",
        '{"version": 2, "status": "success", "eval": {"x',
        {},
        "is no log that can be read",
    ),
    "columns of a log": ("a.eval", "", {"columns": {"id": "x"}}, "is a log, which has no columns"),
    "empty": ("a.csv", "", {}, "holds no rows"),
    "header only": ("a.csv", "question,answer\n", {}, "holds no rows"),
    "ragged": ("a.csv", "question,answer\nQ?\n", {}, "row 1 has 1 cells"),
    "not JSON": ("a.jsonl", "{", {}, "line 1, character 2 is not JSON"),
    "no question": ("a.csv", "q,answer\nQ?,A\n", {}, r"\(question\): name it .* has 'q', 'answer'"),
    "no answer": ("a.csv", "question,a\nQ?,A\n", {}, r"\(answer\): name it in the columns of side"),
    "no such column": ("a.csv", CSV, {"columns": {"id": "nr"}}, r"no column 'nr' \(id\): it has"),
    "no such field": ("a.csv", CSV, {"columns": {"colour": "x"}}, "'colour', which is not offered"),
    "blank question": ("a.csv", "question,answer\n ,A\n", {}, r"row 1: 'question' \(question\) is"),
    "blank id": ("a.csv", "id,question,answer\n,Q?,A\n", {}, r"row 1: 'id' \(id\) is blank"),
    "number": ("a.jsonl", '{"question": "Q", "answer": 5}', {}, "row 1: 'answer' holds int"),
    "repeated id": (
        "a.csv",
        "id,question,answer\n1,Q?,A\n1,R?,B\n",
        {},
        "holds the id '1' 2 times",
    ),
    "epochs": ("a.csv", CSV, {"epochs": "last"}, "epochs='last' of side is not offered"),
    "name": ("a.csv", CSV, {"name": " "}, "the name ' ' of side is no name"),
}


@pytest.mark.parametrize(("file", "text", "options", "message"), FAULTS.values(), ids=FAULTS)
def test_a_mistake_is_told_in_one_line(
    tmp_path: Path, file: str, text: str, options: dict[str, Any], message: str
) -> None:
    path = csv_of(tmp_path, text, file)
    with pytest.raises(EveInspectError, match=message) as caught:
        load_answers(path, side="side", **options)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere.csv", "model_b='nowhere.csv' does not exist"),
        ("s3://bucket/a.csv", "is a URL: only logs"),
        ("nowhere://bucket/a.eval", "is no log that can be read"),
        ("a\0.csv", "is no path of a file"),
        (".", "is a directory"),
    ],
)
def test_a_source_that_is_not_there(source: str, message: str) -> None:
    with pytest.raises(EveInspectError, match=message):
        load_answers(source, side="model_b")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"question,answer\nQ?,\xff\n")
    with pytest.raises(EveInspectError, match="byte 19 is not UTF-8"):
        load_answers(tmp_path / "a.csv")


def test_thousands_of_rows_are_read_at_once(tmp_path: Path) -> None:
    rows = [
        {"id": n, "question": f"Q{n}?", "filtered_resps": str(["word " * 200])} for n in range(3000)
    ]
    path = write(tmp_path / "a.jsonl", rows)
    started = time.process_time()
    assert len(load_answers(path).answers) == 3000
    assert time.process_time() - started < 5


def test_the_digest_is_of_the_file(tmp_path: Path) -> None:
    one = load_answers(csv_of(tmp_path, CSV))
    two = load_answers(csv_of(tmp_path, f"{CSV}R?,B\n"))
    assert one.sha256 != two.sha256
    assert one.sha256 == load_answers(csv_of(tmp_path, CSV, "other.csv")).sha256
