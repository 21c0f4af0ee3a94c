"""Comparing a model's answers with recorded ones while they are given."""

from __future__ import annotations

from collections.abc import Callable

from inspect_ai.scorer import Scorer

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers import Baseline, load_answers
from eve_inspect.tasks._setup import Setup


def with_baseline(
    panel: Scorer | None, baseline: str | None, prepared: Setup, compare: Callable[[], Scorer]
) -> Scorer | list[Scorer] | None:
    """Return a task's scorers: its panel, and a comparison if a baseline is named.

    Args:
        panel: The panel's scorer; None when judges come later.
        baseline: The task's argument: a log or a file with another model's answers.
        prepared: The task's data.
        compare: Makes the scorer that compares.

    Raises:
        EveInspectError: A baseline that cannot be read, was asked other questions, or cannot be
            compared now.
    """
    if baseline is None:
        return panel
    if panel is None:
        raise EveInspectError(
            f"baseline={baseline!r} is compared by judges, and judge_later=true asks none: leave "
            "one of them out. Two finished logs are compared by the task eve_inspect/win_rate."
        )
    scorer = compare()
    _check(baseline, prepared)
    return [panel, scorer]


def _check(baseline: str, prepared: Setup) -> None:
    """Make sure that the baseline answered the questions that are going to be asked."""
    answers = load_answers(baseline, side="baseline")
    own = prepared.metadata["dataset"]["fingerprint"]
    if answers.fingerprint not in (None, own):
        raise EveInspectError(
            f"baseline={baseline!r} answered other data (fingerprint {answers.fingerprint!r}, here "
            f"{own!r}): run both on the same dataset, or compare finished logs with "
            "`inspect eval eve_inspect/win_rate -T force=true ...`."
        )
    known = Baseline(answers)
    asked = ((str(one.id), str((one.metadata or {})["question"])) for one in prepared.dataset)
    if all(known.find(id, 1, question) is None for id, question in asked):
        raise EveInspectError(
            f"baseline={baseline!r} has no answer to any of the {len(prepared.dataset)} questions: "
            "name answers to the same questions."
        )
