"""How often a model declines where it should, and where it should not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class RefusalItem(NamedTuple):
    """What became of one item.

    Attributes:
        answerable: Whether the context holds the answer.
        refused: Whether the model declined; None for neither, as with an empty reply.
        hedged: Whether it declined and then answered all the same.
    """

    answerable: bool
    refused: bool | None
    hedged: bool = False


class RefusalRates(NamedTuple):
    """Shares of items, 0..1; NaN where there are none of the kind.

    Attributes:
        refusal_rate: Declined, of the unanswerable.
        lenient_refusal_rate: Declined or hedged, of the unanswerable.
        false_refusal_rate: Declined, of the answerable.
        balanced_accuracy: Mean of the declined share of the unanswerable and the answered share of
            the answerable; an empty reply is wrong on either side.
        unanswerable: Number of items.
        answerable: Number of items.
    """

    refusal_rate: float
    lenient_refusal_rate: float
    false_refusal_rate: float
    balanced_accuracy: float
    unanswerable: int
    answerable: int


def refusal_rates(items: Iterable[RefusalItem]) -> RefusalRates:
    """Return the rates of refusal on unanswerable and answerable items."""
    found = list(items)
    unanswerable = [item for item in found if not item.answerable]
    answerable = [item for item in found if item.answerable]
    right = _share([item.refused is True for item in unanswerable])
    return RefusalRates(
        refusal_rate=right,
        lenient_refusal_rate=_share([item.refused is True or item.hedged for item in unanswerable]),
        false_refusal_rate=_share([item.refused is True for item in answerable]),
        balanced_accuracy=(right + _share([item.refused is False for item in answerable])) / 2,
        unanswerable=len(unanswerable),
        answerable=len(answerable),
    )


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else math.nan
