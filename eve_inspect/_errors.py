"""The one error class for what a user can put right."""

from __future__ import annotations

import click


class EveInspectError(click.ClickException):
    """A mistake in arguments, data or set-up, told in one line.

    Inspect's command line runs on click, which prints such an error as one line on standard error
    and exits with code 1, under every ``--display``. It is no ``ValueError``: ``inspect score``
    takes one from a scorer for a scorer that does not exist, and does not show what it says.
    """
