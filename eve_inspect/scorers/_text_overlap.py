"""Free-text answers, compared with the reference by the words and meanings in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, get_args

import anyio
import anyio.to_thread
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from eve_inspect._errors import EveInspectError
from eve_inspect.answers import read_text
from eve_inspect.metrics import BleuCounts, LightMeasure, LightMetric, corpus_bleu
from eve_inspect.scorers._coverage import coverage
from eve_inspect.scorers._embeddings import (
    DEFAULT_MODEL,
    EmbeddingMeasure,
    EmbeddingMetric,
    find_model,
)
from eve_inspect.scorers._reply import details_of, reply_of, score_reading, unscorable

_LIGHT: tuple[LightMetric, ...] = get_args(LightMetric)
_EMBEDDING: tuple[EmbeddingMetric, ...] = get_args(EmbeddingMetric)


class _Measures(NamedTuple):
    """What to measure, with or without a language model.

    Attributes:
        names: All figures, in the order asked for.
        light: Measures those that need none; None if there are none.
        embedding: Measures the others; None if there are none.
    """

    names: tuple[str, ...]
    light: LightMeasure | None
    embedding: EmbeddingMeasure | None

    def of(self, candidate: str, references: Sequence[str]) -> _Measured:
        """Measure one text; this may take long, and belongs into a thread."""
        values: dict[str, float] = {}
        details: dict[str, Any] = {}
        if self.light is not None:
            light = self.light.measure(candidate, references)
            values |= light.values
            details["bleu"] = light.bleu._asdict() if light.bleu else None
        if self.embedding is not None:
            close = self.embedding.measure(candidate, references)
            values |= close.values
            details["cut"] = list(close.cut)
        return _Measured({name: values[name] for name in self.names}, details)

    def settings(self) -> dict[str, str]:
        """Return how each figure is computed."""
        parts = (self.light, self.embedding)
        said = {k: v for part in parts if part is not None for k, v in part.settings().items()}
        return {name: said[name] for name in self.names}


class _Measured(NamedTuple):
    values: dict[str, float]
    details: dict[str, Any]


@metric(scores="unreduced")
def text_overlap_corpus() -> Metric:
    """What is of all replies together.

    Returns:
        ``corpus_bleu``: BLEU of all replies as one text, 0..1, the figure that papers report; only
        where ``bleu`` was asked for. ``embedding_cut``: share of the replies of which, or of whose
        reference, the embedding model saw the start only; only where it was asked for.
    """

    def compute(scores: list[SampleScore]) -> Value:
        details = [one["overlap"] for one in details_of(scores) if "overlap" in one]
        counted = [BleuCounts(**one["bleu"]) for one in details if one.get("bleu")]
        cut = [bool(one["cut"]) for one in details if "cut" in one]
        figures: dict[str, float] = {}
        if counted:
            figures["corpus_bleu"] = corpus_bleu(counted)
        if cut:
            figures["embedding_cut"] = math.fsum(cut) / len(cut)
        return dict(figures)

    return compute


@scorer(metrics=[{"*": [mean(), stderr()]}, coverage(), text_overlap_corpus()])
def text_overlap(metrics: str | list[str] | None = None, model: str | None = None) -> Scorer:
    """Compare a free-text answer with the reference by the words, characters or meanings in common.

    The value has a column for each figure, 0..1. Of several references the best counts for each
    figure. A reply without visible text is 0; a figure that the reference does not define is NaN.

    Args:
        metrics: Any of `bleu`, `rouge1`, `rouge2`, `rougeL`, `chrf` (these five when left out),
            `cosine_similarity` and `bertscore`; a list, or names with commas.
        model: The model of the last two, a name on the hub or a folder with a sentence model;
            `nasa-impact/nasa-smd-ibm-st-v2` when left out.
    """
    measures = _measures(_names(metrics), model)
    settings = measures.settings()
    one_at_a_time = anyio.Lock()

    async def score(state: TaskState, target: Target) -> Score:
        references = [text for text in target if text.strip()]
        if not references:
            return unscorable("The sample has no reference text to compare with.")
        reading = read_text(reply_of(state))
        async with one_at_a_time:
            measured = await anyio.to_thread.run_sync(measures.of, reading.answer or "", references)
        return score_reading(
            reading,
            value=dict(measured.values),
            answer=reading.answer or "",
            gold=references if len(references) > 1 else references[0],
            overlap={"settings": settings, **measured.details},
        )

    return score


def _names(metrics: object) -> tuple[str, ...]:
    """Return the figures that are asked for, each once.

    Raises:
        EveInspectError: A name that is not offered, or none.
    """
    if metrics is None:
        return _LIGHT
    offered = (*_LIGHT, *_EMBEDDING)
    given = metrics.split(",") if isinstance(metrics, str) else metrics
    if not isinstance(given, list | tuple) or not given:
        raise EveInspectError(
            f"metrics={metrics!r} is no list of names: use some of {', '.join(offered)}."
        )
    names = [name.strip() if isinstance(name, str) else name for name in given]
    for name in names:
        if name not in offered:
            raise EveInspectError(
                f"metrics={name!r} is not offered: use some of {', '.join(offered)}."
            )
    return tuple(dict.fromkeys(names))


def _measures(names: Sequence[str], model: str | None) -> _Measures:
    """Prepare what is asked for, and find the model.

    Raises:
        EveInspectError: Something is not installed, or there is no such model.
    """
    light = [name for name in _LIGHT if name in names]
    embedding = [name for name in _EMBEDDING if name in names]
    if model is not None and not isinstance(model, str):
        raise EveInspectError(
            f"model={model!r} is not offered: give a name on the hub, or a folder."
        )
    if model is not None and not embedding:
        raise EveInspectError(
            f"model={model!r} is of no use without a figure that needs it: add "
            f"{' or '.join(_EMBEDDING)} to metrics, or leave it out."
        )
    if light:
        _require(("sacrebleu", "rouge_score"), "text", light)
    if embedding:
        _require(("sentence_transformers", "torch"), "embeddings", embedding)
    return _Measures(
        tuple(names),
        LightMeasure(light) if light else None,
        EmbeddingMeasure(embedding, find_model(model or DEFAULT_MODEL)) if embedding else None,
    )


def _require(modules: Sequence[str], extra: str, names: Sequence[str]) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise EveInspectError(
            f"{', '.join(names)}: {' and '.join(missing)} not installed; run "
            f"pip install 'eve-inspect[{extra}]'"
        )
