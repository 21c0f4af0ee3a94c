"""Reading a free-text answer: what of the reply is the answer."""

from __future__ import annotations

from eve_inspect.answers._characters import normalise
from eve_inspect.answers._readable import nothing_in, open_reply
from eve_inspect.answers._reading import Reading, Reply


def read_text(reply: Reply) -> Reading[str]:
    """Read a free-text answer: all visible text, reasoning taken out.

    Args:
        reply: The model's reply.

    Returns:
        The text as it came, with U+FFFD in the place of half a surrogate pair. ``truncated`` when
        a limit left nothing visible or reasoning never closed, ``refusal`` when the provider's
        filter left nothing, ``empty`` or ``error``. Text that a limit cut is an answer, flagged
        ``cut``; text under a filter is flagged ``content_filter``.
    """
    opened = open_reply(reply)
    if opened.status is None and not normalise(opened.text).strip():
        opened = nothing_in(reply, reasoned=False)
    filtered = reply.stop_reason == "content_filter"
    if opened.status is not None:
        status = "refusal" if filtered and opened.status == "truncated" else opened.status
        return Reading(None, status, flags=opened.flags)
    # Half a surrogate pair is no character: it could be neither sent to a judge nor hashed.
    text = opened.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    flags = ("content_filter",) if filtered else ("cut",) if reply.cut else ()
    return Reading(text, "answered", "text", flags)
