"""The configuration file of a win-rate evaluation, in the form of the earlier tool."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr, field_validator, model_validator

from eve_inspect._paths import user_path
from eve_inspect.evaluation._config_file import Place, mistake, nearest, read_config_file
from eve_inspect.evaluation._judge_settings import JudgeSettings
from eve_inspect.evaluation._output_files import PLACES, filled, unknown_places
from eve_inspect.evaluation._setting_types import (
    MANY,
    SECTION,
    ExistingFile,
    Flag,
    Folder,
    Seconds,
    Settings,
    Text,
    whole,
)

_COLUMNS = ("question", "reference", "answer", "id", "context")
_MOST_OF_A_TAG = 64
_MOST_OF_A_RUN_NAME = 128
_NOT_IN_A_PROJECT = set("/\\#?%:")


class ModelFile(Settings):
    """A model's recorded answers.

    Attributes:
        file: The log (.eval) or the file (.csv, .jsonl, .json) that holds them.
        name: What the model is called; the file's name without its suffix when left out.
        columns: Where a file holds what, if not under the usual names.
    """

    file: ExistingFile
    name: Text = Field(default_factory=lambda data: data["file"].stem)
    columns: dict[str, Text] | None = None

    def __hash__(self) -> int:
        """Return what two equal ones share; a dictionary has no hash."""
        return hash((self.file, self.name))

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: object) -> object:
        """Take a path alone."""
        return {"file": value} if isinstance(value, str | Path) else value

    @field_validator("columns")
    @classmethod
    def _check_columns(cls, columns: dict[str, str] | None) -> dict[str, str] | None:
        for key in columns or {}:
            if key not in _COLUMNS:
                raise mistake(f"is no key; {nearest(key, _COLUMNS)}", key)
        return columns


class EvaluationSettings(Settings):
    """How the answers are compared.

    Attributes:
        limit: The first so many pairs of answers; None for all.
        max_workers: Requests to each judge at the same time.
        rate_limit_delay: Least seconds between the starts of two requests to one judge.
        random_seed: Seed of the order of answers and of resampling; None for one that is drawn.
        mode: Whether judges say which answer is better, or which is right.
        order: Whether each judge sees both orders, or one.
        judge_sees_context: Whether judges see the documents.
        rubric: A file that replaces the built-in rubric.
        judge_attempts: Further requests after a reply without a verdict.
        unpaired: What happens when a question is on one side only.
        epochs: Which epochs of a log count.
        force: Whether logs of different tasks, data or prompts are compared.
    """

    limit: Annotated[int | None, whole(1, "for all")] = None
    max_workers: Annotated[int, whole(1)] = 10
    rate_limit_delay: Seconds = 0.0
    random_seed: Annotated[int | None, whole(0, "for one that is drawn and recorded")] = None
    mode: Literal["preference", "correctness"] = "preference"
    order: Literal["both", "balanced"] = "both"
    judge_sees_context: Flag = False
    rubric: ExistingFile | None = None
    judge_attempts: Annotated[int, whole(0)] = 2
    unpaired: Literal["error", "skip"] = "error"
    epochs: Literal["single", "first", "all"] = "single"
    force: Flag = False

    def task_options(self) -> dict[str, Any]:
        """Return the arguments of the task ``win_rate`` that are set here, but the seed."""
        options = self.model_dump(
            include={"mode", "order", "judge_sees_context", "judge_attempts", "unpaired", "force"}
        )
        rubric = None if self.rubric is None else str(self.rubric)
        return {**options, "rubric": rubric, "answer_epochs": self.epochs}


def _pattern(suffix: str) -> AfterValidator:
    """Return a validator of patterns for files of one kind."""

    def check(value: str) -> str:
        _check_places(value)
        if set(value) & set("/\\") or value in {".", ".."}:
            raise mistake("has to be the name of a file: its folder is output_dir")
        if not value.casefold().endswith(suffix):
            raise mistake(f"has to end in {suffix}")
        return value

    return AfterValidator(check)


def _check_places(pattern: str) -> str:
    if unknown := unknown_places(pattern):
        raise mistake(f"{unknown[0]} is no placeholder; there are {' and '.join(PLACES)}")
    return pattern


class OutputSettings(Settings):
    """What is written, and where.

    Attributes:
        save_results: Whether the tables are written.
        save_visualizations: Whether the chart is.
        output_dir: Their folder.
        results_filename: Pattern of the name of the table of pairs.
        summary_filename: Of the table of judges.
        metrics_filename: Of the table of metrics.
        visualization_filename: Of the chart.
        log_dir: The folder of the logs.
    """

    save_results: Flag = True
    save_visualizations: Flag = True
    output_dir: Folder = Path("win_rate_results")
    results_filename: Annotated[Text, _pattern(".csv")] = "results_{model_a}_vs_{model_b}.csv"
    summary_filename: Annotated[Text, _pattern(".csv")] = "summary_{model_a}_vs_{model_b}.csv"
    metrics_filename: Annotated[Text, _pattern(".csv")] = "metrics_{model_a}_vs_{model_b}.csv"
    visualization_filename: Annotated[Text, _pattern(".png")] = (
        "comparison_{model_a}_vs_{model_b}.png"
    )
    log_dir: Folder = Path("logs")


class WandbLog(Settings):
    """What goes to Weights & Biases.

    Attributes:
        win_rates: Win rates of both kinds.
        accuracy_rates: Shares of right answers, which only the mode ``correctness`` has.
        judge_agreement: How far the judges agree.
        position_bias: Which place the judges prefer.
        visualizations: The chart.
        raw_results: The tables.
        sample_rationales: What the judges said of some pairs.
        sample_count: Of how many.
    """

    win_rates: Flag = True
    accuracy_rates: Flag = True
    judge_agreement: Flag = True
    position_bias: Flag = True
    visualizations: Flag = True
    raw_results: Flag = True
    sample_rationales: Flag = True
    sample_count: Annotated[int, whole(0)] = 5


class WandbSettings(Settings):
    """Whether and how results go to Weights & Biases.

    Attributes:
        enabled: Whether they do.
        project: The project.
        entity: The user or team; None for the default of who is logged in.
        run_name: Pattern of the run's name.
        tags: Tags of the run.
        log: What goes there.
    """

    enabled: Flag = False
    project: Text = "win-rate"
    entity: Text | None = None
    run_name: Annotated[Text, AfterValidator(_check_places)] = "{model_a}_vs_{model_b}"
    tags: Annotated[tuple[Text, ...], MANY] = ()
    log: Annotated[WandbLog, SECTION] = WandbLog()

    @field_validator("enabled")
    @classmethod
    def _check_installed(cls, enabled: bool) -> bool:
        # A folder called wandb, which its runs leave behind, is found too, but has no origin.
        if enabled and getattr(find_spec("wandb"), "origin", None) is None:
            raise mistake('wandb is not installed: pip install "eve-inspect[wandb]", or use false')
        return enabled

    @field_validator("project")
    @classmethod
    def _check_project(cls, project: str) -> str:
        if _NOT_IN_A_PROJECT & set(project) or len(project) > _MOST_OF_A_RUN_NAME:
            shown = " ".join(sorted(_NOT_IN_A_PROJECT))
            raise mistake(
                f"must have none of {shown}, and {_MOST_OF_A_RUN_NAME} characters at most"
            )
        return project

    @field_validator("tags")
    @classmethod
    def _check_tags(cls, tags: tuple[str, ...]) -> tuple[str, ...]:
        for place, tag in enumerate(tags):
            if len(tag) > _MOST_OF_A_TAG:
                raise mistake(f"must have {_MOST_OF_A_TAG} characters at most", place)
        return tags

    def run_name_of(self, model: str, baseline: str) -> str:
        """Return a comparison's name of at most 128 characters, which is all that is taken."""
        return filled(self.run_name, model, baseline)[:_MOST_OF_A_RUN_NAME]


class WinRateConfig(Settings):
    """A win-rate evaluation.

    Attributes:
        task: Tag of the logs, and prefix of the metrics in Weights & Biases.
        model_a: The models.
        model_b: The baselines; when there are none, every two models are compared.
        judges: The judges.
        evaluation: How the answers are compared.
        output: What is written, and where.
        wandb: Whether and how results go to Weights & Biases.
    """

    task: Text = "win_rate"
    model_a: Annotated[tuple[ModelFile, ...], MANY]
    model_b: Annotated[tuple[ModelFile, ...], MANY] = ()
    judges: Annotated[tuple[JudgeSettings, ...], MANY]
    evaluation: Annotated[EvaluationSettings, SECTION] = EvaluationSettings()
    output: Annotated[OutputSettings, SECTION] = OutputSettings()
    wandb: Annotated[WandbSettings, SECTION] = WandbSettings()
    _source: Path = PrivateAttr(Path())

    @property
    def source(self) -> Path:
        """The file it was read from; the current folder for one made in Python."""
        return self._source

    @field_validator("task")
    @classmethod
    def _check_task(cls, task: str) -> str:
        if len(task) > _MOST_OF_A_TAG:
            raise mistake(f"must have {_MOST_OF_A_TAG} characters at most: it is a tag")
        return task

    @field_validator("judges")
    @classmethod
    def _check_judges(cls, judges: tuple[JudgeSettings, ...]) -> tuple[JudgeSettings, ...]:
        if not judges:
            raise mistake("has no entry: name a judge or more")
        _check_names([((place, "name"), judge.name) for place, judge in enumerate(judges)])
        return judges

    @model_validator(mode="after")
    def _check_models(self) -> WinRateConfig:
        if not self.model_a:
            raise mistake("has no entry: name a model or more", "model_a")
        if not self.model_b and len(self.model_a) < 2:
            raise mistake(
                "has one entry, and model_b has none: add a baseline to model_b, or models to "
                "model_a, which are then compared with each other",
                "model_a",
            )
        sides = {"model_a": self.model_a, "model_b": self.model_b}
        _check_names(
            [
                ((side, place, "name"), one.name)
                for side, models in sides.items()
                for place, one in enumerate(models)
            ]
        )
        return self

    def pairs(self) -> list[tuple[ModelFile, ModelFile]]:
        """Return who meets whom: the model first, the baseline second."""
        if not self.model_b:
            return list(combinations(self.model_a, 2))
        return list(product(self.model_a, self.model_b))


def read_win_rate_config(
    path: str | Path, environ: Mapping[str, str] | None = None
) -> WinRateConfig:
    """Read a configuration file.

    Args:
        path: The YAML file.
        environ: The variables that ``${NAME}`` stands for; those of the process when left out.

    Raises:
        EveInspectError: A file that cannot be read, or the first mistake in it.
    """
    file = read_config_file(user_path("config", path))
    content = file.expanded(os.environ if environ is None else environ)
    context = {"folder": file.path.parent}
    config = file.validated(WinRateConfig, content, context)
    config._source = file.path
    return config


def _check_names(named: list[tuple[Place, str]]) -> None:
    """Make sure that no two names are alike."""
    taken: set[str] = set()
    for place, name in named:
        if name in taken:
            raise mistake(f"{name!r} is another entry's name too: give each its own", *place)
        taken.add(name)
