"""Generation that asks for JSON of a given shape, wherever the provider can hold a model to it."""

from __future__ import annotations

from inspect_ai.model import ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from eve_inspect._providers import turned_down


@solver
def generate_structured(name: str, schema: JSONSchema) -> Solver:
    """Generate a reply that follows a JSON schema.

    A provider that turns the schema down is asked again without it, since the instructions ask for
    the same form. When that succeeds, the schema was the cause, and from then on it is left out.
    ``metadata["response_schema"]`` of a sample that was asked without it says ``refused``.

    Args:
        name: The schema's name, for the provider.
        schema: The shape of the reply.
    """
    response_schema = ResponseSchema(name=name, json_schema=schema, strict=True)
    without_schema: set[str] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = str(state.model)
        if model not in without_schema:
            try:
                return await generate(state, tool_calls="none", response_schema=response_schema)
            except RuntimeError as error:
                if not turned_down(error):
                    raise
        state = await generate(state, tool_calls="none")
        without_schema.add(model)
        state.metadata["response_schema"] = "refused"
        return state

    return solve
