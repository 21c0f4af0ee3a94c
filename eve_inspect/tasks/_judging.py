"""What the tasks share whose answers are judged: now, or later."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers import PanelSettings, check_judges_of_command, require_judges


@dataclass(frozen=True, slots=True)
class Judging:
    """The part of a task that concerns judges; without a scorer when they come later."""

    setup: Solver | None = None
    scorer: Scorer | None = None

    def headline(self, metric: HeadlineMetric) -> HeadlineMetric | None:
        """Return the figure that stands for the task, if the task is scored."""
        return metric if self.scorer is not None else None


def judging(settings: PanelSettings, make_scorer: partial[Scorer], *, later: bool) -> Judging:
    """Check the judges as early as they can be known, before data are loaded.

    The scorer is made in any case, so that a wrong argument is told before anything is paid for.

    Args:
        settings: The panel's.
        make_scorer: Makes the scorer, which checks its arguments; a log without judges keeps them.
        later: The task's ``judge_later``.

    Raises:
        EveInspectError: An argument that is not offered, or a command that names no judge.
    """
    if not isinstance(later, bool):
        raise EveInspectError(f"judge_later={later!r} is not offered: use true or false.")
    scorer = make_scorer()
    if later:
        arguments = {k: v for k, v in make_scorer.keywords.items() if k != "judge_attempts"}
        return Judging(require_judges(later=arguments))
    check_judges_of_command(settings)
    setup = require_judges(settings.attempts, settings.quorum, settings.role)
    return Judging(setup, scorer)
