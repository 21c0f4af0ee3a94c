"""Arithmetic that says NaN where a figure is undefined."""

from __future__ import annotations

import math
from collections.abc import Iterable


def ratio(numerator: float, denominator: float) -> float:
    """Return ``numerator / denominator``, NaN when the denominator is 0."""
    return numerator / denominator if denominator else math.nan


def mean(values: Iterable[float]) -> float:
    """Return the arithmetic mean, exactly summed so that order is free; NaN of no values."""
    numbers = list(values)
    return ratio(math.fsum(numbers), len(numbers))


def defined_mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN; NaN when none is."""
    return mean(value for value in values if not math.isnan(value))
