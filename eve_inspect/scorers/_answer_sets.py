"""Answers that a model gave earlier, from a log or a file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.answers import Reading
from eve_inspect.datasets import content_digest

EpochChoice = Literal["single", "first", "all"]
"""Of a log with several epochs: refuse it, take the first, or take all."""

SourceKind = Literal["log", "file"]

_DIGITS = 16
_SUFFIXES = (".eval", ".json", ".jsonl", ".csv")
_LOG_HEAD = 400


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A model's answer to a question, as it was recorded.

    Attributes:
        id: The sample's id; in a file without ids, one made of the question.
        epoch: The epoch, from 1.
        question: The bare question.
        reference: The reference answer; empty when the source has none.
        context: The documents as text; empty when there are none.
        reading: What was read from the reply. Status ``error``: the machinery failed, and nothing
            is known of the model's answer.
    """

    id: str
    epoch: int
    question: str
    reference: str
    context: str
    reading: Reading[str]


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """A model's answers.

    Attributes:
        name: What the model is called.
        source: Where the answers come from, as it was given.
        sha256: The first 16 hexadecimal digits of the file's SHA-256; of its answers' when the
            source is a URL.
        task: The task of a log; None for a file.
        fingerprint: Fingerprint of the log's data; None for a file, and where none is recorded.
        prompt: Instructions and demonstrations of a log, in words; None likewise.
        answers: The answers, in the order of the data, epoch by epoch.
        has_ids: Whether the ids are the source's own, so that answers can be found by them.
        model: The model that answered, as its log names it; empty for a file.
    """

    name: str
    source: str
    sha256: str
    task: str | None
    fingerprint: str | None
    prompt: str | None
    answers: tuple[RecordedAnswer, ...]
    has_ids: bool = True
    model: str = ""


def load_answers(
    source: str | Path,
    *,
    name: str | None = None,
    columns: Mapping[str, str] | None = None,
    epochs: EpochChoice = "single",
    side: str = "model_a",
) -> AnswerSet:
    """Read a model's recorded answers.

    Args:
        source: An Inspect log (``.eval``, also at a URL such as ``s3://...``, or ``.json``), or a
            file with a record for each answer (``.csv``, ``.jsonl``, ``.json``). In files, an empty
            cell is an empty answer, and text such as ``nan`` is text. lm-eval writes
            ``filtered_resps`` as a list of one text, in CSV as that list's ``repr``: when most
            filled cells of a column whose name ends with ``resps`` have that form, the text is
            taken out of those; a list that is empty or holds no text is an empty answer.
        name: What the model is called; the log's model, or the file's name without its suffix,
            when left out.
        columns: Where a file holds ``question``, ``reference``, ``answer``, ``id``, ``context``;
            columns with the usual names are found by themselves. ``reference``, ``id`` and
            ``context`` may be absent.
        epochs: Of a log with several epochs: ``single`` refuses it, ``first`` takes the first,
            ``all`` takes all.
        side: The argument that the source was given as, for messages.

    Raises:
        EveInspectError: A source that cannot be read, or holds no answers, or has not the columns;
            ids that repeat; several epochs where one was expected.
    """
    _check(name, epochs, side)
    content = _content(source, side)
    shown = str(source)
    if content is None or _kind(shown, content) == "log":
        from eve_inspect.scorers._answer_logs import log_answers

        if columns:
            raise EveInspectError(
                f"{side}={shown!r} is a log, which has no columns: leave the columns out."
            )
        found = log_answers(content, shown, epochs, side)
    else:
        from eve_inspect.scorers._answer_files import file_answers

        found = file_answers(content, shown, columns or {}, side)
    _check_ids(found, side)
    digest = _digest(found) if content is None else hashlib.sha256(content).hexdigest()
    return replace(
        found, sha256=digest[:_DIGITS], name=found.name if name is None else name.strip()
    )


def fold(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


def _check(name: object, epochs: object, side: str) -> None:
    if epochs not in get_args(EpochChoice):
        allowed = ", ".join(map(repr, get_args(EpochChoice)))
        raise EveInspectError(f"epochs={epochs!r} of {side} is not offered: use one of {allowed}.")
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise EveInspectError(
            f"the name {name!r} of {side} is no name: give one, or leave it out for the source's."
        )


def _content(source: str | Path, side: str) -> bytes | None:
    """Return the bytes of a source; None for a log at a URL, which Inspect fetches."""
    shown = str(source)
    suffix = Path(shown).suffix.casefold()
    remote = "://" in shown and not shown.startswith("file://")
    if remote and suffix != ".eval":
        raise EveInspectError(
            f"{side}={shown!r} is a URL: only logs (.eval) are read from there; download the file "
            "and name its path."
        )
    if remote:
        return None
    path = user_path(side, shown.removeprefix("file://"))
    if path.is_dir():
        raise EveInspectError(f"{side}={shown!r} is a directory: name a log or file in it.")
    if suffix not in _SUFFIXES:
        raise EveInspectError(
            f"{side}={shown!r} is not offered: use the path of a log (.eval) or of a "
            ".csv, .jsonl or .json file."
        )
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise EveInspectError(
            f"{side}={shown!r} does not exist: check the path, which counts from the folder where "
            "the command is run."
        ) from None
    except OSError as error:
        raise EveInspectError(
            f"{side}={shown!r} cannot be read: {error.strerror or type(error).__name__}."
        ) from error


def _digest(found: AnswerSet) -> str:
    answers = [[one.id, one.epoch, one.reading.answer] for one in found.answers]
    return content_digest([found.name, found.fingerprint, *answers])


def _kind(source: str, content: bytes) -> SourceKind:
    """Tell a log from a file of records; ``.json`` can be either."""
    suffix = Path(source).suffix.casefold()
    if suffix == ".eval":
        return "log"
    head = b"".join(content[:_LOG_HEAD].split())
    starts = head.startswith(b'{"version":') and b'"status":' in head and b'"eval":' in head
    return "log" if suffix == ".json" and starts else "file"


def _check_ids(found: AnswerSet, side: str) -> None:
    counts = Counter((one.id, one.epoch) for one in found.answers)
    repeated = next((key for key, count in counts.items() if count > 1), None)
    if repeated is not None:
        raise EveInspectError(
            f"{side}={found.source!r} holds the id {repeated[0]!r} {counts[repeated]} times: an id "
            "names one answer."
        )
