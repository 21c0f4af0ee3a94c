from __future__ import annotations

from typing import Any, Literal

import pytest

from eve_inspect._errors import EveInspectError
from eve_inspect.datasets import Rules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"answer_base": 2}, "answer_base=2 is not offered: use 0 or 1"),
        ({"answer_base": True}, "answer_base=True is not offered"),
        ({"answer_base": "1"}, "answer_base='1' is not offered"),
        ({"offsets": "bytes"}, "offsets='bytes' is not offered: use 'codepoints' or 'utf16'"),
    ],
)
def test_rules_that_are_not_offered(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(EveInspectError, match=message):
        Rules(**arguments)


@pytest.mark.parametrize("base", [None, 0, 1])
def test_rules_that_are_offered(base: Literal[0, 1] | None) -> None:
    assert Rules(answer_base=base, offsets="utf16").answer_base == base
