"""From logs to tables."""

from __future__ import annotations

from eve_inspect.reports._results import results

__all__ = ["results"]
