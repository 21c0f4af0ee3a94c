"""Multiple-choice questions: one right option, or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eve_inspect.datasets._benchmark import Benchmark, Item, Rules
from eve_inspect.datasets._options import option_letters, read_golds, read_options
from eve_inspect.datasets._row import BadRowError, Row


def mcqa_text(question: str, options: Sequence[str]) -> str:
    """Return a question and its options as the model sees them: ``A. ...``, one a line."""
    lines = (
        f"{letter}. {text}" for letter, text in zip(option_letters(options), options, strict=True)
    )
    return "\n".join([question.strip(), "", *lines])


def _item(row: Row, rules: Rules, column: str) -> Item:
    """Read a question, its options and the letters of the right ones."""
    question = row.text("Question").strip()
    options = read_options(row)
    golds = read_golds(row, options, column, rules.answer_base)
    return Item(
        content=[question, options.texts, golds],
        input=mcqa_text(question, options.texts),
        target=golds,
        choices=options.texts,
        metadata={"question": question},
    )


def _single(row: Row, rules: Rules) -> Item:
    item = _item(row, rules, "Answer")
    if len(item.target) != 1:
        raise BadRowError("Answer", f"names {len(item.target)} right options, not one")
    return replace(item, target=item.target[0])


def _multiple(row: Row, rules: Rules) -> Item:
    return _item(row, rules, "Answers")


MCQA_SINGLE = Benchmark(
    name="mcqa_single",
    hub="eve-esa/mcqa-single-answer",
    paper_rows=1261,
    columns=("Question", "Choices", "Answer"),
    to_item=_single,
)
"""Questions with exactly one right option. A sample's target is its letter."""

MCQA_MULTIPLE = Benchmark(
    name="mcqa_multiple",
    hub="eve-esa/mcqa-multiple-answers",
    paper_rows=431,
    columns=("Question", "Choices", "Answers"),
    to_item=_multiple,
    aliases={"Answer": "Answers"},
)
"""Questions with one or more right options. A sample's target is the list of their letters."""
