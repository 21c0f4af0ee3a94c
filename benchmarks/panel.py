"""What a panel of judges costs beside a bare scorer of Inspect's that makes the same calls.

``python -m benchmarks.panel`` evaluates ``open_ended`` on 1,257 synthetic rows with four judges at
0.2 s latency over 32 connections per model, against the loopback server, and
``benchmarks/bare.py@bare_judges`` on the same rows in the same minutes. The ratio of the two can be
compared between machines and versions. Both are bound by CPU: each call costs Inspect far more than
the latency costs the run. ``--samples 200`` gives a quick look; ``--rounds 2`` runs each twice, in
the order bare, panel, panel, bare. On a machine that others use, one pair can be off by a quarter
either way: judge by several rounds, and by CPU.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.runs import compare, options_of

_ANSWER = (
    "Synthetic aperture radar sees through clouds, since its wavelength of several centimetres is "
    "far longer than a droplet is wide. It lights the scene itself, so it works by night as well. "
    "What comes back depends on roughness, moisture and geometry, which makes flooded land stand "
    "out dark."
)
_RATIONALE = (
    "The answer names the wavelength, the independence of sunlight and what the echo depends on as "
    "the reference does. It leaves out the double bounce in flooded forest, which the reference "
    "mentions in passing. No statement in it is wrong."
)
_REFERENCE = (
    "Radar waves of several centimetres pass clouds, and an active sensor needs no sunlight. Calm "
    "water reflects them away from the sensor and looks dark; flooded forest looks bright, because "
    "trunk and water surface send the wave back together."
)
_SCORE = 4


def write_rows(path: Path, count: int) -> None:
    """Write synthetic rows in the columns of the hub's set."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            question = f"Synthetic question {number}: why does radar map floods under clouds?"
            file.write(json.dumps({"Question": question, "Answer": _REFERENCE}) + "\n")


def frame() -> int:
    """Return the characters that our message to a judge has besides the material."""
    from eve_inspect.prompts import resolve_rubric
    from eve_inspect.scorers._judge_panel import grading

    graded = grading()
    rubric = resolve_rubric("0_5", None)
    return len(rubric.render(question="", output="", reference="", format_instructions=graded.form))


def commands(folder: Path, samples: int) -> dict[str, list[str]]:
    """Write the rows and return what to evaluate."""
    rows = folder / "rows.jsonl"
    write_rows(rows, samples)
    bare = ["benchmarks/bare.py@bare_judges", "-T", f"rows={rows}", "-T", f"frame={frame()}"]
    return {"bare": bare, "panel": ["eve_inspect/open_ended", "-T", f"dataset={rows}"]}


def main() -> int:
    """Measure and print."""
    options = options_of(__doc__, "samples")
    verdict = json.dumps({"rationale": _RATIONALE, "score": _SCORE})
    return compare(
        options,
        "panel",
        (_ANSWER, verdict),
        {"candidate": 1, "judge": 1},
        lambda folder: commands(folder, options.samples),
    )


if __name__ == "__main__":
    sys.exit(main())
