"""Who judges: names, families, identities, and the earlier tool's variables."""

from __future__ import annotations

import pytest
from inspect_ai.model import GenerateConfig, Model, get_model

from eve_inspect import EveInspectError
from eve_inspect.scorers._judges import (
    configured_judges,
    family,
    identity,
    judge_names,
    panel,
    relation,
)

VARIABLES = {
    "JUDGE_NAME": "lab/judge-large",
    "JUDGE_BASE_URL": "http://127.0.0.1:9/v1",
    "JUDGE_API_KEY": "a-secret",
}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("models", "names"),
    [
        pytest.param(["openai/gpt-4.1-mini"], ["gpt-4.1-mini"], id="last_part"),
        pytest.param(
            ["openrouter/qwen/qwen3-235b", "openai/gpt-4.1"], ["qwen3-235b", "gpt-4.1"], id="two"
        ),
        pytest.param(
            ["openai/gpt-4.1", "openrouter/openai/gpt-4.1", "mistral/m"],
            ["openai-gpt-4.1", "openrouter-openai-gpt-4.1", "m"],
            id="one_model_of_two_providers",
        ),
        pytest.param(["openai/m", "openai/m"], ["m", "m-2"], id="twice_the_same"),
        pytest.param(["a/m", "a/m", "a/m"], ["m", "m-2", "m-3"], id="three_times_the_same"),
        pytest.param(["a/m", "a/m", "a/m-2"], ["m", "m-3", "m-2"], id="a_number_that_is_taken"),
        pytest.param(["lab/avg"], ["avg-2"], id="the_name_of_the_mean"),
        pytest.param(["gguf/models/my model.gguf"], ["my-model.gguf"], id="a_path_with_a_space"),
        pytest.param(["a/x", "b/x", "a/x"], ["a-x", "b-x", "a-x-2"], id="same_and_other"),
        pytest.param([], [], id="none"),
    ],
)
def test_names_are_short_and_unique(models: list[str], names: list[str]) -> None:
    assert judge_names(models) == names


def test_names_that_are_given_are_not_given_again() -> None:
    assert judge_names(["openai/m", "openai/n"], taken=["m"]) == ["m-2", "n"]


@pytest.mark.parametrize(
    ("judge", "candidate", "expected"),
    [
        ("openai/gpt-4.1", "openai/gpt-4.1", "same_model"),
        ("openrouter/openai/gpt-4.1", "openai/gpt-4.1", "same_model"),
        ("openai/gpt-4.1-mini", "openai/gpt-4.1", "same_family"),
        ("openai/o4-mini", "openai/gpt-4.1", "same_family"),
        ("mistral/mistral-large-2512", "vllm/mistralai/Mixtral-8x7B", "same_family"),
        ("mistral/mistral-large-2512", "openai-api/lab/EVE-Instruct", "same_family"),
        ("openrouter/qwen/qwen3-235b-a22b-2507", "vllm/Qwen/QwQ-32B", "same_family"),
        ("vllm/meta-llama/Llama-4-Scout", "together/meta-llama/llama-3.1-8b", "same_family"),
        ("gguf/smollm2-135m", "gguf/models/SmolLM2-135M.gguf", "same_model"),
        ("anthropic/claude-sonnet-5", "openai/gpt-4.1", None),
        ("openrouter/deepseek/deepseek-v3.2", "openrouter/qwen/qwen3", None),
        ("openai-api/lab/judge-a", "openai-api/lab/judge-b", "same_family"),
        ("openai-api/lab/7b", "openai-api/lab/8b", None),
    ],
)
def test_a_relation_to_the_candidate_is_seen(
    judge: str, candidate: str, expected: str | None
) -> None:
    assert relation(judge, candidate) == expected
    assert relation(candidate, judge) == expected


def test_a_distilled_model_is_of_the_family_that_it_was_trained_from() -> None:
    assert family("vllm/deepseek-ai/DeepSeek-R1-Distill-Qwen-7B") == "qwen"


def _model(
    name: str = "m", base_url: str = "http://127.0.0.1:9/v1", key: str = "k", **settings: int
) -> Model:
    return get_model(
        f"openai-api/loopback/{name}",
        base_url=base_url,
        api_key=key,
        config=GenerateConfig.model_validate(settings),
        memoize=False,
    )


def test_an_identity_is_of_what_changes_replies() -> None:
    same = [_model(), _model(key="other"), _model(max_retries=9), _model(max_connections=2)]
    assert len({identity(model) for model in same}) == 1
    others = [_model(name="n"), _model(base_url="http://127.0.0.1:8/v1"), _model(temperature=1)]
    assert len({identity(model) for model in [*same, *others]}) == 4


def test_no_judge_is_one_line_that_says_how_to_name_one() -> None:
    assert configured_judges() == []
    with pytest.raises(EveInspectError, match="no judge is configured") as caught:
        panel()
    for way in ("--model-role judge=", "model_roles=", "JUDGE_NAME", "judge_later"):
        assert way in caught.value.message


def test_the_earlier_tools_variables_name_one_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    (judge,) = configured_judges()
    assert (judge.name, judge.model) == ("judge-large", "openai-api/judge/lab/judge-large")
    assert judge.live is not None
    assert judge.live.api.base_url == VARIABLES["JUDGE_BASE_URL"]


def test_a_base_url_may_name_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("JUDGE_BASE_URL", "http://127.0.0.1:9/v1/chat/completions/")
    (judge,) = configured_judges()
    assert judge.live is not None
    assert judge.live.api.base_url == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("missing", ["JUDGE_BASE_URL", "JUDGE_API_KEY"])
def test_incomplete_variables_are_told(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, "" if name == missing else value)
    with pytest.raises(EveInspectError, match=f"{missing} is not") as caught:
        configured_judges()
    assert "a-secret" not in caught.value.message
