"""Judging a finished log again pays only for what the log does not hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from eve_inspect import EveInspectError, open_ended, rescore
from eve_inspect.cli import main
from tests.scorers.panel import asked, graded, judged, model, script
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import figures, write

ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(3)]


@pytest.fixture
def log(server: OpenAIServer, tmp_path: Path) -> Path:
    """A log that judge-a and judge-b have scored."""
    replies = {"judge-a": graded(4), "judge-b": graded(5), "judge-c": graded(0)}
    server.script = script("An answer.", replies)
    rows = write(tmp_path / "rows.jsonl", ROWS)
    done = judged(open_ended(dataset=rows), server, tmp_path, ["judge-a", "judge-b"])
    server.requests.clear()
    return Path(shutil.copy(done.location.removeprefix("file://"), tmp_path / "done.eval"))


def test_a_judge_that_joins_is_the_only_one_to_be_paid(server: OpenAIServer, log: Path) -> None:
    new = rescore(log, add_judges=[model(server, "judge-c")])
    assert len(server.requests) == len(asked(server, "judge-c")) == len(ROWS)
    found = figures(new)
    assert found["llm_as_judge_avg/mean"] == pytest.approx(0.6)
    assert found["judge_panel/judge_calls_judge-a"] == len(ROWS)
    assert new.samples
    assert all(list(sample.scores or {}) == ["judge_panel"] for sample in new.samples)
    assert new.location.endswith("done-rescored.eval")


def test_a_new_panel_takes_over_what_is_the_same(server: OpenAIServer, log: Path) -> None:
    panel = [model(server, name) for name in ("judge-c", "judge-a")]
    new = rescore(log, panel, overwrite=True)
    assert len(server.requests) == len(asked(server, "judge-c")) == len(ROWS)
    assert "llm_as_judge_judge-b/mean" not in figures(new)
    assert figures(read_eval_log(str(log)))["llm_as_judge_avg/mean"] == pytest.approx(0.4)


def test_other_settings_or_another_scale_are_asked_anew(server: OpenAIServer, log: Path) -> None:
    rescore(log, [model(server, "judge-a", temperature=1)], overwrite=True)
    assert len(server.requests) == len(ROWS)
    server.script = script("", {"judge-a": graded(1)})
    new = rescore(log, [model(server, "judge-a")], options={"scale": "0-1"}, overwrite=True)
    assert len(server.requests) == 2 * len(ROWS)
    assert figures(new)["llm_as_judge_judge-a/mean"] == 1


def test_answers_without_scores_are_judged_later(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = script("An answer.", {"judge-a": graded(3)})
    rows = write(tmp_path / "rows.jsonl", ROWS)
    done = judged(open_ended(dataset=rows, judge_later=True), server, tmp_path, [])
    new = rescore(done.location, [model(server, "judge-a")])
    assert figures(new)["llm_as_judge_avg/mean"] == pytest.approx(0.6)


def test_mistakes_are_told_before_a_call(server: OpenAIServer, log: Path, tmp_path: Path) -> None:
    judge = [model(server, "judge-a")]
    (tmp_path / "no.eval").write_text("no log", encoding="utf-8")
    with pytest.raises(EveInspectError, match="say either which judges"):
        rescore(log)
    with pytest.raises(EveInspectError, match="does not exist"):
        rescore(tmp_path / "nothing.eval", judge)
    with pytest.raises(EveInspectError, match="no log that can be read"):
        rescore(tmp_path / "no.eval", judge)
    with pytest.raises(EveInspectError, match="is there already"):
        rescore(log, judge, output=tmp_path / "no.eval")
    with pytest.raises(EveInspectError, match="has no option 'colour': it has scale"):
        rescore(log, judge, options={"colour": "red"})
    assert server.requests == []


def test_the_command_does_the_same(server: OpenAIServer, log: Path) -> None:
    judge = (
        f"{{model: openai-api/loopback/judge-c, base_url: '{server.url}', temperature: 0.5, "
        "model_args: {api_key: none}}"
    )
    done = CliRunner().invoke(main, ["rescore", str(log), "--add-judge", judge, "--overwrite"])
    assert done.exit_code == 0, done.output
    assert "llm_as_judge_avg" in done.output
    assert len(server.requests) == len(ROWS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-S", "scale"], "not of the form name=value"),
        (["-S", "scale={"], "cannot be read as YAML"),
        (["--judge", "{model: 5}"], "needs a model's name"),
        (["--judge", "{model: x/y, colour: 1}"], "'colour' is no setting"),
        (["--judge", "{"], "cannot be read as a YAML mapping"),
        (["--judge", "nowhere/model"], "cannot be used"),
    ],
)
def test_the_command_tells_mistakes_in_one_line(
    log: Path, arguments: list[str], message: str
) -> None:
    judge = [] if "--judge" in arguments else ["--judge", "mockllm/model"]
    done = CliRunner().invoke(main, ["rescore", str(log), *judge, *arguments])
    assert done.exit_code == 1
    assert message in done.output
    assert "Traceback" not in done.output
