"""Numbers from readings: scores, floors and intervals.

Pure functions without Inspect: the scorers wrap them. Shares are of 1, never percent, and a figure
whose denominator is empty is NaN.
"""

from __future__ import annotations

from eve_inspect.metrics._agreement import (
    Leniency,
    Ratings,
    krippendorff_alpha,
    leniency,
    pairwise_kappa,
    rank_correlation,
    unanimous_share,
    weighted_kappa,
)
from eve_inspect.metrics._choices import (
    ChoiceFloors,
    ChoiceItem,
    MultipleChoiceFloors,
    SingleChoiceFloors,
    exact_match,
    iou,
    multiple_choice_floors,
    single_choice_floors,
)
from eve_inspect.metrics._classification import (
    BinaryFloors,
    BinaryPair,
    BinaryScores,
    UndefinedReason,
    binary_floors,
    binary_scores,
)
from eve_inspect.metrics._correlation import CorrelationCase, RankCorrelation, spearman
from eve_inspect.metrics._intervals import Interval, wilson_interval
from eve_inspect.metrics._panel import PanelValues, default_quorum, panel_values
from eve_inspect.metrics._refusal import RefusalItem, RefusalRates, refusal_rates
from eve_inspect.metrics._span_scores import (
    CharacterOverlap,
    MarkingFloors,
    SoftFloors,
    SoftScores,
    hard_floors,
    mean_floors,
    overlap,
    pool,
    soft_floors,
    soft_scores,
)
from eve_inspect.metrics._spans import (
    ClippedSoftSpans,
    ClippedSpans,
    SoftSpan,
    Span,
    character_probabilities,
    clip_soft_spans,
    clip_spans,
    harden,
    merge_spans,
)
from eve_inspect.metrics._text import (
    BleuCounts,
    LightMeasure,
    LightMetric,
    best_value,
    corpus_bleu,
    greedy_match_f1,
)

__all__ = [
    "BinaryFloors",
    "BinaryPair",
    "BinaryScores",
    "BleuCounts",
    "CharacterOverlap",
    "ChoiceFloors",
    "ChoiceItem",
    "ClippedSoftSpans",
    "ClippedSpans",
    "CorrelationCase",
    "Interval",
    "Leniency",
    "LightMeasure",
    "LightMetric",
    "MarkingFloors",
    "MultipleChoiceFloors",
    "PanelValues",
    "RankCorrelation",
    "Ratings",
    "RefusalItem",
    "RefusalRates",
    "SingleChoiceFloors",
    "SoftFloors",
    "SoftScores",
    "SoftSpan",
    "Span",
    "UndefinedReason",
    "best_value",
    "binary_floors",
    "binary_scores",
    "character_probabilities",
    "clip_soft_spans",
    "clip_spans",
    "corpus_bleu",
    "default_quorum",
    "exact_match",
    "greedy_match_f1",
    "hard_floors",
    "harden",
    "iou",
    "krippendorff_alpha",
    "leniency",
    "mean_floors",
    "merge_spans",
    "multiple_choice_floors",
    "overlap",
    "pairwise_kappa",
    "panel_values",
    "pool",
    "rank_correlation",
    "refusal_rates",
    "single_choice_floors",
    "soft_floors",
    "soft_scores",
    "spearman",
    "unanimous_share",
    "weighted_kappa",
    "wilson_interval",
]
