"""Reading refusals from their phrases."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eve_inspect.answers import REFUSAL_KINDS, STATUSES, Reading, RefusalKind, Reply, read_refusal

_CASES = [
    case
    for case in map(
        json.loads,
        (Path(__file__).parents[1] / "data" / "cases" / "refusal.jsonl")
        .read_text(encoding="utf-8")
        .splitlines(),
    )
    if "model_output" in case["input"]
]

INSUFFICIENT = (
    "I'm sorry, but the provided context does not contain enough information to answer that"
    " question.",
    "The context does not mention the swath width of OLCI.",
    "The context doesn't say.",
    "The provided documents do not specify the launch mass of PACE.",
    "None of the documents mentions the repeat cycle.",
    "Neither passage gives the altitude of the orbit.",
    "The text makes no mention of the noise of the thermal bands.",
    "The passage says nothing about the pulse rate of GEDI.",
    "The context contains no information on the calibration uncertainty.",
    "There is no information about the equator crossing time.",
    "There is no mention of the tile size in the passage.",
    "No information on the launch date is available in the context.",
    "No value for the azimuth resolution is given.",
    "The launch date is not stated.",
    "The launch date of SMOS is not mentioned in the provided text.",
    "The radiometric resolution is not given in the context.",
    "This information is not available in the documents.",
    "The requested value is not provided.",
    "The answer is not in the context.",
    "The answer cannot be found in the given passage.",
    "The swath cannot be determined from the provided context.",
    "It cannot be determined.",
    "This question cannot be answered.",
    "It is not possible to answer this question based on the context.",
    "It is impossible to say from the text how wide the swath is.",
    "I can’t answer this from the documents given.",
    "I cannot answer the question because the context lacks that information.",
    "I am unable to determine the sea ice extent from the excerpt.",
    "I couldn't find the frequency in the context.",
    "I don't know.",
    "I do not know the mass of the satellite.",
    "I'm not sure.",
    "I don't have enough information to answer.",
    "I don't have that information.",
    "I have no information about this sensor.",
    "Not enough information.",
    "Insufficient context.",
    "Not stated.",
    "Not mentioned in the context.",
    "Not in the context.",
    "N/A",
    "n/a.",
    "**Unknown**",
    "Unknown.",
    "Answer: Not specified",
    "Answer: N/A",
    '"Not stated"',
    "Cannot be determined from the passage.",
    "Unable to determine.",
    "Unfortunately, the excerpt gives no figure for the revisit time.",
    "Unfortunately the article does not discuss the spectral response.",
    "Based on the provided context, the accuracy of the product is not specified.",
    "Based on the context, I cannot answer.",
    "According to the passage, the launch date is not mentioned.",
    "The document lacks details on the antenna.",
    "The passage is silent on the noise level.",
    "The text fails to mention the orbit's inclination.",
    "Nothing in the passage tells how many bits a pixel has.",
    "The context is unrelated to the question.",
    "The answer to this question is outside the scope of the provided document.",
    "The swath width is missing from the context.",
    "Without further information, I can't answer.",
    "Document 2 does not give the local time either.",
    "The documents you provided do not include the tile size.",
    "The information provided is not sufficient to answer the question.",
    "The provided information does not include the mass.",
    "The context only describes the orbit, not the swath.",
    # with advice, apologies, and what the context is about
    "The context does not say. You could consult the ESA handbook.",
    "The context does not give the mass. If you provide more context I can help.",
    "The context does not specify the swath. The context only describes the orbit.",
    "The passage does not mention the swath of SLSTR. It describes OLCI and its 21 bands.",
    "The text does not state the altitude; it only covers how the plane of the orbit turns.",
    "While the context describes the orbit in detail, it does not mention the swath.",
    "Although the passage discusses sea ice, it does not specify its extent in 2012.",
    "The context does not mention the mass, but it does describe the instruments.",
    "The passage does not give the NEDT of ECOSTRESS. It mentions that it flies on the ISS.",
    "GEDI emits pulses at 1064 nm, but the number of pulses a second is not stated in the text.",
    "ECOSTRESS flies on the ISS. However, its noise is not mentioned in the context.",
    "I don't know. Please check the user guide of the mission.",
    "I'm sorry, the documents do not contain the answer. Could you share another source?",
    "The context does not state the launch date. For this information, see the mission website.",
    "The context does not contain this figure. I would recommend the product specification.",
    "The text does not say how often the sensor is calibrated. More information would be needed.",
    "The excerpt doesn't mention any frequency. Let me know if you have another document.",
    "The context does not provide the pixel size. The question asks about the thermal bands.",
    "The passage doesn't give the resolution. Such figures are usually found in the handbook.",
    "The context does not mention mass, power, and the volume of the tank.",
    "The context mentions:\n- the orbit at 786 km\n- the launch in 2015\n\n"
    "It does not mention the swath.",
    "The context does not mention the swath. It covers only:\n- the orbit\n- the launch in 2015",
    "As the context does not mention the swath, I cannot answer the question.",
    "Since no information is given on the radar, the question cannot be answered.",
    "The context does not say whether the radar works at night.",
    "I apologize, but I could not find any mention of ATLAS in the passage.",
    "The exact swath is not given in the text.",
    "Unfortunately, while the context describes the orbit, it does not mention the swath.",
    "I'm sorry, but as the context does not state the mass, I cannot answer.",
    "N/A. The context lacks this.",
    "The passage describes the orbit.\n\nAnswer: N/A",
    "I see no mention of the swath.",
    "<think>Maybe 290 km?</think>The context does not mention the swath.",
    "> The context does not mention the swath.",
    '{"answer": "The context does not say."}',
    '{"answer": null}',
    "The context does not give it, so the answer is unknown.",
    "I'm sorry, but I don't have enough context to determine the launch mass of the satellite.",
    "The provided context doesn't contain specific details about the noise-equivalent"
    " temperature difference of ECOSTRESS. It discusses the mission's purpose and how the"
    " instrument scans the ground, but it doesn't provide that technical specification.",
    "Based on the information provided, there is no mention of the tile size used by the COG"
    " driver.",
    "The given text does not provide the altitude of Landsat 8. It explains why sun-synchronous"
    " orbits are used.",
    "I cannot find information about the azimuth resolution of PALSAR-2 in Spotlight mode in"
    " the provided context. The context mentions that PALSAR-2 operates in L-band.",
    "The answer to your question is not contained in the provided documents.",
    "The context does not provide information on the specific accuracy requirement for SMAP's"
    " soil moisture product. To find it, you may need to consult the mission's science"
    " requirements document.",
    "Sorry, the passage does not include any data on Arctic sea ice extent.",
    "Unfortunately, the provided text does not include details about the local solar time at"
    " which Sentinel-5P crosses the equator. The text focuses on TROPOMI's instrument design,"
    " spectrometers and calibration. If you have access to other documentation, I would be glad"
    " to help you further.",
    "The context is about ocean colour and has nothing to do with the launch mass.",
    "There isn't any information about that in the text.",
    "There is insufficient information in the provided text to answer this question.",
    "No answer can be given on the basis of the context.",
    "The text does not tell us how wide the swath is.",
    "The passage never mentions the swath width.",
    "The question asks for the swath width, but the passage does not mention it.",
    "It is not specified in the context how many bits per pixel MSI records.",
    "I do not see this information in the provided context.",
    "The context provided does not address this.",
    "This is not covered by the context.",
    "This detail is not included in the given context.",
    "The context does not contain the answer.\n\nWhat the context does say is that the mission"
    " has three radiometers.",
    "The article discusses burn severity but does not give a dNBR threshold for the high class.",
    "The provided context describes the MSI's spectral bands and spatial resolutions but does"
    " not specify the radiometric resolution.",
    "From the text alone, one cannot tell how many pulses are emitted.",
    "We are not told how much it weighs.",
    "The text doesn't say anything about frequency.",
    "This can't be answered with the given information.",
    "The required information is missing.",
    "No relevant information found.",
    "Information not available.",
    "The context doesn’t mention it explicitly.",
    "I was unable to find the launch date of SMOS in the given text.",
    "My answer would be a guess, since the context gives no figure.",
    "The documents do not appear to contain the requested information.",
    "The context does not seem to mention the laser's rate.",
    "It's not mentioned.",
    "Not explicitly stated in the passage.",
    "Not enough information is provided to determine the frequencies.",
    "I'm afraid the passage doesn't tell.",
    "The provided passage only discusses the calibration network in general and gives no"
    " uncertainty for La Crau.",
    "The context does not state the uncertainty for La Crau. It only says that each site states"
    " its uncertainties along with the data.",
    "Answer: The text does not provide this information.\n\nExplanation: The passage describes"
    " RadCalNet sites and their instruments, but no uncertainty is listed.",
    "I don't have access to that information in the context you shared.",
    "The context is insufficient to answer.",
    "I can only answer from the context, and it does not contain the launch date.",
    "There's no mention of that.",
    "The sources do not say.",
    "**Insufficient information.** The context covers the radar and radiometer of SMAP, but not"
    " the accuracy requirement.",
    "The swath of SLSTR in nadir view is not provided in the context.",
    "The SLSTR nadir swath width isn't specified; only OLCI's swath of 1270 km is given.",
    "The context mentions SLSTR but not the width of its swath.",
    "The context does not indicate the number of azimuth directions. It solely introduces"
    " scatterometry. Please provide more details.",
    "Regrettably, I have to say that this is not in the documents.",
    "The supplied material gives no hint.",
    "I looked through all three documents, but none of them gives the launch date.",
    "I checked the context and found nothing about the frequencies.",
    "Nothing about this is stated in the context.",
    "There is nothing in the text about laser pulses.",
    "The text provides details on the orbit and payload; the mass, however, is not given.",
    "As far as the context goes, the mass is not stated.",
    "The context provided discusses the Copernicus programme, the Sentinel-3 satellites and"
    " their instruments. However, it does not provide the nadir swath width of SLSTR."
    " Therefore, I cannot answer this question based on the given context.",
    "Given the context, it is not possible to determine the value.",
    "The exact number of pulses is not specified; the context only says that the lasers emit"
    " pulses at 1064 nm.",
    "Context does not specify.",
    "Not specified in the provided context",
    "The context given does not state the year.",
    "Without that detail in the text, I'm unable to answer.",
    "Sorry, I don't know the answer.",
    "I have no idea.",
    "This cannot be inferred from the passage.",
    "The value isn't mentioned anywhere in the text.",
    "The passage gives the wavelength, but not the pulse rate.",
    "I cannot provide the mass because it is not mentioned in the passage.",
    "The passage omits the mass.",
    "Unanswerable from the given context.",
    "There is not enough detail in the passage to say.",
    "The text leaves this open.",
    "The context doesn't discuss this topic at all; it's about sea ice.",
    "Hmm, the excerpt doesn't cover that.",
    "I do not have access to the document you mention.",
    "The information about the tile size is not available.",
    "The documents don't answer the question directly.",
    "The passage provides no specific information regarding the launch mass of the PACE"
    " satellite. It primarily describes the instruments and the science objectives of the"
    " mission.",
    "Neither the context nor the question gives the mass.",
    "The mass is nowhere stated in the text.",
    "No mention is made of the mass.",
    "It's unclear from the text.",
    "My apologies, but the necessary data isn't in the passage.",
    "La respuesta no se encuentra en el contexto proporcionado.",
    "Désolé, mais le contexte fourni ne contient pas suffisamment d'informations pour répondre"
    " à cette question.",
    "Es tut mir leid, aber der bereitgestellte Kontext enthält nicht genügend Informationen, um"
    " diese Frage zu beantworten.",
    "Mi dispiace, ma il contesto fornito non contiene informazioni sufficienti per rispondere.",
    "Lo siento, pero el contexto proporcionado no contiene suficiente información para"
    " responder a esa pregunta.",
    "Desculpe, mas o contexto fornecido não contém informações suficientes para responder a"
    " essa pergunta.",
    "Het spijt me, maar de gegeven context bevat onvoldoende informatie om deze vraag te"
    " beantwoorden.",
    "Im bereitgestellten Kontext gibt es keine Angaben zur Masse des Satelliten.",
    "Aus dem Text lässt sich die Masse nicht ableiten.",
    "Le passage décrit l'orbite mais n'indique pas la masse.",
    "Aucune information sur la masse n'est donnée dans le texte.",
    "El pasaje describe la órbita, pero no indica la masa.",
    "The passage you shared talks about plankton and aerosols; the launch mass of PACE does not"
    " come up.",
    "I'm sorry, but that information isn't part of the context I was given.",
    "Based on what is provided, I cannot say what the accuracy requirement was.",
    "The documents contain no reference to the Spotlight mode's resolution.",
    "Sadly the context never specifies it.",
    "The launch date of SMOS is not something the context covers.",
    "The context lists several sites, including La Crau, but gives no figures on uncertainty.",
    "There is no way to know from the passage.",
    "The text at hand does not state how large the class threshold is.",
    "I searched the given documents and could not find an answer.",
    "The answer to this is not found within the passage, which deals with tile layout in general.",
    "Unfortunately I do not have sufficient information to answer this.",
    "The passage does not contain a statement about local solar time. Hence the question cannot"
    " be answered from it.",
    "The value is not disclosed.",
    "This question is not answerable with the context.",
    "Not provided.",
    "The context only gives the swath of OLCI (1270 km), not that of SLSTR.",
    "Le document ne donne pas cette valeur.",
    "Diese Information ist im Dokument nicht enthalten.",
    "La información no está disponible en el contexto.",
    "Het document geeft hier geen antwoord op.",
)

INSUFFICIENT_ELSEWHERE = (
    "Der Kontext enthält keine Informationen zur Schwadbreite.",
    "Im Text wird die Auflösung nicht erwähnt.",
    "Die Schwadbreite geht aus dem Text nicht hervor.",
    "Ich kann diese Frage anhand des Kontexts nicht beantworten.",
    "Ich weiß es nicht.",
    "Keine Angabe.",
    "Die bereitgestellten Dokumente nennen das Startdatum nicht.",
    "Der Text sagt dazu nichts. Er beschreibt nur die Umlaufbahn.",
    "Leider enthält der Auszug nicht genügend Informationen.",
    "Les documents fournis ne permettent pas de répondre à cette question.",
    "Le contexte ne précise pas la résolution.",
    "La largeur de fauchée n'est pas mentionnée dans le texte.",
    "Je ne sais pas.",
    "Le texte ne contient aucune information sur le lancement.",
    "Non précisé",
    "El contexto no menciona la resolución.",
    "El texto no proporciona información suficiente para responder.",
    "La fecha de lanzamiento no se indica en el documento.",
    "No lo sé.",
    "Il contesto non contiene informazioni sulla risoluzione.",
    "La data di lancio non è specificata nel testo.",
    "Non lo so.",
    "O contexto não menciona a resolução.",
    "A data de lançamento não é indicada no texto.",
    "Não sei.",
    "De context bevat geen informatie over de resolutie.",
    "De lanceerdatum wordt niet vermeld in de tekst.",
    "Ik weet het niet.",
    "Texten innehåller ingen information om upplösningen.",
    "Konteksten indeholder ikke oplysninger om opløsningen.",
    "Konteksti ei sisällä tietoa resoluutiosta.",
    "Kontekst nie zawiera informacji o rozdzielczości.",
    "Kontext neobsahuje informace o rozlišení.",
    "Contextul nu conține informații despre rezoluție.",
    "A szöveg nem tartalmaz információt a felbontásról.",
    "Bağlam, çözünürlük hakkında bilgi içermiyor.",
    "Το κείμενο δεν περιέχει πληροφορίες για την ανάλυση.",
    "Контекст не содержит информации о разрешении.",
    "上下文中没有提供分辨率的信息。",
    "文脈には解像度に関する情報がありません。",
    "문맥에는 해상도에 대한 정보가 없습니다.",
    "السياق لا يحتوي على معلومات عن الدقة.",
)

HEDGED = (
    "The context does not say. In general Sentinel-2 bands have 10, 20 or 60 m.",
    "The exact height cannot be read from the text, though some 700 km is a fair estimate.",
    "It is not known exactly, but about 5 km.",
    "I'm not sure, but I think it is 290 km.",
    "I don't know, probably 12 days.",
    "The context doesn't mention the swath. OLCI has a swath of 1270 km.",
    "The context doesn't say who runs it. The satellite is operated by EUMETSAT.",
    "The passage does not give the launch date; SMOS was launched in November 2009.",
    "Although the context does not say so, the swath is 290 km.",
    "While the text does not state the altitude, Landsat 8 flies at 705 km.",
    "Since the context does not mention it, I would assume 16 bits.",
    "The swath is 290 km, although the context does not mention it.",
    "The swath is probably 290 km. This is not stated in the context.",
    "The mission was launched in 2015, but the exact day is not given in the context.",
    "The context does not explicitly mention the builder, but it states that the satellite was"
    " assembled in Toulouse.",
    "The context does not mention the swath, but it does state that the pixel is 10 m.",
    "The text does not say it (probably 10 m).",
    "Not stated in the context. From general knowledge: 290 km.",
    "The documents do not contain this, so I would estimate some 20 m.",
    "The context does not mention the swath, which is 290 km.",
    "I cannot give an exact figure, but it should be close to 5 m.",
    "I cannot find it in the text. However, Sentinel-1 repeats after 12 days.",
    "The context does not specify this.\n\nFrom my general knowledge, GEDI fires 242 pulses.",
    "The text does not say. Typical values are:\n- 10 m for visible bands\n- 60 m for aerosols",
    "N/A, but usually 290 km.",
    "N/A. The satellite is operated by EUMETSAT.",
    "Unfortunately, although the context does not say so, the swath is 290 km.",
    "The exact mass is unknown, but it is roughly two tonnes.",
    "No, the context does not mention that Sentinel-1 carries a lidar.",
    "I can't help with that request. The swath is 290 km.",
    "Der Kontext sagt das nicht. Im Allgemeinen haben die Bänder 10, 20 oder 60 m.",
    "Le contexte ne le précise pas, mais la résolution est probablement de 10 m.",
    "El contexto no lo dice, pero la resolución suele ser de 10 m.",
    "Il testo non lo dice, ma la risoluzione è di solito 10 m.",
    "O texto não diz, mas a resolução é provavelmente 10 m.",
    "De tekst vermeldt het niet, maar de resolutie is waarschijnlijk 10 m.",
    "上下文没有说明。通常分辨率为10米。",
    "The provided context does not mention it, but based on general knowledge the NEdT of"
    " ECOSTRESS is below 0.1 K.",
    "The context doesn't explicitly state the dNBR threshold; however, high severity is"
    " commonly defined as dNBR > 0.66.",
    "The passage does not give the date. SMOS was launched on 2 November 2009.",
    "I couldn't find the exact figure in the text. Outside of it, Sentinel-2 MSI is known to"
    " use 12 bits.",
    "While not stated in the passage, the COG driver uses 512 x 512 by default.",
    "Although not explicitly mentioned in the context, SLSTR's nadir swath is about 1400 km.",
    "The text does not say, but it's commonly known that Landsat 8 orbits at 705 km.",
    "The context does not provide the altitude of Landsat 8. However, Landsat 8 is known to"
    " orbit at approximately 705 km.",
    "The local time isn't in the context; it is 13:30.",
    "The answer isn't explicitly given, but we can infer that it is 3.4 million square kilometres.",
    "The mass of PACE at launch was about 1694 kg (not mentioned in the context).",
    "12 bits. Note that the context does not mention this.",
    "It was launched in November 2009. The context does not provide this date; I rely on"
    " general knowledge.",
    "The context does not give the mass of PACE. The satellite weighs about 1.7 t.",
    "I don't have the exact number, but it is around 400 pulses per second.",
    "The passage doesn't specify this. It is likely that the radar operates in L-band.",
    "It is not stated in the passage. However, Spotlight mode usually reaches 1 m.",
    "The passage does not directly say, but it implies that the orbit repeats after ten days.",
    "Not given, but I'd guess 30 m.",
    "Unknown, but likely 12 bits.",
    "The context does not contain the value; as far as I know it is 0.66.",
    "I can't tell from the text; my best guess is 16 days.",
    "Based on my knowledge, the swath is 1400 km, though the document doesn't confirm it.",
    "The context is silent on this, yet the swath of SLSTR is 1400 km at nadir.",
    "Though the text gives no number, GEDI's lasers fire 242 times a second.",
    "It isn't in the text, but PALSAR-2 reaches 1 m in azimuth.",
    "This is not mentioned in the passage. From what I know, SMOS was launched from Plesetsk.",
    "The mission launched on 2 November 2009, a date the context does not mention.",
    "Der Text nennt keine Zahl, aber üblich sind 12 Bit.",
)

POLICY = (
    "I can't help with that request.",
    "I’m sorry, but I can’t assist with that.",
    "I cannot comply.",
    "I cannot answer this question.",
    "I won't answer that.",
    "I must decline to answer.",
    "I'm not able to help with that.",
    "I'm sorry, I can't do that.",
    "I am not allowed to discuss this topic.",
    "I'd rather not answer.",
    "Sorry, I am unable to provide that.",
    "As an AI model, I cannot discuss this.",
    "I can't help with that. It goes against my guidelines.",
    "I can't help with that. I can help with other topics.",
    "Sorry.",
    "Sorry, but as an AI model I cannot discuss this.",
    "Dabei kann ich nicht helfen.",
    "Je ne peux pas vous aider.",
    "No puedo ayudarte con eso.",
    "Non posso aiutarti.",
    "Não posso ajudar com isso.",
    "Daar kan ik niet mee helpen.",
    "I'm sorry, but I cannot provide assistance with this request.",
    "I apologize, but I'm unable to help with that.",
    "I can't share details about military satellites.",
    "Sorry, but I can't continue with this conversation.",
    "I decline to answer.",
    "I’m not comfortable answering that.",
    "That's something I can't assist with.",
    "I'm unable to respond to that.",
    "Request denied.",
    "Lo siento, no puedo ayudarte con esa solicitud.",
    "I can't do this.",
    "I will not answer this.",
    "I'm sorry, but I'm not able to provide that.",
)

ANSWERS = (
    "The repeat cycle is 12 days.",
    "290 km",
    "Yes.",
    "None",
    "Zero.",
    "From three azimuth directions.",
    "Sorry about the outage of that sensor. The context gives a revisit time of 10 days.",
    "Sorry for the delay: the swath is 290 km.",
    '"I cannot release the data," the operator said. The context puts the release in May.',
    "“I don't know,” the pilot said. The flight took place in May.",
    "The minister replied 'I cannot say,' and the launch moved to May.",
    "<think>The context lacks this; I cannot answer.</think>The repeat cycle is 12 days.",
    "The sensor does not provide night images.",
    "The product does not include clouds.",
    "The instrument does not contain moving parts.",
    "The mission did not state a target.",
    "Optical sensors cannot see through clouds.",
    "Soil moisture cannot be determined from optical images alone.",
    "Cloud height cannot be estimated at night.",
    "Night images are not provided.",
    "Band 10 is not included in the Level-2A product.",
    "Thermal data are not available at night.",
    "Clouds are not present in the scene.",
    "There is no evidence of volcanic activity in the scene.",
    "There is no cloud over the site.",
    "There is no loss of information in the resampling.",
    "Not enough light reaches the detector at night.",
    "The satellite has no propulsion.",
    "The radar is not affected by clouds, and it needs no daylight.",
    "The ice melts in June. The cause is unknown.",
    "The paper describes a sensor that does not provide night images.",
    "The context states that the radar is not used over land.",
    "The text says that the mission does not cover the poles.",
    "According to the context, the sensor does not observe at night.",
    "The context mentions a resolution of 10 m.",
    "The context only states the resolution as 10 m.",
    "The document gives 786 km.",
    "Pixels without data are set to N/A.",
    "The class is called unknown in the map legend.",
    "Unknown pixels have the value 255.",
    "It refuses packets with a wrong checksum.",
    "Because no light source is needed, it works at night.",
    "If the context does not mention a scale, use 0.0001.",
    "If you mean Sentinel-2, the swath is 290 km.",
    "The light source does not show any drift.",
    "You can use band 8 for this.",
    "The data are not calibrated, so that the values are raw counts.",
    "No data value: -9999",
    "The quality flag is not set, and the pixel is kept.",
    "The algorithm cannot tell snow from clouds.",
    "Users cannot find clouds in the mask because it is binary.",
    "The instrument is not known to drift.",
    "I would use SAR images, as they do not need daylight.",
    "We cannot determine soil moisture from optical images, so radar is used.",
    "It does not cover the poles because of its inclination.",
    "One cannot help but notice that the ice shrinks: by 13 % a decade.",
    "I don't know of any better sensor than TROPOMI for methane.",
    "The report gives 2021 as the year of the launch and 5 years as the lifetime.",
    "The context is about SMAP, whose antenna is 6 m wide.",
    "Der Sensor liefert keine Nachtbilder.",
    "Der Text sagt, dass der Sensor keine Nachtbilder liefert.",
    "Le capteur ne fournit pas d'images de nuit.",
    "Selon le texte, le capteur ne fournit pas d'images de nuit.",
    "El sensor no ofrece imágenes nocturnas.",
    "Il sensore non fornisce immagini notturne.",
    "O sensor não fornece imagens noturnas.",
    "De sensor levert geen nachtbeelden.",
    "El satélite no tiene propulsión, según el texto.",
    "重复周期为12天。",
    "Цикл повторения составляет 12 дней.",
    "Stray light: radiance from outside the field of view that reached the detectors.",
    "A Sun-synchronous orbit was avoided because solar tides would always be sampled at the"
    " same phase.",
    "No special server software is necessary: any object store that honours range requests will"
    " do.",
    "The method does not provide information on cloud height.",
    "Two small polarimeters, which do not measure in the infrared.",
    "The satellite could not be recovered after the failure.",
    "It cannot distinguish water vapour from clouds without the thermal band.",
    "The index is not defined for water pixels.",
    "The mission ended because contact was lost; the reason was not found.",
    "The image does not show any burnt area.",
    "The map contains no information for the polar regions.",
    "The report recommends that users do not mix versions.",
    "The data provided by the sensor are not corrected for the atmosphere.",
    "The sensor is not described by a linear model.",
    "Because a small site suits only sensors with fine pixels.",
    "The first two radars could not determine wind direction without ambiguity, so a third"
    " antenna was added.",
    "Not all sites are in Europe: Railroad Valley is in the United States.",
    "No, it does not.",
    "No. The radar stopped working in July 2015.",
    "No information is lost when the file is tiled.",
    "Unlike radar, lidar is not able to see through clouds.",
    "The uncertainty of the product is unknown over deserts, where no reference data exist, and"
    " about 5 % elsewhere.",
    "The text compares two radars. Neither radar works in X-band.",
    "The study found no evidence of melting.",
    "Gaps occur because the orbit does not cover the area every day.",
    "The mask does not say whether a pixel is snow; it only flags clouds.",
    "Scientists do not know why the ice shelf broke.",
    "The authors state that no data were available for 2012.",
    "The satellite cannot be repaired in orbit.",
    "It is impossible to separate the two effects with one frequency.",
    "No, thermal images are not affected by the missing daylight.",
    "The archive does not contain scenes before 1984.",
    "There is no daylight in winter, so optical sensors are of no use.",
    "The signal is not detected below the canopy.",
    "A single image cannot give the height; two are needed.",
    "The manual does not apply to Landsat 9.",
    "If no data are given for a pixel, the product stores 255.",
    "The context mentions that the sensor was launched in 2009 and is not operational any more.",
    "Its main drawback is that it does not provide information about cloud base height.",
    "The flag means that the value is not available.",
    "It is not possible to determine wind direction from one look, therefore three antennas are"
    " used.",
    "The height cannot be derived from a single image.",
    "I recommend Sentinel-1, because optical sensors cannot help at night.",
    "The agency refused to share the data until 2008.",
    "I think the swath is 290 km.",
    "Yes, the context gives a swath of 290 km.",
    "There is a lack of reference data in the tropics.",
    "The processor fails if there is not enough information in the header.",
    "Insufficient data over the oceans led to larger errors.",
    "Der Sensor kann bei Nacht nicht messen.",
    "Das Dokument beschreibt einen Sensor, der nachts nicht arbeitet.",
    "Le satellite ne passe pas au-dessus des pôles.",
    "La mission n'a pas de radar.",
    "La banda no está disponible en el producto.",
    "Il radar non dipende dalla luce.",
    "O satélite não passa sobre os polos.",
    "The instrument has no moving parts, and it needs no cooling.",
    "The context gives 1336 km as the altitude.",
    "ATLAS splits each pulse into six beams; the weak beams carry a quarter of the energy.",
    "The context explains that drag does not disturb this orbit much.",
    "Old programs do not notice the tiles, since nothing in the structure of TIFF changes.",
    "The sites do not provide data at night.",
    "According to the passage, no site in Africa other than Gobabeb is included.",
    "They do not measure at night.",
    "Clouds hide the surface, so no value is given for those pixels.",
    "The document says the mission has not been extended.",
)

_TABLE = [
    *((text, "insufficient_context") for text in (*INSUFFICIENT, *INSUFFICIENT_ELSEWHERE)),
    *((text, "hedged_answer") for text in HEDGED),
    *((text, "policy") for text in POLICY),
    *((text, "answer") for text in ANSWERS),
]


@pytest.mark.parametrize(
    ("given_", "expected"),
    [(case["input"], case["expected"]) for case in _CASES],
    ids=[case["id"] for case in _CASES],
)
def test_collected_cases(given_: dict[str, Any], expected: dict[str, Any]) -> None:
    reading = read_refusal(Reply(given_["model_output"], stop_reason=given_.get("stop_reason")))
    assert reading.answer == expected["kind"]


@pytest.mark.parametrize(
    ("text", "kind"), _TABLE, ids=[f"{kind}: {text[:60]}" for text, kind in _TABLE]
)
def test_kinds(text: str, kind: str) -> None:
    reading = read_refusal(Reply(text))
    assert (reading.answer, reading.status) == (kind, "answered")


READ = Reading[RefusalKind]

WITHOUT_TEXT: dict[str, tuple[Reply, READ]] = {
    "no content": (Reply(None), Reading("empty", "empty")),
    "no text": (Reply(" \n"), Reading("empty", "empty")),
    "signs only": (Reply("..."), Reading("empty", "empty")),
    "reasoning only": (
        Reply("<think>I cannot answer.</think>"),
        Reading("empty", "empty", flags=("empty_visible",)),
    ),
    "reasoning apart": (
        Reply("", reasoning=True),
        Reading("empty", "empty", flags=("empty_visible",)),
    ),
    "reasoning never closed": (
        Reply("<think>The context does not say"),
        Reading("truncated", "truncated"),
    ),
    "limit before any text": (
        Reply("", stop_reason="max_tokens"),
        Reading("truncated", "truncated"),
    ),
    "limit in the first sentence": (
        Reply("The satellite has a swath of", stop_reason="max_tokens"),
        Reading("truncated", "truncated"),
    ),
    "limit of the model": (
        Reply("The satellite has", stop_reason="model_length"),
        Reading("truncated", "truncated"),
    ),
    "limit after a sentence": (
        Reply("The swath is 290 km. It is", stop_reason="max_tokens"),
        Reading("answer", "answered", "text", ("cut",)),
    ),
    "limit after a line": (
        Reply("- 290 km\n- 10", stop_reason="max_tokens"),
        Reading("answer", "answered", "text", ("cut",)),
    ),
    "limit after a decline": (
        Reply("The context does not say how wide the", stop_reason="max_tokens"),
        Reading("insufficient_context", "answered", "phrase", ("cut",)),
    ),
    "filter before any text": (
        Reply("", stop_reason="content_filter"),
        Reading("provider_filter", "refusal"),
    ),
    "filter in the first sentence": (
        Reply("The satellite has a", stop_reason="content_filter"),
        Reading("provider_filter", "refusal"),
    ),
    "filter after a sentence": (
        Reply("The swath is 290 km. It", stop_reason="content_filter"),
        Reading("answer", "answered", "text", ("content_filter",)),
    ),
    "filter after a decline": (
        Reply("I can't help with that.", stop_reason="content_filter"),
        Reading("policy", "answered", "phrase", ("content_filter",)),
    ),
    "failed call": (
        Reply("The context does not say.", error="503"),
        Reading("error", "error"),
    ),
    "not stated": (
        Reply("Not stated."),
        Reading("insufficient_context", "answered", "whole_reply"),
    ),
}


@pytest.mark.parametrize(("reply", "expected"), WITHOUT_TEXT.values(), ids=WITHOUT_TEXT.keys())
def test_what_became_of_a_reply(reply: Reply, expected: READ) -> None:
    assert read_refusal(reply) == expected


def test_long_answer_with_a_remark_at_its_end_is_no_refusal() -> None:
    answer = (
        "The mission has two satellites. They share one orbit. Each carries a radar. The swath is"
        " 250 km wide. The mass of the satellites is not mentioned in the context."
    )
    assert read_refusal(Reply(answer)).answer == "hedged_answer"


def test_the_end_of_a_very_long_reply_is_read() -> None:
    filler = "The orbit is described. " * 5_000
    assert read_refusal(Reply(filler + "The context does not mention the swath.")).answer == (
        "insufficient_context"
    )


WRAPPERS = (
    "{}", "**{}**", "*{}*", "> {}", "# {}", "```\n{}\n```", '"{}"', "“{}”", "Answer: {}",
    "**Answer:** {}", "<answer>{}</answer>", "<think>It is 290 km.</think>{}", "{}<|im_end|>",
    '{{"answer": "{}"}}', "{}\u200b", "\n\n{}\n",
)  # fmt: skip
PLAIN = [row for row in _TABLE if '"' not in row[0] and "\n" not in row[0] and row[0][0].isalpha()]


@given(st.sampled_from(PLAIN), st.sampled_from(WRAPPERS))
def test_decoration_changes_nothing(row: tuple[str, str], wrapper: str) -> None:
    text, kind = row
    assert read_refusal(Reply(wrapper.format(text))).answer == kind


@given(st.sampled_from([text for text in ANSWERS if text.endswith(".")]), st.integers(2, 4))
def test_answers_stay_answers_when_repeated(text: str, times: int) -> None:
    assert read_refusal(Reply("\n\n".join([text] * times))).answer == "answer"


@given(
    st.sampled_from([text for text in INSUFFICIENT if text.endswith(".") and "\n" not in text]),
    st.sampled_from(["OLCI has a swath of 1270 km.", "In general, the swath is 290 km."]),
)
def test_a_value_after_a_decline_makes_it_hedged(text: str, value: str) -> None:
    assert read_refusal(Reply(f"{text} {value}")).answer == "hedged_answer"


FRAGMENTS = [
    *"\n .,;:!?()\"'{}[]<>*#-", "the context ", "does not ", "mention ", "I cannot answer ", "no ",
    "information ", "but ", "although ", "if ", "unknown", "N/A", "290 km", "nicht ", "Kontext ",
    "ne ", "texte ", "没有", "文", "(probably ", '{"answer": ', "<think>", "</think>", "```",
    "\u0301", "\u200b", "İ", "é",
]  # fmt: skip


@given(
    st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)),
    st.sampled_from([None, "stop", "max_tokens", "model_length", "content_filter"]),
)
@example("\ud800", None)
def test_every_reply_is_read(text: str, stop: str | None) -> None:
    reading = read_refusal(Reply(text, stop_reason=stop))
    assert reading.answer in REFUSAL_KINDS
    assert reading.status in STATUSES
    assert (reading.status == "answered") == (
        reading.answer in ("insufficient_context", "hedged_answer", "policy", "answer")
    )


HOSTILE = (
    "the context ", "no ", "not mentioned ", "the provided given supplied ", "I cannot answer ",
    "does not ", "if the context, ", '"', "' ", "(probably ", "nothing about ", "; ", "- \n", "a. ",
    "there is no a b c ", "{", '{"answer": ', "neither the context nor ", "the context only ",
    "answer: ", "unfortunately, ", "ne pas texte ", "nicht kontext ", "nao contexto ", "。", "文",
    "상", "\n", "the context and ", "x" * 50 + " ", "\u0301", "<think>", "the information was ",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE, ids=[repr(piece)[:30] for piece in HOSTILE])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    text = (piece * (200_000 // len(piece) + 1))[:200_000]
    start = time.process_time()
    read_refusal(Reply(text))
    assert time.process_time() - start < 2
