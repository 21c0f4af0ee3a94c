"""Closeness of texts by the vectors of a language model: whole texts, and token by token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from eve_inspect._errors import EveInspectError
from eve_inspect._paths import user_path
from eve_inspect.metrics import best_value, greedy_match_f1

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float64]
    Mask: TypeAlias = NDArray[np.bool_]

EmbeddingMetric = Literal["cosine_similarity", "bertscore"]
"""Figures that need a language model."""

DEFAULT_MODEL = "nasa-impact/nasa-smd-ibm-st-v2"
"""A sentence model of the Earth and space sciences."""

_REQUEST_SECONDS = 4.0
_OTHER_FORMATS = ("*.onnx", "onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot", "*.gguf")
"""Files of a model that are not read, but may be as large as all others."""


class SentenceEncoder(Protocol):
    """What is used of a sentence-transformers model."""

    @property
    def tokenizer(self) -> Any:  # noqa: ANN401 - its class depends on the model
        """Splits texts into the model's tokens."""

    @property
    def max_seq_length(self) -> int | None:
        """The most tokens of a text that are read."""

    def encode(
        self, inputs: list[str], *, output_value: None, show_progress_bar: bool
    ) -> list[dict[str, Any]]:
        """Return for each text its tokens, their vectors and its own."""


class ModelFolder(NamedTuple):
    """A model that lies on this machine.

    Attributes:
        name: As logs show it: the name on the hub, or the folder's own name.
        revision: The commit on the hub; None for a folder that the user named.
        path: The folder.
    """

    name: str
    revision: str | None
    path: Path


class Embedded(NamedTuple):
    """A text as a model sees it.

    Attributes:
        sentence: Unit vector of the whole, (dimensions,).
        tokens: Unit vectors of its tokens, (tokens, dimensions).
        counts: Which tokens are of the text, and not marks that the tokeniser adds, (tokens,).
        cut: Whether the text is longer than the model reads; the rest was not seen.
    """

    sentence: Vectors
    tokens: Vectors
    counts: Mask
    cut: bool


class Closeness(NamedTuple):
    """Figures of one text.

    Attributes:
        values: Each figure, 0..1; NaN if no reference defines it.
        cut: Texts that the model saw the start of only: ``candidate``, ``reference``.
    """

    values: dict[str, float]
    cut: tuple[str, ...]


@dataclass(slots=True)
class EmbeddingMeasure:
    """Measures the closeness of texts; the model is loaded when the first text comes.

    Attributes:
        metrics: What to measure.
        folder: The model.
    """

    metrics: Sequence[EmbeddingMetric]
    folder: ModelFolder
    _encoder: SentenceEncoder | None = None

    def measure(self, candidate: str, references: Sequence[str]) -> Closeness:
        """Return each figure of a text, of its best reference for that figure.

        Not to be called from two threads at once: tokenisers do not allow it.

        Args:
            candidate: The text; an empty one gets 0.
            references: One or more, none of them blank.

        Raises:
            EveInspectError: The model cannot be loaded, or gives no vectors of tokens.
        """
        if not candidate.strip():
            return Closeness({name: 0.0 for name in self.metrics}, ())
        if self._encoder is None:
            self._encoder = load_encoder(self.folder)
        text, *others = embed(self._encoder, [candidate, *references], self.folder.name)
        values: dict[str, float] = {
            name: best_value(_FIGURES[name](text, other) for other in others)
            for name in self.metrics
        }
        shortened = {"candidate": text.cut, "reference": any(other.cut for other in others)}
        return Closeness(values, tuple(name for name, cut in shortened.items() if cut))

    def settings(self) -> dict[str, str]:
        """Return how each figure is computed, with which model and version of the library."""
        from importlib.metadata import version

        revision = f"@{self.folder.revision}" if self.folder.revision else ""
        model = (
            f"model:{self.folder.name}{revision}"
            f"|sentence-transformers:{version('sentence-transformers')}"
        )
        ways = {"cosine_similarity": "pooled", "bertscore": "F1|layer:last|idf:no|rescaled:no"}
        return {name: f"{ways[name]}|{model}" for name in self.metrics}


def find_model(model: str) -> ModelFolder:
    """Find a sentence model on this machine, or fetch it from the hub.

    A folder is taken as it is, and so is a copy in the hub's cache; only for a model that is in
    neither the hub is asked. ``HF_TOKEN``, ``HF_ENDPOINT``, ``HF_HOME`` and ``HF_HUB_OFFLINE`` are
    honoured.

    Args:
        model: A folder, or a name on the hub.

    Raises:
        EveInspectError: It is neither, or cannot be fetched.
    """
    path = user_path("model", model)
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise EveInspectError(
                f"model={model!r} is a folder without a config.json: give the folder of a sentence "
                "model, or a name on the hub."
            )
        return ModelFolder(path.resolve().name, None, path)
    cached = _cached(model)
    if cached is None:
        cached = _fetched(model)
    return ModelFolder(model, cached.name, cached)


def load_encoder(folder: ModelFolder) -> SentenceEncoder:
    """Load a sentence model from its folder; no network is used.

    Raises:
        EveInspectError: The folder holds no such model.
    """
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # it would be drawn across Inspect's display
    try:
        encoder: SentenceEncoder = SentenceTransformer(str(folder.path), local_files_only=True)
    except Exception as error:
        # Whatever the libraries raise about files that are missing, cut or of another kind of
        # model (their errors share no base class) means one thing to the user.
        raise EveInspectError(
            f"model={folder.name!r} cannot be loaded as a sentence model "
            f"({type(error).__name__}): give another, or fetch its files again."
        ) from error
    finally:
        if bars:
            logging.enable_progress_bar()
    return encoder


def embed(encoder: SentenceEncoder, texts: Sequence[str], name: str) -> list[Embedded]:
    """Return texts as a sentence model sees them.

    Args:
        encoder: The loaded model.
        texts: What to look at.
        name: The model's name, for the error.

    Raises:
        EveInspectError: The model gives no vectors of tokens.
    """
    rows = encoder.encode(list(texts), output_value=None, show_progress_bar=False)
    tokenizer = getattr(encoder, "tokenizer", None)
    if not callable(tokenizer) or "token_embeddings" not in rows[0]:
        raise EveInspectError(
            f"model={name!r} gives no vectors of tokens: use a model with a transformer's encoder."
        )
    # Not `all_special_ids`, which holds the unknown word too: that one is of the text.
    added = {tokenizer.cls_token_id, tokenizer.sep_token_id}
    added |= {tokenizer.bos_token_id, tokenizer.eos_token_id} - {None}
    most = encoder.max_seq_length or math.inf
    lengths = [
        len(ids) for ids in tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
    ]
    return [
        _embedded(row, added, cut=length > most) for row, length in zip(rows, lengths, strict=True)
    ]


def _embedded(row: dict[str, Any], added: set[int], cut: bool) -> Embedded:
    import numpy as np

    seen = np.asarray(row["attention_mask"].cpu(), dtype=bool)
    ids = np.asarray(row["input_ids"].cpu())[seen]
    tokens = np.asarray(row["token_embeddings"].float().cpu(), dtype=float)[: seen.size][seen]
    sentence = np.asarray(row["sentence_embedding"].float().cpu(), dtype=float)
    counts = ~np.isin(ids, list(added))
    return Embedded(_directions(sentence), _directions(tokens), counts, cut)


def _directions(vectors: Vectors) -> Vectors:
    """Scale vectors to length 1; what has no length stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    directions: Vectors = vectors / np.where(lengths > 0, lengths, 1)
    return directions


def _cosine(candidate: Embedded, reference: Embedded) -> float:
    """Return the cosine of two texts; opposite directions are as far apart as unrelated ones."""
    return min(1.0, max(0.0, float(candidate.sentence @ reference.sentence)))


def _bertscore(candidate: Embedded, reference: Embedded) -> float:
    return greedy_match_f1(candidate.tokens, reference.tokens, candidate.counts, reference.counts)


_FIGURES = {"cosine_similarity": _cosine, "bertscore": _bertscore}


def _cached(model: str) -> Path | None:
    """Return the folder of a copy in the hub's cache; its name is the commit."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(model, local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    except HFValidationError as error:
        raise EveInspectError(
            f"model={model!r} is no folder, and cannot be a name on the hub: give one or the other."
        ) from error
    return folder if (folder / "config.json").is_file() else None


def _fetched(model: str) -> Path:
    """Return the folder of a copy that the hub gave.

    One request with a time limit finds out whether it can; without it the libraries retry for more
    than a minute.
    """
    from huggingface_hub import HfApi, snapshot_download

    try:
        HfApi().model_info(model, timeout=_REQUEST_SECONDS)
        return Path(snapshot_download(model, ignore_patterns=list(_OTHER_FORMATS)))
    except Exception as error:
        # A client of somebody else's server, whose errors share no base class: any of them is a
        # reason why the model is not to be had, and is named.
        raise EveInspectError(
            f"model={model!r} is no folder and not in the hub's cache, and cannot be had from the "
            f"hub: {_cause(error)}. Give a folder with a sentence model, or a name on the hub."
        ) from error


def _cause(error: Exception) -> str:
    from huggingface_hub import errors

    if isinstance(error, errors.OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set"
    if isinstance(error, errors.RepositoryNotFoundError | errors.GatedRepoError):
        return "it is not there, or HF_TOKEN gives no access to it"
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"it answered with HTTP status {status}"
    return f"it cannot be reached ({type(error).__name__})"
