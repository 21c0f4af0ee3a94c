"""The score of two compared answers: a column for each judge, and all that led to it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.scorer import Score

from eve_inspect.answers import Correctness, Reading
from eve_inspect.metrics import (
    PREFERENCE,
    Combined,
    Order,
    Outcome,
    combine,
    defined_mean,
    outcome_of,
)
from eve_inspect.scorers._asking import Verdict
from eve_inspect.scorers._comparing import Comparing, Match, Orders, Said, preferred
from eve_inspect.scorers._judges import Judge, relation

_ONCE = 0.5
"""Share of the orders in which an answer was right that was right in one of two."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two answers with what the judges made of them.

    Attributes:
        rules: How they were compared.
        match: The question and the answers.
        question_id: Of the question, which all its epochs share.
        model: The model's name.
        baseline: The baseline's name.
        reading: The model's answer as it was read.
        baseline_reading: The baseline's.
        answered_by: The models that answered, which need not be what they are called here.
        judges: The panel.
        said: What the judges said; empty when none was asked.
    """

    rules: Comparing
    match: Match
    question_id: str
    model: str
    baseline: str
    reading: Reading[str]
    baseline_reading: Reading[str]
    answered_by: tuple[str, str]
    judges: Sequence[Judge]
    said: Orders

    @property
    def failed(self) -> str:
        """Whose answer is missing because the machinery failed, as a sentence; empty for none."""
        sides = ((self.model, self.reading), (self.baseline, self.baseline_reading))
        names = [name for name, reading in sides if reading.status == "error"]
        return f"no answer of {' and of '.join(names)} was recorded: the call failed" * bool(names)

    def decided(self, judge: Judge) -> Combined:
        """Return a judge's decision over its orders; an answer that is not there loses."""
        if self.failed:
            return Combined(None, None)
        if not self.said:
            return Combined(_without_call(self.match), None)
        found = combine(
            {order: outcome_of(order, preferred(one.verdict)) for order, one in self._of(judge)}
        )
        # Two answers that are both right in one order and both wrong in the other tie twice.
        changed = any(share == _ONCE for share in (self._correct(judge) or {}).values())
        return found._replace(inconsistent=True) if changed else found

    def record(self, judge: Judge) -> dict[str, Any]:
        """Return what a judge decided and how, JSON-able."""
        decided = self.decided(judge)
        return {
            "model": judge.model,
            "identity": judge.identity,
            "relation": {
                "model": relation(judge.model, self.answered_by[0]),
                "baseline": relation(judge.model, self.answered_by[1]),
            },
            "outcome": decided.outcome,
            "inconsistent": decided.inconsistent,
            "correct": self._correct(judge),
            "orders": {
                order: {**one.to_metadata(), "preferred": preferred(one.verdict)}
                for order, one in self._of(judge)
            },
        }

    def _of(self, judge: Judge) -> list[tuple[Order, Verdict[Said]]]:
        """Return a judge's verdicts, the model's answer first if it ever was."""
        found = sorted(self.said.items())
        return [(order, said[judge.name]) for order, said in found if judge.name in said]

    def _correct(self, judge: Judge) -> dict[str, float | None] | None:
        """Return in which share of the orders each answer was right, None in the other mode."""
        if self.rules.mode != "correctness":
            return None
        said = [(order, one.verdict) for order, one in self._of(judge)]
        known = [(order, one) for order, one in said if isinstance(one, Correctness)]
        if not said or len(known) < len(said):
            return {"model": None, "baseline": None}
        model = [one.first if order == "AB" else one.second for order, one in known]
        baseline = [one.second if order == "AB" else one.first for order, one in known]
        return {"model": sum(model) / len(known), "baseline": sum(baseline) / len(known)}


def comparison_score(compared: Compared) -> Score:
    """Return the score: 1 where the model wins, 0.5 for a tie, 0 where the baseline wins.

    Args:
        compared: The answers and the verdicts.

    Returns:
        A score with NaN in the place of a missing verdict; with NaN everywhere, and the reason in
        its metadata, when all are missing.
    """
    metadata = _metadata(compared)
    outcomes = {name: record["outcome"] for name, record in metadata["judges"].items()}
    columns = {
        f"preference_{name}": math.nan if one is None else PREFERENCE[one]
        for name, one in outcomes.items()
    }
    columns["preference_avg"] = defined_mean(columns.values())
    if math.isnan(columns["preference_avg"]):
        metadata["unscored_reason"] = compared.failed or "no judge gave a verdict"
    return Score(
        value=dict(columns),
        answer=compared.match.answer,
        explanation=_explanation(compared, metadata),
        metadata=metadata,
    )


def _without_call(match: Match) -> Outcome:
    if bool(match.answer) == bool(match.baseline):
        return "tie"
    return "win" if match.answer else "loss"


def _metadata(compared: Compared) -> dict[str, Any]:
    rules, match = compared.rules, compared.match
    return {
        "status": compared.reading.status,
        "readable": compared.reading.answer is not None,
        "method": compared.reading.method,
        "flags": list(compared.reading.flags),
        "gold": match.reference,
        "mode": rules.mode,
        "order": rules.order,
        "seed": rules.seed,
        "rubric": rules.rubric.info,
        "judge_sees_context": rules.sees_context,
        "model": compared.model,
        "baseline": compared.baseline,
        "question_id": compared.question_id,
        "question": match.question,
        "answer_text": match.answer,
        "baseline_answer": match.baseline,
        "baseline_status": compared.baseline_reading.status,
        "characters": len(match.answer),
        "baseline_characters": len(match.baseline),
        "judged": bool(compared.said),
        "panel": [judge.name for judge in compared.judges],
        "judges": {judge.name: compared.record(judge) for judge in compared.judges},
    }


def _explanation(compared: Compared, metadata: Mapping[str, Any]) -> str:
    """Return what a reader of the log sees: both answers, and each judge's reasons."""
    reason = metadata.get("unscored_reason")
    lines = [f"Not scored: {reason}."] if reason else []
    if not compared.said and not reason:
        lines.append("Decided without a call: an answer that is not there loses, two are a tie.")
    winners = {"win": compared.model, "loss": compared.baseline, "tie": "tie", None: "no verdict"}
    for name, record in metadata["judges"].items():
        changed = " (it changed with the order)" if record["inconsistent"] else ""
        lines.append(f"**{name}**: {winners[record['outcome']]}{changed}")
        for order, one in record["orders"].items():
            first = compared.model if order == "AB" else compared.baseline
            said = " ".join(one["rationale"].split()) or "no reason"
            lines.append(f"- {first} first: {one['preferred'] or one['status']} - {said}")
    lines += [f"**Answer of {compared.baseline}**:", compared.match.baseline or "(empty)"]
    return "\n\n".join(lines)
