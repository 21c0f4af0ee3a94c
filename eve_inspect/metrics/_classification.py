"""Binary classification when some replies could not be read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from eve_inspect.metrics._numbers import ratio

UndefinedReason = Literal["no_samples", "no_positive_predictions", "no_positive_gold"]
"""Why a figure is 0/0.

``no_samples``: nothing was counted. ``no_positive_predictions``: no reply said positive.
``no_positive_gold``: no sample is positive (for F1: and no reply said so).
"""


class BinaryPair(NamedTuple):
    """One sample's truth and reading; True is the positive class.

    Attributes:
        gold: The truth.
        predicted: What was read; None when the reply was unreadable.
    """

    gold: bool
    predicted: bool | None

    @classmethod
    def from_words(cls, gold: str, predicted: str) -> BinaryPair:
        """Return the pair of ``yes`` or ``no`` each; any other prediction was not read."""
        return cls(gold == "yes", {"yes": True, "no": False}.get(predicted))


@dataclass(frozen=True, slots=True)
class BinaryScores:
    """Counts of a set of samples and the figures that follow from them.

    Figures are of the whole set, never means over samples or batches, and shares of 1. An unread
    reply is wrong in the accuracy and a miss of its own gold class: on a positive sample it lowers
    recall, on a negative one it is neither a true negative nor a false alarm. 0/0 is NaN;
    ``undefined`` says why.

    Attributes:
        tp: Positive samples read as positive.
        fp: Negative samples read as positive.
        tn: Negative samples read as negative.
        fn: Positive samples read as negative (unread ones are counted apart).
        unread_positive: Positive samples whose reply was unreadable.
        unread_negative: Negative samples whose reply was unreadable.
    """

    tp: int
    fp: int
    tn: int
    fn: int
    unread_positive: int
    unread_negative: int

    @property
    def total(self) -> int:
        """Number of samples."""
        return self.gold_positive + self.fp + self.tn + self.unread_negative

    @property
    def gold_positive(self) -> int:
        """Number of samples whose gold is positive, unread ones included."""
        return self.tp + self.fn + self.unread_positive

    @property
    def unread(self) -> int:
        """Number of unreadable replies."""
        return self.unread_positive + self.unread_negative

    @property
    def accuracy(self) -> float:
        """Share of all samples that were read and are right."""
        return ratio(self.tp + self.tn, self.total)

    @property
    def precision(self) -> float:
        """Share of the samples read as positive that are positive."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of the positive samples, unread ones included, that were read as positive."""
        return ratio(self.tp, self.gold_positive)

    @property
    def f1(self) -> float:
        """Twice the true positives over the predicted plus the gold positives (Dice)."""
        return ratio(2 * self.tp, self.tp + self.fp + self.gold_positive)

    @property
    def coverage(self) -> float:
        """Share of the samples whose reply could be read."""
        return ratio(self.total - self.unread, self.total)

    @property
    def undefined(self) -> Mapping[str, UndefinedReason]:
        """The figures that are NaN, by name, each with its reason."""
        if not self.total:
            names = ("accuracy", "precision", "recall", "f1", "coverage")
            return dict.fromkeys(names, "no_samples")
        reasons: dict[str, UndefinedReason] = {}
        if not self.tp + self.fp:
            reasons["precision"] = "no_positive_predictions"
        if not self.gold_positive:
            reasons["recall"] = "no_positive_gold"
        if not self.tp + self.fp + self.gold_positive:
            reasons["f1"] = "no_positive_gold"
        return reasons


def binary_scores(pairs: Iterable[BinaryPair | tuple[bool, bool | None]]) -> BinaryScores:
    """Count pairs of truth and reading.

    Args:
        pairs: One (gold, predicted) for each sample; ``predicted`` is None when the reply was
            unreadable.

    Returns:
        The counts, with accuracy, precision, recall, F1 and coverage as properties.
    """
    counts = Counter(BinaryPair(*pair) for pair in pairs)
    return BinaryScores(
        tp=counts[BinaryPair(True, True)],
        fp=counts[BinaryPair(False, True)],
        tn=counts[BinaryPair(False, False)],
        fn=counts[BinaryPair(True, False)],
        unread_positive=counts[BinaryPair(True, None)],
        unread_negative=counts[BinaryPair(False, None)],
    )


@dataclass(frozen=True, slots=True)
class BinaryFloors:
    """What answers without knowledge reach, with p the share of positive samples.

    Attributes:
        always_yes_accuracy: Accuracy of always answering positive: p.
        best_constant_accuracy: Accuracy of the better constant answer: max(p, 1 - p).
        always_yes_f1: F1 of always answering positive: precision is p and recall 1, so
            2p / (1 + p). Always answering negative has no true positive, so this is also the best
            constant F1.
        random_accuracy: Expected accuracy of a fair coin: 0.5.
        random_f1: F1 of a fair coin from its *expected counts* (tp = p/2, fp = (1 - p)/2,
            fn = p/2, as shares): p / (p + 0.5). The expected F1 itself differs from it by terms
            of the order of 1 / samples.
    """

    always_yes_accuracy: float
    best_constant_accuracy: float
    always_yes_f1: float
    random_accuracy: float
    random_f1: float


def binary_floors(positive: int, total: int) -> BinaryFloors:
    """Return the floors of a binary classification.

    Args:
        positive: Samples whose gold is positive.
        total: All samples.

    Returns:
        Shares of 1; all NaN when there are no samples.

    Raises:
        ValueError: ``positive`` is not in 0..total.
    """
    if not 0 <= positive <= total:
        raise ValueError(f"positive={positive!r} of total={total!r}: give 0 <= positive <= total")
    p = ratio(positive, total)
    return BinaryFloors(
        always_yes_accuracy=p,
        best_constant_accuracy=max(p, 1 - p),
        always_yes_f1=2 * p / (1 + p),
        random_accuracy=0.5 if total else math.nan,
        random_f1=p / (p + 0.5),
    )
