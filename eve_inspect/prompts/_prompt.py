"""Finding a prompt's text and telling which one it was."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import resources

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path

_SEPARATOR = "\n---\n"
_FILE = re.compile(r"(?P<name>\w+)-v(?P<version>\d+)\.txt")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A task's instructions.

    Attributes:
        name: The task's prompt name, or the file's name for a replacement.
        version: ``"1"``, ``"2"``, ... for ours, ``"custom"`` for a replacement.
        text: What is sent as the system message.
        closing: What each question ends with; empty for nothing.
    """

    name: str
    version: str
    text: str
    closing: str = ""

    @property
    def info(self) -> dict[str, str]:
        """What the log records: name, version and the first 16 hex digits of the SHA-256."""
        digest = hashlib.sha256(f"{self.text}\n{self.closing}".encode()).hexdigest()[:16]
        return {"name": self.name, "version": self.version, "sha256": digest}


def builtin(name: str) -> Prompt:
    """Return the newest built-in prompt of that name.

    Raises:
        KeyError: No such prompt is packaged.
    """
    found = {
        int(match["version"]): entry
        for entry in resources.files(__package__).iterdir()
        if (match := _FILE.fullmatch(entry.name)) and match["name"] == name
    }
    if not found:
        raise KeyError(name)
    version = max(found)
    return _parse(name, str(version), found[version].read_text(encoding="utf-8"))


def resolve(name: str, replacement: str | None) -> Prompt:
    """Return a task's own prompt, or the text of a file that replaces it.

    Args:
        name: The built-in prompt's name.
        replacement: Path of a UTF-8 text file, or None for the built-in text.

    Raises:
        EveInspectError: The file cannot be read or is blank.
    """
    if replacement is None:
        return builtin(name)
    path = user_path("prompt", replacement)
    try:
        prompt = _parse(path.name, "custom", path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or "not UTF-8 text"
        raise EveInspectError(
            f"prompt={replacement!r} cannot be read ({cause}): give the path of a text file with "
            "the instructions, or leave prompt out for the built-in ones."
        ) from error
    if not prompt.text:
        raise EveInspectError(
            f"prompt={replacement!r} is blank: write the instructions into the file, or leave "
            "prompt out for the built-in ones."
        )
    return prompt


def _parse(name: str, version: str, content: str) -> Prompt:
    text, _, closing = content.partition(_SEPARATOR)
    return Prompt(name, version, text.strip(), closing.strip())
