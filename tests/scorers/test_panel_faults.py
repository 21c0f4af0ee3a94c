"""A panel whose judges fail in every way, one request in five: nothing is lost, nothing made up.

What becomes of each request follows from its judge, its question and its attempt alone, so that all
values, statuses and calls of a run are known before it starts.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import GenerateConfig, Model, get_model

from eve_inspect import open_ended
from tests.scorers.panel import JUDGES, asked, graded, judged
from tests.servers.openai_server import OpenAIServer, Request, Scripted, user_text
from tests.tasks.exam import figures, write

COUNT = 60
ROWS = [{"Question": f"Question {n}?", "Answer": f"Reference {n}."} for n in range(COUNT)]
PERCENT = 20
SILENT = {7, 31}
"""Questions that the candidate answers with nothing."""
BROKEN = 13
"""The question at which the candidate's machinery fails."""

ANSWERS = {
    **{n: Scripted(f"The answer to {n} is long.") for n in range(COUNT)},
    **{n: Scripted(" ") for n in SILENT},
    BROKEN: Scripted(
        status=400, raw='{"error": {"code": "context_length_exceeded", "message": "too long"}}'
    ),
}


class Fault(NamedTuple):
    """A reply that is no verdict, and what it counts as."""

    reply: Scripted
    status: str


FAULTS = {
    "429": Fault(Scripted("slow down", status=429, headers={"retry-after": "0"}), "error"),
    "500": Fault(Scripted("out of order", status=500), "error"),
    "504": Fault(Scripted("the model took too long", status=504), "error"),
    "no JSON": Fault(Scripted(raw="<html>Bad gateway</html>"), "error"),
    "cut": Fault(Scripted('{"rationale": "It ho', finish_reason="length"), "truncated"),
    "cut unseen": Fault(Scripted('{"rationale": "It ho'), "unreadable"),
    "prose": Fault(Scripted("It holds most of the key facts."), "unreadable"),
    "two verdicts": Fault(Scripted("Between 3 and 4 out of 5."), "unreadable"),
    "empty": Fault(Scripted(""), "empty"),
    "null": Fault(Scripted(None), "empty"),
    "filter": Fault(Scripted("", finish_reason="content_filter"), "refused"),
    "above": Fault(Scripted(graded(7)), "out_of_scale"),
    "below": Fault(Scripted(graded(-1)), "out_of_scale"),
    "between": Fault(Scripted(graded(3.5)), "out_of_scale"),
}


class Ask(NamedTuple):
    """One request to a judge; attempts are counted from 1."""

    judge: str
    row: int
    attempt: int = 1


class Outcome(NamedTuple):
    """What has to become of a judge's question."""

    value: float | None
    status: str
    attempts: int


def draw(*what: object) -> int:
    """Return a number that looks random and is always the same."""
    return int.from_bytes(hashlib.sha256(repr(what).encode()).digest()[:8])


def fault_of(ask: Ask) -> str | None:
    """Return the name of the fault that a request meets, if it meets one."""
    if draw("hit", *ask) % 100 >= PERCENT:
        return None
    return list(FAULTS)[draw("kind", *ask) % len(FAULTS)]


def true_score(judge: str, row: int) -> int:
    return draw("score", judge, row) % 6


def row_of(request: Request) -> int:
    found = re.search(r"Question (\d+)\?", user_text(request))
    assert found
    return int(found[1])


def ask_of(request: Request) -> Ask:
    again = re.search(r"\(Attempt (\d+):", user_text(request))
    return Ask(request["model"], row_of(request), int(again[1]) if again else 1)


def faulty(request: Request) -> Scripted | str:
    """Reply as the candidate or as a judge, with faults."""
    if request["model"] == "candidate":
        return ANSWERS[row_of(request)]
    ask = ask_of(request)
    fault = fault_of(ask)
    return graded(true_score(ask.judge, ask.row)) if fault is None else FAULTS[fault].reply


def expected(judge: str, row: int, judge_attempts: int) -> Outcome:
    fault = None
    for attempt in range(1, judge_attempts + 2):
        fault = fault_of(Ask(judge, row, attempt))
        if fault is None:
            return Outcome(true_score(judge, row) / 5, "scored", attempt)
    assert fault is not None
    return Outcome(None, FAULTS[fault].status, judge_attempts + 1)


def judge(server: OpenAIServer, name: str, **settings: Any) -> Model:
    """Return a judge without retries: each attempt is one request on the wire."""
    return get_model(
        f"openai-api/loopback/{name}",
        base_url=server.url,
        api_key="none",
        config=GenerateConfig(max_retries=0, max_connections=8, **settings),
        memoize=False,
        max_retries=0,
    )


def panel(server: OpenAIServer, **settings: Any) -> list[Model]:
    return [judge(server, name, **settings) for name in JUDGES]


def of_row(log: EvalLog) -> dict[int, EvalSample]:
    """Return a log's samples by the number of their question."""
    assert log.samples is not None
    return {int(str(sample.metadata["question"]).split()[1][:-1]): sample for sample in log.samples}


def value_of(sample: EvalSample) -> dict[str, float]:
    assert sample.scores
    value = sample.scores["judge_panel"].value
    assert isinstance(value, dict)
    return {name: float(str(one)) for name, one in value.items()}


def details_of(sample: EvalSample) -> dict[str, Any]:
    assert sample.scores
    return sample.scores["judge_panel"].metadata or {}


def same(found: float, wanted: float | None) -> bool:
    return math.isnan(found) if wanted is None else found == pytest.approx(wanted)


def mean_of(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def given(outcomes: dict[str, Outcome]) -> list[float]:
    return [one.value for one in outcomes.values() if one.value is not None]


class Run(NamedTuple):
    """A finished run, with all requests that it made."""

    log: EvalLog
    requests: list[Request]
    judge_attempts: int

    def outcomes(self, row: int) -> dict[str, Outcome]:
        return {name: expected(name, row, self.judge_attempts) for name in JUDGES}

    @property
    def sent(self) -> dict[int, dict[str, Outcome]]:
        """What has to become of the answers that judges see, by row."""
        seen = set(range(COUNT)) - SILENT - {BROKEN}
        return {row: self.outcomes(row) for row in sorted(seen)}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.jsonl", ROWS)


@pytest.fixture(scope="module", params=[0, 1], ids=["one attempt", "two attempts"])
def run(
    request: pytest.FixtureRequest,
    _loopback: OpenAIServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    """A run with faults."""
    folder = tmp_path_factory.mktemp("faults")
    _loopback.reset(faulty)
    task = open_ended(dataset=write(folder / "rows.jsonl", ROWS), judge_attempts=request.param)
    log = judged(task, _loopback, folder, panel(_loopback), max_samples=20)
    return Run(log, list(_loopback.requests), request.param)


@pytest.mark.xdist_group("panel faults")
class TestFaults:
    """A run in which one request in five fails."""

    def test_the_script_holds_every_fault_and_every_case(self, run: Run) -> None:
        asks = [ask_of(one) for one in run.requests if one["model"] != "candidate"]
        assert {fault_of(ask) for ask in asks} == {None, *FAULTS}
        counts = {len(given(outcomes)) for outcomes in run.sent.values()}
        assert counts >= ({1, 2, 3} if run.judge_attempts == 0 else {2, 3})
        truths = {true_score(name, row) for row in run.sent for name in JUDGES}
        assert truths == set(range(6))

    def test_no_sample_is_lost(self, run: Run) -> None:
        assert run.log.status == "success"
        samples = of_row(run.log)
        assert set(samples) == set(range(COUNT))
        assert all(sample.error is None for sample in samples.values())
        assert all(sample.scores for sample in samples.values())

    def test_every_verdict_is_the_scripted_one_or_missing(self, run: Run) -> None:
        samples = of_row(run.log)
        for row, outcomes in run.sent.items():
            values, records = value_of(samples[row]), details_of(samples[row])["judges"]
            quorum = len(given(outcomes)) >= 2
            for name, outcome in outcomes.items():
                record = records[name]
                found = (record["value"], record["status"], record["attempts"])
                assert found == (pytest.approx(outcome.value), *outcome[1:]), (name, row)
                assert len(record["failures"]) == outcome.attempts - (outcome.value is not None)
                shown = outcome.value if quorum else None
                assert same(values[f"llm_as_judge_{name}"], shown), (name, row)

    def test_values_of_the_panel_need_a_quorum(self, run: Run) -> None:
        samples = of_row(run.log)
        for row, outcomes in run.sent.items():
            values, verdicts = value_of(samples[row]), given(outcomes)
            reason = details_of(samples[row]).get("unscored_reason")
            if len(verdicts) < 2:
                assert all(math.isnan(value) for value in values.values())
                assert f"{len(verdicts)} of 3 judges gave a verdict, 2 are needed" in str(reason)
                continue
            assert reason is None
            assert values["llm_as_judge_avg"] == pytest.approx(mean_of(verdicts))
            assert values["judge_voting"] == (sum(one >= 0.8 for one in verdicts) >= 2)
            assert values["judge_agreement"] == (len(set(verdicts)) == 1)

    def test_what_missing_verdicts_could_change_is_bounded(self, run: Run) -> None:
        samples = of_row(run.log)
        low = {row: math.fsum(given(outcomes)) / 3 for row, outcomes in run.sent.items()}
        high = {
            row: low[row] + (3 - len(given(outcomes))) / 3 for row, outcomes in run.sent.items()
        }
        for row in run.sent:
            details = details_of(samples[row])
            assert (details["low"], details["high"]) == pytest.approx((low[row], high[row]))
        silent = [0.0] * len(SILENT)
        found = figures(run.log)
        for name, bound in (("worst", low), ("best", high)):
            mean = mean_of([*bound.values(), *silent])
            assert found[f"judge_panel/avg_if_missing_{name}"] == pytest.approx(mean)

    def test_figures_count_what_is_missing(self, run: Run) -> None:
        found = figures(run.log)
        met = {row: one for row, one in run.sent.items() if len(given(one)) >= 2}
        assert found["judge_panel/quorum"] == pytest.approx(len(met) / len(run.sent))
        silent = [0.0] * len(SILENT)
        averages = [mean_of(given(outcomes)) for outcomes in met.values()]
        assert found["llm_as_judge_avg/mean"] == pytest.approx(mean_of([*averages, *silent]))
        for name in JUDGES:
            outcomes = [one[name] for one in run.sent.values()]
            covered = sum(one.value is not None for one in outcomes) / len(outcomes)
            assert found[f"judge_panel/judge_coverage_{name}"] == pytest.approx(covered)
            calls = sum(one.attempts for one in outcomes)
            assert found[f"judge_panel/judge_calls_{name}"] == calls
            values = [one[name].value for one in met.values()]
            verdicts = [value for value in values if value is not None]
            mean = mean_of([*verdicts, *silent])
            assert found[f"llm_as_judge_{name}/mean"] == pytest.approx(mean)

    def test_calls_are_those_of_the_script_and_no_two_alike(self, run: Run) -> None:
        requests = [one for one in run.requests if one["model"] != "candidate"]
        wanted = {
            Ask(name, row, attempt)
            for row, outcomes in run.sent.items()
            for name, outcome in outcomes.items()
            for attempt in range(1, outcome.attempts + 1)
        }
        assert Counter(map(ask_of, requests)) == Counter(wanted)
        assert len({(one["model"], user_text(one)) for one in requests}) == len(requests)
        assert len(run.requests) - len(requests) == COUNT

    def test_an_empty_answer_is_worth_nothing_without_a_call(self, run: Run) -> None:
        for row in SILENT:
            sample = of_row(run.log)[row]
            values = value_of(sample)
            assert math.isnan(values.pop("judge_agreement"))
            assert set(values.values()) == {0}
            assert details_of(sample)["judges"] == {}

    def test_a_failure_of_the_candidates_machinery_is_unscored(self, run: Run) -> None:
        sample = of_row(run.log)[BROKEN]
        assert sample.scores
        score = sample.scores["judge_panel"]
        assert isinstance(score.value, float)
        assert math.isnan(score.value)
        assert details_of(sample)["status"] == "error"


def test_a_candidate_that_raises_takes_no_other_sample_with_it(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    def reply(request: Request) -> Scripted | str:
        if request["model"] != "candidate":
            return graded(true_score(request["model"], row_of(request)))
        return Scripted("no such model", status=404) if row_of(request) == 3 else "An answer."

    server.script = reply
    log = judged(
        open_ended(dataset=rows), server, tmp_path, panel(server), limit=8, fail_on_error=False
    )
    samples = of_row(log)
    assert log.status == "success"
    assert samples[3].error is not None
    assert not samples[3].scores
    assert {row for row, sample in samples.items() if sample.scores} == set(range(8)) - {3}
    assert Counter(row_of(one) for one in asked(server, "judge-a")) == Counter(set(range(8)) - {3})


@pytest.mark.parametrize("fault", ["500", "no JSON", "cut", "prose", "empty", "filter", "above"])
def test_all_judges_fail(server: OpenAIServer, rows: str, tmp_path: Path, fault: str) -> None:
    def reply(request: Request) -> Scripted | str:
        return "An answer." if request["model"] == "candidate" else FAULTS[fault].reply

    server.script = reply
    log = judged(
        open_ended(dataset=rows, judge_attempts=0), server, tmp_path, panel(server), limit=3
    )
    assert log.status == "success"
    assert log.samples
    for sample in log.samples:
        assert all(math.isnan(value) for value in value_of(sample).values())
        reason = details_of(sample)["unscored_reason"]
        assert "0 of 3 judges gave a verdict" in reason
        assert reason.count(FAULTS[fault].status) == 3
    found = figures(log)
    assert math.isnan(found["llm_as_judge_avg/mean"])
    assert (found["judge_panel/quorum"], found["judge_panel/judge_coverage_judge-a"]) == (0, 0)
    assert found["judge_panel/avg_if_missing_worst"] == 0
    assert found["judge_panel/avg_if_missing_best"] == 1


@pytest.mark.parametrize("fault", ["500", "prose", "filter"])
def test_a_judge_that_always_fails_leaves_the_rest_as_they_are(
    server: OpenAIServer, rows: str, tmp_path: Path, fault: str
) -> None:
    def reply(request: Request) -> Scripted | str:
        if request["model"] == "candidate":
            return "An answer."
        if request["model"] == "judge-b":
            return FAULTS[fault].reply
        return graded(true_score(request["model"], row_of(request)))

    server.script = reply
    log = judged(open_ended(dataset=rows), server, tmp_path, panel(server), limit=10)
    for row, sample in of_row(log).items():
        a, c = (true_score(name, row) / 5 for name in ("judge-a", "judge-c"))
        values = value_of(sample)
        assert math.isnan(values["llm_as_judge_judge-b"])
        assert values["llm_as_judge_avg"] == pytest.approx((a + c) / 2)
        assert values["judge_voting"] == (min(a, c) >= 0.8)
    counts = {name: len(asked(server, name)) for name in JUDGES}
    assert counts["judge-a"] == counts["judge-c"] == 10
    # A judge that replies is asked three times for each row; one that never does is soon given up,
    # and how many of its ten first requests are then under way depends on the machine.
    assert counts["judge-b"] == 30 if fault != "500" else 10 <= counts["judge-b"] < 30
    assert figures(log)["judge_panel/judge_coverage_judge-b"] == 0


def test_a_judge_that_takes_too_long_is_missing(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    def reply(request: Request) -> Scripted | str:
        late = request["model"] == "judge-b"
        answer = "An answer." if request["model"] == "candidate" else graded(5)
        return Scripted(answer, latency=4 if late else 0)

    server.script = reply
    # Only the late one has a limit: on a busy machine the others may take their time.
    judges = [judge(server, "judge-a"), judge(server, "judge-b", attempt_timeout=1)]
    task = open_ended(dataset=rows, judge_attempts=0, quorum=1)
    log = judged(task, server, tmp_path, judges, limit=3)
    assert log.status == "success"
    for sample in of_row(log).values():
        values, late = value_of(sample), details_of(sample)["judges"]["judge-b"]
        assert math.isnan(values["llm_as_judge_judge-b"])
        assert (values["llm_as_judge_judge-a"], values["llm_as_judge_avg"]) == (1, 1)
        assert (late["value"], late["status"], late["attempts"]) == (None, "error", 1)
        assert "AttemptTimeoutError" in late["raw"]
    assert len(asked(server, "judge-b")) == 3


def test_a_form_that_is_turned_down_is_paid_for_once_by_the_request_that_goes_first(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    taken: dict[str, set[str | None]] = {
        "judge-a": {"json_schema", "json_object", None},
        "judge-b": {"json_object", None},
        "judge-c": {None},
    }
    arrived: dict[str, list[float]] = {name: [] for name in JUDGES}

    def reply(request: Request) -> Scripted | str:
        name = request["model"]
        if name == "candidate":
            return "An answer."
        arrived[name].append(time.monotonic())
        if form_of(request) not in taken[name]:
            return Scripted("this form is not supported", status=400, latency=0.2)
        first = len(asked(server, name)) == 4 - len(taken[name])
        return Scripted(graded(true_score(name, row_of(request))), latency=0.2 if first else 0)

    server.script = reply
    log = judged(open_ended(dataset=rows), server, tmp_path, panel(server), limit=24)
    forms = {name: [form_of(one) for one in asked(server, name)] for name in JUDGES}
    assert forms == {
        "judge-a": ["json_schema"] * 24,
        "judge-b": ["json_schema", *["json_object"] * 24],
        "judge-c": ["json_schema", "json_object", *[None] * 24],
    }
    for alone, name in enumerate(JUDGES, 1):
        assert arrived[name][alone] - arrived[name][0] >= 0.2 * alone
    for row, sample in of_row(log).items():
        values = value_of(sample)
        for name in JUDGES:
            assert values[f"llm_as_judge_{name}"] == pytest.approx(true_score(name, row) / 5)


def form_of(request: Request) -> str | None:
    kind = request.get("response_format", {}).get("type")
    return None if kind is None else str(kind)


def test_a_first_request_that_fails_holds_up_nobody(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    arrived: list[float] = []

    def reply(request: Request) -> Scripted | str:
        if request["model"] == "candidate":
            return "An answer."
        arrived.append(time.monotonic())
        # The first three fail late: were each to wait for the last, they would come far apart.
        return Scripted("busy", status=500, latency=0.5) if len(arrived) <= 3 else graded(4)

    server.script = reply
    log = judged(open_ended(dataset=rows), server, tmp_path, [judge(server, "judge-a")], limit=12)
    assert figures(log)["llm_as_judge_judge-a/mean"] == pytest.approx(0.8)
    assert {form_of(one) for one in asked(server, "judge-a")} == {"json_schema"}
    assert len(arrived) == 12 + 3
    assert arrived[1] - arrived[0] >= 0.5
    assert arrived[3] - arrived[1] < 0.5


def test_a_provider_that_is_busy_for_a_moment_is_no_failed_attempt(
    server: OpenAIServer, rows: str, tmp_path: Path
) -> None:
    def reply(request: Request) -> Scripted | str:
        if request["model"] == "candidate":
            return "An answer."
        return FAULTS["429"].reply if len(asked(server, "judge-a")) <= 2 else graded(4)

    server.script = reply
    patient = get_model(
        "openai-api/loopback/judge-a", base_url=server.url, api_key="none", memoize=False
    )
    log = judged(open_ended(dataset=rows), server, tmp_path, [patient], limit=1)
    record = details_of(of_row(log)[0])["judges"]["judge-a"]
    assert (record["value"], record["attempts"], record["failures"]) == (0.8, 1, [])
    assert len(asked(server, "judge-a")) == 3


def _said(request: Request) -> Scripted | str:
    """Reply with the faults that are replies, so that a cache can keep them."""
    if request["model"] == "candidate":
        return "An answer."
    ask = ask_of(request)
    kind = draw("kept", *ask) % 4
    kept = ("prose", "empty", "above")
    if kind < len(kept):
        return FAULTS[kept[kind]].reply
    return graded(true_score(ask.judge, ask.row))


def test_a_second_run_replays_every_attempt_from_the_cache(
    server: OpenAIServer, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))

    def run(script: Callable[[Request], Scripted | str]) -> list[list[Any]]:
        server.reset(script)
        folder = tmp_path / "logs"
        log = judged(open_ended(dataset=rows), server, folder, panel(server), limit=8, cache=True)
        found = [
            (row, name, record["value"], record["status"], record["attempts"])
            for row, sample in sorted(of_row(log).items())
            for name, record in details_of(sample)["judges"].items()
        ]
        return json.loads(json.dumps(found))  # type: ignore[no-any-return]

    first = run(_said)
    paid = len(server.requests)
    assert {one[4] for one in first} == {1, 2, 3}
    assert {one[3] for one in first} >= {"scored", "unreadable"}
    assert paid == 8 + sum(one[4] for one in first)
    assert run(lambda _: graded(0)) == first
    assert server.requests == []


def test_a_second_run_pays_for_what_failed_alone(
    server: OpenAIServer, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))

    def reply(request: Request) -> Scripted | str:
        if request["model"] == "candidate":
            return "An answer."
        dead = request["model"] == "judge-b" and row_of(request) % 3 == 0
        return FAULTS["500"].reply if dead else graded(5)

    for script, calls, coverage in ((reply, 6 * 4, 4 / 6), (lambda _: graded(1), 2, 1)):
        server.reset(script)
        task = open_ended(dataset=rows, judge_attempts=0)
        log = judged(task, server, tmp_path, panel(server), limit=6, cache=True)
        assert len(server.requests) == calls
        assert figures(log)["judge_panel/judge_coverage_judge-b"] == pytest.approx(coverage)
    assert figures(log)["llm_as_judge_judge-b/mean"] == pytest.approx((4 * 1 + 2 * 0.2) / 6)
