"""A recorded answer in the place of a model's reply."""

from __future__ import annotations

from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def replay() -> Solver:
    """Put the recorded answer into a sample's output; no model is called.

    The sample's metadata hold it: ``answer_text``, ``answer_status``, and ``model``, the name of
    the model that gave it. With status ``error`` there is no answer, and the output stays empty.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if state.metadata["answer_status"] == "error":
            return state
        text, model = (str(state.metadata[key]) for key in ("answer_text", "model"))
        state.output = ModelOutput.from_content(model, text)
        state.messages.append(state.output.message)
        return state

    return solve
