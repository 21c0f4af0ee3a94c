"""Write the generated blocks of the cards: parameters from docstrings, prompts, indexes.

``python -m scripts.cards`` writes them; with ``--check`` it only says what is out of date.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import docstring_parser

import eve_inspect.scorers
import eve_inspect.tasks
from eve_inspect.prompts import builtin, builtin_rubric

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"(<!-- begin: (?P<what>[^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


class Card(NamedTuple):
    """A card that should exist, and what it documents."""

    path: Path
    documented: Callable[..., Any]


def cards() -> Iterator[Card]:
    """Yield the card of each public task and scorer."""
    for name in eve_inspect.tasks.__all__:
        yield Card(ROOT / "tasks" / name / "README.md", getattr(eve_inspect.tasks, name))
    for name in scorer_names():
        yield Card(ROOT / "scorers" / name / "README.md", getattr(eve_inspect.scorers, name))


def scorer_names() -> list[str]:
    """Return the public scorers; the package's other names are metrics, shown on their cards."""
    from inspect_ai.util import registry_info

    import eve_inspect._registry as registry

    registered = [name for name in eve_inspect.scorers.__all__ if name in registry.__all__]
    return [
        name
        for name in registered
        if registry_info(getattr(eve_inspect.scorers, name)).type == "scorer"
    ]


def parameters(documented: Callable[..., Any]) -> str:
    """Return the Markdown table of a function's parameters, or a sentence when it has none."""
    described = {
        parameter.arg_name: " ".join((parameter.description or "").split())
        for parameter in docstring_parser.parse(inspect.getdoc(documented) or "").params
    }
    signature = inspect.signature(documented)
    if not signature.parameters:
        return "None.\n"
    rows = [
        f"| `{name}` | {_default(parameter)} | {described[name]} |"
        for name, parameter in signature.parameters.items()
    ]
    return "\n".join(["| parameter | default | meaning |", "|---|---|---|", *rows, ""])


def _default(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return "required"
    return f"`{parameter.default!r}`".replace("`'", '`"').replace("'`", '"`')


def index(folder: str) -> str:
    """Return the index of a folder of cards: each name with its docstring's first sentence."""
    rows = [
        f"| [`{card.path.parent.name}`]({card.path.parent.name}/README.md) | {summary(card)} |"
        for card in cards()
        if card.path.parents[1].name == folder
    ]
    return "\n".join(["| name | what it is |", "|---|---|", *rows, ""])


def summary(card: Card) -> str:
    """Return the first paragraph of what a card documents."""
    return " ".join((inspect.getdoc(card.documented) or "").split("\n\n")[0].split())


def generated(what: str, documented: Callable[..., Any] | None) -> str:
    """Return a block's text: ``parameters``, ``prompt <name>``, ``rubric <name>``, ..."""
    match what.split():
        case ["parameters"] if documented is not None:
            return parameters(documented)
        case ["prompt", name]:
            prompt = builtin(name)
            closing = f"\n---\n{prompt.closing}" if prompt.closing else ""
            return f"Version {prompt.version}:\n\n```text\n{prompt.text}{closing}\n```\n"
        case ["rubric", name]:
            rubric = builtin_rubric(name)
            return f"Version {rubric.version}:\n\n```text\n{rubric.text.strip()}\n```\n"
        case ["index", folder]:
            return index(folder)
        case _:
            raise ValueError(f"nothing is known of the block {what!r}")


def updated() -> Iterator[tuple[Path, str]]:
    """Yield every file with generated blocks, with the text that it should have."""
    files: list[tuple[Path, Callable[..., Any] | None]] = [*cards()]
    files += [(ROOT / folder / "README.md", None) for folder in ("tasks", "scorers")]
    for path, documented in files:
        text = path.read_text(encoding="utf-8") if path.exists() else ""

        def block(match: re.Match[str], documented: Callable[..., Any] | None = documented) -> str:
            return f"{match[1]}{generated(match['what'], documented)}{match[3]}"

        yield path, _BLOCK.sub(block, text)


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if out of date")
    check = parser.parse_args().check
    stale = []
    missing = [str(path.relative_to(ROOT)) for path, _ in updated() if not path.exists()]
    if missing:
        print(f"Not there, write it first: {', '.join(missing)}")
        return 1
    for path, text in updated():
        if path.read_text(encoding="utf-8") != text:
            stale.append(str(path.relative_to(ROOT)))
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"Out of date, run `make cards`: {', '.join(stale)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
