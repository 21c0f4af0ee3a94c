"""Scorers: what a reply says, compared with what is right."""

from __future__ import annotations

from eve_inspect.scorers._answer_sets import AnswerSet, EpochChoice, RecordedAnswer, load_answers
from eve_inspect.scorers._baseline import Baseline
from eve_inspect.scorers._comparing import OrderChoice, PairMode
from eve_inspect.scorers._comparison import Comparison, comparison, is_comparison
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._hallucination_binary import (
    hallucination_binary,
    hallucination_binary_floors,
    hallucination_classification,
)
from eve_inspect.scorers._hallucination_spans import (
    hallucination_hard,
    hallucination_hard_floors,
    hallucination_overlap,
    hallucination_soft,
    hallucination_soft_floors,
)
from eve_inspect.scorers._judge_panel import ScaleName, judge_panel
from eve_inspect.scorers._judges import (
    RECORDED,
    ROLE,
    Judge,
    Recorded,
    SampleKey,
    identity,
)
from eve_inspect.scorers._multiple_answer import multiple_answer, multiple_answer_floors
from eve_inspect.scorers._pairs import Pair, Pairs, Unpaired, pair_answers
from eve_inspect.scorers._panel import PanelSettings, check_judges_of_command, require_judges
from eve_inspect.scorers._panel_metrics import (
    judge_usage,
    length_correlation,
    panel_agreement,
    panel_coverage,
    panel_leniency,
)
from eve_inspect.scorers._refusal_panel import (
    phrase_agreement,
    refusal_classification,
    refusal_panel,
)
from eve_inspect.scorers._single_answer import single_answer, single_answer_floors
from eve_inspect.scorers._text_overlap import text_overlap, text_overlap_corpus
from eve_inspect.scorers._win_rate import win_rate
from eve_inspect.scorers._win_rate_metrics import (
    win_rate_agreement,
    win_rate_length,
    win_rate_position,
    win_rate_uncertainty,
    win_rate_usage,
    win_rates,
)

__all__ = [
    "RECORDED",
    "ROLE",
    "AnswerSet",
    "Baseline",
    "Comparison",
    "EpochChoice",
    "Judge",
    "OrderChoice",
    "Pair",
    "PairMode",
    "Pairs",
    "PanelSettings",
    "Recorded",
    "RecordedAnswer",
    "SampleKey",
    "ScaleName",
    "Unpaired",
    "check_judges_of_command",
    "comparison",
    "coverage",
    "hallucination_binary",
    "hallucination_binary_floors",
    "hallucination_classification",
    "hallucination_hard",
    "hallucination_hard_floors",
    "hallucination_overlap",
    "hallucination_soft",
    "hallucination_soft_floors",
    "identity",
    "is_comparison",
    "judge_panel",
    "judge_usage",
    "length_correlation",
    "load_answers",
    "multiple_answer",
    "multiple_answer_floors",
    "pair_answers",
    "panel_agreement",
    "panel_coverage",
    "panel_leniency",
    "phrase_agreement",
    "refusal_classification",
    "refusal_panel",
    "require_judges",
    "single_answer",
    "single_answer_floors",
    "text_overlap",
    "text_overlap_corpus",
    "win_rate",
    "win_rate_agreement",
    "win_rate_length",
    "win_rate_position",
    "win_rate_uncertainty",
    "win_rate_usage",
    "win_rates",
]
