"""What can be said of a reply before it is read."""

from __future__ import annotations

from typing import NamedTuple

from eve_inspect.answers._reading import Reply, Status
from eve_inspect.answers._text import visible


class Opened(NamedTuple):
    """The visible text of a reply, or the status that settles it without reading."""

    text: str
    status: Status | None


def open_reply(reply: Reply) -> Opened:
    """Return a reply's visible text, or why there is nothing to read.

    Args:
        reply: The model's reply.

    Returns:
        The text with status None; or no text and ``error``, ``refusal`` (the provider's filter),
        ``truncated`` (reasoning never closed, or the limit reached before any text) or ``empty``.
    """
    if reply.error is not None:
        return Opened("", "error")
    if reply.stop_reason == "content_filter":
        return Opened("", "refusal")
    seen = visible(reply.text or "")
    if seen.unclosed:
        return Opened("", "truncated")
    if not seen.text.strip():
        return Opened("", "truncated" if reply.cut else "empty")
    return Opened(seen.text, None)
