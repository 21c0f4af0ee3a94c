# ruff: noqa: RUF001 - look-alikes are part of what is measured
"""How fast answers are read: ordinary replies a second, and the worst adversarial text.

Run it as `python benchmarks/answer_reading.py`; it takes about a minute.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from eve_inspect.answers import Reply, read_fragments, read_letter, read_letters, read_yes_no

OPTIONS = (
    "Multispectral imager",
    "Synthetic aperture radar",
    "Thermal radiometer",
    "Hyperspectral imager",
)
ORDINARY = (
    "B",
    "Answer: B",
    "**Answer: B. Synthetic aperture radar**",
    "The correct answer is **B**. Radar sends its own pulses, so it works at night and through "
    "cloud, whereas the other instruments measure natural radiation.",
    "<think>The question asks for an active sensor. A is passive, C too.</think>\n\nAnswer: B",
    '{"reasoning": "Only a radar sends pulses.", "answer": "B"}',
    "Let us go through the options.\n\nA. Multispectral imager: passive.\n"
    "B. Synthetic aperture radar: active.\nC. Thermal radiometer: passive.\n"
    "D. Hyperspectral imager: passive.\n\nTherefore, the answer is \\boxed{B}.",
    "Synthetic aperture radar",
    "A satellite in sun-synchronous orbit passes at the same local time each day.",
    "La respuesta correcta es la B.",
    "正确答案是B，因为雷达主动发射脉冲。",
)
SIZE = 200_000
ADVERSARIAL = (
    "(", "[[", "**", "__", "~~", "`", "```\n", "{", "\\boxed{", "\\text{", "$", "<", "<think>",
    "</think>", "<answer>", "<|im_end|>", "[INST]", "Answer:", "answer answer ", "Answer: A ",
    "Answer is ", "A, ", "A ", "A\n", "a, ", "A and ", "B is correct. ", "is not ", "not ", "so ",
    "I think ", "only only ", "A. Multispectral imager\n", "- A: true\n", "Question:\n", "what?\n",
    " ", "\n", "\t\n", '"', "'", ",", ".", "-", "答案", "因为选项", "選擇", "а ", "Α",
    "\u0301\u0315", "\u200b", "ｆ", "all of the above ", "Synthetic aperture radar ", "1. ", "°C ",
    "🅱", "the answer to ", "the answer is false ", "is not wrong, ", "die antwort ist ",
    '{"spans": [{"text": "', '"a", ', '- "a"\n', "yes ", "if ", "would be ",
    '{"answer": ', "A-", "[ ] ", "> ", "# ", "İ",
)  # fmt: skip


def texts() -> dict[str, str]:
    """The named adversarial texts, each of `SIZE` characters."""
    named = {repr(unit): (unit * (SIZE // len(unit) + 1))[:SIZE] for unit in ADVERSARIAL}
    rng = random.Random(7)
    for number in range(8):
        units = rng.sample(ADVERSARIAL, 2 + 4 * number)
        mixed = "".join(rng.choice(units) for _ in range(SIZE // 2))
        named[f"mixture {number}"] = mixed[:SIZE]
    return named


def best_of(runs: int, read: Callable[[Reply], object], replies: Sequence[Reply]) -> float:
    """Seconds of processor time to read some replies, in the fastest of some runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        for reply in replies:
            read(reply)
        times.append(time.process_time() - start)
    return min(times)


def one(reply: Reply) -> object:
    return read_letter(reply, OPTIONS)


def several(reply: Reply) -> object:
    return read_letters(reply, OPTIONS)


READERS: tuple[Callable[[Reply], object], ...] = (one, several, read_yes_no, read_fragments)
"""All readers of replies; each meets each adversarial text."""


def main() -> None:
    replies = [Reply(text) for text in ORDINARY]
    seconds = best_of(3, one, replies * 100)
    print(f"ordinary replies: {100 * len(replies) / seconds:,.0f} a second")
    for reply in replies:
        print(f"  {best_of(3, one, [reply] * 100) * 1e4:7.1f} µs  {str(reply.text)[:60]!r}")
    timed = []
    for name, text in texts().items():
        endless = [Reply(text)]
        for read in READERS:
            timed.append((best_of(2, read, endless), f"{read.__name__} {name}"))
    print(f"worst of {len(timed)} readings of adversarial texts of {SIZE:,} characters:")
    for seconds, name in sorted(timed, reverse=True)[:12]:
        print(f"  {1000 * seconds:7.1f} ms  {name}")


if __name__ == "__main__":
    main()
