"""Whether a judge only repeats what it was shown.

Text is compared without what changes when it is quoted: case, spaces, quotes, Markdown, the ``>``
of a block quote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._judge_values import flat
from eve_inspect.answers._readable import visible

_DROPPED = str.maketrans(dict.fromkeys("\"'`\\|>", " "))
_TIGHT = re.compile(r"\s*([:=/,(){}\[\]\ue000-\ue004])\s*")
_EDGE = re.compile(r"\A[\W_]+|[\W_]+\Z")
_DIGITS = re.compile(r"[.,]?\d")


class Shown:
    """The texts that a judge was shown and that an attacker may have written.

    Args:
        texts: The texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        seen = (shown for text in texts for shown in (text, visible(text).text))
        self._texts = [text for text in dict.fromkeys(seen) if text.strip()]

    @cached_property
    def _raw(self) -> list[str]:
        return [_bare(normalise(text)) for text in self._texts]

    @cached_property
    def _flat(self) -> list[str]:
        return [flat(normalise(text)) for text in self._texts]

    @cached_property
    def _bare(self) -> list[str]:
        return [_bare(text) for text in self._flat]

    @cached_property
    def _lines(self) -> frozenset[str]:
        lines = (line for text in self._flat for line in text.splitlines())
        return frozenset(filter(None, map(_bare_line, lines)))

    def hold_object(self, text: str) -> bool:
        """Return whether JSON, given as text, stands in one of the texts."""
        bare = _bare(normalise(text))
        return bool(bare) and any(_stands_in(bare, shown) for shown in self._raw)

    def hold(self, piece: str) -> bool:
        """Return whether a piece of plain text stands in one of the texts, as whole words."""
        bare = _bare(piece)
        return bool(bare) and any(_stands_in(bare, text) for text in self._bare)

    def hold_line(self, line: str) -> bool:
        """Return whether a line of one of the texts says this and nothing else."""
        return _bare_line(line) in self._lines


def _bare(text: str) -> str:
    return _TIGHT.sub(r"\1", " ".join(fold(text).translate(_DROPPED).split()))


def _bare_line(text: str) -> str:
    return _EDGE.sub("", _bare(text))


def _stands_in(piece: str, text: str) -> bool:
    place = text.find(piece)
    while place >= 0:
        end = place + len(piece)
        starts = not (piece[0].isalnum() and text[place - 1 : place].isalnum())
        ends = not (piece[-1].isalnum() and (text[end : end + 1].isalpha()))
        if starts and ends and not (piece[-1].isdigit() and _DIGITS.match(text, end)):
            return True
        place = text.find(piece, end)
    return False
