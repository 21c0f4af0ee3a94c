"""What a benchmark's data set is, and what becomes of one of its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._row import Row

AnswerBase = Literal[0, 1]
"""Where numbers that name right options count from."""

Offsets = Literal["codepoints", "utf16"]
"""What span offsets count: Unicode code points, or UTF-16 code units."""

JSON: TypeAlias = "Mapping[str, JSON] | Sequence[JSON] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a file's author has to declare, since it cannot be told from the values.

    Attributes:
        answer_base: 0 or 1 if right options are given as numbers that count from there; None if
            they are not numbers.
        offsets: What span offsets count.

    Raises:
        EveInspectError: A value that is not offered.
    """

    answer_base: AnswerBase | None = None
    offsets: Offsets = "codepoints"

    def __post_init__(self) -> None:
        base = self.answer_base
        if isinstance(base, bool | float) or base not in (None, 0, 1):
            raise EveInspectError(
                f"answer_base={base!r} is not offered: use 0 or 1 for right options given as "
                "numbers, or leave it out for letters."
            )
        if self.offsets not in get_args(Offsets):
            raise EveInspectError(
                f"offsets={self.offsets!r} is not offered: use 'codepoints' or 'utf16'."
            )


@dataclass(frozen=True, slots=True)
class Item:
    """A row as it is asked and scored.

    Attributes:
        content: The row's own content in one canonical form: what the id and the fingerprint are
            made of.
        input: The user message.
        target: The right answer, in the form of the sample's target.
        choices: Texts of the options, in order; None for tasks without options.
        metadata: What scorers and solvers need besides.
    """

    content: JSON
    input: str
    target: str | list[str]
    choices: list[str] | None = None
    metadata: dict[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A data set and how its rows are read.

    Attributes:
        name: The task's name, and the file name of its built-in sample set.
        hub: The data set's id on the hub.
        paper_rows: Number of rows in the paper.
        columns: Columns that no set can be without.
        to_item: Reads a row; raises ``BadRowError``.
        aliases: Other names of columns, beyond their spelling, and the name that each is for.
    """

    name: str
    hub: str
    paper_rows: int
    columns: tuple[str, ...]
    to_item: Callable[[Row, Rules], Item]
    aliases: Mapping[str, str] = field(default_factory=dict)
