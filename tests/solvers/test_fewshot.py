"""Demonstrations as they reach the endpoint, and the pool's rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.dataset import Sample

from eve_inspect import mcqa_multiple, mcqa_single
from eve_inspect.solvers import Demonstrations
from eve_inspect.solvers._fewshot import question_key
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer, user_text
from tests.tasks.exam import MULTIPLE, SINGLE, write


def pool_of(count: int) -> Demonstrations:
    """Return a pool of that many different questions."""
    samples = [
        Sample(input=f"q{n}", target="A", metadata={"question": f"q{n}"}) for n in range(count)
    ]
    return Demonstrations(samples, lambda sample: f"Answer: {sample.target}")


def test_demonstrations_are_chat_turns_with_the_true_answers(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    golds = {f"Question {n}?": str(row["Answer"]) for n, row in enumerate(SINGLE)}
    evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE), fewshot=3))
    assert len(server.requests) == 8
    for request in server.requests:
        roles = [message["role"] for message in request["messages"]]
        assert roles == ["system", *["user", "assistant"] * 3, "user"]
        turns = request["messages"][1:-1]
        asked = user_text(request).splitlines()[0]
        shown = [turn["content"].splitlines()[0] for turn in turns[::2]]
        assert asked not in shown
        assert [turn["content"] for turn in turns[1::2]] == [
            f"Answer: {golds[question]}" for question in shown
        ]


def test_a_repeated_question_is_not_shown_to_its_twin(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    twin = {**SINGLE[0], "Question": "question  0?", "Choices": ["z", "y", "x", "w"], "Answer": "D"}
    rows = [SINGLE[0], twin, *SINGLE[1:3]]
    evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", rows), fewshot=2))
    for request in server.requests:
        asked = user_text(request).splitlines()[0].casefold().split()
        for turn in request["messages"][1:-1:2]:
            assert turn["content"].splitlines()[0].casefold().split() != asked


def test_several_answers_are_shown_as_they_are_asked_for(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    evaluate(mcqa_multiple(dataset=write(tmp_path / "e.jsonl", MULTIPLE), fewshot=3), limit=1)
    (request,) = server.requests
    assert [turn["content"] for turn in request["messages"][2:-1:2]] == [
        "Answer: B",
        "Answer: A, C",
        "Answer: B, C, D",
    ]


def test_random_demonstrations_are_the_same_in_each_epoch_and_run(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    data = write(tmp_path / "exam.jsonl", SINGLE)

    def prompts(seed: int) -> set[str]:
        server.reset(lambda _: "Answer: A")
        task = mcqa_single(dataset=data, fewshot=3, fewshot_sampler="random", fewshot_seed=seed)
        evaluate(task, epochs=2)
        return {str(request["messages"]) for request in server.requests}

    first = prompts(1)
    assert len(first) == 8
    assert prompts(1) == first
    assert prompts(2) != first


def test_a_limit_does_not_shrink_the_pool(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    evaluate(mcqa_single(dataset=write(tmp_path / "exam.jsonl", SINGLE), fewshot=7), limit=1)
    (request,) = server.requests
    assert len(request["messages"]) == 1 + 2 * 7 + 1


@given(
    count=st.integers(2, 30),
    data=st.data(),
    sampler=st.sampled_from(["first", "random"]),
    seed=st.integers(),
)
def test_a_draw_is_full_distinct_and_without_the_question_asked(
    count: int, data: st.DataObject, sampler: str, seed: int
) -> None:
    pool = pool_of(count)
    key = f"q{data.draw(st.integers(0, count - 1))}"
    n = data.draw(st.integers(0, count - 1))
    drawn = [shown.question for shown in pool.draw(key, n, sampler, seed)]  # type: ignore[arg-type]
    assert len(drawn) == len(set(drawn)) == n
    assert key not in drawn
    assert drawn == [shown.question for shown in pool.draw(key, n, sampler, seed)]  # type: ignore[arg-type]


def test_random_draws_differ_between_questions() -> None:
    pool = pool_of(50)
    draws = {
        tuple(shown.question for shown in pool.draw(f"other {n}", 5, "random", 0))
        for n in range(20)
    }
    assert len(draws) == 20


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Which  band?", "which band?", True),
        ("Caf\u00e9 \u201cit\u201d?", 'Cafe\u0301 "it" ?', True),
        ("Sentinel\u20112 is\u200b up", "Sentinel-2 is up", True),
        ("???", "?!", False),
        ("Which band?", "Which bands?", False),
    ],
)
def test_questions_are_the_same_but_for_case_and_spaces(one: str, other: str, same: bool) -> None:
    assert (question_key(one, None) == question_key("x", {"question": other})) is same
