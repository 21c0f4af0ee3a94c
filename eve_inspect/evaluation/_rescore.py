"""Judging a finished log again, and paying only for verdicts that it does not hold."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.scorers import (
    RECORDED,
    ROLE,
    Judge,
    Recorded,
    SampleKey,
    identity,
    judge_panel,
    refusal_panel,
)

_SHOWN = 200

_ASKED = ("scale", "rubric", "judge_sees_context")
"""Options that change what a judge is asked."""

_SCORED_OTHERWISE = ("mcqa_single", "mcqa_multiple", "hallucination_detection", "win_rate")
"""Our tasks whose answers are not judged."""

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
    options = options or {}
    source = user_path("log", log)
    target = _target(source, output, overwrite=overwrite)
    found = _read(source)
    earlier = _earlier(found)
    panel = [_model(judge) for judge in judges or add_judges]
    kept = _kept(found, earlier) if add_judges else ()
    _check_joining(kept, panel, options)
    scorer = _scorer(found, earlier, options)
    recorded = Recorded(_verdicts(found, earlier), kept)
    roles: dict[str, str | Model | list[str | Model]] = {_role(found, earlier, options): [*panel]}
    _remove(found, earlier)
    with _recorded(recorded), _without_roles(found):
        scored = score(
            found, scorer, action="append", model="none/none", model_roles=roles, copy=False
        )
    _check_heard(scored)
    write_eval_log(scored, str(target))
    return read_eval_log(str(target))


def silent_judges(log: EvalLog) -> dict[str, str]:
    """Return the judges that were asked and gave no verdict at all, with what the last one met.

    Args:
        log: A log with a panel score.
    """
    asked: dict[str, str] = {}
    heard: set[str] = set()
    for details in _details(log, _earlier(log)):
        for name, one in details["judges"].items():
            asked[name] = _reason(one)
            if one["status"] == "scored":
                heard.add(name)
    return {name: why for name, why in asked.items() if name not in heard}


def _reason(record: Mapping[str, Any]) -> str:
    """Return why a verdict is missing, with what the provider said to the last request."""
    reason = (record.get("failures") or [record["status"]])[-1]
    said = " ".join(str(record.get("raw", "")).split())[:_SHOWN]
    return f"{reason} ({said})" if record["status"] == "error" and said else reason


def _check_heard(log: EvalLog) -> None:
    """Make sure that something was judged, and that somebody gave a verdict if anybody was asked.

    Answers that are empty need no judge.
    """
    scored = list(_details(log, _earlier(log)))
    if not scored:
        raise EveInspectError(f"no answer can be judged, so nothing was written: {_why(log)}")
    silent = silent_judges(log)
    names = {name for details in scored for name in details["judges"]}
    if names and names == silent.keys():
        why = "; ".join(f"{name}: {reason}" for name, reason in silent.items())
        raise EveInspectError(f"no judge gave a verdict, so nothing was written: {why}")


def _why(log: EvalLog) -> str:
    """Return what the scorer says of the samples that it was not made for."""
    said = (
        one.explanation
        for sample in log.samples or []
        for name, one in (sample.scores or {}).items()
        if one.explanation and name.startswith(tuple(_SCORERS))
    )
    return next(said, "its samples have no score.")


def _check_joining(
    kept: Sequence[Judge], panel: Sequence[Model], options: Mapping[str, Any]
) -> None:
    """Make sure that judges who join are new, and are asked what the earlier ones were asked."""
    if not kept:
        return
    known = {judge.identity: judge.name for judge in kept}
    twice = next((known[one] for one in map(identity, panel) if one in known), None)
    if twice is not None:
        raise EveInspectError(
            f"judge {twice!r} sits in the log's panel already, with the same settings: name "
            "another one with --add-judge, or the whole new panel with --judge."
        )
    changed = [name for name in _ASKED if name in options]
    if changed:
        raise EveInspectError(
            f"{', '.join(changed)} cannot be changed for judges that join a panel, since the "
            "earlier ones were asked otherwise: name the whole panel with --judge."
        )


def _model(judge: str | Model) -> Model:
    if isinstance(judge, Model):
        return judge
    try:
        return get_model(judge)
    except Exception as error:  # every provider has errors of its own
        reason = " ".join(str(error).split())
        raise EveInspectError(f"judge {judge!r} cannot be used: {reason}") from error


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
    """Return where the new log goes; that it can be written is known before anybody is paid."""
    if output is not None:
        target = _writable(output)
    else:
        target = source if overwrite else source.with_name(f"{source.stem}-rescored{source.suffix}")
    if target.exists() and not overwrite:
        raise EveInspectError(
            f"{str(target)!r} is there already: name another file with --output-file, or allow its "
            "replacement with --overwrite."
        )
    return target


def _writable(output: str | Path) -> Path:
    target = user_path("output", output)
    if target.suffix not in (".eval", ".json"):
        problem = "is no name of a log: it ends with .eval or .json"
    elif target.is_dir():
        problem = "is a folder: name a file"
    elif not target.parent.is_dir():
        problem = f"cannot be written: there is no folder {str(target.parent)!r}, make it first"
    elif not os.access(target if target.exists() else target.parent, os.W_OK):
        problem = "cannot be written: change its permissions, or name another file"
    else:
        return target
    raise EveInspectError(f"--output-file {str(output)!r} {problem}.")


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
        if _is_panel(one)
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
        if one is not None and _is_panel(one):
            yield one.metadata or {}


def _is_panel(score: Score) -> bool:
    """Whether a score is one of our panels', and not another scorer's that names a panel too."""
    return {"panel", "judges", "answer_sha256"} <= (score.metadata or {}).keys()


def _verdicts(
    log: EvalLog, earlier: str | None
) -> dict[SampleKey, Mapping[str, Mapping[str, Any]]]:
    """Return what the earlier panel said, sample by sample."""
    found: dict[SampleKey, Mapping[str, Mapping[str, Any]]] = {}
    for sample in (log.samples or []) if earlier is not None else []:
        one = (sample.scores or {}).get(str(earlier))
        if one is not None and _is_panel(one):
            found[str(sample.id), sample.epoch] = (one.metadata or {})["judges"]
    return found


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
    task = log.eval.task.rpartition("/")[2]
    if task in _SCORED_OTHERWISE:
        raise EveInspectError(
            f"the log is of {task}, whose answers no panel judges: name a log of open_ended, "
            "open_ended_w_context or refusal, or of a task of your own with free answers."
        )
    return "refusal_panel" if task == "refusal" else "judge_panel"


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
