"""Patterns built from the table of phrases (`phrases.toml`), for lower-cased text.

Each pattern is a trie, so that its cost does not grow with the number of languages, and none
repeats without bound over text that another cue reads again.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from importlib.resources import files

from eve_inspect.answers._decoration import BOX, END, NO, TAG, YES

Table = dict[str, dict[str, list[str]]]

_TABLE: Table = tomllib.loads(
    files("eve_inspect.answers").joinpath("phrases.toml").read_text(encoding="utf-8")
)

LETTER = "a-zß-öø-ɏͰ-ԯ؀-ۿ"
"""Letters of scripts that separate words by spaces, as a character class of lower-case text."""

PACKED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Characters of scripts that may leave words unseparated, as a character class."""

_IS_PACKED = re.compile(f"[{PACKED}]")
_SPACE = r"[^\S\n]{1,4}\n?"
_STOPS = "、。"


def kind_of(phrase: str, kinds: dict[str, str]) -> str:
    """Which column of the table a matched phrase comes from."""
    return kinds[phrase] if phrase in kinds else kinds[" ".join(phrase.split())]


def phrases(column: str) -> list[str]:
    """The phrases of a column in all languages, with and without accents."""
    listed = [phrase for language in _TABLE.values() for phrase in language.get(column, ())]
    return list(dict.fromkeys([*listed, *map(_bare, listed)]))


def _bare(phrase: str) -> str:
    """The phrase as typed without accents; words of one or two letters need theirs ("è", "és")."""
    return " ".join(word if len(word) < 3 else _unaccented(word) for word in phrase.split(" "))


def _unaccented(word: str) -> str:
    apart = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not 0x300 <= ord(c) < 0x370))


def _trie(words: Iterable[str]) -> str:
    """A pattern for the longest of the words at a place."""
    branches: dict[str, list[str]] = {}
    ends = False
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
        else:
            ends = True
    if not branches:
        return ""
    parts = [
        (_SPACE if first == " " else re.escape(first)) + _trie(rest)
        for first, rest in branches.items()
    ]
    if len(parts) == 1 and not ends:
        return parts[0]
    return f"(?:{'|'.join(parts)})" + ("?" if ends else "")


def words(*columns: str) -> str:
    """A pattern for the phrases of some columns, as whole words where the script has words."""
    listed = [phrase for column in columns for phrase in phrases(column)]
    spaced = [phrase for phrase in listed if not _IS_PACKED.search(phrase)]
    packed = [phrase for phrase in listed if _IS_PACKED.search(phrase)]
    parts = []
    if spaced:
        parts.append(rf"(?<![{LETTER}])(?=[{LETTER}]){_trie(spaced)}(?<!\s)(?![{LETTER}])")
    if packed:
        parts.append(rf"(?![\0-\u303f]){_trie(packed)}")  # compiles faster than a class of them
    return f"(?:{'|'.join(parts)})"


def _kinds(*columns: str) -> dict[str, str]:
    """Which column a phrase stands in; the first one named wins."""
    return {phrase: column for column in reversed(columns) for phrase in phrases(column)}


CUE = re.compile(words("answer", "choose", "heading", "infer", "it_is"))
"""Phrases that a label may follow; `CUE_KINDS` says what they are."""

CUE_KINDS = _kinds("answer", "choose", "heading", "infer", "it_is")

JUDGE = re.compile(words("decisive", "right", "wrong"))
"""Phrases that judge the label before them; `JUDGE_KINDS` says how."""

JUDGE_KINDS = _kinds("wrong", "decisive", "right")

JUDGEMENT = re.compile(words("true", "false"))
"""A judgement in a list of judgements; `JUDGEMENT_KINDS` says which."""

JUDGEMENT_KINDS = _kinds("false", "true")

_OPENING = rf"\s\"'(\[{{<:=>|→,*#\-{_STOPS}{YES}{BOX}{TAG}"
BRIDGE = re.compile(
    rf"(?:[{_OPENING}]+|(?<=\n)\d{{1,2}}[.)]\s|{words('filler', 'copula', 'option')}){{0,12}}+"
)
"""What may stand between a cue and its label."""

PENDING = re.compile(rf"[\s:*]*(?:{words('copula')})?[\s:*]*\Z")
"""What may stand between a cue and the end of a reply that was cut before the answer."""
SEPARATION = re.compile(rf"[:=→\n{YES}]|->|{words('copula')}")
"""What makes a name of the answer a declaration of it."""

NEGATION = re.compile(words("negation"))

NOT_MEANT = re.compile(
    rf"{words('negation', 'hypothesis')}\s{{1,3}}(?:{words('article')}\s{{1,3}})?\Z"
)
"""What before a cue takes its force away."""

CONDITION = re.compile(words("hypothesis", "condition"))
SUBJUNCTIVE = re.compile(words("subjunctive"))
"""With a condition before it, a declaration in the subjunctive is a supposition."""

PROVIDED = re.compile(rf"[)\]\"']*\s?,?\s?{words('provided')}(?!\s(?:i|my|we|not|memory|ich)\b)\s")
"""What makes the label before it hold only under a condition."""

UNTRUE = re.compile(words("untrue"))
UNTRUE_BEFORE = re.compile(rf"{words('untrue')}[^\S\n]{{1,3}}\Z")
"""What turns a name of the answer into its opposite ("wrong answers: A, C")."""

ADDING = re.compile(words("adding"))

REJECTED = re.compile(rf"[)\]\"']*\s*{words('rejected')}")
CONNECTIVE = re.compile(rf"\s*{words('connective')}")
BECAUSE = re.compile(rf"\s*,?\s*{words('reason')}")
INSTEAD = re.compile(rf"[)\]\"'.]*\s*,?\s*{words('instead')}")
SINGULAR = re.compile(rf"[)\]\"']*\s+{words('singular')}")
SUBJECT = re.compile(rf"[)\]\"':]*\s+{words('copula')}")
"""What makes a label with a bracket the subject of a sentence ("A) is passive")."""

ATTRIBUTE = re.compile(rf"\s*{words('attribute')}")
CONTRAST = re.compile(words("negation", "contrast"))
OPTION_WORD = re.compile(words("option"))

TERMINAL = re.compile(
    rf"[^\S\n]*(?:\Z|[\n.,;:!?)\]}}>\"'(/|{YES}{NO}{END}{BOX}{TAG}→=&{_STOPS}{PACKED}-])"
)
"""What ends a label that stands by itself."""

TENTATIVE = re.compile(r"[)\]}>\"'.]*\s?\?")

BEFORE_LABEL = re.compile(
    rf"(?:\A|[\n.,;:!?\"'(\[>|{YES}{NO}{BOX}{TAG}{END}{_STOPS}{PACKED}-]\s?|"
    rf"{words('option', 'filler', 'connective', 'infer', 'it_is')}\s{{1,3}})[\"'(\[{{<]*\Z"
)
"""What may stand before a label that is judged afterwards."""

_COMMAS = r"[^\S\n]*[,;/&+|·、]*[^\S\n]*"
JOIN = re.compile(
    rf"(?P<close>[)\]}}>\"'{END}]*(?:\.(?=\s?[,;/]))?)"
    rf"(?:(?P<through>[^\S\n]*(?:[-…~]|\.\.+|{words('through')})[^\S\n]*)"
    rf"|(?P<between>{_COMMAS}(?:(?P<or>{words('alternative')})|(?P<and>{words('conjunction')}))?"
    rf"{_COMMAS}(?:{words('option')}\s{{1,3}})?"
    rf"(?:(?:the|la|die|l')\s{{1,3}}(?:{words('option')}\s{{1,3}})?)?))"
    rf"(?P<open>[\"'(\[{{<{BOX}{TAG}]*)"
)
"""What joins two labels of a list."""

HEADS = re.compile(
    rf"(?m)^[ \t|>*+{YES}{NO}{BOX}{TAG}-]*(?:\d{{1,2}}[.)][ \t]+)?"
    rf"(?:{words('option')}[ \t]{{1,3}})?[(\[\"'{{<]*(?=[a-zͰ-ԯ](?![{LETTER}]))"
)
"""Beginnings of lines that start with a label."""

EVERY = re.compile(words("every"))
NONE = re.compile(words("none"))
EXCEPT = re.compile(
    rf"{words('every')}\s{{1,3}}(?:[{LETTER}]+\s{{1,3}}){{0,3}}?{words('exception')}"
)
SLOT_END = re.compile(rf"\s*(?:\Z|[\n.,;:!)\]}}\"'{END}{_STOPS}])")
_UNKNOWN = re.compile(words("unknown", "undetermined"))
_DECLINES = re.compile(words("unknown"))
_AN_ASSERTION = re.compile(r"\s(?:that\s)?(?:the|it|it's|this|that|there|option|[a-z])\b")


def declines(low: str) -> bool:
    """Whether lower-case text declines, or says that it does not know.

    "I can't say that the answer is B" denies something, and declines nothing.
    """
    return any(not _denies(low, match) for match in _DECLINES.finditer(low))


def unknown_at(low: str, start: int) -> re.Match[str] | None:
    """The words at an offset that say that the answer is not known."""
    match = _UNKNOWN.match(low, start)
    return None if match and _denies(low, match) else match


def _denies(low: str, match: re.Match[str]) -> bool:
    return match.group().endswith("say") and bool(_AN_ASSERTION.match(low, match.end()))


ARTICLES = frozenset(phrases("article"))
CHOICE_WORDS = frozenset(phrases("alternative"))
LIST_WORDS = frozenset(phrases("conjunction")) | {"the", "both", "la", "die"}
"""Words between the option texts of a list."""
