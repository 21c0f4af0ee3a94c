"""What an earlier scoring recorded is taken over by judge and sample, or not at all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.scorer import Score

from eve_inspect import EveInspectError, mcqa_single, open_ended, rescore
from eve_inspect.cli import main
from eve_inspect.evaluation import silent_judges
from tests.scorers.panel import asked, graded, judged, model, script
from tests.servers.openai_server import OpenAIServer, Request, Scripted, user_text
from tests.tasks.exam import SINGLE, figures, write

ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(2)]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.jsonl", ROWS)


def said(log: EvalLog) -> dict[tuple[str, int], dict[str, Any]]:
    """Return each judge's verdict by sample and epoch."""
    return {
        (str(sample.input), sample.epoch): {
            name: one["verdict"]
            for name, one in ((sample.scores or {})["judge_panel"].metadata or {})["judges"].items()
        }
        for sample in log.samples or []
    }


def without(verdicts: dict[Any, dict[str, Any]], judge: str) -> dict[Any, dict[str, Any]]:
    """Return the verdicts of the other judges."""
    return {
        sample: {name: one for name, one in found.items() if name != judge}
        for sample, found in verdicts.items()
    }


def scored(
    server: OpenAIServer, rows: str, folder: Path, judges: Sequence[str], **settings: Any
) -> EvalLog:
    """Return a log whose judge-a says something else every time, and judge-c four points."""
    scores = itertools.cycle([5, 1, 0])

    def reply(request: Request) -> str:
        varied = {"judge-a": lambda: graded(next(scores)), "judge-c": lambda: graded(4)}
        return varied.get(request["model"], lambda: "An answer.")()

    server.script = reply
    log = judged(open_ended(dataset=rows), server, folder, judges, **settings)
    server.requests.clear()
    return log


@pytest.mark.parametrize(
    ("judges", "epochs"),
    [(["judge-a", "judge-a"], 1), (["judge-a"], 3), (["judge-a", "judge-a"], 2)],
    ids=["equal judges", "epochs", "both"],
)
def test_verdicts_on_equal_answers_stay_apart(
    server: OpenAIServer, rows: str, tmp_path: Path, judges: list[str], epochs: int
) -> None:
    log = scored(server, rows, tmp_path, judges, epochs=epochs)
    earlier = said(log)
    assert len({value for found in earlier.values() for value in found.values()}) > 1
    joined = rescore(log.location, add_judges=[model(server, "judge-c")])
    assert without(said(joined), "judge-c") == earlier
    assert len(server.requests) == len(asked(server, "judge-c")) == len(ROWS) * epochs
    again = [model(server, one) for one in judges]
    same = rescore(log.location, again, output=tmp_path / "same.eval")
    assert said(same) == earlier
    assert len(asked(server, "judge-a")) == 0


def test_a_recorded_verdict_counts_for_one_judge(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    twice = rescore(log.location, [model(server, "judge-a"), model(server, "judge-a")])
    assert len(asked(server, "judge-a")) == len(ROWS)
    for sample, verdicts in said(twice).items():
        assert verdicts["judge-a"] == said(log)[sample]["judge-a"]


def test_a_missing_verdict_of_a_judge_that_stays_is_kept_as_it_was(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    server.script = script("An answer.", {"judge-a": "Hm.", "judge-b": graded(4)})
    log = judged(open_ended(dataset=rows), server, tmp_path, ["judge-a", "judge-b"])
    server.requests.clear()
    server.script = script("", {"judge-c": graded(5)})
    joined = rescore(log.location, add_judges=[model(server, "judge-c")])
    assert len(server.requests) == len(ROWS)

    def record(one: EvalLog) -> dict[str, Any]:
        (sample, *_) = one.samples or []
        judges = ((sample.scores or {})["judge_panel"].metadata or {})["judges"]
        return dict(judges["judge-a"])

    assert record(joined) == record(log)
    assert record(joined)["attempts"] == 3


def test_a_panel_that_says_nothing_replaces_nothing(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    server.script = lambda _: Scripted("no such model", status=404)
    before = Path(log.location.removeprefix("file://")).read_bytes()
    with pytest.raises(EveInspectError, match=r"no judge gave a verdict.*judge-x.*no such model"):
        rescore(log.location, [model(server, "judge-x")], overwrite=True)
    assert Path(log.location.removeprefix("file://")).read_bytes() == before


def test_a_judge_that_says_nothing_is_named(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    server.script = lambda _: Scripted("no such model", status=404)
    arguments = f"{{base_url: '{server.url}', api_key: k}}"
    judge = f"{{model: openai-api/loopback/judge-x, model_args: {arguments}}}"
    path = log.location.removeprefix("file://")
    done = CliRunner().invoke(main, ["rescore", path, "--add-judge", judge])
    assert done.exit_code == 0, done.output
    assert "No verdict by judge-x" in done.output
    assert "no such model" in done.output
    new = read_eval_log(done.output.split("Log: ")[1].strip())
    assert list(silent_judges(new)) == ["judge-x"]


def test_a_panel_that_is_shown_nothing_replaces_nothing(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    path = Path(log.location.removeprefix("file://"))
    before = path.read_bytes()
    documents = {"judge_sees_context": True}
    with pytest.raises(EveInspectError, match=r"nothing was written: The judges are to see doc"):
        rescore(path, [model(server, "judge-a")], options=documents, overwrite=True)
    assert path.read_bytes() == before
    assert not server.requests


def test_empty_answers_need_no_verdict(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    server.script = script("", {"judge-a": graded(4), "judge-c": graded(4)})
    log = judged(open_ended(dataset=rows), server, tmp_path, ["judge-a"])
    new = rescore(log.location, [model(server, "judge-c")])
    assert figures(new)["llm_as_judge_avg/mean"] == 0


def test_a_judge_does_not_join_twice(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    with pytest.raises(EveInspectError, match=r"'judge-a' sits in the log's panel already"):
        rescore(log.location, add_judges=[model(server, "judge-a")])
    rescore(log.location, add_judges=[model(server, "judge-a", temperature=1)])
    assert len(server.requests) == len(ROWS)


@pytest.mark.parametrize("option", [{"scale": "0-1"}, {"rubric": "mine.yaml"}])
def test_judges_that_join_are_asked_the_same(
    server: OpenAIServer, rows: str, tmp_path: Path, option: dict[str, Any]
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    with pytest.raises(EveInspectError, match=r"cannot be changed for judges that join.*--judge"):
        rescore(log.location, add_judges=[model(server, "judge-c")], options=option)
    assert not server.requests


def test_a_rubric_that_was_edited_since_is_told(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    rubric = tmp_path / "mine.yaml"
    rubric.write_text("prompt: 'Grade {output} by {reference} for {question}'\n")
    server.script = script("An answer.", {"judge-a": graded(4)})
    log = judged(open_ended(dataset=rows, rubric=str(rubric)), server, tmp_path, ["judge-a"])
    server.requests.clear()
    rubric.write_text("prompt: 'Rate {output} by {reference} for {question}'\n")
    with pytest.raises(EveInspectError, match=r"asked something else.*--judge"):
        rescore(log.location, add_judges=[model(server, "judge-c")])
    assert not server.requests


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("new.txt", "ends with .eval or .json"),
        ("new", "ends with .eval or .json"),
        (" ", "ends with .eval or .json"),
        ("gone/new.eval", "there is no folder"),
        ("folder.eval", "is a folder"),
        ("s3://bucket/new.eval", "s3"),
    ],
)
def test_where_it_goes_is_checked_before_a_call(
    server: OpenAIServer, rows: str, tmp_path: Path, output: str, message: str
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    (tmp_path / "folder.eval").mkdir()
    target = output if "://" in output or not output.strip() else tmp_path / output
    with pytest.raises(EveInspectError, match=message):
        rescore(log.location, [model(server, "judge-c")], output=target, overwrite=True)
    assert not server.requests


def test_an_exam_is_no_log_to_judge(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = lambda _: "Answer: A"
    exam = judged(mcqa_single(dataset=write(tmp_path / "x.jsonl", SINGLE)), server, tmp_path, [])
    server.requests.clear()
    with pytest.raises(EveInspectError, match="mcqa_single, whose answers no panel judges"):
        rescore(exam.location, [model(server, "judge-a")])
    assert not server.requests


def test_a_score_of_another_scorer_stays(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    for sample in log.samples or []:
        assert sample.scores
        sample.scores["mine"] = Score(value=1.0, metadata={"panel": "wood"})
    path = tmp_path / "two.eval"
    write_eval_log(log, str(path))
    new = rescore(path, [model(server, "judge-c")])
    assert all(sorted(one.scores or {}) == ["judge_panel", "mine"] for one in new.samples or [])


def test_a_log_without_the_newer_fields_is_judged_anew(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    for sample in log.samples or []:
        judges = ((sample.scores or {})["judge_panel"].metadata or {})["judges"]
        for one in judges.values():
            del one["request"], one["mode"]
    path = tmp_path / "old.eval"
    write_eval_log(log, str(path))
    new = rescore(path, [model(server, "judge-a")])
    assert len(server.requests) == len(ROWS)
    assert not math.isnan(figures(new)["llm_as_judge_avg/mean"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--judge", "{model: x/y, 1: 2, b: 3}"], "is no setting"),
        (["--judge", "{model: 2024-13-41}"], "cannot be read"),
        (["-S", "scale=2024-13-41", "--judge", "mockllm/model"], "cannot be read"),
        (["-S", "role=3", "--judge", "mockllm/model"], "role=3"),
        (["--judge", "mockllm/a,nowhere/b"], "nowhere/b"),
        (["--judge", "mockllm/a,,mockllm/b"], "needs a model's name"),
    ],
    ids=["keys", "date", "date option", "role", "list", "gap"],
)
def test_mistakes_of_the_command_are_one_line(
    server: OpenAIServer, rows: str, tmp_path: Path, arguments: list[str], message: str
) -> None:
    log = scored(server, rows, tmp_path, ["judge-a"])
    path = log.location.removeprefix("file://")
    done = CliRunner().invoke(main, ["rescore", path, *arguments])
    assert (done.exit_code, len(done.output.strip().splitlines())) == (1, 1), done.output
    assert message in done.output
    assert not server.requests


def test_commas_part_judges(
    server: OpenAIServer, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "k")
    monkeypatch.setenv("LOOPBACK_BASE_URL", server.url)
    log = scored(server, rows, tmp_path, ["judge-a"])
    names = "openai-api/loopback/judge-c,openai-api/loopback/judge-a"
    path = log.location.removeprefix("file://")
    done = CliRunner().invoke(main, ["rescore", path, "--judge", names])
    assert done.exit_code == 0, done.output
    assert {"judge-a", "judge-c"} == {one["model"] for one in server.requests} | {"judge-a"}
    assert "llm_as_judge_judge-c" in done.output
    assert "llm_as_judge_judge-a" in done.output


def test_half_a_character_does_no_harm(server: OpenAIServer, rows: str, tmp_path: Path) -> None:
    half = "\ud800"

    def reply(request: Request) -> Scripted | str:
        if request["model"] == "candidate":
            return f"An answer {half}."
        assert half not in user_text(request)
        return graded(4)

    server.script = reply
    log = judged(open_ended(dataset=rows), server, tmp_path, ["judge-a"])
    assert log.status == "success"
    assert figures(log)["llm_as_judge_avg/mean"] == pytest.approx(0.8)
