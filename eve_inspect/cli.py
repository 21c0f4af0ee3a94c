"""The ``eve-inspect`` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eve_inspect._errors import EveInspectError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

    from eve_inspect.evaluation import Answers, OutputSettings
    from eve_inspect.reports import WinRateRun

_JUDGE_HELP = "A model name, or a mapping: '{model: openai/gpt-4.1-mini, temperature: 0}'."


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="eve-inspect")
def main() -> None:
    """What `inspect` does not do: work on finished logs of the EVE benchmarks."""


@main.command()
@click.argument("log")
@click.option(
    "--judge", "judges", multiple=True, metavar="MODEL", help=f"Makes the new panel. {_JUDGE_HELP}"
)
@click.option(
    "--add-judge",
    "added",
    multiple=True,
    metavar="MODEL",
    help="Joins the panel that the log was scored by.",
)
@click.option(
    "-S",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument of the scorer, such as scale=0-1.",
)
@click.option(
    "--output-file", metavar="FILE", help="The new log; <LOG>-rescored.eval when left out."
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace the file that is there; the log itself without --output-file.",
)
def rescore(
    log: str,
    judges: tuple[str, ...],
    added: tuple[str, ...],
    options: tuple[str, ...],
    output_file: str | None,
    overwrite: bool,
) -> None:
    r"""Judge a finished LOG by other judges, and pay only for verdicts that it does not hold.

    With --judge the panel is exactly those models; verdicts of the ones that judged the log before
    are taken over. With --add-judge the panel stays and grows. No answer is generated. The new log
    holds one panel score.

    \b
    Examples:
      eve-inspect rescore logs/x.eval --judge openai/gpt-4.1-mini --judge openai/gpt-4.1
      eve-inspect rescore logs/x.eval --add-judge openai/gpt-4.1 --overwrite
      eve-inspect rescore logs/x.eval --judge openai/gpt-4.1-mini -S scale=0-1
    """
    from eve_inspect.evaluation import rescore as run

    scored = run(
        log,
        _models("--judge", judges),
        add_judges=_models("--add-judge", added),
        options=dict(_option(one) for one in options),
        output=output_file,
        overwrite=overwrite,
    )
    click.echo(_summary(scored))


@main.command("win-rate")
@click.option("--config", metavar="FILE", help="A configuration file; see docs/win_rate_config.md.")
@click.option(
    "-a",
    "--model-a",
    "models_a",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Answers of a model: a log (.eval), .csv, .jsonl or .json.",
)
@click.option(
    "-b",
    "--model-b",
    "models_b",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Answers of a baseline; without one, all of -a are compared with each other.",
)
@click.option("--judge", "judges", multiple=True, metavar="MODEL", help=f"Judges. {_JUDGE_HELP}")
@click.option("--limit", type=int, metavar="N", help="The first N questions only.")
@click.option("--seed", type=int, metavar="N", help="Drawn and recorded when left out.")
@click.option(
    "-T",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An argument of the task win_rate, such as mode=correctness or order=balanced.",
)
@click.option(
    "--output-dir",
    default="win_rate_results",
    show_default=True,
    metavar="DIR",
    help="Where tables and charts go.",
)
@click.option("--log-dir", default="logs", show_default=True, metavar="DIR", help="Where logs go.")
@click.option("--display", metavar="KIND", help="Inspect's: full, rich, plain, log or none.")
def win_rate(
    config: str | None,
    models_a: tuple[str, ...],
    models_b: tuple[str, ...],
    judges: tuple[str, ...],
    limit: int | None,
    seed: int | None,
    options: tuple[str, ...],
    output_dir: str,
    log_dir: str,
    display: str | None,
) -> None:
    r"""Compare models by their recorded answers: which is better, and how sure is that.

    No model is called but the judges. A run that was stopped goes on where it was, and one that is
    complete costs nothing. Each comparison gets a log, tables (.csv) and a chart (.png).

    \b
    Examples:
      eve-inspect win-rate -a logs/a.eval -b logs/b.eval --judge openai/gpt-4.1-mini
      eve-inspect win-rate -a a.csv -a b.csv -a c.csv --judge openai/gpt-4.1-mini
      eve-inspect win-rate -a new=logs/a.eval -b old=logs/b.eval --judge openai/gpt-4.1-mini
      eve-inspect win-rate --config win_rate_config.yaml
    """
    from eve_inspect.reports import run_win_rate

    if config is not None:
        named = {"-a": models_a, "-b": models_b, "--judge": judges, "-T": options}
        also = [name for name, values in named.items() if values]
        if also or limit is not None or seed is not None:
            raise EveInspectError(
                "--config says all of it: leave out the other options, or the file "
                f"({', '.join(also) or '--limit, --seed'})."
            )
        run = run_win_rate(config, display=display)
    else:
        run = _compare(
            models_a, models_b, judges, limit, seed, options, output_dir, log_dir, display
        )
    click.echo(_win_rates(run))


@main.command()
@click.argument("annotations", metavar="FILE")
def alpaca(annotations: str) -> None:
    """Show the figures of a FILE with AlpacaEval annotations (.json or .jsonl).

    A row for each model, baseline and annotator: counts, win rate and standard error as AlpacaEval
    has them, as shares of 1; failed annotations are counted as missing. The length-controlled win
    rate is this suite's.
    """
    from eve_inspect.datasets import read_alpaca_annotations
    from eve_inspect.reports import alpaca_table

    table = alpaca_table(read_alpaca_annotations(annotations))
    click.echo(table.T.to_string(header=False))


def _compare(
    models_a: tuple[str, ...],
    models_b: tuple[str, ...],
    judges: tuple[str, ...],
    limit: int | None,
    seed: int | None,
    options: tuple[str, ...],
    output_dir: str,
    log_dir: str,
    display: str | None,
) -> WinRateRun:
    """Compare what the command line names, and write tables and charts."""
    from eve_inspect.evaluation import compare_models
    from eve_inspect.reports import report_win_rates

    if not judges:
        raise EveInspectError("name a judge or more: --judge openai/gpt-4.1-mini")
    output = _output(output_dir, log_dir)
    compared = compare_models(
        [_answers(one) for one in models_a],
        [_answers(one) for one in models_b],
        judges=_models("--judge", judges),
        seed=seed,
        limit=limit,
        log_dir=log_dir,
        display=display,
        options=dict(_option(one, "-T") for one in options),
    )
    return report_win_rates(compared, output)


def _output(output_dir: str, log_dir: str) -> OutputSettings:
    """Check where results go before anybody is paid for them."""
    from pydantic import ValidationError

    from eve_inspect.evaluation import OutputSettings

    try:
        return OutputSettings(output_dir=Path(output_dir), log_dir=Path(log_dir))
    except ValidationError as error:
        mistake = error.errors()[0]
        option = f"--{str(mistake['loc'][0]).replace('_', '-')}"
    raise EveInspectError(f"{option}: {mistake['msg']}.")


def _answers(text: str) -> Answers:
    """Read ``[name=]file``; a path may hold the sign too."""
    from eve_inspect.evaluation import Answers

    name, separator, file = text.partition("=")
    if not separator or not name.strip() or "/" in name or Path(text).exists():
        return Answers(text)
    return Answers(file, name.strip())


def _win_rates(run: WinRateRun) -> str:
    """Return each comparison's main figures, the ranking, and where everything is."""
    from eve_inspect.reports import win_rate_summary

    lines = [win_rate_summary(log) for log in run.compared.logs]
    if run.ranking is not None:
        lines.append(run.ranking.strengths.to_string(index=False, float_format="{:.2f}".format))
    lines += [f"Seed: {run.compared.seed}", *(f"File: {path}" for path in run.files)]
    return "\n".join([*lines, *(f"Log: {log.location}" for log in run.compared.logs)])


def _option(text: str, option: str = "-S") -> tuple[str, Any]:
    """Read ``name=value``, the value as YAML, as Inspect's own options do."""
    import yaml

    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise EveInspectError(f"{option} {text!r} is not of the form name=value.")
    try:
        return name.strip(), yaml.safe_load(value)
    except (yaml.YAMLError, ValueError) as error:  # the latter for a date that there is not
        raise EveInspectError(f"{option} {text!r}: the value cannot be read as YAML.") from error


def _models(option: str, texts: Sequence[str]) -> list[str | Model]:
    """Read models, each a mapping or one name or more with commas between them."""
    names = [
        name.strip()
        for text in texts
        for name in ([text] if text.lstrip().startswith("{") else text.split(","))
    ]
    return [_model(option, name) for name in names]


def _model(option: str, text: str) -> str | Model:
    """Read a model name, or a mapping with ``model`` and the model's own settings."""
    from inspect_ai.model import GenerateConfig, get_model

    settings = _mapping(option, text)
    arguments = settings.pop("model_args", {})
    name = settings.pop("model", None)
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        raise EveInspectError(
            f"{option} {_shown(text)!r} needs a model's name under 'model', and a mapping under "
            "'model_args' if that is there."
        )
    if "base_url" in settings:
        arguments = {**arguments, "base_url": settings.pop("base_url")}
    unknown = sorted(settings.keys() - GenerateConfig.model_fields, key=str)
    if unknown:
        raise EveInspectError(
            f"{option} {name!r}: {', '.join(map(repr, unknown))} is no setting; there are model, "
            "base_url, model_args and Inspect's generation settings, such as temperature."
        )
    try:
        config = GenerateConfig(**settings)
        return get_model(name, config=config, memoize=False, **arguments)
    except Exception as error:  # every provider has errors of its own
        reason = " ".join(str(error).split())
    for secret in {str(value) for value in arguments.values()} - {str(name), ""}:
        reason = reason.replace(secret, "...")  # a key may be among them
    raise EveInspectError(f"{option} {name!r} cannot be used: {reason}")


def _shown(text: str) -> str:
    """Return what may be shown of an argument: a mapping may hold a key."""
    return "{...}" if text.lstrip().startswith("{") else text


def _mapping(option: str, text: str) -> dict[str, Any]:
    import yaml

    if not text.lstrip().startswith("{"):
        return {"model": text}
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem", None) or "a date that there is not"
    else:
        return dict(found)
    raise EveInspectError(f"{option} {_shown(text)!r} cannot be read as a YAML mapping: {mark}.")


def _summary(log: EvalLog) -> str:
    """Return the panel's means, one a line, and where the log is."""
    from eve_inspect.evaluation import silent_judges
    from eve_inspect.reports import results

    table = results(log)
    panel = table[table["metric"].eq("mean") & table["scorer"].str.endswith("_panel")]
    lines = [f"{row.score:40} {row.value:.3f}" for row in panel.itertuples()]
    silent = [f"No verdict by {name}: {why}" for name, why in silent_judges(log).items()]
    return "\n".join([*lines, *silent, f"Log: {log.location}"])
