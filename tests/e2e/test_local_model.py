"""The tasks taken by a real language model on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, get_model

from eve_inspect import hallucination_detection, mcqa_multiple, mcqa_single, open_ended, results
from eve_inspect.answers import JUDGE_STATUSES, STATUSES


@pytest.mark.parametrize(
    ("task", "scorer", "max_tokens"),
    [
        pytest.param(lambda: mcqa_single(dataset="sample"), "single_answer", 8, id="single"),
        pytest.param(lambda: mcqa_multiple(dataset="sample"), "multiple_answer", 8, id="multiple"),
        pytest.param(
            lambda: hallucination_detection(dataset="sample"),
            "hallucination_binary",
            8,
            id="binary",
        ),
        pytest.param(
            lambda: hallucination_detection("hard", dataset="sample"),
            "hallucination_hard",
            160,
            id="hard",
        ),
    ],
)
def test_every_reply_of_a_real_model_gets_a_status_and_a_score(
    task: Callable[[], Task], scorer: str, max_tokens: int, tmp_path: Path
) -> None:
    (log,) = eval(
        task(),
        model="gguf/smollm2-135m",
        model_args={"threads": 1, "context": 1024},
        limit=2,
        temperature=0,
        max_tokens=max_tokens,
        display="none",
        log_dir=str(tmp_path),
    )
    log = read_eval_log(log.location)
    assert log.status == "success"
    assert log.eval.model == "gguf/smollm2-135m"
    assert log.samples is not None
    for sample in log.samples:
        assert sample.output.completion
        assert sample.scores is not None
        metadata = sample.scores[scorer].metadata
        assert metadata is not None
        assert metadata["status"] in STATUSES[:-1]
        if metadata["status"] == "answered":
            assert metadata["method"]
    table = results(log)
    assert set(table.scored) == set(table.replies) == {2}
    assert set(table.errored) == {0}
    coverage = table[table.metric == "coverage"].value.item()
    assert (
        coverage
        == sum(
            bool((sample.scores or {})[scorer].metadata["readable"])  # type: ignore[index]
            for sample in log.samples
        )
        / 2
    )


def test_a_real_model_judges_and_what_it_says_is_a_verdict_or_missing(tmp_path: Path) -> None:
    judge = get_model(
        "gguf/smollm2-135m",
        config=GenerateConfig(max_tokens=150),
        threads=1,
        context=2048,
        memoize=False,
    )
    (log,) = eval(
        open_ended(dataset="sample", scale="0-1", judge_attempts=0),
        model="gguf/smollm2-135m",
        model_args={"threads": 1, "context": 2048},
        model_roles={"judge": judge},
        limit=2,
        temperature=0,
        max_tokens=24,
        display="none",
        log_dir=str(tmp_path),
    )
    log = read_eval_log(log.location)
    assert log.status == "success"
    assert log.samples
    for sample in log.samples:
        metadata = (sample.scores or {})["judge_panel"].metadata
        assert metadata is not None
        (record,) = metadata["judges"].values()
        assert record["status"] in JUDGE_STATUSES
        assert record["status"] != "error"
        assert record["raw"]
        assert record["output_tokens"] > 0
        assert record["relation"] == "same_model"
        assert (record["value"] in (0, 1)) == (record["status"] == "scored")
