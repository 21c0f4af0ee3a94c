"""Many models against many: who meets whom, what is asked once and never again, what is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from inspect_ai.log import EvalStatus, list_eval_logs, read_eval_log, write_eval_log
from inspect_ai.model import model_roles

from eve_inspect import EveInspectError
from eve_inspect.evaluation import Answers, Comparisons, compare_models
from eve_inspect.reports._win_rate_run import names_of
from eve_inspect.scorers._comparing import Comparing, Match
from tests.evaluation.comparisons import answers, better, calls, details_of, outcomes, silent
from tests.scorers.panel import model
from tests.servers.openai_server import OpenAIServer, Request, Scripted

Compare = Callable[..., Comparisons]

PER_PAIR = 3 * 2
"""Requests to a judge about three questions in both orders."""


@pytest.fixture(autouse=True)
def _judges_that_see(server: OpenAIServer) -> None:
    server.script = better


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Answers of four models, ``m4`` the best."""
    return {f"m{n}": answers(tmp_path / f"m{n}.csv", n) for n in range(1, 5)}


@pytest.fixture
def compare(server: OpenAIServer, tmp_path: Path) -> Compare:
    """Compare with judges of the loopback server."""

    def run(
        model_a: Sequence[Any],
        model_b: Sequence[Any] = (),
        judges: Sequence[str] = ("judge-a",),
        **settings: Any,
    ) -> Comparisons:
        panel = [model(server, name) for name in judges]
        where = {"log_dir": tmp_path / "logs", "display": "log"}
        return compare_models(model_a, model_b, judges=panel, **{**where, **settings})

    return run


def folders(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "logs").iterdir())


# Who meets whom


def test_all_of_one_list_meet_all_of_the_other(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    done = compare([files["m1"], str(files["m4"])], [files["m2"], Answers(files["m3"], "third")])
    met = [names_of(log) for log in done.logs]
    assert met == [("m1", "m2"), ("m1", "third"), ("m4", "m2"), ("m4", "third")]
    assert [outcomes(log)["judge-a"] for log in done.logs] == [
        ["loss"] * 3,
        ["loss"] * 3,
        ["win"] * 3,
        ["win"] * 3,
    ]
    assert len(server.requests) == 4 * PER_PAIR
    kept = [read_eval_log(info) for info in list_eval_logs(done.log_dir)]
    assert sorted(map(names_of, kept)) == met
    assert {log.status for log in kept} == {"success"}


def test_no_judge_is_left_behind(compare: Compare, files: dict[str, Path]) -> None:
    compare([files["m1"]], [files["m2"]], limit=1)
    assert not model_roles()


def test_a_second_run_at_the_same_time_is_refused(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    """Both would pay for everything."""
    refused: list[str] = []

    def again(request: Request) -> str:
        if not refused:
            refused.append("")
            program = Thread(target=lambda: refused.append(second()))
            program.start()
            program.join()
        return better(request)

    def second() -> str:
        with pytest.raises(EveInspectError, match="is running already") as error:
            compare([files["m1"]], [files["m2"]], seed=1)
        return error.value.message

    server.script = again
    compare([files["m1"]], [files["m2"]], seed=1)
    assert len(refused) == 2
    assert len(server.requests) == PER_PAIR


def test_a_log_too_many_is_named(compare: Compare, files: dict[str, Path]) -> None:
    done = compare([files["m1"]], [files["m2"]], seed=1)
    (log,) = done.logs
    copy = read_eval_log(log.location)
    copy.eval.task_id = "another"
    write_eval_log(copy, str(Path(done.log_dir) / "copy.eval"))
    with pytest.raises(EveInspectError, match=r"1 more logs|do not belong|already"):
        compare([files["m1"]], [files["m2"]], seed=1)


def test_one_list_alone_is_a_round_robin(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    done = compare([files["m1"], files["m2"], files["m3"]])
    assert [names_of(log) for log in done.logs] == [("m1", "m2"), ("m1", "m3"), ("m2", "m3")]
    assert len(server.requests) == 3 * PER_PAIR


def test_the_limit_is_of_each_pair_of_models(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    done = compare([files["m1"], files["m2"], files["m3"]], limit=1)
    assert [len(log.samples or []) for log in done.logs] == [1, 1, 1]
    assert calls(server) == {("judge-a", 0): 3 * 2}


# What is told before a judge is called


@pytest.mark.parametrize(
    ("model_a", "model_b", "settings", "message"),
    [
        pytest.param(["m1", "gone"], ["m2"], {}, r"gone\.csv' does not exist", id="no-file"),
        pytest.param(["m1"], [], {}, r"1 model\(s\) and 0 baseline", id="one-alone"),
        pytest.param([], ["m1"], {}, r"0 model\(s\) and 1 baseline", id="baseline-alone"),
        pytest.param([], [], {}, r"0 model\(s\)", id="nobody"),
        pytest.param(["m1"], ["m2"], {"judges": ()}, "no judge is named", id="no-judge"),
        pytest.param(["m1"], ["m1"], {}, "are both called 'm1'", id="with-itself"),
        pytest.param(["m1", "m1"], ["m2"], {}, r"m1\.csv' is named twice", id="twice"),
        pytest.param(
            ["m1", "m2", "m1"], [], {}, r"m1\.csv' is named twice", id="twice-round-robin"
        ),
        pytest.param(
            ["m1", "other/m1"], ["m2"], {}, "'m1' is the name of", id="one-name-for-two-files"
        ),
        pytest.param(["m1"], ["m2"], {"options": {"mode": "best"}}, "mode='best'", id="mode"),
        pytest.param(
            ["m1"], ["m2"], {"options": {"colour": 1}}, "'colour' is no argument that", id="option"
        ),
        pytest.param(
            ["m1"],
            ["m2"],
            {"options": {"seed": 1}},
            "'seed' is no argument that",
            id="option-given",
        ),
        pytest.param(["m1"], ["m2"], {"limit": 0}, "limit=0", id="limit"),
        pytest.param(["m1"], ["m2"], {"log_dir": "s3://x/logs"}, "is a URL", id="log-dir"),
        pytest.param(["m1"], ["m2"], {"seed": "x"}, "seed='x'", id="seed"),
        pytest.param(
            ["m1"], ["m2"], {"options": {"rubric": "gone.yaml"}}, "gone.yaml", id="rubric"
        ),
    ],
)
def test_mistakes_are_one_line_and_cost_nothing(
    compare: Compare,
    files: dict[str, Path],
    tmp_path: Path,
    server: OpenAIServer,
    model_a: list[str],
    model_b: list[str],
    settings: dict[str, Any],
    message: str,
) -> None:
    answers(tmp_path / "other" / "m1.csv", 2)
    sides = [
        [files.get(one, tmp_path / f"{one}.csv") for one in side] for side in (model_a, model_b)
    ]
    with pytest.raises(EveInspectError, match=message) as told:
        compare(*sides, **settings)
    assert "\n" not in str(told.value)
    assert server.requests == []
    assert not (tmp_path / "logs").exists()


def test_logs_that_cannot_be_written_are_one_line(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    with pytest.raises(EveInspectError, match=r"m1\.csv' cannot be written to: Not a directory"):
        compare([files["m1"]], [files["m2"]], log_dir=files["m1"])
    assert server.requests == []


def test_a_judge_that_nobody_knows_is_one_line(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match="'nowhere/model' cannot be used") as told:
        compare_models(
            [files["m1"]], [files["m2"]], judges=["nowhere/model"], log_dir=tmp_path / "logs"
        )
    assert "\n" not in str(told.value)
    assert not (tmp_path / "logs").exists()


# The seed


def test_a_seed_is_drawn_recorded_and_kept(compare: Compare, files: dict[str, Path]) -> None:
    options = {"order": "balanced"}
    first = compare([files["m1"]], [files["m2"]], options=options)
    (log,) = first.logs
    assert log.eval.task_args["seed"] == first.seed
    assert {one["seed"] for one in details_of(log)} == {first.seed}
    assert (Path(first.log_dir) / "seed").read_text("utf-8") == f"{first.seed}\n"
    again = compare([files["m1"]], [files["m2"]], options=options)
    assert (again.seed, again.log_dir) == (first.seed, first.log_dir)


def test_seeds_that_are_drawn_differ(compare: Compare, files: dict[str, Path]) -> None:
    drawn = {compare([files[one]], [files["m4"]], limit=1).seed for one in ("m1", "m2", "m3")}
    assert len(drawn) == 3


def test_a_seed_that_was_not_written_whole_is_drawn_anew(
    compare: Compare, files: dict[str, Path]
) -> None:
    """A run that is stopped while it writes the seed has no log yet."""
    first = compare([files["m1"]], [files["m2"]], limit=1)
    folder = Path(first.log_dir)
    for file in folder.iterdir():
        file.unlink()
    (folder / "seed").write_text("", encoding="utf-8")
    again = compare([files["m1"]], [files["m2"]], limit=1)
    assert (folder / "seed").read_text("utf-8") == f"{again.seed}\n"


# What is paid once


def test_a_complete_run_is_never_paid_again(
    compare: Compare, files: dict[str, Path], server: OpenAIServer, tmp_path: Path
) -> None:
    models, where = [files["m1"], files["m2"], files["m3"]], {"log_dir": tmp_path / "my logs"}
    first = compare(models, **where)
    server.requests.clear()
    again = compare(models, **where)
    assert server.requests == []
    assert [log.eval.eval_id for log in again.logs] == [log.eval.eval_id for log in first.logs]
    assert [log.location for log in again.logs] == [log.location for log in first.logs]
    assert [outcomes(log) for log in again.logs] == [outcomes(log) for log in first.logs]


def test_what_changes_no_verdict_is_the_same_run(
    server: OpenAIServer, files: dict[str, Path], tmp_path: Path
) -> None:
    """Keys are changed, and so is how fast and how often judges are asked."""
    for settings in ({"max_connections": 2}, {"max_connections": 5, "timeout": 9}):
        server.requests.clear()
        done = compare_models(
            [files["m1"]],
            [files["m2"]],
            judges=[model(server, "judge-a", **settings)],
            log_dir=tmp_path / "logs",
            max_samples=settings["max_connections"],
            display="log",
            tags=[f"tag-{len(settings)}"],
        )
        assert outcomes(done.logs[0]) == {"judge-a": ["loss"] * 3}
    assert server.requests == []
    assert len(folders(tmp_path)) == 1


@pytest.mark.parametrize(
    "changed", ["answers", "judge", "option", "rubric", "limit", "seed", "pair"]
)
def test_a_change_that_counts_is_another_run(
    compare: Compare,
    files: dict[str, Path],
    server: OpenAIServer,
    tmp_path: Path,
    changed: str,
) -> None:
    rubric = tmp_path / "rubric.yaml"
    text = "prompt: 'Compare {question} {reference} {answer_a} {answer_b}'\n"
    rubric.write_text(text, encoding="utf-8")
    settings: dict[str, Any] = {"options": {"rubric": str(rubric)}, "seed": 1}
    compare([files["m1"]], [files["m2"]], **settings)
    server.requests.clear()
    other = [files["m2"]]
    if changed == "answers":
        answers(files["m2"], 0)
    elif changed == "judge":
        settings["judges"] = ["judge-b"]
    elif changed == "option":
        settings["options"] = {**settings["options"], "order": "balanced"}
    elif changed == "rubric":
        rubric.write_text(text.replace("Compare", "Rank"), encoding="utf-8")
    elif changed in ("limit", "seed"):
        settings[changed] = 2
    else:
        other = [files["m3"]]
    compare([files["m1"]], other, **settings)
    assert server.requests
    assert len(folders(tmp_path)) == 2


# Verdicts that are missing


def test_only_pairs_without_a_verdict_are_asked_again(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    models, judges = [files["m1"], files["m2"]], ["judge-a", "judge-b"]
    server.script = silent(questions=[1])
    first = compare(models, judges=judges)
    assert outcomes(first.logs[0]) == {one: ["loss", None, "loss"] for one in judges}
    server.reset(better)
    again = compare(models, judges=judges)
    assert calls(server) == {("judge-a", 1): 2, ("judge-b", 1): 2}
    assert outcomes(again.logs[0]) == dict.fromkeys(judges, ["loss"] * 3)
    assert len(list_eval_logs(again.log_dir)) == 1
    server.reset(better)
    compare(models, judges=judges)
    assert server.requests == []


def test_only_the_comparison_that_lacks_one_runs_again(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    mute = True

    def reply(request: Request) -> str:
        worst = "quality 1." in str(request["messages"])
        return "Hm." if mute and worst else better(request)

    server.script = reply
    models = [files["m1"], files["m2"], files["m3"]]
    first = compare(models, options={"judge_attempts": 0})
    missing = [outcomes(log)["judge-a"].count(None) for log in first.logs]
    assert missing == [3, 3, 0]
    mute = False
    server.requests.clear()
    again = compare(models, options={"judge_attempts": 0})
    assert len(server.requests) == 2 * PER_PAIR
    assert [outcomes(log)["judge-a"].count(None) for log in again.logs] == [0, 0, 0]
    assert [names_of(log) for log in again.logs] == [("m1", "m2"), ("m1", "m3"), ("m2", "m3")]
    assert again.logs[2].eval.eval_id == first.logs[2].eval.eval_id


def test_a_judge_that_dies_on_the_way_is_missing_and_heard_on_the_next_run(
    compare: Compare, tmp_path: Path, server: OpenAIServer
) -> None:
    models = [answers(tmp_path / f"m{n}.csv", n, questions=4) for n in (1, 2)]
    judges = ["judge-a", "judge-b"]
    alive = 3

    def reply(request: Request) -> Scripted | str:
        seen = sum(one["model"] == "judge-b" for one in server.requests)
        if request["model"] == "judge-b" and seen > alive:
            return Scripted("I am gone.", status=400)
        return better(request)

    server.script = reply
    first = compare(models, judges=judges, max_samples=1)
    assert first.logs[0].status == "success"
    decided = outcomes(first.logs[0])
    assert decided["judge-a"] == ["loss"] * 4
    assert decided["judge-b"] == ["loss", None, None, None]
    server.reset(better)
    again = compare(models, judges=judges, max_samples=1)
    assert outcomes(again.logs[0]) == dict.fromkeys(judges, ["loss"] * 4)
    asked = {(name, number) for name, number in calls(server) if name == "judge-b"}
    assert asked == {("judge-b", number) for number in (1, 2, 3)}


@pytest.mark.parametrize("status", ["cancelled", "error", "started"])
def test_a_run_that_was_stopped_goes_on_and_asks_for_what_is_missing(
    compare: Compare, files: dict[str, Path], server: OpenAIServer, status: EvalStatus
) -> None:
    server.script = silent(questions=[1])
    models = [files["m1"], files["m2"]]
    (log,) = compare(models).logs
    assert log.samples
    log.samples = [one for one in log.samples if one.input != "Question 2?"]
    log.status, log.results = status, None
    write_eval_log(log)
    server.reset(better)
    again = compare(models)
    assert calls(server) == {("judge-a", 1): 2, ("judge-a", 2): 2}
    assert outcomes(again.logs[0]) == {"judge-a": ["loss"] * 3}


@pytest.mark.parametrize("size", [0, 1000])
def test_a_log_that_was_cut_off_is_one_line(
    compare: Compare, files: dict[str, Path], server: OpenAIServer, size: int
) -> None:
    models = [files["m1"], files["m2"]]
    path = Path(compare(models, limit=1).logs[0].location)
    path.write_bytes(path.read_bytes()[:size])
    server.requests.clear()
    with pytest.raises(EveInspectError, match=r"\.eval' of an earlier run cannot be read") as told:
        compare(models, limit=1)
    assert "\n" not in str(told.value)
    assert server.requests == []
    path.unlink()
    assert outcomes(compare(models, limit=1).logs[0]) == {"judge-a": ["loss"]}


def test_a_comparison_that_breaks_is_told_and_leaves_the_others(
    compare: Compare,
    files: dict[str, Path],
    server: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A fault in scoring, which no judge can cause, stops its own log alone."""
    real = Comparing.ask

    async def ask(self: Comparing, *arguments: Any) -> Any:
        (match,) = [one for one in arguments if isinstance(one, Match)]
        if "quality 1." in match.answer and "quality 3." in match.baseline:
            raise RuntimeError("A fault\nof two lines.")
        return await real(self, *arguments)

    models = [files["m1"], files["m2"], files["m3"]]
    with monkeypatch.context() as broken:
        broken.setattr(Comparing, "ask", ask)
        with pytest.raises(EveInspectError, match="1 of 3 comparisons did not end") as told:
            compare(models)
    assert "RuntimeError('A fault" in str(told.value)
    assert "\n" not in str(told.value)
    server.requests.clear()
    assert len(compare(models).logs) == 3
    assert len(server.requests) == PER_PAIR


# How fast


@pytest.mark.parametrize("most", [1, 3])
def test_the_number_of_connections_bounds_requests_over_all_pairs_of_models(
    server: OpenAIServer, tmp_path: Path, most: int
) -> None:
    files = [answers(tmp_path / f"m{n}.csv", n) for n in (1, 2, 3)]
    server.script = lambda request: Scripted(better(request), latency=0.02)
    compare_models(
        files,
        judges=[model(server, "judge-a", max_connections=most)],
        log_dir=tmp_path / "logs",
        display="log",
    )
    assert len(server.requests) == 3 * PER_PAIR
    assert server.peak == most


def test_a_delay_holds_over_all_pairs_of_models(
    compare: Compare, files: dict[str, Path], server: OpenAIServer
) -> None:
    starts: list[float] = []

    def reply(request: Request) -> str:
        starts.append(asyncio.get_running_loop().time())
        return better(request)

    server.script = reply
    models = [files["m1"], files["m2"], files["m3"]]
    compare(models, limit=2, options={"judge_delay": 0.1})
    # What is sent late arrives sooner after the request before: on the whole, the pace is kept.
    assert starts[-1] - starts[0] > 0.1 * (len(starts) - 1) * 0.8
    assert len(starts) == 3 * 2 * 2


def test_it_runs_in_a_thread_of_a_program_with_an_event_loop(
    compare: Compare, files: dict[str, Path]
) -> None:
    async def program() -> Comparisons:
        return await asyncio.to_thread(compare, [files["m1"]], [files["m2"]], limit=1)

    assert outcomes(asyncio.run(program()).logs[0]) == {"judge-a": ["loss"]}
