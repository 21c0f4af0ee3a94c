"""A task with its default data set, the hub's, from a stub of the hub's layout."""

from __future__ import annotations

import time

import pytest

from eve_inspect import EveInspectError, mcqa_multiple, mcqa_single
from tests.conftest import Evaluate
from tests.datasets.conftest import NEW, OLD
from tests.servers.hub import HubStub
from tests.servers.openai_server import OpenAIServer
from tests.tasks.exam import figures


def test_the_newest_commit_is_taken_and_recorded(
    hub: HubStub,  # noqa: ARG001
    evaluate: Evaluate,
    server: OpenAIServer,
) -> None:
    server.script = lambda _: "Answer: B"
    log = evaluate(mcqa_single())
    assert log.eval.metadata is not None
    data = log.eval.metadata["dataset"]
    assert (data["source"], data["commit"], data["revision"], data["rows"]) == ("hub", NEW, None, 3)
    assert figures(log)["single_answer/accuracy"] == 1.0


def test_a_pool_from_another_split_is_of_the_revision_that_is_scored(
    hub: HubStub,  # noqa: ARG001
    evaluate: Evaluate,
    server: OpenAIServer,
) -> None:
    task = mcqa_single(revision="v1", fewshot=1, fewshot_dataset="hub", fewshot_split="dev")
    log = evaluate(task)
    assert log.eval.metadata is not None
    assert log.eval.metadata["dataset"]["commit"] == OLD
    pool = log.eval.metadata["fewshot_dataset"]
    assert (pool["commit"], pool["split"], pool["rows"], pool["warnings"]) == (OLD, "dev", 1, [])
    assert len(server.requests) == 2
    for request in server.requests:
        shown, answered, asked = request["messages"][1:]
        assert shown["content"] == "Pool?\n\nA. w\nB. x\n\nAnswer:"
        assert answered["content"] == "Answer: A"
        assert asked["content"].startswith("Question ")


def test_a_split_that_is_not_there_is_named_with_those_that_are(hub: HubStub) -> None:  # noqa: ARG001
    with pytest.raises(EveInspectError, match=r"pool of demonstrations: .*'test'.*dev, train"):
        mcqa_single(fewshot=1, fewshot_dataset="hub", fewshot_split="test")


def test_a_hub_that_does_not_answer_is_told_in_time(hub: HubStub) -> None:  # noqa: ARG001
    before = time.perf_counter()
    with pytest.raises(EveInspectError, match="did not answer within"):
        mcqa_multiple()
    assert time.perf_counter() - before < 10
