"""Scores of finished logs, over what was scored and over all that was asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    EvalScore,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from inspect_ai.scorer import Score, value_to_float

from eve_inspect._errors import EveInspectError

if TYPE_CHECKING:
    import pandas as pd

Source = str | Path | EvalLog
_MEANS = ("accuracy", "mean")
"""Metrics that are means over samples, for which a mean over all samples is defined."""


@dataclass(frozen=True, slots=True)
class _Replies:
    """What became of the replies that a run asked for, for one scorer.

    Attributes:
        total: Replies asked for: samples times epochs.
        errored: Samples that ended in an error.
        unscored: Samples that ran, but that the scorer could not score.
        values: Values of the scored replies.
    """

    total: int
    errored: int
    unscored: int
    values: list[Score]

    @property
    def lost(self) -> int:
        """Replies that our machinery lost, those that never ran included."""
        return self.total - len(self.values)


@dataclass(frozen=True, slots=True)
class _Row:
    log: str
    task: str
    model: str
    status: str
    scorer: str
    score: str
    metric: str
    reducer: str | None
    value: float
    value_over_all: float
    coverage: float
    replies: int
    scored: int
    errored: int
    unscored: int


def results(source: Source | Sequence[Source]) -> pd.DataFrame:
    """Return every metric of one or more logs, with what the machinery lost counted in.

    Inspect computes metrics over scored samples alone. Here each metric that is a mean over replies
    comes over all replies that were asked for too, where one that the machinery lost (an error, a
    sample that never ran, a failed scorer) counts 0. The two are equal when nothing was lost.

    Args:
        source: A log file, a directory of logs, a log in memory, or a list of these.

    Returns:
        One row per log, scorer, score column and metric; a log without results has one row without
        a metric. The columns:

        - ``log``, ``task``, ``model``, ``status``: the log file's name, and of what run it is.
        - ``scorer``, ``score``: the scorer, and its column (its own name when it has only one).
        - ``metric``, ``reducer``: the figure, and how epochs were reduced (None: not at all).
        - ``value``: the figure over scored replies; NaN when it is undefined.
        - ``value_over_all``: the mean over all replies; NaN where the metric is no mean of them.
        - ``coverage``: readable answers over all replies, 0..1; NaN for a scorer without coverage.
        - ``replies``: samples times epochs; of these ``scored``, ``errored`` and ``unscored``.

    Raises:
        EveInspectError: A source that does not exist, or holds no log.
    """
    import pandas as pd

    rows = [asdict(row) for log in _logs(source) for row in _rows(log)]
    return pd.DataFrame(rows, columns=list(_Row.__dataclass_fields__))


def _logs(source: Source | Sequence[Source]) -> Iterator[EvalLog]:
    if isinstance(source, EvalLog):
        yield source
    elif isinstance(source, str | Path):
        yield from (read_eval_log(file, header_only=True) for file in _files(source))
    else:
        for one in source:
            yield from _logs(one)


def _files(source: str | Path) -> list[str]:
    location = str(source)
    if location.endswith((".eval", ".json")):
        if "://" not in location and not Path(location).is_file():
            raise EveInspectError(f"log {location!r} does not exist.")
        return [location]
    found = sorted(info.name for info in list_eval_logs(location))
    if not found:
        raise EveInspectError(
            f"{location!r} holds no logs: give a log file, or the directory given to --log-dir."
        )
    return found


def _rows(log: EvalLog) -> Iterator[_Row]:
    samples: Sequence[EvalSample | EvalSampleSummary] = (
        log.samples if log.samples is not None else read_eval_log_sample_summaries(log.location)
    )
    scores = log.results.scores if log.results else []
    if not scores:
        yield _row(log, _replies(log, samples, ""), None, "", math.nan)
    replies = {name: _replies(log, samples, name) for name in {s.scorer for s in scores}}
    for score in scores:
        for name, metric in score.metrics.items():
            yield _row(log, replies[score.scorer], score, name, float(metric.value))


def _row(
    log: EvalLog, replies: _Replies, score: EvalScore | None, metric: str, value: float
) -> _Row:
    return _Row(
        log=Path(log.location).name,
        task=log.eval.task,
        model=log.eval.model,
        status=log.status,
        scorer=score.scorer if score else "",
        score=score.name if score else "",
        metric=metric,
        reducer=score.reducer if score else None,
        value=value,
        value_over_all=_over_all(replies, score.name) if _is_mean(score, metric) else math.nan,
        coverage=_coverage(replies),
        replies=replies.total,
        scored=len(replies.values),
        errored=replies.errored,
        unscored=replies.unscored,
    )


def _is_mean(score: EvalScore | None, metric: str) -> TypeGuard[EvalScore]:
    """Whether a metric is a mean over replies; other reducers than the mean give other means."""
    return score is not None and metric in _MEANS and score.reducer in (None, "mean")


def _replies(
    log: EvalLog, samples: Iterable[EvalSample | EvalSampleSummary], scorer: str
) -> _Replies:
    errored = unscored = 0
    values: list[Score] = []
    for sample in samples:
        score = (sample.scores or {}).get(scorer)
        if sample.error is not None:
            errored += 1
        elif score is None or _is_nan(score.value):
            unscored += 1
        else:
            values.append(score)
    asked = len(log.eval.dataset.sample_ids or []) * (log.eval.config.epochs or 1)
    total = max(asked, errored + unscored + len(values))
    return _Replies(total, errored, unscored, values)


def _over_all(replies: _Replies, column: str) -> float:
    to_float = value_to_float()
    values = [
        to_float(score.value[column] if isinstance(score.value, dict) else score.value)
        for score in replies.values
    ]
    # NaN under one key is a figure that this reply does not define, not a loss.
    defined = [value for value in values if not math.isnan(value)]
    count = len(defined) + replies.lost
    return math.fsum(defined) / count if count else math.nan


def _coverage(replies: _Replies) -> float:
    readable = [(score.metadata or {}).get("readable") for score in replies.values]
    if None in readable or not replies.total or not readable:
        return math.nan
    return sum(map(bool, readable)) / replies.total


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
