from __future__ import annotations

import math

from eve_inspect.metrics._numbers import mean, ratio


def test_ratio_of_an_empty_denominator_is_nan() -> None:
    assert ratio(1, 4) == 0.25
    assert ratio(0, 4) == 0.0
    assert math.isnan(ratio(0, 0))


def test_mean_is_exact_in_any_order() -> None:
    values = [1e16, 1.0, -1e16, 3.0]
    assert mean(values) == mean(reversed(values)) == 1.0
    assert math.isnan(mean([]))
