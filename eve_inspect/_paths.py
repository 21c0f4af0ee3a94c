"""Paths as users type them."""

from __future__ import annotations

import errno
from pathlib import Path

from eve_inspect._errors import EveInspectError


def user_path(name: str, value: str | Path) -> Path:
    """Return a path with ``~`` resolved.

    Whether there is a file, and what it holds, is for the reader to tell.

    Args:
        name: The argument that the path was given as.
        value: What was given.

    Raises:
        EveInspectError: It cannot be a path: an unknown home, a null character, too long a name.
    """
    try:
        path = Path(value).expanduser()
        path.stat()
    except (RuntimeError, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.ENAMETOOLONG:
            return path
        shown = repr(str(value)) if len(str(value)) <= 80 else f"{str(value)[:77]!r}..."
        reason = getattr(error, "strerror", None) or str(error)
        raise EveInspectError(f"{name}={shown} is no path of a file: {reason}.") from error
    return path
