"""The instructions that tasks give to models: data files, each with a version.

A file is named ``<name>-v<version>.txt``. Its text is sent as the system message; what stands below
a line ``---`` closes each question. A changed text is a new version, since scores under two texts
are not comparable. What judges are told is a rubric, ``rubric_<name>-v<version>.yaml``.
"""

from __future__ import annotations

from eve_inspect.prompts._prompt import Prompt, builtin, resolve
from eve_inspect.prompts._rubric import Rubric, builtin_rubric, resolve_rubric

__all__ = ["Prompt", "Rubric", "builtin", "builtin_rubric", "resolve", "resolve_rubric"]
