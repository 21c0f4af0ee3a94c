"""The one error class for what a user can put right."""

from __future__ import annotations

import click


class EveInspectError(click.ClickException, ValueError):
    """A mistake in arguments, data or set-up, told in one line.

    Inspect's command line runs on click, which prints such an error as one line on standard error
    and exits with code 1, under every ``--display``. In Python it is a ``ValueError``.
    """
