"""What all tasks share: checked arguments, data, instructions and demonstrations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import Benchmark, Loaded, OnBadRows, Rules, load
from eve_inspect.prompts import resolve
from eve_inspect.solvers import Demonstrations, FewshotSampler, fewshot, instruct


@dataclass(frozen=True, slots=True)
class Fewshot:
    """How demonstrations are chosen.

    Attributes:
        n: How many are shown; 0 for none.
        sampler: ``first`` of the pool, or ``random`` for each question.
        seed: Seed of ``random``.
        dataset: Where the pool comes from, as a task's ``dataset``; None for the scored set itself.
        split: Split of the hub's set that is the pool; None for ``train``.
    """

    n: int
    sampler: FewshotSampler
    seed: int
    dataset: str | None
    split: str | None

    def __post_init__(self) -> None:
        _check_int("fewshot", self.n, minimum=0)
        _check_int("fewshot_seed", self.seed)
        for name, value in (("fewshot_dataset", self.dataset), ("fewshot_split", self.split)):
            if value is not None and not isinstance(value, str):
                raise EveInspectError(f"{name}={value!r} is not text.")
        if self.sampler not in get_args(FewshotSampler):
            allowed = " or ".join(map(repr, get_args(FewshotSampler)))
            raise EveInspectError(
                f"fewshot_sampler={self.sampler!r} is not offered: use {allowed}."
            )
        if self.split is not None and self.dataset != "hub":
            raise EveInspectError(
                f"fewshot_split={self.split!r} names a split of the hub's set: add "
                "-T fewshot_dataset=hub, or leave it out."
            )
        if not self.n and self.dataset is not None:
            raise EveInspectError(
                f"fewshot_dataset={self.dataset!r} is not used with fewshot=0: say how many "
                "demonstrations to show with -T fewshot=<number>, or leave it out."
            )


@dataclass(frozen=True, slots=True)
class Setup:
    """A task's data and everything before generation."""

    dataset: MemoryDataset
    solvers: list[Solver]
    metadata: dict[str, Any]


def setup(
    benchmark: Benchmark,
    prompt_name: str,
    reply: Callable[[Sample], str],
    *,
    dataset: str,
    revision: str | None,
    on_bad_rows: OnBadRows,
    shots: Fewshot,
    prompt: str | None,
    rules: Rules | None = None,
) -> Setup:
    """Check, load and assemble; nothing here calls a model.

    Args:
        benchmark: The data's declaration.
        prompt_name: The task's built-in prompt.
        reply: Writes the right reply to a sample, for demonstrations.
        dataset: ``hub``, ``sample`` or a path.
        revision: Revision of the hub's set.
        on_bad_rows: ``error`` or ``skip``.
        shots: How demonstrations are chosen.
        prompt: Path of a text that replaces the built-in prompt, or None.
        rules: What a file's author has to declare, since it cannot be told from the values.

    Raises:
        EveInspectError: Anything that the user can put right.
    """
    instructions = resolve(prompt_name, _optional_text("prompt", prompt))
    loaded = load(benchmark, dataset, revision, on_bad_rows, rules=rules)
    solvers = [instruct(instructions.text, instructions.closing)]
    metadata: dict[str, Any] = {"dataset": loaded.info, "prompt": instructions.info}
    if shots.n:
        pool = loaded
        if shots.dataset is not None:
            pool = _load_pool(benchmark, shots, dataset, revision, on_bad_rows, rules)
            metadata["fewshot_dataset"] = pool.info
        demonstrations = Demonstrations(pool.samples, reply, instructions.closing)
        demonstrations.check(loaded.samples, shots.n)
        contents = pool.info["fingerprint"]
        solvers.append(fewshot(demonstrations, shots.n, shots.sampler, shots.seed, contents))
    return Setup(loaded.dataset, solvers, metadata)


def answer_line(sample: Sample) -> str:
    """Return the right reply to a question with lettered options: ``Answer: A, C``."""
    letters = [sample.target] if isinstance(sample.target, str) else sample.target
    return f"Answer: {', '.join(letters)}"


def answer_text(sample: Sample) -> str:
    """Return the right reply to an open question: its reference answer."""
    return sample.target if isinstance(sample.target, str) else sample.target[0]


def _load_pool(
    benchmark: Benchmark,
    shots: Fewshot,
    dataset: str,
    revision: str | None,
    on_bad_rows: OnBadRows,
    rules: Rules | None,
) -> Loaded:
    """Load the pool; one from the same hub set is of the revision that is scored."""
    try:
        return load(
            benchmark,
            str(shots.dataset),
            revision if shots.dataset == dataset else None,
            on_bad_rows,
            split=shots.split or "train",
            rules=rules,
            check_rows=False,
        )
    except EveInspectError as error:
        raise EveInspectError(f"The pool of demonstrations: {error.message}") from error


def _check_int(name: str, value: object, minimum: int | None = None) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or (minimum is not None and isinstance(value, int) and value < minimum):
        allowed = "a whole number" if minimum is None else f"a whole number from {minimum} on"
        raise EveInspectError(f"{name}={value!r} is not {allowed}.")


def _optional_text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise EveInspectError(f"{name}={value!r} is not the path of a text file.")
