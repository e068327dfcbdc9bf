"""Sentences that state nothing anyone could check: greetings, offers of help, remarks about the answer itself, questions."""

from __future__ import annotations

import re

from ragviz.text.courtesies import is_courtesy, is_referral

_LEAD = r"^[\s\W_]*"

_GREETING = re.compile(
    _LEAD + r"(?:(?:hi|hello|hey|dear|greetings|welcome|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?"
    r"|bonjour|bonsoir|salut|hola|buenos d[ií]as|estimad[oa]s?)\b[^.:]{0,60}"
    r"|(?:thanks?|thank you|many thanks|danke|vielen dank|merci|gracias)\b[^.]{0,80}"
    r"|(?:you(?:'|\u2019)?re|you are) (?:very )?welcome|gern geschehen|de rien|de nada"
    r"|(?:good ?bye|bye(?:[ -]bye)?|farewell|see you(?: (?:soon|later|then|around))?|take care|talk (?:to you )?soon|until (?:then|next time)|good night"
    r"|auf wieder(?:sehen|h\u00f6ren)|tsch\u00fcss|bis (?:bald|dann|sp\u00e4ter)|gute nacht|au revoir|\u00e0 (?:bient\u00f4t|plus tard)|adi\u00f3s|hasta (?:luego|pronto|la vista)"
    r"|arrivederci|a presto|tot ziens|at\u00e9 (?:logo|breve|mais)|ciao)(?:, [^\d.,:;]{1,20}| (?:everyone|all|now|then|zusammen|\u00e0 tous|a todos))?"
    r"|(?:great|good|excellent|nice|interesting) question|gute frage|bonne question"
    r"|(?:have|enjoy) (?:a|an|your|the)\b[^.]{0,40}\b(?:day|weekend|evening|one|time|week|trip|holidays?)"
    r"|(?:best|kind|warm) (?:regards|wishes)|sincerely(?: yours)?|cheers|mit freundlichen gr\u00fc\u00dfen|viele gr\u00fc\u00dfe|cordialement|bonne journ\u00e9e|sch\u00f6nen tag(?: noch)?"
    r"|(?:i(?:'|\u2019)m |i am )?(?:so |very )?(?:glad|happy|pleased) to (?:help|assist)|happy to help|hope (?:this|that|it) helps|i hope (?:this|that|it|you)\b[^.]{0,80}"
    r"|ich hoffe,? (?:das|dies|ihnen)\b[^.]{0,60}|j(?:'|\u2019)esp\u00e8re que[^.]{0,60}|espero que[^.]{0,60})[\s\W]*$",
    re.IGNORECASE,
)
_OFFER = re.compile(
    _LEAD + r"(?:(?:but |and |also |however,? |so )?(?:please )?(?:feel free|don(?:'|\u2019)t hesitate|do not hesitate)\b"
    r"|let me know\b|(?:just )?(?:ask|tell me) (?:me )?if\b|is there anything else|(?:if|should) you (?:have|need|want|would like|could|can)\b.{0,120}\b(?:let me know|feel free|hesitate|contact|reach out|happy to|glad to|i can|please|ask)"
    r"|(?:but |and |however,? |so )?(?:i|we)(?:'|\u2019)?(?:d| would| will|(?:'|\u2019)ll|(?:'|\u2019)m| am| are| can| could)? (?:be )?(?:happy|glad|pleased|recommend|suggest|advise|encourage)\b"
    r"|(?:but |and |however,? |so )?(?:please|kindly) (?:contact|check|refer|consult|see|visit|reach|provide|ask|try|rephrase|clarify|get in touch|note that (?:i|this answer))\b"
    r"|(?:you (?:may|might|could|can|should) (?:want to |wish to |also )?(?:contact|check|refer|consult|visit|reach out|ask|try))\b.{0,100}\b(?:support|website|team|help|official|documentation|provider|directly|staff|expert|professional|details|information)"
    r"|(?:aber |und )?(?:bitte )?(?:wenden|melden) sie sich\b|(?:aber |und )?bitte (?:kontaktieren|pr\u00fcfen|fragen|geben|schauen)\b|bei (?:weiteren )?fragen\b|gerne? (?:helfe|unterst\u00fctze|k\u00f6nnen)\b"
    r"|(?:mais |et )?(?:veuillez|n(?:'|\u2019)h\u00e9sitez)\b|(?:pero |y )?(?:por favor|no dude)\b)",
    re.IGNORECASE,
)
_SOURCE = r"(?:(?:retrieved|provided|given|available|supplied|above|following|search|cited|relevant|vorliegenden|bereitgestellten|fournis|proporcionad[oa]s) )*"
_SOURCES = (
    r"(?:passages?|documents?|sources?|contexts?|excerpts?|text|texts|information|articles?|results?|materials?|snippets?|knowledge base|files?"
    r"|records?|documentation"
    r"|dokumente[n]?|quellen?|unterlagen|texte?[n]?|passagen|informationen|kontext|documents|textes|extraits|contexte|documentos|fuentes|textos|contexto|informaci\u00f3n)"
)
_META = re.compile(
    _LEAD
    + rf"(?:(?:based on|according to|from|as per|per|using|looking at|given|laut|gem\u00e4\u00df|nach|auf (?:der )?(?:grundlage|basis) (?:der|des|von)|auf basis|d(?:'|\u2019)apr\u00e8s|selon|seg\u00fan|con base en)"
    rf"\s(?:only )?(?:on )?(?:(?:the|these|this|those|your|my|den|der|dem|die|des|les|le|la|los|las|el)\s)?{_SOURCE}{_SOURCES}(?:\s(?:provided|above|given|below|retrieved|i have|you (?:provided|gave|shared)))?"
    r"|(?:here(?:'|\u2019)?s?|here is|here are|below (?:is|are)|hier (?:ist|sind|finden sie)|voici|aqu\u00ed (?:est\u00e1n?|tienes?))\b[^.]{0,120}"
    r"|(?:in (?:summary|short|conclusion|brief)|to (?:summari[sz]e|sum up)|overall|summary|answer|short answer|zusammenfassend|zusammenfassung|kurz gesagt|antwort|en r\u00e9sum\u00e9|r\u00e9ponse|en resumen|respuesta)"
    r"|(?:let(?:'|\u2019)s|let me|i(?:'|\u2019)ll|i will|lass(?:en)? (?:uns|sie|mich))\b[^.]{0,80}"
    r"|(?:see|see also|click here|see here|cf\.?|source|sources|read more|learn more|more (?:information|details)|siehe|siehe auch|quelle|voir|v\u00e9ase)"
    r"|as an ai\b[^.]{0,100}|sure|certainly|of course|absolutely|okay|ok|alright|nat\u00fcrlich|selbstverst\u00e4ndlich|gerne|bien s\u00fbr|por supuesto|claro)[\s\W]*$",
    re.IGNORECASE,
)
_LONGEST = 400
_REACHED = re.compile(r"\d{3}|@|\b\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|uhr\b|h\b)", re.IGNORECASE)
"""A number or an address, or a time: with it, whom to ask is a fact."""
_QUESTION = re.compile(r"[?\uff1f\u061f][\s\"'\u201d\u2019\u00bb)\]*_]*$")
_WORD = re.compile(r"[^\W_]")


def is_question(sentence: str) -> bool:
    """True when it ends with a question mark."""
    return bool(_QUESTION.search(sentence))


def sends_on(sentence: str) -> bool:
    """True for an offer of help or a referral, also with a number to call: beside a refusal it answers nothing."""
    return len(sentence) <= _LONGEST and (_OFFER.match(sentence) is not None or is_referral(sentence))


def is_idle(sentence: str) -> bool:
    """True for a sentence that states nothing: no word in it, a greeting, a wish, an offer, a referral without a fact, a remark on the answer, a question."""
    if len(sentence) > _LONGEST:
        return False
    return (
        not _WORD.search(sentence) or is_question(sentence) or bool(_GREETING.match(sentence)) or bool(_META.match(sentence)) or is_courtesy(sentence)
        or (bool(_OFFER.match(sentence)) and _REACHED.search(sentence) is None) or is_referral(sentence)
    )
