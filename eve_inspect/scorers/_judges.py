"""Which models judge, what they are called, and how they are related to the candidate."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from inspect_ai.model import Model, get_model, model_roles

from eve_inspect._errors import EveInspectError

ROLE = "judge"
"""The model role that the panel sits in, unless a scorer says otherwise."""

Relation = Literal["same_model", "same_family"]

_ENVIRONMENT = ("JUDGE_NAME", "JUDGE_BASE_URL", "JUDGE_API_KEY")
_RUNTIME_SETTINGS = {
    "adaptive_connections",
    "attempt_timeout",
    "batch",
    "cache",
    "fail_on_refusal",
    "max_connections",
    "max_retries",
    "stream_idle_timeout",
    "timeout",
}
"""Settings that change when and whether a reply comes, not what it says."""

RESERVED = frozenset(
    {"avg", "baseline", "difference", "high", "longer", "low", "pooled", "shorter", "similar"}
)
"""Names that are taken: ``llm_as_judge_avg`` is the panel's mean, ``win_rate_low`` a bound."""

_FAMILY_WORDS = {
    "chatgpt": "gpt",
    "codestral": "mistral",
    "davinci": "gpt",
    "devstral": "mistral",
    "eve": "mistral",  # EVE-Instruct is trained from Mistral Small
    "magistral": "mistral",
    "ministral": "mistral",
    "mixtral": "mistral",
    "pixtral": "mistral",
    "o": "gpt",
    "qwq": "qwen",
    "tulu": "llama",
    "vicuna": "llama",
}
"""First words of model names that belong to the family of another word."""

_FAMILY = re.compile(r"[a-z]{2,}|\bo(?=\d)")


SampleKey: TypeAlias = tuple[str, int]
"""A sample's id and its epoch."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A member of the panel.

    Attributes:
        name: Its short name, no other judge's of the panel.
        model: Its model's full name.
        identity: The first 16 hex digits of the SHA-256 of model and settings.
        live: The model to ask; None for a judge of whom only recorded verdicts are at hand.
    """

    name: str
    model: str
    identity: str
    live: Model | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is known from an earlier scoring of a log.

    Attributes:
        verdicts: Metadata of each sample's verdicts, by the judge's name: an equal request on the
            same sample is not made again.
        judges: Judges who sit in the panel by their recorded verdicts alone.
    """

    verdicts: Mapping[SampleKey, Mapping[str, Mapping[str, Any]]]
    judges: tuple[Judge, ...] = ()


RECORDED: ContextVar[Recorded | None] = ContextVar("RECORDED", default=None)
"""What the scoring that is going on may take over; None for nothing."""


def configured_judges(role: str = ROLE) -> list[Judge]:
    """Return the panel: the models of a role, else the one that ``JUDGE_NAME`` names.

    Roles are known while a sample is solved or scored and, on Inspect's command line, while a task
    is made.

    Args:
        role: The model role.

    Returns:
        The judges in the order in which they were given, after recorded ones; empty when none is
        configured.

    Raises:
        EveInspectError: The ``JUDGE_`` variables of the environment are incomplete.
    """
    recorded = RECORDED.get()
    kept = recorded.judges if recorded else ()
    bound = model_roles().get(role)
    if bound is None and not kept:
        bound = _judge_of_environment()
    models = bound if isinstance(bound, list) else [bound] if bound is not None else []
    taken = [judge.name for judge in kept]
    names = judge_names([str(model) for model in models], taken)
    found = zip(names, models, strict=True)
    return [*kept, *(Judge(name, str(model), identity(model), model) for name, model in found)]


def identity(model: Model) -> str:
    """Return what tells two judges apart: a digest of model, base URL, arguments and settings.

    Neither keys nor what only concerns the delivery of a reply (retries, connections, cache) count.
    """
    config = model.config.model_dump(exclude_none=True, exclude=_RUNTIME_SETTINGS)
    arguments = {k: v for k, v in model.model_args.items() if not _is_secret(k)}
    settings = [str(model), model.api.base_url, arguments, config]
    text = json.dumps(settings, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def panel(role: str = ROLE) -> list[Judge]:
    """Return the panel, which has to be there.

    Raises:
        EveInspectError: No judge is configured.
    """
    judges = configured_judges(role)
    if not judges:
        raise EveInspectError(no_judge(role))
    return judges


def no_judge(role: str) -> str:
    """Return what a user is told who has configured no judge."""
    return (
        f"no judge is configured, and a model never judges itself unasked: name one or more with "
        f"--model-role {role}=<model>[,<model>...], with model_roles={{{role!r}: [...]}} in "
        "Python, or with JUDGE_NAME, JUDGE_BASE_URL and JUDGE_API_KEY in the environment; or "
        "generate now and judge later with -T judge_later=true."
    )


def judge_names(models: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Return a short name for each model, no two alike.

    A name is the last part of the model's name; where two models share it, as much more of each as
    tells them apart. The same model twice is numbered in the order of the panel.

    Args:
        models: Names such as ``openai/gpt-4.1-mini``.
        taken: Names that are already given.
    """
    parts = [[_clean(part) for part in model.split("/")] for model in models]
    width = 1
    names = _joined(parts, width)
    while len(set(names)) < len({"/".join(p) for p in parts}):
        width += 1
        names = [
            longer if names.count(name) > 1 else name
            for name, longer in zip(names, _joined(parts, width), strict=True)
        ]
    return _numbered(names, taken)


def relation(judge: str, candidate: str) -> Relation | None:
    """Return how a judge is related to the model that it judges.

    Args:
        judge: The judge's model name.
        candidate: The candidate's.
    """
    if _short(judge) == _short(candidate):
        return "same_model"
    return "same_family" if family(judge) == family(candidate) else None


def family(model: str) -> str:
    """Return the family that a model's name puts it in: ``gpt``, ``mistral``, ``qwen``, ...

    The name says what a model was called, not what it was trained from; a renamed one is missed.
    """
    short = _short(model)
    for match in _FAMILY.finditer(short):
        word = match.group()
        if word in _FAMILY_WORDS or word in _FAMILY_WORDS.values():
            return _FAMILY_WORDS.get(word, word)
    first = _FAMILY.search(short)
    return first.group() if first else short


def _judge_of_environment() -> Model | None:
    """Return the judge of the earlier tool's variables, an OpenAI-compatible endpoint."""
    name, base_url, api_key = (os.environ.get(key, "").strip() for key in _ENVIRONMENT)
    if not name:
        return None
    missing = [
        key for key, value in zip(_ENVIRONMENT, (name, base_url, api_key), strict=True) if not value
    ]
    if missing:
        raise EveInspectError(
            f"JUDGE_NAME={name!r} is set, but {' and '.join(missing)} is not: set it (any text "
            "will do as the key of a server that asks for none), or unset JUDGE_NAME and name the "
            f"judge with --model-role {ROLE}=<model>."
        )
    base_url = base_url.removesuffix("/").removesuffix("/chat/completions")
    return get_model(f"openai-api/judge/{name}", base_url=base_url, api_key=api_key)


def _clean(part: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", part).strip("-.") or "model"


def _joined(parts: Sequence[Sequence[str]], width: int) -> list[str]:
    return ["-".join(part[-width:]) for part in parts]


def _numbered(names: Sequence[str], given: Collection[str]) -> list[str]:
    taken = {*RESERVED, *given}
    result = []
    for name in names:
        unique, number = name, 1
        while unique in taken or (number > 1 and unique in names):
            number += 1
            unique = f"{name}-{number}"
        taken.add(unique)
        result.append(unique)
    return result


def _short(model: str) -> str:
    return model.rsplit("/", 1)[-1].split(":", maxsplit=1)[0].casefold().removesuffix(".gguf")


def _is_secret(name: str) -> bool:
    lowered = name.casefold()
    return any(word in lowered for word in ("key", "token", "secret", "password", "credential"))
