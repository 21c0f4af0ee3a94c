"""Ids of samples and the fingerprint of a set, from what the rows hold."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from eve_inspect.datasets._benchmark import JSON

_ID_DIGITS = 12


def content_digest(content: JSON) -> str:
    """Return the SHA-256 of the content's canonical JSON, in hex."""
    text = json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def content_ids(digests: Iterable[str]) -> list[str]:
    """Return an id for each digest: its first 12 digits, and ``-2``, ``-3``, ... for repeats.

    The ids of a set are the same in any order of its rows, since rows that share a digest are
    alike.
    """
    seen: Counter[str] = Counter()
    ids = []
    for digest in digests:
        short = digest[:_ID_DIGITS]
        seen[short] += 1
        ids.append(short if seen[short] == 1 else f"{short}-{seen[short]}")
    return ids


def fingerprint(digests: Iterable[str]) -> str:
    """Return the SHA-256 of the rows' digests in sorted order, in hex.

    It says whether two runs asked and scored the same rows; the order of rows, which no score
    depends on, does not change it.
    """
    return hashlib.sha256("\n".join(sorted(digests)).encode()).hexdigest()
