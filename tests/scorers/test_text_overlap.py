"""Overlap of free-text answers with their references, through ``eval()`` and the command line."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers import _embeddings, _text_overlap, text_overlap
from eve_inspect.scorers._embeddings import DEFAULT_MODEL, ModelFolder
from tests.conftest import Evaluate
from tests.e2e.starting import editable, run, run_well
from tests.servers.hub import serve_hub
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import by_question, figures

LIGHT = ("bleu", "rouge1", "rouge2", "rougeL", "chrf")
RIGHT = "The swath is 290 km wide."


@solver
def outputs(*given: ModelOutput) -> Solver:
    """Give the sample with the id ``n`` the n-th output, without a model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        state.output = given[int(state.sample_id) - 1]
        return state

    return solve


def said(text: str) -> ModelOutput:
    return ModelOutput.from_content("none", text)


def scored(
    folder: Path,
    scorer: Scorer,
    replies: Sequence[ModelOutput],
    target: str | list[str] = RIGHT,
    **settings: Any,
) -> EvalLog:
    """Score replies to one reference each, and return the log, read back from disk."""
    samples = [Sample(input="q", target=target) for _ in replies]
    task = Task(dataset=MemoryDataset(samples), solver=outputs(*replies), scorer=scorer)
    (log,) = eval(task, model="none/none", display="log", log_dir=str(folder), **settings)
    return read_eval_log(log.location)


def scores(log: EvalLog) -> list[Score]:
    assert log.samples is not None, log.error and log.error.traceback[-1500:]
    found = [sample.scores for sample in log.samples]
    return [one["text_overlap"] for one in found if one]


def values(score: Score) -> dict[str, float]:
    assert isinstance(score.value, dict)
    return {name: float(value or 0) for name, value in score.value.items()}


def details(score: Score) -> dict[str, Any]:
    assert score.metadata is not None
    return score.metadata


def test_a_run(evaluate: Evaluate, server: OpenAIServer) -> None:
    server.script = by_question({0: RIGHT, 1: "Clouds.", 2: "<think>290?</think>" + RIGHT})
    samples = [Sample(input=f"Question {n}?", target=RIGHT) for n in range(3)]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=text_overlap())
    log = evaluate(task)
    right, wrong, reasoned = scores(log)
    assert values(right) == values(reasoned) == dict.fromkeys(LIGHT, 1.0)
    assert all(value < 0.2 for value in values(wrong).values())
    assert (reasoned.answer, details(reasoned)["gold"]) == (RIGHT, RIGHT)
    found = figures(log)
    assert found["rouge1/mean"] == pytest.approx(2 / 3)
    assert found["rouge1/stderr"] == pytest.approx(1 / 3)
    (coverage,) = [value for name, value in found.items() if name.endswith("/coverage")]
    assert coverage == 1
    (corpus,) = [value for name, value in found.items() if name.endswith("/corpus_bleu")]
    # Twelve of fifteen words and signs, all in order: no brevity beyond 1 - 21 / 16.
    assert 0.5 < corpus < 1


def test_statuses(tmp_path: Path) -> None:
    replies = [
        said(RIGHT),
        said(" \n"),
        said("<think>290 km"),
        ModelOutput.from_content("none", "", stop_reason="content_filter"),
        ModelOutput.from_content("none", RIGHT, stop_reason="max_tokens"),
        ModelOutput(model="none", error="the endpoint is down"),
    ]
    log = scored(tmp_path, text_overlap(), replies)
    found = scores(log)
    assert [details(one)["status"] for one in found] == [
        "answered",
        "empty",
        "truncated",
        "refusal",
        "answered",
        "error",
    ]
    for one, expected in zip(found, [1.0, 0.0, 0.0, 0.0, 1.0], strict=False):
        assert values(one) == dict.fromkeys(LIGHT, expected)
    assert details(found[4])["flags"] == ["cut"]
    assert math.isnan(found[5].as_float())
    # The reply that the machinery lost is in no mean: two right ones of five.
    assert figures(log)["chrf/mean"] == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        pytest.param(None, LIGHT, id="left out"),
        pytest.param("bleu", ("bleu",), id="one name"),
        pytest.param("chrf,bleu", ("chrf", "bleu"), id="commas"),
        pytest.param("rougeL, rouge1", ("rougeL", "rouge1"), id="commas and spaces"),
        pytest.param(["rouge2", "rouge2"], ("rouge2",), id="twice"),
    ],
)
def test_only_the_figures_asked_for(
    tmp_path: Path, metrics: str | list[str] | None, expected: tuple[str, ...]
) -> None:
    log = scored(tmp_path, text_overlap(metrics), [said(RIGHT)])
    (one,) = scores(log)
    assert tuple(values(one)) == expected
    overlap = details(one)["overlap"]
    assert tuple(overlap["settings"]) == expected
    assert (overlap["bleu"] is not None) == ("bleu" in expected)
    reported = {name.split("/")[1] for name in figures(log)}
    assert ("corpus_bleu" in reported) == ("bleu" in expected)
    assert "embedding_cut" not in reported


def test_the_best_of_several_references_counts(tmp_path: Path) -> None:
    references = ["Clouds hide the ground.", RIGHT, " "]
    (one,) = scores(scored(tmp_path, text_overlap(), [said(RIGHT)], references))
    assert values(one) == dict.fromkeys(LIGHT, 1.0)
    assert details(one)["gold"] == references[:2]


@pytest.mark.parametrize("target", ["", " \n", ["", " "]], ids=["empty", "blank", "several"])
def test_without_a_reference_nothing_is_scored(tmp_path: Path, target: str | list[str]) -> None:
    (one,) = scores(scored(tmp_path, text_overlap(), [said(RIGHT)], target))
    assert math.isnan(one.as_float())
    assert "no reference text" in str(one.explanation)


def test_a_figure_that_the_reference_does_not_define_is_in_no_mean(tmp_path: Path) -> None:
    log = scored(
        tmp_path, text_overlap("rouge1,rouge2"), [said("Sentinel-2"), said("")], "Sentinel"
    )
    assert math.isnan(values(scores(log)[0])["rouge2"])
    found = figures(log)
    assert found["rouge1/mean"] == pytest.approx(1 / 3)
    assert math.isnan(found["rouge2/mean"])


def test_epochs(tmp_path: Path) -> None:
    log = scored(tmp_path, text_overlap("chrf"), [said(RIGHT), said("")], epochs=3)
    found = figures(log)
    assert found["chrf/mean"] == pytest.approx(0.5)
    assert [v for name, v in found.items() if name.endswith("/status_empty")] == [3]


MISTAKES = [
    pytest.param(
        {"metrics": ["blue"]}, "metrics='blue' is not offered: use some of bleu", id="name"
    ),
    pytest.param({"metrics": "bleu,meteor"}, "metrics='meteor' is not offered", id="of several"),
    pytest.param({"metrics": [1]}, "metrics=1 is not offered", id="number in a list"),
    pytest.param({"metrics": []}, r"metrics=\[\] is no list of names", id="none"),
    pytest.param({"metrics": 3}, "metrics=3 is no list of names", id="number"),
    pytest.param({"metrics": ""}, "metrics='' is not offered", id="empty"),
    pytest.param({"model": "a/b"}, "'a/b' is of no use without a figure that needs", id="no use"),
    pytest.param({"metrics": "bertscore", "model": 3}, "model=3 is not offered", id="model"),
]


@pytest.mark.parametrize(("arguments", "told"), MISTAKES)
def test_a_mistake_is_told_in_one_line(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(EveInspectError, match=told) as error:
        text_overlap(**arguments)
    assert "\n" not in str(error.value)


def without(*missing: str) -> Callable[[str], object]:
    """Return a stand-in for ``find_spec`` that finds all but some modules."""
    return lambda name: None if name in missing else object()


@pytest.mark.parametrize(
    ("metrics", "missing", "told"),
    [
        pytest.param(None, ["sacrebleu"], r"sacrebleu not installed.*\[text\]", id="bleu"),
        pytest.param(
            "rouge1",
            ["sacrebleu", "rouge_score"],
            r"^rouge1: sacrebleu and rouge_score not installed.*\[text\]",
            id="text",
        ),
        pytest.param(
            "cosine_similarity",
            ["sentence_transformers"],
            r"sentence_transformers not installed; run pip install 'eve-inspect\[embeddings\]'$",
            id="embeddings",
        ),
        pytest.param("bertscore,bleu", ["torch"], "^bertscore: torch not installed", id="torch"),
    ],
)
def test_what_is_not_installed_is_told_before_anything_is_scored(
    monkeypatch: pytest.MonkeyPatch, metrics: str | list[str] | None, missing: list[str], told: str
) -> None:
    monkeypatch.setattr(_text_overlap, "find_spec", without(*missing))
    with pytest.raises(EveInspectError, match=told):
        text_overlap(metrics)


# The model of the embeddings: a stand-in here, a real one in tests/slow


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if the extra were installed, and nothing in the hub's cache."""
    monkeypatch.setattr(_text_overlap, "find_spec", without())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


class Tensor:
    """An array with what is used of a PyTorch tensor."""

    def __init__(self, rows: object) -> None:
        self._rows = np.asarray(rows)

    def cpu(self) -> np.ndarray[Any, Any]:
        return self._rows

    def float(self) -> Tensor:
        return self


class Letters:
    """A sentence model of which each letter is a token, with a direction of its own."""

    max_seq_length: int | None = 8
    START, END, PAD = 1, 2, 0

    def __init__(self) -> None:
        self.threads: list[str] = []

    def tokenizer(self, texts: list[str], **_: object) -> dict[str, list[list[int]]]:
        return {"input_ids": [[self.START, *map(ord, text), self.END] for text in texts]}

    def encode(self, inputs: list[str], **_: object) -> list[dict[str, Any]]:
        self.threads.append(threading.current_thread().name)
        most = self.max_seq_length or 99
        ids = [[*one[:-1][: most - 1], self.END] for one in self.tokenizer(inputs)["input_ids"]]
        longest = max(map(len, ids))
        rows = []
        for one in ids:
            padding = longest - len(one)
            vectors = 2.0 * np.eye(128)[[*one, *[self.PAD] * padding]]
            rows.append(
                {
                    "input_ids": Tensor([*one, *[self.PAD] * padding]),
                    "attention_mask": Tensor([1] * len(one) + [0] * padding),
                    "token_embeddings": Tensor(vectors),
                    "sentence_embedding": Tensor(vectors[1 : len(one) - 1].sum(axis=0)),
                }
            )
        return rows


for _name, _id in {"cls": 1, "sep": 2, "bos": None, "eos": None}.items():
    setattr(Letters.tokenizer, f"{_name}_token_id", _id)


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch, installed: None) -> Letters:  # noqa: ARG001
    """The model that the scorer loads."""
    model = Letters()

    def load(folder: ModelFolder) -> Letters:
        assert folder.name == "letters"
        return model

    monkeypatch.setattr(_embeddings, "load_encoder", load)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "6.0")
    return model


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder that looks like a model's."""
    path = tmp_path / "letters"
    path.mkdir()
    (path / "config.json").write_text("{}", encoding="utf-8")
    return str(path)


def test_embeddings(tmp_path: Path, letters: Letters, folder: str) -> None:
    scorer = text_overlap("bertscore,cosine_similarity", folder)
    replies = [said("abc"), said("ab"), said("xyz"), said(""), said("abcabcabc")]
    log = scored(tmp_path, scorer, replies, "abc")
    found = [values(one) for one in scores(log)]
    assert found[0] == pytest.approx({"bertscore": 1.0, "cosine_similarity": 1.0})
    # Precision 1, recall 2 of 3 letters; cosine 2 / sqrt(2 * 3).
    assert found[1] == pytest.approx({"bertscore": 0.8, "cosine_similarity": (2 / 3) ** 0.5})
    assert found[2] == found[3] == {"bertscore": 0.0, "cosine_similarity": 0.0}
    assert [details(one)["overlap"]["cut"] for one in scores(log)] == [
        [],
        [],
        [],
        [],
        ["candidate"],
    ]
    (cut,) = [v for name, v in figures(log).items() if name.endswith("/embedding_cut")]
    assert cut == pytest.approx(1 / 5)
    # The empty reply needs no model; no other blocks the event loop.
    assert len(letters.threads) == 4
    assert "MainThread" not in letters.threads
    settings = details(scores(log)[0])["overlap"]["settings"]
    assert settings["bertscore"].split("|")[-2:] == ["model:letters", "sentence-transformers:6.0"]
    assert folder not in str(settings)


def test_a_cut_reference_is_told(tmp_path: Path, letters: Letters, folder: str) -> None:
    scorer = text_overlap("cosine_similarity", folder)
    (one,) = scores(scored(tmp_path, scorer, [said("abc")], ["abc", "abcabcabc"]))
    assert values(one) == pytest.approx({"cosine_similarity": 1.0})
    assert details(one)["overlap"]["cut"] == ["reference"]
    letters.max_seq_length = None
    (one,) = scores(scored(tmp_path, scorer, [said("abc")], "abcabcabc"))
    assert details(one)["overlap"]["cut"] == []


def test_a_model_without_tokens_is_told(
    tmp_path: Path, letters: Letters, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "encode", lambda *_, **__: [{}, {}], raising=False)
    log = scored(tmp_path, text_overlap("bertscore", folder), [said("abc")])
    assert log.status == "error"
    assert "model='letters' gives no vectors of tokens" in str(log.error)


@pytest.mark.usefixtures("installed")
def test_a_folder_that_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(EveInspectError, match=r"is a folder without a config\.json"):
        text_overlap("bertscore", str(tmp_path))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("model", "told"),
    [
        pytest.param(None, f"'{DEFAULT_MODEL}'.*it is not there, or HF_TOKEN", id="default"),
        pytest.param("a/model", "it is not there, or HF_TOKEN gives no access", id="unknown"),
        pytest.param("no/such/folder", "is no folder, and cannot be a name", id="folder"),
    ],
)
def test_a_model_that_the_hub_does_not_have_is_told(
    monkeypatch: pytest.MonkeyPatch, model: str | None, told: str
) -> None:
    with serve_hub({}) as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        with pytest.raises(EveInspectError, match=told) as error:
            text_overlap(["cosine_similarity"], model)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("installed")
def test_a_hub_that_cannot_be_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(EveInspectError, match=r"cannot be had from the hub: it cannot be reached"):
        text_overlap(["cosine_similarity"], "a/model")


@pytest.mark.usefixtures("installed")
def test_a_copy_in_the_cache_is_taken_without_the_hub(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    commit = "a" * 40
    copy = tmp_path / "hub" / "models--a--model"
    (copy / "snapshots" / commit).mkdir(parents=True)
    (copy / "snapshots" / commit / "config.json").write_text("{}", encoding="utf-8")
    (copy / "refs").mkdir()
    (copy / "refs" / "main").write_text(commit, encoding="utf-8")
    assert _embeddings.find_model("a/model") == ModelFolder(
        "a/model", commit, copy / "snapshots" / commit
    )


# The command line


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A log that no scorer has seen."""
    samples = [Sample(input="q", target=RIGHT) for _ in range(2)]
    task = Task(dataset=MemoryDataset(samples), solver=outputs(said(RIGHT), said("Clouds.")))
    (log,) = eval(task, model="none/none", display="log", log_dir=str(tmp_path / "logs"))
    return Path(log.location.removeprefix("file://"))


def score_command(log: Path, *arguments: str) -> list[str]:
    scorer = ["--scorer", "eve_inspect/text_overlap", "--model", "none/none"]
    return editable().cli("score", str(log), *scorer, "--overwrite", *arguments)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        pytest.param("metrics=bleu", {"bleu"}, id="one"),
        pytest.param("metrics=bleu,rouge1", {"bleu", "rouge1"}, id="commas"),
        pytest.param("metrics=[rougeL, chrf]", {"rougeL", "chrf"}, id="yaml"),
    ],
)
def test_a_finished_log(finished: Path, tmp_path: Path, argument: str, expected: set[str]) -> None:
    command = score_command(finished, "-S", argument, "--action", "append")
    run_well(command, cwd=tmp_path, home=tmp_path)
    log = read_eval_log(str(finished))
    assert {tuple(sorted(values(one))) for one in scores(log)} == {tuple(sorted(expected))}
    assert all(0.5 <= figures(log)[f"{name}/mean"] < 0.7 for name in expected)


def test_a_mistake_on_the_command_line_is_one_line(finished: Path, tmp_path: Path) -> None:
    ran = run(score_command(finished, "-S", "metrics=meteor"), cwd=tmp_path, home=tmp_path)
    assert (ran.code, ran.out.strip()) == (1, "")
    (line,) = ran.err.strip().splitlines()
    assert line.startswith("Error: metrics='meteor' is not offered: use some of bleu, ")
