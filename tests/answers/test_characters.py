"""Unifying characters."""

from __future__ import annotations

import pytest

from eve_inspect.answers._characters import fold, normalise


@pytest.mark.parametrize(
    ("text", "unified"),
    [
        ("plain", "plain"),
        ("Ｂ", "B"),
        ("Ⓑ ⒝ 𝐁 🅱\ufe0f 🅑", "B (b) B B B"),
        ("B\u200b\u00ad\ufeff\u2060", "B"),
        ("a\u00a0b", "a b"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("“x” ‘y’ «z»", '"x" \'y\' "z"'),
        ("A–C a—b x−1", "A-C a - b x-1"),
        ("2\ufe0f\u20e3", "2"),
        ("25 ℃", "25 °C"),
        ("cafe\u0301", "café"),
        ("答案：Ｂ", "答案:B"),
        ("\x08oxed{B}", "\\boxed{B}"),
        ("\ue000B", "B"),
        ("Straße", "Straße"),
    ],
)
def test_characters_are_unified(text: str, unified: str) -> None:
    assert normalise(text) == unified


def test_accents_survive_in_long_texts() -> None:
    assert normalise("cafe\u0301 " * 500) == "café " * 500


def test_folding_keeps_the_length() -> None:
    assert fold("İstanbul ÉTÉ") == "istanbul été"
