"""Rates of refusal."""

from __future__ import annotations

import math

import pytest

from eve_inspect.metrics import RefusalItem, refusal_rates


def test_rates_worked_by_hand() -> None:
    items = [
        *[RefusalItem(answerable=False, refused=True)] * 2,
        RefusalItem(answerable=False, refused=False, hedged=True),
        RefusalItem(answerable=False, refused=None),
        RefusalItem(answerable=True, refused=True),
        *[RefusalItem(answerable=True, refused=False)] * 3,
        RefusalItem(answerable=True, refused=None),
    ]
    found = refusal_rates(items)
    assert found.refusal_rate == pytest.approx(2 / 4)
    assert found.lenient_refusal_rate == pytest.approx(3 / 4)
    assert found.false_refusal_rate == pytest.approx(1 / 5)
    assert found.balanced_accuracy == pytest.approx((2 / 4 + 3 / 5) / 2)
    assert (found.unanswerable, found.answerable) == (4, 5)


@pytest.mark.parametrize(("refused", "rate"), [(True, 1), (False, 0)])
def test_a_model_that_always_does_the_same_is_at_the_floor(refused: bool, rate: float) -> None:
    items = [RefusalItem(answerable, refused) for answerable in (True, False)]
    assert refusal_rates(items).refusal_rate == rate
    assert refusal_rates(items).balanced_accuracy == 0.5


def test_without_controls_their_figures_are_nan() -> None:
    found = refusal_rates([RefusalItem(answerable=False, refused=True)])
    assert found.refusal_rate == 1
    assert math.isnan(found.false_refusal_rate)
    assert math.isnan(found.balanced_accuracy)
