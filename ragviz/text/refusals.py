"""Sentences that decline to answer, told from those that state something."""

from __future__ import annotations

import re

from ragviz.records import Span
from ragviz.text.idle import is_idle
from ragviz.text.sentences import sentence_spans

_GIVEN = r"(?:the |this |these |that |any |my |our |your |its |available |provided |given |retrieved |supplied |above |following |current |search |relevant )*"
# A "file" or "record" is a source only when it was "provided" or "retrieved": "The export file does not include comments." states something.
_SOURCES = (
    r"(?:contexts?|passages?|documents?|sources?|texts?|information|excerpts?|articles?|snippets?|documentation|knowledge base|help cent(?:er|re)"
    r"|(?:available|provided|given|retrieved|supplied|search) (?:results?|materials?|data|files?|records?|content|manuals?))"
)
_SAY = (
    r"(?:mention|contain|include|provide|specify|say|state|cover|discuss|address|describe|list|give|answer|offer|explain|detail|indicate|tell|have|show|reference|clarify"
    r"|reveal|disclose|support|make (?:any )?(?:mention|reference))"
)
_NOT = r"(?:do(?:es)?(?: not|n['\u2019]t)|did(?: not|n['\u2019]t)|fails? to|never|neglects? to)"
_UNABLE = r"(?:can ?not|can['\u2019]t|could ?n['\u2019]t|could not|am (?:not able|unable)|['\u2019]m (?:not able|unable)|am afraid i can['\u2019]?(?:no)?t|was (?:not able|unable)|were (?:not able|unable)|are (?:not able|unable))"
_ENGLISH = (
    r"\b(?:i|we) (?:really |just |simply |honestly |currently |also )?(?:do not|don['\u2019]t|did not|didn['\u2019]t) (?:really |actually |currently )?(?:know|have (?:any |enough |sufficient |that |the |access|specific |details|information|data)|see (?:any|that|this)|find (?:any|that|this))",
    rf"\b(?:i|we) ?{_UNABLE} (?:to )?(?:\w+ )?(?:answer|find|provide|determine|locate|say|tell|confirm|verify|help|assist|give|identify|see|share|comply|discuss|comment|offer|access)",
    r"\b(?:i|we)['\u2019](?:m|re) (?:not (?:able|sure|certain|aware)|unable|afraid)\b|\b(?:i am|we are) (?:not (?:sure|certain|aware)|unable to)\b",
    rf"\b{_GIVEN}{_SOURCES}(?: (?:above|provided|given|retrieved|here|available|i have|you (?:provided|gave)|at hand))? {_NOT} (?:\w+ ){{0,2}}?{_SAY}\b",
    rf"\b(?:there (?:is|are|was|were)|i (?:have|see|found|find)|we (?:have|found)|{_SOURCES} (?:has|have|contains?|provides?|gives?|offers?)) (?:no|not any|not enough|insufficient|nothing|little)\b[^.;]{{0,60}}?\b(?:information|mention|details?|data|reference|evidence|answer|indication|record|passage|document|source|about|on|regarding|context|statement)\b",
    rf"\b(?:no|not enough|insufficient) (?:relevant |specific |further |such |direct |additional |explicit )*(?:information|details?|data|context|evidence|mention|answer|documents?|passages?)\b[^.;]{{0,60}}?(?:\b(?:about|regarding|on (?:this|that|the)|to answer|(?:is|are|was|were|could be) (?:available|provided|given|found|mentioned)|(?:in|from) {_GIVEN}{_SOURCES})\b)",
    rf"\b(?:says?|said|saying|mentions?|contains?|found|find|finds|have|has|know) nothing (?:about|on|regarding|specific|relevant|of)\b|\bnothing (?:in|among|from) {_GIVEN}{_SOURCES}\b",
    rf"\b(?:none|neither|no one) of (?:{_GIVEN}{_SOURCES}|them|these|those)(?: \w+)? {_SAY}s?\b",
    rf"\b(?:is|are|was|were) (?:not|n['\u2019]t) (?:\w+ ){{0,2}}?(?:mentioned|specified|stated|provided|included|covered|given|available|listed|described|found|contained|discussed|addressed|answered|explained|clear|indicated|disclosed)\b[^.;]{{0,40}}?\b(?:in|by|from|within|among|here)\b {_GIVEN}{_SOURCES}",
    rf"\b{_GIVEN}{_SOURCES} (?:is|are|was|were) (?:not (?:sufficient|enough|relevant|helpful)|insufficient|silent|unrelated|irrelevant|unclear)\b",
    r"\b(?:cannot|can ?not|can['\u2019]t|could not|couldn['\u2019]t) be (?:answered|determined|found|inferred|confirmed|verified|established)\b[^.;]{0,40}?(?:from|based on|with|using|in|by|$|[.;])",
    r"\b(?:unanswerable|not answerable|no answer (?:is )?(?:present|found|available|possible)|answer (?:is )?not (?:found|present|available|in))\b",
    r"^\W*(?:unknown|n/?a|no answer|not (?:found|available|mentioned|specified|stated|known)|i (?:do not|don['\u2019]t) know|insufficient information)\W*$",
    r"\b(?:against my (?:guidelines|programming)|i (?:must|have to) decline|i won['\u2019]t be able to|beyond (?:my|the) (?:scope|knowledge))\b",
)
_GERMAN = (
    r"\b(?:steh(?:t|en)|find(?:et|en)|gibt es|enthalten|enthält|hergeben|geben|sagen|liefern|erwähn(?:t|en)|nennt|nennen)\b[^.;]{0,80}?\b(?:nichts|kein(?:e[mnrs]?)?)\b(?:[^.;]{0,80}?\b(?:unterlagen|dokument\w*|quellen?|text\w*|passage\w*|kontext|informationen?|angaben?|hinweise?|auskunft|antwort|darüber|dazu|hierzu)\b|[^.;]{0,30}$)",
    r"\b(?:dazu|darüber|hierzu|davon|hierüber)\b[^.;]{0,60}?\b(?:nichts|keine (?:angaben?|informationen?|auskunft|hinweise?|aussage)|nicht(?: \w+){0,3} (?:beantworten|sagen|finden|erwähnt|genannt))\b",
    r"\b(?:unterlagen|dokument\w*|quellen?|text\w*|passagen?|kontext)\b[^.;]{0,60}?\b(?:nichts|keine (?:angaben?|informationen?|auskunft|hinweise?|antwort|aussage)|nicht (?:hervor|erwähnt|genannt|enthalten|beantwort\w+|angegeben))\b",
    r"\bich (?:weiß|weiss|kann|konnte|habe|finde)\b[^.;]{0,60}?\b(?:nicht (?:sagen|beantworten|finden|helfen|angeben|bestimmen|sicher)|es nicht|das nicht|nicht[.,;]?$|kein(?:e[nr]?)? (?:informationen?|angaben?|antwort|auskunft|daten))\b",
    r"\b(?:frage|das) (?:lässt sich|kann)\b[^.;]{0,60}?\bnicht\b[^.;]{0,20}\b(?:beantwort\w+|sagen|bestimmen|ermitteln)\b|\bliegen (?:mir |uns )?(?:dazu |hierzu )?(?:leider )?keine\b",
)
_FRENCH = (
    r"\bje n['\u2019]ai (?:pas trouv\u00e9|trouv\u00e9 aucun|pas (?:d['\u2019]|cette |ces |assez d))|\bje ne (?:sais pas|peux pas|trouve (?:pas|aucun)|dispose pas|suis pas (?:en mesure|sûre?))|\b(?:les? |la |ces? )?(?:documents?|passages?|sources?|textes?|extraits?|contexte)\b[^.;]{0,60}?\bne (?:mentionnen?t?|contien\w+|précisen?t?|donnen?t?|disen?t|indiquen?t?|fournissen?t|permet\w*)(?: pas| rien| aucun\w*)?",
    r"\b(?:aucune? (?:information|mention|réponse|donnée|précision)|rien)\b[^.;]{0,60}?\b(?:documents?|passages?|sources?|textes?|extraits?|contexte|à ce sujet|disponible|trouvée?)",
    r"\bn['\u2019](?:est|sont) pas (?:mentionn|précis|indiqu|spécifi)\w+[^.;]{0,40}",
)
_SPANISH = (
    r"\bno (?:lo sé|sé|puedo (?:responder|contestar|encontrar|determinar|ayudar|decir)|tengo (?:información|datos|suficiente)|encuentro|dispongo|hay información|se (?:menciona|indica|especifica|encuentra))",
    r"\b(?:documentos?|fuentes?|textos?|pasajes?|contexto|información)\b[^.;]{0,60}?\bno (?:menciona|contiene|incluye|indica|especifica|proporciona|dice)n?\b",
)
_OTHERS = (
    r"\bnão (?:sei|posso responder|encontrei|há informaç\w+|tenho informaç\w+)|\bnon (?:lo so|posso rispondere|ho informazioni|trovo|ci sono informazioni)",
    r"\b(?:ik weet het niet|weet ik niet|geen informatie|kan ik niet beantwoorden)\b|\bnie (?:wiem|mogę odpowiedzieć|ma informacji)\b|\bя не знаю\b|\bнет информации\b|\bне (?:указано|упоминается|могу ответить)\b",
    r"(?:記載|情報|記述|言及)(?:が|は|も)?(?:あり|見つかり|含まれてい|ござい)ません|わかりません|分かりません|お答えできません|回答できません",
    r"(?:没有|未|無|并未|沒有)(?:提到|提及|提供|说明|說明|包含|找到|相关|相關|涉及)|无法(?:回答|确定|提供)|無法(?:回答|確定|提供)|不知道|알 수 없|정보가 없|찾을 수 없|لا (?:أعرف|أعلم|توجد معلومات|تتوفر)",
)
_REFUSAL = re.compile("|".join(f"(?:{p})" for group in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _OTHERS) for p in group), re.IGNORECASE)

# Beside a refusal, what the sources are about instead is part of the refusal.
_ABOUT_SOURCES = re.compile(
    rf"^\W*(?:(?:however|instead|rather|but|though|also|they|it),? ?)*(?:{_GIVEN}{_SOURCES}(?: (?:above|provided|given|retrieved))?|they|it|sie|diese|die (?:unterlagen|dokumente|quellen|texte)|ils|elles|les documents)"
    r" (?:only |just |mainly |merely |instead |primarily |all |nur |lediglich |vor allem |seulement )*(?:cover|discuss|mention|describe|deal|talk|focus|relate|refer|contain|concern|address|speak|is about|are about|behandel|beschreib|erwähn|enthalt|parle|trait|concern)\w*\b",
    re.IGNORECASE,
)
# "The passages cover students, but none for pensioners", "…, but they do not mention the founder": what is missing, without saying where again.
_MISSING = re.compile(
    rf"^\W*(?:but|and|however|yet|although|though)?,?\s*(?:(?:they|it|these|those|none|neither)(?: of (?:them|these|those))? (?:{_NOT} )?(?:\w+ )?(?:mention|say|state|specify|name|give|explain|tell|indicate|address|cover)s?\b|(?:none|nothing|not)\b[^.]{{0,60}}\W*$)",
    re.IGNORECASE,
)
_NAMES_SOURCES = re.compile(rf"\b{_SOURCES}\b", re.IGNORECASE)
_APOLOGY = re.compile(r"^\W*(?:(?:i(?:'|\u2019)?m|i am|we(?:'|\u2019)re|we are) (?:very |so |really )?sorry|sorry|unfortunately|apologies|my apologies|i apologi[sz]e|leider|es tut mir leid|tut mir leid|entschuldigung|désolée?|malheureusement|je suis désolée?|lo siento|lamentablemente|申し訳ありません|申し訳ございません|抱歉|对不起)\W*$", re.IGNORECASE)
_TURN = re.compile(r"[,;]\s+(?=(?:but|however|yet|although|though|aber|jedoch|allerdings|mais|cependant|pero|sin embargo)\b)|\s+[\u2013\u2014]\s+|;\s+", re.IGNORECASE)
_LONGEST = 600


def refusal_sentences(text: str) -> tuple[list[Span], list[Span]]:
    """
    The parts of the text that decline, and the parts that state something; parts that do neither are in no list.

    A sentence is split where it turns: "I don't know the price, but delivery takes 3 days."
    """
    refused: list[Span] = []
    stated: list[Span] = []
    for sentence in sentence_spans(text):
        for part in _parts(text, sentence):
            words = part.of(text)
            before = text[sentence.start : part.start]
            if len(words) <= _LONGEST and (_REFUSAL.search(words) or (before and _MISSING.match(words) and _NAMES_SOURCES.search(before))):
                refused.append(part)
            elif not (is_idle(words) or _APOLOGY.match(words)):
                stated.append(part)
    if refused:
        stated = [part for part in stated if not _ABOUT_SOURCES.match(part.of(text))]
    return refused, stated


def _parts(text: str, sentence: Span) -> list[Span]:
    at = sentence.start
    parts = []
    for match in _TURN.finditer(text, sentence.start, sentence.end):
        if match.start() > at:
            parts.append(Span(at, match.start()))
        at = match.end()
    return [*parts, Span(at, sentence.end)] if at < sentence.end else parts
