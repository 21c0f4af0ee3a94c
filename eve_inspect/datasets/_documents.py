"""Documents beside a question: how they are shown, cut and found again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eve_inspect.datasets._row import Row

CUT_MARK = "[cut]"
"""What a document that was cut ends with."""

_FIRST_HEADING = "Document 1:\n"
_NO_DOCUMENT = frozenset({"", "nan", "none", "null", "<na>"})
_LONGEST_WORD = 100


class Documents(NamedTuple):
    """The documents of a row, within a limit.

    Attributes:
        texts: The documents as they are shown, with a mark where they are cut.
        chars: What all of them hold before they are cut, in code points.
        kept: What is left of it, marks not counted, in code points.
    """

    texts: list[str]
    chars: int
    kept: int


def with_question(passage: str, question: str) -> str:
    """Return a user message: what is to be read, then the question under a heading."""
    return f"{passage}{_set_off(question)}"


def with_documents(question: str, documents: Sequence[str]) -> str:
    """Return a user message: the documents, numbered from 1, then the question.

    Without documents it is the question alone. ``documents_in`` finds the documents again.
    """
    return with_question(documents_text(documents), question) if documents else question


def documents_text(documents: Sequence[str]) -> str:
    """Return documents as the model sees them: each below its heading ``Document 1:``, ...."""
    return "\n\n".join(f"Document {number}:\n{text}" for number, text in enumerate(documents, 1))


def documents_in(text: str, question: str) -> str:
    """Return the documents of a message that ``with_documents`` made, with their headings.

    The question is known, so that nothing in the documents can be taken for it.

    Args:
        text: The message, to the letter.
        question: Its question.

    Returns:
        What ``documents_text`` made of the documents; empty if the message has none, or another
        question.
    """
    end = _set_off(question)
    if not text.startswith(_FIRST_HEADING) or not text.endswith(end):
        return ""
    return text[: -len(end)]


def read_document(row: Row, column: str) -> str | None:
    """Return a document, without white space around it; None if there is none.

    None are a null and a blank text, and a word that programs write for a null: ``nan``,
    ``None``, ``null`` or ``<NA>``, which is no document in itself.

    Raises:
        BadRowError: No text, or text that cannot be stored.
    """
    value = row.get(column)
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NO_DOCUMENT):
        return None
    return row.text(column).strip()


def cut_documents(documents: Sequence[str], limit: int | None) -> Documents:
    """Cut documents to a number of characters that they hold together.

    The longest lose first: short documents stay whole, and those that are cut get equal shares.
    Each is cut after a word, unless that word is overlong, and ends with ``[cut]``. Marks and
    headings do not count.

    Args:
        documents: The documents, in order.
        limit: Code points, 1 or more; None to cut nothing.
    """
    lengths = [len(text) for text in documents]
    total = sum(lengths)
    if limit is None or total <= limit:
        return Documents(list(documents), total, total)
    kept = [
        _shorten(text, share)
        for text, share in zip(documents, _shares(lengths, limit), strict=True)
    ]
    texts = [
        text if part == text else f"{part} {CUT_MARK}".lstrip()
        for text, part in zip(documents, kept, strict=True)
    ]
    return Documents(texts, total, sum(map(len, kept)))


def _set_off(question: str) -> str:
    return f"\n\nQuestion:\n{question}"


def _shares(lengths: Sequence[int], limit: int) -> list[int]:
    """Divide the limit: to each what it needs, or an equal part of what the shorter ones left."""
    shares = [0] * len(lengths)
    left = limit
    shortest_first = sorted(range(len(lengths)), key=lengths.__getitem__)
    for waiting, index in zip(range(len(lengths), 0, -1), shortest_first, strict=True):
        shares[index] = min(lengths[index], left // waiting)
        left -= shares[index]
    return shares


def _shorten(text: str, length: int) -> str:
    """Return the text's beginning, at most that long, up to the end of a word.

    Scripts without spaces, and strings that are no words, are cut within: going back to the last
    space could lose most of a text.
    """
    if len(text) <= length:
        return text
    start = max(length - _LONGEST_WORD, 0)
    ends = (at for at in range(length, start, -1) if text[at].isspace())
    return text[: next(ends, length)].rstrip()
