"""Comparing many models with many: all pairs in one run, which goes on where it was stopped."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

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
    if not judges:
        raise EveInspectError("no judge is named, and a model never judges itself unasked.")
    panel = [_model(judge) for judge in judges]
    options = options or {}
    folder = _folder(log_dir, pairs, panel, seed, limit, options)
    seed = _seed(folder) if seed is None else seed
    tasks = [_task(a, b, seed, options) for a, b in pairs]
    folder.mkdir(parents=True, exist_ok=True)
    _ask_again(folder)
    (folder / "seed").write_text(f"{seed}\n", encoding="utf-8")
    done, headers = eval_set(
        tasks,
        log_dir=str(folder),
        model_roles={ROLE: panel},
        limit=limit,
        max_samples=max_samples,
        display=display,  # type: ignore[arg-type]
        tags=list(tags) or None,
        retry_attempts=0,
        retry_immediate=False,
    )
    logs = _in_order([read_eval_log(one.location) for one in headers], tasks)
    if not done:
        failed = [f"{one.location} ({one.status})" for one in logs if one.status != "success"]
        raise EveInspectError(
            f"{len(failed)} of {len(logs)} comparisons did not end: {', '.join(failed)}. The same "
            "command goes on where they stopped."
        )
    return Comparisons(tuple(logs), seed, str(folder))


def _pairs(
    model_a: Sequence[Answers | str | Path], model_b: Sequence[Answers | str | Path]
) -> list[tuple[Answers, Answers]]:
    """Return who meets whom."""
    first, second = ([_answers(one) for one in models] for models in (model_a, model_b))
    if not first or (not second and len(first) < 2):
        raise EveInspectError(
            f"{len(first)} model(s) and {len(second)} baseline(s) make no comparison: name a "
            "baseline (model_b), or two models or more (model_a) that are compared with each other."
        )
    if not second:
        return list(combinations(first, 2))
    return [(a, b) for a in first for b in second]


def _answers(one: Answers | str | Path) -> Answers:
    return one if isinstance(one, Answers) else Answers(one)


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
    sides = [
        [str(one.source), one.name, dict(one.columns or {}), _digest(one.source)]
        for pair in pairs
        for one in pair
    ]
    judges = [identity(judge) for judge in panel]
    text = json.dumps([sides, judges, seed, limit, options], sort_keys=True, default=str)
    name = f"win_rate-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return user_path("log_dir", log_dir) / name


def _digest(source: str | Path) -> str:
    """Return a digest of a file's content; empty for one that is not there, which is told later."""
    path = user_path("model", source)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _seed(folder: Path) -> int:
    """Return the seed that an earlier run of the same comparison drew, or a new one."""
    recorded = folder / "seed"
    if recorded.is_file():
        return int(recorded.read_text(encoding="utf-8"))
    return secrets.randbelow(_SEEDS)


def _ask_again(folder: Path) -> None:
    """Give up the pairs of an earlier run that lack a verdict, so that they run again."""
    for info in list_eval_logs(str(folder)):
        log = read_eval_log(info)
        missing = [one.uuid for one in log.samples or [] if one.uuid and _lacks_verdict(one)]
        if missing and log.status == "success":
            reason = ProvenanceData(author="eve-inspect", reason="a verdict is missing")
            write_eval_log(invalidate_samples(log, missing, reason), info.name)


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
    sides = metadata["win_rate"]
    return tuple(
        f"{sides[side]['name']}\n{sides[side]['source']}" for side in ("model_a", "model_b")
    )
