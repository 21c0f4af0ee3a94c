# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""What a score looks like: numbers, fractions, number words, pass and fail.

Decisions: a fraction counts only over the top of the scale, any other is ``out_of_scale``, never
converted; a range, a list or a percentage is no score; "1,000" may mean two numbers and is none;
words for pass and fail count where the scale has these two points alone.
"""

from __future__ import annotations

import math
import re
from functools import cached_property

from eve_inspect.answers._characters import normalise
from eve_inspect.answers._judge_reading import Scale
from eve_inspect.answers._judge_values import (
    CLOSERS,
    LEAD,
    PLACEHOLDER,
    Finding,
    Slot,
    flat,
    quoted,
)
from eve_inspect.answers._judge_words import (
    CORE,
    CORE_PACKED,
    OVERALL,
    WEAK,
    key_words,
    rank_of_score,
)

_WORDS_BY_VALUE = (
    "zero cero zéro",
    "one eins uno",
    "two zwei deux dos",
    "three drei trois tres",
    "four vier quatre cuatro quattro",
    "five fünf cinq cinco cinque",
    "six sechs seis",
    "seven sieben",
    "eight acht",
    "nine neun",
    "ten zehn",
)
_NUMBER_WORDS = {
    word: float(value) for value, words in enumerate(_WORDS_BY_VALUE) for word in words.split()
}
_MARKS = {"pass": 1.0, "passed": 1.0, "true": 1.0, "fail": 0.0, "failed": 0.0, "false": 0.0}

_DIGITS = r"[+-]?+(?:[0-9]++(?:[.,٫][0-9]++)*+|\.[0-9]++)(?:e[+-]?+[0-9]{1,6}+)?+"
_NUM = rf"(?:{_DIGITS}|(?:{'|'.join(sorted(_NUMBER_WORDS, key=len, reverse=True))})(?![\w-]))"
_SPACES = r"[^\S\n]{0,3}+"
_LEAD = re.compile(rf"{LEAD}(?:(?:an?|is|of)[^\S\n]{{1,3}})?+{LEAD}", re.IGNORECASE)
_CLOSERS = re.compile(CLOSERS)
_NUMBER = re.compile(_NUM, re.IGNORECASE)
_MARK = re.compile(
    rf"({'|'.join(sorted(_MARKS, key=len, reverse=True))})(?![\w-]|{_SPACES}(?:[/|]|or\b|and\b))",
    re.IGNORECASE,
)
_OVER = re.compile(
    rf"{CLOSERS}{_SPACES}(?:(?:points?|stars?|marks?){_SPACES})?\(?"
    rf"(?:/|out{_SPACES}of|of|von|sur|de|di|su|из|van|över|über){_SPACES}"
    rf"(?:(?:a|an|the){_SPACES})?(?:(?:possible|maximum|max|total){_SPACES}(?:of{_SPACES})?)?"
    rf"\(?({_NUM})",
    re.IGNORECASE,
)
_UNIT = re.compile(
    rf"{_SPACES}-?(?:points?|pts|stars?|marks?|punkte?n?|puntos?|punti|分|点|點|점)(?![a-z])",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"{CLOSERS}{_SPACES},?{_SPACES}\(?(?:(?:-{{1,2}}>?|~|→|\.\.+|…|/|\||(?:to|or|bis|oder)"
    rf"{_SPACES}(?:even|maybe|perhaps|possibly|rather)?)"
    rf"{_SPACES}(?P<word>{_NUM})|(?:,|(?:and|und|ou|à|a|o|y|и|или)\b){_SPACES}(?P<digits>{_DIGITS}))",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"[\w%‰⁄°^+~*/\\-]|[.,:][0-9]|\s?[%‰]|\s?(?:(?:and )?(?:a )?half|thirds?|quarters?|fifths?"
    r"|hundred|thousand|million|percent|per cent|point|dozen|(?:out )?of|times)\b",
    re.IGNORECASE,
)

_LATIN = "|".join(sorted([*CORE], key=len, reverse=True))
_WEAK = "|".join(sorted([*WEAK], key=len, reverse=True))
_OVER_WORDS = "|".join(sorted(OVERALL, key=len, reverse=True))
_AFTER = r"[ ](?:finale?|globale?|totale?|générale|general|definitiva|complessivo)(?!\w)"
_CUE = re.compile(
    rf"(?<!\w)(?<!\w-)(?:(?:{_OVER_WORDS})_)?(?:{_LATIN})(?!\w)(?:{_AFTER})?+"
    rf"|(?<!\w)(?<!\w-)(?P<weak>{_WEAK})(?!\w)(?:{_AFTER})?+"
    rf"|{'|'.join(CORE_PACKED)}"
)
_OBJECTS = (
    r"(?:(?:it|this|that|them|the|answer|response|candidate|candidate's|submission|model|model's|a"
    r"|an|as|at|with|overall|final|full|total|score|rating|grade|mark|of)[ ]){0,7}"
)
_STATED = re.compile(
    r"(?<!\w)(?:i|we)(?:'d|'ll|'ve| would| will| have)?[ ]"
    r"(?:(?:therefore|thus|still|only|now|hereby|must|rather)[ ]){0,2}"
    r"(?:give|gave|given|rate|rated|score|scored|assign|assigned|award|awarded|grade|graded|mark"
    rf"|settle on)[ ]{_OBJECTS}"
    r"|(?<!\w)(?:answer|response|submission|candidate|it|this)[ ]"
    r"(?:deserves|merits|earns|gets|receives|is rated|is scored|is worth|scores|rates)[ ]"
    rf"{_OBJECTS}"
    r"|(?m:^)[^\w\n]{0,8}(?=\w{1,10}[^\S\n]{0,2}(?:/|out of|von|sur)[^\S\n]{0,2}\w{1,10}[^\w\n]*$)"
)


class ScoreGrammar:
    """What a score on a scale looks like.

    Args:
        scale: The scale.
    """

    noun = "score"
    cue = _CUE
    stated: re.Pattern[str] | None = _STATED

    def __init__(self, scale: Scale) -> None:
        self._scale = scale

    @cached_property
    def _span(self) -> str:
        whole = "a whole number from " if self._scale.whole else ""
        return f"{whole}{self._scale.low:g} to {self._scale.high:g}"

    def rank(self, key: str) -> int:
        """Return how much a key is that of the score; 0 when it is not."""
        if self._scale.two_points and set(key_words(key)) & {"pass", "passed"} == set(
            key_words(key)
        ):
            return 2 if key_words(key) else 0
        return rank_of_score(key)

    def held(self, value: object) -> Finding[float] | None:
        """Read the value under a key; None for the placeholder of a template."""
        while isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, str):
            return self._worded(value)
        if isinstance(value, bool) and self._scale.two_points:
            return Finding(float(value), flags=("boolean",))
        if isinstance(value, bool | None):
            told = "null" if value is None else str(value).lower()
            return _none(f"the score was {told}, not a number")
        if not isinstance(value, int | float):
            return _none("it held no single score")
        if isinstance(value, float) and not math.isfinite(value):
            return _none("the score was no finite number")
        return self._placed(value)

    def slot(self, text: str, start: int) -> Slot[float] | None:
        """Read the score at a place of plain text; None when there is none."""
        lead = _LEAD.match(text, start)
        place = lead.end() if lead else start
        mark = _MARK.match(text, place) if self._scale.two_points else None
        if mark:
            return Slot(
                Finding(_MARKS[mark[1].lower()], flags=("word",)), _closed(text, mark.end())
            )
        number = _NUMBER.match(text, place)
        return self._counted(text, number) if number else None

    def _counted(self, text: str, number: re.Match[str]) -> Slot[float] | None:
        """Read a number with what belongs to it: the top of the scale, a range, a unit."""
        over = _OVER.match(text, number.end())
        if over:
            return self._fraction(text, number.group(), over)
        span = _RANGE.match(text, number.end())
        if span:
            return self._range(number.group(), span)
        end = _after_unit(text, number.end())
        value = None if _GLUED.match(text, end) else _value(number.group())
        if value is None:
            return Slot(_none("the score was no plain number"), end)
        return Slot(self._placed(value), end)

    def _fraction(self, text: str, top: str, over: re.Match[str]) -> Slot[float]:
        end = _after_unit(text, over.end())
        value, whole = _value(top), _value(over[1])
        if _GLUED.match(text, end) or value is None or whole is None:
            return Slot(_none("the score was no plain number"), end, fraction=True)
        if whole != self._scale.high:
            problem = f"a score out of {whole:g} is not {self._span}"
            return Slot(Finding(None, "out_of_scale", problem), end, fraction=True)
        return Slot(self._placed(value), end, fraction=True)

    def _range(self, first: str, span: re.Match[str]) -> Slot[float] | None:
        low, high = _value(first), _value(span["word"] or span["digits"])
        ends = (self._scale.low, self._scale.high)
        if (low, high) == ends or (low == ends[0] and span.group().strip()[:1] in ",|/"):
            return None  # "0-5", "0, 1, 2": the scale itself
        return Slot(_none("it gave more than one score"), span.end())

    def _worded(self, text: str) -> Finding[float] | None:
        if PLACEHOLDER.fullmatch(text[:200]):
            return None
        bare = flat(normalise(text[:400])).strip()
        slot = self.slot(bare, 0)
        if slot is None and _NUMBER.match(bare):
            return None
        if slot is None or slot.finding.status == "unreadable":
            return _none(f"the score was {quoted(text)}, not a number")
        return slot.finding

    def _placed(self, value: float) -> Finding[float]:
        """Return a number as a score, if it is on the scale."""
        try:
            score = float(value)
        except OverflowError:
            score = math.inf
        if math.isfinite(score) and self._scale.holds(score):
            return Finding(score + 0.0)  # no negative zero
        told = f"{score:g}" if math.isfinite(score) else "given"
        return Finding(None, "out_of_scale", f"the score {told} is not {self._span}")


def _none(problem: str) -> Finding[float]:
    return Finding(None, "unreadable", problem)


def _closed(text: str, end: int) -> int:
    closers = _CLOSERS.match(text, end)
    return closers.end() if closers else end


def _after_unit(text: str, end: int) -> int:
    """Return the offset after what closes a number, and after its unit."""
    end = _closed(text, end)
    unit = _UNIT.match(text, end)
    return _closed(text, unit.end()) if unit else end


def _value(raw: str) -> float | None:
    """Return the number that digits or a word mean, or None when they may mean two."""
    raw = raw.lower().replace("٫", ".")
    if raw in _NUMBER_WORDS:
        return _NUMBER_WORDS[raw]
    if len(raw) > 400:
        return math.inf if raw.lstrip("+-").isdigit() else None
    if raw.count(".") + raw.count(",") > 1 or re.fullmatch(r"[+-]?[1-9]\d*,\d{3}", raw):
        return None
    return float(raw.replace(",", "."))
