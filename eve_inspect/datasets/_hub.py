"""Loading a set from the Hugging Face hub, or telling quickly why that cannot be."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets._files import Record

T = TypeVar("T")

# With the start of the command line, an error stays under 10 s. A request's own limit holds neither
# for name look-ups nor for replies that drip.
_REQUEST_SECONDS = 4.0
_DEADLINE_SECONDS = 4.5


class HubRecords(NamedTuple):
    """What the hub, or the local copy of it, has.

    Attributes:
        records: The rows.
        commit: The commit that they are of.
        unreachable: Why the local copy was taken; None if the hub was asked.
    """

    records: list[Record]
    commit: str
    unreachable: str | None = None


def read_hub(repo: str, revision: str | None = None, split: str = "train") -> HubRecords:
    """Load the rows of a set.

    One request with a time limit finds out whether the set can be had; without it the libraries
    retry for half a minute. If not, a copy in the local cache at that revision is used.

    ``HF_TOKEN``, ``HF_ENDPOINT``, ``HF_HOME`` and ``HF_HUB_OFFLINE`` are honoured.

    Args:
        repo: The set's id.
        revision: A branch, tag or commit; None for the newest.
        split: The split.

    Raises:
        EveInspectError: Neither the hub nor the cache has the set, or it has no such split.
    """
    cause = _obstacle(repo, revision)
    try:
        folder = _snapshot(repo, revision, cached=cause is not None)
        records = _read_folder(folder, repo, split)
    except EveInspectError:
        raise
    except Exception as error:
        # Whatever the libraries raise here (their errors share no base class and change between
        # releases) means one thing to the user: the set is not to be had.
        what = cause or f"the download failed ({_kind(error)})"
        raise _no_set(repo, what) from error
    return HubRecords(records, folder.name, cause)


def _obstacle(repo: str, revision: str | None) -> str | None:
    """Return why the set cannot be had from the hub; None if it can."""
    from huggingface_hub import HfApi

    def ask() -> None:
        api = HfApi(endpoint=_endpoint())
        api.dataset_info(repo, revision=revision, timeout=_REQUEST_SECONDS)

    try:
        _within(_DEADLINE_SECONDS, ask)
    except Exception as error:
        # One request to somebody else's server, whose client's errors share no base class: any of
        # them is a reason why the hub cannot be used, and is named.
        return _cause(error, revision)
    return None


def _within(seconds: float, call: Callable[[], T]) -> T:
    """Return what the call returns, or raise TimeoutError if that takes too long."""
    results: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(call())
        except Exception as error:  # handed over to the caller's thread
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]


def _cause(error: Exception, revision: str | None) -> str:
    """Say in a clause why the hub's answer is no use."""
    from huggingface_hub import errors, get_token

    has_token = get_token() is not None
    if isinstance(error, errors.OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"it has no revision {revision!r}"
    if isinstance(error, errors.GatedRepoError):
        whose = "the owner of the token that is set" if has_token else "you, and no token is set"
        return f"it is gated: access has to be granted to {whose}"
    if isinstance(error, errors.RepositoryNotFoundError):
        reason = "the token that is set gives no access" if has_token else "no token is set"
        return f"it does not exist there, or is private and {reason}"
    return _connection_cause(error)


def _connection_cause(error: Exception) -> str:
    """Say why there is no answer from the hub that concerns the set."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status == 401:
        return "the hub does not accept the token that is set"
    if status is not None:
        return f"the hub answered with HTTP status {status}"
    if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.casefold():
        return f"the hub did not answer within {_REQUEST_SECONDS:.0f} s"
    return f"the hub cannot be reached ({type(error).__name__})"


def _snapshot(repo: str, revision: str | None, cached: bool) -> Path:
    """Return the folder of the set at that revision; its name is the commit."""
    from huggingface_hub import snapshot_download

    folder = snapshot_download(
        repo,
        repo_type="dataset",
        revision=revision,
        endpoint=_endpoint(),
        local_files_only=cached,
    )
    return Path(folder)


def _read_folder(folder: Path, repo: str, split: str) -> list[Record]:
    import datasets

    splits = datasets.load_dataset(str(folder))
    if split not in splits:
        raise EveInspectError(
            f"split={split!r} is not in {repo}: use one of {', '.join(sorted(splits))}."
        )
    return list(splits[split])


def _no_set(repo: str, cause: str) -> EveInspectError:
    endpoint = " HF_ENDPOINT is set." if _endpoint() else ""
    return EveInspectError(
        f"{repo} cannot be loaded from the hub: {cause}.{endpoint} Set HF_TOKEN to a token that "
        "has access to it, or use -T dataset=sample, or -T dataset=<file> "
        "(.parquet, .jsonl, .json, .csv)."
    )


def _endpoint() -> str | None:
    """Return another address of the hub, which notebooks may set after the libraries' import."""
    return os.environ.get("HF_ENDPOINT") or None


def _kind(error: Exception) -> str:
    """Name an error, without its text, which may hold addresses and paths."""
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or type(error).__name__
