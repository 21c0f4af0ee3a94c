"""The ``eve-inspect`` command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from eve_inspect._errors import EveInspectError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import Model

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
        [_model("--judge", one) for one in judges],
        add_judges=[_model("--add-judge", one) for one in added],
        options=dict(_option(one) for one in options),
        output=output_file,
        overwrite=overwrite,
    )
    click.echo(_summary(scored))


def _option(text: str) -> tuple[str, Any]:
    """Read ``name=value``, the value as YAML, as Inspect's own ``-S`` does."""
    import yaml

    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise EveInspectError(f"-S {text!r} is not of the form name=value.")
    try:
        return name.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise EveInspectError(f"-S {text!r}: the value cannot be read as YAML.") from error


def _model(option: str, text: str) -> str | Model:
    """Read a model name, or a mapping with ``model`` and the model's own settings."""
    from inspect_ai.model import GenerateConfig, get_model

    settings = _mapping(option, text)
    base_url, arguments = settings.pop("base_url", None), settings.pop("model_args", {})
    name = settings.pop("model", None)
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise EveInspectError(
            f"{option} {text!r} needs a model's name under 'model', and a mapping under "
            "'model_args' if that is there."
        )
    unknown = sorted(settings.keys() - GenerateConfig.model_fields)
    if unknown:
        raise EveInspectError(
            f"{option} {text!r}: {', '.join(map(repr, unknown))} is no setting; there are model, "
            "base_url, model_args and Inspect's generation settings, such as temperature."
        )
    try:
        config = GenerateConfig(**settings)
        return get_model(name, config=config, base_url=base_url, memoize=False, **arguments)
    except Exception as error:  # every provider has errors of its own
        reason = " ".join(str(error).split())
        raise EveInspectError(f"{option} {text!r} cannot be used: {reason}") from error


def _mapping(option: str, text: str) -> dict[str, Any]:
    import yaml

    if not text.lstrip().startswith("{"):
        return {"model": text}
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise EveInspectError(f"{option} {text!r} cannot be read as a YAML mapping.") from error
    return dict(found)


def _summary(log: EvalLog) -> str:
    """Return the panel's means, one a line, and where the log is."""
    from eve_inspect.reports import results

    table = results(log)
    panel = table[table["metric"].eq("mean") & table["scorer"].str.endswith("_panel")]
    lines = [f"{row.score:40} {row.value:.3f}" for row in panel.itertuples()]
    return "\n".join([*lines, f"Log: {log.location}"])
