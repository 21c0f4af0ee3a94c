"""Scores and floors of multiple-choice answers, over sets of option labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, Protocol

from eve_inspect.metrics._numbers import mean, ratio

_EXHAUSTIVE_LABELS = 7
"""Up to so many gold labels every constant answer is tried (2 to the 7 sets)."""


def exact_match(predicted: AbstractSet[str] | None, gold: AbstractSet[str]) -> float:
    """Return 1 when the predicted labels are the gold labels, else 0.

    Args:
        predicted: Labels that were chosen, labels that were not offered included; the empty set is
            a deliberate "none of these"; None is an unreadable reply, which never matches.
        gold: Right labels.
    """
    return float(predicted is not None and set(predicted) == set(gold))


def iou(predicted: AbstractSet[str] | None, gold: AbstractSet[str]) -> float:
    """Return the intersection over union of two label sets, 0..1; two empty sets agree (1).

    Args:
        predicted: Labels that were chosen. A label that was not offered stays in the union and so
            costs as much as a wrong one. None is an unreadable reply and scores 0, also against
            an empty gold set.
        gold: Right labels.
    """
    if predicted is None:
        return 0.0
    union = len(predicted | gold)
    return len(predicted & gold) / union if union else 1.0


class ChoiceItem(NamedTuple):
    """What the floors need to know of one multiple-choice item.

    Attributes:
        gold: Right labels, all of them offered.
        options: Number of options offered.
    """

    gold: AbstractSet[str]
    options: int


@dataclass(frozen=True, slots=True)
class SingleChoiceFloors:
    """Accuracy on single-answer items that takes no knowledge.

    Attributes:
        best_constant: Accuracy of always giving the most frequent gold label.
        constant_answer: That label (the first in the alphabet when several tie); empty when there
            are no items.
        random_guess: Expected accuracy of an option drawn uniformly: the mean of 1 / options.
    """

    best_constant: float
    constant_answer: str
    random_guess: float


@dataclass(frozen=True, slots=True)
class ChoiceFloors:
    """One measure on several-answer items that takes no knowledge.

    Attributes:
        best_constant: Best mean score of one label set given to every item.
        constant_answer: That set, sorted (the smallest, then the first in the alphabet when
            several tie).
        random_guess: Expected score of a non-empty subset of the item's options drawn uniformly.
        all_options: Score of ticking every option of each item.
    """

    best_constant: float
    constant_answer: tuple[str, ...]
    random_guess: float
    all_options: float


@dataclass(frozen=True, slots=True)
class MultipleChoiceFloors:
    """Floors of both measures on several-answer items.

    Attributes:
        exact_match: Floors of the exact match.
        iou: Floors of the intersection over union.
    """

    exact_match: ChoiceFloors
    iou: ChoiceFloors


def single_choice_floors(items: Iterable[ChoiceItem]) -> SingleChoiceFloors:
    """Return what constant and random answers reach on single-answer items.

    Args:
        items: Items with one gold label each.

    Returns:
        Shares of 1; NaN when there are no items.

    Raises:
        ValueError: An item has not exactly one gold label, or no options.
    """
    checked = [_checked(item) for item in items]
    for item in checked:
        if len(item.gold) != 1:
            raise ValueError(f"gold={sorted(item.gold)!r}: a single-answer item has one label")
    counts = Counter(label for item in checked for label in item.gold)
    answer = min(counts, key=lambda label: (-counts[label], label), default="")
    return SingleChoiceFloors(
        best_constant=ratio(counts[answer], len(checked)),
        constant_answer=answer,
        random_guess=mean(1 / item.options for item in checked),
    )


def multiple_choice_floors(items: Iterable[ChoiceItem]) -> MultipleChoiceFloors:
    """Return what constant, random and all-ticked answers reach on several-answer items.

    The best constant is exact for up to seven distinct gold labels, where every set of them is
    tried (a label that is never right cannot help). Beyond, the candidates are the gold sets that
    occur and the single labels, so the IoU's best constant may be slightly better than stated.

    Args:
        items: Items with any number of gold labels.

    Returns:
        Shares of 1; NaN when there are no items.

    Raises:
        ValueError: An item has more gold labels than options, or no options.
    """
    checked = [_checked(item) for item in items]
    return MultipleChoiceFloors(
        exact_match=_floors(checked, _mask_exact, _random_exact),
        iou=_floors(checked, _mask_iou, _random_iou),
    )


class _MaskScore(Protocol):
    def __call__(self, predicted: int, gold: int) -> float: ...


class _Expectation(Protocol):
    def __call__(self, right: int, options: int) -> float: ...


def _checked(item: ChoiceItem) -> ChoiceItem:
    if item.options < 1 or len(item.gold) > item.options:
        raise ValueError(
            f"gold={sorted(item.gold)!r} with options={item.options!r}: "
            "an item offers at least one option, and every gold label is one of them"
        )
    return item


def _floors(items: list[ChoiceItem], score: _MaskScore, expectation: _Expectation) -> ChoiceFloors:
    # Both the expectation and "all options" depend on the two sizes only: the items of a real set
    # fall into a dozen pairs.
    sizes = Counter((len(item.gold), item.options) for item in items)
    answer, best = _best_constant([item.gold for item in items], score)
    return ChoiceFloors(
        best_constant=best,
        constant_answer=answer,
        random_guess=_weighted_mean({size: expectation(*size) for size in sizes}, sizes),
        all_options=_weighted_mean(
            {(g, n): score(predicted=_full(n), gold=_full(g)) for g, n in sizes}, sizes
        ),
    )


def _weighted_mean(
    values: dict[tuple[int, int], float], weights: Counter[tuple[int, int]]
) -> float:
    return ratio(math.fsum(values[key] * n for key, n in weights.items()), weights.total())


def _best_constant(
    golds: list[AbstractSet[str]], score: _MaskScore
) -> tuple[tuple[str, ...], float]:
    """Return the constant label set with the best mean score, and that mean."""
    if not golds:
        return (), math.nan
    labels = sorted(set().union(*golds))
    bit = {label: 1 << place for place, label in enumerate(labels)}
    masks = Counter(sum(bit[label] for label in gold) for gold in golds)

    def members(mask: int) -> tuple[str, ...]:
        return tuple(label for label in labels if mask & bit[label])

    def merit(mask: int) -> tuple[float, int, tuple[str, ...]]:
        total = math.fsum(score(predicted=mask, gold=gold) * n for gold, n in masks.items())
        return -total, mask.bit_count(), members(mask)

    exhaustive = len(labels) <= _EXHAUSTIVE_LABELS
    candidates = range(1, 1 << len(labels)) if exhaustive else bit.values()
    total, _, answer = min(merit(mask) for mask in {*candidates, *masks})
    return answer, -total / len(golds)


def _full(size: int) -> int:
    """Return the mask of ``size`` labels, which is also the number of their non-empty subsets."""
    return (1 << size) - 1


def _mask_exact(predicted: int, gold: int) -> float:
    return float(predicted == gold)


def _mask_iou(predicted: int, gold: int) -> float:
    union = (predicted | gold).bit_count()
    return (predicted & gold).bit_count() / union if union else 1.0


def _random_exact(right: int, options: int) -> float:
    """Return the chance that a uniform non-empty subset of the options is the gold set."""
    return 1 / _full(options) if right else 0.0


def _random_iou(right: int, options: int) -> float:
    """Return the expected IoU of a uniform non-empty subset of the options with the gold set.

    A subset with i right and j wrong labels has IoU i / (right + j); there are
    C(right, i) · C(options - right, j) of them, among 2^options - 1 non-empty subsets. The
    empty subset would add nothing to the sum, as would every subset without a right label.
    """
    wrong = options - right
    total = math.fsum(
        math.comb(right, i) * math.comb(wrong, j) * i / (right + j)
        for i, j in product(range(1, right + 1), range(wrong + 1))
    )
    return total / _full(options)
