"""The "yes" or "no" that an answer begins with, and whether a claim behind it says no more than that."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.text.question_frames import frame_of
from ragviz.text.tokens import content_tokens, lower_words
from ragviz.text.word_sets import word_set

_WORD = r"yes|yeah|yep|no|nope|ja|nein|oui|non|sí"
_YES = frozenset({"yes", "yeah", "yep", "ja", "oui", "sí"})
_REGRET = r"(?:(?:unfortunately|sadly|sorry|i(?:'|’)?m afraid|i am afraid|i(?:'|’)?m sorry|leider|malheureusement|lamentablemente|désolée?|lo siento)[\s,]*(?:but\s+)?)"
_END = r"(?:[\s.!,;:–—\-\"'”)*_]|\[\d+\])*"
_LEAD = re.compile(
    rf"[\s\"'“(*_]*(?:{_REGRET}?(?P<said>{_WORD})(?:[\s,]+(?:leider|malheureusement|unfortunately|sorry|of course|certainly|natürlich|bien sûr|claro)\b(?=\s*[.!,:–—-]))?|{_REGRET}(?P<not>not|nicht|pas))(?![\w'’]){_END}",
    re.IGNORECASE,
)
_CONDITIONS = (
    r"if|unless|only|provided|as long as|so long as|when|whenever|until|except|but|from|after|before|between|within|although|though|however"
    r"|sometimes|usually|most|some|"
    r"wenn|falls|sofern|nur|aber|außer|si|sauf|mais|seulement|salvo|pero|solo|sólo"
)
_NARROWS = r"about|because|since|while|with|without|during|on|at|by|via|through|in|into|inside|outside|weil|parce|porque"
_TERMS = {
    True: re.compile(rf"\b(?:{_CONDITIONS}|{_NARROWS})\b|[\d€$£%]", re.IGNORECASE),
    False: re.compile(rf"\b(?:{_CONDITIONS})\b|[\d€$£%]", re.IGNORECASE),
}
"""
A condition, an exception or a figure: what the answer adds to its yes or no, and a bare yes or no does not say. What is not to be had is not to be
had here, with that or because of it either.
"""
_PREFIX = 5
_NAME = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ]\w+")
_ADDRESSED = re.compile(r"\b(?:will|would|do|does|did|can|could|are|have|may) (?:you|your)\b", re.IGNORECASE)
_SAME = word_set(
    """that this it is isn't not possible impossible allowed permitted forbidden prohibited so case correct right true unfortunately sadly sorry of course certainly can can't cannot may do does you
    das ist es nicht leider möglich unmöglich erlaubt verboten gestattet zulässig richtig der fall sie können dürfen geht
    c'est n'est pas cela ce possible impossible permis interdit vous pouvez ne eso esto no es posible imposible permitido prohibido se puede puedes""")
"""Words with which a sentence repeats a yes or no: "that is not possible"."""


class Lead(NamedTuple):
    """A yes or no at the beginning of a text."""

    says_yes: bool
    word: str
    start: int
    end: int
    """Where the words behind it begin."""


def lead_of(text: str) -> Lead | None:
    """The yes or no that a text begins with: "No, …", "Unfortunately not: …", "Leider nein." None where it begins with another word."""
    match = _LEAD.match(text)
    if match is None:
        return None
    group = "said" if match["said"] is not None else "not"
    return Lead(match[group].lower() in _YES, match[group], match.start(group), match.end())


def asks_yes_no(question: str) -> bool:
    """True for a question that yes or no answers; not for "red or green?". "Isn't it free?" is one: "no" says that it is not."""
    frame = frame_of(question) or frame_of(
        re.sub(r"^\W*(is|are|was|were|do|does|did|can|could|would|should|has|have|will)n['’]t\b", r"\1", question, count=1, flags=re.IGNORECASE)
    )
    return frame is not None and frame.is_yes_no


def says_no_more(question: str, claim: str, lead: str, *, says_yes: bool, tongue: str = "") -> bool:
    """
    True for a statement about what was asked, without figures, names, conditions or reasons that the question lacks. ``tongue``: "german" where
    every noun has a capital.
    """
    words = lower_words(claim)
    if words and all(word in _SAME for word in words):
        return True
    known = f" {' '.join(lower_words(question))} "
    # Behind "No," a capital at the beginning is a name's; behind "No." or a colon every sentence has one. Who is asked "will you" may call itself by name.
    said = claim.strip() if re.search(r"[.!:]", lead) or (not says_yes and _ADDRESSED.search(question)) else f", {claim.strip()}"
    for terms in (_TERMS[says_yes], _NAME)[: 1 if tongue == "german" else 2]:
        if any(f" {match.group().lower()} " not in known for match in terms.finditer(said)):
            return False
    if says_yes and not _takes_up(question, claim):
        return False
    asked = {token.stem for token in content_tokens(question)}
    return any(token.stem in asked for token in content_tokens(claim))


def _takes_up(question: str, claim: str) -> bool:
    """False for "the pool is green" behind the "Yes" to "Is the pool heated?": it takes up nothing of what is asked about the pool."""
    frame = frame_of(question)
    if frame is None or not frame.subject:
        return True
    subject = {token.stem for token in content_tokens(frame.subject)}
    asked = {token.stem[:_PREFIX] for token in content_tokens(frame.before) if token.stem not in subject}
    return not asked or not asked.isdisjoint(token.stem[:_PREFIX] for token in content_tokens(claim))
