"""Who a clause is about, where that can be told safely."""

from __future__ import annotations

import itertools
import re

import msgspec

from ragviz.text.verbs import (
    BARE_PLURAL,
    BARE_PREDICATE,
    DETERMINERS,
    FINITE,
    NOT_A_SUBJECT,
    NOUNS_TOO,
    PLURAL,
    PRONOUNS,
    SINGULAR,
    words_of,
)
from ragviz.text.word_sets import word_set

_MOST_SUBJECT_WORDS = 7
_NOUN_FIRST = NOUNS_TOO | {"ships", "costs", "supports", "works", "cost", "pay", "offer", "range", "work", "need", "show"}
_ELLIPTICAL = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|may|might|must|should|will|would)(?:n['\u2019]t|\s+not)?(?:\s+(?:too|so|either))?\W*$", re.IGNORECASE
)
_CONTRACTED = word_set("it's there's that's they're we're you're i'm he's she's")
_VERB_FORM = re.compile(r"(?:[^su\W]s|ed)$")
_FREE_WORDS = word_set(
    "also now only still always never usually typically normally currently generally often then therefore automatically not nur auch immer nie"
)
_EXPLETIVE = re.compile(
    r"(?:it|es|il)\s+(?:is|was|can be|may be|will be|would be|ist|war|est|takes?|took|seems?|appears?|looks?|rains?|snows?|gibt|gab|y a|dauert|faut)\b(?:\s+(?:also|not|very|always|usually|auch|nicht)\b)*"
    r"(?=.{0,120}\b(?:to|that|dass|zu|de|que|for|whether|if|when)\b)",
    re.IGNORECASE | re.DOTALL,
)


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The words before the first finite verb."""

    text: str
    is_singular: bool | None
    """From the verb's form; None when it does not tell."""

    def agrees(self, pronoun: str, verb: str) -> bool:
        """Whether the pronoun of a later clause can only mean this subject."""
        if self.text.split()[0].lower() in PRONOUNS:
            return False
        if pronoun in ("it", "es", "er", "il", "elle"):
            return self.is_singular is True and verb not in PLURAL
        if pronoun in ("they", "ils", "elles"):
            return self.is_singular is False
        return False


class PronounVerb(msgspec.Struct, frozen=True, kw_only=True):
    """A clause's first word when it is a personal pronoun, and the verb behind it."""

    pronoun: str
    pronoun_end: int
    verb: str


def is_elliptical(clause: str) -> bool:
    """"the Basic plan does not": it needs the clause before it to say anything."""
    return bool(_ELLIPTICAL.search(clause))


def has_verb(clause: str) -> bool:
    """True when some word after the first can be a finite verb."""
    words = words_of(clause)
    return any(w in FINITE for _, _, w in words[1:]) or (bool(words) and words[0][2] in _CONTRACTED)


def may_have_verb(clause: str) -> bool:
    """As ``has_verb``, and also when an unknown word has the form of a verb: "the later change prevails"."""
    words = words_of(clause)
    return has_verb(clause) or (
        len(words) > 2
        and words[0][2] in DETERMINERS | PRONOUNS
        and any(_VERB_FORM.search(w) and before not in DETERMINERS and not before.isdigit() for (_, _, before), (_, _, w) in itertools.pairwise(words[1:]))
    )


def subject_of(clause: str) -> Subject | None:
    """The subject of a clause that begins with it and is short; None when that cannot be told safely."""
    words = words_of(clause)
    for n, (start, _, word) in enumerate(words[: _MOST_SUBJECT_WORDS + 1]):
        if word not in FINITE or (n == 0 and word in _NOUN_FIRST):
            continue
        if n == 0:
            return None
        n_words = n
        while n_words > 1 and words[n_words - 1][2] in _FREE_WORDS:
            n_words -= 1
        first, last = words[0], words[n_words - 1]
        text = clause[first[0] : last[1]]
        if (
            first[2] in NOT_A_SUBJECT | _ALWAYS
            or re.search(r"[,;:()\[\]\u2013\u2014*`\"]", clause[:start])
            or any(w in NOT_A_SUBJECT and w not in _INSIDE_NOUN_PHRASE for _, _, w in words[1:n_words])
        ):
            return None
        singular = True if word in SINGULAR else False if word in PLURAL else None
        if " and " in f" {text.lower()} " or " und " in f" {text.lower()} ":
            singular = False if singular is not True else None
        return Subject(text=text, is_singular=singular)
    return None


_ALWAYS = word_set("never always don't nie niemals immer jamais toujours nunca siempre")
"""What an instruction may begin with: "Never give milk" has no subject that "they" could stand for."""
_INSIDE_NOUN_PHRASE = word_set("of for in on at from with to by von für im in am an de du des en à del con")


def leading_pronoun_verb(clause: str) -> PronounVerb | None:
    """"it is free": a personal pronoun followed (perhaps after an adverb) by a finite verb. "it is possible that" has no such subject."""
    words = words_of(clause)
    if len(words) < 2:
        return None
    first = words[0][2]
    contracted = first.split("'")
    if len(contracted) == 2 and contracted[0] in PRONOUNS and contracted[1] in ("s", "re", "ll", "ve", "d", "m"):
        return PronounVerb(pronoun="", pronoun_end=0, verb=contracted[1])
    if first not in PRONOUNS:
        return None
    at = 1
    while at < len(words) - 1 and words[at][2] in _FREE_WORDS:
        at += 1
    if words[at][2] not in FINITE:
        return None
    pronoun = "" if _EXPLETIVE.match(clause) else first
    return PronounVerb(pronoun=pronoun, pronoun_end=words[0][1], verb=words[at][2])


def begins_statement(clause: str) -> bool:
    """True when the clause has a subject of its own: a determiner or a noun, then a finite verb within a few words."""
    words = words_of(clause)
    if len(words) < 3 or words[0][2] in NOT_A_SUBJECT or (words[0][2] in FINITE and words[0][2] not in _NOUN_FIRST) or clause.lstrip()[0].isdigit():
        return False
    determined = words[0][2] in DETERMINERS or clause.lstrip()[:1].isupper()
    for n in range(1, min(len(words), _MOST_SUBJECT_WORDS)):
        between = clause[words[n - 1][1] : words[n][0]]
        if "," in between or ";" in between:
            return False
        word = words[n][2]
        if word in ("which", "who", "that", "whose", "where", "welche", "qui"):
            return False
        if word in NOUNS_TOO and any(w in _SURE for _, _, w in words[n + 1 : n + 4]):
            continue
        if word in FINITE:
            # Without a determiner a bare plural is only safe before an unambiguous verb: "tracking is included".
            bare_plural = n == 1 and words[0][2].endswith("s") and word in BARE_PLURAL | _STAYING
            return (determined and (word in _SURE or n > 1)) or (word in _SURE and n <= 4) or bare_plural
        if word in NOT_A_SUBJECT and word not in _INSIDE_NOUN_PHRASE:
            return False
    return False


# "need to arrive and stay": the second word may hang on "to", not on the subject.
_INFINITIVE = re.compile(rf"\bto\s+(?!(?:{'|'.join(sorted(DETERMINERS))})\b)[a-z]+", re.IGNORECASE)
_PLURAL_MAIN = PLURAL - {"do", "don't", "help", "let", "make"}
_STAYING = word_set("stay cost start end")
_INSTRUCTIONS = word_set(
    """use open press choose click tap ask write send keep call contact check wait sign hold enter go select turn switch put pull push add remove
    take read make set clean wipe charge store connect install update call return bring try do don't never always
    """
)


def begins_instruction(clause: str) -> bool:
    """"use Ethernet there": tells the reader what to do."""
    words = words_of(clause)
    return len(words) > 1 and words[0][2] in _INSTRUCTIONS


_SURE = word_set(
    "is are was were has have had does do did can cannot can't may might must should will won't would isn't aren't wasn't weren't doesn't don't "
    "ist sind war waren hat haben wird werden kann können muss müssen darf kostet dauert gilt beträgt enthält est sont a ont peut doit coûte es "
    "son está tiene puede cuesta costs takes includes contains requires lasts"
)


def shared_predicate(left: str, right: str) -> bool:
    """"takes 2 days | costs 5 €": the right side begins with a finite verb that can share the left side's subject."""
    words = words_of(right)
    at = 0
    while at < len(words) - 1 and words[at][2] in _FREE_WORDS:
        at += 1
    verbs = [w for n, (_, _, w) in enumerate(words_of(left)) if w in FINITE and not (n == 0 and w in _NOUN_FIRST)]
    if not verbs or at >= len(words) - 1:
        return False
    first, second = verbs[0], words[at][2]
    if second not in BARE_PREDICATE and not (second in BARE_PLURAL and first in _PLURAL_MAIN and not _INFINITIVE.search(left)):
        return False
    return not ((first in SINGULAR and second in PLURAL) or (first in PLURAL and second in SINGULAR)) and ":" not in left
