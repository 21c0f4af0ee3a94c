"""Overlap of a text with reference texts: words, characters and token vectors in common.

All figures are 0..1. Where a reference defines none (ROUGE-2 with a single word) it is NaN.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.tokenizers import Tokenizer
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    Vectors: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

LightMetric = Literal["bleu", "rouge1", "rouge2", "rougeL", "chrf"]
"""Figures that need no language model."""


class BleuCounts(NamedTuple):
    """What BLEU counts in one text; the sums over many give the BLEU of all.

    Attributes:
        matched: Word sequences that are in a reference too, of lengths 1 to 4.
        total: All word sequences of these lengths.
        candidate: Length of the text, in words and punctuation marks.
        reference: Length of the reference, of several the one closest in length.
    """

    matched: Sequence[int]
    total: Sequence[int]
    candidate: int
    reference: int


class LightOverlap(NamedTuple):
    """Figures of one text.

    Attributes:
        values: Each figure, 0..1; NaN if no reference defines it.
        bleu: What BLEU counted, against all references; None when BLEU was not asked for.
    """

    values: dict[str, float]
    bleu: BleuCounts | None


class LightMeasure:
    """Measures the overlap of texts by BLEU, ROUGE and chrF, as the usual libraries define them.

    BLEU (K. Papineni et al., "BLEU: a method for automatic evaluation of machine translation", ACL
    2002) is that of a sentence: case counts, the orders that a short text lacks are left out and
    zero counts smoothed, as sacrebleu does it. chrF (M. Popović, "chrF: character n-gram F-score
    for automatic MT evaluation", WMT 2015) takes sequences of up to 6 characters, case counts,
    recall weighs twice. ROUGE (C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries",
    2004) is the F1 of single words, of pairs, and of the longest common subsequence; text is
    lower-cased, all but a-z and 0-9 separates words, nothing is stemmed.

    Args:
        metrics: What to measure.

    Raises:
        ImportError: sacrebleu or rouge-score is not installed.
    """

    def __init__(self, metrics: Sequence[LightMetric]) -> None:
        self._metrics = tuple(metrics)
        self._bleu = _sentence_bleu() if "bleu" in metrics else None
        self._chrf = _chrf() if "chrf" in metrics else None
        self._rouge = _Rouge([m for m in metrics if m not in ("bleu", "chrf")])

    def measure(self, candidate: str, references: Sequence[str]) -> LightOverlap:
        """Return each figure of a text, of its best reference for that figure.

        Args:
            candidate: The text; without a word it gets 0.
            references: One or more, none of them blank.
        """
        each = [self._figures(candidate, reference) for reference in references]
        values: dict[str, float] = {
            name: best_value(one[name] for one in each) for name in self._metrics
        }
        if self._bleu is None:
            return LightOverlap(values, None)
        counted = self._bleu.sentence_score(candidate, list(references))
        counts = BleuCounts(counted.counts, counted.totals, counted.sys_len, counted.ref_len)
        return LightOverlap(values, counts)

    def settings(self) -> dict[str, str]:
        """Return how each figure is computed, and by which version of which library."""
        from importlib.metadata import version

        rouge = f"F1|case:lower|tok:a-z0-9|stem:no|rouge-score:{version('rouge-score')}"
        said = {name: rouge for name in self._rouge.names}
        # A signature needs the number of references, known once something was scored.
        for name, scored in (("bleu", self._bleu), ("chrf", self._chrf)):
            if scored is not None:
                scored.sentence_score("a", ["a"])
                said[name] = f"sacrebleu|{scored.get_signature()}"
        return {name: said[name] for name in self._metrics}

    def _figures(self, candidate: str, reference: str) -> dict[str, float]:
        figures = self._rouge.figures(candidate, reference)
        for name, scored in (("bleu", self._bleu), ("chrf", self._chrf)):
            if scored is not None:
                figures[name] = unit(scored.sentence_score(candidate, [reference]).score / 100)
        return figures


class _Rouge:
    """ROUGE by rouge-score; the common subsequence alone is found in another way.

    The library's table has a cell for each pair of words, which a reply that repeats itself for
    200 kB does not allow.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._scorer: RougeScorer | None = None
        self._tokenizer: Tokenizer | None = None
        if names:
            from rouge_score.rouge_scorer import RougeScorer
            from rouge_score.tokenizers import DefaultTokenizer

            self._tokenizer = DefaultTokenizer(use_stemmer=False)
            pairs = [name for name in names if name != "rougeL"]
            self._scorer = RougeScorer(pairs, tokenizer=self._tokenizer)

    def figures(self, candidate: str, reference: str) -> dict[str, float]:
        if self._scorer is None or self._tokenizer is None:
            return {}
        words = self._tokenizer.tokenize(reference)
        scored = self._scorer.score(reference, candidate)
        figures = {name: float(score.fmeasure) for name, score in scored.items()}
        if "rougeL" in self.names:
            figures["rougeL"] = subsequence_f1(self._tokenizer.tokenize(candidate), words)
        needed = {"rouge1": 1, "rouge2": 2, "rougeL": 1}
        return {
            name: figure if len(words) >= needed[name] else math.nan
            for name, figure in figures.items()
        }


def corpus_bleu(counts: Iterable[BleuCounts]) -> float:
    """Return the BLEU of all texts together, 0..1, from what was counted in each.

    It weighs texts by their length, and needs no smoothing unless some order matches nowhere. NaN
    without texts.
    """
    counted = list(counts)
    if not counted:
        return math.nan
    from sacrebleu.metrics.bleu import BLEU

    scored = BLEU.compute_bleu(
        correct=[sum(order) for order in zip(*(one.matched for one in counted), strict=True)],
        total=[sum(order) for order in zip(*(one.total for one in counted), strict=True)],
        sys_len=sum(one.candidate for one in counted),
        ref_len=sum(one.reference for one in counted),
        smooth_method="exp",
    )
    return unit(scored.score / 100)


def subsequence_f1(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """Return ROUGE-L: the F1 of the longest common subsequence of two lists of words.

    NaN for a reference without words, else 0 for a candidate without words.
    """
    if not reference:
        return math.nan
    return 2 * common_subsequence(candidate, reference) / (len(candidate) + len(reference))


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two sequences.

    Bit-parallel, a row of the table being one integer: M. Crochemore et al., "A fast and practical
    bit-vector algorithm for the longest common subsequence problem", Information Processing Letters
    80 (2001), 279-285. A zero bit marks where the length grows by one.
    """
    positions: defaultdict[str, int] = defaultdict(int)
    for index, item in enumerate(b):
        positions[item] |= 1 << index
    everything = (1 << len(b)) - 1
    row = everything
    for item in a:
        matches = row & positions.get(item, 0)
        row = ((row + matches) | (row - matches)) & everything
    return len(b) - row.bit_count()


def greedy_match_f1(
    candidate: Vectors, reference: Vectors, candidate_counts: Mask, reference_counts: Mask
) -> float:
    """Return BERTScore's F1 without weights: each token is matched to its nearest one.

    T. Zhang et al., "BERTScore: evaluating text generation with BERT", ICLR 2020: precision is the
    mean over the candidate's tokens of the greatest cosine with a token of the reference, recall
    the same the other way round. As in its authors' code, marks that the tokeniser adds (start,
    end) can be a nearest token, but are in no mean.

    Args:
        candidate: Unit vectors of the tokens, (tokens, dimensions).
        reference: Likewise, of the same dimensions.
        candidate_counts: Which of the candidate's tokens are of the text, (tokens,).
        reference_counts: Which of the reference's are.

    Returns:
        The F1, 0..1, negative ones raised to 0. NaN for a reference without tokens, else 0 for a
        candidate without tokens.
    """
    if not reference_counts.any():
        return math.nan
    if not candidate_counts.any():
        return 0.0
    cosines = candidate @ reference.T
    precision = unit(float(cosines[candidate_counts].max(axis=1).mean()))
    recall = unit(float(cosines[:, reference_counts].max(axis=0).mean()))
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def best_value(values: Iterable[float]) -> float:
    """Return the greatest of the values that are numbers; NaN if none is."""
    return max((value for value in values if not math.isnan(value)), default=math.nan)


def unit(value: float) -> float:
    """Return the nearest value in 0..1: sums of floats leave it by some 1e-16."""
    return min(1.0, max(0.0, value))


def _sentence_bleu() -> BLEU:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)


def _chrf() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()
