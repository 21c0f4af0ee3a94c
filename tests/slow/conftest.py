"""Tests that need PyTorch: they have an environment of their own, made by ``make test-embeddings``.

In any other environment pytest finds no test here.
"""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("sentence_transformers") else ["test_*.py"]
