"""Comparing many models with many: all pairs in one run, which goes on where it was stopped."""

from __future__ import annotations

import hashlib
import inspect
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from inspect_ai import Task, eval_set
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    ProvenanceData,
    invalidate_samples,
    list_eval_logs,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import Model, get_model

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.scorers import ROLE, identity
from eve_inspect.tasks import win_rate

_SEEDS = 2**31
_OWN_OPTIONS = ("model_a", "model_b", "name_a", "name_b", "columns_a", "columns_b", "seed")
"""Arguments of the task ``win_rate`` that differ from pair to pair, or are given otherwise."""


@dataclass(frozen=True, slots=True)
class Answers:
    """A model's recorded answers.

    Attributes:
        source: Path of a log (.eval) or of a file (.csv, .jsonl, .json).
        name: What the model is called; its model's or file's name when left out.
        columns: Where a file holds what, if not under the usual names.
    """

    source: str | Path
    name: str | None = None
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Comparisons:
    """What was compared.

    Attributes:
        logs: A log for each pair of models, in the order of the pairs.
        seed: The seed that was given or drawn.
        log_dir: Where the logs are.
    """

    logs: tuple[EvalLog, ...]
    seed: int
    log_dir: str


def compare_models(
    model_a: Sequence[Answers | str | Path],
    model_b: Sequence[Answers | str | Path] = (),
    *,
    judges: Sequence[str | Model],
    seed: int | None = None,
    limit: int | None = None,
    log_dir: str | Path = "logs",
    max_samples: int | None = None,
    display: str | None = None,
    tags: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
) -> Comparisons:
    """Compare each model of one list with each of another, or all of one list with each other.

    All is checked before a judge is called. The logs of a comparison are in a folder of its own,
    whose name is made of what is compared and how: a run that was stopped goes on where it was,
    and one that is complete costs nothing. Pairs for which a verdict is missing are judged again.

    It runs in scripts and notebooks. In a program with an event loop of its own, call it in a
    thread: ``await asyncio.to_thread(compare_models, ...)``.

    Args:
        model_a: Answers of the models.
        model_b: Answers of the baselines; when left out, every two of ``model_a`` are compared.
        judges: Models that judge, or their names.
        seed: Seed of the order and of resampling. One is drawn and recorded when it is left out.
        limit: The first so many pairs of answers; all when left out.
        log_dir: Where the folder is made.
        max_samples: Pairs of answers that are judged at the same time.
        display: How Inspect shows progress (``full``, ``rich``, ``plain``, ``none``, ...).
        tags: Tags of the logs.
        options: Further arguments of the task ``win_rate`` (``mode``, ``order``, ...).

    Returns:
        The logs, whether or not all judges were heard.

    Raises:
        EveInspectError: Anything that the user can put right, before a judge is called; a run in
            which a comparison failed, after the others are written.
    """
    pairs = _pairs(model_a, model_b)
    options = options or {}
    _check(seed, limit, options)
    if not judges:
        raise EveInspectError("no judge is named, and a model never judges itself unasked.")
    panel = [_model(judge) for judge in judges]
    folder = _folder(log_dir, pairs, panel, seed, limit, options)
    seed = _seed(folder) if seed is None else seed
    tasks = [_task(a, b, seed, options) for a, b in pairs]
    _check_names(tasks)
    _keep_seed(folder, seed)
    run = partial(
        copy_context().run,  # in which Inspect leaves its model roles behind
        eval_set,
        tasks,
        log_dir=str(folder),
        model_roles={ROLE: panel},
        limit=limit,
        max_samples=max_samples,
        # A task keeps its own time: several at once would each wait for a turn of their own.
        max_tasks=1 if options.get("judge_delay") else None,
        display=display,  # type: ignore[arg-type]
        tags=list(tags) or None,
        retry_attempts=0,
        retry_immediate=False,
    )
    with _alone(folder):
        killed = _ask_again(folder)
        headers = _ended(run, len(tasks), folder)
        if killed:  # what it had done could not be told before it was recovered
            _ask_again(folder)
            headers = _ended(run, len(tasks), folder)
    logs = _in_order([_log(one.location) for one in headers], tasks)
    return Comparisons(tuple(logs), seed, str(folder))


def _pairs(
    model_a: Sequence[Answers | str | Path], model_b: Sequence[Answers | str | Path]
) -> list[tuple[Answers, Answers]]:
    """Return who meets whom."""
    first, second = (_distinct(models) for models in (model_a, model_b))
    if not first or (not second and len(first) < 2):
        raise EveInspectError(
            f"{len(first)} model(s) and {len(second)} baseline(s) make no comparison: name a "
            "baseline (model_b), or two models or more (model_a) that are compared with each other."
        )
    if not second:
        return list(combinations(first, 2))
    return [(a, b) for a in first for b in second]


def _distinct(models: Sequence[Answers | str | Path]) -> list[Answers]:
    """Return the entries of a list, of which no two may be one."""
    found = [one if isinstance(one, Answers) else Answers(one) for one in models]
    known = [(str(one.source), one.name) for one in found]
    repeated = next((one for one in known if known.count(one) > 1), None)
    if repeated is not None:
        source, name = repeated
        raise EveInspectError(
            f"{source if name is None else name!r} is named twice: name each model once."
        )
    return found


def _check(seed: object, limit: object, options: Mapping[str, Any]) -> None:
    """Make sure that numbers are some, and that each option is one of the task's."""
    for name, value, least in (("seed", seed, 0), ("limit", limit, 1)):
        whole = isinstance(value, int) and not isinstance(value, bool)
        if value is not None and not (whole and int(str(value)) >= least):
            raise EveInspectError(
                f"{name}={value!r} is not offered: use a whole number from {least} on, or None."
            )
    offered = [one for one in inspect.signature(win_rate).parameters if one not in _OWN_OPTIONS]
    unknown = next((one for one in options if one not in offered), None)
    if unknown is not None:
        raise EveInspectError(
            f"{unknown!r} is no argument that can be set here: the task win_rate takes "
            f"{', '.join(offered)}."
        )


def _check_names(tasks: Sequence[Task]) -> None:
    """Make sure that a name stands for one source, since ranks and files go by names."""
    known: dict[str, str] = {}
    for task in tasks:
        for side in _sides(task.metadata or {}):
            source = known.setdefault(side["name"], side["source"])
            if source != side["source"]:
                raise EveInspectError(
                    f"{side['name']!r} is the name of both {source!r} and {side['source']!r}: "
                    "give each model a name of its own."
                )


def _model(judge: str | Model) -> Model:
    if isinstance(judge, Model):
        return judge
    try:
        return get_model(judge)
    except Exception as error:  # every provider has errors of its own
        reason = " ".join(str(error).split())
        raise EveInspectError(f"judge {judge!r} cannot be used: {reason}") from error


def _task(a: Answers, b: Answers, seed: int, options: Mapping[str, Any]) -> Task:
    return win_rate(
        model_a=str(a.source),
        model_b=str(b.source),
        name_a=a.name,
        name_b=b.name,
        columns_a=None if a.columns is None else dict(a.columns),
        columns_b=None if b.columns is None else dict(b.columns),
        seed=seed,
        **options,
    )


def _folder(
    log_dir: str | Path,
    pairs: Sequence[tuple[Answers, Answers]],
    panel: Sequence[Model],
    seed: int | None,
    limit: int | None,
    options: Mapping[str, Any],
) -> Path:
    """Return the folder of a comparison: another one when anything that counts is another."""
    if "://" in str(log_dir):
        raise EveInspectError(f"log_dir={str(log_dir)!r} is a URL: name a folder of this machine.")
    sides = [
        [str(one.source), one.name, dict(one.columns or {}), _digest(one.source)]
        for pair in pairs
        for one in pair
    ]
    judges = [identity(judge) for judge in panel]
    rubric = options.get("rubric")
    texts = _digest(rubric) if isinstance(rubric, str) else ""
    text = json.dumps([sides, judges, seed, limit, options, texts], sort_keys=True, default=str)
    name = f"win_rate-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return user_path("log_dir", log_dir) / name


def _digest(source: str | Path) -> str:
    """Return a digest of a file's content; empty for one that is not there, which is told later."""
    path = user_path("model", source)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _seed(folder: Path) -> int:
    """Return the seed that an earlier run of the same comparison drew, or a new one."""
    recorded = folder / "seed"
    text = recorded.read_text(encoding="utf-8").strip() if recorded.is_file() else ""
    # It is written before the first log: where it is not whole, there is no log either.
    if text.isdecimal():
        return int(text)
    return secrets.randbelow(_SEEDS)


def _keep_seed(folder: Path, seed: int) -> None:
    """Make the folder, with the seed in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "seed").write_text(f"{seed}\n", encoding="utf-8")
    except OSError as error:
        raise EveInspectError(
            f"log_dir={str(folder.parent)!r} cannot be written to: "
            f"{error.strerror or type(error).__name__}."
        ) from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep a second run of the same comparison out: both would pay for all of it."""
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise EveInspectError(
            f"this comparison is running already, in {str(folder)!r}: wait for it to end; the same "
            "command then costs nothing."
        ) from None
    try:
        yield
    finally:
        lock.release()


def _ended(run: Callable[[], tuple[bool, list[EvalLog]]], many: int, folder: Path) -> list[EvalLog]:
    """Run all comparisons, and make sure that each one ended.

    A run that is interrupted returns what it has, and may call that a success.
    """
    _, headers = run()
    missing = many - sum(one.status == "success" for one in headers)
    if missing < 0:
        raise EveInspectError(
            f"{str(folder)!r} holds {-missing} more logs than there are comparisons: move those "
            "that do not belong there."
        )
    if missing:
        errors = [" ".join(one.error.message.split()) for one in headers if one.error]
        reason = f" ({errors[0]})" if errors else ""
        raise EveInspectError(
            f"{missing} of {many} comparisons did not end{reason}: their logs are in "
            f"{str(folder)!r}, and the same command goes on where they stopped."
        )
    return headers


def _ask_again(folder: Path) -> bool:
    """Give up the pairs of an earlier run that lack a verdict, so that they run again.

    Returns:
        Whether a run was killed: its logs are left as they are, since Inspect recovers them.
    """
    killed = False
    for info in list_eval_logs(str(folder)):
        log = _log(info.name)
        killed = killed or log.status == "started"
        missing = [one.uuid for one in log.samples or [] if one.uuid and _lacks_verdict(one)]
        if missing and log.status != "started":
            reason = ProvenanceData(author="eve-inspect", reason="a verdict is missing")
            write_eval_log(invalidate_samples(log, missing, reason), info.name)
    return killed


def _log(location: str) -> EvalLog:
    path = location.removeprefix("file://")  # so Inspect names what it did not write just now
    try:
        return read_eval_log(path)
    except Exception as error:  # zip, JSON and validation errors, depending on where it breaks off
        raise EveInspectError(
            f"log {path!r} of an earlier run cannot be read ({type(error).__name__}): delete it, "
            "and the same command judges its comparison anew."
        ) from error


def _lacks_verdict(sample: EvalSample) -> bool:
    """Return whether a judge was asked and gave no verdict."""
    records = [
        record
        for one in (sample.scores or {}).values()
        for record in (one.metadata or {}).get("judges", {}).values()
    ]
    return any(record["orders"] and record["outcome"] is None for record in records)


def _in_order(logs: Sequence[EvalLog], tasks: Sequence[Task]) -> list[EvalLog]:
    """Return the logs in the order of the tasks, which they name by their sources."""
    places = {_sources(task.metadata or {}): place for place, task in enumerate(tasks)}
    return sorted(logs, key=lambda log: places[_sources(log.eval.metadata or {})])


def _sources(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{side['name']}\n{side['source']}" for side in _sides(metadata))


def _sides(metadata: Mapping[str, Any]) -> list[dict[str, str]]:
    return [metadata["win_rate"][side] for side in ("model_a", "model_b")]
