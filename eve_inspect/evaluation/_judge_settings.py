"""The judges of a configuration file, and the models that they are."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, get_args
from urllib.parse import urlsplit

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from eve_inspect._errors import EveInspectError
from eve_inspect.evaluation._config_file import mistake, nearest, number
from eve_inspect.evaluation._setting_types import Settings, Text

if TYPE_CHECKING:
    from inspect_ai.model import Model

_ROUTES = ("/chat/completions", "/completions")
_FROM_ONE = ("attempt_timeout", "max_connections", "max_tokens", "num_choices", "timeout")
_MAY_BE_NEGATIVE = ("frequency_penalty", "presence_penalty", "reasoning_tokens", "seed", "top_k")
_SECRET_HEADER = re.compile(r"(?i)auth|key|token|cookie|secret")
_OWN = ("name", "model", "api_key", "base_url")
_RESERVED = "avg"


def _base_url(value: object) -> str:
    """Return the address of an endpoint, without the route that a client puts after it."""
    if not isinstance(value, str):
        raise mistake("has to be text: put it in quotes")
    url = value.strip().rstrip("/")
    for route in _ROUTES:
        url = url.removesuffix(route).rstrip("/")
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname)
        clean = parts.username is None and not set(url) & set("?#")
        _ = parts.port
    except ValueError:
        named = clean = False
    if not named or any(char.isspace() for char in url):
        raise mistake("has to be an address such as https://api.example.org/v1")
    if not clean:
        raise mistake("has to be an address without user, `?` and `#`: a key belongs to api_key")
    return url


class JudgeSettings(Settings):
    """A judge.

    Attributes:
        name: What it is called in tables and metrics; the last part of its model's name when left
            out.
        model: Its model: with ``base_url`` the endpoint's own name of it, else a name of Inspect's.
        base_url: An OpenAI-compatible endpoint; None for a provider of Inspect's.
        api_key: The key; None lets Inspect look for the provider's variable.
        config: Settings of generation, fields of Inspect's ``GenerateConfig``. In the file they
            stand beside the other keys.
    """

    model: Text
    name: Text = Field(default_factory=lambda data: data["model"].rpartition("/")[2])
    base_url: Annotated[str, BeforeValidator(_base_url)] | None = None
    api_key: SecretStr | None = None
    config: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, value: object, info: ValidationInfo) -> object:
        """Put what the file has beside the other keys where it belongs."""
        if not (info.context and isinstance(value, Mapping)):
            return value
        own = {key: one for key, one in value.items() if key in _OWN}
        return {**own, "config": {key: one for key, one in value.items() if key not in _OWN}}

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if name == _RESERVED:
            raise mistake("is the name of the judges' mean: choose another")
        return name

    @field_validator("api_key", mode="before")
    @classmethod
    def _check_key(cls, key: object) -> object:
        if key is None or isinstance(key, SecretStr):
            return key
        if not isinstance(key, str):
            raise mistake("has to be text: put it in quotes")
        if not key.strip() or not (key.isascii() and key.isprintable()):
            raise mistake("is empty, or holds a character that cannot be sent in a header")
        return key.strip()

    @field_validator("config")
    @classmethod
    def _check_config(cls, config: dict[str, Any]) -> dict[str, Any]:
        return _generation(config)

    @model_validator(mode="after")
    def _check_address(self) -> JudgeSettings:
        if self.base_url is None and "/" not in self.model:
            raise mistake(
                "is no name of Inspect's, which has the form <provider>/<model>: write it so, or "
                "add the base_url of the endpoint that knows this name",
                "model",
            )
        if self.base_url is not None and self.api_key is None:
            raise mistake(
                "is missing, and base_url is there: add a key such as "
                '"${NAME}", or any text for an endpoint that asks for none',
                "api_key",
            )
        return self


def judge_models(judges: Sequence[JudgeSettings], connections: int | None = None) -> list[Model]:
    """Return the models that judge. No request is made.

    Args:
        judges: The judges.
        connections: Requests to a judge at the same time, where its settings do not say it.

    Raises:
        EveInspectError: A model that its provider does not take: unknown, or without a key.
    """
    return [_model(judge, connections) for judge in judges]


def _model(judge: JudgeSettings, connections: int | None) -> Model:
    from inspect_ai.model import GenerateConfig, get_model

    config = dict(judge.config)
    if connections is not None and "adaptive_connections" not in config:
        config.setdefault("max_connections", connections)
    key = judge.api_key.get_secret_value() if judge.api_key else None
    try:
        return get_model(
            _inspect_name(judge),
            config=GenerateConfig.model_validate(config),
            base_url=judge.base_url,
            api_key=key,
        )
    except Exception as error:  # every provider has errors of its own
        reason = " ".join(re.sub(r"\[/?[a-z]+\]", "", str(error)).split())
    reason = reason.replace(key, "***") if key else reason
    raise EveInspectError(
        f"judge {judge.name!r} ({judge.model!r}) cannot be used: {reason.rstrip('.')}."
    )


def _inspect_name(judge: JudgeSettings) -> str:
    """Return the name that Inspect has for a judge's model.

    An endpoint is called after the judge: so each judge has connections of its own.
    """
    if judge.base_url is None or judge.model.startswith("openai-api/"):
        return judge.model
    service = re.sub(r"[^A-Za-z0-9]+", "-", judge.name).strip("-") or "judge"
    return f"openai-api/{service}/{judge.model}"


def _generation(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of generation in their own types; null is one that is left out."""
    from inspect_ai.model import GenerateConfig

    fields = GenerateConfig.model_fields
    given = {}
    for key, value in config.items():
        if key not in fields:
            raise mistake(f"is no key; {nearest(key, [*_OWN, *fields])}", "..", key)
        if value is not None:
            given[key] = _setting(key, value, get_args(fields[key].annotation))
    try:
        return GenerateConfig.model_validate(given).model_dump(exclude_none=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    raise mistake(first["msg"].removeprefix("Value error, "), "..", key)


def _setting(key: str, value: object, types: Sequence[object]) -> object:
    """Return a setting of generation, a number where it spells one; check what is no setting."""
    if isinstance(value, bool) and bool not in types:
        raise mistake("must not be true or false", "..", key)
    if isinstance(value, float) and not math.isfinite(value):
        raise mistake("has to be a finite number", "..", key)
    if key == "extra_headers":
        _check_headers(value)
    found = number(value)
    if not {int, float} & set(types) or found is None:
        return value
    least = 1 if key in _FROM_ONE else 0
    if found < least and key not in _MAY_BE_NEGATIVE:
        raise mistake(f"use a number from {least} on", "..", key)
    return int(found) if int in types and found == int(found) else found


def _check_headers(headers: object) -> None:
    """Make sure that no key is among headers, which stand in the log."""
    names = map(str, headers) if isinstance(headers, Mapping) else ()
    if secret := next(filter(_SECRET_HEADER.search, names), None):
        message = f"{secret!r} would stand in the log: a key belongs to api_key"
        raise mistake(message, "..", "extra_headers")
