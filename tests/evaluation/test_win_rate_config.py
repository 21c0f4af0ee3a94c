"""The earlier tool's configuration file runs unchanged; each mistake in it is one line."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai.model import Model
from pydantic import BaseModel

from eve_inspect import EveInspectError
from eve_inspect.evaluation._judge_settings import JudgeSettings, judge_models
from eve_inspect.evaluation._output_files import files_of
from eve_inspect.evaluation._win_rate_config import (
    EvaluationSettings,
    ModelFile,
    OutputSettings,
    WandbLog,
    WandbSettings,
    WinRateConfig,
    read_win_rate_config,
)
from tests.conftest import ROOT

SECRET = "sk-0123456789-hidden"
KEYS = {"FIRST_JUDGE_KEY": f"{SECRET}-1", "SECOND_JUDGE_KEY": f"{SECRET}-2", "KEY": SECRET}

MODELS = "model_a: [a.csv]\nmodel_b: [b.csv]\n"
JUDGES = "judges:\n- {name: j, model: m, api_key: k, base_url: 'http://127.0.0.1:9/v1'}\n"
WHOLE = f"{MODELS}{JUDGES}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with answers, which is not the current one."""
    place, elsewhere = tmp_path / "config", tmp_path / "elsewhere"
    (place / "answers").mkdir(parents=True)
    elsewhere.mkdir()
    for name in ("a.csv", "b.csv", "c.csv", "answers/tuned.csv", "answers/tuned_long.csv"):
        (place / name).write_text("", encoding="utf-8")
    (place / "answers/base.csv").write_text("", encoding="utf-8")
    (elsewhere / "here.csv").write_text("", encoding="utf-8")
    monkeypatch.chdir(elsewhere)
    return place


def read(folder: Path, text: str, environ: Mapping[str, str] = KEYS) -> WinRateConfig:
    """Read a text as the configuration file of a folder."""
    (folder / "c.yaml").write_text(text, encoding="utf-8")
    return read_win_rate_config(folder / "c.yaml", environ)


def refusal(folder: Path, text: str, environ: Mapping[str, str] = KEYS) -> str:
    """Return what is said of a file that is refused."""
    with pytest.raises(EveInspectError) as caught:
        read(folder, text, environ)
    said = caught.value.message
    assert "\n" not in said
    assert said.startswith(f"config={str(folder / 'c.yaml')!r}")
    assert SECRET not in said
    assert caught.value.__cause__ is None
    assert SECRET not in str(caught.value.__context__)
    return said


# The documented form


def test_the_documented_form_runs_unchanged(folder: Path) -> None:
    file = Path(shutil.copy(ROOT / "tests/data/win_rate_config.yaml", folder))
    config = read_win_rate_config(file, KEYS)
    assert config.task == "open_ended_w_context"
    assert config.source == file
    assert [(a.name, b.name) for a, b in config.pairs()] == [
        ("tuned", "base"),
        ("tuned-long", "base"),
    ]
    assert config.model_a[0].file == folder / "answers/tuned.csv"
    assert [(one.name, one.model, one.base_url) for one in config.judges] == [
        ("first-judge", "judge-large", "http://127.0.0.1:9/v1"),
        ("second-judge", "vendor/judge-small", "http://127.0.0.1:9/api/v1"),
    ]
    assert [key_of(judge) for judge in config.judges] == [f"{SECRET}-1", f"{SECRET}-2"]
    evaluation = config.evaluation
    assert (evaluation.limit, evaluation.max_workers) == (None, 8)
    assert (evaluation.rate_limit_delay, evaluation.random_seed) == (0.25, 7)
    assert config.output.model_dump() == {
        "save_results": True,
        "save_visualizations": False,
        "output_dir": Path("compared"),
        "results_filename": "pairs_{model_a}_against_{model_b}.csv",
        "summary_filename": "judges_{model_a}_against_{model_b}.csv",
        "metrics_filename": "metrics_{model_a}_vs_{model_b}.csv",
        "visualization_filename": "bars_{model_a}_against_{model_b}.png",
        "log_dir": Path("logs"),
    }
    wandb = config.wandb.model_dump()
    assert wandb.pop("log") == {
        "win_rates": True,
        "accuracy_rates": False,
        "judge_agreement": True,
        "position_bias": False,
        "visualizations": True,
        "raw_results": False,
        "sample_rationales": True,
        "sample_count": 3,
    }
    assert wandb == {
        "enabled": False,
        "project": "radar-questions",
        "entity": None,
        "run_name": "{model_a}_against_{model_b}",
        "tags": ("radar", "spring"),
    }
    assert config.wandb.run_name_of("tuned", "b{model_a}") == "tuned_against_b{model_a}"


def key_of(judge: JudgeSettings) -> str | None:
    return judge.api_key.get_secret_value() if judge.api_key else None


def test_what_is_left_out_has_its_default(folder: Path) -> None:
    config = read(folder, f"{WHOLE}evaluation:\noutput:\nwandb:\n  log:\n  tags:\n")
    assert config == read(folder, WHOLE)
    assert config.task == "win_rate"
    assert config.evaluation.task_options() == {
        "mode": "preference",
        "order": "both",
        "judge_sees_context": False,
        "rubric": None,
        "judge_attempts": 2,
        "unpaired": "error",
        "answer_epochs": "single",
        "force": False,
    }
    assert config.evaluation.random_seed is None
    assert not config.wandb.enabled
    assert [model.name for model in config.model_a] == ["a"]


def test_what_is_ours_besides(folder: Path) -> None:
    (folder / "rubric.yaml").write_text("prompt: x", encoding="utf-8")
    config = read(
        folder,
        "model_a: [a.csv, {file: b.csv, columns: {answer: reply}}, {name: c, file: ./c.csv}]\n"
        "judges: [{model: mockllm/model, temperature: 0, max_tokens: 1e4, seed: 42, top_p: .5,\n"
        "  extra_headers: {X-Title: radar},\n"
        "  extra_body: {provider: {order: [x], only: null}}, max_retries: null}]\n"
        "evaluation: {mode: correctness, order: balanced, judge_sees_context: yes, epochs: all,\n"
        "  rubric: rubric.yaml, judge_attempts: 0, unpaired: skip, force: on}\n"
        "output: {metrics_filename: m.csv, log_dir: ~/logs, output_dir: ~/out}\n",
    )
    assert [(a.name, b.name) for a, b in config.pairs()] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert config.model_a[1].columns == {"answer": "reply"}
    assert len({*config.model_a, *config.model_b}) == 3
    (judge,) = config.judges
    assert (judge.name, judge.model, judge.base_url, judge.api_key) == (
        "model",
        "mockllm/model",
        None,
        None,
    )
    assert judge.config == {
        "temperature": 0,
        "max_tokens": 10_000,
        "seed": 42,
        "top_p": 0.5,
        "extra_headers": {"X-Title": "radar"},
        "extra_body": {"provider": {"order": ["x"], "only": None}},
    }
    assert config.evaluation.task_options() == {
        "mode": "correctness",
        "order": "balanced",
        "judge_sees_context": True,
        "rubric": str(folder / "rubric.yaml"),
        "judge_attempts": 0,
        "unpaired": "skip",
        "answer_epochs": "all",
        "force": True,
    }
    assert config.output.log_dir == Path.home() / "logs"
    assert config.output.output_dir == Path.home() / "out"


def test_files_are_sought_beside_the_configuration_then_here(folder: Path) -> None:
    config = read(folder, f"model_a: [here.csv]\nmodel_b: ['{folder}/b.csv']\n{JUDGES}")
    assert config.model_a[0].file == folder.parent / "elsewhere/here.csv"
    assert config.model_b[0].file == folder / "b.csv"
    (folder / "here.csv").write_text("", encoding="utf-8")
    assert read(folder, f"model_a: [here.csv, b.csv]\n{JUDGES}").model_a[0].file == (
        folder / "here.csv"
    )


def test_a_relative_configuration_has_a_folder_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(folder, WHOLE)
    monkeypatch.chdir(folder.parent)
    config = read_win_rate_config("config/c.yaml", {})
    assert config.model_a[0].file == folder / "a.csv"


def test_a_link_keeps_its_name(folder: Path) -> None:
    (folder / "newest.csv").symlink_to(folder / "a.csv")
    config = read(folder, f"model_a: [newest.csv, a.csv]\n{JUDGES}")
    assert [model.name for model in config.model_a] == ["newest", "a"]


def test_settings_can_be_made_in_python(folder: Path) -> None:
    models = (ModelFile(file=folder / "a.csv"), ModelFile(file=folder / "b.csv", name="base"))
    judge = JudgeSettings(model="mockllm/model", config={"temperature": 0})
    config = WinRateConfig(model_a=models, judges=(judge,))
    assert [(a.name, b.name) for a, b in config.pairs()] == [("a", "base")]
    assert config.judges[0].config == {"temperature": 0}


# Variables of the environment


@pytest.mark.parametrize(
    ("written", "means"),
    [
        pytest.param("'${KEY}'", SECRET, id="whole"),
        pytest.param("${KEY}", SECRET, id="unquoted"),
        pytest.param("'a${KEY}-${KEY}b'", f"a{SECRET}-{SECRET}b", id="within"),
        pytest.param("'ab$cd'", "ab$cd", id="a-dollar"),
        pytest.param("'a$$b$'", "a$$b$", id="dollars"),
        pytest.param("'$KEY'", "$KEY", id="without-braces"),
        pytest.param("'${NESTED}'", "${KEY} a: #b", id="taken-as-it-is"),
    ],
)
def test_variables(folder: Path, written: str, means: str) -> None:
    judge = f"judges: [{{name: j, model: m, base_url: 'http://h/v1', api_key: {written}}}]\n"
    if not written.startswith("'"):
        judge = f"judges:\n- name: j\n  model: m\n  base_url: http://h/v1\n  api_key: {written}\n"
    config = read(folder, MODELS + judge, {**KEYS, "NESTED": "${KEY} a: #b"})
    assert key_of(config.judges[0]) == means


def test_variables_of_the_process_are_the_default(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(folder, WHOLE)
    text = f"{WHOLE}task: ${{EVE_TASK}}\nevaluation: {{limit: '${{EVE_N}}', force: '${{EVE_F}}'}}\n"
    (folder / "c.yaml").write_text(text, encoding="utf-8")
    for name, value in {"EVE_TASK": "radar", "EVE_N": "12", "EVE_F": "True"}.items():
        monkeypatch.setenv(name, value)
    config = read_win_rate_config(folder / "c.yaml")
    assert (config.task, config.evaluation.limit, config.evaluation.force) == ("radar", 12, True)


@pytest.mark.parametrize("environ", [{}, {"FIRST": ""}, {"FIRST": "  "}], ids=repr)
def test_a_variable_has_to_be_set(folder: Path, environ: dict[str, str]) -> None:
    judges = "judges:\n- name: j\n- {name: k, api_key: 'x${FIRST}'}\n"
    said = refusal(folder, MODELS + judges, environ)
    assert "judges[1].api_key" in said
    assert "environment variable FIRST, which is not set" in said


# Mistakes

MISTAKES = {
    # Keys
    "unknown-key": (f"{WHOLE}outputs: {{}}", "outputs: is no key; did you mean 'output'?"),
    "unknown-key-lists-all": (f"{WHOLE}x: 1", "Known are task, model_a, model_b, judges, evaluat"),
    "misspelt-not-missing": (f"{MODELS}jugdes: []", "jugdes: is no key; did you mean 'judges'?"),
    "unknown-setting": (
        f"{WHOLE}evaluation: {{seed: 3}}",
        "evaluation.seed: is no key; did you mean 'random_seed'",
    ),
    "unknown-in-log": (
        f"{WHOLE}wandb: {{log: {{win_rate: true}}}}",
        "wandb.log.win_rate: is no key; did you mean 'win_rates'?",
    ),
    "unknown-in-model": (
        f"model_a: [{{files: a.csv}}]\n{JUDGES}",
        "model_a[0].files: is no key; did you mean 'file'? Known are file, name, columns.",
    ),
    "unknown-column": (
        f"model_a: [{{file: a.csv, columns: {{answers: x}}}}, b.csv]\n{JUDGES}",
        "model_a[0].columns.answers='x': is no key; did you mean 'answer'?",
    ),
    "unknown-in-judge": (
        f"{MODELS}judges: [{{model: a/b, temprature: 0}}]",
        "judges[0].temprature=0: is no key; did you mean 'temperature'?",
    ),
    "unknown-secret-in-judge": (
        f"{MODELS}judges: [{{model: a/b, api_kye: '${{KEY}}'}}]",
        "judges[0].api_kye='${KEY}': is no key; did you mean 'api_key'?",
    ),
    "config-is-ours": (f"{MODELS}judges: [{{model: a/b, config: {{}}}}]", "judges[0].config=a map"),
    "source-is-ours": (f"{WHOLE}source: x", "source: is no key"),
    "key-no-text": (f"{WHOLE}1: x", "has the key 1, which is no text"),
    "key-a-list": ("? [a]\n: b", "line 1, column 3: found unhashable key"),
    "headers-a-list": (
        f"{MODELS}judges: [{{model: a/b, extra_headers: [a]}}]",
        "judges[0].extra_headers: Input should be a valid dictionary",
    ),
    "key-null": (f"{WHOLE}wandb: {{null: x}}", "wandb: has the key null, which is no text"),
    "key-a-word-for-false": (f"{WHOLE}no: x", "has the key false, which is no text"),
    "missing-models": (JUDGES, "model_a: is missing"),
    "missing-judges": (MODELS, "judges: is missing"),
    "missing-file": (f"model_a: [{{name: x}}]\n{JUDGES}", "model_a[0].file: is missing"),
    "missing-model": (f"{MODELS}judges: [{{name: x}}]", "judges[0].model: is missing"),
    # Types
    "model-name-a-number": (
        f"model_a: [{{name: 4.1, file: a.csv}}]\n{JUDGES}",
        "model_a[0].name=4.1: has to be text: put it in quotes.",
    ),
    "name-a-word-for-false": (
        f"model_a: [{{name: no, file: a.csv}}]\n{JUDGES}",
        "model_a[0].name=false: has to be text",
    ),
    "name-a-date": (f"{WHOLE}task: 2024-05-01", "task=2024-05-01: has to be text: put it in quot"),
    "name-null": (f"{WHOLE}task: null", "task=null: has to be text"),
    "name-blank": (f"{WHOLE}task: ' '", "task=' ': must not be empty"),
    "name-two-lines": (f'{WHOLE}task: "a\\nb"', r"task='a\nb': holds a line break"),
    "name-no-text": (f'{WHOLE}task: "a\\uD800"', r"task='a\ud800': holds a line break, a tab or"),
    "task-long": (f"{WHOLE}task: {'x' * 65}", "must have 64 characters at most"),
    "models-one": (f"model_a: a.csv\n{JUDGES}", "model_a='a.csv': has to be a list"),
    "models-a-mapping": (
        f"model_a: {{name: x}}\n{JUDGES}",
        "model_a=a mapping: has to be a list: lines that begin with `- `",
    ),
    "judge-a-name": (f"{MODELS}judges: [a/b]", "judges[0]='a/b': has to be a mapping"),
    "model-a-number": (f"model_a: [3]\n{JUDGES}", "model_a[0]=3: has to be a mapping"),
    "section-a-list": (f"{WHOLE}output: [a]", "output=a list: has to be a mapping"),
    "columns-a-list": (
        f"model_a: [{{file: a.csv, columns: [a]}}]\n{JUDGES}",
        "model_a[0].columns=a list: has to be a mapping",
    ),
    "column-a-number": (
        f"model_a: [{{file: a.csv, columns: {{id: 1}}}}]\n{JUDGES}",
        "model_a[0].columns.id=1: has to be text",
    ),
    "tag-a-number": (f"{WHOLE}wandb: {{tags: [a, 1]}}", "wandb.tags[1]=1: has to be text"),
    "tag-long": (f"{WHOLE}wandb: {{tags: [a, {'x' * 65}]}}", "wandb.tags[1]='xxx"),
    "project-with-a-slash": (f"{WHOLE}wandb: {{project: a/b}}", "wandb.project='a/b': must have"),
    "flag-a-number": (f"{WHOLE}output: {{save_results: 1}}", "output.save_results=1: use true or"),
    "flag-odd": (f"{WHOLE}output: {{save_results: ja}}", "output.save_results='ja': use true or"),
    "choice": (
        f"{WHOLE}evaluation: {{mode: Preference}}",
        "evaluation.mode='Preference': use 'preference' or 'correctness'.",
    ),
    # Numbers
    "limit-0": (
        f"{WHOLE}evaluation: {{limit: 0}}",
        "evaluation.limit=0: use a whole number from 1",
    ),
    "limit-negative": (f"{WHOLE}evaluation: {{limit: -3}}", "evaluation.limit=-3: use a whole num"),
    "limit-half": (f"{WHOLE}evaluation: {{limit: 1.5}}", "or null for all."),
    "limit-true": (f"{WHOLE}evaluation: {{limit: true}}", "evaluation.limit=true: use a whole"),
    "limit-infinite": (f"{WHOLE}evaluation: {{limit: .inf}}", "evaluation.limit=inf: use a whole"),
    "limit-word": (f"{WHOLE}evaluation: {{limit: all}}", "evaluation.limit='all': use a whole"),
    "limit-huge-float": (f"{WHOLE}evaluation: {{limit: 1e999}}", "evaluation.limit='1e999': use"),
    "workers-0": (f"{WHOLE}evaluation: {{max_workers: 0}}", "evaluation.max_workers=0: use a who"),
    "workers-null": (f"{WHOLE}evaluation: {{max_workers: null}}", "number from 1 on."),
    "delay-negative": (
        f"{WHOLE}evaluation: {{rate_limit_delay: -0.1}}",
        "evaluation.rate_limit_delay=-0.1: use a number of seconds from 0 on",
    ),
    "delay-nan": (f"{WHOLE}evaluation: {{rate_limit_delay: .nan}}", "=nan: use a number of secon"),
    "delay-huge": (
        f"{WHOLE}evaluation: {{rate_limit_delay: 0x{'f' * 5000}}}",
        "evaluation.rate_limit_delay=a very large number: use a number of seconds",
    ),
    "seed-negative": (f"{WHOLE}evaluation: {{random_seed: -1}}", "or null for one that is drawn"),
    "seed-half": (f"{WHOLE}evaluation: {{random_seed: 0.5}}", "evaluation.random_seed=0.5: use"),
    "attempts-negative": (f"{WHOLE}evaluation: {{judge_attempts: -1}}", "number from 0 on"),
    "sample-count": (f"{WHOLE}wandb: {{log: {{sample_count: -1}}}}", "wandb.log.sample_count=-1"),
    "temperature-a-word": (
        f"{MODELS}judges: [{{model: a/b, temperature: hot}}]",
        "judges[0].temperature='hot': Input should be a valid number",
    ),
    "temperature-negative": (
        f"{MODELS}judges: [{{model: a/b, temperature: -1}}]",
        "judges[0].temperature=-1: use a number from 0 on",
    ),
    "temperature-infinite": (
        f"{MODELS}judges: [{{model: a/b, temperature: .inf}}]",
        "judges[0].temperature=inf: has to be a finite number",
    ),
    "max-tokens-0": (
        f"{MODELS}judges: [{{model: a/b, max_tokens: 0}}]",
        "judges[0].max_tokens=0: use a number from 1 on",
    ),
    "max-tokens-true": (
        f"{MODELS}judges: [{{model: a/b, max_tokens: true}}]",
        "judges[0].max_tokens=true: must not be true or false",
    ),
    "prompt-logprobs": (
        f"{MODELS}judges: [{{model: a/b, prompt_logprobs: 30}}]",
        "judges[0].prompt_logprobs=30: prompt_logprobs must be between 1 and 20",
    ),
    # Models and judges
    "no-models": (f"model_a: []\n{JUDGES}", "model_a=a list: has no entry: name a model"),
    "null-models": (f"model_a:\n{JUDGES}", "model_a=null: has no entry: name a model"),
    "no-judges": (f"{MODELS}judges: []", "judges=a list: has no entry: name a judge"),
    "one-model": (f"model_a: [a.csv]\n{JUDGES}", "model_a=a list: has one entry, and model_b has"),
    "same-model": (
        f"model_a: [a.csv, {{file: b.csv, name: a}}]\n{JUDGES}",
        "model_a[1].name='a': 'a' is another entry's name too",
    ),
    "same-stem": (
        f"model_a: [a.csv]\nmodel_b: [./a.csv]\n{JUDGES}",
        "model_b[0].name: 'a' is another",
    ),
    "same-judge": (
        f"{MODELS}judges: [{{model: a/b}}, {{model: c/b}}]",
        "judges[1].name: 'b' is another entry's name too",
    ),
    "judge-avg": (f"{MODELS}judges: [{{name: avg, model: a/b}}]", "judges[0].name='avg': is the"),
    "judge-nowhere": (
        f"{MODELS}judges: [{{model: judge-large}}]",
        "judges[0].model='judge-large': is no name of Inspect's",
    ),
    "judge-without-key": (
        f"{MODELS}judges: [{{model: m, base_url: 'http://h/v1'}}]",
        "judges[0].api_key: is missing, and base_url is there",
    ),
    "key-a-number": (
        f"{MODELS}judges: [{{model: a/b, api_key: 123}}]",
        "judges[0].api_key: has to",
    ),
    "key-empty": (f"{MODELS}judges: [{{model: a/b, api_key: ''}}]", "judges[0].api_key: is empty"),
    "key-two-lines": (
        f'{MODELS}judges: [{{model: a/b, api_key: "{SECRET}\\n{SECRET}"}}]',
        "judges[0].api_key: is empty, or holds a character",
    ),
    "key-in-a-header": (
        f"{MODELS}judges: [{{model: a/b, extra_headers: {{Authorization: '{SECRET}'}}}}]",
        "judges[0].extra_headers: 'Authorization' would stand in the log",
    ),
    "url-without-scheme": (
        f"{MODELS}judges: [{{model: m, api_key: k, base_url: api.example.org/v1}}]",
        "judges[0].base_url='api.example.org/v1': has to be an address such as",
    ),
    "url-a-number": (
        f"{MODELS}judges: [{{model: m, base_url: 1}}]",
        "judges[0].base_url=1: has to",
    ),
    "url-bad-port": (
        f"{MODELS}judges: [{{model: m, api_key: k, base_url: 'http://h:99999/v1'}}]",
        "judges[0].base_url='http://h:99999/v1': has to be an address",
    ),
    "url-with-a-key": (
        f"{MODELS}judges: [{{model: m, api_key: k, base_url: 'http://h/v1?key=${{KEY}}'}}]",
        "judges[0].base_url='http://h/v1?key=${KEY}': has to be an address without user",
    ),
    "url-with-a-user": (
        f"{MODELS}judges: [{{model: m, api_key: k, base_url: 'http://u:${{KEY}}@h/v1'}}]",
        "a key belongs to api_key",
    ),
    # Files
    "file-missing": (
        f"model_a: [x.csv, b.csv]\n{JUDGES}",
        "model_a[0].file='x.csv': there is no",
    ),
    "file-a-folder": (f"model_a: [answers, b.csv]\n{JUDGES}", "there is no such file: neither '"),
    "file-null-character": (
        f'model_a: ["a\\0b", b.csv]\n{JUDGES}',
        "model_a[0].file='a\\x00b': holds",
    ),
    "file-long": (f"model_a: [{'x' * 300}, b.csv]\n{JUDGES}", "model_a[0].file='xxx"),
    "file-no-home": (
        f"model_a: ['~nobody-here/x', b.csv]\n{JUDGES}",
        "is no path: an unknown home",
    ),
    "file-an-address": (f"model_a: ['s3://x/a.eval', b.csv]\n{JUDGES}", "there is no such file"),
    "rubric-missing": (f"{WHOLE}evaluation: {{rubric: r.yaml}}", "evaluation.rubric='r.yaml': the"),
    "output-a-file": (
        f"{WHOLE}output: {{output_dir: here.csv}}",
        "output.output_dir='here.csv': is",
    ),
    "placeholder": (
        f"{WHOLE}output: {{results_filename: 'r_{{model_c}}.csv'}}",
        "output.results_filename='r_{model_c}.csv': {model_c} is no placeholder",
    ),
    "placeholder-with-format": (
        f"{WHOLE}wandb: {{run_name: '{{model_a!r}}'}}",
        "wandb.run_name='{model_a!r}': {model_a!r} is no placeholder",
    ),
    "file-name-a-path": (
        f"{WHOLE}output: {{summary_filename: '../s.csv'}}",
        "output.summary_filename='../s.csv': has to be the name of a file",
    ),
    "file-name-suffix": (
        f"{WHOLE}output: {{visualization_filename: x.pdf}}",
        "output.visualization_filename='x.pdf': has to end in .png",
    ),
    # The environment
    "variable-open": (f"{WHOLE}task: 'a${{KEY'", "task: has ${ without the name of a variable"),
    "variable-odd": (f"{WHOLE}task: '${{KEY:-x}}'", "write ${NAME}"),
    "variable-not-shown": (
        f"{WHOLE}evaluation: {{limit: '${{KEY}}'}}",
        "evaluation.limit='${KEY}': use a whole number",
    ),
    # YAML
    "empty": ("", "has to be a mapping of keys and values; it is empty."),
    "only-comments": ("# nothing\n", "it is empty"),
    "a-list": ("- a\n", "it holds a list"),
    "a-text": (f"{SECRET}\n", "it holds text"),
    "two-documents": ("a: 1\n---\nb: 2\n", "line 2, column 1: but found another document"),
    "tab": ("a:\n\tb: 1\n", "line 2, column 1: a tab: indent with spaces"),
    "repeated": (f"{WHOLE}task: a\ntask: b\n", "line 6, column 1: the key 'task' is in line 5 alr"),
    "repeated-inside": (
        "output: {output_dir: a, output_dir: b}",
        "the key 'output_dir' is in line",
    ),
    "no-such-date": ("task: 2024-13-01", "line 1, column 7: a value that YAML takes for a date"),
    "no-such-number": ("task: !!int ''", "a value that YAML takes for a date or a number"),
    "no-such-flag": ("task: !!bool x", "a value that YAML takes for"),
    "reference": ("task: !ref tasks", "the tag !ref is not known here"),
    "tag-secret": (f"task: !{SECRET} x", "could not determine a constructor for the tag '...'"),
    "alias-secret": (f"task: *{SECRET}", "found undefined alias '...'"),
    "broken-secret": (
        f'judges: [{{api_key: "{SECRET}"]',
        "line 1, column 42: expected ',' or '}', but got ']'",
    ),
    "recursive": (f"{MODELS}judges: &a [*a]", "judges[0]: is nested without end"),
    "deep": (f"task: {'[' * 3000}", "cannot be read: nested too deeply"),
    "many": (
        "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 10)}]\n" for m, n in zip("abcd", "bcdef")),  # noqa: B905
        "is nested without end, or holds too much",
    ),
    "control-character": ("task: a\x00b", "cannot be read: special characters are not allowed"),
}


@pytest.mark.parametrize(("text", "says"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(folder: Path, text: str, says: str) -> None:
    assert says in refusal(folder, text)


def test_a_missing_file_names_both_places(folder: Path) -> None:
    said = refusal(folder, f"model_a: [x.csv, b.csv]\n{JUDGES}")
    assert repr(str(folder / "x.csv")) in said
    assert repr(str(folder.parent / "elsewhere/x.csv")) in said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(None, "No such file", id="missing"),
        pytest.param(b"task: \xff", "byte 6 is not UTF-8", id="latin"),
        pytest.param(WHOLE.encode("utf-16"), "byte 0 is not UTF-8", id="utf-16"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "c.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EveInspectError, match=says):
        read_win_rate_config(path, {})


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match="Is a directory"):
        read_win_rate_config(tmp_path, {})


def test_a_byte_order_mark_and_windows_lines_are_read(folder: Path) -> None:
    (folder / "c.yaml").write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert read_win_rate_config(folder / "c.yaml", {}).judges[0].name == "j"


def test_a_mapping_can_be_merged_into_others(folder: Path) -> None:
    text = (
        f"{MODELS}judges:\n"
        "- &one {name: x, model: m, api_key: k, base_url: 'http://h/v1', temperature: 0}\n"
        "- &two {<<: *one, name: y}\n- {<<: *two, name: z, temperature: 1}\n"
    )
    judges = read(folder, text).judges
    assert [judge.name for judge in judges] == ["x", "y", "z"]
    assert [judge.config["temperature"] for judge in judges] == [0, 0, 1]


def test_wandb_has_to_be_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{WHOLE}wandb: {{enabled: true}}"
    assert read(folder, text).wandb.enabled
    # A folder that earlier runs left in the current one is no package.
    (folder / "wandb").mkdir()
    monkeypatch.setattr("sys.path", [str(folder)])
    monkeypatch.delitem(__import__("sys").modules, "wandb", raising=False)
    assert 'pip install "eve-inspect[wandb]"' in refusal(folder, text)


# Secrets


def test_secrets_are_not_shown(folder: Path) -> None:
    file = Path(shutil.copy(ROOT / "tests/data/win_rate_config.yaml", folder))
    config = read_win_rate_config(file, KEYS)
    for shown in (repr(config), str(config.model_dump()), config.model_dump_json()):
        assert "second-judge" in shown
        assert SECRET not in shown


# Judges


def made(judges: str, folder: Path, connections: int | None = None) -> list[Model]:
    return judge_models(read(folder, f"{MODELS}judges: {judges}").judges, connections)


@pytest.mark.parametrize(
    "base_url",
    [
        "https://api.example.org/v1",
        "https://api.example.org/v1/",
        "https://api.example.org/v1/chat/completions",
        "https://api.example.org/v1/chat/completions/",
        " https://api.example.org/v1 ",
    ],
)
def test_the_route_is_not_put_twice(folder: Path, base_url: str) -> None:
    (model,) = made(
        f"[{{name: j, model: v/m, api_key: '${{KEY}}', base_url: '{base_url}'}}]", folder
    )
    assert model.api.base_url == "https://api.example.org/v1"
    assert model.api.api_key == SECRET
    assert str(model) == "openai-api/j/v/m"
    assert model.config.model_dump(exclude_none=True) == {}


def test_judges_have_their_own_connections_and_settings(folder: Path) -> None:
    end = "api_key: k, base_url: 'http://h/v1'"
    models = made(
        f"[{{name: Judge 1, model: m, temperature: 0, {end}}},"
        f" {{name: judge/2, model: m, max_connections: 3, {end}}},"
        f" {{name: 法官, model: openai-api/own/m, adaptive_connections: true, {end}}},"
        f" {{name: '!', model: m, {end}}}]",
        folder,
        8,
    )
    assert [str(model) for model in models] == [
        "openai-api/Judge-1/m",
        "openai-api/judge-2/m",
        "openai-api/own/m",
        "openai-api/judge/m",
    ]
    assert [model.config.model_dump(exclude_none=True) for model in models] == [
        {"temperature": 0, "max_connections": 8},
        {"max_connections": 3},
        {"adaptive_connections": True},
        {"max_connections": 8},
    ]


def test_providers_of_inspect(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    first, second = made(
        "[{name: x, model: openai/gpt-4.1-mini}, {model: openai/gpt-4.1, api_key: own}]", folder
    )
    assert (str(first), first.api.api_key) == ("openai/gpt-4.1-mini", "from-the-environment")
    assert (str(second), second.api.api_key) == ("openai/gpt-4.1", "own")


@pytest.mark.parametrize(
    ("model", "says"),
    [
        pytest.param("nobody/model", "nobody", id="provider"),
        pytest.param("openai/gpt-4.1", "OPENAI_API_KEY", id="key"),
    ],
)
def test_judges_that_cannot_be_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch, model: str, says: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EveInspectError) as caught:
        made(f"[{{name: j, model: {model}}}]", folder)
    said = caught.value.message
    assert said.startswith(f"judge 'j' ({model!r}) cannot be used: ")
    assert says in said
    assert "\n" not in said
    assert "[/" not in said


def test_a_provider_that_tells_the_key_is_not_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str, **settings: Any) -> Model:
        raise ValueError(f"{name}: no [bold]good[/bold]\nkey {settings['api_key']}")

    monkeypatch.setattr("inspect_ai.model.get_model", refuse)
    with pytest.raises(EveInspectError) as caught:
        made("[{model: a/b, api_key: '${KEY}'}]", folder)
    assert caught.value.message == "judge 'b' ('a/b') cannot be used: a/b: no good key ***."
    assert caught.value.__context__ is None


# The documentation

PARTS: dict[str, type[BaseModel]] = {
    "the file": WinRateConfig,
    "model_a, model_b": ModelFile,
    "judges": JudgeSettings,
    "evaluation": EvaluationSettings,
    "output": OutputSettings,
    "wandb": WandbSettings,
    "wandb.log": WandbLog,
}


@pytest.mark.parametrize("part", PARTS)
def test_the_documentation_has_each_key_and_its_default(part: str) -> None:
    text = (ROOT / "docs/win_rate_config.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {part}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", section, re.MULTILINE)
    fields = PARTS[part].model_fields
    assert {key for key, _ in rows} == fields.keys() - {"config"}
    for key, told in rows:
        default = fields[key].default
        if told.startswith("`"):
            assert yaml.safe_load(told.strip("`")) == (
                str(default) if isinstance(default, Path) else default
            )
        else:
            assert (told == "required") == fields[key].is_required()


# Names of files

OUTPUT = OutputSettings(output_dir=Path("out"))

HOSTILE = {
    "slash": ("a/b", "a_b"),
    "backslash": ("a\\b", "a_b"),
    "up": ("../../etc", "_.._etc"),
    "dots": ("..", "_"),
    "hidden": (".eve", "eve"),
    "windows": ('a<b>:"|?*', "a_b______"),
    "control": ("a\x00b\x1f\u202e", "a_b _"),
    "lines": ("a\nb\tc", "a b c"),
    "half-a-character": ("a\ud800", "a_"),
    "braces": ("{model_b}", "{model_b}"),
    "other-script": ("海-é", "海-é"),
    "decomposed": ("e\u0301", "é"),
    "blank-at-the-end": ("eve. ", "eve"),
}


@pytest.mark.parametrize(("name", "safe"), HOSTILE.values(), ids=HOSTILE)
def test_names_of_files_are_safe(name: str, safe: str) -> None:
    files = files_of(OUTPUT, name, "base")
    assert files.results == Path("out") / f"results_{safe}_vs_base.csv"
    assert files.visualization == Path("out") / f"comparison_{safe}_vs_base.png"


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "aux.x", ".con"])
def test_names_that_windows_keeps_for_itself(name: str) -> None:
    output = OutputSettings(results_filename="{model_a}.csv")
    assert files_of(output, name, "b").results.name == f"_{name.lstrip('.')}.csv"


@pytest.mark.parametrize("letter", ["x", "é", "海", "🛰"])
def test_long_names_are_cut_and_stay_apart(tmp_path: Path, letter: str) -> None:
    names = [letter * 300 + end for end in "12"]
    files = [files_of(OUTPUT, name, name) for name in names]
    assert len({file for one in files for file in one}) == 8
    for file in files[0]:
        assert len(file.name.encode()) <= 200
        assert file.suffix in {".csv", ".png"}
        (tmp_path / file.name).write_text("", encoding="utf-8")


def test_a_long_pattern_is_cut(tmp_path: Path) -> None:
    output = OutputSettings(results_filename=f"{'x' * 250}_{{model_a}}.csv")
    name = files_of(output, "a", "b").results.name
    assert re.fullmatch(r"x+-[0-9a-f]{8}\.csv", name)
    assert name != files_of(output, "c", "b").results.name
    (tmp_path / name).write_text("", encoding="utf-8")


def test_no_file_is_taken_twice() -> None:
    taken: set[Path] = set()
    for pair in [("a/b", "c"), ("a_b", "c"), ("A_B", "C"), ("a_b_vs_c", "c"), ("a_b", "c_vs_c")]:
        taken |= set(files_of(OUTPUT, *pair, taken))
    names = {unicodedata.normalize("NFC", path.name.casefold()) for path in taken}
    assert len(names) == len(taken) == 5 * 4
    assert Path("out/results_a_b_vs_c-2.csv") in taken


def test_equal_patterns_give_different_files() -> None:
    names: dict[str, Any] = {
        f"{kind}_filename": "all.csv" for kind in ("results", "summary", "metrics")
    }
    files = files_of(OutputSettings(**names), "a", "b")
    assert [file.name for file in files[:3]] == ["all.csv", "all-2.csv", "all-3.csv"]


def test_files_stay_in_the_folder() -> None:
    for name, _ in HOSTILE.values():
        for file in files_of(OUTPUT, name, name):
            assert os.path.dirname(os.path.normpath(file)) == "out"
