"""Demonstrations: solved examples as chat turns before the question."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from eve_inspect._errors import EveInspectError
from eve_inspect.solvers._instruct import close

FewshotSampler = Literal["first", "random"]
"""``first`` takes the first of the pool, ``random`` draws anew for each question."""


class Demonstration(NamedTuple):
    """One solved example."""

    question: str
    user: str
    assistant: str


def question_key(text: str, metadata: Mapping[str, Any] | None) -> str:
    """Return what makes two samples the same question.

    Options in another order, or another answer to check, do not make it a different one: showing
    the solution of either would give the sample away.

    Args:
        text: The sample's input.
        metadata: The sample's metadata; its ``question`` is used when there is one.
    """
    question = str((metadata or {}).get("question", text))
    folded = unicodedata.normalize("NFKD", question).casefold()
    # Spaces, dashes, quotes, accents and what cannot be seen make no other question either.
    return "".join(filter(str.isalnum, folded)) or question


class Demonstrations:
    """The pool that demonstrations are drawn from, one for each different question.

    Args:
        samples: Samples of the pool, in order.
        reply: Writes the right reply to a sample, in the form that the instructions ask for.
        closing: What each question ends with.
    """

    def __init__(
        self, samples: Iterable[Sample], reply: Callable[[Sample], str], closing: str = ""
    ) -> None:
        pool: dict[str, Demonstration] = {}
        for sample in samples:
            key = question_key(str(sample.input), sample.metadata)
            if key not in pool:
                user = close(str(sample.input), closing)
                pool[key] = Demonstration(key, user, reply(sample))
        self._pool = pool

    def check(self, samples: Iterable[Sample], n: int) -> None:
        """Make sure that every sample can be given n demonstrations.

        Raises:
            EveInspectError: The pool is too small.
        """
        keys = {question_key(str(sample.input), sample.metadata) for sample in samples}
        available = len(self._pool) - (1 if keys & self._pool.keys() else 0)
        if n > available:
            raise EveInspectError(
                f"fewshot={n!r} needs {n} demonstrations, but the pool has only {available} "
                f"different questions beside the one asked: take fewshot<={available}, or a "
                "larger pool with -T fewshot_dataset=<file>."
            )

    def draw(self, key: str, n: int, sampler: FewshotSampler, seed: int) -> list[Demonstration]:
        """Return n demonstrations for the sample with that question key.

        ``random`` draws anew for each question, from the seed and the question alone, so that the
        draw is the same in any order, process and epoch.
        """
        eligible = [shown for question, shown in self._pool.items() if question != key]
        if sampler == "first":
            return eligible[:n]
        return random.Random(f"{seed}:{key}").sample(eligible, n)


@solver
def fewshot(
    demonstrations: Demonstrations,
    n: int,
    sampler: FewshotSampler = "first",
    seed: int = 0,
    contents: str = "",  # noqa: ARG001 - Inspect records it, and tells runs apart by it
) -> Solver:
    """Show n solved examples as chat turns before the question.

    Args:
        demonstrations: The pool; never is a sample's own question drawn from it.
        n: How many; 0 shows none.
        sampler: ``first`` takes the first of the pool, ``random`` draws for each question.
        seed: The seed of ``random``.
        contents: Fingerprint of the pool, for the log: runs with other demonstrations are others.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        turns: list[ChatMessage] = []
        key = question_key(state.input_text, state.metadata)
        for shown in demonstrations.draw(key, n, sampler, seed):
            turns.append(ChatMessageUser(content=shown.user))
            turns.append(ChatMessageAssistant(content=shown.assistant))
        state.messages[-1:-1] = turns
        return state

    return solve
