"""What did the model say? Pure functions from a reply's text to a reading.

Nothing here knows of Inspect or of right answers: text (and options) in; answer, status and how it
was read out.
"""

from __future__ import annotations

from eve_inspect.answers._fragments import Fragment, read_fragments
from eve_inspect.answers._judge_pairs import (
    Correctness,
    Preferred,
    read_correctness,
    read_preference,
)
from eve_inspect.answers._judge_reading import (
    JUDGE_STATUSES,
    SCALES,
    JudgeReading,
    JudgeStatus,
    Scale,
)
from eve_inspect.answers._judge_reply import read_label, read_score
from eve_inspect.answers._letters import read_letter, read_letters
from eve_inspect.answers._locate import Located, SoftSpan, locate
from eve_inspect.answers._reading import STATUSES, Reading, Reply, Status
from eve_inspect.answers._refusals import REFUSAL_KINDS, RefusalKind, read_refusal
from eve_inspect.answers._text import read_text
from eve_inspect.answers._yes_no import read_yes_no

__all__ = [
    "JUDGE_STATUSES",
    "REFUSAL_KINDS",
    "SCALES",
    "STATUSES",
    "Correctness",
    "Fragment",
    "JudgeReading",
    "JudgeStatus",
    "Located",
    "Preferred",
    "Reading",
    "RefusalKind",
    "Reply",
    "Scale",
    "SoftSpan",
    "Status",
    "locate",
    "read_correctness",
    "read_fragments",
    "read_label",
    "read_letter",
    "read_letters",
    "read_preference",
    "read_refusal",
    "read_score",
    "read_text",
    "read_yes_no",
]
