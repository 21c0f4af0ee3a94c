"""Whole evaluations: judging finished logs again."""

from __future__ import annotations

from eve_inspect.evaluation._rescore import rescore

__all__ = ["rescore"]
