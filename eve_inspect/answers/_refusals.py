"""Reading whether a reply declines: a check beside the judges, never a score.

Each clause of a reply says that information is missing, declines for no such reason, answers, or
does neither (apologies, advice, what the context is about). The kind follows from their order.

Conventions: apologies, quoted speech and negations of other things than the context's content are
no refusals. What follows a decline is an answer given all the same, unless it only advises or tells
what the context is about; a value that the context is said to state is an answer. What stands
before a decline is an answer if the decline points back to it ("this is not in the context") or
limits it ("the exact year is not given"), else it is taken for restated context. "It is unknown"
declines only as the first thing said. Of a text of more than 20,000 characters only the beginning
and the end are read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Literal, NamedTuple, get_args

from eve_inspect.answers._characters import fold, normalise
from eve_inspect.answers._decoration import BOX, END, TAG, plain
from eve_inspect.answers._json import scan_json
from eve_inspect.answers._readable import open_reply
from eve_inspect.answers._reading import Reading, Reply, Status
from eve_inspect.answers._refusal_languages import FOREIGN, FOREIGN_POLICY, WHOLE
from eve_inspect.answers._refusal_phrases import (
    ASIDE,
    CARRIED,
    DENIES_CLAIM,
    DOCUMENT,
    ESTIMATE,
    LIMITS,
    MISSING,
    ONLY,
    PARTLY,
    POINTS_BACK,
    POLICY,
    RESTATES_TOPIC,
    RESTATES_VALUE,
    UNKNOWN,
)

RefusalKind = Literal[
    "insufficient_context",
    "hedged_answer",
    "policy",
    "answer",
    "empty",
    "truncated",
    "provider_filter",
    "error",
]
"""What a reply to a question beside a context does.

``insufficient_context``: declines because information is missing. ``hedged_answer``: says so, and
gives an answer all the same. ``policy``: declines without saying that information is missing.
``answer``: anything else that can be read. ``empty``: no visible text. ``truncated``: cut before a
first sentence ended. ``provider_filter``: stopped by the provider. ``error``: the call failed.
"""

REFUSAL_KINDS: tuple[RefusalKind, ...] = get_args(RefusalKind)
"""All kinds, in the order in which they are reported."""

_Role = Literal["missing", "unknown", "policy", "aside", "claim"]


class _Clause(NamedTuple):
    text: str
    role: _Role
    contrast: bool  # begins with "but" or the like

    @property
    def declines(self) -> bool:
        return self.role in ("missing", "unknown", "policy")


class _Piece(NamedTuple):
    text: str
    listed: bool  # an item of a list
    supposed: bool  # what "if" or "although" supposes


class _SoFar(NamedTuple):
    """What the clauses before say about the next one."""

    begun: bool = False  # there was a clause
    partly: bool = False  # a decline was limited ("not explicitly")
    foreign: bool = False  # a decline was not in English
    listing: bool = False  # the list that follows belongs to an aside
    of_document: bool = False  # the clause before spoke of the document

    def after(self, bare: str, piece: _Piece, role: _Role) -> _SoFar:
        """What is known after a further clause."""
        declines = role in ("missing", "unknown", "policy")
        limited = declines and bool(PARTLY.search(bare) or DENIES_CLAIM.search(bare))
        english = MISSING.search(bare) or UNKNOWN.search(bare) or POLICY.search(bare)
        foreign = FOREIGN.search(bare) or FOREIGN_POLICY.search(bare)
        return _SoFar(
            begun=True,
            partly=self.partly or limited,
            foreign=self.foreign or (declines and not english and foreign is not None),
            listing=self.listing if piece.listed else _opens_list(piece.text, role),
            of_document=role != "claim" and (self.of_document or bool(DOCUMENT.search(bare))),
        )


def _opens_list(text: str, role: _Role) -> bool:
    return role != "claim" and text.rstrip().endswith(":")


_WITHOUT_TEXT: dict[Status, RefusalKind] = {
    "error": "error",
    "refusal": "provider_filter",
    "truncated": "truncated",
}
_EDGE = " .!?()[]-\"'"
_FILTERED: tuple[RefusalKind, Status] = ("provider_filter", "refusal")
_TRUNCATED: tuple[RefusalKind, Status] = ("truncated", "truncated")
_LONGEST_TEXT = 20_000
_MOST_CLAUSES = 1_000
_LONGEST_CLAUSE = 1_000
_RESTATED_CLAUSES = 3  # more than that before a decline is an answer with a remark at its end

_BARE = str.maketrans(
    {
        **{chr(i): unicodedata.normalize("NFD", chr(i))[0] for i in range(0xC0, 0x250)},
        **{"ß": "ss", "œ": "oe", "\u0131": "i", "ł": "l", "ø": "o", "æ": "ae"},
    }
)
"""Letters without their accents; NFD because the first character of it is the bare letter."""

_QUOTED = re.compile(r'"[^"\n]{0,400}"|(?<![\w.!?])\'[^\'\n]{1,200}[,.!?]\'(?!\w)')
_LABEL = re.compile(
    r"(?:(?:final |short |my )?(?:answer|response|reply|output|antwort|reponse|respuesta|risposta"
    r"|resposta|antwoord|svar|回答|答案)|a) ?: ?"
)
_MARKS = re.compile(f"[{BOX}{TAG}{END}]")
_OBJECT = re.compile(r"\s*(?:```[a-z]*\s*)?\{")
_ANSWER_KEY = re.compile(r"(?:final_?|my_)?(?:answer|response|result|output|value|text|reply)")

_SENTENCE = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bapprox\.)(?<!\bca\.)(?<!\bcf\.)(?<!\bfig\.)"
    r"(?<!\bz\. b\.)(?<!\bdr\.)(?<!\bsec\.)[\"')\]]{0,3}\s+|(?<=[。!?])(?=\S)"
)
_BUT = (
    r"but|however|nevertheless|nonetheless|yet|still|instead|aber|jedoch|allerdings|dennoch"
    r"|trotzdem"
    r"|mais|cependant|toutefois|neanmoins|pourtant|pero|sin embargo|no obstante|aunque|tuttavia"
    r"|pero'|comunque|porem|no entanto|contudo|todavia|maar|echter|toch|men|но|однако|但是?|しかし"
    r"|하지만"
)
_CONTRAST = re.compile(rf"(?:and )?(?:{_BUT})\b[ ,]*|(?:but|though|although|even though) ")
_GUESS = (
    r"probably|likely|presumably|perhaps|possibly|approximately|roughly|around \d|about \d"
    r"|typically"
    r"|usually|generally|vermutlich|wahrscheinlich|probablement|probablemente|probabilmente"
    r"|provavelmente|waarschijnlijk"
)
_BREAK = re.compile(
    rf"\s*;\s*|\s+-\s+|,?\s+(?=(?:but|though|although|even though|however|aber|jedoch|maar|pero)\b)"
    rf"|,\s+(?=(?:{_BUT}|ma|mas|so|therefore|thus|hence|{_GUESS})\b)"
    rf"|[,、]\s*(?=(?:但|不过|しかし))"
    r"|,\s+(?=(?:and (?:i|we|it|they|you|there|therefore|thus|so|hence)\b|(?:it|they|this|these|i"
    r"|which)"
    r"(?:'d|'m|'s|'ll)? ?(?:is|was|are|were|has|have|would|should|must|may|might|could|can(?:not"
    r"|'t)?"
    r"|do|does|did|am|think|believe|guess|assume|suspect|estimate|know|will|only)\b))"
    r"|,\s+(?=an? [a-z]+ (?:that |which )?(?:the|this) )"
    rf"|\s*\((?=(?:{_GUESS}|not|though|although)\b)"
)
_SUPPOSES = re.compile(
    r"(?:if|unless|when|in case|even if|wenn|falls|si|se|als)\b (?:[^,]{1,300}), ?"
)
_CONCEDES = re.compile(
    r"(?:while|whilst|although|though|even though|whereas|since|because|as|given that|despite"
    r"|obwohl|da|weil|bien que|puisque|comme|aunque|como|dado que|sebbene|poiche|siccome|embora"
    r"|hoewel|omdat|aangezien)\b [^,]{1,300}, ?"
)
_LEAD = re.compile(
    rf"(?:(?:{_BUT}|and|so|unfortunately|regrettably|sorry|i(?:'m| am) sorry|i apologi[sz]e|leider"
    r"|malheureusement|lamentablemente|purtroppo|infelizmente|helaas)\b[, ]*){1,4}"
)
_OPENERS = re.compile(
    rf"(?:(?:{_BUT}|and|so|therefore|thus|hence|unfortunately|regrettably|sadly|sorry|leider|mit"
    r" bedauern|malheureusement|lamentablemente|desafortunadamente|purtroppo|infelizmente|helaas"
    r"|well|hmm|i(?:'m| am)(?: very| so)? sorry|i(?: do)? apologi[sz]e|my apologies|apologies"
    r"|i(?:'m| am) afraid(?: that)?|though|although|even though|because|since|as|while|note that"
    r"|(?:explanation|reason|note|conclusion|justification|begrundung|explication)(?=:)"
    r"|in short|in summary|to be clear|overall|(?:based on|according to|given|from) (?:only"
    r" )?(?:the|this|these|your)"
    r" (?:[a-z]+ ){0,4}(?:context|documents?|passages?|text|information|excerpts?|material"
    r"|sources?)"
    r"(?: (?:provided|given|above|alone|available|supplied))?)\b[,:.]? ?){1,6}"
)
_BASED = re.compile(r"(?:[a-z]+, )?(?:based on|according to|given|from|with only|in)\b")
_IF = re.compile(r"\b(?:if|unless|whenever|wherever)\b")
_CONDITION = re.compile(r"(?:if|unless|when|in case|falls|wenn|si|se)\b")
_BULLET = re.compile(r"\s*(?:[-+*]|\d{1,2}[.)])\s+")
_VALUE = re.compile(
    r"(?<![\w.-])(?<!document )(?<!section )(?<!figure )(?<!table )(?<!page )(?<!band )(?<!level )"
    r"(?<!passage )(?<!source )(?<!text )(?<!landsat )(?<!excerpt )\d"
)
_VERDICT = re.compile(r"(?:yes|no|ja|nein|oui|non|si|sim|nao|nee)[,.!:]\s")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_PACKED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def read_refusal(reply: Reply) -> Reading[RefusalKind]:
    """Read from its phrases whether a reply declines, and how.

    Args:
        reply: The model's reply to a question beside a context.

    Returns:
        The kind, always. The status is ``answered`` where text was read; else ``empty``,
        ``refusal`` (the provider's filter), ``truncated`` or ``error``. Flags: ``content_filter``
        (text that the provider's filter ended), ``cut`` (text that the token limit ended).
    """
    opened = open_reply(reply)
    if opened.status is not None:
        return Reading(_WITHOUT_TEXT.get(opened.status, "empty"), opened.status, flags=opened.flags)
    text = _text_of(opened.text)
    if not _WORD.search(text):
        return Reading("empty", "empty")
    kind, method = _kind_of(text)
    filtered = reply.stop_reason == "content_filter"
    unfinished = "\n" not in text and not _SENTENCE.search(text + " ")
    if (filtered or reply.cut) and kind == "answer" and unfinished:
        return Reading(*(_FILTERED if filtered else _TRUNCATED))
    flag = ("content_filter",) if filtered else ("cut",) if reply.cut else ()
    return Reading(kind, "answered", method, flag)


def _text_of(text: str) -> str:
    """Lower-case text of a reply without decoration, accents, label and quotes around it."""
    if len(text) > _LONGEST_TEXT:
        text = text[: _LONGEST_TEXT // 2] + "\n" + text[-_LONGEST_TEXT // 2 :]
    text = normalise(text)
    if _OBJECT.match(text):
        text = _out_of_json(text)
    text = _MARKS.sub("", plain(text))
    text = fold(text).translate(_BARE).strip()
    if label := _LABEL.match(text):
        text = text[label.end() :]
    inner = text.strip("\"'")
    return (text if '"' in inner else inner).strip()


def _out_of_json(text: str) -> str:
    """The answer in a reply that is a JSON object; the reply itself when there is none."""
    found = scan_json(text).found
    value = found[-1].value if found else None
    if isinstance(value, Mapping):
        for key, member in value.items():
            if _ANSWER_KEY.fullmatch(key.strip().lower()):
                return "null" if member is None else str(member)
    return text


def _kind_of(text: str) -> tuple[RefusalKind, str]:
    """The kind of readable text, and how it was found."""
    if len(text) < 100 and WHOLE.fullmatch(_without_openers(text).strip(_EDGE)):
        return "insufficient_context", "whole_reply"
    clauses = _restated(list(_clauses(text)))
    declines = [i for i, clause in enumerate(clauses) if clause.declines]
    if not declines:
        return "answer", "text"
    first = declines[0]
    after = any(clause.role == "claim" for clause in clauses[first:])
    if after or _VERDICT.match(text) or _answered(clauses[:first], clauses[first]):
        return "hedged_answer", "phrase"
    only_policy = all(clauses[i].role == "policy" for i in declines)
    return ("policy" if only_policy else "insufficient_context"), "phrase"


def _without_openers(text: str) -> str:
    opened = _OPENERS.match(text)
    return text[opened.end() :] if opened else text


def _answered(before: list[_Clause], decline: _Clause) -> bool:
    """Whether what stands before a decline was the answer, rather than restated context."""
    claims = sum(clause.role == "claim" for clause in before)
    limited = POINTS_BACK.search(decline.text) or LIMITS.search(decline.text)
    return claims > _RESTATED_CLAUSES or (claims > 0 and limited is not None)


def _restated(clauses: list[_Clause]) -> list[_Clause]:
    """Take claims that a decline contradicts for context ("it has 21 bands, but no mass is given").

    "It is unknown" is a finding, not a decline, once something was claimed.
    """
    kept: list[_Clause] = []
    claimed = False
    for clause in clauses:
        role = clause.role
        if role == "unknown" and claimed:
            role = "claim"
        elif role == "policy" and kept and _BASED.match(kept[-1].text):
            role = "missing"
        elif clause.declines and clause.contrast and kept and not _answered(kept[-1:], clause):
            kept[-1] = kept[-1]._replace(role="aside")
        claimed = claimed or role == "claim"
        kept.append(clause._replace(role=role))
    return kept


def _clauses(text: str) -> Iterator[_Clause]:
    """The clauses of a text and what each does, in order."""
    so_far = _SoFar()
    for piece in islice(_pieces(_QUOTED.sub(' "" ', text)), _MOST_CLAUSES):
        contrast = _CONTRAST.match(piece.text) is not None
        bare = _without_openers(piece.text).strip(" ,:()\"'") or piece.text
        role = _role(bare, piece, so_far)
        so_far = so_far.after(bare, piece, role)
        yield _Clause(bare, role, contrast)


def _role(bare: str, piece: _Piece, so_far: _SoFar) -> _Role:
    said = _declines(bare)
    if said is None and so_far.of_document and CARRIED.search(bare):
        said = "missing"
    if not so_far.begun and WHOLE.fullmatch(bare.strip(_EDGE)):
        said = "missing"
    if said is not None:
        return "aside" if piece.supposed and _CONDITION.match(piece.text) else said
    if piece.supposed or piece.text.rstrip().endswith("?") or ASIDE.search(bare):
        return "aside"
    return "claim" if _claims(bare, piece, so_far) else "aside"


def _claims(bare: str, piece: _Piece, so_far: _SoFar) -> bool:
    """Whether a clause that neither declines nor advises says something of its own."""
    value = _VALUE.search(bare) is not None
    if so_far.listing and piece.listed:
        return False
    if RESTATES_VALUE.search(bare):
        return (so_far.partly or value) and not ONLY.search(bare)
    if RESTATES_TOPIC.search(bare):
        return False
    if value or ESTIMATE.search(bare):
        return True
    words = len(_PACKED.findall(bare)) > 4 or len(_WORD.findall(bare)) > 2
    return words and not so_far.foreign


def _declines(bare: str) -> Literal["missing", "unknown", "policy"] | None:
    missing = MISSING.search(bare) or FOREIGN.search(bare)
    if missing:
        return None if _IF.search(bare, 0, missing.start()) else "missing"
    if UNKNOWN.search(bare) and not _VALUE.search(bare):
        return "unknown"
    if POLICY.search(bare) or FOREIGN_POLICY.search(bare):
        return "policy"
    return None


def _pieces(text: str) -> Iterator[_Piece]:
    """Cut a text into clauses."""
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        content = (line[bullet.end() :] if bullet else line).strip()
        for sentence in _SENTENCE.split(content):
            yield from _of_sentence(sentence.strip(), listed=bullet is not None)


def _of_sentence(sentence: str, listed: bool) -> Iterator[_Piece]:
    lead = _LEAD.match(sentence)
    start = lead.end() if lead else 0
    fronted = _SUPPOSES.match(sentence, start) or _CONCEDES.match(sentence, start)
    if fronted:
        yield _Piece(fronted.group().rstrip(", "), listed, supposed=True)
    rest = sentence[fronted.end() :] if fronted else sentence
    for piece in chain.from_iterable(_within(part) for part in _BREAK.split(rest)):
        yield _Piece(piece, listed, supposed=False)


def _within(part: str | None) -> Iterator[str]:
    if part and part.strip():
        yield part.strip()[:_LONGEST_CLAUSE]
