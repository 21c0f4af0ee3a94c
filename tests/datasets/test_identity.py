from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.datasets._identity import content_digest, content_ids, fingerprint

DIGESTS = st.lists(st.sampled_from([content_digest([text]) for text in "abcde"]), max_size=12)


def test_ids_are_short_and_count_duplicates() -> None:
    a, b = content_digest(["a"]), content_digest(["b"])
    assert content_ids([a, b, a, a]) == [a[:12], b[:12], f"{a[:12]}-2", f"{a[:12]}-3"]


def test_the_digest_is_of_the_content() -> None:
    assert content_digest(["q", ["A", "B"]]) == content_digest(("q", ("A", "B")))
    assert content_digest(["q", "a"]) != content_digest(["qa"])
    assert content_digest(["é"]) != content_digest(["e\u0301"])
    assert content_digest([1]) != content_digest(["1"])


def test_digests_do_not_change_between_releases() -> None:
    digest = content_digest(["Which band? 🛰", ["C", "L"], ["A"], None, True, 0.5])
    assert digest == "30a78c86287d437ba29127eac12568db780c7150b9e835006159555972fb0265"


@given(digests=DIGESTS, data=st.data())
def test_order_changes_neither_ids_nor_fingerprint(digests: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(digests))
    assert len(set(content_ids(digests))) == len(digests)
    assert sorted(content_ids(shuffled)) == sorted(content_ids(digests))
    assert fingerprint(shuffled) == fingerprint(digests)


@given(digests=DIGESTS.filter(bool))
def test_the_fingerprint_tells_sets_apart(digests: list[str]) -> None:
    assert fingerprint(digests) != fingerprint(digests[1:])
    assert fingerprint(digests) != fingerprint([*digests, digests[0]])


def test_the_case_without_ids(cases: Mapping[str, Any]) -> None:
    records = cases["dt-002"]["input"]["records"]
    ids = content_ids(content_digest(record) for record in records)
    assert len(set(ids)) == len(records)
    assert sorted(content_ids(content_digest(record) for record in records[::-1])) == sorted(ids)
