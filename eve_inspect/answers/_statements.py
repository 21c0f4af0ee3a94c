"""What a sentence says about an answer: that it holds something false, or not.

The grammar is closed: between the start of a clause and the judging word only words of a short
list may stand. So a sentence about the subject matter ("the swath is wrong"), a condition ("if the
answer is false"), a question or a hedge ("partly accurate") says nothing here, and a negation
counts only where it stands before the judging word of its own clause. The other languages have a
smaller grammar, "name of the answer, verb, what it holds or is", in words of `phrases.toml`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from eve_inspect.answers._characters import fold
from eve_inspect.answers._phrases import words as phrases

Verdict: TypeAlias = Literal["yes", "no"]


class Statement(NamedTuple):
    """What one clause says: ``yes``, the answer holds something false, or ``no``."""

    position: int
    verdict: Verdict


_BAD = (
    r"(?:false|unsupported|incorrect|inaccurate|wrong|hallucinated|fabricated|erroneous|untrue"
    r"|made[ -]up|misleading|unverified|unfounded|factually (?:incorrect|wrong|inaccurate))"
)
_THING = (
    r"(?:information|claims?|statements?|facts?|figures?|details?|data|content|elements?|parts?"
    r"|assertions?|numbers?|values?|material|fragments?|spans?)"
)
_FAULT = r"(?:hallucinations?|errors?|mistakes?|inaccurac(?:y|ies)|fabrications?|falsehoods?)"
_GOOD = (
    r"(?:accurate|correct|true|right|factual|supported|truthful|faithful|grounded|valid|verifiable"
    r"|(?:hallucination|error)[ -]free)"
)
_TERM = re.compile(
    rf"\b(?:(?P<thing>{_BAD}(?:(?:[ ,/]|\bor\b|\band\b){{1,5}}{_BAD}){{0,4}}(?: \w+)? {_THING}"
    rf"|{_FAULT}(?: or {_FAULT})?)"
    r"|(?P<adverb>(?:incorrectly|wrongly|falsely|erroneously|mistakenly|inaccurately) [a-z]+s)"
    rf"|(?P<bad>{_BAD}(?: (?:or|and) {_BAD}){{0,4}})"
    r"(?![- ](?:colou?r|positive|negative|alarm|easting|northing))"
    rf"|(?P<good>{_GOOD}(?:(?:,| and|, and) {_GOOD}){{0,4}}))(?![\w-])"
)

_SUBJECTS = frozenset(
    {"answer", "response", "reply", "statement", "statements", "text", "output", "claim", "claims"}
    | {"content", "information", "everything", "nothing", "none", "facts", "figures", "details"}
    | {"figure", "fact", "detail", "anything"}
)
_FINDING = frozenset(
    {"there", "find", "found", "see", "detect", "detected", "identify", "identified", "contain"}
    | {"contains", "containing", "has", "have", "include", "includes", "introduces", "makes"}
    | {"gives", "states", "provides", "presents", "spot", "spotted", "noticed", "shows"}
)
_NEGATIONS = frozenset(
    {"no", "not", "never", "nothing", "none", "without", "free", "neither", "nor", "zero", "lacks"}
    | {"unable", "hardly", "fails"}
)
_WHOLLY = frozenset(
    {"entirely", "fully", "completely", "totally", "wholly", "all", "every", "everything", "each"}
    | {"100%", "strictly", "perfectly"}
)
_PARTLY = frozenset({"partially", "partly", "somewhat", "mostly", "largely", "slightly"})
_CONDITIONS = frozenset({"if", "unless", "whether", "without", "otherwise", "suppose", "assuming"})
_POINTERS = frozenset({"it", "this", "that"})
_FILLERS = frozenset(
    {"the", "a", "an", "any", "some", "several", "one", "two", "many", "few", "given", "provided"}
    | {"above", "model's", "final", "whole", "entire", "candidate", "generated", "proposed", "its"}
    | {"is", "are", "was", "were", "be", "been", "appears", "appear", "seems", "seem", "to", "of"}
    | {"does", "do", "did", "will", "in", "from", "by", "with", "at", "least"}
    | {"i", "we", "so", "thus", "therefore", "hence", "overall", "and", "also", "indeed", "as"}
    | {"clearly", "actually", "very", "factually", "following", "conclusion", "summary", "both"}
    | {"evidence", "obvious", "factual", "major", "such", "significant", "well", "quite", "am"}
    | {"say", "making", "these", "your", "here", "itself"}
)
_ALLOWED = _PARTLY | _SUBJECTS | _FINDING | _NEGATIONS | _WHOLLY | _POINTERS | _FILLERS

_ABILITY = re.compile(r"\b(?:can|could) (?=not\b|find\b|see\b|detect\b|identify\b|spot\b)")
_BOUNDARY = re.compile(r"[.!?;:\n](?:\s|$)|\n")
_WORD = re.compile(r"[\w'%]+|\S")
_END = re.compile(r"\s*(?:$|[.!,;:)\n]|-\s|and\b|because\b|since\b|by\b|with\b|according\b)")
_NOT_A_FAULT = re.compile(r" (?:of \S*\d|bars?\b|budget|margin|terms?\b|propagation)")
_NO_NOUN = re.compile(
    r"\s*(?:$|[.!,;:()\n\"]|-\s|(?:about|in|because|since|as|on|regarding|by|with|for|and|n?or|at|when"
    r"|where|here|overall|due|according|given|to)\b)"
)
_CONTRAST = re.compile(
    r"\b(?:but|however|except|although|though|yet|nevertheless|nonetheless|apart from|aside from"
    r"|other than|unfortunately|only)\b"
)
_NAMED_FAULT = re.compile(r"(?:hallucination|fabrication|falsehood)\b")
_CONTRACTED = re.compile(r"\b(it|that|there)'s\b")
_STOP = re.compile(r"[.!?\n]")
_REPORTED = re.compile(r" (?:(?:is|was|were|are) )?(?:detected|found|present|identified)\b")
_WINDOW = 200


def statements(text: str) -> list[Statement]:
    """Return what the clauses of a text say of the answer as a whole, in order.

    Args:
        text: Normalised text without decoration.

    Returns:
        One statement for each clause that says something. That it is free of faults is not taken
        as said where a contrast ("but", "except") follows and nothing is said after it.
    """
    original, text = text, _plain(text)
    said: list[Statement] = []
    last_end = -1
    for term in _TERM.finditer(text):
        clause = _clause(text, term.start(), last_end)
        verdict = _verdict(text, term, clause) if clause else None
        if verdict:
            said.append(Statement(term.start(), verdict))
            last_end = term.end()
    said = said or _in_other_languages(original)
    if said and said[-1].verdict == "no" and _CONTRAST.search(text, last_end):
        said.pop()
    return said


def _in_other_languages(text: str) -> list[Statement]:
    """What sentences in other languages say of the answer: it, a verb, and what it holds or is."""
    return [
        Statement(said.start(), "no" if bool(said["good"]) != _negated(said["middle"]) else "yes")
        for said in _judging_sentence().finditer(fold(text))
        if not _asked(text, said.end())
    ]


def _negated(middle: str) -> bool:
    return _says_not().search(middle) is not None


@cache
def _judging_sentence() -> re.Pattern[str]:
    said = phrases("says", "says_not")
    return re.compile(
        rf"{phrases('judged_text')}(?P<middle>(?:[\s']{{1,3}}{said}){{1,6}}?)[\s']{{1,3}}"
        rf"(?:{phrases('something_false')}|(?P<bad>{phrases('called_false')})"
        rf"|(?P<good>{phrases('called_true')}))(?=\s*(?:$|[.!,;:)\n]|{phrases('reason')}))"
    )


@cache
def _says_not() -> re.Pattern[str]:
    return re.compile(phrases("says_not"))


def bare_predicate(text: str) -> Verdict | None:
    """Return what a lone predicate says ("Not hallucinated", "unsupported", "free of errors").

    A bare "true", "correct", "right" or its opposite says nothing: it could mean the answer or the
    verdict on it.

    Args:
        text: All of a reply, or all that was declared.
    """
    text = _plain(text).strip(" .!\n")
    term = _TERM.search(text)
    if not term or term.end() != len(text) or not text:
        return None
    words = text[: term.start()].split()
    if not set(words) <= _NEGATIONS | _WHOLLY | _FILLERS | _FINDING:
        return None
    unclear = {"false", "true", "correct", "incorrect", "right", "wrong", "untrue", "valid"}
    if not words and text in unclear:
        return None
    return _polarity(term, words)


def _plain(text: str) -> str:
    text = text.lower().replace("cannot", "can not").replace("can't", "can not")
    return _ABILITY.sub("", _CONTRACTED.sub(r"\1 is", text).replace("n't", " not"))


class _Clause(NamedTuple):
    words: list[str]
    opens: bool  # whether the clause opens a sentence
    follows: bool  # whether it goes on from an earlier statement


def _clause(text: str, end: int, last_end: int) -> _Clause | None:
    """Return the words of the clause before an offset, or None when one is not of the list."""
    floor = max(last_end, end - _WINDOW, 0)
    window = text[floor:end]
    boundary = max((mark.end() for mark in _BOUNDARY.finditer(window)), default=0)
    if not boundary and floor == end - _WINDOW:
        return None
    follows = not boundary and floor == last_end
    opens = not follows and ":" not in window
    head, comma, tail = window[boundary:].rpartition(",")
    if comma and not set(_WORD.findall(head)) <= _FILLERS | {","}:
        follows = opens = False
    if _CONDITIONS & set(_WORD.findall(head)):
        return None
    words = _WORD.findall(tail)
    return _Clause(words, opens, follows) if set(words) <= _ALLOWED else None


def _verdict(text: str, term: re.Match[str], clause: _Clause) -> Verdict | None:
    words = set(clause.words)
    about = bool(words & _SUBJECTS) or clause.follows
    finding = bool(words & _FINDING)
    if term["thing"]:
        bare = clause.opens and words <= _NEGATIONS | _FILLERS and _reports(text, term, words)
        bare = bare or (clause.opens and _names_a_fault(term, clause.words))
        if clause.words[-1:] == ["of"] and not words & _NEGATIONS:
            return None  # "The answer is a summary of errors in ..."
        if _NOT_A_FAULT.match(text, term.end()) or not (about or finding or bare):
            return None
    elif term["adverb"]:
        if not (about or (clause.opens and words & _POINTERS)):
            return None
    else:
        pointed = clause.opens and bool(words & _POINTERS) and bool(_END.match(text, term.end()))
        if not (about or pointed) or not (finding or _NO_NOUN.match(text, term.end())):
            return None
    if _asked(text, term.end()):
        return None
    verdict = _polarity(term, clause.words)
    scoped = term["good"] and not _END.match(text, term.end())
    return None if verdict == "no" and scoped else verdict


def _reports(text: str, term: re.Match[str], words: set[str]) -> bool:
    """Whether a noun phrase that opens a sentence reports a finding."""
    if words & _NEGATIONS:
        return True
    return bool(_REPORTED.match(text, term.end()))


def _names_a_fault(term: re.Match[str], words: list[str]) -> bool:
    """Whether a clause calls the answer a fault ("This is a hallucination")."""
    pointed = words[:1] != [] and words[0] in _POINTERS and words[-1:] == ["a"]
    return pointed and bool(_NAMED_FAULT.match(term.group()))


def _asked(text: str, start: int) -> bool:
    mark = _STOP.search(text, start, start + _WINDOW)
    return bool(mark and mark[0] == "?")


def _polarity(term: re.Match[str], words: list[str]) -> Verdict | None:
    negations = sum(word in _NEGATIONS for word in words)
    negated = negations % 2 == 1
    partly = any(word in _PARTLY for word in words)
    if partly and (negated or term["good"]):
        return None
    if negated and "say" in words:
        return None  # "I would not say that it is false" leaves it open
    wholly = negated and any(word in _WHOLLY for word in words)
    if term["good"]:
        return "yes" if negated else "no"
    if not negated:
        return "yes"
    return None if wholly and not term["thing"] and "nothing" not in words else "no"
