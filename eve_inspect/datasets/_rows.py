"""From records to samples: what can be asked, and what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from inspect_ai.dataset import Sample

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._benchmark import JSON, Benchmark, Rules
from eve_inspect.datasets._identity import content_digest, content_ids, fingerprint
from eve_inspect.datasets._row import BadRowError, Row

OnBadRows = Literal["error", "skip"]
"""What to do about rows that cannot be asked or scored."""

_EXTRA_COLUMNS = ("Topic", "Source")


class Skipped(NamedTuple):
    """A row that cannot be asked or scored.

    Attributes:
        row: Its number in the set, from 1; a header does not count.
        column: The column at fault, in the hub's spelling.
        reason: What is wrong with it.
    """

    row: int
    column: str
    reason: str

    def __str__(self) -> str:
        """Return all of it as a clause."""
        return f"row {self.row}, column {self.column!r}: {self.reason}"


class Rows(NamedTuple):
    """What became of a set's records.

    Attributes:
        samples: Samples of the good rows, in order.
        fingerprint: SHA-256 over the contents of the good rows, in whatever order, in hex.
        skipped: The bad rows, in order.
    """

    samples: list[Sample]
    fingerprint: str
    skipped: list[Skipped]


def read_rows(
    benchmark: Benchmark,
    records: Sequence[Mapping[str, Any]],
    rules: Rules,
    on_bad_rows: OnBadRows,
    where: str,
) -> Rows:
    """Make samples of a set's records.

    Args:
        benchmark: How rows are read.
        records: The records, in order.
        rules: What cannot be told from the values.
        on_bad_rows: ``error`` or ``skip``.
        where: What error messages call the set.

    Raises:
        EveInspectError: A column that the set lacks, a bad row that is not to be skipped, or no
            good row.
    """
    names = dict.fromkeys(name for record in records for name in record)
    _check_columns(benchmark, names, where)
    good: list[_Good] = []
    bad: list[Skipped] = []
    for number, record in enumerate(records, 1):
        try:
            good.append(_read(benchmark, record, rules))
        except BadRowError as error:
            bad.append(Skipped(number, error.column, error.reason))
    if bad and (on_bad_rows == "error" or not good):
        raise _bad_rows(where, bad, len(records))
    return Rows(_with_ids(good), fingerprint(one.digest for one in good), bad)


class _Good(NamedTuple):
    """A row that can be asked, before it has an id."""

    sample: Sample
    digest: str


def _check_columns(benchmark: Benchmark, names: Mapping[str, object], where: str) -> None:
    """Make sure that no column is missing from all of the set."""
    present = Row(dict.fromkeys(names, "-"), benchmark.aliases)
    missing = [column for column in benchmark.columns if column not in present]
    if missing:
        raise EveInspectError(
            f"{where} has no column {', '.join(map(repr, missing))}: needed are "
            f"{', '.join(map(repr, benchmark.columns))}, found are {', '.join(map(repr, names))}."
        )


def _read(benchmark: Benchmark, record: Mapping[str, Any], rules: Rules) -> _Good:
    row = Row(record, benchmark.aliases)
    item = benchmark.to_item(row, rules)
    extra: dict[str, JSON] = {
        column.casefold(): text
        for column in _EXTRA_COLUMNS
        if (text := row.optional_text(column)) is not None
    }
    if (row_id := _row_id(row)) is not None:
        extra["id"] = row_id
    sample = Sample(
        input=item.input,
        target=item.target,
        choices=item.choices,
        metadata={**item.metadata, **extra},
    )
    return _Good(sample, content_digest(item.content))


def _row_id(row: Row) -> str | None:
    """Return a row's own id as text that keeps its leading zeros; None if there is none.

    It is kept beside the sample's id and not as such: an id of the content cannot stand for a row
    that was corrected since, so that no retry takes an old answer for a new question.
    """
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return str(value).strip() or None


def _with_ids(good: Sequence[_Good]) -> list[Sample]:
    for one, content_id in zip(good, content_ids(one.digest for one in good), strict=True):
        one.sample.id = content_id
    return [one.sample for one in good]


def _bad_rows(where: str, bad: Sequence[Skipped], total: int) -> EveInspectError:
    if len(bad) == total:
        return EveInspectError(f"{where} has no usable row of {total}; {bad[0]}. Correct the data.")
    more = f" {len(bad) - 1} more of {total} rows are bad." if len(bad) > 1 else ""
    return EveInspectError(
        f"{where}, {bad[0]}.{more} Correct the data, or leave bad rows out, and have them listed "
        "in the log, with -T on_bad_rows=skip."
    )
