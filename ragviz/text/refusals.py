"""Sentences that decline to answer, told from those that state something."""

from __future__ import annotations

import re

from ragviz.records import Span
from ragviz.text.idle import is_idle, sends_on
from ragviz.text.sentences import sentence_spans
from ragviz.text.verbs import FINITE, words_of

_GIVEN = (
    r"(?:the |this |these |that |any |my |our |your |its |available |provided |given |retrieved |supplied |above |following |current |search |relevant ){0,6}"
)
# A "file" or "record" is a source only when it was "provided" or "retrieved": "The export file does not include comments." states something.
_SOURCES = (
    r"(?:contexts?|passages?|documents?|sources?|texts?|information|excerpts?|articles?|snippets?|documentation|knowledge base|help cent(?:er|re)"
    r"|(?:available|provided|given|retrieved|supplied|search) (?:results?|materials?|data|files?|records?|content|manuals?))"
)
_SAY = (
    r"(?:mention|contain|include|provide|specify|say|state|cover|discuss|address|describe|list|give|answer|offer|explain|detail|indicate|tell|have"
    r"|show|reference|clarify"
    r"|reveal|disclose|support|make (?:any )?(?:mention|reference))"
)
_NOT = r"(?:do(?:es)?(?: not|n['\u2019]t)|did(?: not|n['\u2019]t)|fails? to|never|neglects? to)"
_UNABLE = r"(?:can ?not|can['\u2019]t|could ?n['\u2019]t|could not|am (?:not able|unable)|['\u2019]m (?:not able|unable)|am afraid i can['\u2019]?(?:no)?t|was (?:not able|unable)|were (?:not able|unable)|are (?:not able|unable))"
# Pages, a handbook or a policy may lack other things than words: "The policy does not cover water damage." states something.
_PAGES = r"(?:(?:web ?)?pages?|web ?sites?|hand ?books?|manuals?|guides?|guidelines?|faqs?|polic(?:y|ies)|terms|intranet|wiki|leaflets?|notes|materials?|contexts?|documents?|sources?|passages?|texts?)"
_TELL = r"(?:mention|specify|say|state|describe|explain|indicate|tell|clarify|address|discuss|disclose|reveal|answer|(?:contain|include|have|give|provide|offer) (?:any |an? |the |enough |further |specific |such |that |this )*(?:information|details?|answers?|mention|statement|indication|reference)\b(?! (?:number|code|desk)))"
_KNOWN = r"(?:information|mention|details?|data|references?|evidence|answers?|indications?|records?|passages?|documents?|sources?|context|statements?|knowledge|clue|idea|word)"
"""
What the speaker or the sources lack in a refusal. A fee, a limit or a branch is lacking in the world, and so is what is called after one of these
words: "reference number", "data limit".
"""
_OF_IT = (
    r"(?= *(?:$|[^\w\s]|(?:about|on|of|regarding|concerning|to|in|from|for|that|which|as to|whether|who|whom|whose|how|when|where|why|what|here|there|at|available|provided|given|found|stated|"
    r"(?:is|are|was|were) (?:available|provided|given|found|mentioned|included|stated))\b))"
)
_KINDS = r"(?:(?:relevant|specific|further|such|direct|additional|explicit|clear|enough|sufficient|any|the|this|that|these|those|more|other|detailed|exact|reliable|current|related|contact|pricing|price) ){0,4}"
_ENGLISH = (
    r"\bi (?:really |just |simply |honestly |currently |also )?(?:do not|don['\u2019]t|did not|didn['\u2019]t) (?:really |actually |currently )?(?:know|have (?:any |enough |sufficient |this |that |these |those |the |access|specific |details|information|data)|see (?:any|that|this)|find (?:any|that|this))",
    rf"\bwe (?:really |just |simply |honestly |currently |also )?(?:do not|don['\u2019]t|did not|didn['\u2019]t) (?:really |actually |currently )?(?:know\b|have {_KINDS}{_KNOWN}\b{_OF_IT}|find (?:any|that|this))",
    rf"\bi ?{_UNABLE} (?:to )?(?:\w+ )?(?:answer|find|provide|determine|locate|say|tell|confirm|verify|help|assist|give|identify|see|share|comply|discuss|comment|offer|access)",
    rf"\bwe ?{_UNABLE} (?:to )?(?:\w+ )?(?:answer|determine|say|tell|find|locate|(?:provide|give|share|offer) (?:you )?(?:with )?(?:an? |any |the )?{_KINDS}(?:information|answers?)\b|(?:confirm|verify) (?:this|that|it|whether|if)\b|help (?:you )?with (?:this|that)\b)",
    r"\bi['\u2019]m (?:not (?:able|sure|certain|aware)|unable|afraid)\b|\bi am (?:not (?:sure|certain|aware)|unable to)\b|\bwe(?:['\u2019]re| are) not (?:sure|certain|aware)\b|\bwe['\u2019]re afraid\b",
    rf"\b{_GIVEN}{_SOURCES}(?: (?:above|provided|given|retrieved|here|available|i have|you (?:provided|gave)|at hand))? {_NOT} (?:\w+ ){{0,2}}?{_SAY}\b",
    rf"\b{_GIVEN}{_PAGES}(?: (?:above|provided|given|retrieved|here|available))? {_NOT} (?:\w+ ){{0,2}}?{_TELL}\b",
    rf"\b(?:there (?:is|are|was|were)|i (?:have|see|found|find)|we (?:have|found)|{_GIVEN}(?:{_SOURCES}|{_PAGES}) (?:has|have|contains?|provides?|gives?|gave|offers?|makes?|made)) (?:no|not any|not enough|insufficient|little) {_KINDS}{_KNOWN}\b{_OF_IT}",
    rf"\b(?:there (?:is|was)|i (?:have|see|found|find)|we (?:have|found)|{_SOURCES} (?:has|have|contains?|provides?|gives?|offers?)) (?:nothing|little) (?:(?:here|there|in {_GIVEN}{_SOURCES}) )?(?:about|regarding|concerning|on (?:this|that|it)|that (?:says|mentions|answers|explains))\b",
    rf"(?<!provides )(?<!provided )(?<!made )(?<!makes )(?<!gave )(?<!gives )(?<!shared )(?<!shares )(?<!received )\b(?:no|not enough|insufficient) {_KINDS}(?:information|details?|data|context|evidence|mention|answers?)(?: (?:is|are|was|were|could be|can be) (?:available|provided|given|found|mentioned|included|stated)\b| (?:about|regarding|concerning|on|of|to answer|(?:in|from) {_GIVEN}{_SOURCES})\b(?![^.;]*\b(?:is|are|was|were|be|gets?|will be) (?!available|provided|given|found|mentioned|included|stated|contained)\w+(?:ed|en|pt|ld)\b))",
    rf"\b(?:no|not enough|insufficient) {_KINDS}(?:documents?|passages?|sources?) (?:about|regarding|concerning|that (?:say|mention|state|answer|explain|contain)s?|(?:is|are|was|were) (?:available|provided|given|found|retrieved))\b",
    rf"\b(?:says?|said|saying|mentions?|contains?|found|find|finds|have|has|know) nothing (?:about|on|regarding|specific|relevant|of)\b|\bnothing (?:in|among|from) {_GIVEN}{_SOURCES}\b",
    r"\bnothing (?:is|was|has been) (?:said|mentioned|stated|written|specified)\b|\bunfortunately,? nothing (?:about|on|regarding)\b",
    rf"\b(?:find|see|found|locate) anything (?:about|on|regarding|that|in {_GIVEN}{_SOURCES})\b",
    rf"\b(?:none|neither|no one) of (?:{_GIVEN}{_SOURCES}|them|these|those)(?: \w+)? {_SAY}s?\b|\b(?:none|neither|no one) of {_GIVEN}{_PAGES}(?: \w+)? {_TELL}s?\b",
    rf"\b(?:is|are|was|were) (?:not|n['\u2019]t) (?:\w+ ){{0,2}}?(?:mentioned|specified|stated|provided|included|covered|given|available|listed|described|found|contained|discussed|addressed|answered|explained|clear|indicated|disclosed)\b[^.;]{{0,40}}?\b(?:in|by|from|within|among|here)\b {_GIVEN}{_SOURCES}",
    rf"\b(?:is|are|was|were) (?:not|n['\u2019]t) (?:\w+ ){{0,2}}?(?:mentioned|specified|stated|described|discussed|addressed|answered|explained|indicated|disclosed)\b[^.;]{{0,40}}?\b(?:in|on|by|within)\b {_GIVEN}{_PAGES}\b",
    rf"\b{_GIVEN}{_SOURCES} (?:is|are|was|were) (?:not (?:sufficient|enough|relevant|helpful)|insufficient|silent|unrelated|irrelevant|unclear)\b",
    rf"\b(?:cannot|can ?not|can['\u2019]t|could not|couldn['\u2019]t) be (?:(?:answered|determined|inferred)\b[^.;]{{0,40}}?(?:from|based on|with|using|in|by|$|[.;])|(?:found|confirmed|verified|established)\b[^.;]{{0,20}}?\b(?:from|based on|with|using|in|by) {_GIVEN}(?:{_SOURCES}|{_PAGES})\b)",
    r"\b(?:this|that|it|the answer|an answer) (?:cannot|can ?not|can['\u2019]t|could not|couldn['\u2019]t) be (?:found|confirmed|verified|established)\b",
    r"\b(?:unanswerable|not answerable|no answer (?:is )?(?:present|found|available|possible)|answer (?:is )?not (?:found|present|available|in))\b",
    r"^\W*(?:unknown|n/?a|no answer|not (?:found|available|mentioned|specified|stated|known)|i (?:do not|don['\u2019]t) know|insufficient information)\W*$",
    r"\b(?:against my (?:guidelines|programming)|i (?:must|have to) decline|i won['\u2019]t be able to|beyond (?:my|the) (?:scope|knowledge))\b",
)
_GERMAN = (
    r"\b(?:steh(?:t|en)|find(?:et|en)|gibt es|enthalten|enthält|hergeben|geben|sagen|liefern|erwähn(?:t|en)|nennt|nennen)\b[^.;]{0,80}?\b(?:nichts|kein(?:e[mnrs]?)?)\b(?:[^.;]{0,80}?\b(?:unterlagen|dokument\w*|quellen?|text\w*|passage\w*|kontext|informationen?|angaben?|hinweise?|auskunft|antwort|darüber|dazu|hierzu)\b|[^.;]{0,30}$)",
    r"\b(?:dazu|darüber|hierzu|davon|hierüber)\b[^.;]{0,60}?\b(?:nichts|keine (?:angaben?|informationen?|auskunft|hinweise?|aussage)|nicht(?: \w+){0,3} (?:beantworten|sagen|finden|erwähnt|genannt))\b",
    r"\b(?:unterlagen|dokument\w*|quellen?|text\w*|passagen?|kontext)\b[^.;]{0,60}?\b(?:nichts|keine (?:angaben?|informationen?|auskunft|hinweise?|antwort|aussage)|nicht (?:hervor|erwähnt|genannt|enthalten|beantwort\w+|angegeben))\b",
    r"\bich (?:weiß|weiss|kann|konnte|habe|finde)\b[^.;]{0,60}?\b(?:nicht (?:sagen|beantworten|finden|helfen|angeben|bestimmen|sicher)|es nicht|das nicht|nicht[.,;]?$|kein(?:e[nr]?)? (?:informationen?|angaben?|antwort|auskunft|daten))\b",
    r"\b(?:weiß|weiss) (?:ich|ich (?:das|es)|wir|wir (?:das|es))(?: (?:leider|auch|selbst|gerade|noch|aber|im moment|momentan|ehrlich gesagt|so genau|das|es|dazu|darüber))* (?:nicht|nichts)(?: genau| sicher| mehr)?(?=\W*$|[,.;])",
    r"\bkann ich (?:(?:ihnen|dir|euch|leider|auch|so|das|es|aber|im moment|momentan) )*nicht (?:\w+ )?(?:sagen|beantworten|angeben|bestätigen|herausfinden)\b",
    r"\bbin ich (?:mir )?(?:leider )?nicht sicher\b|^\W*(?:leider )?keine ahnung\b|\bist mir (?:leider )?nicht bekannt\b|\bentzieht sich meiner kenntnis\b",
    r"\b(?:frage|das) (?:lässt sich|kann)\b[^.;]{0,60}?\bnicht\b[^.;]{0,20}\b(?:beantwort\w+|sagen|bestimmen|ermitteln)\b|\bliegen (?:mir |uns )?(?:dazu |hierzu )?(?:leider )?keine\b",
)
_FRENCH = (
    r"\bje n['\u2019]ai (?:pas trouv\u00e9|trouv\u00e9 aucun|pas (?:d['\u2019]|cette |ces |assez d))|\bje ne (?:sais pas|peux pas|trouve (?:pas|aucun)|dispose pas|suis pas (?:en mesure|sûre?))|\b(?:les? |la |ces? )?(?:documents?|passages?|sources?|textes?|extraits?|contexte)\b[^.;]{0,60}?\bne (?:mentionnen?t?|contien\w+|précisen?t?|donnen?t?|disen?t|indiquen?t?|fournissen?t|permet\w*)(?: pas| rien| aucun\w*)?",
    r"\b(?:aucune? (?:information|mention|réponse|donnée|précision)|rien)\b[^.;]{0,60}?\b(?:documents?|passages?|sources?|textes?|extraits?|contexte|à ce sujet|disponible|trouvée?)",
    r"\bje (?:ne (?:le |la |les )?sais (?:malheureusement |hélas |vraiment |tout simplement )*(?:pas|rien)|n['\u2019]en sais (?:malheureusement )?rien|l['\u2019]ignore|ne connais pas (?:la|cette) (?:réponse|information))\b",
    r"\bn['\u2019](?:est|sont) pas (?:mentionn|précis|indiqu|spécifi)\w+[^.;]{0,40}",
)
_SPANISH = (
    r"\bno (?:lo sé|sé|puedo (?:responder|contestar|encontrar|determinar|ayudar|decir)|tengo (?:información|datos|suficiente|(?:esa|esta|dicha|ninguna|más|la) (?:información|respuesta))|encuentro|dispongo|hay información|se (?:menciona|indica|especifica|encuentra))",
    r"(?:^\W*|[,;] *|\b(?:lo|la|yo) )desconozco\b",
    r"\b(?:documentos?|fuentes?|textos?|pasajes?|contexto|información)\b[^.;]{0,60}?\bno (?:menciona|contiene|incluye|indica|especifica|proporciona|dice)n?\b",
)
_OTHERS = (
    r"\bnão (?:sei|posso responder|encontrei|há informaç\w+|(?:tenho|disponho de|disponho) (?:d?ess[ae]s? |d?est[ae]s? |nenhuma )?(?:informaç\w+|dados|resposta))",
    r"\bnon (?:lo so|so rispondere|saprei|posso rispondere|ho (?:questa |quest['\u2019] ?|tale |alcuna )?(?:informazion[ei]|risposta)|dispongo di (?:questa |tale )?informazion[ei]|trovo|ci sono informazioni)\b",
    r"\b(?:ik weet het (?:helaas |ook )*niet|weet ik (?:(?:het|dat|helaas|ook) )*niet|geen informatie|kan ik (?:(?:u|je|jou|helaas) )*niet (?:zeggen|beantwoorden))\b|\bnie (?:wiem|mogę odpowiedzieć|ma informacji)\b|\bя не знаю\b|\bнет информации\b|\bне (?:указано|упоминается|могу ответить)\b",
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
_APOLOGY = re.compile(
    r"^\W*(?:(?:i(?:'|\u2019)?m|i am|we(?:'|\u2019)re|we are) (?:very |so |really )?sorry|sorry|unfortunately|apologies|my apologies|i apologi[sz]e|leider|es tut mir leid|tut mir leid|entschuldigung|désolée?|malheureusement|je suis désolée?|lo siento|lamentablemente|申し訳ありません|申し訳ございません|抱歉|对不起)\W*$",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"[,;]\s+(?=(?:but|however|yet|although|though|aber|jedoch|allerdings|mais|cependant|pero|sin embargo)\b)|\s+[\u2013\u2014]\s+|;\s+", re.IGNORECASE
)
_LONGEST = 600
_AND = re.compile(rf",?\s+(?:and|while|whereas|so)\s+(?=(?:i|we|there|nothing|{_GIVEN}(?:{_SOURCES}|{_PAGES}))\b)", re.IGNORECASE)
"""Where a sentence that stated something may begin to decline."""


def refusal_sentences(text: str) -> tuple[list[Span], list[Span]]:
    """
    The parts of the text that decline, and the parts that state something; parts that do neither are in no list.

    A sentence is split where it turns: "I don't know the price, but delivery takes 3 days."
    """
    refused: list[Span] = []
    stated: list[Span] = []
    for sentence in sentence_spans(text):
        for part in (half for whole in _parts(text, sentence) for half in _halves(text, whole)):
            words = part.of(text)
            before = text[sentence.start : part.start]
            if len(words) <= _LONGEST and (_REFUSAL.search(words) or (before and _MISSING.match(words) and _NAMES_SOURCES.search(before))):
                refused.append(part)
            elif not (is_idle(words) or sends_on(words) or _APOLOGY.match(words)):
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


def _halves(text: str, part: Span) -> list[Span]:
    """"Visiting ends at 8 pm, and our pages do not mention Sundays": what is stated, and what is declined."""
    words = part.of(text)
    declined = _REFUSAL.search(words) if len(words) <= _LONGEST else None
    if declined is None:
        return [part]
    # Where the first refusal begins; looking at every "and" would take time with the square of a sentence.
    joins = [match for match in _AND.finditer(words) if match.end() <= declined.start()]
    if not joins or not any(word in FINITE for _, _, word in words_of(words[: joins[-1].start()])):
        return [part]
    return [Span(part.start, part.start + joins[-1].start()), Span(part.start + joins[-1].end(), part.end)]
