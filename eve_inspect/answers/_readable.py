# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""What of a reply counts as text: reasoning and chat tokens removed, characters unified.

`visible` takes out what the model said to itself and what its chat template leaves behind;
`normalise` unifies characters. Neither reads an answer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from eve_inspect.answers._characters import fold
from eve_inspect.answers._reading import Reading, Reply, Status, T

_TAGS = (
    "think|thinking|thoughts?|reasoning|reason|analysis|scratchpad|reflection|inner_monologue|"
    "inner_thoughts|antthinking|seed:think|cot|chain_of_thought"
)

_REASONING = re.compile(
    rf"""
    (?P<open>
        < (?=[ a-z/|｜]) (?:
            \s? (?:{_TAGS}) (?:\s [^<>]{{0,200}})? >
          | details \s [^<>]{{0,200}} reasoning [^<>]{{0,200}} >
          | [|｜] (?:begin_of_thought|start_thinking|thinking|think|reasoning) [|｜]>
          | [|]channel[|]> \s? (?:analysis|commentary) [^<>]{{0,200}} (?:<[|]message[|]>)?
          | [|]channel> \s? thought
          | unused94> (?:\s? thought)?
        )
      | \[ (?:think|thinking|reasoning) \]
      | &lt; (?:{_TAGS}) &gt;
      | ◁think▷
    )
  | (?P<close>
        < (?=[ a-z/|｜]) (?:
            \s? / \s? (?:{_TAGS}) \s? >
          | [|｜] (?:end_of_thought|end_thinking|/thinking|/think|/reasoning) [|｜]>
          | [|]channel[|]> \s? final [^<>]{{0,200}} (?:<[|]message[|]>)?
          | channel[|]>
          | unused95>
        )
      | \[/ (?:think|thinking|reasoning) \]
      | &lt;/ (?:{_TAGS}) &gt;
      | ◁/think▷
      | assistantfinal
    )
  | < (?: (?P<details> /details> ) | (?P<turn> [|]end[|]> ) )
    """,
    re.VERBOSE,
)
"""Marks where reasoning starts and stops, in the spellings of the model families that print them.

Matched on lower-cased text."""

_BARE_HARMONY = re.compile(r"\s*analysis(?=[A-Z])")
"""How reasoning starts when a server drops the special tokens of the harmony format."""

_TURN = re.compile(
    r"""
    (?P<start>
        < (?=[ a-z/|｜]) (?:
            [|](?:im_start|start|start_header_id)[|]> \s? (?P<role>\w+)? \s?
            (?:<[|]end_header_id[|]>)?
          | start_of_turn> \s? (?P<role2>\w+)?
          | [|｜] (?P<role3> user | assistant | system ) [|｜]>
          | [|] (?P<role4> chatbot | user | system )_token[|]>
        )
      | \[ (?: (?P<role5> inst) | (?P<prompt_end> /inst) ) \]
    )
  | (?P<end>
        < (?=[ a-z/|｜]) (?:
            [|] (?: im_end | endoftext | end_of_text | eot_id | eom_id | end | return | eos | eot
                  | end_of_turn_token | end_of_solution ) [|]>
          | /s> | end_of_turn> | eos> | [|｜]end▁of▁sentence[|｜]> | turn[|]>
        )
      | \[eos\]
    )
  | (?P<drop>
        < (?: s> | pad> | bos> | [|](?:begin_of_text|begin_of_solution)[|]>
            | [|](?:start_of_turn_token|message)[|]>
            | [|｜]begin▁of▁sentence[|｜]> )
    )
    """,
    re.VERBOSE,
)

_MARKED = re.compile(r"[<\[◁]|&lt;|analysis|assistantfinal")
_MOST_TOKENS = 5_000  # of a chat template in one reply; more are a loop
_READABLE = re.compile(r"[^\W_]")
_CLOSED = re.compile(r"[>\]▷]|&gt;|nalysis|assistantfinal")
_OTHERS = frozenset({"user", "system", "tool", "human", "inst", "developer"})


class Opened(NamedTuple):
    """The visible text of a reply, or the status that settles it without reading.

    Attributes:
        text: What there is to read.
        status: The status when there is nothing to read, else None.
        flags: Flags of the reading when there is nothing to read.
    """

    text: str
    status: Status | None = None
    flags: tuple[str, ...] = ()


class Visible(NamedTuple):
    """What a reader of the reply sees.

    Attributes:
        text: The reply without reasoning and without the tokens of a chat template.
        reasoned: Whether reasoning was taken out.
        unclosed: Whether reasoning was still open where the reply ends.
    """

    text: str
    reasoned: bool
    unclosed: bool


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
    seen = visible(reply.text or "")
    if seen.unclosed:
        return Opened("", "truncated")
    if seen.text.strip():
        return Opened(seen.text.strip())
    return nothing_in(reply, reasoned=seen.reasoned)


def nothing_in(reply: Reply, *, reasoned: bool) -> Opened:
    """Return what a reply without readable text is."""
    if reply.stop_reason == "content_filter":
        return Opened("", "refusal")
    if reply.cut:
        return Opened("", "truncated")
    return Opened("", "empty", ("empty_visible",) if reasoned or reply.reasoning else ())


def under_filter(reply: Reply, reading: Reading[T]) -> Reading[T]:
    """Return the reading of a reply that the provider's filter may have stopped.

    What was declared before counts, flagged ``content_filter``; else it is a ``refusal``.
    """
    if reply.stop_reason != "content_filter":
        return reading
    if reading.answer is None and reading.status in ("no_answer", "truncated"):
        return replace(reading, status="refusal")
    return replace(reading, flags=tuple(sorted({*reading.flags, "content_filter"})))


def visible(text: str) -> Visible:
    """Take reasoning, chat-template tokens and invented further turns out of a reply.

    A closing mark without an opening one means that all before it was reasoning (templates often
    put the opening mark into the prompt). Nothing after an unclosed opening mark is visible.

    Args:
        text: The reply as it came.

    Returns:
        The visible text, not otherwise normalised.
    """
    if not _MARKED.search(text) or not _CLOSED.search(text):
        return Visible(text, reasoned=False, unclosed=False)
    kept, reasoned, unclosed = _without_reasoning(text)
    return Visible(_own_turn(kept), reasoned, unclosed)


def _without_reasoning(text: str) -> Visible:
    kept: list[str] = []
    end = len(text.rstrip())
    bare = _BARE_HARMONY.match(text)
    inside = "analysis" if bare else ""
    reasoned = bool(bare)
    position = 0
    for mark in _REASONING.finditer(fold(text)):
        kind = str(mark.lastgroup)
        if kind == "open":
            if not inside:
                kept.append(text[position : mark.start()])
                inside = mark.group()
            reasoned = True
        elif kind == "close":
            if not inside and reasoned and mark.end() >= end:
                kept.append(text[position : mark.start()])  # one closing mark too many
            elif not inside:
                kept.clear()
            inside = ""
            reasoned = True
            position = mark.end()
        elif inside.startswith("<details" if kind == "details" else "<|channel|>"):
            inside = ""
            position = mark.end()
    if not inside:
        kept.append(text[position:])
    return Visible("".join(kept), reasoned, bool(inside))


def _own_turn(text: str) -> str:
    """The model's own first turn, without the tokens of the chat template."""
    kept: list[str] = []
    position = 0
    speaking = True
    for token in islice(_TURN.finditer(fold(text)), _MOST_TOKENS):
        piece = text[position : token.start()] if speaking else ""
        position = token.end()
        if piece and _READABLE.search(piece):
            kept.append(piece)
        if token["prompt_end"]:
            kept.clear()  # all before it is the echoed prompt
            speaking = True
        elif token["start"]:
            speaking = _role(token) not in _OTHERS
        if kept and not token["drop"]:
            return "".join(kept)
    return "".join(kept) + (text[position:] if speaking else "")


def _role(token: re.Match[str]) -> str:
    named = token.group("role", "role2", "role3", "role4", "role5")
    return next(filter(None, named), "")
