"""Reading the place where a yes or no is declared: a reply, a line, or what follows a cue."""

from __future__ import annotations

import re
from typing import NamedTuple

from eve_inspect.answers._phrases import declines, unknown_at
from eve_inspect.answers._reading import Status
from eve_inspect.answers._statements import Verdict, bare_predicate, statements


class Slot(NamedTuple):
    """What a place declares.

    Attributes:
        status: ``answered``, ``ambiguous``, ``out_of_range``, ``refusal``, or ``no_answer`` for a
            hedge, which declares neither.
        answer: The verdict when answered.
        letter: Whether it was given as a letter.
        lone: Whether the place holds nothing else.
        flags: As in a reading.
    """

    status: Status
    answer: Verdict | None = None
    letter: bool = False
    lone: bool = False
    flags: tuple[str, ...] = ()


LETTER_VERDICTS: dict[str, Verdict] = {"a": "yes", "b": "no", "1": "yes", "2": "no"}

# Words that also mean something else in running text: read only where nothing follows them.
_ONLY_ALONE = frozenset({"si", "nu", "jo", "ne", "da", "ei", "nie", "tak", "nee", "le", "iva"})
_YES_WORDS = (
    "yes yep yeah ja jawohl oui si sí sì sim tak ano áno igen da да \u03bd\u03b1\u03b9 kyllä joo"
    " jah jā taip jo tá iva так 是 是的 有 はい 예 네"
)
_NO_WORDS = (
    "no nope nein non não nao nie ne nem nu не нет όχι οχι nej nei nee ei nē níl neen le ні"
    " 否 不是 不 没有 沒有 无 無 いいえ 아니요 아니오"
)
WORD_VERDICTS: dict[str, Verdict] = {
    **dict.fromkeys(_YES_WORDS.split(), "yes"),
    **dict.fromkeys(_NO_WORDS.split(), "no"),
}
_WORDS = "|".join(sorted(WORD_VERDICTS, key=len, reverse=True))

_STOPS = str.maketrans("。、", ".,")
_OPENING = 200
_EDGE = " \t\n\"'()[]{}<>:=✓✗-"
_WORD = re.compile(
    rf"(?P<quote>[\"'(\[]?)(?P<word>{_WORDS})(?P<closed>[\"')\]]?)"
    r"(?P<follow>\s*$|\s*[.,;:!](?!\d)|\s*\n|\s+-\s|\s*\((?!s\))"
    r"|\s(?=(?:it|this|that|the|there|all|every|everything|because|since|as|i)\b))"
)
_NUMBERED = re.compile(r"no\.? ?\d")
_BOTH = re.compile(
    r"(?:(?:both )?(?:option )?\(?[ab]\)?(?:\W+(?:(?:and|or) )?(?:option )?\(?[ab]\)?)+|(?:ab)+"
    r"|yes ?(?:/|,|and|or|&) ?no|no ?(?:/|,|and|or|&) ?yes|both|either)\W*"
)
_LETTER = re.compile(
    r"(?P<named>(?:option|choice|letter|answer)\s*)?(?P<open>[(\[{\"']*)\s?(?P<letter>[a-z12])"
    r"\s?(?P<close>[)\]}\"']*)(?P<rest>$|\s*$|\s*[.:,;!/)](?:(?!\w)|(?=(?:yes|no)\b))|\s+-\s|\s*\(|\s*\n"
    rf"|\s(?=(?:{_WORDS}|because|since|as|is (?:correct|right|the))(?:\W|$)))",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(?:(?:i|we) (?:really |honestly |simply )?(?:do not|don't|cannot|can't|can not) (?:know"
    r"|tell|say(?! (?:that )?(?:the|it|this|there|any)\b)|judge|determine|verify|assess|decide"
    r"|confirm|answer|evaluate|provide|help)"
    r"|(?:i am|i'm|we are) (?:not sure|unsure|unable to|not able to|uncertain|sorry)"
    r"|(?:it is|it's) (?:impossible|not possible) to)\b"
    r"|^(?:(?:don't|do not) know|(?:cannot|can't|unable to|impossible to|not possible to)"
    r" (?:know|tell|say|judge|determine|verify|assess|decide|answer)|unknown|unsure|not sure"
    r"|undetermined|indeterminate|uncertain|no idea|insufficient (?:information|context|data)"
    r"|not enough (?:information|context|data))\b"
)
_HEDGE = re.compile(
    r"(?:partial(?:ly)?|partly|maybe|perhaps|possibly|probably|likely|somewhat|mostly|it depends"
    r"|to some extent|in part|hard to say|true|false|correct|incorrect|right|wrong|n/?a|none)\W*$"
)


def read_slot(text: str, predicates: bool = True) -> Slot | None:
    """Read what a place declares.

    Args:
        text: Plain text that begins where the declaration is expected.
        predicates: Whether an adjective ("hallucinated") or a hedge counts as well.

    Returns:
        The declaration, or None when the place declares nothing.
    """
    text = text.translate(_STOPS).strip()
    lowered = text.lower()
    inner = lowered.strip(_EDGE + ".")
    if not inner:
        return None
    if _BOTH.fullmatch(inner) and not _one_letter(inner):
        return Slot("ambiguous", lone=True)
    found = _letter(text.lstrip("✓✗-=: ")) or read_word(lowered)
    if found:
        return found
    if is_refusal(inner[:_OPENING]):
        return Slot("refusal", lone=True)
    return _predicate(inner) if predicates else None


def _predicate(inner: str) -> Slot | None:
    verdict = bare_predicate(inner)
    if verdict:
        return Slot("answered", verdict, lone=True)
    return Slot("no_answer", lone=True) if _HEDGE.match(inner) else None


def is_refusal(text: str) -> bool:
    """Return whether lower-case text declines, or says that it does not know."""
    return bool(_REFUSAL.search(text) or unknown_at(text, 0) or declines(text))


def _repeated(word: str, rest: str) -> bool:
    return set(re.findall(r"\w+", rest)) <= {word}


def read_word(lowered: str) -> Slot | None:
    """Read a yes or no that opens lower-case text and is not part of a longer phrase."""
    text = lowered.lstrip(" \t\n✓✗-=:>")
    found = _WORD.match(text)
    if not found or _NUMBERED.match(text):
        return None
    word, follow = found["word"], found["follow"].strip()
    rest = text[found.end() :].strip(_EDGE + ".!")
    quoted = bool(found["quote"])
    if (word in _ONLY_ALONE and rest) or (quoted and not found["closed"] and found["quote"] != "("):
        return None
    if quoted and not follow and rest:
        return None
    if re.match(r"(?:and|or) (?:yes|no)\b", rest):
        return Slot("ambiguous", lone=True)
    verdict = WORD_VERDICTS[word]
    return _with_statement(
        Slot("answered", verdict, lone=_repeated(word, rest) or follow == "("), rest
    )


def _letter(text: str) -> Slot | None:
    found = _LETTER.match(text)
    if not found:
        return None
    letter, rest = found["letter"], text[found.end() :].strip(_EDGE)
    lone = not rest.strip(_EDGE + ".!")
    marked = found["named"] or found["open"] or found["close"] or letter.isupper()
    if not lone and not marked:
        return None
    if letter.isdigit() and not lone:
        return None
    verdict = LETTER_VERDICTS.get(letter.lower())
    if verdict is None:
        return Slot("out_of_range", letter=True, lone=True)
    slot = Slot("answered", verdict, letter=True, lone=lone)
    said = read_word(rest.lower()) if rest else None
    if said and said.answer:
        slot = slot._replace(lone=said.lone)
        conflict = said.answer != verdict
        return slot._replace(flags=("letter_text_conflict",)) if conflict else slot
    return _with_statement(slot, rest)


def _with_statement(slot: Slot, rest: str) -> Slot:
    """Compare a verdict with what the rest of its sentence says."""
    sentence = re.split(r"(?<=[.!?])\s|\n", rest, maxsplit=1)[0][:500]
    said = statements(sentence)
    predicate = said[-1].verdict if said else bare_predicate(sentence)
    if not predicate or predicate == slot.answer:
        return slot
    if slot.letter:
        return slot._replace(flags=("letter_text_conflict",))
    return Slot("ambiguous", flags=("verdict_text_conflict",))


def _one_letter(inner: str) -> bool:
    """Whether a list of letters names a single one, over and over."""
    return len(set(re.findall(r"\b[ab]\b", inner))) == 1
