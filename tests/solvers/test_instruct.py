"""Instructions reach the endpoint to the letter."""

from __future__ import annotations

from pathlib import Path

from eve_inspect import hallucination_detection, mcqa_single
from eve_inspect.prompts import builtin
from tests.conftest import Evaluate
from tests.servers.openai_server import OpenAIServer


def test_braces_in_a_prompt_file_are_sent_as_they_are(
    evaluate: Evaluate, server: OpenAIServer, tmp_path: Path
) -> None:
    text = 'Reply with {"answer": "<letter>"} and {nothing} else.'
    file = tmp_path / "mine.txt"
    file.write_text(f"\ufeff{text}\n", encoding="utf-8")
    log = evaluate(mcqa_single(dataset="sample", prompt=str(file)), limit=1)
    assert server.requests[0]["messages"][0] == {"role": "system", "content": text}
    assert log.eval.metadata is not None
    assert log.eval.metadata["prompt"]["name"] == "mine.txt"
    assert log.eval.metadata["prompt"]["version"] == "custom"


def test_each_level_sends_its_own_instructions(evaluate: Evaluate, server: OpenAIServer) -> None:
    for level in ("binary", "hard", "soft"):
        evaluate(hallucination_detection(level=level, dataset="sample"), limit=1)
    sent = [request["messages"][0]["content"] for request in server.requests]
    assert sent == [builtin(f"hallucination_{level}").text for level in ("binary", "hard", "soft")]
