"""Judging a finished log again, and paying only for verdicts that it does not hold."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import Model
from inspect_ai.scorer import Scorer

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.scorers import (
    RECORDED,
    ROLE,
    Judge,
    Recorded,
    judge_panel,
    recorded_verdicts,
    refusal_panel,
)

_SCORERS: Mapping[str, Callable[..., Scorer]] = {
    "judge_panel": judge_panel,
    "refusal_panel": refusal_panel,
}


def rescore(
    log: str | Path,
    judges: Sequence[str | Model] = (),
    *,
    add_judges: Sequence[str | Model] = (),
    options: Mapping[str, Any] | None = None,
    output: str | Path | None = None,
    overwrite: bool = False,
) -> EvalLog:
    """Judge a finished log by another panel, and pay only for verdicts that it does not hold.

    A recorded verdict is taken over when judge, settings, rubric, question, reference, answer and
    documents are all the same. The log then holds one panel score, in the place of the earlier one;
    scores of other scorers stay.

    Args:
        log: Path of the log.
        judges: The new panel: models, or their names. Verdicts of those who were in the earlier
            panel are taken over, their missing ones are asked for again.
        add_judges: Models that join the earlier panel, whose verdicts stay as they are; its own
            models are not called.
        options: Arguments of the scorer (``scale``, ``rubric``, ``quorum``, ...) that replace
            those the log was scored with, or its task was given.
        output: Where the new log is written; ``<log>-rescored.eval`` beside the log when left out.
        overwrite: Whether a file that is there may be replaced; without ``output``, the log itself.

    Returns:
        The new log, as it was written.

    Raises:
        EveInspectError: A log that cannot be read or has nothing to judge, no judge or unknown
            ones, options that the scorer does not have, or a file that must not be replaced.
    """
    if bool(judges) == bool(add_judges):
        raise EveInspectError(
            "say either which judges make the new panel (judges), or which ones join the panel "
            "that the log was scored by (add_judges)."
        )
    source = user_path("log", log)
    target = _target(source, output, overwrite=overwrite)
    found = _read(source)
    earlier = _earlier(found)
    kept = _kept(found, earlier) if add_judges else ()
    scorer = _scorer(found, earlier, options or {})
    recorded = Recorded(_verdicts(found, earlier), kept)
    roles = {_role(found, earlier, options or {}): list(judges or add_judges)}
    _remove(found, earlier)
    with _recorded(recorded), _without_roles(found):
        scored = score(
            found, scorer, action="append", model="none/none", model_roles=roles, copy=False
        )
    write_eval_log(scored, str(target))
    return read_eval_log(str(target))


@contextmanager
def _recorded(recorded: Recorded) -> Iterator[None]:
    token = RECORDED.set(recorded)
    try:
        yield
    finally:
        RECORDED.reset(token)


@contextmanager
def _without_roles(log: EvalLog) -> Iterator[None]:
    """Keep Inspect from making the judges of the log again, whose keys may not be at hand."""
    roles, log.eval.model_roles = log.eval.model_roles, None
    try:
        yield
    finally:
        log.eval.model_roles = roles


def _target(source: Path, output: str | Path | None, *, overwrite: bool) -> Path:
    """Return where the new log goes."""
    if output is not None:
        target = user_path("output", output)
    else:
        target = source if overwrite else source.with_name(f"{source.stem}-rescored{source.suffix}")
    if target.exists() and not overwrite:
        raise EveInspectError(
            f"{str(target)!r} is there already: name another file with --output-file, or allow its "
            "replacement with --overwrite."
        )
    return target


def _read(source: Path) -> EvalLog:
    if not source.is_file():
        raise EveInspectError(f"log {str(source)!r} does not exist.")
    try:
        log = read_eval_log(str(source))
    except Exception as error:  # the reader's errors share no base class
        raise EveInspectError(
            f"{str(source)!r} is no log that can be read ({type(error).__name__})."
        ) from error
    if not log.samples:
        raise EveInspectError(f"{str(source)!r} holds no samples that could be judged.")
    return log


def _earlier(log: EvalLog) -> str | None:
    """Return the panel score that the log has, if it has one."""
    names = {
        name
        for sample in log.samples or []
        for name, one in (sample.scores or {}).items()
        if "panel" in (one.metadata or {})
    }
    if len(names) > 1:
        raise EveInspectError(
            f"the log has several panel scores ({', '.join(sorted(names))}), and which one to take "
            "over cannot be told: score its original again."
        )
    return next(iter(names), None)


def _details(log: EvalLog, earlier: str | None) -> Iterator[Mapping[str, Any]]:
    """Yield what the earlier panel wrote into the samples' scores."""
    if earlier is None:
        return
    for sample in log.samples or []:
        one = (sample.scores or {}).get(earlier)
        if one is not None and "panel" in (one.metadata or {}):
            yield one.metadata or {}


def _verdicts(log: EvalLog, earlier: str | None) -> dict[str, Mapping[str, Any]]:
    verdicts: dict[str, Mapping[str, Any]] = {}
    for details in _details(log, earlier):
        verdicts.update(recorded_verdicts(details))
    return verdicts


def _kept(log: EvalLog, earlier: str | None) -> tuple[Judge, ...]:
    """Return the earlier panel, as members who are not asked again."""
    kept: dict[str, Judge] = {}
    for details in _details(log, earlier):
        for name, one in details["judges"].items():
            kept.setdefault(name, Judge(name, one["model"], one["identity"], live=None))
    if not kept:
        raise EveInspectError(
            "the log has no panel score that judges could join: say which judges make the panel "
            "(--judge)."
        )
    return tuple(kept.values())


def _base(log: EvalLog, earlier: str | None) -> str:
    """Return the name of the scorer that judges the log."""
    if earlier is not None:
        return next((name for name in _SCORERS if earlier.startswith(name)), "judge_panel")
    return "refusal_panel" if log.eval.task.endswith("refusal") else "judge_panel"


def _options(log: EvalLog, earlier: str | None) -> dict[str, Any]:
    """Return the arguments that the log was scored with, or that its task was given."""
    base = _base(log, earlier)
    for one in log.eval.scorers or []:
        if one.name.rpartition("/")[2] == base:
            return dict(one.options or {})
    known = inspect.signature(_SCORERS[base]).parameters
    return {name: value for name, value in log.eval.task_args.items() if name in known}


def _scorer(log: EvalLog, earlier: str | None, options: Mapping[str, Any]) -> Scorer:
    """Make the scorer with the log's arguments, some of them replaced."""
    base = _base(log, earlier)
    known = inspect.signature(_SCORERS[base]).parameters
    unknown = [name for name in options if name not in known]
    if unknown:
        raise EveInspectError(
            f"{base} has no option {', '.join(map(repr, unknown))}: it has {', '.join(known)}."
        )
    return _SCORERS[base](**{**_options(log, earlier), **options})


def _role(log: EvalLog, earlier: str | None, options: Mapping[str, Any]) -> str:
    return str({**_options(log, earlier), **options}.get("role", ROLE))


def _remove(log: EvalLog, earlier: str | None) -> None:
    """Take the earlier panel score out of the log, with all that was made of it."""
    if earlier is None:
        return
    base = _base(log, earlier)
    for sample in log.samples or []:
        (sample.scores or {}).pop(earlier, None)
    if log.results is not None:
        log.results.scores = [one for one in log.results.scores if one.scorer != earlier]
    log.reductions = [one for one in log.reductions or [] if one.scorer != earlier] or None
    log.eval.scorers = [
        one for one in log.eval.scorers or [] if one.name.rpartition("/")[2] != base
    ]
