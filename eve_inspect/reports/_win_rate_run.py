"""A whole win-rate evaluation: comparisons, tables, charts, ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog

from eve_inspect._errors import EveInspectError
from eve_inspect.evaluation import (
    Answers,
    Comparisons,
    OutputSettings,
    WandbSettings,
    WinRateConfig,
    compare_models,
    files_of,
    judge_models,
    read_win_rate_config,
)
from eve_inspect.reports._win_rate_figures import compared_log
from eve_inspect.reports._win_rate_ranking import (
    WinRateRanking,
    comparison_of,
    win_rate_ranking,
)
from eve_inspect.reports._win_rate_tables import write_win_rate_files
from eve_inspect.reports._win_rate_wandb import log_win_rate_to_wandb


class WinRateRun(NamedTuple):
    """What a win-rate evaluation led to.

    Attributes:
        compared: The logs, the seed and the folder.
        files: The files that were written.
        ranking: How the models rank; None for two.
    """

    compared: Comparisons
    files: tuple[Path, ...]
    ranking: WinRateRanking | None


def run_win_rate(config: WinRateConfig | str | Path, *, display: str | None = None) -> WinRateRun:
    """Run a win-rate configuration, and write what it asks for.

    Args:
        config: The configuration, or the path of its file.
        display: How Inspect shows progress (``full``, ``rich``, ``plain``, ``none``, ...).

    Raises:
        EveInspectError: Anything that the user can put right, before a judge is called; after the
            files are written, a comparison in which no judge gave a verdict, or Weights & Biases
            that did not take the results.
    """
    if not isinstance(config, WinRateConfig):
        config = read_win_rate_config(config)
    evaluation = config.evaluation
    compared = compare_models(
        [Answers(one.file, one.name, one.columns) for one in config.model_a],
        [Answers(one.file, one.name, one.columns) for one in config.model_b],
        judges=judge_models(config.judges, evaluation.max_workers),
        seed=evaluation.random_seed,
        limit=evaluation.limit,
        log_dir=config.output.log_dir,
        max_samples=evaluation.max_workers,
        display=display,
        tags=[config.task],
        options={
            **evaluation.task_options(),
            "judge_names": [judge.name for judge in config.judges],
            "judge_delay": evaluation.rate_limit_delay,
        },
    )
    return report_win_rates(compared, config.output, config.wandb, config.task)


def report_win_rates(
    compared: Comparisons,
    output: OutputSettings,
    wandb: WandbSettings | None = None,
    task: str = "win_rate",
) -> WinRateRun:
    """Write tables, charts and ranking of comparisons, and tell Weights & Biases if wanted.

    Args:
        compared: The comparisons.
        output: What is written, and where.
        wandb: Whether and how results go to Weights & Biases.
        task: Prefix of the metrics there.

    Raises:
        EveInspectError: After the files are written: a comparison in which no judge gave a
            verdict, models that no chain of verdicts connects, so that they have no ranks, or
            Weights & Biases that did not take the results.
    """
    written: list[Path] = []
    by_log: list[tuple[EvalLog, list[Path]]] = []
    for log in compared.logs:
        model, baseline = names_of(log)
        files = files_of(output, model, baseline, written)
        made = write_win_rate_files(
            log,
            results=files.results if output.save_results else None,
            summary=files.summary if output.save_results else None,
            metrics=files.metrics if output.save_results else None,
            visualization=files.visualization if output.save_visualizations else None,
        )
        written += made
        by_log.append((log, made))
    problems = [*_unjudged(compared.logs)]
    ranking = None
    try:
        ranking = _ranking(compared)
    except EveInspectError as error:
        problems.append(error.message.rstrip("."))
    if ranking is not None and output.save_results:
        written += _write_ranking(ranking, output.output_dir, written)
    if wandb is not None and wandb.enabled:
        problems += _tell_wandb(by_log, wandb, task)
    if problems:
        where = f". What there is to show is in {str(output.output_dir)!r}" * bool(written)
        raise EveInspectError(f"{'; '.join(problems)}{where}.")
    return WinRateRun(compared, tuple(written), ranking)


def names_of(log: EvalLog) -> tuple[str, str]:
    """Return the names of the model and of the baseline that a log compares."""
    sides = (log.eval.metadata or {}).get("win_rate")
    if sides is None:
        compared = compared_log(log)
        return compared.model, compared.baseline
    return str(sides["model_a"]["name"]), str(sides["model_b"]["name"])


def _tell_wandb(
    by_log: Sequence[tuple[EvalLog, list[Path]]], wandb: WandbSettings, task: str
) -> list[str]:
    """Send each comparison; return what was wrong, if anything, which holds for all the rest."""
    for log, made in by_log:
        try:
            log_win_rate_to_wandb(
                log,
                project=wandb.project,
                entity=wandb.entity,
                run_name=wandb.run_name_of(*names_of(log)),
                tags=wandb.tags,
                task=task,
                log_options=wandb.log.model_dump(),
                files=made,
            )
        except EveInspectError as error:
            return [error.message.rstrip(".")]
    return []


def _ranking(compared: Comparisons) -> WinRateRanking | None:
    """Return how the models rank; None for two, whose win rate says it all."""
    if len({name for log in compared.logs for name in names_of(log)}) < 3:
        return None
    return win_rate_ranking(compared.logs, seed=compared.seed)


def _write_ranking(ranking: WinRateRanking, folder: Path, taken: Sequence[Path]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [_free(folder / name, taken) for name in ("ranking.csv", "win_rate_matrix.csv")]
    ranking.strengths.to_csv(paths[0], index=False)
    ranking.matrix.to_csv(paths[1], index_label="model")
    return paths


def _free(path: Path, taken: Sequence[Path]) -> Path:
    """Return a path with a number before its suffix if a file of this run has it."""
    used = {one.name.casefold() for one in taken}
    turns = (path, *(path.with_stem(f"{path.stem}-{turn}") for turn in range(2, len(used) + 3)))
    return next(one for one in turns if one.name.casefold() not in used)


def _unjudged(logs: Sequence[EvalLog]) -> Iterator[str]:
    """Yield what is wrong with each comparison that has no verdict."""
    for log in logs:
        if not any(one.judged for one in comparison_of(log).tallies.values()):
            yield (
                f"no pair of {log.location} was judged, so there is no win rate: "
                f"{next(_reasons(log), 'the log says why').rstrip('.')}"
            )


def _reasons(log: EvalLog) -> Iterator[str]:
    """Yield what went wrong, verdict by verdict."""
    for sample in log.samples or []:
        for one in (sample.scores or {}).values():
            judges: dict[str, Any] = (one.metadata or {}).get("judges", {})
            for record in judges.values():
                for order in record["orders"].values():
                    for failure in order["failures"]:
                        said = " ".join(order["raw"][:200].split())
                        yield f"{record['model']}: {failure}{f' ({said})' if said else ''}"
