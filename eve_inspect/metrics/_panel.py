"""From the verdicts of a panel on one answer to the panel's values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_TOLERANCE = 1e-9


class PanelValues(NamedTuple):
    """What a panel says of one answer, each 0..1.

    Attributes:
        average: Mean of the verdicts there are; NaN without a quorum.
        voting: 1 if half + 1 of the configured judges vote for the answer, else 0; NaN without a
            quorum.
        agreement: 1 if all verdicts there are, two or more, are equal, else 0; NaN with fewer, or
            without a quorum.
        low: The average over the configured panel if each missing verdict had been 0.
        high: The same if each had been 1.
        quorum: Whether there are enough verdicts.
    """

    average: float
    voting: float
    agreement: float
    low: float
    high: float
    quorum: bool


def default_quorum(panel: int) -> int:
    """Return the verdicts that a panel's values need: a majority of its judges."""
    return panel // 2 + 1


def panel_values(
    verdicts: Sequence[float | None], *, pass_at: float, quorum: int | None = None
) -> PanelValues:
    """Return the values of a panel for one answer.

    A missing verdict votes for neither side, and a tie is 0: an answer passes only by half + 1 of
    the judges that were configured.

    Args:
        verdicts: One for each configured judge, 0..1 on its own scale; None for a missing one.
        pass_at: The verdict from which on a judge votes for the answer.
        quorum: Verdicts that are needed; None for a majority of the panel.

    Raises:
        ValueError: A panel without judges.
    """
    size = len(verdicts)
    if not size:
        raise ValueError("a panel needs a judge")
    given = [verdict for verdict in verdicts if verdict is not None]
    total = math.fsum(given)
    missing = size - len(given)
    low, high = total / size, (total + missing) / size
    enough = len(given) >= (default_quorum(size) if quorum is None else quorum)
    if not enough or not given:
        return PanelValues(math.nan, math.nan, math.nan, low, high, quorum=False)
    votes = sum(verdict >= pass_at - _TOLERANCE for verdict in given)
    equal = max(given) - min(given) <= _TOLERANCE
    return PanelValues(
        average=total / len(given),
        voting=float(votes >= size // 2 + 1),
        agreement=float(equal) if len(given) > 1 else math.nan,
        low=low,
        high=high,
        quorum=True,
    )
