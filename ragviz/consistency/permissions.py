"""Words of permission and duty: "may", "is not permitted to", "is exempt from", and what is allowed, forbidden, required or left open by them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ragviz.consistency.align import subject_chunk
from ragviz.consistency.analysis import MAX_PLACES, Analysis
from ragviz.text.word_sets import word_set


class Force(Enum):
    """What a rule says of an action."""

    PERMITTED = "permitted"
    FORBIDDEN = "forbidden"
    REQUIRED = "required"
    OPTIONAL = "optional"
    """Not required."""


class Mark(NamedTuple):
    """One word of permission or duty."""

    first: int
    last: int
    """Tokens first..last, a "not" behind it included."""
    force: Force
    action: str
    """Key of what is allowed or required; "" where none was found."""
    is_noun: bool
    """The action is the subject: "Dogs are allowed in the park"."""
    end: int
    """Token of the action, or the mark's last."""


_TURNED = {Force.PERMITTED: Force.FORBIDDEN, Force.FORBIDDEN: Force.PERMITTED, Force.REQUIRED: Force.OPTIONAL, Force.OPTIONAL: Force.REQUIRED}
_MODALS = {
    "may": Force.PERMITTED, "can": Force.PERMITTED, "could": Force.PERMITTED, "must": Force.REQUIRED, "shall": Force.REQUIRED,
    "cannot": Force.FORBIDDEN, "can't": Force.FORBIDDEN, "couldn't": Force.FORBIDDEN, "mustn't": Force.FORBIDDEN, "needn't": Force.OPTIONAL,
}
_WORDS = {
    Force.PERMITTED: "allowed permitted entitled authorised authorized allows allow permits permit lets let permissible",
    Force.FORBIDDEN: "prohibited forbidden banned barred outlawed disallowed illegal unlawful prohibits prohibit forbids forbid bans bars outlaws disallows impermissible",
    Force.REQUIRED: "required obliged obligated mandatory compulsory obligatory requires require obliges",
    Force.OPTIONAL: "exempt exempted optional voluntary exempts excused",
}
_FORCES = {word: force for force, words in _WORDS.items() for word in words.split()}
_BEFORE_VERB = {"have": Force.REQUIRED, "has": Force.REQUIRED, "had": Force.REQUIRED, "need": Force.REQUIRED, "needs": Force.REQUIRED, "needed": Force.REQUIRED,
                "free": Force.PERMITTED, "right": Force.PERMITTED, "permission": Force.PERMITTED, "duty": Force.REQUIRED, "obligation": Force.REQUIRED}
"""These only in front of "to"."""
_BEFORE_ON = {"ban": Force.FORBIDDEN, "bans": Force.FORBIDDEN, "prohibition": Force.FORBIDDEN}
"""These only in front of "on" or "of"."""
_BEFORE_FROM = {"excluded": Force.FORBIDDEN, "debarred": Force.FORBIDDEN}
"""These only in front of "from"."""
_BEFORE = _BEFORE_VERB | _BEFORE_ON | _BEFORE_FROM
_BEHIND = dict.fromkeys(_BEFORE_VERB, ("to",)) | dict.fromkeys(_BEFORE_ON, ("on", "of")) | dict.fromkeys(_BEFORE_FROM, ("from",))
_ASIDE = word_set("without lack lacks lacked lacking than of from absent")
"""Negations of a noun; "of" and "from" end "instead of" and "free from"."""
_NOT = frozenset({"not", "never"})
_PASSED = word_set("to from be been being not never only also always the a an its their his her your by of")
_OR = frozenset({"or", "nor", "and"})
_DONT = frozenset({"don't", "don’t", "never"})
_BEFORE_ORDER = frozenset({"please", "but", "and", "so"})
MAX_DEEDS = 4
"""Deeds of one order that are told apart."""
_MUST_NOT_IS_NEED_NOT = frozenset({"german", "dutch"})
_LINKS = frozenset({"to", "from"})
_PAYING = word_set("pay pays paid paying owe owes owed owing")
WORDS = frozenset(_FORCES) | frozenset(_MODALS) | frozenset(_BEFORE) | _DONT | {"nothing", "do"}


def forbids(lower: str) -> bool | None:
    """True for "banned", False for "allowed", None for a word of neither."""
    force = _FORCES.get(lower)
    return None if force not in {Force.FORBIDDEN, Force.PERMITTED} else force is Force.FORBIDDEN


def marks(text: Analysis) -> list[Mark]:
    """Words of permission and duty in order; kept with the analysis."""
    if text.modals is None:
        text.modals = [] if WORDS.isdisjoint(text.lowers) else _find(text)[:MAX_PLACES]
    return list(text.modals)


def _find(text: Analysis) -> list[Mark]:
    found: list[Mark] = []
    lowers, n = text.lowers, len(text.lowers)
    for i, word in enumerate(lowers):
        nxt = lowers[i + 1] if i + 1 < n else ""
        behind = nxt in _NOT and text.clause[i + 1] == text.clause[i]
        force, last = None, i
        if word in _MODALS:
            force = _MODALS[word]
            if behind:
                last = i + 1
                force = Force.FORBIDDEN if force in {Force.PERMITTED, Force.REQUIRED} else force
            elif _is_denied(text, i):
                force = Force.FORBIDDEN if word != "cannot" else force  # "no visitor may", "nobody must"
            elif text.tongue and _is_denied_behind(text, i):
                force = Force.OPTIONAL if force is Force.REQUIRED and text.tongue in _MUST_NOT_IS_NEED_NOT else Force.FORBIDDEN
        elif word == "need" and nxt == "not":
            force, last = Force.OPTIONAL, i + 1
        elif nxt in _BEHIND.get(word, ()):
            force = _BEFORE[word]
            force = _TURNED[force] if _is_denied(text, i) else force
        elif word in _FORCES:
            force = _TURNED[_FORCES[word]] if _is_denied(text, i) else _FORCES[word]
        elif (word in _DONT or (word == "do" and nxt == "not")) and _begins_order(text, i):
            # "Do not crush or chew it": each of the deeds is forbidden.
            found.extend(_forbidden_deeds(text, i, i + (word == "do")))
            continue
        elif word == "nothing" and nxt != "but" and i and lowers[i - 1] in _PAYING and text.clause[i - 1] == text.clause[i]:
            # "Members pay nothing": they do not have to pay.
            found.append(Mark(i, i, Force.OPTIONAL, text.keys[i - 1], False, i - 1))
        if force is not None:
            action, noun, end = _action(text, i, last)
            found.append(Mark(i, last, force, action, noun, end))
            if force is Force.FORBIDDEN and not noun:
                found.extend(Mark(i, last, force, text.keys[j], False, j) for j in _joined_deeds(text, end))
    return _innermost(text, found)


def _joined_deeds(text: Analysis, first: int) -> list[int]:
    """Tokens of the deeds that "or" joins to one: "used" of "must not be charged or used", "stored" and "sold" of "may not be copied, stored or sold"."""
    out: list[int] = []
    i, ending = first, text.lowers[first][-2:]
    while i + 2 < len(text.lowers) and len(out) < MAX_DEEDS - 1:
        nxt = i + 2 if text.lowers[i + 1] in _OR else i + 1 if text.commas[i] else 0
        # Deeds share their form: "smoke or drink", "charged or used"; what is eaten in "eat nuts or seeds" is no deed.
        if not nxt or not text.content[nxt] or text.clause[nxt] != text.clause[first] or (ending in {"ed", "en"}) != (text.lowers[nxt][-2:] in {"ed", "en"}):
            break
        out.append(nxt)
        i = nxt
    return out


def _begins_order(text: Analysis, i: int) -> bool:
    """True for a "do not" or "never" that nobody stands in front of."""
    return i == 0 or text.clause[i - 1] != text.clause[i] or text.lowers[i - 1] in _BEFORE_ORDER


def _forbidden_deeds(text: Analysis, first: int, last: int) -> list[Mark]:
    out: list[Mark] = []
    i = last + 1
    while i < len(text.lowers) and text.clause[i] == text.clause[first] and text.content[i] and len(out) < MAX_DEEDS:
        out.append(Mark(first, last, Force.FORBIDDEN, text.keys[i], False, i))
        i += 2 if i + 1 < len(text.lowers) and text.lowers[i + 1] in {"or", "and", "nor"} else 1 if text.commas[i] else len(text.lowers)
    return out


def _is_denied(text: Analysis, i: int) -> bool:
    """True where an odd number of negations reaches a token; "without a ticket" says nothing of "can board"."""
    return sum(cue.start <= i < cue.end and text.lowers[cue.at] not in _ASIDE for cue in text.cues) % 2 == 1


def _is_denied_behind(text: Analysis, i: int) -> bool:
    """True for "darf man keine Tiere halten": in other languages the negation of a modal verb may stand far behind it."""
    return any(cue.at > i and text.clause[cue.at] == text.clause[i] and text.lowers[cue.at] not in _ASIDE for cue in text.cues)


def _innermost(text: Analysis, found: list[Mark]) -> list[Mark]:
    """Without "may" in front of "may be required to": what is said is the last of them."""
    return [
        mark for n, mark in enumerate(found)
        if not (n + 1 < len(found) and mark.last < found[n + 1].first <= mark.last + 2 and text.clause[found[n + 1].first] == text.clause[mark.first])
    ]


def _action(text: Analysis, first: int, last: int) -> tuple[str, bool, int]:
    """Key of what a mark at tokens first..last is about, whether it stands before it, and its token."""
    word, clause = text.lowers[first], text.clause[first]
    linked = word in _MODALS or word == "need" or word.endswith(("ts", "it", "ds", "ns", "res", "ire", "let", "lets", "ow", "ows"))
    i = last + 1
    while i < len(text.lowers) and text.clause[i] == clause and i - last <= 8:
        now = text.lowers[i]
        if now in _LINKS and i + 1 < len(text.lowers) and text.lowers[i + 1] not in {"the", "a", "an", "any", "all"}:
            linked = True
        elif text.content[i] and linked:
            # "allows tenants to sublet": what is allowed stands behind "to".
            later = next((j for j in range(i + 1, min(len(text.lowers) - 1, i + 5)) if text.lowers[j] in _LINKS and text.clause[j] == clause), None)
            if later is not None and word not in _MODALS and text.lowers[i - 1] not in _LINKS and later + 1 < len(text.lowers) and text.content[later + 1]:
                return text.keys[later + 1], False, later + 1
            return text.keys[i], False, i
        elif not linked and now not in _PASSED:
            break
        i += 1
    subject = [j for j in range(first - 1, max(-1, first - 9), -1) if text.clause[j] == clause and text.content[j]]
    chunk = subject_chunk(text, clause)
    at = next((j for j in subject if j in chunk), subject[0] if subject else -1)
    return (text.keys[at], True, last) if at >= 0 else ("", True, last)
