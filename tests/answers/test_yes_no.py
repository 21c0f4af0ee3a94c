"""Reading a yes or no."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eve_inspect.answers import STATUSES, Reading, Reply, read_yes_no

_CASES = [
    case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases" / "halluc_binary.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if "model_output" in case["input"]
]

YES = (
    "There is a false claim: the launch year.",
    "I see errors.",
    "The text has errors in the year.",
    "A: The answer contains false information.",
    "Answer: A (Yes, hallucinated)",
    "**A**: Yes",
    "Yes, it's hallucinated",
    "Hallucination: yes",
    "The answer is false information.",
    "This answer includes information that is not supported by any source.",
    "Some claims are unsupported.",
    "One claim is unsupported.",
    "Not everything is supported.",
    "The answer does contain false information.",
    "The provided answer contains a hallucination.",
    "(A)",
    "a",
    "`A`",
    "$A$",
    "A.",
    "A) Yes",
    "Option (A)",
    "A - Yes",
    "A Yes",
    "A. Yes (hallucinated)",
    "Yes (hallucinated)",
    "Yes.",
    "_Yes_",
    "YES",
    '"Yes"',
    "Yes!",
    "✅ Yes",
    "# Yes",
    "Answer: A",
    "**Answer:** A",
    "The correct answer is **A**.",
    "The answer is yes.",
    "Verdict: Yes",
    "Conclusion: A",
    "Therefore, the answer is A.",
    "I would say yes.",
    "\\boxed{A}",
    "The year is off. $\\boxed{\\text{Yes}}$",
    "<verdict>Yes</verdict>",
    '{"answer": "Yes"}',
    '{"contains_false_information": true, "reason": "no source says so"}',
    '```json\n{"verdict": "A"}\n```',
    '{"label": 1}',
    '{"is_accurate": false}',
    '{"supported": "no"}',
    '{"unsupported": true}',
    '{"result": {"answer": "A"}}',
    '{"answer": "Yes", "explanation": "No source gives 290 km',
    "The answer contains false information.",
    "The answer is not entirely accurate.",
    "The answer isn't accurate.",
    "Not accurate.",
    "Hallucinated.",
    "Unsupported",
    "A",
    "A. No",
    "Yes. The swath is 290 km and not 250 km.",
    "Yes, because the year is wrong.",
    "Yes\n\nThe answer gives 2014, no source says so.",
    "A\nThe answer states 15 bands.",
    "A. The answer states 15 bands, which is wrong.",
    "Does the answer contain false information? Yes.",
    "Hallucinated: Yes",
    "A\n\nQuestion: Which band?\nAnswer: B",
    "<think>It is wrong</think>\n\nYes",
    "A<|im_end|>",
    "Oui",
    "Sí",
    "Sì.",
    "Kyllä",
    "Tak.",
    "Ano",
    "Igen",
    "Da",
    "Ναι.",
    "Да",
    "是",
    "はい",
    "예",
    "Réponse : Oui",
    "答案：A",
    "Jah",
    "Jā",
    "Taip",
    "是的，答案包含错误信息。",
    "１",
    "Ａ",
    "- [x] A. Yes\n- [ ] B. No",
    "A: Yes\nExplanation: the year",
    "Yes — the year is wrong.",
    "Yes; wrong year.",
    "The answer states 2014, which is incorrect; the handbook gives 2015. Thus: A",
    "So the answer is: Yes",
    "In conclusion, the answer contains unsupported claims.",
    "It contains several unsupported claims.",
    (
        "Looking at the answer: the repeat cycle is 12 days per satellite. The answer "
        "says 6 days, which is the constellation. So the answer contains unsupported "
        "information.\n\n**Answer: A. Yes**"
    ),
    "My answer: A.",
    "Selected option: A",
    "Option A is correct.",
    "A is the right choice.",
    "It's A.",
    "I believe the answer is A",
    "Response: Yes",
    "Label: A",
    "### Verdict\nYes",
    "Yes, the answer contains false information: the swath is 290 km.",
    "Yes, there is an error in the launch year.",
    "Yes, it is hallucinated.",
    "Yes it does.",
    "Yes, partially.",
    "The answer is wrong.",
    "The answer is not correct.",
    "The answer is unsupported.",
    "The response includes inaccurate claims.",
    "I found several inaccuracies.",
    "The answer has false information about the swath.",
    "This statement is false.",
    "That is false.",
    "This answer contains one error.",
    "The answer seems inaccurate.",
    "Hallucination detected",
    "contains hallucination",
    "The short answer is yes.",
    "So, yes.",
    "Certainly. A",
    "Answer: Yes. The answer is hallucinated.",
    "Answer: hallucinated",
    "Verdict: not accurate",
    "Result: contains false information",
    "Yes!!! 🎉",
    "YES.",
    "yes\nyes\nyes",
    "A, A, A",
    'Draft: {"answer": "A"}.\nThe answer says 290 km.',
    '[{"answer": "A"}]',
    '{"hallucination_detected": "Yes"}',
    "{answer: A}",
    '{"final_verdict": "YES"}',
    '{"verdict": "hallucinated"}',
    "<answer>\nA\n</answer>",
    "<label>Yes</label>",
    "$$\\boxed{A}$$",
    "Antwort: A",
    "Ja, die Antwort enthält falsche Informationen.",
    "Odpowiedź: Tak",
    "Válasz: Igen",
    "Ответ: Да",
    "답: 예",
    "答案：是",
    "Răspuns: Da",
    "Antwoord: Ja",
    "Oui, l'année est fausse.",
    "是，年份不对。",
    "네",
)
NO = (
    "No, the statement about the swath is false.",
    "There is no evidence that the answer is false.",
    "The answer is neither false nor unsupported.",
    "I can't find anything false in the answer.",
    "B: The answer contains false information.",
    "(B) The answer is fully supported",
    "Answer: B (No)",
    "No hallucinations.",
    "No hallucination",
    "Hallucination: No",
    "All of the information is accurate.",
    "Every claim in the answer is supported.",
    "The answer doesn't contain hallucinations.",
    "The answer doesn’t contain hallucinations.",
    "Correct answer: B",
    "The given answer is correct.",
    "No false information, yes.",
    "b)",
    "[B]",
    "**B**",
    "B: No",
    "Option B",
    "B No",
    "**No**",
    "no",
    "❌ No",
    "- No",
    "Answer: B. No",
    "**Answer: B**",
    "Final answer: (B)",
    "The answer is B.",
    "The answer is no, since all facts hold.",
    "My verdict: no.",
    "Therefore, no.",
    "I choose B.",
    "I'd say no.",
    "\\boxed{\\text{No}}",
    "<answer>B</answer>",
    '{"answer": "B"}',
    '{"contains_false_information": "no"}',
    "{'hallucinated': False}",
    '{"is_hallucinated": "false"}',
    '{"accurate": true}',
    '{"no_hallucination": true}',
    '{"incorrect": false}',
    "The answer does not contain any false or unsupported information.",
    "No, the answer is not hallucinated.",
    "No errors found.",
    "There are no factual errors in this response.",
    "The response is free of errors.",
    "The statement is accurate.",
    "Nothing unsupported.",
    "Nothing in the answer is false.",
    "not false",
    "Not hallucinated",
    "B. Yes",
    "B. Yes, it contains false information",
    "No. The swath, the orbit and the year are right.",
    "No - all facts hold.",
    "No, but the wording is poor.",
    "B\n\nNo false information.",
    "B, because the facts hold.",
    "Let me check.\nSwath: 290 km is right.\nLaunch: 2015 is right.\n\nNo",
    "Let me check. All hold. Final answer: B",
    "Does the answer contain false or unsupported information? No",
    "Contains false information: No",
    "Yes at first sight... On reflection, the figures hold.\nFinal answer: No",
    "Answer: Yes\nWait, the handbook says 290 km.\nAnswer: No",
    "A. Yes\nB. No\nAnswer: B",
    "Question: q\nAnswer: Sentinel-2 has 13 bands.\nA. Yes\nB. No\n\nB",
    "<think>Answer: A</think>B",
    "reasoning ... </think> No",
    "No</s>",
    "Nein",
    "Nein, alle Angaben stimmen.",
    "Non, tout est exact.",
    "Não",
    "Nee",
    "Nej",
    "Ei",
    "Nie",
    "Ne",
    "Nem.",
    "Nu",
    "Όχι",
    "Нет.",
    "否",
    "いいえ。",
    "아니요",
    "Antwort: Nein",
    "Respuesta: B",
    "答案是B。",
    "Risposta: No",
    "Nē",
    "Não, a resposta está correta.",
    "2",
    "Ｂ．Ｎｏ",
    "After review, my answer is no.",
    "The answer appears to be accurate.",
    "This response contains no hallucinations.",
    (
        "Let's verify:\n1. Landsat 9 launched in 2021 - correct.\n2. OLI-2 has 9 bands - "
        "correct.\n\nAll statements are correct, so the answer is **B. No**."
    ),
    (
        "Let's verify:\n1. Launch 2021 - correct.\n2. 9 bands - correct.\n\nTherefore "
        "the answer does not contain false or unsupported information."
    ),
    "The answer is B because all claims hold.",
    "Choice: B",
    "I'd go with B.",
    "Going with B",
    "The correct option is (B) No.",
    "Output: no",
    "### Answer\n\nB. No\n\n### Explanation\nThe swath is right.",
    "**Verdict:** No\n\n**Reason:** nothing false.",
    "No, the answer does not contain false information.",
    "No, it is accurate.",
    "No it does not.",
    "No, there isn't any false information.",
    "The answer is correct.",
    "The answer is true.",
    "The answer is right.",
    "The answer is supported.",
    "The answer is fully supported by the source.",
    "I detect no hallucination in this answer.",
    "There is no unsupported claim in the answer.",
    "It is not false.",
    "The text does not contain errors.",
    "No unsupported claims.",
    "Zero errors.",
    "error-free",
    "Contains no false information.",
    "The answer to your question is no.",
    "Sure! Answer: B",
    "Sure, the answer is: No.",
    "Okay.\nB",
    "Answer: Not hallucinated",
    "Answer: the response is accurate",
    "b",
    "No\nNo",
    "Yes\nNo",
    '{"answer": "A"} {"answer": "B"}',
    '{"answer": "A"}\n\nFinal answer: B',
    '["B"]',
    '{"contains_false_or_unsupported_information": false}',
    '{"Answer": "B. No"}',
    '{"answer": "No hallucination"}',
    '{"choice": "b"}',
    '{"has_errors": 0}',
    '{"is_factual": true}',
    '{"verdict": "supported"}',
    "<final_answer>No</final_answer>",
    "\\boxed{B. No}",
    "The final answer is $\\boxed{B}$.",
    "<|channel|>analysis<|message|>It is A<|end|><|start|>assistant<|channel|>final<|message|>B",
    "Die Antwort ist: Nein",
    "Svar: Nej",
    "Odpověď: Ne",
    "Απάντηση: Όχι",
    "答え: いいえ",
    "回答：否",
    "Vastaus: Ei",
    "Resposta: Não",
    "不是",
    "没有",
    "아니오.",
)
NO_ANSWER = (
    "(2) of the bands is blue.",
    "The data contains errors.",
    '"Yes" because it said so',
    "2, 3 and 5 m are the widths.",
    "Are there errors in the answer?",
    (
        "The answer says that the swath is 290 km. The swath of Sentinel-2 is 290 km. "
        "The revisit is 5 days."
    ),
    "The answer gives the swath. It is correct that the swath is 290 km.",
    "The statement about the swath is false.",
    "The model output has no information on errors.",
    "The error budget of the altimeter includes errors of 3 cm.",
    "Instrument errors are found in the data.",
    "The product contains no false alarms.",
    "I would rate this as accurate.",
    "The answer is not only accurate but complete.",
    "The answer could be accurate.",
    "Had the answer been B, it would say 290 km.",
    "Option A would be right if the year were wrong.",
    "The answer has not been verified.",
    "The answer is good.",
    "Looks good to me.",
    "The answer checks out.",
    "Hallucinated: true",
    "False. The swath is 290 km.",
    "True. The swath is 290 km.",
    "The answer cannot be called false.",
    "The answer is A satellite.",
    "Answer A satellite",
    "<answer>The launch is wrong: A</answer>",
    '{"answer": true}',
    '{"explanation": "The answer is hallucinated."}',
    "No cloud was seen over the site.",
    "No other satellite has this band.",
    "Sentinel-2 carries MSI.",
    "The swath is wrong.",
    "A satellite in orbit passes daily.",
    'The user said "Yes" to the plan.',
    '"Yes" is what the operator answered.',
    "No. 3 of the bands is blue.",
    "C-band radar penetrates cloud.",
    "B8 is near infrared.",
    "Si, InGaAs and HgCdTe detectors are used.",
    "Non-linear response is corrected.",
    "If the answer is false then choose A.",
    "We must check whether the answer contains false information.",
    "Maybe",
    "Partially",
    "The answer is partially correct.",
    "False",
    "True.",
    "Correct",
    "Probably.",
    "It depends.",
    "Is the swath right? Yes. Is the orbit right? No.",
    "Is the swath right?\nNo",
    "Hallucination: none",
    "0",
    "The answer is accurate, but the year is wrong.",
    "The answer contains no mistakes, however the year is wrong.",
    "The answer might be inaccurate.",
    "Hmm, no.",
    "Answer: the swath is 290 km.",
    "Answer: a satellite",
    "Answer: No cloud was seen.",
    "Answer: none",
    "Answer:",
    "Answer: True",
    "Not B",
    "The answer is not A.",
    "The answer is not B",
    "If the answer is B then fine.",
    "A lot of figures here need a check.",
    "B is for blue.",
    "a satellite",
    "AA",
    "The band is B.",
    "Band A",
    '{"hallucinated": null}',
    '{"hallucinated": "maybe"}',
    '{"hallucination_score": 0.9}',
)
AMBIGUOUS = (
    "Yes, and no: it varies.",
    "Yes, no false information.",
    '{"answer": "A", "hallucinated": false}',
    "Yes/No",
    "A or B",
    "A/B",
    "Both A and B",
    "Yes and no.",
    "AB",
    "A B A B A B",
    "Yes or no",
    "Yes, the answer is accurate.",
    "No, the answer contains false information.",
    "A. Yes\nB. No",
    "No, it isn't accurate.",
    "Answer: A or B",
    "Answer: Yes/No",
    "A\nB",
)
OUT_OF_RANGE = (
    '{"answer": "C"}',
    "C",
    "Answer: D",
    "E.",
    "I",
    "y",
    "n",
    "Y",
)
REFUSAL = (
    "The swath and the orbit are given. " * 8 + "I cannot verify the year.",
    '{"answer": "unsure"}',
    "I don't know.",
    "I cannot verify this.",
    "I'm sorry, but I can't help with that.",
    "Cannot determine",
    "Not sure.",
    "Answer: I do not know",
    "Unable to determine from the given text.",
    "Ich weiß es nicht.",
    "Je ne sais pas.",
    "No lo sé.",
    "Unknown",
    "I'm sorry, but I can't determine that.",
)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    given_ = case["input"]

    reading = read_yes_no(Reply(given_["model_output"], given_.get("stop_reason")))

    assert (reading.answer, reading.status) == (
        case["expected"]["label"],
        case["expected"]["status"],
    )


@pytest.mark.parametrize("text", YES)
def test_yes(text: str) -> None:
    reading = read_yes_no(Reply(text))

    assert (reading.answer, reading.status) == ("yes", "answered")
    assert reading.method


@pytest.mark.parametrize("text", NO)
def test_no(text: str) -> None:
    reading = read_yes_no(Reply(text))

    assert (reading.answer, reading.status) == ("no", "answered")
    assert reading.method


@pytest.mark.parametrize("text", NO_ANSWER)
def test_no_answer(text: str) -> None:
    assert read_yes_no(Reply(text)) == Reading(None, "no_answer")


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_ambiguous(text: str) -> None:
    reading = read_yes_no(Reply(text))

    assert (reading.answer, reading.status) == (None, "ambiguous")


@pytest.mark.parametrize("text", OUT_OF_RANGE)
def test_out_of_range(text: str) -> None:
    assert read_yes_no(Reply(text)) == Reading(None, "out_of_range")


@pytest.mark.parametrize("text", REFUSAL)
def test_refusal(text: str) -> None:
    assert read_yes_no(Reply(text)) == Reading(None, "refusal")


@pytest.mark.parametrize(
    ("text", "answer", "status"),
    [
        ("Let me check.\nA", None, "truncated"),
        ("The answer is", None, "truncated"),
        ("Long text about the swath", None, "truncated"),
        ('{"reason": "The answer is B', None, "truncated"),
        ("<think>So B", None, "truncated"),
        (None, None, "truncated"),
        ("Yes, because the launch", "yes", "answered"),
        ("Answer: A", "yes", "answered"),
        ('{"answer": "B", "reason": "all figures', "no", "answered"),
    ],
)
def test_reply_that_hit_the_limit(text: str | None, answer: str | None, status: str) -> None:
    reading = read_yes_no(Reply(text, "max_tokens"))

    assert (reading.answer, reading.status) == (answer, status)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply("Error: too many requests", error="429"), "error"),
        (Reply("A", "content_filter"), "refusal"),
        (Reply(None), "empty"),
        (Reply(" \n"), "empty"),
        (Reply("<think>A</think>"), "empty"),
        (Reply("<think>A"), "truncated"),
    ],
)
def test_reply_settled_before_reading(reply: Reply, status: str) -> None:
    reading = read_yes_no(reply)

    assert (reading.answer, reading.status) == (None, status)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("A. No", ("letter_text_conflict",)),
        ("A. The answer is accurate.", ("letter_text_conflict",)),
        ("A. Yes", ()),
        ("Yes, the answer is accurate.", ("verdict_text_conflict",)),
        ('{"answer": "A", "reason": "the', ("unclosed_json",)),
    ],
)
def test_flags(text: str, flags: tuple[str, ...]) -> None:
    assert read_yes_no(Reply(text)).flags == flags


def test_a_very_long_reply_is_read_at_its_ends() -> None:
    filler = "The radiometer has two views. " * 2000

    assert read_yes_no(Reply(f"Yes. {filler}")).answer == "yes"
    assert read_yes_no(Reply(f"{filler}\nFinal answer: B")).answer == "no"
    assert read_yes_no(Reply(filler)).status == "no_answer"


_DECORATIONS = (
    "**{}**", "*{}*", "__{}__", "`{}`", "${}$", "({})", "[{}]", '"{}"', "“{}”", "{}.", "{}!",
    "# {}", "> {}", "- {}", "\n\n{}\n", "\\boxed{{{}}}", "\\boxed{{\\text{{{}}}}}",
    "<answer>{}</answer>", "Answer: {}", "**Answer:** {}", "**Answer: {}**", "Final answer: {}",
    "The answer is {}", "Verdict: {}", "Réponse : {}", "Antwort: {}", "答案：{}",
    "<think>A?</think>{}",
    "{}<|im_end|>", '{{"answer": "{}"}}', "```json\n{{\"verdict\": \"{}\"}}\n```",
    "The year is off by one.\n{}", "The year is off by one.\n\n**{}**",
    "{}\n\nThe year is given as 2014.",
    "{}\n\nQuestion: Which band is blue?\nAnswer: B2",
)  # fmt: skip
_FORMS = {
    "A": "yes",
    "B": "no",
    "Yes": "yes",
    "No": "no",
    "A. Yes": "yes",
    "B) No": "no",
    "YES": "yes",
}


@given(st.sampled_from(_DECORATIONS), st.sampled_from(sorted(_FORMS)))
def test_decoration_keeps_the_verdict(decoration: str, form: str) -> None:
    reading = read_yes_no(Reply(decoration.format(form)))

    assert (reading.answer, reading.status) == (_FORMS[form], "answered")


_PROSE_WORDS = (
    "Sentinel-2", "a", "A", "the", "radiometer", "No", "cloud", "was", "seen", "not", "C-band",
    "B8", "and", "I", "°C", "2.5", "km", "carries", "wrong", "if", "orbit's", "(NIR)", "drifts;",
    "since,", "false-colour", "false alarms", "error of 5 m", "yes-man", "nobody",
)  # fmt: skip
_PROSE = st.lists(st.sampled_from(_PROSE_WORDS), min_size=4, max_size=30).map(" ".join)


@given(_PROSE)
def test_prose_declares_nothing(words: str) -> None:
    assert read_yes_no(Reply(f"The scene shows that {words} there")).answer is None


@given(st.text() | st.text(alphabet="AB yesno.,:;!?\n\"'{}[]()*_`<>\\/-", max_size=80))
@example("{" * 5000)
@example('{"answer": ' * 3000)
@example("hallucinated," * 3000)
@example("Answer: " * 3000)
def test_any_text_is_read_without_an_exception(text: str) -> None:
    reading = read_yes_no(Reply(text))

    assert reading.status in STATUSES
    assert (reading.answer is not None) == (reading.status == "answered")
