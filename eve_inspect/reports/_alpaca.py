"""Figures of AlpacaEval's annotation files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from eve_inspect.datasets import AlpacaAnnotation
from eve_inspect.metrics import alpaca_figures, length_controlled_win_rate

if TYPE_CHECKING:
    import pandas as pd


def alpaca_table(annotations: Iterable[AlpacaAnnotation]) -> pd.DataFrame:
    """Return the figures of annotations, a row for each model, baseline and annotator.

    Args:
        annotations: In any order; those of several models, baselines and annotators are kept apart.

    Returns:
        Columns ``model``, ``baseline``, ``annotator``; the fields of
        :class:`~eve_inspect.metrics.AlpacaFigures` (rates are shares of 1); and
        ``length_controlled_win_rate``, which is ours (see
        :func:`~eve_inspect.metrics.length_controlled_win_rate`), not AlpacaEval's own fit.
    """
    import pandas as pd

    groups: defaultdict[tuple[str, str, str], list[AlpacaAnnotation]] = defaultdict(list)
    for one in annotations:
        groups[one.generator_2, one.generator_1, one.annotator].append(one)
    return pd.DataFrame(
        [
            {
                **dict(zip(("model", "baseline", "annotator"), names, strict=True)),
                **alpaca_figures(one.preference for one in group)._asdict(),
                "length_controlled_win_rate": _length_controlled(group),
            }
            for names, group in groups.items()
        ]
    )


def _length_controlled(group: list[AlpacaAnnotation]) -> float:
    preferences = [None if one.preference is None else one.preference - 1 for one in group]
    return length_controlled_win_rate(
        {"": preferences},
        [len(one.output_2) for one in group],
        [len(one.output_1) for one in group],
        [one.instruction for one in group],
    ).win_rate
