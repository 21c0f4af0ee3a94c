"""The task's instructions as the system message."""

from __future__ import annotations

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver


def close(question: str, closing: str) -> str:
    """Return a user message: a question with the closing under it."""
    return f"{question}\n\n{closing}" if closing else question


@solver
def instruct(text: str, closing: str = "") -> Solver:
    """Put the instructions first and close the question, to the letter.

    Inspect's ``system_message`` fills ``{placeholders}``; instructions that show JSON hold braces,
    so they are sent as they are.

    Args:
        text: The instructions.
        closing: What each question ends with; empty for nothing.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.user_prompt.text = close(state.user_prompt.text, closing)
        state.messages.insert(0, ChatMessageSystem(content=text))
        return state

    return solve
