"""What users type as a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eve_inspect import EveInspectError, mcqa_single
from eve_inspect._paths import user_path


def test_a_path_need_not_exist() -> None:
    assert user_path("dataset", "~/nowhere.csv") == Path.home() / "nowhere.csv"


@pytest.mark.parametrize(
    "value", ["~nobody-of-this-name/x.csv", "x\0.csv", "x" * 5000], ids=["home", "null", "long"]
)
@pytest.mark.parametrize("name", ["dataset", "prompt"])
def test_what_cannot_be_a_path_is_one_short_line(name: str, value: str) -> None:
    arguments: dict[str, Any] = {"dataset": "sample", name: value}
    with pytest.raises(EveInspectError, match=f"^{name}=.* is no path of a file: ") as error:
        mcqa_single(**arguments)
    assert len(str(error.value)) < 200
