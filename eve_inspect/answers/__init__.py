"""What did the model say? Pure functions from a reply's text to a reading.

Nothing here knows of Inspect or of right answers: text (and options) in; answer, status and how it
was read out.
"""

from __future__ import annotations

from eve_inspect.answers._fragments import Fragment, read_fragments
from eve_inspect.answers._letters import read_letter, read_letters
from eve_inspect.answers._locate import Located, SoftSpan, locate
from eve_inspect.answers._reading import STATUSES, Reading, Reply, Status
from eve_inspect.answers._yes_no import read_yes_no

__all__ = [
    "STATUSES",
    "Fragment",
    "Located",
    "Reading",
    "Reply",
    "SoftSpan",
    "Status",
    "locate",
    "read_fragments",
    "read_letter",
    "read_letters",
    "read_yes_no",
]
