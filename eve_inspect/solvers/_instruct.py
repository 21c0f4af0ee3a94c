"""The task's instructions as the system message."""

from __future__ import annotations

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def instruct(text: str) -> Solver:
    """Put the instructions first, to the letter.

    Inspect's ``system_message`` fills ``{placeholders}``; instructions that show JSON hold braces,
    so they are sent as they are.

    Args:
        text: The instructions.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.messages.insert(0, ChatMessageSystem(content=text))
        return state

    return solve
