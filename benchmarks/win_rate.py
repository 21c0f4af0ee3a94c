"""What comparing two models costs beside a bare scorer of Inspect's that makes the same calls.

``python -m benchmarks.win_rate`` evaluates the task ``win_rate`` on 1,257 synthetic pairs of
answers with four judges in both orders at 0.2 s latency over 32 connections per model, against the
loopback server, and ``benchmarks/bare.py@bare_pairs`` on the same rows in the same minutes. Options
and the way to read the figures are those of ``benchmarks.panel``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.runs import compare, options_of

_MODEL = (
    "Calm water sends the radar's pulse away from the sensor, so flooded fields look dark, and the "
    "wavelength of several centimetres passes clouds."
)
_BASELINE = (
    "Radar is an active sensor: it needs neither daylight nor a clear sky. Smooth surfaces such as "
    "open water appear dark in its images, rough ones bright, and flooded forest brighter still."
)
_REFERENCE = (
    "Radar waves of several centimetres pass clouds, and an active sensor needs no sunlight. Calm "
    "water reflects them away from the sensor and looks dark; flooded forest looks bright, because "
    "trunk and water surface send the wave back together."
)
_RATIONALE = (
    "Both name the wavelength or its effect and the dark look of calm water. This one also has the "
    "flooded forest, which the reference mentions. No statement in it is wrong."
)


def write_answers(path: Path, count: int, answer: str) -> None:
    """Write a model's answers to synthetic questions."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            question = f"Synthetic question {number}: why does radar map floods under clouds?"
            row = {"question": question, "reference": _REFERENCE, "answer": answer}
            file.write(json.dumps(row) + "\n")


def frame() -> int:
    """Return the characters that our message to a judge has besides the material."""
    from eve_inspect.scorers._comparing import Match, comparing

    empty = Match(id="", question="", reference="", context="", answer="", baseline="")
    return len(comparing().request(empty, "AB").message)


def commands(folder: Path, samples: int) -> dict[str, list[str]]:
    """Write the answers and return what to evaluate."""
    sides = {"model_a": (folder / "a.jsonl", _MODEL), "model_b": (folder / "b.jsonl", _BASELINE)}
    for path, answer in sides.values():
        write_answers(path, samples, answer)
    arguments = [part for side, (path, _) in sides.items() for part in ("-T", f"{side}={path}")]
    return {
        "bare": ["benchmarks/bare.py@bare_pairs", *arguments, "-T", f"frame={frame()}"],
        "win_rate": ["eve_inspect/win_rate", *arguments],
    }


def main() -> int:
    """Measure and print."""
    options = options_of(__doc__, "pairs")
    return compare(
        options,
        "win_rate",
        ("", json.dumps({"rationale": _RATIONALE, "winner": "A"})),
        {"candidate": 0, "judge": 2},
        lambda folder: commands(folder, options.samples),
    )


if __name__ == "__main__":
    sys.exit(main())
