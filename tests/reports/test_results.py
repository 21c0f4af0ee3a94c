"""Scores over what was scored and over all, from real logs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from eve_inspect import EveInspectError, hallucination_detection, mcqa_single, results
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer, Scripted
from tests.tasks.exam import SINGLE, by_question, hallucination_rows, write


@solver
def fail_tenth() -> Solver:
    """Fail on every tenth sample, as a broken machine might."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if int(state.sample_id) % 10 == 0:
            raise RuntimeError("lost")
        state.output = ModelOutput.from_content("none", "A")
        return state

    return solve


@scorer(metrics=[accuracy()])
def right_up_to_88() -> Scorer:
    """Score the first 88 of the 90 that come through, 80 of them right."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        return Score(value=CORRECT if int(state.sample_id) <= 88 else INCORRECT)

    return score


@scorer(metrics=[{"defined": [mean()], "sometimes": [mean()]}])
def columns() -> Scorer:
    """Score two columns, one of them undefined for odd samples."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        number = int(state.sample_id)
        if number == 3:
            return Score.unscored(reason="scoring_failed")
        return Score(value={"defined": 1.0, "sometimes": math.nan if number % 2 else 0.5})

    return score


def run(task: Task, folder: Path) -> EvalLog:
    """Evaluate without a model."""
    (log,) = eval(task, model="none/none", log_dir=str(folder), display="log", fail_on_error=False)
    return log


def numbered(count: int) -> MemoryDataset:
    """Return samples with the ids 1 to ``count``."""
    return MemoryDataset([Sample(id=n, input="q", target="A") for n in range(1, count + 1)])


def test_what_was_lost_is_in_the_denominator_of_one_and_not_of_the_other(tmp_path: Path) -> None:
    task = Task(dataset=numbered(100), solver=fail_tenth(), scorer=right_up_to_88())
    row = results(run(task, tmp_path)).iloc[0]
    assert row.value == pytest.approx(80 / 90)
    assert row.value_over_all == pytest.approx(80 / 100)
    assert (row.replies, row.scored, row.errored, row.unscored) == (100, 90, 10, 0)


def test_a_column_that_is_undefined_is_not_lost(tmp_path: Path) -> None:
    task = Task(dataset=numbered(5), solver=fail_tenth(), scorer=columns())
    table = results(run(task, tmp_path)).set_index("score")
    assert table.value["defined"] == 1.0
    assert table.value_over_all["defined"] == pytest.approx(4 / 5)
    assert table.value["sometimes"] == 0.5
    # Samples 2 and 4 have 0.5, 3 is lost, 1 and 5 define none.
    assert table.value_over_all["sometimes"] == pytest.approx(1.0 / 3)
    assert set(table.unscored) == {1}
    assert table.coverage.isna().all()


def test_a_run_that_lost_everything_has_a_row_without_a_figure(tmp_path: Path) -> None:
    task = Task(
        dataset=MemoryDataset([Sample(id=10, input="q", target="A")]),
        solver=fail_tenth(),
        scorer=right_up_to_88(),
    )
    table = results(run(task, tmp_path))
    assert list(table.errored) == [1]
    assert list(table.metric) in ([""], ["accuracy"])
    assert table.value.isna().all()


def test_files_folders_logs_and_lists_of_them_agree(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({0: "Answer: A", 1: Scripted("no", status=404)}, otherwise="Hm.")
    data = write(tmp_path / "exam.jsonl", SINGLE)
    log = evaluate(mcqa_single(dataset=data), fail_on_error=False)
    folder = tmp_path / "logs"
    (file,) = folder.glob("*.eval")
    of_log = results(log)
    for source in (file, str(file), folder, str(folder), [log], [file]):
        assert results(source).equals(of_log)
    assert len(results([file, log])) == 2 * len(of_log)
    assert set(of_log.task) == {"eve_inspect/mcqa_single"}
    assert set(of_log.model) == {"openai-api/loopback/model"}
    assert set(of_log.log) == {file.name}
    row = of_log[of_log.metric == "accuracy"].iloc[0]
    assert row.coverage == pytest.approx(1 / 8)
    assert row.value_over_all == pytest.approx(1 / 8)


def test_epochs_count_as_replies(evaluate: Evaluate, server: OpenAIServer, tmp_path: Path) -> None:
    server.script = by_question({0: "Yes", 1: "No"})
    data = write(tmp_path / "rows.jsonl", hallucination_rows(1, 1))
    table = results(evaluate(hallucination_detection(dataset=data), epochs=3))
    assert set(table.replies) == {6}
    row = table[table.metric == "accuracy"].iloc[0]
    assert (row.value, row.value_over_all) == (0.0, 0.0)
    assert row.reducer == "mean"


def test_a_place_without_logs_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match="holds no logs"):
        results(tmp_path)
    with pytest.raises(EveInspectError, match=r"gone\.eval"):
        results(tmp_path / "gone.eval")


def test_a_stopped_run_shows_what_was_scored(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({3: Scripted("no", status=400)}, otherwise="Answer: A")
    data = write(tmp_path / "exam.jsonl", SINGLE)
    log = evaluate(mcqa_single(dataset=data), max_samples=1, max_connections=1)
    assert log.status == "error"
    (row,) = results(log).itertuples()
    assert (row.scorer, row.metric, row.status) == ("single_answer", "", "error")
    assert (row.replies, row.scored, row.unscored) == (8, 3, 0)
    assert row.coverage == pytest.approx(3 / 8)


def test_an_undefined_column_weighs_as_it_does_for_inspect(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    # Precision: sample 0 has 1/1 once and undefined once, sample 1 has 0 and 0.
    replies = iter(['{"spans": [{"text": "250 km"}]}', '{"spans": []}'] + ['["satellite"]'] * 2)
    server.script = lambda _: next(replies)
    data = write(tmp_path / "rows.jsonl", hallucination_rows(0, 2))
    task = hallucination_detection("hard", dataset=data)
    table = results(evaluate(task, epochs=2, max_samples=1, max_connections=1))
    rows = table[table.metric == "mean"]
    assert list(rows.score) == ["iou", "precision", "recall", "f1"]
    assert list(rows.value_over_all) == pytest.approx(list(rows.value))


def test_other_reducers_have_no_mean_over_all(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    # Each question is asked once in each epoch: right in the first, wrong in the second.
    replies = iter(["Answer: A"] * 4 + ["Answer: B"] * 4)
    server.script = lambda _: next(replies)
    rows = [{**row, "Answer": "A"} for row in SINGLE[:4]]
    task = mcqa_single(dataset=write(tmp_path / "exam.jsonl", rows))
    table = results(
        evaluate(task, epochs=Epochs(2, ["mean", "max"]), max_samples=1, max_connections=1)
    )
    accuracy = table[table.metric == "accuracy"].set_index("reducer")
    assert dict(accuracy.value) == {"mean": 0.5, "max": 1.0}
    assert accuracy.value_over_all["mean"] == 0.5
    assert math.isnan(accuracy.value_over_all["max"])


def test_a_lost_reply_is_a_miss_of_its_class_in_f1(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    # Clean: 0, 1. Hallucinated: 2, 3; one of each is lost.
    lost = Scripted("no", status=404)
    server.script = by_question({0: "No", 1: lost, 2: "Yes", 3: lost})
    data = write(tmp_path / "rows.jsonl", hallucination_rows(2, 2))
    table = results(evaluate(hallucination_detection(dataset=data), fail_on_error=False))
    rows = table.set_index("metric")
    assert (rows.value["f1"], rows.value["recall"]) == (1.0, 1.0)
    assert rows.value_over_all["f1"] == pytest.approx(2 / 3)
    assert rows.value_over_all["recall"] == pytest.approx(1 / 2)
    assert rows.value_over_all["precision"] == 1.0


def test_a_log_without_samples_does_not_tell_what_was_lost(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = by_question({}, otherwise="Answer: A")
    task = mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE))
    row = results(evaluate(task, log_samples=False)).iloc[0]
    assert row.value == 0.25
    assert math.isnan(row.value_over_all)
    assert math.isnan(row.coverage)


def test_what_is_no_log_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "junk.eval").write_bytes(b"PK junk")
    with pytest.raises(EveInspectError, match=r"junk\.eval.*is no log that can be read"):
        results(tmp_path)
    with pytest.raises(EveInspectError, match="5 is no log"):
        results(5)  # type: ignore[arg-type]
