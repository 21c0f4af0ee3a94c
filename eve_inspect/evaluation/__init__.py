"""Whole evaluations: judging finished logs again, comparing models with each other."""

from __future__ import annotations

from eve_inspect.evaluation._judge_settings import JudgeSettings, judge_models
from eve_inspect.evaluation._output_files import Files, files_of
from eve_inspect.evaluation._rescore import rescore, silent_judges
from eve_inspect.evaluation._win_rate_config import (
    ModelFile,
    OutputSettings,
    WandbSettings,
    WinRateConfig,
    read_win_rate_config,
)
from eve_inspect.evaluation._win_rates import Answers, Comparisons, compare_models

__all__ = [
    "Answers",
    "Comparisons",
    "Files",
    "JudgeSettings",
    "ModelFile",
    "OutputSettings",
    "WandbSettings",
    "WinRateConfig",
    "compare_models",
    "files_of",
    "judge_models",
    "read_win_rate_config",
    "rescore",
    "silent_judges",
]
