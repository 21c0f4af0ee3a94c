"""What a reply can declare: the types that the rules hand on."""

from __future__ import annotations

from typing import Literal, NamedTuple

from eve_inspect.answers._labels import LabelList

Kind = Literal["labels", "every", "none", "unknown"]
FIRM, SOFT = 2, 1


class Claim(NamedTuple):
    """One declaration of an answer.

    Attributes:
        place: Offset where it was made.
        kind: Labels, all options, no option, or "I do not know".
        labels: The labels, when it names some.
        method: How it was made.
        weight: `FIRM` for a declaration, `SOFT` for a conclusion or a judgement.
        end: Offset after it.
        choice: Whether "or" joins the labels.
        dangling: Whether it breaks off after a separator at the end of the reply.
        by_text: Whether it names options by their text.
        adds: Whether it adds to the declaration before it ("the answer is also C").
        conflict: Whether an option text that it names is not that of its letter.
    """

    place: int
    kind: Kind
    labels: tuple[str, ...]
    method: str
    weight: int
    end: int
    choice: bool = False
    dangling: bool = False
    by_text: bool = False
    adds: bool = False
    conflict: bool = False


class Rejection(NamedTuple):
    """A label that the reply says is not the answer."""

    place: int
    label: str


class Declarations(NamedTuple):
    """All that a reply declares, and its judgements option by option."""

    claims: list[Claim]
    rejections: list[Rejection]
    judged: dict[str, bool]


def of_list(listed: LabelList, method: str, weight: int) -> Claim:
    return Claim(
        listed.start,
        "labels",
        listed.labels,
        method,
        weight,
        listed.end,
        listed.choice,
        listed.dangling,
    )
