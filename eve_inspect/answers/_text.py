# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""What of a reply counts as text: reasoning and chat tokens removed, characters unified.

`visible` takes out what the model said to itself and what its chat template leaves behind;
`normalise` unifies characters. Neither reads an answer.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

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
                  | end_of_turn_token ) [|]>
          | /s> | end_of_turn> | eos> | [|｜]end▁of▁sentence[|｜]> | turn[|]>
        )
      | \[eos\]
    )
  | (?P<drop>
        < (?: s> | pad> | bos> | [|](?:begin_of_text|start_of_turn_token|message)[|]>
            | [|｜]begin▁of▁sentence[|｜]> )
    )
    """,
    re.VERBOSE,
)

_MARKED = re.compile(r"[<\[◁]|&lt;|analysis|assistantfinal")
_READABLE = re.compile(r"[^\W_]")
_CLOSED = re.compile(r"[>\]▷]|&gt;|nalysis|assistantfinal")
_OTHERS = frozenset({"user", "system", "tool", "human", "inst", "developer"})

_INVISIBLE = re.compile(
    "[\x00-\x07\x0e-\x1f\x7f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20e3\ufe00-\ufe0f\ufeff\ue000-\uf8ff\U000e0000-\U000e01ef]"
)
_NEWLINE = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ´", "'"),
        **dict.fromkeys("“”„‟″«»〝〞", '"'),
        **dict.fromkeys("‐‑‒–−﹣", "-"),
        **dict.fromkeys("—―", " - "),
        **{chr(0x1F150 + i): chr(65 + i) for i in range(26)},
        **{chr(0x1F170 + i): chr(65 + i) for i in range(26)},
    }
)
_CHUNK = re.compile(r"(?s).{1,64}(?![^\x00-\x7f])|.{1,64}")


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
    for mark in _REASONING.finditer(_lower(text)):
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
    for token in _TURN.finditer(_lower(text)):
        piece = text[position : token.start()] if speaking else ""
        position = token.end()
        if _READABLE.search(piece):
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
    named = [token[name] for name in ("role", "role2", "role3", "role4", "role5")]
    return next((role for role in named if role), "")


def _lower(text: str) -> str:
    """Lower case of the same length ("İ" alone would grow)."""
    return text.replace("İ", "I").lower()


def normalise(text: str) -> str:
    """Unify characters without changing case, lines or wording.

    Compatibility forms are folded (full-width, circled and mathematical letters), invisible
    characters dropped, quotes and hyphens unified; a long dash becomes a hyphen between spaces.

    Args:
        text: Any text.

    Returns:
        The unified text.
    """
    text = text.replace("\x08oxed", "\\boxed")  # "\b" of a box read as a control character
    text = _NEWLINE.sub("\n", text)
    text = _INVISIBLE.sub("", text)
    if text.isascii():
        return text.replace("\x08", "")
    text = text.translate(_QUOTES)
    # Reordering long runs of combining marks takes quadratic time: unify piece by piece. A piece
    # ends before an ASCII character where it can, so that no accent is cut off its letter.
    return "".join([unicodedata.normalize("NFKC", piece) for piece in _CHUNK.findall(text)])
