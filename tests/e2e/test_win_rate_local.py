"""A real language model in two settings, compared by a real language model."""

from __future__ import annotations

from pathlib import Path

import pytest
from inspect_ai import eval
from inspect_ai.model import GenerateConfig, Model, get_model

from eve_inspect import EveInspectError, open_ended
from eve_inspect.answers import JUDGE_STATUSES
from eve_inspect.evaluation import Answers, OutputSettings, compare_models
from eve_inspect.reports import report_win_rates, win_rate_summary
from tests.evaluation.comparisons import details_of, outcomes

QUESTIONS = 1


def local(max_tokens: int) -> Model:
    """Return the model of this machine."""
    config = GenerateConfig(temperature=0, max_tokens=max_tokens)
    return get_model("gguf/smollm2-135m", config=config, threads=1, context=2048, memoize=False)


def answered(folder: Path, fewshot: int) -> str:
    """Let the model answer after so many demonstrations, and return the log's place."""
    (log,) = eval(
        open_ended(dataset="sample", fewshot=fewshot, judge_later=True),
        model=local(max_tokens=24),
        limit=QUESTIONS,
        display="none",
        log_dir=str(folder),
    )
    assert log.status == "success", log.error
    return log.location


@pytest.mark.slow
def test_two_settings_of_a_real_model_are_compared(tmp_path: Path) -> None:
    """Whatever a small model says of them: each verdict is counted or missing, and adds up."""
    sides = [
        Answers(answered(tmp_path / name, shots), name)
        for name, shots in {"one-shot": 1, "zero-shot": 0}.items()
    ]
    judge = local(max_tokens=40)
    with pytest.raises(EveInspectError, match=r"are of different prompts.*force=true"):
        compare_models(sides, judges=[judge], log_dir=tmp_path / "logs")
    compared = compare_models(
        sides,
        judges=[judge],
        log_dir=tmp_path / "logs",
        display="none",
        options={"force": True, "judge_attempts": 0},
    )
    (log,) = compared.logs
    assert log.status == "success"
    (decided,) = outcomes(log).values()
    assert len(decided) == QUESTIONS
    for details in details_of(log):
        assert details["answer_text"] != details["baseline_answer"]
        (record,) = details["judges"].values()
        said = record["orders"]
        assert set(said) == {"AB", "BA"}
        assert all(one["raw"] and one["output_tokens"] > 0 for one in said.values())
        assert {one["status"] for one in said.values()} <= set(JUDGE_STATUSES) - {"error"}
        readable = all(one["preferred"] for one in said.values())
        assert (record["outcome"] is not None) == readable
    assert f"one-shot against zero-shot: {QUESTIONS} pairs" in win_rate_summary(log)
    output = OutputSettings(output_dir=tmp_path / "out", save_visualizations=False)
    if any(decided):
        assert len(report_win_rates(compared, output).files) == 3
    else:
        with pytest.raises(EveInspectError, match=r"no pair of .* was judged"):
            report_win_rates(compared, output)
    assert len(list((tmp_path / "out").iterdir())) == 3
