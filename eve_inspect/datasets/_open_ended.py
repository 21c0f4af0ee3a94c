"""Open questions: answered from what a model knows, or from documents."""

from __future__ import annotations

from functools import partial
from itertools import count, takewhile

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._benchmark import JSON, Benchmark, Item, Rules
from eve_inspect.datasets._documents import cut_documents, read_document, with_documents
from eve_inspect.datasets._row import BadRowError, Row

_DOCUMENT_COLUMNS = 3


def open_ended_w_context(
    context: bool = True, keep_documents: bool = False, context_chars: int | None = None
) -> Benchmark:
    """Return the benchmark of open questions with documents.

    A sample has the same id whatever the options, so that runs can be compared sample by sample.
    Documents that are not there are left out, and the rest are numbered from 1.

    Args:
        context: Whether the documents are in the input; if not, it is the question alone.
        keep_documents: Whether metadata ``documents`` holds the documents as well, for who needs
            them apart from the input. They are long, and make logs slow.
        context_chars: Characters, in code points, that the documents of a sample may hold
            together. The longest are cut first, each after a word, and end with ``[cut]``; then
            metadata ``context_cut`` says how many characters there were (``from``) and are
            (``to``). None cuts nothing.

    Raises:
        EveInspectError: An argument that is not offered.
    """
    for name, value in (("context", context), ("keep_documents", keep_documents)):
        if not isinstance(value, bool):
            raise EveInspectError(f"{name}={value!r} is not offered: use true or false.")
    _check_chars(context_chars)
    return Benchmark(
        name="open_ended_w_context",
        hub="eve-esa/open-ended-w-context",
        paper_rows=418,
        columns=("Question", "Answer", "Doc 1"),
        to_item=partial(_with_context, shown=context, kept=keep_documents, limit=context_chars),
    )


def _check_chars(value: object) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise EveInspectError(
            f"context_chars={value!r} is not a whole number from 1 on: say how many characters the "
            "documents of a question may hold together, or leave it out to cut nothing."
        )


def _item(row: Row, rules: Rules) -> Item:  # noqa: ARG001 - nothing has to be declared
    """Read a question and its answer."""
    question, answer = row.text("Question").strip(), row.text("Answer").strip()
    return Item(
        content=[question, answer],
        input=question,
        target=answer,
        metadata={"question": question},
    )


def _with_context(
    row: Row,
    rules: Rules,  # noqa: ARG001 - nothing has to be declared
    shown: bool,
    kept: bool,
    limit: int | None,
) -> Item:
    """Read a question, its answer and its documents."""
    question, answer = row.text("Question").strip(), row.text("Answer").strip()
    whole = _documents(row)
    documents = cut_documents(whole, limit)
    metadata: dict[str, JSON] = {"question": question}
    if kept:
        metadata["documents"] = documents.texts
    if documents.kept < documents.chars and (shown or kept):
        metadata["context_cut"] = {"from": documents.chars, "to": documents.kept}
    return Item(
        content=[question, answer, whole],
        input=with_documents(question, documents.texts) if shown else question,
        target=answer,
        metadata=metadata,
    )


def _documents(row: Row) -> list[str]:
    """Return the documents that a row has; a file's author may have more than three columns."""
    numbers = takewhile(lambda n: n <= _DOCUMENT_COLUMNS or f"Doc {n}" in row, count(1))
    found = (read_document(row, f"Doc {number}") for number in numbers)
    documents = [text for text in found if text is not None]
    if not documents:
        raise BadRowError("Doc 1", "holds no document, nor does a further column")
    return documents


OPEN_ENDED = Benchmark(
    name="open_ended",
    hub="eve-esa/open-ended",
    paper_rows=1257,
    columns=("Question", "Answer"),
    to_item=_item,
)
"""Questions to be answered in the model's own words. A sample's target is a reference answer."""
