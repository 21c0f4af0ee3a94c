"""The ``gguf`` model provider: any GGUF file as a model, without a server of one's own."""

from __future__ import annotations

import weakref
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from anyio import to_thread
from anyio.lowlevel import RunVar
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    get_model,
    modelapi,
)
from inspect_ai.util import concurrency
from typing_extensions import override

from eve_inspect._errors import EveInspectError
from eve_inspect.models._server import LocalServer, ServerOptions, default_threads
from eve_inspect.models._weights import find_weights

if TYPE_CHECKING:
    from inspect_ai.model import ModelCall
    from inspect_ai.tool import ToolChoice, ToolInfo

_DEFAULT_CONTEXT: Final = 4096
_DEFAULT_PARALLEL: Final = 1
_DEFAULT_MAX_TOKENS: Final = 2048
# Inspect's own `timeout` and `attempt_timeout` rule; the client's ten minutes would cut off a slow
# machine and ask again.
_CLIENT_TIMEOUT_SECONDS: Final = 24 * 3600.0


@modelapi(name="gguf")
class GgufAPI(ModelAPI):
    """A local model in GGUF format, run by llama.cpp inside this process.

    ``--model gguf/smollm2-135m`` is the small built-in model; ``--model gguf/<path>`` takes any
    GGUF file. The model is loaded at the first request and let go at the end of the process. Logs
    name it by the built-in name or the file's name, never by its folder. A prompt that does not
    fit gives an empty reply with stop reason ``model_length``; a reply without ``max_tokens`` ends
    after 2,048 tokens.

    The defaults suit short replies on a processor: there more slots cost memory and win little,
    while long replies or many cores gain from ``parallel=4``. With temperature 0 the same
    evaluation gives the same replies again; but sharing (a prefix with the request before, or the
    machine with another slot) moves probabilities in their last digits and now and then a reply
    with them. ``parallel=1`` and ``prefix_cache=false`` make a reply depend on its prompt alone.

    Args:
        model_name: A built-in name or the path of a GGUF file.
        base_url: Not used: the model runs in this process.
        api_key: Not used.
        config: Generation settings.
        threads: Processor threads (``-M threads=2``); default: the usable cores but one.
        context: Tokens for one request, prompt and reply together (``-M context=8192``).
        parallel: Requests answered at the same time (``-M parallel=4``).
        prefix_cache: Whether the common beginning of successive prompts is worked out once; off it
            takes about twice the time (``-M prefix_cache=false``).
        **unknown: Any other model argument, which is an error.

    Raises:
        EveInspectError: An argument is wrong, the name is unknown, the file is not a GGUF file, or
            something is not installed. Nothing is loaded before that is known.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,  # noqa: ARG002
        api_key: str | None = None,  # noqa: ARG002
        config: GenerateConfig | None = None,
        threads: int | None = None,
        context: int = _DEFAULT_CONTEXT,
        parallel: int = _DEFAULT_PARALLEL,
        prefix_cache: bool = True,
        **unknown: object,
    ) -> None:
        if unknown:
            raise EveInspectError(
                f"The gguf provider has no model argument {min(unknown)!r}: "
                "it takes context, parallel, prefix_cache and threads"
            )
        options = ServerOptions(
            threads=default_threads() if threads is None else threads,
            context=context,
            parallel=parallel,
            prefix_cache=prefix_cache,
        )
        if find_spec("xllamacpp") is None:
            raise EveInspectError(
                "The gguf provider needs xllamacpp, which is not installed: "
                "run pip install xllamacpp (or install eve-inspect with its extra 'local')."
            )
        weights = find_weights(model_name)
        super().__init__(weights.name, config=config or GenerateConfig())
        self._options = options
        self._server = LocalServer(weights, options)
        # HTTP clients belong to one event loop, and a process may run several evaluations.
        self._client: RunVar[Model] = RunVar(f"gguf/{weights.name}")
        weakref.finalize(self, self._server.shut_down)

    @override
    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        """Answer one request through Inspect's ``openai-api`` provider.

        Args:
            input: The conversation.
            tools: Tools that the model may call.
            tool_choice: Which of them it should call.
            config: Generation settings.

        Returns:
            The reply and the raw call.

        Raises:
            EveInspectError: llama.cpp cannot load the file.
        """
        # Inspect may send more requests than there are slots. They wait here, where Inspect counts
        # the time as waiting and not as work.
        async with concurrency(
            f"gguf/{self.model_name}",
            self._options.parallel,
            key=f"slots of {self.connection_key()}",
            visible=False,
        ):
            if not self._server.running:
                await to_thread.run_sync(self._server.start)
            with self._server.lease() as address:
                result = await self._openai(address).api.generate(input, tools, tool_choice, config)
        if not isinstance(result, tuple):
            return result
        output, call = result
        return self._with_length_stop(output, config), call

    @override
    def max_connections(self) -> int:
        """Return the number of slots: more connections would only wait."""
        return self._options.parallel

    @override
    def max_tokens(self) -> int:
        """Return a limit for replies without one, since a small model may never stop."""
        return min(_DEFAULT_MAX_TOKENS, self._options.context)

    @override
    def connection_key(self) -> str:
        """Return a key of this instance, since each has its own server."""
        return f"{self.model_name}-{id(self)}"

    @override
    async def aclose(self) -> None:
        """Let the model go once its requests are answered."""
        await to_thread.run_sync(self._server.close)

    @override
    def close(self) -> None:
        """Let the model go once its requests are answered."""
        self._server.close()

    def _openai(self, address: str) -> Model:
        from openai import DefaultAsyncHttpxClient

        client = self._client.get(None)
        if client is None or client.api.base_url != address:
            client = get_model(
                f"openai-api/gguf/{self.model_name}",
                base_url=address,
                api_key=self._server.api_key,
                memoize=False,
                client_timeout=_CLIENT_TIMEOUT_SECONDS,
                # A proxy for the world outside must not get what stays in this process.
                http_client=DefaultAsyncHttpxClient(trust_env=False),
                # What fails inside one process fails again.
                max_retries=0,
                # No connection outlives its request, so none outlives its event loop.
                default_headers={"Connection": "close"},
            )
            self._client.set(client)
        return client

    def _with_length_stop(
        self, output: ModelOutput | Exception, config: GenerateConfig
    ) -> ModelOutput | Exception:
        if isinstance(output, Exception):
            return self._too_long(output) or output
        usage, limit = output.usage, config.max_tokens
        # llama.cpp says "length" both for the reply's limit and for a full context.
        if output.stop_reason == "max_tokens" and usage and limit and usage.output_tokens < limit:
            output.choices[0].stop_reason = "model_length"
        return output

    def _too_long(self, error: Exception) -> ModelOutput | None:
        body = getattr(error, "body", None)
        if not isinstance(body, dict) or body.get("type") != "exceed_context_size_error":
            return None
        message = ChatMessageAssistant(content="", model=self.model_name, source="generate")
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=message, stop_reason="model_length")],
            error=(
                f"The prompt has {body.get('n_prompt_tokens')} tokens, but prompt and reply may "
                f"hold {body.get('n_ctx')} together: raise -M context (now "
                f"{self._options.context}) if the model was trained on more"
            ),
        )
