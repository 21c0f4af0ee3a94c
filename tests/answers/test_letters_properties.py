"""What holds of every reply: decoration changes nothing, and prose declares nothing."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from eve_inspect.answers import STATUSES, Reply, read_letter, read_letters

SENSORS = (
    "Multispectral imager",
    "Synthetic aperture radar",
    "Thermal radiometer",
    "Hyperspectral imager",
)
GASES = (
    "Aerosol", "Ozone", "Methane", "Water vapour", "Nitrogen dioxide", "Carbon monoxide",
    "Sulphur dioxide", "Formaldehyde", "Carbon dioxide", "Ammonia",
)  # fmt: skip

INLINE = (
    "**{}**", "*{}*", "__{}__", "_{}_", "***{}***", "`{}`", "${}$", "$${}$$", "\\({}\\)",
    "\\[{}\\]", "\\text{{{}}}", "\\mathbf{{{}}}", "\\boxed{{{}}}", "\\boxed{{\\text{{{}}}}}",
    "<b>{}</b>", "<strong>{}</strong>", "<answer>{}</answer>", "<final>{}</final>", "({})", "[{}]",
    "[[{}]]", "<<{}>>", "{{{}}}", "（{}）", "【{}】", "「{}」", "『{}』", '"{}"',
    "'{}'", "“{}”", "«{}»",
    "👉 {}", "✅ {}", "{}.", "{}!", "{}\u200b", "\ufeff{}", "\u00a0{}", "\n\n{}\n\n",
)  # fmt: skip
BLOCK = (
    "```\n{}\n```", "```text\n{}\n```", "# {}", "### {}", "> {}", "- {}", "* {}", "• {}", "{} ✓",
    "<p>{}</p>", "{}<|im_end|>", "{}</s>", "{}<|eot_id|>", "{}<end_of_turn>",
    "<|im_start|>assistant\n{}",
)  # fmt: skip
CUES = (
    "{}", "Answer: {}", "ANSWER: {}", "The answer is {}", "The correct answer is {}",
    "Final answer: {}", "So the answer is {}", "I choose {}", "My answer: {}",
    "Antwort: {}", "Réponse : {}", "La respuesta correcta es {}", "Risposta: {}", "Resposta: {}",
    "Odpowiedź: {}", "Svar: {}", "Vastaus: {}", "答案：{}", "正解は{}", "정답: {}", "Ответ: {}",
    "The radar sends pulses.\n\nAnswer: {}", "Answer:\n\n{}", '{{"answer": "{}"}}',
)  # fmt: skip
REASONING = (
    "<think>{}</think>", "<thinking>{}</thinking>", "<reasoning>{}</reasoning>",
    "<thought>{}</thought>", "[THINK]{}[/THINK]", "◁think▷{}◁/think▷", "{}</think>",
    "<seed:think>{}</seed:think>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
)  # fmt: skip
PROSE = (
    "a A I i e E o O y Y u à é è the The satellite radar orbit cloud of in at and or with C-band "
    "X-band L-band B8 B8A B11 Sentinel-1 Sentinel-2A Landsat °C 25 10 m km W/m² CO2 NO2 II III IV "
    "VI e.g. i.e. U.S. SAR vitamin-C class-A der die das und ein le la les un est et el una y "
    "il di con o do da um de het een en og er på som och är ett ja ei w z jest na v se je az egy "
    "es ir un на в с и к это 波段 衛星 雷达 レーダー 위성 cannot sees through measures passes daily"
)
WORDS = tuple(PROSE.split(" "))

letters = st.sampled_from("ABCD")
inline = st.sampled_from(INLINE)
decorations = st.sampled_from(INLINE + BLOCK)
words = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
prose = st.tuples(words, st.just("satellite"), words, st.just("passes"), words).map(" ".join)
fragments = st.sampled_from(
    [
        *WORDS,
        *CUES,
        *INLINE,
        *BLOCK,
        *REASONING,
        *SENSORS,
        "\n",
        " ",
        ":",
        "B",
        "not",
        "{",
        "}",
        "\\",
    ]
)
soup = st.lists(fragments, max_size=25).map("".join)


@given(letters, inline, decorations)
def test_decoration_around_the_letter_keeps_it(letter: str, inner: str, outer: str) -> None:
    text = outer.format(inner.format(letter))
    assert read_letter(Reply(text), SENSORS).answer == letter


@given(letters, inline, st.sampled_from(CUES))
def test_decoration_inside_a_declaration_keeps_the_letter(
    letter: str, decoration: str, cue: str
) -> None:
    decorated = cue.format(decoration.format(letter))
    reading = read_letter(Reply(decorated), SENSORS)
    assert (reading.answer, reading.status) == (letter, "answered")


@given(letters, st.sampled_from(CUES), decorations)
def test_decoration_around_a_declaration_keeps_the_letter(
    letter: str, cue: str, decoration: str
) -> None:
    assert read_letter(Reply(decoration.format(cue.format(letter))), SENSORS).answer == letter


@given(st.sets(letters, min_size=1), st.sampled_from([", ", " and ", "; ", " & ", "/", " ", "、"]))
def test_a_list_of_letters_is_read_whatever_joins_it(chosen: set[str], joint: str) -> None:
    text = f"Answer: {joint.join(sorted(chosen))}"
    assert read_letters(Reply(text), SENSORS).answer == tuple(sorted(chosen))


@given(prose)
def test_prose_without_a_declaration_gives_no_letter(text: str) -> None:
    for options in (SENSORS, GASES):
        assert read_letter(Reply(text), options).answer is None
        assert not read_letters(Reply(text), options).answer


@given(soup, st.sampled_from(["", " ", "\n", "\t\n  ", "\u00a0"]))
def test_spaces_around_a_reply_change_nothing(text: str, spaces: str) -> None:
    bare = read_letter(Reply(text), SENSORS)
    assert read_letter(Reply(spaces + text + spaces), SENSORS) == bare


@given(soup)
def test_an_answer_is_always_an_offered_label(text: str) -> None:
    one = read_letter(Reply(text), SENSORS)
    assert (one.status == "answered") == (one.answer is not None)
    assert one.answer is None or one.answer in "ABCD"
    several = read_letters(Reply(text), SENSORS)
    if several.status == "answered":
        assert several.answer is not None
        assert set(several.answer) <= set("ABCD")
        assert several.answer == tuple(sorted(set(several.answer)))


@given(st.text(), st.sampled_from([None, "stop", "max_tokens", "content_filter"]))
def test_any_text_is_read_without_an_error(text: str, stop: str | None) -> None:
    assert read_letter(Reply(text, stop), SENSORS).status in STATUSES
    assert read_letters(Reply(text, stop), SENSORS).status in STATUSES


@given(soup, st.sampled_from(["<think>", "<reasoning>", "[THINK]", "◁think▷"]))
def test_unclosed_reasoning_never_answers(text: str, opening: str) -> None:
    inside = re.sub(r"[<>\[\]◁▷|]|assistantfinal", " ", text)
    reading = read_letter(Reply(opening + inside, "max_tokens"), SENSORS)
    assert (reading.answer, reading.status) == (None, "truncated")


@given(prose, letters, st.sampled_from(REASONING), st.sampled_from(CUES))
def test_reasoning_in_front_changes_nothing(
    thought: str, letter: str, reasoning: str, cue: str
) -> None:
    reply = cue.format(letter)
    bare = read_letter(Reply(reply), SENSORS)
    told = read_letter(Reply(reasoning.format(f"{thought}. Answer: A?") + reply), SENSORS)
    assert told == bare
