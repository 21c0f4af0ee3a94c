"""The results of a comparison, sent to Weights & Biases."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from inspect_ai.log import EvalLog

from eve_inspect._errors import EveInspectError
from eve_inspect.reports._win_rate_chart import draw_chart
from eve_inspect.reports._win_rate_figures import (
    ComparedLog,
    compared_log,
    figures,
    summary_rows,
)
from eve_inspect.reports._win_rate_tables import win_rate_tables

if TYPE_CHECKING:
    import wandb
    from pandas import DataFrame

_LOGIN_SECONDS = 30.0
_INIT_SECONDS = 60.0
_FINISH_SECONDS = 600.0
_RATIONALES = (
    "decision",
    "inconsistent",
    "preferred_AB",
    "rationale_AB",
    "preferred_BA",
    "rationale_BA",
)


def log_win_rate_to_wandb(
    log: EvalLog,
    *,
    project: str,
    entity: str | None,
    run_name: str,
    tags: Sequence[str],
    task: str,
    log_options: Mapping[str, bool | int],
    files: Sequence[Path],
) -> str | None:
    """Send a comparison to Weights & Biases as a run of its own.

    Figures have the names of the table ``metrics``; one that is undefined is left out. The
    environment variable ``WANDB_MODE`` (``offline``, ``disabled``) is heeded. The run records
    neither the command line nor the environment, which may hold keys.

    Args:
        log: A log with scores of `win_rate`.
        project: The project.
        entity: User or team; None for the user's default.
        run_name: What the run is called.
        tags: Tags of the run.
        task: What was compared, for the run's configuration.
        log_options: What is sent: ``win_rates``, ``accuracy_rates``, ``judge_agreement``,
            ``position_bias`` (figures), ``visualizations`` (the chart), ``raw_results`` (tables and
            files), ``sample_rationales`` with ``sample_count`` (what judges said of so many pairs,
            drawn with the log's seed). What is left out is not sent.
        files: Files that were written already; they are named when sending fails.

    Returns:
        Address of the run; None when it has none, as offline.

    Raises:
        EveInspectError: wandb is not installed, there is no login or no network, or the run was
            turned down; nothing that was written is lost.
    """
    # A folder called wandb, which its runs leave behind, is found too, but has no origin.
    if getattr(find_spec("wandb"), "origin", None) is None:
        raise EveInspectError(
            'Weights & Biases needs the package wandb: pip install "eve-inspect[wandb]".'
        )
    compared = compared_log(log)
    try:
        return _send(
            log,
            compared,
            {"project": project, "entity": entity, "name": run_name, "tags": list(tags)},
            {"task": task, **_config(log, compared)},
            log_options,
            files,
        )
    except Exception as error:  # wandb's errors share no base class
        reason = " ".join(str(error).split()) or type(error).__name__
        kept = ", ".join(map(str, files)) or log.location
        raise EveInspectError(
            f"Weights & Biases did not take run {run_name!r} of project {project!r} ({reason}). "
            f"Nothing is lost: the results are in {kept}. Log in with `wandb login`, or set "
            "WANDB_MODE=offline and send the run later with `wandb sync`."
        ) from error


def _send(
    log: EvalLog,
    compared: ComparedLog,
    names: Mapping[str, Any],
    config: dict[str, Any],
    options: Mapping[str, bool | int],
    files: Sequence[Path],
) -> str | None:
    import wandb

    run = wandb.init(
        **names, config=config, job_type="win_rate", reinit="create_new", settings=_settings()
    )
    failed = 1
    try:
        with TemporaryDirectory() as folder:
            run.log(_selected(log, compared, options, Path(folder)))
            if options.get("raw_results") and files:
                artifact = wandb.Artifact(f"win_rate-{run.id}", type="win_rate")
                for file in files:
                    artifact.add_file(str(file))
                run.log_artifact(artifact)
        failed = 0
    finally:
        run.finish(exit_code=failed)
    return None if run.offline else run.url  # offline, asking for it is warned of


def _settings() -> wandb.Settings:
    """Return what keeps a run quiet, and nothing of the machine in it."""
    import wandb

    return wandb.Settings(
        console="off",
        silent=True,
        disable_code=True,
        disable_git=True,
        x_disable_meta=True,
        x_disable_stats=True,
        x_save_requirements=False,
        login_timeout=_LOGIN_SECONDS,
        init_timeout=_INIT_SECONDS,
        finish_timeout=_FINISH_SECONDS,
        finish_timeout_raises=True,
    )


def _selected(
    log: EvalLog, compared: ComparedLog, options: Mapping[str, bool | int], folder: Path
) -> dict[str, Any]:
    """Return the figures, the chart and the tables that are to be sent."""
    import wandb

    rows = summary_rows(compared)
    sent: dict[str, Any] = {
        figure.name: figure.value
        for figure in figures(compared, rows)
        if options.get(figure.section) and not math.isnan(figure.value)
    }
    if options.get("visualizations"):
        chart = folder / "win_rate.png"
        draw_chart(rows, chart)
        sent["win_rate_chart"] = wandb.Image(str(chart))
    return sent | {name: _table(one) for name, one in _selected_tables(log, compared, options)}


def _config(log: EvalLog, compared: ComparedLog) -> dict[str, Any]:
    """Return what was compared and how; no addresses and no keys."""
    first = compared.found.details[0]
    judges = {name: one["model"] for name, one in first["judges"].items()}
    return {
        "model": compared.model,
        "baseline": compared.baseline,
        "judges": judges,
        "mode": first["mode"],
        "order": first["order"],
        "random_seed": first["seed"],
        "judge_sees_context": first["judge_sees_context"],
        "pairs": len(compared.found.details),
        "eval_id": log.eval.eval_id,
        "log": Path(log.location).name,
    }


def _selected_tables(
    log: EvalLog, compared: ComparedLog, options: Mapping[str, bool | int]
) -> Iterator[tuple[str, DataFrame]]:
    if not options.get("raw_results") and not options.get("sample_rationales"):
        return
    tables = win_rate_tables(log)
    if options.get("raw_results"):
        yield "results", tables.results
        yield "summary", tables.summary
    if options.get("sample_rationales"):
        yield "sample_rationales", _rationales(compared, tables.results, options["sample_count"])


def _rationales(compared: ComparedLog, results: DataFrame, count: int) -> DataFrame:
    """Return what each judge said of some pairs that judges were asked about."""
    import pandas as pd

    asked = results[results["judged"]].to_dict("records")
    drawn = random.Random(compared.found.seed).sample(range(len(asked)), min(count, len(asked)))
    head = ("id", "question", "target", "model", "answer_a", "baseline", "answer_b")
    rows = [
        {
            **{name: asked[place][name] for name in head},
            "judge": judge,
            **{name: asked[place][f"{name}/{judge}"] for name in _RATIONALES},
        }
        for place in sorted(drawn)
        for judge in compared.found.judges
    ]
    return pd.DataFrame(rows, columns=[*head, "judge", *_RATIONALES])


def _table(frame: DataFrame) -> wandb.Table:
    import wandb

    plain = frame.astype(object).where(frame.notna(), None)
    return wandb.Table(
        columns=list(plain.columns),
        data=list(plain.itertuples(index=False, name=None)),
        allow_mixed_types=True,
    )
