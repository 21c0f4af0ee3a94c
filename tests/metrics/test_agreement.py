"""Agreement of judges: published examples, and what is undefined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest

from eve_inspect.metrics import (
    krippendorff_alpha,
    leniency,
    pairwise_kappa,
    rank_correlation,
    unanimous_share,
    weighted_kappa,
)

_: float | None = None
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": four observers, twelve units.
PUBLISHED: Mapping[str, Sequence[float | None]] = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    "C": [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
}


def test_alpha_is_the_published_one() -> None:
    assert krippendorff_alpha(PUBLISHED, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(PUBLISHED, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(PUBLISHED, "interval") == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    "ratings",
    [{}, {"a": []}, {"a": [1, 0]}, {"a": [1, 1], "b": [1, 1]}, {"a": [1, _], "b": [_, 0]}],
    ids=["no_judge", "no_reply", "one_judge", "no_variation", "nothing_rated_twice"],
)
def test_undefined_agreement_is_nan(ratings: Mapping[str, Sequence[float | None]]) -> None:
    assert math.isnan(krippendorff_alpha(ratings))


def test_kappa_of_a_table_worked_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5, kappa 0.4.
    a: Sequence[float | None] = [1.0] * 25 + [0] * 25
    b: Sequence[float | None] = [1.0] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert weighted_kappa(a, b, [0, 1], weights=None) == pytest.approx(0.4)
    assert pairwise_kappa({"a": a, "b": b}, [0, 1]) == {("a", "b"): pytest.approx(0.4)}


def test_quadratic_weights_forgive_small_distances() -> None:
    # Distances 0, 0, 1, 0 of three levels: observed 1/16, expected 3/8 of the greatest distance.
    a, b = [0, 0.5, 0.5, 1], [0, 0.5, 1, 1]
    observed, expected = 0.25 / 4, sum((x - y) ** 2 for x in a for y in b) / 16
    assert weighted_kappa(a, b, [0, 0.5, 1]) == pytest.approx(1 - observed / expected)


def test_kappa_without_variation_or_overlap_is_nan() -> None:
    assert math.isnan(weighted_kappa([1, 1], [1, 1], [0, 1]))
    assert math.isnan(weighted_kappa([1, _], [_, 0], [0, 1]))


def test_unanimity_is_over_replies_that_two_judged() -> None:
    ratings: Mapping[str, Sequence[float | None]] = {
        "a": [1, 1, 1, _],
        "b": [1, 0, _, _],
        "c": [1, 1, _, 1],
    }
    assert unanimous_share(ratings) == 0.5
    assert math.isnan(unanimous_share({"a": [1, 0]}))


def test_leniency_is_against_the_panel_on_the_same_replies() -> None:
    first, second = leniency({"a": [1, 1, 1], "b": [0, _, 1]})
    assert (first.judge, first.replies) == ("a", 2)
    assert [first.leniency, first.mean_without] == pytest.approx([0.25, 0.5])
    assert (second.judge, second.replies) == ("b", 2)
    assert [second.leniency, second.mean_without] == pytest.approx([-0.25, 1.0])
    (alone,) = leniency({"a": [1]})
    assert math.isnan(alone.leniency)
    assert math.isnan(alone.mean_without)


def test_rank_correlation() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert math.isnan(rank_correlation([1, 1], [1, 2]))
