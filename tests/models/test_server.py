"""Options and the life of the local server, with a stand-in for llama.cpp."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.models._server import LocalServer, ServerOptions, default_threads
from eve_inspect.models._weights import Weights

OPTIONS = ServerOptions(threads=1, context=512, parallel=3, prefix_cache=False)


class Llama(ModuleType):
    """A stand-in for ``xllamacpp`` that records what is started and let go."""

    def __init__(self, fault: Exception | None = None) -> None:
        super().__init__("xllamacpp")
        self.started: list[SimpleNamespace] = []
        self.ended = 0
        llama = self

        class Server:
            def __init__(self, params: SimpleNamespace) -> None:
                if fault is not None:
                    raise fault
                llama.started.append(params)
                self.listening_address = f"http://127.0.0.1:{len(llama.started)}"

            def __del__(self) -> None:
                llama.ended += hasattr(self, "listening_address")

        self.Server = Server

    @staticmethod
    def CommonParams() -> SimpleNamespace:  # noqa: N802 - the name of the real class
        parts = {name: SimpleNamespace() for name in ("model", "cpuparams", "cpuparams_batch")}
        return SimpleNamespace(**parts)


Install = Callable[..., Llama]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a stand-in in the place of ``xllamacpp``."""

    def put(fault: Exception | None = None) -> Llama:
        llama = Llama(fault)
        monkeypatch.setitem(sys.modules, "xllamacpp", llama)
        return llama

    return put


@pytest.fixture
def local() -> LocalServer:
    return LocalServer(Weights("tiny", Path("folder/tiny.gguf")), OPTIONS)


@pytest.mark.parametrize(
    ("name", "value", "bounds"),
    [
        pytest.param("threads", 0, "from 1 to 512", id="no thread"),
        pytest.param("threads", "two", "from 1 to 512", id="word"),
        pytest.param("threads", 1.5, "from 1 to 512", id="fraction"),
        pytest.param("threads", True, "from 1 to 512", id="truth value"),
        pytest.param("context", 64, "from 128 to 1048576", id="small context"),
        pytest.param("context", 2**21, "from 128 to 1048576", id="huge context"),
        pytest.param("context", None, "from 128 to 1048576", id="none"),
        pytest.param("parallel", 0, "from 1 to 64", id="no slot"),
        pytest.param("parallel", 65, "from 1 to 64", id="many slots"),
        pytest.param("parallel", [2], "from 1 to 64", id="list"),
        pytest.param("prefix_cache", "off", "true or false", id="other word for false"),
        pytest.param("prefix_cache", 1, "true or false", id="number"),
    ],
)
def test_wrong_options(name: str, value: Any, bounds: str) -> None:
    with pytest.raises(EveInspectError) as caught:
        replace(OPTIONS, **{name: value})
    message = str(caught.value)
    assert f"{name}={value!r}" in message
    assert bounds in message
    assert "\n" not in message


def test_bounds_are_allowed() -> None:
    assert replace(OPTIONS, threads=512, context=128, parallel=64).context == 128
    assert replace(OPTIONS, threads=1, context=1_048_576, parallel=1).parallel == 1


@pytest.mark.parametrize(
    ("cores", "threads"), [(1, 1), (2, 1), (8, 7)], ids=["one", "two", "eight"]
)
@pytest.mark.parametrize("affinity", [True, False], ids=["affinity", "count only"])
def test_default_threads_leave_a_core(
    affinity: bool, cores: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if affinity:
        monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)), raising=False)
        monkeypatch.setattr("os.cpu_count", lambda: 64)
    else:
        monkeypatch.delattr("os.sched_getaffinity", raising=False)
        monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert default_threads() == threads


def test_parameters(install: Install, local: LocalServer) -> None:
    llama = install()
    local.start()
    (params,) = llama.started
    assert params.model.path == str(Path("folder/tiny.gguf"))
    assert params.model_alias == {"tiny"}
    assert params.n_ctx == 512 * 3, "each of the three slots holds the whole context"
    assert params.n_parallel == 3
    assert params.cpuparams.n_threads == params.cpuparams_batch.n_threads == 1
    assert params.hostnames == ["127.0.0.1"]
    assert params.api_keys == [local.api_key]
    assert params.verbosity < 0
    assert params.cache_prompt is False


def test_one_load_for_many_first_calls(install: Install, local: LocalServer) -> None:
    llama = install()
    gate = threading.Barrier(8)

    def first_call(_: int) -> str:
        gate.wait()
        with local.lease() as address:
            return address

    with ThreadPoolExecutor(8) as pool:
        addresses = set(pool.map(first_call, range(8)))
    assert addresses == {"http://127.0.0.1:1/v1"}
    assert len(llama.started) == 1


def test_nothing_starts_before_the_first_call(install: Install, local: LocalServer) -> None:
    llama = install()
    local.close()
    local.shut_down()
    assert llama.started == []
    assert not local.running


def test_close_waits_for_the_last_lease(install: Install, local: LocalServer) -> None:
    llama = install()
    with local.lease():
        with local.lease():
            local.close()
            assert llama.ended == 0
        assert llama.ended == 0
    assert llama.ended == 1
    assert not local.running


def test_starts_again_after_close(install: Install, local: LocalServer) -> None:
    llama = install()
    local.start()
    local.close()
    with local.lease() as address:
        assert address == "http://127.0.0.1:2/v1"
    assert local.running
    assert (len(llama.started), llama.ended) == (2, 1)


def test_a_new_lease_takes_back_a_close(install: Install, local: LocalServer) -> None:
    llama = install()
    with local.lease() as first:
        local.close()
        with local.lease() as second:
            assert first == second
    assert local.running
    assert llama.ended == 0


def test_end_of_process_waits_for_requests(install: Install, local: LocalServer) -> None:
    llama = install()
    ended_while_leased: list[int] = []
    with local.lease():
        end = threading.Thread(target=local.shut_down)
        end.start()
        ended_while_leased.append(llama.ended)
    end.join()
    assert ended_while_leased == [0]
    assert llama.ended == 1
    with pytest.raises(RuntimeError, match="takes no more requests"), local.lease():
        pass


def test_lease_ends_with_an_error(install: Install, local: LocalServer) -> None:
    llama = install()
    with pytest.raises(ZeroDivisionError), local.lease():
        raise ZeroDivisionError
    local.close()
    assert llama.ended == 1


def test_file_that_cannot_be_loaded(install: Install, local: LocalServer) -> None:
    install(RuntimeError("Failed to init server"))
    with pytest.raises(EveInspectError) as caught:
        local.start()
    message = str(caught.value)
    assert message.startswith("llama.cpp cannot load gguf/tiny: the file is damaged")
    assert "folder" not in message
    assert "\n" not in message
    assert not local.running
