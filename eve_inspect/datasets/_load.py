"""Loading a benchmark's data set from wherever it is."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, get_args

from inspect_ai.dataset import MemoryDataset, Sample

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._benchmark import Benchmark, Rules
from eve_inspect.datasets._files import Record, parse_jsonl, read_records
from eve_inspect.datasets._hub import read_hub
from eve_inspect.datasets._rows import OnBadRows, read_rows

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A data set, ready to be asked.

    Attributes:
        dataset: The samples, in the order of the rows.
        info: What was loaded, for the log: ``source`` (``hub``, ``sample`` or ``file``), ``name``
            (hub id, ``sample``, or the file's name without its folder), ``rows``, ``paper_rows``,
            ``fingerprint`` and ``skipped`` (``row`` from 1, ``column``, ``reason``); for the hub
            also ``revision`` as asked for, ``commit`` and ``split``. ``warnings`` are texts that
            were logged too.
    """

    dataset: MemoryDataset
    info: dict[str, Any]

    @property
    def samples(self) -> list[Sample]:
        """The samples, in the order of the rows."""
        return list(self.dataset)


class _Origin(NamedTuple):
    """Records and where they come from."""

    records: list[Record]
    info: dict[str, Any]
    warnings: list[str]


def load(
    benchmark: Benchmark,
    dataset: str | Path = "hub",
    revision: str | None = None,
    on_bad_rows: OnBadRows = "error",
    split: str = "train",
    rules: Rules | None = None,
    check_rows: bool = True,
) -> Loaded:
    """Load a benchmark's rows as samples.

    A sample's id is made of the row's content, the same in any order of the rows. A row's own
    ``id``, where a set has that column, is in the sample's metadata.

    Args:
        benchmark: Which one.
        dataset: ``hub``, ``sample`` (the built-in sample set), or the path of a ``.parquet``,
            ``.jsonl``, ``.json`` or ``.csv`` file in the hub's columns.
        revision: Branch, tag or commit of the hub's set; None for the newest.
        on_bad_rows: ``error`` stops at rows that cannot be asked or scored, ``skip`` leaves them
            out and lists them.
        split: Split of the hub's set.
        rules: What cannot be told from a file's values.
        check_rows: Whether to warn if the number of rows is not the paper's. It is not wanted for
            a pool of demonstrations, and never done for the sample set.

    Raises:
        EveInspectError: An argument that is not offered, a set that cannot be had, a column that it
            lacks, or a bad row.
    """
    _check_arguments(dataset, revision, on_bad_rows, split)
    origin = _origin(benchmark, dataset, revision, split)
    where = f"{benchmark.name} ({origin.info['name']})"
    rows = read_rows(benchmark, origin.records, rules or Rules(), on_bad_rows, where)
    warnings = list(origin.warnings)
    count = len(rows.samples)
    if check_rows and origin.info["source"] != "sample" and count != benchmark.paper_rows:
        warnings.append(
            f"rows loaded: {count}, in the paper: {benchmark.paper_rows}; scores are not "
            "comparable with the published ones."
        )
    for warning in warnings:
        _log.warning("%s: %s", where, warning)
    info = {
        **origin.info,
        "rows": count,
        "paper_rows": benchmark.paper_rows,
        "fingerprint": rows.fingerprint,
        "skipped": [one._asdict() for one in rows.skipped],
        "warnings": warnings,
    }
    data = MemoryDataset(rows.samples, name=where, location=origin.info["name"])
    return Loaded(data, info)


def _check_arguments(
    dataset: str | Path, revision: str | None, on_bad_rows: OnBadRows, split: str
) -> None:
    """Refuse what is not offered, before any data is loaded."""
    if on_bad_rows not in get_args(OnBadRows):
        raise EveInspectError(f"on_bad_rows={on_bad_rows!r} is not offered: use 'error' or 'skip'.")
    if not isinstance(dataset, str | Path):
        raise EveInspectError(
            f"dataset={dataset!r} is not offered: use 'hub', 'sample' or the path of a file."
        )
    if revision is not None and not isinstance(revision, str):
        raise EveInspectError(
            f"revision={revision!r} was read as a number: write it in quotes, as in "
            "-T revision='\"1.0\"'."
        )
    if revision is not None and not revision.strip():
        raise EveInspectError(
            "revision='' is blank: give a branch, tag or commit, or leave it out."
        )
    for name, value, default in (("revision", revision, None), ("split", split, "train")):
        if value != default and dataset != "hub":
            raise EveInspectError(
                f"{name}={value!r} goes with dataset='hub' only: leave it out for "
                f"dataset={str(dataset)!r}."
            )


def _origin(benchmark: Benchmark, dataset: str | Path, revision: str | None, split: str) -> _Origin:
    """Get the records from where they are."""
    if dataset == "sample":
        file = resources.files(__package__) / "samples" / f"{benchmark.name}.jsonl"
        records = parse_jsonl(file.read_text(encoding="utf-8"))
        return _Origin(records, {"source": "sample", "name": "sample"}, [])
    if dataset == "hub":
        hub = read_hub(benchmark.hub, revision, split)
        info = {
            "source": "hub",
            "name": benchmark.hub,
            "revision": revision,
            "commit": hub.commit,
            "split": split,
        }
        if hub.unreachable is None:
            return _Origin(hub.records, info, [])
        warning = f"the copy in the local cache (commit {hub.commit}) is used: {hub.unreachable}."
        return _Origin(hub.records, info, [warning])
    return _Origin(read_records(dataset), {"source": "file", "name": Path(dataset).name}, [])
