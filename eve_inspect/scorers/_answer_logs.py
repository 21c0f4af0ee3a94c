"""Recorded answers of an Inspect log."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessageUser

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import Reply, read_text
from eve_inspect.scorers._answer_sets import AnswerSet, RecordedAnswer
from eve_inspect.scorers._panel import context_in, question_in
from eve_inspect.scorers._reply import reply_in

if TYPE_CHECKING:
    from eve_inspect.scorers._answer_sets import EpochChoice

_OWN = "eve_inspect/"


def log_answers(content: bytes | None, source: str, epochs: EpochChoice, side: str) -> AnswerSet:
    """Read the answers of a log; the arguments are those of ``load_answers``.

    A log that was stopped is read as far as it goes.

    Raises:
        EveInspectError: No log, or one without samples or of a comparison; several epochs where
            one was expected.
    """
    where = f"{side}={source!r}"
    log = _read(content, source, where)
    metadata = log.eval.metadata or {}
    task = log.eval.task.removeprefix(_OWN)
    if task == "win_rate" or "win_rate" in metadata:
        raise EveInspectError(
            f"{where} is the log of a comparison: name a log in which the model gave the answers."
        )
    samples = _epochs(log, epochs, where)
    dataset = metadata.get("dataset")
    print_ = dataset.get("fingerprint") if isinstance(dataset, Mapping) else None
    return AnswerSet(
        name=log.eval.model,
        source=source,
        sha256="",
        task=task,
        fingerprint=None if print_ is None else str(print_),
        prompt=_prompt(log, metadata),
        answers=tuple(map(_answer, samples)),
        model=log.eval.model,
    )


def _read(content: bytes | None, source: str, where: str) -> EvalLog:
    json = source.casefold().endswith(".json")
    try:
        if content is None:
            log = read_eval_log(source)
        else:
            log = read_eval_log(BytesIO(content), format="json" if json else "eval")
    except Exception as error:  # the reader's errors share no base class
        raise EveInspectError(
            f"{where} is no log that can be read ({type(error).__name__})."
        ) from error
    if not log.samples:
        raise EveInspectError(f"{where} holds no samples: name a log that does.")
    return log


def _epochs(log: EvalLog, epochs: EpochChoice, where: str) -> list[EvalSample]:
    """Return the samples of the epochs that are asked for, in the order of the data.

    The log's reader sorts samples by id.
    """
    samples = log.samples or []
    several = max(log.eval.config.epochs or 1, *(sample.epoch for sample in samples))
    if epochs == "single" and several > 1:
        raise EveInspectError(
            f"{where} has {several} epochs: take the first with 'first' or all with 'all' "
            "(answer_epochs, or baseline_epochs of the scorer)."
        )
    places = {key: place for place, key in enumerate(log.eval.dataset.sample_ids or [])}
    taken = [sample for sample in samples if epochs == "all" or sample.epoch == 1]
    if not taken:
        raise EveInspectError(f"{where} holds no sample of the first epoch: use 'all'.")
    return sorted(taken, key=lambda one: (one.epoch, places.get(one.id, len(places))))


def _prompt(log: EvalLog, metadata: Mapping[str, Any]) -> str | None:
    """Return what the model was shown beside the question, in words; None if not recorded."""
    info = metadata.get("prompt")
    if not isinstance(info, Mapping):
        return None
    words = [" ".join(str(info[key]) for key in ("name", "version") if key in info)]
    if "sha256" in info:
        words[0] += f" ({str(info['sha256'])[:8]})"
    for step in log.plan.steps:
        if step.solver.removeprefix(_OWN) == "fewshot":
            shown = {key: str(step.params.get(key)) for key in ("n", "sampler", "seed")}
            shown["pool"] = str(step.params.get("contents", ""))[:8]
            words.append("fewshot " + " ".join(f"{key}={value}" for key, value in shown.items()))
    given = log.eval.task_args
    words += [f"{key}={given[key]}" for key in ("context", "context_chars") if key in given]
    return ", ".join(words)


def _answer(sample: EvalSample) -> RecordedAnswer:
    """Return the answer of a sample; one that failed, or was declared invalid, is an error."""
    if sample.error is not None:
        reply = Reply(None, error=sample.error.message or "the sample failed")
    elif sample.invalidation is not None:
        reply = Reply(None, error="the sample was declared invalid")
    else:
        reply = reply_in(sample.output)
    text = _input_text(sample)
    target = sample.target
    return RecordedAnswer(
        id=str(sample.id),
        epoch=sample.epoch,
        question=question_in(sample.metadata, text),
        reference=target if isinstance(target, str) else "".join(target),
        context=context_in(sample.metadata, text),
        reading=read_text(reply),
    )


def _input_text(sample: EvalSample) -> str:
    """Return the text that was asked, as a task's state tells it: the last user message."""
    if isinstance(sample.input, str):
        return sample.input
    users = [message for message in sample.input if isinstance(message, ChatMessageUser)]
    return users[-1].text if users else ""
