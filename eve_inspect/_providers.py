"""What providers of models have in common that Inspect does not tell."""

from __future__ import annotations

_STATUSES = (400, 422)


def turned_down(error: BaseException) -> bool:
    """Return whether a provider refused a request, as it does with a form that it cannot follow.

    Args:
        error: What a call of a model raised: the provider's error, or Inspect's around it.
    """
    found = (getattr(one, "status_code", None) for one in (error, error.__cause__))
    return any(status in _STATUSES for status in found)
