"""How replies decline in English: patterns for one clause of lower-case text without accents.

Every gap is bounded, so that no pattern takes more than linear time.
"""

from __future__ import annotations

import re

_SHORT_GAP = r"(?:[ ,:]+(?!that\b|which\b|who\b|where\b)[^\s,;.]+){0,8}?[ ,:]+"
_DETERMINER = (
    r"(?:the|this|these|those|that|your|any|either|neither|none|no|both|all|each|my)"
    r"(?: of (?:the|these|those|your|my))?"
)
_GIVEN = (
    r"(?:provided|given|supplied|available|above|attached|retrieved|quoted|presented|accompanying"
    r"|shared|included|cited|current|reference|source|background|context|input|two|three|short)"
)
_HANDED = r"(?:provided|given|supplied|above|attached|retrieved|presented|shared)"
_TEXT = (
    r"(?:contexts?|documents?|docs?|passages?|texts?|excerpts?|extracts?|articles?|paragraphs?"
    r"|snippets?|abstracts?|sources?|materials?|papers?|reports?|study|studies|authors?"
    r"|references?)"
)
_FACTS = r"(?:information|data|contents?|details|descriptions?|sections?|pages?|facts)"
_HAND_OVER = (
    r"(?:(?:that |which )?(?:was |is |were |are |has been |have been |you(?:'ve| have)? "
    r"|i (?:was|have|have been) )?(?:provided|given|supplied|available|shared|gave|at hand|above))"
)
_DOCUMENT = (
    rf"(?:(?:(?:\A|\b{_DETERMINER} )(?:{_GIVEN} ){{0,3}}|\b(?:{_GIVEN} ){{1,3}}){_TEXT}"
    r"(?: (?:documents?|passages?|texts?|information|materials?|excerpts?|data))?"
    rf"|(?:\b{_DETERMINER} )?\b(?:{_HANDED} ){{1,3}}{_FACTS}"
    rf"|\bthe available (?:information|contents?|details)|\bthe {_FACTS} {_HAND_OVER}"
    rf"|\bin context\b)(?: \d{{1,2}})?\b(?: {_HAND_OVER}\b| here\b| itself\b| alone\b){{0,2}}"
)
_ABOUT = (
    r"(?: (?:about|on|of|for|from|regarding|describing|in)"
    r"(?: (?!that\b|which\b|who\b|does\b|do\b)[^\s,;.]+){1,8}?)?"
)
_ADVERBS = (
    r"(?: (?:explicitly|directly|clearly|specifically|actually|really|itself|also|unfortunately"
    r"|however|further|exactly|precisely|ever|even|anywhere|currently|fully|simply|publicly|yet"
    r"|seem to|appear to|necessarily|otherwise|in fact|readily)){0,3}"
)
_DOES_NOT = r"(?:(?:does|do|did|would)(?: not|n't|nt)| never)"
_SAY = (
    r"(?:mention|state|specify|say|tell|indicate|give|provide|contain|include|offer|supply|reveal"
    r"|disclose|address|discuss|cover|describe|explain|define|list|report|answer|hold|present"
    r"|detail|identify|name|quantify|elaborate|clarify|refer|touch|show|note|have|allow|permit"
    r"|let|enable|make|go into|shed|speak|talk|deal|relate|pertain|concern|suffice|comment"
    r"|confirm|support (?:an|any|this|that|it)\b)"
)
_SAYS = (
    r"(?:mentions?|states?|specif(?:y|ies)|says?|tells?(?: us| me)?|indicates?|gives?(?: us| me)?"
    r"|provides?|contains?|includes?|offers?|suppl(?:y|ies)|reveals?|discloses?|address(?:es)?"
    r"|discuss(?:es)?|covers?|describes?|explains?|lists?|reports?|answers?|holds?|presents?"
    r"|names?|makes?|has|have|shows?|refers?)"
)
_SAID = (
    r"(?:mentioned|stated|specified|given|provided|indicated|included|disclosed|reported"
    r"|described|discussed|addressed|covered|listed|contained|found|available|known|defined"
    r"|named|detailed|present|shown|noted|answered|explained|clear|supplied|quantified"
    r"|part of|in)"
)
_IS_NOT = r"(?:(?:is|are|was|were|(?<=')s)(?: not|n't|nt)|has not been|have not been|hasn't been)"
_CANNOT = r"(?:cannot|can't|can not|cant|could not|couldn't)"
_DETERMINED = (
    r"(?:determined|inferred|derived|answered|established|found|identified|read|confirmed|deduced"
    r"|stated|said|given|ascertained|concluded|known|extracted|verified|calculated|estimated"
    r"|provided|specified|computed)"
)
_DETERMINE = (
    r"(?:determine|tell|say|find|locate|confirm|identify|derive|infer|establish|verify|deduce"
    r"|know|ascertain|estimate|conclude|extract|pinpoint|work out|be sure|be certain|judge|see)"
)
_ANSWER = (
    r"(?:answer|provide|give|help|offer|respond|supply|state|specify|calculate|list|name|assist"
    r"|compute)"
)
_ASKED = r"(?:what|which|how|when|where|who|whether|why|if)"
_END = r"(?=[\s.!?,)\"']*\Z)"
_CLOSE = rf"(?:{_END}|(?= (?:here|anywhere|explicitly|directly|at all|so|and|because|since|as)\b))"
_NO_INFORMATION = (
    r"no (?:relevant |specific |such |further |explicit |direct )?(?:information|details?|mention)"
)
_FACT = (
    r"(?:information|values?|figures?|numbers?|dates?|details?|answers?|questions?|topics?"
    r"|quantity|parameters?|specifications?|specifics?)"
)
_I = r"\b(?:i|we|one)(?:'m| am| are| was)?"
_NOT_ABLE = (
    rf"(?:{_CANNOT}|(?:was )?(?:unable|not able) to|won't be able to|will not be able to"
    r"|do not think i can|don't think i can)"
)

_MISSING = (
    rf"{_DOCUMENT}{_ABOUT}{_ADVERBS} ?{_DOES_NOT}{_ADVERBS} {_SAY}\b",
    rf"\b(?:it|they|which)(?: also)? {_DOES_NOT}{_ADVERBS} (?:mention|state|specify|say|tell"
    r"|discuss|address)\b",
    rf"{_DOCUMENT}{_ABOUT}{_ADVERBS} (?:(?:fails?|failed|neglects?) to {_SAY}|lacks?|lacked|omits?"
    r"|leaves? (?:this|that|it|the question) (?:open|unanswered)"
    rf"|(?:is|are)(?: not|n't){_ADVERBS} (?:sufficient|enough|clear|relevant|related|about"
    r"|specific|helpful|detailed)"
    r"|(?:is|are) (?:completely |entirely )?(?:silent|insufficient|unclear|unrelated|irrelevant"
    r"|too (?:vague|short)))\b",
    rf"{_DOCUMENT}{_ABOUT}{_ADVERBS} {_SAYS} (?:no|nothing|neither|insufficient|too little"
    r"|not enough)\b",
    rf"{_DOCUMENT}{_ABOUT} (?:never {_SAYS}|(?:has|have) nothing to do with)\b",
    rf"{_DOCUMENT}[^;]{{1,160}} and(?: it| they)?{_ADVERBS}"
    rf" (?:{_SAYS} (?:no|nothing)|{_DOES_NOT}{_ADVERBS} {_SAY})\b",
    r"\b(?:we|i) (?:are|were|am|was) not told\b|\b(?:information|details?) (?:is|are) (?:missing"
    r"|lacking)\b",
    rf"\b(?:none of|neither|neither of|no) (?:the |these |those |your )?(?:{_GIVEN} ){{0,3}}{_TEXT}"
    rf"{_ABOUT}(?: i (?:was|have been) given)?{_ADVERBS} {_SAYS}\b",
    rf"\b(?:nothing|nowhere) (?:in|within) {_DOCUMENT}|\bnowhere {_SAID}\b",
    r"\b(?:none|neither) of (?:them|these|those) (?:mention|state|specif|say|give|provide|contain"
    r"|address|discuss|answer)",
    rf"\bneither {_DOCUMENT} nor [^;]{{1,80}}? {_SAYS}\b",
    rf"\b(?:does|do)(?: not|n't) (?:come up|appear|feature)(?:{_END}|(?:{_SHORT_GAP}|"
    rf" ){_DOCUMENT})",
    rf"\b{_IS_NOT} (?:something|a topic|what|one) (?:that )?{_DOCUMENT}",
    r"\bthere(?: is|'s) no way (?:for me )?(?:to (?:know|tell|say)|of (?:knowing|telling"
    r"|saying))\b",
    r"\bi [^;]{1,60} and (?:could not|couldn't|cannot|can't|did not|didn't|was unable to) (?:find"
    r"|see|locate)\b",
    r"\bfound nothing (?:about|on|regarding|in|there)\b",
    rf"\bnothing (?:about|on|regarding) [^;]{{1,80}}? (?:is|was) {_SAID}\b",
    r"\bnothing (?:is|was) (?:said|stated|mentioned|given)\b",
    rf"\b(?:{_IS_NOT}|not){_ADVERBS} {_SAID}\b(?:{_SHORT_GAP}| ){_DOCUMENT}",
    rf"\b{_IS_NOT}{_ADVERBS} (?:mentioned|stated|specified|disclosed){_CLOSE}",
    rf"(?<!means )(?<!means that )\b(?:the|this|that|such|any) (?:[a-z-]+ ){{0,3}}{_FACT}{_ABOUT}"
    rf" {_IS_NOT}{_ADVERBS} {_SAID}\b",
    rf"\b{_IS_NOT}{_ADVERBS} (?:given|indicated){_END}",
    rf"\b{_CANNOT} be{_ADVERBS} {_DETERMINED}(?:{_ADVERBS}{_CLOSE}|(?:{_SHORT_GAP}| ){_DOCUMENT}"
    r"|(?: [^\s,;.]+){0,3} without (?:more|further|additional))",
    rf"\b{_FACT} {_CANNOT} be{_ADVERBS} {_DETERMINED}\b",
    rf"\b(?:not possible|impossible) (?:for me )?to (?:{_DETERMINE}|answer|give|provide|state)"
    rf"(?:{_CLOSE}| {_ASKED}\b| (?:this|that|it|the question|(?:the|a) (?:[a-z]+ )?{_FACT})\b"
    rf"|(?:{_SHORT_GAP}| ){_DOCUMENT})",
    rf"\bi(?:'m| am| was)? ?{_NOT_ABLE}{_ADVERBS} (?:{_DETERMINE}|see)\b(?! that (?:the|it"
    rf"|this)\b)",
    rf"{_I} ?{_NOT_ABLE}{_ADVERBS} {_DETERMINE}(?:{_CLOSE}| {_ASKED}\b|(?:{_SHORT_GAP}|"
    rf" ){_DOCUMENT})",
    rf"{_I} ?{_NOT_ABLE}{_ADVERBS} {_ANSWER}\b[^;]{{0,160}}(?:\b(?:from|on|using|with|in|given"
    rf"|within|by|to|because|since|as) {_DOCUMENT}|\bwithout\b|\black|\b(?:missing|not enough"
    rf"|insufficient)\b|\b(?:information|knowledge) (?:i have|available)\b)",
    rf"\A(?:{_NOT_ABLE}|impossible to|not possible to) (?:{_DETERMINE}|answer)\b"
    rf"(?:{_CLOSE}|(?:{_SHORT_GAP}| ){_DOCUMENT})",
    r"\b(?:not enough|insufficient|not sufficient|no sufficient|lack of|too little)"
    r" (?:relevant |specific |contextual )?(?:information|context|detail|details|evidence)\b",
    r"\b(?:not enough|insufficient) data (?:available |provided |given )?to (?:answer|determine|say"
    r"|tell)\b",
    rf"\b{_NO_INFORMATION} (?:(?:is|was|are|were) (?:{_SAID}|made)|available|given|provided"
    rf"|found|included)\b|(?:\A|\bthere(?: is| are| was| were|\'s) ){_NO_INFORMATION}(?:{_END}"
    rf"| (?:on|about|regarding|concerning|as to|of|that|here)\b)"
    rf"|\b{_NO_INFORMATION}(?:{_SHORT_GAP}| ){_DOCUMENT}",
    r"\bthere (?:isn't|aren't|is not|are not) any (?:information|details?|mention)\b",
    rf"\bno (?:[^\s,;.]+ ){{1,4}}(?:is|are|was|were) {_SAID}(?:{_SHORT_GAP}| ){_DOCUMENT}",
    rf"\bno (?:[a-z-]+ ){{0,3}}{_FACT}(?: (?:for|of|on|about)(?: [^\s,;.]+){{1,5}}?)? (?:is|are|was"
    rf"|were) (?:given|stated|provided|mentioned|specified|available)(?:{_CLOSE}|(?:{_SHORT_GAP}|"
    rf" ){_DOCUMENT})",
    rf"\bthere (?:is|are|was|were)(?: no|n't any| not any) (?:[a-z-]+ ){{0,3}}?(?:data|values?"
    rf"|figures?|evidence|indications?|references?|hints?|answers?)(?:{_SHORT_GAP}| ){_DOCUMENT}",
    r"\bi(?:'ve| have)?(?: do not| don't| did not| didn't| currently do not| currently don't)"
    r" (?:have"
    rf"|possess)(?: [a-z-]+){{0,4}} (?:{_FACT}|context|data|knowledge|documents?)\b",
    r"\bi(?:'m| am)(?: not| un)(?: )?aware of (?:the|any|this|that|what)\b",
    r"\bi (?:have|found|find|see|could find|can find) no (?:[a-z-]+ )?(?:information|mention"
    r"|knowledge|reference)\b|\bi lack (?:the |any )?(?:[a-z-]+ )?(?:information|knowledge"
    r"|context)\b",
    r"\bi (?:do not|don't|did not|didn't|could not|couldn't) (?:see|find|locate)(?:"
    r" [^\s,;.]+){0,6}?"
    rf" (?:mention|information|reference|answer|{_DOCUMENT})",
    r"\b(?:i|we) (?:really |honestly |simply |just )?(?:do not|don't|dont) know\b(?! of\b)",
    r"\A(?:do not|don't|dont) know\b",
    r"\bi have no (?:idea|way of knowing|information)\b",
    r"\bi(?:'m| am) (?:honestly |really )?(?:not (?:entirely |quite |completely )?(?:sure|certain)"
    r"|unsure|uncertain)\b",
    r"\b(?:question|this|that|it) (?:cannot|can't|can not|could not|couldn't) be answered\b",
    r"\bquestion (?:(?:is not|isn't) answer(?:ed|able)|is (?:unanswer(?:ed|able)|out of scope))\b",
    rf"\b(?:outside|beyond|out of|not within)(?: the)? scope of {_DOCUMENT}",
    rf"\b(?:missing|absent|left out|omitted) (?:from|in) {_DOCUMENT}",
    r"\bwithout (?:more|further|additional|that|this|such|the relevant) (?:information|context"
    r"|details?|data|documents?)\b",
    rf"\b(?:unclear|not clear|not evident|not apparent|unknown|not known)(?:{_SHORT_GAP}| )"
    rf"(?:from|in|by) {_DOCUMENT}",
    rf"{_DOCUMENT}{_ABOUT} (?:only|merely|just|solely) [^;]{{1,160}}[,;(] ?(?:but |and )?not\b",
    r"\banswer(?: is| remains| would be|:):? (?:n/?a\b|unknown|not (?:stated|given|provided"
    r"|mentioned"
    r"|available|specified|known|in\b|found))",
    rf"\A(?:this |that |it )?(?:is )?not{_ADVERBS} {_SAID}{_END}",
    r"\A(?:unanswerable|no answer (?:can|could|is|was|found|available))\b",
    r"\bno (?:definite |definitive |clear )?(?:answer|conclusion) can be (?:given|drawn"
    r"|provided)\b",
)
"""What says that information is missing."""

_UNKNOWN = (
    r"\b(?:is|are|was|were|remains?)(?: [a-z]+ly)? (?:unknown|not (?:[a-z]+ly )?known(?! to\b)"
    r"|unclear|undetermined)\b",
    rf"\A(?:unclear|unknown|undetermined|not (?:[a-z]+ly )?known|uncertain|hard to say)\b(?="
    rf" {_ASKED}\b"
    rf"|[ ,]*(?:exactly|precisely)?{_END})",
    r"\b(?:nobody|no one) knows\b",
    r"\b(?:hard|difficult) to (?:say|tell)\b",
)
"""What says that something is unknown: declines as the first thing said, else it may be a"
" finding."""

_POLICY = (
    rf"\bi(?:'m| am)?(?: afraid (?:that )?i)? ?{_NOT_ABLE}{_ADVERBS} (?:{_ANSWER}|comply|do"
    rf" (?:that|this|so)"
    r"|discuss|fulfill?|continue|share|engage|process|complete|participate|support|be of help)\b"
    r"(?! but\b)",
    r"\bi (?:won't|will not|refuse|must (?:respectfully )?decline|(?:respectfully )?decline"
    r"|have to decline|am not (?:allowed|permitted|authori[sz]ed|comfortable)|prefer not"
    r"|would rather not|choose not)\b",
    r"\bi'(?:m not (?:allowed|permitted|authori[sz]ed|comfortable)|d (?:rather|prefer) not)\b",
    r"\b(?:this|that|your) (?:request|question) (?:violates|goes against|is not allowed"
    r"|is inappropriate)\b",
    rf"\A(?:{_CANNOT}|unable to|not able to) (?:help|assist|comply|answer|respond|do (?:that"
    rf"|this))\b",
    r"\Ai (?:cannot|can't)[\s.!]*\Z",
    r"\A(?:no comment|request (?:denied|refused|declined)|i decline|sorry|(?:i am|i'm) sorry"
    r"|i apologi[sz]e|my apologies)[\s.!]*\Z",
)
"""What declines without saying that information is missing."""

_ASIDES = (
    r"\A(?:(?:so|thus|therefore|hence) )?(?:you|users?|readers?|one|we)(?:'d|'ll)? (?:can|could|may"
    r"|might|should|would|will|must|need)\b(?! (?:infer|estimate|assume|deduce|conclude"
    r"|compute)\b)",
    r"\A(?:please|kindly|consult|check|refer to|see|try|contact|look (?:up|at|for)|feel free|visit"
    r"|let me know|if (?:you|more|further|additional|there)|should you|thank|thanks"
    r"|i hope|happy to|here (?:are|is) (?:some|a few|where)|to (?:find|answer|determine|get|obtain"
    r"|learn|give|be able))\b",
    r"\Ai(?:'d| would|'ll| will|'m| am)? (?:also |strongly )?(?:recommend|suggest|advise|need|be"
    r" (?:happy"
    r"|glad|able)|happy|glad|can (?:only|help|assist|answer|try|look|then|gladly)|looked|searched"
    r"|checked|apologi[sz]e|must|read through|reviewed)\b",
    r"\Ai can (?:only|help|assist|answer|try|look|then|gladly)\b",
    r"\A(?:for|in order to (?:answer|find)) (?:more|further|this|that|these|accurate|such|the exact"
    r"|precise|details|specific)\b[^;]{0,120}\b(?:see|consult|please|refer|check|look|visit|you"
    r"|recommend|would)\b",
    r"\b(?:would|will|may|might|could|should) (?:be|have to be|need to be) (?:needed|required"
    r"|necessary|found|consulted|available|helpful|looked up|checked)\b",
    r"\A(?:more|further|additional|other|another|a different|external) (?:[a-z-]+"
    r" ){0,2}(?:information"
    r"|context|details?|documents?|sources?|data) (?:is|are|would|will|may|might)\b",
    r"\b(?:is|are) (?:usually|typically|normally|often|likely|generally) (?:found|given|published"
    r"|listed|documented|available|stated) (?:in|on|by|at|from)\b",
    r"\b(?:website|handbook|user guide|documentation|data ?sheet|specifications?|manual)s?\b"
    r"[^;]{0,80}\b(?:may|might|could|should|would|will|can) (?:contain|have|list|give|help|hold"
    r"|state|be)\b",
    r"\A(?:a|an|any) (?:definitive|definite|precise|reliable|proper|full)? ?(?:answer|statement"
    r"|value) (?:requires?|would|needs?|cannot)\b",
    r"\b(?:requires?|required|needs?|needed) (?:more|further|additional|other)"
    r" (?:information|context|details|documents|sources|data)\b",
    r"\A(?:the|this|your) question (?:is|asks|concerns|refers|relates|remains|goes|seems|itself)\b",
    r"\b(?:guidelines|policy|policies|harmful|as an ai|language model|my instructions|sensitive"
    r"|i was (?:asked|told|instructed))\b",
    r"\A(?:(?:only|merely|just) |[^;]{0,160}\b(?:is|are|was|were) only )[^;]{0,200}",
    r"\b(?:is|are|was|were) (?:only |briefly |merely |just )?(?:mentioned|described|discussed"
    r"|introduced)\b",
    r"\b(?:are|is) (?:all|the only \w+) (?:that|which)? ?(?:it|the (?:context|text|passage))\b",
    r"\A(?:and |but |or )?(?:not|nor|neither|rather than|instead of|without)\b",
    r"\A(?:sorry|my apologies|apologies|i(?:'m| am) sorry|unfortunately)\b",
    rf"\A(?:based on|according to|given|from|in|after|having|with|regarding)"
    rf" [^;]{{0,80}}{_DOCUMENT}{_END}",
    r"\A(?:i|we)(?: have|'ve)? (?:base|rely|stick|keep|am limited|restrict)\b",
    r"\A(?:therefore|thus|hence|so),? (?:no|the question|i (?:leave|must|have to))\b",
)
"""What neither declines nor answers."""

_RESTATES = (
    rf"(?:{_DOCUMENT}{_ABOUT}|\A(?:it|they|these|this|which|both|the first|the second"
    r"|the other)|\A(?:and )?(?:it|they))"
    r"(?: (?:only|merely|just|mainly|mostly|primarily|rather|instead|does|do|also|solely|simply"
    r"|exclusively|briefly|seems? to|appears? to|generally)){0,3} "
)
_TOPIC = (
    r"(?:describ|mention|discuss|focus|deal|concern|talk|explain|refer|outline|introduc|is about"
    r"|are about|is on\b|speak|relate|touch|summari|present|compare|cit(?:e|es)\b|is limited"
    r"|are limited|is an? (?:general|overview|description|summary)"
    r"|address|turn)"
)
_CONTENT = r"(?:cover|contain|provid|list|includ|detail|give (?:information|details)|offer|has\b)"
_STATED = (
    r"(?:state|stating|say|give|put|specif|report|indicat|note|tell|show|name|quote|hold|provid"
    r"|list|contain|includ|mention that|mentions that)"
)


_ESTIMATES = (
    r"\b(?:in general|generally|typically|usually|probably|likely|presumably|perhaps|approximately"
    r"|roughly|estimate|i (?:would |'d )?(?:think|believe|guess|assume|suspect)|from memory"
    r"|general knowledge|im allgemeinen|typischerweise|normalerweise|vermutlich|wahrscheinlich"
    r"|ublicherweise|meines wissens|en general|generalement|probablement|habituellement"
    r"|normalmente|probablemente|por lo general|generalmente|probabilmente|di solito|in genere"
    r"|geralmente|provavelmente|em geral|meestal|waarschijnlijk|in het algemeen|doorgaans)\b"
    r"|通常|一般|おそらく|아마|일반적으로"
)


def any_of(*patterns: str) -> re.Pattern[str]:
    """Compile a pattern for any of some patterns."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


MISSING = any_of(*_MISSING)
UNKNOWN = any_of(*_UNKNOWN)
POLICY = any_of(*_POLICY)
ASIDE = any_of(*_ASIDES)
ESTIMATE = re.compile(_ESTIMATES)
"""What marks a statement as made from memory or by estimate."""

RESTATES_TOPIC = re.compile(
    rf"{_RESTATES}{_TOPIC}|{_DOCUMENT}{_ABOUT}(?: (?:only|does|do|also)){{0,2}} {_CONTENT}"
    rf"|\A(?:it|they)'(?:s|re) (?:about|on|only|just|all about)\b|{_RESTATES}(?<=only |just"
    rf" ){_CONTENT}|{_RESTATES}(?!has)[a-z]{{0,4}}{_CONTENT}\w* (?:only|just)\b"
)
"""What tells what the document is about."""
RESTATES_VALUE = re.compile(rf"{_RESTATES}{_STATED}")
"""What tells what the document states: an answer if it gives a value."""
ONLY = re.compile(r"\b(?:only|merely|just|solely)\b")
DENIES_CLAIM = re.compile(r"\b(?:say|state|mention|claim|indicate)s? that\b")
LIMITS = re.compile(
    r"\b(?:exact(?:ly)?|precise(?:ly)?|explicit(?:ly)?|direct(?:ly)?|other|others|further|more"
    r"|additional|details?|otherwise|else|genau\w*|exacte?s?|exacta|esatt[oa])\b"
)
"""What makes a decline hold for a part only."""
PARTLY = re.compile(r"\b(?:exact(?:ly)?|precise(?:ly)?|explicit(?:ly)?|direct(?:ly)?)\b")
POINTS_BACK = re.compile(
    r"\b(?:this|that|it|these|so|them|th(?:is|at) (?:date|value|figure|number|fact"
    r"|year))[\s.!?)]*\Z|\A(?:is )?not [a-z]"
    r"|\Aan? [a-z]+ (?:that |which )?(?:the|this)\b"
    r"|\A(?:and )?(?:this|that|it|which|these)(?: [a-z]+)? (?:is|was|are|were|isn't|cannot|can't)\b"
)
"""A decline that speaks of what was said before."""

DOCUMENT = re.compile(_DOCUMENT)
CARRIED = re.compile(
    rf"\A(?:(?:it|they)(?: also)? )?(?:{_DOES_NOT}{_ADVERBS} {_SAY}\b|{_SAYS} (?:no|nothing)\b)"
    rf"|\bno (?:[^\s,;.]+ ){{1,5}}(?:is|are|was|were) {_SAID}(?:{_END}| (?:for|on|of|about)\b)"
    r"|\Anot (?:the|its|their|how|what|which|when|where|who|whether|any|about|on)\b"
)
"""What says that information is missing in a clause whose subject is the document before it."""
