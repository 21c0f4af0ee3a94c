"""Questions beside a context that may not hold the answer."""

from __future__ import annotations

from eve_inspect.datasets._benchmark import Benchmark, Item, Rules
from eve_inspect.datasets._documents import read_document, with_question
from eve_inspect.datasets._row import BadRowError, Row


def refusal_text(question: str, context: str) -> str:
    """Return a context and the question about it as the model sees them."""
    return with_question(f"Context:\n{context}", question)


def _item(row: Row, rules: Rules) -> Item:  # noqa: ARG001 - nothing has to be declared
    """Read a question, its context, and whether that holds the answer."""
    question, answer = row.text("Question").strip(), row.text("Answer").strip()
    context = read_document(row, "Context")
    if context is None:
        raise BadRowError("Context", "holds no text")
    answerable = row.boolean("answerable")
    return Item(
        content=[question, answer, context, answerable],
        input=refusal_text(question, context),
        target=answer,
        metadata={"question": question, "context": context, "answerable": answerable},
    )


REFUSAL = Benchmark(
    name="refusal",
    hub="eve-esa/refusal",
    paper_rows=946,
    columns=("Question", "Answer", "Context"),
    to_item=_item,
)
"""Questions to be answered from a context, or declined where it does not hold the answer.

A sample's target is a reference answer. Metadata ``answerable`` says whether the context holds
it; null, where a set does not say, counts as no.
"""
