"""One llama.cpp server inside this process: its options, its start and its end."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from eve_inspect._errors import EveInspectError

if TYPE_CHECKING:
    from eve_inspect.models._weights import Weights

_SILENT: Final = -1
_EXIT_PATIENCE_SECONDS: Final = 30.0


class _Server(Protocol):
    """What is used of ``xllamacpp.Server``."""

    @property
    def listening_address(self) -> str: ...


@dataclass(frozen=True)
class ServerOptions:
    """How much of the machine a local model may use.

    Attributes:
        threads: Processor threads, 1 to 512.
        context: Tokens that one request may hold, prompt and reply together, 128 to 1,048,576.
            llama.cpp lowers it to the length that the model was trained on.
        parallel: Requests answered at the same time, 1 to 64; each has its own context in memory.
        prefix_cache: Whether a request reuses the work on the words that it begins with, if the
            request before it in the same slot began with them too.

    Raises:
        EveInspectError: A number is not whole or out of bounds, or a switch is neither true nor
            false.
    """

    threads: int
    context: int
    parallel: int
    prefix_cache: bool

    def __post_init__(self) -> None:
        _check("threads", self.threads, 1, 512)
        _check("context", self.context, 128, 1_048_576)
        _check("parallel", self.parallel, 1, 64)
        if not isinstance(self.prefix_cache, bool):
            raise EveInspectError(
                f"The gguf provider cannot use prefix_cache={self.prefix_cache!r}: "
                "-M prefix_cache= takes true or false"
            )


def default_threads() -> int:
    """Count the usable cores but one.

    llama.cpp's threads wait for each other at every step, so a single one that shares its core,
    with Inspect itself to begin with, holds up all of them: two threads on two busy cores were
    two to ten times slower than one.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, cores - 1)


def _check(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise EveInspectError(
            f"The gguf provider cannot use {name}={value!r}: "
            f"-M {name}= takes a whole number from {low} to {high}"
        )


class LocalServer:
    """A llama.cpp server on a free loopback port, started once, at the first request.

    Its destructor waits for open requests and holds Python's lock while it waits, so a server is
    only let go when no request is left: requests take a lease, and `close` leaves the work to the
    last lease. A server that was closed starts again at the next request.
    """

    def __init__(self, weights: Weights, options: ServerOptions) -> None:
        self.api_key = secrets.token_urlsafe(16)
        self._weights = weights
        self._options = options
        self._changed = threading.Condition()
        self._server: _Server | None = None
        self._leases = 0
        self._closing = False
        self._over = False

    @property
    def running(self) -> bool:
        """Whether the model is loaded."""
        return self._server is not None

    def start(self) -> None:
        """Load the model unless it is loaded; callers at the same time wait for one load.

        Raises:
            EveInspectError: llama.cpp cannot load the file.
        """
        with self._changed:
            self._start()

    @contextmanager
    def lease(self) -> Iterator[str]:
        """Keep the server up for one request.

        Yields:
            The base address of its OpenAI protocol.
        """
        with self._changed:
            address = f"{self._start().listening_address}/v1"
            self._leases += 1
        try:
            yield address
        finally:
            with self._changed:
                self._leases -= 1
                if self._closing and not self._leases:
                    self._server = None
                self._changed.notify_all()

    def close(self) -> None:
        """Stop the server now, or after the last request that runs."""
        with self._changed:
            self._closing = True
            if not self._leases:
                self._server = None

    def shut_down(self) -> None:
        """Stop for good, at the end of the process: running requests may finish first."""
        with self._changed:
            self._over = True
            self._changed.wait_for(lambda: not self._leases, timeout=_EXIT_PATIENCE_SECONDS)
            self._server = None

    def _start(self) -> _Server:
        if self._over:
            raise RuntimeError("The process ends: the local model takes no more requests.")
        self._closing = False
        if self._server is None:
            self._server = _launch(self._weights, self._options, self.api_key)
        return self._server


def _launch(weights: Weights, options: ServerOptions, api_key: str) -> _Server:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights.path)
    params.model_alias = {weights.name}
    params.verbosity = _SILENT
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [api_key]
    params.ui = False
    params.endpoint_slots = False
    # llama.cpp shares n_ctx out among the slots.
    params.n_ctx = options.context * options.parallel
    params.n_parallel = options.parallel
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    params.cache_prompt = options.prefix_cache
    # By default up to 8 GiB of past prompts would pile up in memory.
    params.cache_ram_mib = 0
    try:
        server: _Server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise EveInspectError(
            f"llama.cpp cannot load gguf/{weights.name}: the file is damaged or of a kind that it "
            f"does not know, or memory is short ({options})"
        ) from error
    return server
