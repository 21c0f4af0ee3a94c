# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""Unifying characters: width, invisible ones, quotes, dashes, case."""

from __future__ import annotations

import re
import unicodedata

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


def fold(text: str) -> str:
    """Lower case of the same length ("İ" alone would grow)."""
    return text.replace("İ", "I").lower()
