# ruff: noqa: RUF001 - characters of other scripts are matched on purpose
"""Taking decoration off a reply: markdown, LaTeX, HTML and tags become plain lines of text.

What declares an answer by its form is kept as a mark of one character: `BOX` before the content of
a box, `TAG` before that of an answer tag or of double brackets, `END` after either. `normalise`
drops private-use characters, so no reply can hold these marks itself.
"""

from __future__ import annotations

import re

BOX = "\ue000"
TAG = "\ue001"
END = "\ue002"
YES = "✓"
NO = "✗"

_ANSWER_TAG = (
    "(?:final[_ -]?)?(?:answers?|final|choices?|letters?|solution|verdict|antwort|reponse)"
)

_LATEX = re.compile(
    r"\\?(?:(?<![a-zA-Z])(?P<box>boxed|fbox|framebox))\s?\{|\\(?P<name>[a-zA-Z]+)\s?\{|[{}]"
)
_BARE_BOX = re.compile(r"\\(?:boxed|fbox)\s?([A-Za-z])(?![A-Za-z])")
_LATEX_SIGNS = re.compile(
    r"\\[()\[\]{}]|\\[ ,;:!>]|\\(?:left|right|displaystyle|large|Large|bf)(?![a-zA-Z])"
)
_DEGREE = re.compile(r"\^?\s?\{?\\(?:circ|degree)s?\}?")
_ESCAPED_NEWLINE = re.compile(r"\\n(?![a-z])")
_DISCARDED_ARGUMENTS = frozenset(
    {"textcolor", "color", "begin", "end", "hspace", "vspace", "label"}
)

_DOUBLE_BRACKETS = re.compile(
    r"(?:\[\[|<<)\s?([A-Za-z](?:[\s,;/&+]{1,3}[A-Za-z]){0,25})\s?(?:\]\]|>>)"
)
_TAG_WITH_VALUE = re.compile(
    rf"<\s?{_ANSWER_TAG}\s[^<>=]{{0,60}}=\s?[\"']?([^\"'<>]{{1,80}})[\"']?\s?/?>", re.IGNORECASE
)
_OPEN_TAG = re.compile(rf"<\s?{_ANSWER_TAG}\s?>", re.IGNORECASE)
_CLOSE_TAG = re.compile(rf"<\s?/\s?{_ANSWER_TAG}\s?>", re.IGNORECASE)
_LINE_TAG = re.compile(
    r"</?(?:br|p|div|li|ul|ol|tr|h[1-6])(?:\s[^<>]{0,100})?\s?/?>", re.IGNORECASE
)
_INLINE_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|mark|span|code|pre|td|th|table|tbody|thead|html|body|font|center|sup|sub"
    r"|option|response|output|result|explanation|text|label|value)"
    r"(?:\s[^<>=]{0,40}=[^<>]{0,100})?\s?/?>",
    re.IGNORECASE,
)

_BRACKET_TAG = re.compile(r"\[\s?(/?)\s?(?:final[_ ]?)?answer\s?\]", re.IGNORECASE)
_LETTER_IN_ANGLES = re.compile(r"<([A-Za-z])>")

_STRUCK_TAG = re.compile(r"<(del|strike)>[^<>\n]{0,200}</\1>", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_EMPHASIS = re.compile(r"\*+")
_UNDERLINE = re.compile(r"(?<![0-9A-Za-zÀ-ԯ])_+|_+(?![0-9A-Za-zÀ-ԯ])")
_CODE_FENCE = re.compile(r"(?m)^[ \t]*(?:```+|~~~+)[ \t]*[A-Za-z]*[ \t]*$")
_LINE_SIGN = re.compile(r"(?m)^[ \t]*[#>](?:[ \t]?[#>])*[ \t]*")
_UNTICKED = re.compile(r"(?m)^([ \t]*[-*+•]?[ \t]*)\[ ?\](?=[ \t])")
_TICKED = re.compile(r"(?m)^([ \t]*[-*+•]?[ \t]*)\[[xX✓]\](?=[ \t])")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("✅✔☑🗹", YES),
        **dict.fromkeys("❌✘✖☒🚫⛔☐", NO),
        **dict.fromkeys("•·●▪◦‣▶►", "-"),
        **dict.fromkeys("【「『〔《〈", "["),
        **dict.fromkeys("】」』〕》〉", "]"),
        "⟨": "<",
        "⟩": ">",
    }
)
_ORNAMENT = re.compile(
    "[\u2300-\u23ff\u2500-\u26ff\u2701-\u2712\u2715\u2719-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
)


def plain(text: str) -> str:
    """Take decoration off normalised text.

    Args:
        text: Text that went through `normalise`.

    Returns:
        Plain text, with `BOX`, `TAG` and `END` marks where the form declares something.
    """
    if "\\" in text or "boxed{" in text or "fbox{" in text:
        text = _without_latex(text)
    if "<" in text or "[" in text:
        text = _without_tags(text)
    return _without_markdown(text)


def _without_latex(text: str) -> str:
    text = _LATEX_SIGNS.sub(" ", _DEGREE.sub("°", _ESCAPED_NEWLINE.sub("\n", text)))
    text = _BARE_BOX.sub(rf"{BOX}\1{END}", text)
    kept: list[str] = []
    closers: list[str | int] = []
    position = 0
    for brace in _LATEX.finditer(text):
        kept.append(text[position : brace.start()])
        position = brace.end()
        if brace["box"]:
            kept.append(BOX)
            closers.append(END)
        elif brace["name"]:
            closers.append(len(kept) if brace["name"] in _DISCARDED_ARGUMENTS else "")
        elif brace.group() == "{":
            kept.append("{")
            closers.append("}")
        else:
            closer = closers.pop() if closers else "}"
            if isinstance(closer, int):
                del kept[closer:]
            else:
                kept.append(closer)
    return "".join(kept) + text[position:]


def _without_tags(text: str) -> str:
    text = _DOUBLE_BRACKETS.sub(rf"{TAG}\1{END}", text)
    text = _BRACKET_TAG.sub(lambda tag: END if tag[1] else TAG, text)
    if "<" not in text or ">" not in text:
        return text
    text = _TAG_WITH_VALUE.sub(rf"{TAG}\1{END}", text)
    if "</" not in text:
        text = _LETTER_IN_ANGLES.sub(r"(\1)", text)
    text = _STRUCK_TAG.sub("", text)
    text = _CLOSE_TAG.sub(END, _OPEN_TAG.sub(TAG, text))
    return _INLINE_TAG.sub("", _LINE_TAG.sub("\n", text))


def _without_markdown(text: str) -> str:
    if "~~" in text:
        text = _STRUCK.sub("", text)
    if "[" in text:
        text = _TICKED.sub(rf"\1{YES} ", _UNTICKED.sub(rf"\1{NO} ", text))
    if "`" in text or "~~~" in text:
        text = _CODE_FENCE.sub("", text).replace("`", "")
    if "*" in text:
        text = _EMPHASIS.sub("", text)
    if "_" in text:
        text = _UNDERLINE.sub("", text)
    text = text.replace("$", "")
    if "#" in text or ">" in text:
        text = _LINE_SIGN.sub("", text)
    if not text.isascii():
        text = _ORNAMENT.sub(" ", text.translate(_SIGNS))
    return text
