"""How many replies could be read, and what became of the others."""

from __future__ import annotations

from collections import Counter

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from eve_inspect.answers import STATUSES
from eve_inspect.scorers._reply import details_of


@metric(scores="unreduced")
def coverage() -> Metric:
    """Share of replies with a readable answer, and a count per status of the replies.

    Counts are of replies: with several epochs each one counts. The status ``error`` is missing,
    since Inspect hands samples that the machinery lost to no metric; ``eve_inspect.results``
    counts them from the log.

    Returns:
        ``coverage`` (0..1; NaN without replies) and ``status_answered``, ``status_no_answer``, ...
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = details_of(scores)
        counts = Counter(str(detail["status"]) for detail in details)
        readable = sum(bool(detail["readable"]) for detail in details)
        share = readable / len(details) if details else float("nan")
        statuses = {f"status_{status}": counts[status] for status in STATUSES if status != "error"}
        return {"coverage": share, **statuses}

    return compute
