"""The benchmarks' data: where it comes from, how a row is read, what is wrong with it.

A set is a ``Benchmark``: its hub id, its columns, and a pure function from a row to what is asked
and scored. ``load`` gets the rows from the hub, a file or the built-in sample set.
"""

from __future__ import annotations

from eve_inspect.datasets._alpaca import AlpacaAnnotation, read_alpaca_annotations
from eve_inspect.datasets._benchmark import AnswerBase, Benchmark, Item, Offsets, Rules
from eve_inspect.datasets._documents import documents_in, documents_text, with_documents
from eve_inspect.datasets._files import Record, parse_csv, parse_json, parse_jsonl
from eve_inspect.datasets._hallucination import (
    Level,
    hallucination_detection,
    hallucination_text,
)
from eve_inspect.datasets._identity import content_digest, content_ids
from eve_inspect.datasets._load import Loaded, load
from eve_inspect.datasets._mcqa import MCQA_MULTIPLE, MCQA_SINGLE, mcqa_text
from eve_inspect.datasets._open_ended import OPEN_ENDED, open_ended_w_context
from eve_inspect.datasets._options import option_letters
from eve_inspect.datasets._refusal import REFUSAL, refusal_text
from eve_inspect.datasets._row import BadRowError, Row
from eve_inspect.datasets._rows import OnBadRows
from eve_inspect.datasets._spans import HardSpan, SoftSpan, utf16_to_codepoints

__all__ = [
    "MCQA_MULTIPLE",
    "MCQA_SINGLE",
    "OPEN_ENDED",
    "REFUSAL",
    "AlpacaAnnotation",
    "AnswerBase",
    "BadRowError",
    "Benchmark",
    "HardSpan",
    "Item",
    "Level",
    "Loaded",
    "Offsets",
    "OnBadRows",
    "Record",
    "Row",
    "Rules",
    "SoftSpan",
    "content_digest",
    "content_ids",
    "documents_in",
    "documents_text",
    "hallucination_detection",
    "hallucination_text",
    "load",
    "mcqa_text",
    "open_ended_w_context",
    "option_letters",
    "parse_csv",
    "parse_json",
    "parse_jsonl",
    "read_alpaca_annotations",
    "refusal_text",
    "utf16_to_codepoints",
    "with_documents",
]
