"""Scores of finished logs, over what was scored and over all that was asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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
from eve_inspect.metrics import BinaryPair, binary_scores

if TYPE_CHECKING:
    import pandas as pd

Source = str | Path | EvalLog
_Sample = EvalSample | EvalSampleSummary
_MEANS = ("accuracy", "mean")
"""Metrics that are means over samples, for which a mean over all samples is defined."""
_BINARY = "hallucination_binary"
_CLASSIFICATION = ("precision", "recall", "f1")
"""Metrics of the binary scorer in which a lost reply is a miss of its own class."""


class _Log(NamedTuple):
    """A log, and its samples or their summaries."""

    log: EvalLog
    samples: Sequence[_Sample]


@dataclass(frozen=True, slots=True)
class _Replies:
    """What became of the replies that a run asked for, for one scorer.

    Attributes:
        samples: Samples asked for.
        epochs: How often each was asked.
        errored: Replies that ended in an error.
        unscored: Replies that came, but that the scorer could not score.
        scored: Scores of the others, by sample.
        lost_targets: Targets of the errored and unscored ones.
    """

    samples: int
    epochs: int
    errored: int
    unscored: int
    scored: Mapping[int | str, list[Score]]
    lost_targets: list[str]

    @property
    def total(self) -> int:
        """Replies asked for, those that never ran included."""
        return self.samples * self.epochs

    @property
    def scores(self) -> list[Score]:
        """All scores."""
        return [score for scores in self.scored.values() for score in scores]


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

    Inspect computes metrics over scored samples alone. Here a metric that is a mean over samples
    comes over all that were asked for too, where a reply that the machinery lost (an error, a
    sample that never ran, a failed scorer) counts 0; in precision, recall and F1 of the binary
    hallucination scorer it counts as a miss of its class. The two are equal when nothing was lost.

    Args:
        source: A log file, a directory of logs, a log in memory, or a list of these.

    Returns:
        One row per log, scorer, score column and metric; a log without results has one row per
        scorer without a metric. The columns:

        - ``log``, ``task``, ``model``, ``status``: the log file's name, and of what run it is.
        - ``scorer``, ``score``: the scorer, and its column (its own name when it has only one).
        - ``metric``, ``reducer``: the figure, and how epochs were reduced (None: not at all).
        - ``value``: the figure over scored replies; NaN when it is undefined.
        - ``value_over_all``: the figure over all replies; NaN where that is not defined.
        - ``coverage``: readable answers over all replies, 0..1; NaN for a scorer without coverage.
        - ``replies``: samples times epochs; of these ``scored``, ``errored`` and ``unscored``; the
          rest never ran.

    Raises:
        EveInspectError: A source that does not exist, or holds no log.
    """
    import pandas as pd

    rows = [asdict(row) for log in _logs(source) for row in _rows(*log)]
    return pd.DataFrame(rows, columns=list(_Row.__dataclass_fields__))


def _logs(source: Source | Sequence[Source]) -> Iterator[_Log]:
    if isinstance(source, EvalLog):
        samples = source.samples if source.samples is not None else _open(source.location).samples
        yield _Log(source, samples)
    elif isinstance(source, str | Path):
        yield from (_open(file) for file in _files(source))
    elif isinstance(source, Iterable):
        for one in source:
            yield from _logs(one)
    else:
        raise EveInspectError(f"{source!r} is no log: give a log file, a directory or a log.")


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


def _open(file: str) -> _Log:
    """Read a log without its samples, and what of these takes little time to read."""
    try:
        return _Log(read_eval_log(file, header_only=True), read_eval_log_sample_summaries(file))
    except Exception as error:
        # Whatever is in the file: the reader's errors share no base class, and name no file.
        raise EveInspectError(
            f"{file!r} is no log that can be read ({type(error).__name__}): take it out of the "
            "folder, or give the other logs one by one."
        ) from error


def _rows(log: EvalLog, samples: Sequence[_Sample]) -> Iterator[_Row]:
    scores = log.results.scores if log.results else []
    names = {score.scorer for score in scores}
    if not scores:
        # A run that was stopped has scored samples all the same.
        names = {name for sample in samples for name in sample.scores or {}} or {""}
    replies = {name: _replies(log, samples, name) for name in sorted(names)}
    if not scores:
        yield from (_row(log, replies[name], name) for name in replies)
    for score in scores:
        for name, metric in score.metrics.items():
            yield _row(log, replies[score.scorer], score.scorer, score, name, float(metric.value))


def _row(
    log: EvalLog,
    replies: _Replies,
    scorer: str,
    score: EvalScore | None = None,
    metric: str = "",
    value: float = math.nan,
) -> _Row:
    return _Row(
        log=Path(log.location).name,
        task=log.eval.task,
        model=log.eval.model,
        status=log.status,
        scorer=scorer,
        score=score.name if score else "",
        metric=metric,
        reducer=score.reducer if score else None,
        value=value,
        value_over_all=_over_all(replies, score, metric) if score else math.nan,
        coverage=_coverage(replies),
        replies=replies.total,
        scored=len(replies.scores),
        errored=replies.errored,
        unscored=replies.unscored,
    )


def _replies(log: EvalLog, samples: Sequence[_Sample], scorer: str) -> _Replies:
    errored = unscored = 0
    scored: dict[int | str, list[Score]] = {}
    lost_targets = []
    for sample in samples:
        score = (sample.scores or {}).get(scorer)
        if sample.error is None and score is not None and not _is_nan(score.value):
            scored.setdefault(sample.id, []).append(score)
            continue
        lost_targets.append(str(sample.target))
        errored += sample.error is not None
        unscored += sample.error is None
    epochs = log.eval.config.epochs or 1
    asked = len(log.eval.dataset.sample_ids or {sample.id for sample in samples})
    return _Replies(asked, epochs, errored, unscored, scored, lost_targets)


def _over_all(replies: _Replies, score: EvalScore, metric: str) -> float:
    """Return a metric over all replies; NaN where that is not defined."""
    if not replies.scored and not replies.lost_targets:
        return math.nan  # a log without samples does not tell what was lost
    # Other reducers than the mean make other means of the same replies.
    if metric in _MEANS and score.reducer in (None, "mean"):
        return _mean_over_all(replies, score.name)
    if score.scorer == _BINARY and metric in _CLASSIFICATION:
        return _classification_over_all(replies, metric)
    return math.nan


def _mean_over_all(replies: _Replies, column: str) -> float:
    """Return the mean over samples of the mean over epochs, as Inspect has it; lost ones count 0.

    NaN in a column is a figure that a reply does not define, which is no loss: such replies are
    left out, as Inspect leaves them out.
    """
    to_float = value_to_float()
    means = [0.0] * (replies.samples - len(replies.scored))
    for scores in replies.scored.values():
        values = [
            to_float(score.value[column] if isinstance(score.value, dict) else score.value)
            for score in scores
        ]
        defined = [value for value in values if not math.isnan(value)]
        count = len(defined) + replies.epochs - len(scores)
        if count:
            means.append(math.fsum(defined) / count)
    return math.fsum(means) / len(means) if means else math.nan


def _classification_over_all(replies: _Replies, metric: str) -> float:
    """Return precision, recall or F1 with lost replies as misses of their own class.

    What never ran has no known class, and the figure is then not defined.
    """
    if len(replies.scores) + len(replies.lost_targets) < replies.total:
        return math.nan
    pairs = [
        BinaryPair.from_words(details["gold"], details["verdict"])
        for details in (score.metadata or {} for score in replies.scores)
    ]
    pairs += [BinaryPair.from_words(target, "") for target in replies.lost_targets]
    return float(getattr(binary_scores(pairs), metric))


def _coverage(replies: _Replies) -> float:
    readable = [(score.metadata or {}).get("readable") for score in replies.scores]
    if None in readable or not (readable or replies.lost_targets):
        return math.nan
    return sum(map(bool, readable)) / replies.total


def _is_nan(value: object) -> bool:
    """Whether a score has no value: NaN, or NaN under every key, as a panel without a quorum."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_nan, value.values()))
    return isinstance(value, float) and math.isnan(value)
