"""Model providers of this package: ``gguf``, a local model served inside the process."""

from __future__ import annotations

from eve_inspect.models._gguf import GgufAPI

__all__ = ["GgufAPI"]
