# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""How replies decline in other languages than English, and how they do in a word or two.

The languages of `_LANGUAGES` are read by a name of the document, a negation and a verb of saying
that stand together, or by a set phrase; `_STANDARD` holds the usual sentence of some more. All is
for lower-case text without the accents of Latin letters.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from eve_inspect.answers._refusal_phrases import any_of


class _Language(NamedTuple):
    """How a language declines; regular expressions of lower-case words without accents.

    Attributes:
        document: Names of the text at hand.
        negation: What negates a verb or noun.
        saying: Stems of verbs of saying, answering, finding out.
        that: Words that open a clause of its own.
        whose: Words that name whose statement a clause is.
        unknown: Phrases that say that something is missing or not known, without a document.
        policy: Phrases that decline for no reason given.
    """

    document: str
    negation: str
    saying: str
    that: str
    whose: str
    unknown: str
    policy: str


_LANGUAGES = (
    _Language(  # German
        r"kontext\w*|text(?:es|e|ausschnitt|auszug|stelle)?|dokument\w*|auszug\w*|quellen?"
        r"|unterlagen|passage|artikels?|abschnitts?|textes|materialien",
        r"nicht|kein|keine|keinen|keiner|keinerlei|nichts",
        r"enthalt|enthalten|nenn|genannt|erwahn|gibt|geben|angab|angegeb|angaben|liefer|macht|sagt"
        r"|gesagt|beschr|beantwort|biete|erlauter|spezifi|geht|gehen|hervor|steh|finde|bestimm"
        r"|ermittel|entnehm|entnomm|ableit|schliess|reich|genug|verfugbar|vorhanden|information",
        r"dass",
        r"laut|gemass|zufolge|wonach",
        r"ich weiss (?:es )?(?:leider )?nicht|(?:das )?weiss ich (?:leider )?nicht|keine ahnung"
        r"|nicht genug(?:end)? informationen|keine (?:ausreichenden |genauen |weiteren )?"
        r"(?:informationen|angaben?)|nicht angegeben|nicht erwahnt|nicht genannt|nicht bekannt"
        r"|unzureichende informationen|ist unbekannt",
        r"(?:kann|darf) (?:ich )?(?:dir |ihnen |euch )?(?:dabei |damit |hier |leider |diese frage "
        r"|das )*nicht (?:helfen|weiterhelfen|beantworten)|ich muss (?:das |dies )?ablehnen",
    ),
    _Language(  # French
        r"contextes?|documents?|textes?|passages?|extraits?|articles?|sources?",
        r"ne|n'\w+|aucune?|pas|rien",
        r"contien|contenu|mention|precis|indiqu|fourni|fournit|donne|dit|dis|dire|permet|repon"
        r"|decri|evoqu|parle|specifi|trouv|figur|determin|compren|comport|abord|present|suffi"
        r"|information",
        r"que|qui",
        r"selon|d'apres",
        r"je ne sais pas|je l'ignore|aucune idee|informations? insuffisantes?"
        r"|pas (?:assez|suffisamment) d'informations?|je n'ai pas (?:cette information"
        r"|d'information|l'information)|non (?:precise|mentionne|indique|specifie)e?|n'est pas"
        r" (?:precise"
        r"|mentionne|indique|connu|specifie)e?",
        r"je ne (?:peux|puis) (?:malheureusement )?pas (?:vous aider|t'aider|repondre|aider"
        r"|traiter)|je refuse|je dois refuser|je ne suis pas en mesure",
    ),
    _Language(  # Spanish
        r"contextos?|documentos?|textos?|pasajes?|fragmentos?|extractos?|articulos?|fuentes?",
        r"no|ningun|ninguna|nada|tampoco",
        r"contien|mencion|especific|indic|proporcion|da\b|dan\b|dice|decir|permit|respond|describ"
        r"|ofrec|aclar|encuentr|aparec|figura|determin|inclu|aport|suficient|informacion|precis"
        r"|menciona",
        r"que",
        r"segun",
        r"no lo se|no se sabe|no tengo (?:suficiente |esa |la )?informacion|no hay (?:suficiente )?"
        r"informacion|informacion insuficiente|no (?:se )?(?:especifica|menciona|indica)(?:do|da)?"
        r"|ni idea|no estoy segur[oa]",
        r"no puedo (?:ayudar\w*|responder|contestar|atender)|me niego|debo rechazar",
    ),
    _Language(  # Italian
        r"contest[oi]|document[oi]|test[oi]|brano|brani|passagg\w*|estratt\w*|articol[oi]|font[ei]",
        r"non|nessun|nessuna|nessuno|nulla|niente|alcuna",
        r"contien|conteng|menzion|specific|indic|fornisc|fornit|forni|dice|dicono|dire|permett"
        r"|consent|rispond|rispost|descri|offr|precis|trova|determin|inclu|riport|sufficient"
        r"|informazion|present",
        r"che",
        r"secondo",
        r"non lo so|non so\b|non ho (?:abbastanza |sufficienti |questa )?informazion\w*"
        r"|informazioni insufficienti|non ci sono (?:abbastanza )?informazioni|non (?:e"
        r" )?(?:specificat|menzionat"
        r"|indicat|not)[oa]|nessuna informazione",
        r"non posso (?:aiutar\w*|rispondere|assister\w*)|mi rifiuto|devo rifiutare",
    ),
    _Language(  # Portuguese
        r"contextos?|documentos?|textos?|trechos?|passagens|passagem|excertos?|artigos?|fontes?",
        r"nao|nenhum|nenhuma|nada|tampouco",
        r"contem|contenh|mencion|especific|indic|fornec|da\b|dao\b|diz|dizem|dizer|permit|respond"
        r"|descrev|oferec|esclarec|encontr|aparec|consta|determin|inclu|apresent|suficient"
        r"|informac|refer",
        r"que",
        r"segundo",
        r"nao sei|nao tenho (?:informac\w+|essa informacao|certeza)|nao ha informac\w+"
        r"|informac\w+ insuficientes?|nao (?:foi |e )?(?:especificad|mencionad|indicad"
        r"|informad)[oa]|nenhuma informacao",
        r"nao posso (?:ajud\w+|responder|atender)|recuso|devo recusar",
    ),
    _Language(  # Dutch
        r"context|documenten|document|tekst|teksten|passage|fragment|artikel|bron|bronnen"
        r"|uittreksel",
        r"niet|geen|niets",
        r"bevat|noem|genoemd|vermeld|geef|gegeven|geven|zegt|zeggen|beschr|beantwoord|bied|specifi"
        r"|staat|vind|bepal|bepaald|afleid|afgeleid|vermeldt|voldoende|informatie|meld|opgemaakt",
        r"dat",
        r"volgens",
        r"ik weet het niet|weet ik niet|geen idee|niet genoeg informatie|onvoldoende informatie"
        r"|geen informatie|niet (?:vermeld|genoemd|opgegeven|bekend|aangegeven)",
        r"(?:kan|mag) (?:ik )?(?:je |u |daar |hier |deze vraag |dat |daarbij |hierbij )*niet"
        r" (?:mee )?"
        r"(?:helpen|beantwoorden)|ik weiger|ik moet weigeren",
    ),
)

_STANDARD = (
    # Swedish, Danish, Norwegian
    r"\b(?:kontexten|sammanhanget|texten|dokumente[tn]|konteksten|teksten|dokumenterne"
    r"|dokumentene)\b(?: \S+){0,5}? (?:inte|ikke|ingen|inga)\b",
    r"\b(?:inte|ikke|ingen|inga)\b(?: \S+){0,6}? (?:kontexten|sammanhanget|texten|dokumentet"
    r"|konteksten|teksten)\b",
    r"\b(?:jag vet inte|jeg ved (?:det )?ikke|jeg vet ikke|tillracklig information saknas)\b",
    # Finnish, Estonian
    r"\b(?:kontekst\w*|teksti\w*|asiakirja\w*|dokumen\w*|tekst\w*)(?: \S+){0,4}? (?:ei|eivat)\b"
    r"|\ben tieda\b|\bma ei tea\b",
    # Polish
    r"\b(?:kontekst\w*|tekst\w*|dokument\w*|fragment\w*)(?: \S+){0,4}? nie (?:zawier|podaj|wspomin"
    r"|okresl|pozwal|odpowiad)\w*|\bnie wiem\b|\bnie (?:podano|okreslono)\b",
    # Czech, Slovak
    r"\b(?:kontext\w*|text\w*|dokument\w*)(?: \S+){0,4}? (?:ne(?:obsahuj|uvad|zmin|poskyt"
    r"|odpovid)\w*)|\bnevim\b|\bneviem\b",
    # Romanian
    r"\b(?:contextul|textul|documentul|documentele|pasajul)\b(?: \S+){0,4}? nu (?:contin|ofer"
    r"|mention|specific|preciz|indic)\w*|\bnu stiu\b",
    # Hungarian
    r"\b(?:kontextus|szoveg|dokumentum\w*|szovegkornyezet)\b(?: \S+){0,5}? nem (?:tartalm|ad"
    r"|emlit)\w*|\bnem tudom\b",
    # Catalan, Turkish
    r"\b(?:context|text|document|documents)\b(?: \S+){0,3}? no (?:conte|conten|esment|indic"
    r"|proporcion)\w*",
    r"\b(?:baglam|metin|belge)\w*\b,?(?: \S+){0,8}? (?:icermi|belirtilme|bulunm|yer alm|yok)\w*"
    r"|\bbilmiyorum\b",
    # Greek, Russian, Ukrainian, Bulgarian
    r"(?:κείμενο|πλαίσιο|έγγραφ\w+)(?: \S+){0,4}? δεν (?:περιέχ|αναφέρ|παρέχ|δίν)\w*|δεν γνωρίζω"
    r"|δεν ξέρω",
    r"(?:контекст\w*|текст\w*|документ\w*)(?: \S+){0,5}? (?:не|нет|немає|няма|отсутств\w*"
    r"|відсутн\w*)\b|\b(?:не|нет)\b(?: \S+){0,5}? (?:контекст|текст|документ)\w*|\bя не знаю\b"
    r"|\bне знам\b",
    # Chinese, Japanese, Korean
    r"(?:上下文|文中|文本|文档|文件|资料|材料|上下文|內容|内容|段落|文章).{0,20}?(?:没有|沒有|未"
    r"|无法|無法|不足|不包含|并未)",
    r"(?:无法|無法|不能)(?:确定|確定|回答|得知|判断|判斷)|不知道|没有足够的信息|沒有足夠的資訊",
    r"(?:文脈|文書|文章|資料|コンテキスト|テキスト|本文|情報).{0,40}?(?:ありません|いません"
    r"|ていない|できません|ません|不明)|わかりません|分かりません",
    r"(?:문맥|문서|본문|컨텍스트|지문|자료|맥락|정보).{0,40}?(?:없습니다|않습니다|없다|않는다"
    r"|부족)|모르겠습니다|알 수 없습니다",
    # Arabic, Hindi
    r"(?:السياق|النص|المستند|الوثائق|الوثيقة)(?: \S+){0,4}? (?:لا|لم|ليس)|(?:لا|لم|ليس)(?:"
    r" \S+){0,6}? "
    r"(?:السياق|النص|المستند)|لا أعرف",
    r"(?:संदर्भ|पाठ|दस्तावेज़|दस्तावेज).{0,80}?नहीं|मुझे नहीं पता",
)
"""The usual sentence, and "I don't know", in some more languages."""


def _foreign() -> tuple[str, ...]:
    patterns: list[str] = []
    for one in _LANGUAGES:
        gap = rf"(?: (?!(?:{one.that})\b)[^\s,;]+){{0,9}}? "
        document, negation = rf"\b(?:{one.document})\b", rf"\b(?:{one.negation})\b"
        saying = rf"(?!.{{0,400}}\b(?:{one.whose})\b)(?=.{{0,400}}\b(?:{one.saying}))"
        patterns += (
            rf"\A{saying}.{{0,300}}?{document},?{gap}{negation}",
            rf"\A{saying}.{{0,300}}?{negation}{gap}{document}",
            rf"\b(?:{one.unknown})\b",
        )
    return tuple(patterns)


FOREIGN = any_of(*_foreign(), *_STANDARD)
"""What says that information is missing."""
FOREIGN_POLICY = any_of(*(rf"\b(?:{one.policy})\b" for one in _LANGUAGES))
"""What declines without saying that information is missing."""

WHOLE = re.compile(
    r"(?:n ?/ ?a|na|n\.a\.?|null|unknown|unanswerable|undetermined|unspecified|unstated|unsure"
    r"|not sure|not certain|unclear|uncertain|no idea|no answer|no (?:data|information|info)"
    r"(?: available| given| provided| found)?"
    r"|not (?:explicitly |directly )?(?:stated|mentioned|specified|given|provided|available|found"
    r"|known|indicated|disclosed|applicable|answerable|included|listed|reported|determinable"
    r"|discussed|described|addressed|covered|in (?:the )?(?:context|text|documents?|passage))"
    r"|(?:the )?(?:requested )?(?:information|answer|data|values?|details?)(?: is| are)? (?:not|un)"
    r" ?(?:available|found|given|provided|stated|known)"
    r"|insufficient (?:information|context|data|evidence)"
    r"|not enough (?:information|context|data|evidence)|don't know|do not know|dont know|idk"
    r"|can't (?:say|tell)|cannot (?:say|tell)|impossible to (?:say|tell)|hard to say"
    r"|unbekannt|keine angaben?|nicht (?:angegeben|bekannt|erwahnt|genannt)|k\. ?a\."
    r"|inconnue?|non (?:precise|mentionne|indique|specifie|disponible|communique)e?"
    r"|desconocid[oa]|no (?:especificad|mencionad|indicad|disponibl)[oae]|no consta"
    r"|sconosciut[oa]|non (?:specificat|indicat|menzionat|not)[oa]|non disponibile"
    r"|desconhecid[oa]|nao (?:especificad|mencionad|indicad|informad)[oa]|nao consta"
    r"|onbekend|niet (?:vermeld|bekend|genoemd|gespecificeerd|beschikbaar|aangegeven)"
    r"|okand|ukendt|ukjent|tuntematon|nieznane|nie podano|neznamo|неизвестно|не указано|άγνωστο"
    r"|未知|不明|未提及|不知道|알 수 없음|غير معروف|غير مذكور)"
)
"""What says "not stated" as the whole reply, and nothing of the kind within a sentence."""
