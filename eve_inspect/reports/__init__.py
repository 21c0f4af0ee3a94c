"""From logs to tables and pictures."""

from __future__ import annotations

from eve_inspect.reports._alpaca import alpaca_table
from eve_inspect.reports._results import results
from eve_inspect.reports._win_rate_chart import win_rate_chart
from eve_inspect.reports._win_rate_ranking import WinRateRanking, win_rate_ranking
from eve_inspect.reports._win_rate_run import WinRateRun, report_win_rates, run_win_rate
from eve_inspect.reports._win_rate_summary import win_rate_summary
from eve_inspect.reports._win_rate_tables import (
    WinRateTables,
    win_rate_tables,
    write_win_rate_files,
)
from eve_inspect.reports._win_rate_wandb import log_win_rate_to_wandb

__all__ = [
    "WinRateRanking",
    "WinRateRun",
    "WinRateTables",
    "alpaca_table",
    "log_win_rate_to_wandb",
    "report_win_rates",
    "results",
    "run_win_rate",
    "win_rate_chart",
    "win_rate_ranking",
    "win_rate_summary",
    "win_rate_tables",
    "write_win_rate_files",
]
