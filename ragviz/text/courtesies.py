"""Sentences that wish, regret, announce or send on, and state nothing anyone could check. English, German, French, Spanish."""

from __future__ import annotations

import re

_LEAD = r"^[\s\W_]*"
_END = r"[\s\W]*$"
_REST = r"[^.,;:?!\d]"

_WISH = re.compile(
    _LEAD + rf"(?:(?:and |und )?(?:get well soon|good luck|all the best|best of luck|safe (?:travels|journey)|congratulations|many happy returns"
    r"|gute besserung|(?:ihnen |dir )?(?:viel (?:erfolg|glück|spaß|freude)|alles gute|gute reise|schöne (?:reise|ferien))|guten appetit|herzlichen glückwunsch"
    r"|bon (?:courage|voyage|appétit|rétablissement)|bonne chance|bonnes vacances|félicitations|prompt rétablissement"
    r"|(?:buena|mucha) suerte|buen viaje|que te mejores|que se mejore|enhorabuena|felicidades)\b"
    rf"(?:,? (?:with|for|on|in|to|and|at|bei|für|mit|zu|zur|zum|auf|und|an|pour|avec|à|dans|et|con|en|para|y)\b{_REST}{{0,50}})?|(?:wir |ich )(?:wünschen?|drücken?) (?:ihnen|dir|euch)\b[^:;\d]{{0,80}}|(?:i|we) wish you\b[^:;\d]{{0,80}})"
    + _END,
    re.IGNORECASE,
)
_REGRET = re.compile(
    _LEAD
    + rf"(?:(?:oh,? )?(?:(?:i(?:'|’)?m|i am|we(?:'|’)?re|we are) )?(?:so |very |really |terribly )?sorry (?:to (?:hear|learn|read)|about (?:that|this|the)|for (?:the|any|your|this|that))\b{_REST}{{0,80}}"
    rf"|(?:i|we) apologi[sz]e\b{_REST}{{0,80}}|(?:my|our) apologies\b{_REST}{{0,60}}|no (?:problem|worries)(?: at all)?|that(?:'|’)?s (?:no problem|a pity|too bad)"
    rf"|(?:das |es )?tut (?:mir|uns) (?:sehr |wirklich )?leid(?:,? (?:das|dies) zu hören)?|(?:bitte )?entschuldigen sie\b{_REST}{{0,60}}|kein problem|schade"
    rf"|(?:je suis|nous sommes) (?:vraiment |sincèrement )?désolée?s?(?: (?:de|pour)\b{_REST}{{0,60}})?|pas de (?:problème|souci)|quel dommage"
    rf"|(?:lo siento|(?:lo )?lamento|lamentamos|sentimos)(?: mucho)?(?: (?:oír|saber|escuchar|las?|los|el)\b{_REST}{{0,60}})?|ningún problema|no hay problema)"
    + _END,
    re.IGNORECASE,
)
_STEPS = r"(?:the |these |those |this |your )?(?:steps?|instructions|guide|points|way)"
_ANNOUNCEMENT = re.compile(
    _LEAD + rf"(?:{_REST}{{1,50}} (?:is|are) (?:really |very |quite |so )?(?:easy|simple|quick|straightforward)(?: and (?:easy|simple|quick))? with us"
    rf"|(?:just |simply |please )?follow (?:{_STEPS})(?: below| here)?|(?:it|this) is (?:how|what)\b{_REST}{{0,60}}|(?:this|here) is what (?:i|you)\b{_REST}{{0,60}}"
    r"|there (?:are|is) (?:two|three|several|different|conflicting) (?:(?:different|conflicting) )?(?:figures|answers|versions|statements)(?: (?:on"
    r"|about|for) (?:this|that))? in (?:the|my|our|these) (?:documents?|sources?|passages?|context|information)(?: (?:i have|provided))?"
    r"|(?:the|my|our|these) (?:documents?|sources?|passages?) (?:give|have|contain|offer) (?:two|several|different|conflicting) (?:(?:different"
    r"|conflicting) )?(?:figures|answers|versions|statements)(?: (?:on|about|for) (?:this|that))?"
    r"|(?:dazu|hierzu|darüber) (?:gibt es|finden sich|stehen|enthalten)(?: \w+){0,4}? (?:zwei|drei|mehrere|verschiedene|unterschiedliche|widersprüchliche) (?:\w+ )?(?:angaben|aussagen|antworten|auskünfte)(?: in \w+ \w+)?"
    rf"|(?:so geht(?:'|’)?s|so gehen sie(?: dabei)? vor|gehen sie (?:dazu |dabei )?(?:wie folgt|so|folgendermaßen) vor|(?:das|es) (?:geht"
    rf"|funktioniert) (?:ganz )?(?:einfach|so)|{_REST}{{1,40}} ist bei uns (?:ganz |sehr )?(?:einfach|leicht))"
    rf"|(?:suivez (?:ces|les) étapes|voici comment\b{_REST}{{0,40}}|procédez comme suit|c(?:'|’)est (?:très )?(?:simple|facile))"
    rf"|(?:siga estos pasos|es (?:muy )?(?:fácil|sencillo)|así (?:funciona|se hace)))" + _END,
    re.IGNORECASE,
)
_WHO = r"(?:us|our|your|the|a|an|someone|somebody|customer|support|unseren?m?r?|uns|die|den|der|das|dem|einen?m?r?|ihren?m?r?|notre|nos|nous|votre|le|la|les|un|une|l['’]|nuestr[oa]s?|su|el|al|nosotros)"
_REFERRAL = re.compile(
    _LEAD
    + r"(?:(?:but|and|so|however|otherwise|in doubt|if in doubt|when in doubt|for (?:more|further) (?:details|information|help)|aber|und|sonst|im zweifel|bei fragen|en cas de doute|en caso de duda),? )?"
    rf"(?:(?:please|kindly) (?:give )?(?:call|phone|ring|e-?mail|write to|ask|speak (?:to|with)|talk (?:to|with)|get in touch with|turn to|check with|follow) {_WHO}\b{_REST}{{0,80}}"
    rf"|(?:call|phone|e-?mail|write to|contact|ask|speak (?:to|with)|talk to) (?:us|our (?:customer|support|service|help|team|staff|hotline|office)\w*)\b{_REST}{{0,60}}"
    rf"|bitte (?:rufen|schreiben|fragen|sprechen|erkundigen|richten|wenden|halten|informieren|lesen|nutzen) sie\b[^.;:?!\d]{{0,100}}"
    rf"|(?:rufen|schreiben|fragen) sie (?:uns|unser\w*)\b{_REST}{{0,80}}"
    rf"|(?:appelez|contactez|écrivez|demandez)(?:-nous| (?:à )?(?:notre|nos))\b{_REST}{{0,80}}|adressez-vous (?:à|au|aux)\b{_REST}{{0,80}}|merci de (?:contacter|vous adresser|appeler)\b{_REST}{{0,80}}"
    rf"|(?:llame|contacte|escriba|pregunte)(?:nos)?(?: (?:a|con))? (?:nuestr[oa]s?|nosotros)\b{_REST}{{0,80}}|póngase en contacto con\b{_REST}{{0,80}}|diríjase a\b{_REST}{{0,80}})"
    + _END,
    re.IGNORECASE,
)
_FACT = re.compile(
    r"\d|@|https?:|www\.|\b(?:before|after|until|within|between|unless|because|only|always|never|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekdays?|weekends?"
    r"|bis|innerhalb|vor dem|nach dem|weil|nur|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|avant|après|jusqu"
    r"|seulement|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|antes|después|hasta|solo|sólo|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", re.IGNORECASE,
)


def is_courtesy(sentence: str) -> bool:
    """True for a wish, a word of regret, or an announcement of what follows: "Gute Besserung!", "I'm sorry to hear that.", "Moving is easy with us."."""
    return any(pattern.match(sentence) is not None for pattern in (_WISH, _REGRET, _ANNOUNCEMENT))


def is_referral(sentence: str) -> bool:
    """True for a sentence that sends on to somebody and says nothing else: "Please call our customer service."; not with a number, a time or an address."""
    return _REFERRAL.match(sentence) is not None and _FACT.search(sentence) is None
