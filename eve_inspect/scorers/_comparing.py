"""How two answers are compared: what judges are asked, in which orders, and what they decided."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias, get_args

import anyio
from inspect_ai.model import ResponseSchema
from inspect_ai.util import json_schema
from pydantic import BaseModel, ConfigDict

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import (
    Correctness,
    Preferred,
    read_correctness,
    read_preference,
)
from eve_inspect.metrics import Order
from eve_inspect.prompts import Rubric, resolve_rubric
from eve_inspect.scorers._asking import Panel, Request, Verdict
from eve_inspect.scorers._judges import RESERVED, Judge
from eve_inspect.scorers._panel import check_context_place, check_whole

PairMode = Literal["preference", "correctness"]
"""What a judge decides: which answer is better, or of each answer whether it is right."""

OrderChoice = Literal["both", "balanced"]
"""Each judge sees both orders, or one that a hash chooses."""

Said: TypeAlias = Preferred | Correctness
"""A verdict on two answers, by the place in which they stood."""

Orders: TypeAlias = Mapping[Order, Mapping[str, Verdict[Said]]]
"""What each judge said in each order that it was asked in."""

_FORMS: dict[PairMode, str] = {
    "preference": (
        'Reply with one JSON object and nothing else. Its first key is "rationale": a short text '
        'that says why. Its second key is "winner": "A", "B" or "tie".'
    ),
    "correctness": (
        'Reply with one JSON object and nothing else. Its first key is "rationale": a short text '
        'that says why. Its second key is "answer_a": "correct" or "incorrect". Its third key is '
        '"answer_b": "correct" or "incorrect".'
    ),
}


class _Preferred(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rationale: str
    winner: Literal["A", "B", "tie"]


class _Correctness(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rationale: str
    answer_a: Literal["correct", "incorrect"]
    answer_b: Literal["correct", "incorrect"]


_SCHEMAS: dict[PairMode, type[BaseModel]] = {
    "preference": _Preferred,
    "correctness": _Correctness,
}


@dataclass(frozen=True, slots=True)
class Match:
    """Two answers to one question.

    Attributes:
        id: Of the pair: the sample's, with the epoch.
        question: The question.
        reference: The right answer.
        context: Documents that the judges see; empty for none.
        answer: The model's.
        baseline: The baseline's.
    """

    id: str
    question: str
    reference: str
    context: str
    answer: str
    baseline: str


@dataclass(frozen=True, slots=True)
class Comparing:
    """How answers are compared.

    Attributes:
        mode: What a judge decides.
        order: In which orders a judge sees the answers.
        seed: Of the order that a hash chooses, and of resampling.
        rubric: What the judges are told.
        sees_context: Whether they see the documents too.
        schema: The form of a reply.
    """

    mode: PairMode
    order: OrderChoice
    seed: int
    rubric: Rubric
    sees_context: bool
    schema: ResponseSchema

    def orders_of(self, pair: str, judge: str) -> list[Order]:
        """Return the orders in which a judge sees a pair.

        A single order depends on seed, pair and judge alone, so that it is the same in any
        process, whatever runs first.
        """
        if self.order == "both":
            return ["AB", "BA"]
        text = json.dumps([self.seed, pair, judge])
        return ["BA" if hashlib.sha256(text.encode()).digest()[0] % 2 else "AB"]

    def request(self, match: Match, order: Order) -> Request[Said]:
        """Return what judges are asked in an order."""
        shown = (match.answer, match.baseline) if order == "AB" else (match.baseline, match.answer)
        message = self.rubric.render(
            question=match.question,
            answers=shown,
            reference=match.reference,
            context=match.context or None,
            format_instructions=_FORMS[self.mode],
        )
        read = read_preference if self.mode == "preference" else read_correctness
        return Request(message, self.schema, partial(read, untrusted=(*shown, match.context)))

    async def ask(self, panel: Panel[Said], judges: Sequence[Judge], match: Match) -> Orders:
        """Return what every judge says, in all its orders at once."""
        said: dict[Order, Mapping[str, Verdict[Said]]] = {}

        async def one(order: Order) -> None:
            chosen = [judge for judge in judges if order in self.orders_of(match.id, judge.name)]
            if chosen:
                said[order] = await panel.ask(chosen, self.request(match, order))

        async with anyio.create_task_group() as group:
            for order in get_args(Order):
                group.start_soon(one, order)
        return said


def preferred(said: Said | None) -> Preferred | None:
    """Return the place that a verdict prefers: one right answer wins, else it is a tie."""
    if not isinstance(said, Correctness):
        return said
    if said.first == said.second:
        return "tie"
    return "first" if said.first else "second"


def comparing(
    mode: PairMode = "preference",
    order: OrderChoice = "both",
    seed: int = 0,
    rubric: str | None = None,
    judge_sees_context: bool = False,
) -> Comparing:
    """Check how answers are to be compared.

    Raises:
        EveInspectError: An argument that is not offered, or a rubric that does not fit them.
    """
    _check_choice("mode", mode, get_args(PairMode))
    _check_choice("order", order, get_args(OrderChoice))
    check_whole("seed", seed, 0, "a whole number from 0 on")
    if rubric is not None and not isinstance(rubric, str):
        raise EveInspectError(f"rubric={rubric!r} is not the path of a YAML file.")
    found = resolve_rubric(mode, rubric, required=("question", "answer_a", "answer_b", "reference"))
    check_context_place(rubric, found, judge_sees_context)
    schema = ResponseSchema(name="verdict", json_schema=json_schema(_SCHEMAS[mode]), strict=True)
    return Comparing(mode, order, seed, found, judge_sees_context, schema)


def renamed(judges: Sequence[Judge], names: Sequence[str] | None) -> list[Judge]:
    """Return the judges under other names.

    Raises:
        EveInspectError: Not as many names as judges.
    """
    if names is None:
        return list(judges)
    names = [names] if isinstance(names, str) else names  # as a command line gives a lone one
    if len(names) != len(judges):
        raise EveInspectError(
            f"judge_names={list(names)!r} has to hold one name for each of the {len(judges)} "
            "judges."
        )
    return [replace(judge, name=name) for judge, name in zip(judges, names, strict=True)]


def check_names(names: object) -> None:
    """Make sure that judges can be called so.

    Raises:
        EveInspectError: Names that are not text, two alike, or one that means something else.
    """
    if names is None:
        return
    known = list(names) if isinstance(names, Sequence) and not isinstance(names, str) else [names]
    texts = [name for name in known if isinstance(name, str) and name.strip()]
    if len(texts) < len(known) or len(set(texts)) < len(texts) or RESERVED & set(texts):
        raise EveInspectError(
            f"judge_names={names!r} has to be a list of names, no two alike and none of them "
            f"{', '.join(sorted(RESERVED))}, which name figures."
        )


def check_delay(delay: object) -> None:
    """Make sure that a delay is a number of seconds.

    Raises:
        EveInspectError: It is not.
    """
    number = isinstance(delay, int | float) and not isinstance(delay, bool)
    if not number or not 0 <= float(str(delay)) < math.inf:
        raise EveInspectError(f"judge_delay={delay!r} is not a number of seconds from 0 on.")


def _check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise EveInspectError(
            f"{name}={value!r} is not offered: use {' or '.join(map(repr, allowed))}."
        )
