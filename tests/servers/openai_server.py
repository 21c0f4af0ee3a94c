"""A real HTTP server on loopback that speaks the OpenAI chat protocol with scripted replies.

It stands in for a model endpoint, which this project's tests cannot reach. It runs in a thread
for tests and, through ``python tests/servers/openai_server.py``, as a process for benchmarks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web

Request = dict[str, Any]


@dataclass(frozen=True)
class Scripted:
    """One scripted reply.

    Attributes:
        text: The message's content; None sends a null content.
        finish_reason: ``stop``, ``length`` or ``content_filter``.
        reasoning: Sent as ``reasoning_content`` when given.
        status: HTTP status; anything but 200 sends an error body with ``text`` as the message.
        headers: Extra response headers, such as ``retry-after``.
        latency: Seconds before the reply is sent.
        raw: A body sent as it is in place of the protocol's JSON.
    """

    text: str | None = ""
    finish_reason: str = "stop"
    reasoning: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    latency: float = 0.0
    raw: str | None = None


Script = Callable[[Request], Scripted | str]


def user_text(request: Request) -> str:
    """Return the text of the last user message of a request."""
    texts = [m["content"] for m in request["messages"] if m["role"] == "user"]
    content = texts[-1]
    return content if isinstance(content, str) else str(content[0]["text"])


def body(request: Request, scripted: Scripted) -> dict[str, Any]:
    """Return the protocol's JSON for one reply."""
    if scripted.status != 200:
        return {"error": {"message": scripted.text, "type": "scripted", "code": scripted.status}}
    message: dict[str, Any] = {"role": "assistant", "content": scripted.text}
    if scripted.reasoning is not None:
        message["reasoning_content"] = scripted.reasoning
    prompt_tokens = len(json.dumps(request["messages"])) // 4
    completion_tokens = max(1, len(scripted.text or "") // 4)
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": scripted.finish_reason}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


class OpenAIServer:
    """A context manager around the server.

    Attributes:
        script: Called with each request; its answer is sent. It may be replaced at any time.
        requests: Every request body received, in order of arrival.
        peak: The largest number of requests that were open at once.
    """

    def __init__(
        self, script: Script = lambda _: "A", port: int = 0, keep_alive: bool = False
    ) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.authorizations: list[str | None] = []
        self.peak = 0
        self.port = port
        # Tests close each connection, since Inspect leaves those that it pools to the collector.
        self._keep_alive = keep_alive
        self._open = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """The base URL for an OpenAI client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def reset(self, script: Script) -> None:
        """Forget what was received and follow another script."""
        self.script = script
        self.requests = []
        self.authorizations = []
        self.peak = 0

    async def _chat(self, http: web.Request) -> web.Response:
        request: Request = await http.json()
        self.requests.append(request)
        self.authorizations.append(http.headers.get("Authorization"))
        self._open += 1
        self.peak = max(self.peak, self._open)
        try:
            scripted = self.script(request)
            if isinstance(scripted, str):
                scripted = Scripted(scripted)
            if scripted.latency:
                await asyncio.sleep(scripted.latency)
        finally:
            self._open -= 1
        text = scripted.raw if scripted.raw is not None else json.dumps(body(request, scripted))
        response = web.Response(
            text=text,
            status=scripted.status,
            headers=scripted.headers,
            content_type="application/json",
        )
        if not self._keep_alive:
            response.force_close()
        return response

    async def _count(self, _: web.Request) -> web.Response:
        """Tell a benchmark in another process how many requests each model received."""
        return web.json_response(Counter(request["model"] for request in self.requests))

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/count", self._count)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port)
        await site.start()
        self.port = int(runner.addresses[0][1])
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()


def main() -> None:
    """Serve fixed replies until killed; the base URL is the first line printed."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds before each reply")
    parser.add_argument("--reply", default="Answer: B", help="the text of every reply")
    parser.add_argument("--judge-reply", help="what models called judge... reply instead")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    options = parser.parse_args()
    scripted = Scripted(options.reply, latency=options.latency)
    judged = Scripted(options.judge_reply or options.reply, latency=options.latency)

    def script(request: Request) -> Scripted:
        return judged if request["model"].startswith("judge") else scripted

    with OpenAIServer(script, options.port, keep_alive=True) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
