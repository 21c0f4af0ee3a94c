"""Asking judges: how they are asked, what counts as no verdict, and what it cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Generic, Literal, TypeVar

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelOutput, ResponseSchema
from inspect_ai.util import span

from eve_inspect._providers import turned_down
from eve_inspect.answers import JudgeReading, JudgeStatus, Reply
from eve_inspect.scorers._judges import Judge, SampleKey
from eve_inspect.scorers._recalling import recalled, request_key
from eve_inspect.scorers._reply import reply_in

T = TypeVar("T")

Mode = Literal["schema", "json", "text"]
"""How a reply's form is asked for besides the words: a schema, any JSON, not at all."""

_JSON_MODE = (
    *("deepseek", "fireworks", "gguf", "groq", "ollama"),
    *("openai-api", "openrouter", "sglang", "together", "vllm"),
)
"""Providers that pass ``response_format`` on as it is."""

_MAX_RETRIES = 5
"""Retries of one request, where a judge's own settings say nothing: about two minutes of waiting.
Inspect would go on for ever, and a dead judge would hold up the run."""

_DOWN_AFTER = 6
"""Requests of a judge that failed in a row, with all their retries, before it counts as down. Then
each question is asked once and at once, until one is answered."""

_MAX_TOKENS = 4096
"""Tokens of one reply, where a judge's own settings say nothing: room for a judge that reasons, and
an end to one that never stops."""


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """What every judge of a panel is asked about one answer.

    Attributes:
        message: The user message.
        schema: The form of the reply.
        read: Reads a reply.
    """

    message: str
    schema: ResponseSchema
    read: Callable[[Reply], JudgeReading[T]]


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """What became of one judge's question; all of it goes into the log.

    Attributes:
        model: The judge's model.
        identity: Of the judge's model and settings.
        request: Of the judge and of all that it was asked; an equal one need not be asked again.
        verdict: The verdict on the judge's own scale; None if the judge is missing.
        status: ``scored``, or why the last attempt gave none.
        rationale: What the judge said for it.
        raw: The last reply as it came.
        method: How the verdict was read.
        flags: What is worth an audit.
        attempts: Requests that were made for it, 1 when nothing went wrong.
        failures: What was wrong with each attempt before the last, and with the last if it failed.
        input_tokens: Tokens of all attempts, as the provider counted them.
        output_tokens: Likewise.
        mode: How the form of the last reply was asked for.
    """

    model: str
    identity: str
    request: str
    verdict: T | None
    status: JudgeStatus
    rationale: str = ""
    raw: str = ""
    method: str = ""
    flags: tuple[str, ...] = ()
    attempts: int = 1
    failures: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    mode: Mode = "text"

    def to_metadata(self) -> dict[str, Any]:
        """Return it as JSON-able values."""
        return {**asdict(self), "flags": list(self.flags), "failures": list(self.failures)}


@dataclass(slots=True)
class _Learnt:
    """What is known of a judge.

    Attributes:
        mode: The mode to ask in; None before the first request.
        taken: Whether the provider has taken that mode.
        failures: Requests in a row that brought no reply.
        lock: Held by the first request.
        turn: Time from which on the next request may start.
    """

    mode: Mode | None = None
    taken: bool = False
    failures: int = 0
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    turn: float = 0.0

    async def wait_turn(self, delay: float) -> None:
        """Wait until so many seconds have passed since the start of the request before."""
        if delay:
            now = anyio.current_time()
            start = max(now, self.turn)
            self.turn = start + delay
            await anyio.sleep(start - now)

    def known(self) -> bool:
        """Whether a request went through, or at least was tried."""
        return self.mode is not None

    def take(self, mode: Mode) -> None:
        """Keep to the first mode that goes through, be another one needed for single requests."""
        if not self.taken:
            self.mode, self.taken = mode, True

    def settle(self) -> None:
        """Let the others go, if nothing was learnt in the mode that was tried first."""
        if self.mode is None:
            self.mode = "schema"

    def note(self, status: JudgeStatus) -> None:
        """Count failures in a row; whatever was replied ends the row."""
        self.failures = self.failures + 1 if status == "error" else 0

    def down(self) -> bool:
        """Whether the judge has failed so often that waiting for it helps nobody."""
        return self.failures >= _DOWN_AFTER


@dataclass(slots=True)
class _Heard(Generic[T]):
    """What one attempt brought."""

    reading: JudgeReading[T]
    cut: bool = False
    raw: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class Panel(Generic[T]):
    """Asks the judges of a panel, all at once, and remembers what their providers take.

    Args:
        attempts: Further requests to a judge whose reply gave no verdict.
        delay: Least seconds between the starts of two requests to one judge.
    """

    def __init__(self, attempts: int, delay: float = 0.0) -> None:
        self._attempts = attempts
        self._delay = delay
        self._learnt: defaultdict[str, _Learnt] = defaultdict(_Learnt)

    async def ask(
        self, judges: Sequence[Judge], request: Request[T], sample: SampleKey | None = None
    ) -> dict[str, Verdict[T]]:
        """Return every judge's verdict by the judge's name, in the order of the panel.

        Args:
            judges: The panel.
            request: What they are asked.
            sample: Whose recorded verdicts may be taken over; None for nobody's.
        """
        known = recalled(judges, request.message, sample)
        verdicts: dict[str, Verdict[T]] = {}

        async def one(judge: Judge) -> None:
            async with span(name=judge.name, type="judge"):
                if judge.name in known:
                    verdicts[judge.name] = _recall(known[judge.name])
                else:
                    verdicts[judge.name] = await self._ask_judge(judge, request)

        async with anyio.create_task_group() as group:
            for judge in judges:
                group.start_soon(one, judge)
        return {judge.name: verdicts[judge.name] for judge in judges}

    async def _ask_judge(self, judge: Judge, request: Request[T]) -> Verdict[T]:
        key = request_key(judge, request.message)
        if judge.live is None:
            failure = "no verdict was recorded, and the judge is not asked again"
            return Verdict(
                judge.model, judge.identity, key, None, "error", attempts=0, failures=(failure,)
            )
        learnt = self._learnt[judge.identity]
        heard: list[_Heard[T]] = []
        message = request.message
        budget = 1
        for attempt in range(1 + self._attempts):
            if heard:
                reading = heard[-1].reading
                message = f"{request.message}\n\n{_again(attempt, reading.problem)}"
                budget *= 2 if heard[-1].cut else 1
            heard.append(await self._hear(judge, judge.live, request, message, budget))
            learnt.note(heard[-1].reading.status)
            if heard[-1].reading.status == "scored" or learnt.down():
                break
        return self._verdict(judge, key, heard)

    def _verdict(self, judge: Judge, key: str, heard: Sequence[_Heard[T]]) -> Verdict[T]:
        last = heard[-1].reading
        return Verdict(
            model=judge.model,
            identity=judge.identity,
            request=key,
            verdict=last.verdict,
            status=last.status,
            rationale=last.rationale,
            raw=heard[-1].raw,
            method=last.method,
            flags=last.flags,
            attempts=len(heard),
            failures=tuple(
                f"{one.reading.status}: {one.reading.problem}"
                for one in heard
                if one.reading.status != "scored"
            ),
            input_tokens=sum(one.input_tokens for one in heard),
            output_tokens=sum(one.output_tokens for one in heard),
            mode=self._learnt[judge.identity].mode or "schema",
        )

    async def _hear(
        self, judge: Judge, model: Model, request: Request[T], message: str, budget: int
    ) -> _Heard[T]:
        """Make one request and read the reply; whatever fails is a reading that says so."""
        try:
            output = await self._generate(judge, model, request.schema, message, budget)
        except Exception as error:  # providers' errors share no base class
            return _Heard(_failed("no reply was received"), raw=_told(error))
        usage = output.usage
        reply = reply_in(output)
        return _Heard(
            request.read(reply),
            reply.cut,
            output.completion or (output.error or ""),
            usage.input_tokens if usage else 0,
            usage.output_tokens if usage else 0,
        )

    async def _generate(
        self, judge: Judge, model: Model, schema: ResponseSchema, message: str, budget: int
    ) -> ModelOutput:
        """Generate in the mode that the judge's provider takes.

        The first request of a judge goes alone, so that a mode which is turned down is paid for
        once; the others wait for what it learns. If it learns nothing, they go as it went.
        """
        learnt = self._learnt[judge.identity]
        call = partial(_in_modes, model, schema, message, budget, self._delay)
        if not learnt.known():
            async with learnt.lock:
                if not learnt.known():
                    try:
                        return await call(learnt)
                    finally:
                        learnt.settle()
        return await call(learnt)


async def _in_modes(
    model: Model,
    schema: ResponseSchema,
    message: str,
    budget: int,
    delay: float,
    learnt: _Learnt,
) -> ModelOutput:
    """Generate in the known mode, or in the next one that is not turned down."""
    modes = _modes(model)
    left = modes[modes.index(learnt.mode or modes[0]) :]

    async def generate(mode: Mode) -> ModelOutput:
        config = _config(model, schema, mode, budget)
        if learnt.down():
            config.max_retries = 0
        await learnt.wait_turn(delay)
        output = await model.generate(message, config=config)
        learnt.take(mode)
        return output

    for mode in left[:-1]:
        try:
            return await generate(mode)
        except Exception as error:
            if not turned_down(error):
                raise
    return await generate(left[-1])


def _recall(recorded: Mapping[str, Any]) -> Verdict[Any]:
    """Make a verdict of its metadata."""
    values = {name: recorded[name] for name in Verdict.__dataclass_fields__ if name in recorded}
    for name in {"flags", "failures"} & values.keys():
        values[name] = tuple(values[name])
    return Verdict(**values)


def _again(attempt: int, problem: str) -> str:
    """Return the line that makes a further attempt a request of its own."""
    return (
        f"(Attempt {attempt + 1}: the previous reply could not be used, since {problem}. Reply "
        "with the JSON object alone, with every key it should have.)"
    )


def _told(error: Exception) -> str:
    """Return what a provider's error says, without the envelope of the retries around it."""
    last = getattr(error, "last_attempt", None)
    cause = last.exception() if last is not None else error
    return f"{type(cause).__name__}: {cause}"[:2000]


def _failed(problem: str) -> JudgeReading[Any]:
    return JudgeReading(None, "error", problem=problem)


def _modes(model: Model) -> list[Mode]:
    provider = str(model).split("/", 1)[0]
    return ["schema", "json", "text"] if provider in _JSON_MODE else ["schema", "text"]


def _config(model: Model, schema: ResponseSchema, mode: Mode, budget: int) -> GenerateConfig:
    """Return what is asked for where the judge's own settings say nothing."""
    own = model.config
    config = GenerateConfig()
    if own.temperature is None:
        config.temperature = 0.0
    if own.max_retries is None:
        config.max_retries = _MAX_RETRIES
    if own.max_tokens is None or budget > 1:
        config.max_tokens = (own.max_tokens or _MAX_TOKENS) * budget
    if mode == "schema":
        config.response_schema = schema
    elif mode == "json":
        config.extra_body = {
            **(own.extra_body or {}),
            "response_format": {"type": "json_object"},
        }
    return config
