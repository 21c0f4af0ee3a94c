"""Confidence intervals of shares."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """A two-sided confidence interval.

    Attributes:
        low: Lower bound; NaN when nothing was observed.
        high: Upper bound; NaN when nothing was observed.
    """

    low: float
    high: float


def wilson_interval(successes: float, n: float, level: float = 0.95) -> Interval:
    """Return the Wilson score interval of a share, without continuity correction.

    Unlike mean ± z standard errors it has a width at 0 and at 1 and stays within both. Source:
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927), 209-212: the bounds are the two roots t of
    ``(p - t)² = z² t (1 - t) / n`` with p the share and z the two-sided normal quantile.

    Args:
        successes: How many of the ``n`` succeeded. A sum of per-sample means over epochs may have
            a fraction; the interval is then wider than it need be, never narrower.
        n: How many were observed; for answers that hang together, how many independent ones they
            are worth, which need not be whole.
        level: Coverage, between 0 and 1, both excluded.

    Returns:
        The bounds as shares of 1; NaN for both when ``n`` is 0.

    Raises:
        ValueError: ``n`` is negative, ``successes`` is not in 0..n, or ``level`` not in 0..1.
    """
    if n < 0 or not 0 <= successes <= n:
        raise ValueError(f"successes={successes!r} of n={n!r}: give 0 <= successes <= n")
    if not 0 < level < 1:
        raise ValueError(f"level={level!r}: give a share between 0 and 1, such as 0.95")
    if n == 0:
        return Interval(math.nan, math.nan)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    failures = n - successes
    centre = successes + z * z / 2
    spread = z * math.sqrt(successes * failures / n + z * z / 4)
    # At the ends one root is 0 or 1 exactly; rounding must not put it a hair beside.
    low = 0.0 if successes == 0 else (centre - spread) / (n + z * z)
    high = 1.0 if failures == 0 else (centre + spread) / (n + z * z)
    return Interval(low, high)
