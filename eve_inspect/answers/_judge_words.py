"""The words by which judges announce a verdict, and the names of an object's members."""

from __future__ import annotations

import re

from eve_inspect.answers._characters import fold, normalise


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


OVERALL = frozenset(
    _split(
        "overall final total gesamt gesamte insgesamt endgültige abschließende global"
        " globale finale générale totale definitiva complessivo geral итоговая общая"
        " итоговый общий 最终 最終 总 總 总体 總體 综合 綜合 総合 최종 총"
    )
)
"""Words that make a score the one for the whole answer."""

CORE = _split(
    "score rating grade punktzahl gesamtpunktzahl bewertung gesamtbewertung"
    " puntuación puntuacion puntaje calificación calificacion punteggio pontuação"
    " pontuacao valutazione ocena betyg poäng cijfer оценка балл"
)
CORE_PACKED = _split("总分 總分 评分 評分 得分 分数 分數 スコア 評価 点数 點數 점수 평점")
WEAK = _split(
    "note endnote gesamtnote nota voto mark marks points punkte result verdict"
    " evaluation assessment judgement judgment overall final total gesamt ergebnis"
    " resultado résultat"
)
"""Words that announce a score only if it ends its line: they have other uses."""

_KEYED = frozenset([*CORE, *CORE_PACKED, *WEAK]) - OVERALL

NEUTRAL = frozenset(
    _split(
        "the my your our its this a an answer answers answer's response judge judge's"
        " numeric numerical number integer int value given assigned llm quality llm's"
    )
)
"""Words beside "score" that leave it the score of the answer."""

PRIOR = (
    NEUTRAL
    | OVERALL
    | frozenset(
        _split(
            "so thus therefore hence then and is as give given giving assign assigning"
            " award awarding assigned following single one mein meine die der das eine le"
            " la el un una il mi ma o sa su 我的 的 finally appropriate correct fair right"
            " resulting new"
        )
    )
    - {"quality"}
)
"""Words that may stand right before a cue; any other makes it the score of something else."""

CRITERIA = frozenset(
    _split(
        "accuracy correctness completeness relevance relevancy clarity fluency"
        " coherence conciseness style depth grounding groundedness faithfulness"
        " consistency helpfulness factuality precision recall terminology readability"
        " structure coverage tone specificity detail safety harmlessness factual"
        " grammar language originality reasoning evidence usefulness"
    )
)
"""What answers are often scored for one by one."""

_OTHERS = frozenset(
    _split(
        "example examples sample schema properties format template candidate student"
        " submission question reference context document documents input prompt rubric"
        " criteria criterion instructions expected gold previous max min maximum"
        " minimum confidence"
    )
)

RATIONALES = _split(
    "rationale reason reasons reasoning explanation justification analysis thoughts"
    " thought comment comments feedback critique why begründung raison"
)
"""Keys under which a judge says why, best first."""

WRAPPERS = frozenset(
    _split(
        "result results output response evaluation assessment verdict judgement"
        " judgment judge data json arguments content text message final overall score"
        " scores"
    )
)
"""Keys under which an object may stand as a string."""

_PARENTHESES = re.compile(r"\([^()]{0,60}\)|\[[^\[\]]{0,60}\]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[\W_]+")
_LONGEST_KEY = 80


def key_words(key: str) -> tuple[str, ...]:
    """Return the words of a key ("finalScore", "Final score (0-5)") in lower case."""
    if len(key) > _LONGEST_KEY:
        return ()
    bare = _PARENTHESES.sub(" ", normalise(key))
    return tuple(filter(None, _SPLIT.split(fold(_CAMEL.sub(" ", bare)))))


def is_denied(key: str) -> bool:
    """Return whether what stands under a key is the verdict on something else."""
    words = set(key_words(key))
    return bool(words & (CRITERIA | _OTHERS)) or words <= set(RATIONALES)


def rank_of_score(key: str) -> int:
    """Return how much a key is that of the score: 0 when it is not, most for "overall score"."""
    words = set(key_words(key))
    nouns, overall = words & _KEYED, words & OVERALL
    if words - nouns - overall - NEUTRAL or not (nouns or overall):
        return 0
    if nouns and overall:
        return 6
    if overall:
        return 5 if overall == {"overall"} else 2
    return 4 if nouns == {"score"} else 3 if nouns & {*CORE, *CORE_PACKED} else 2
