"""
A question turned into the statement that a short answer completes: "How long does the pump last?" is "the pump last …". English, and roughly German,
French and Spanish.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.text.verbs import DETERMINERS, FINITE, PRONOUNS, third_person
from ragviz.text.word_sets import word_set


class Frame(NamedTuple):
    """A statement with one gap. Words of the question, in an order that keeps what belongs together together."""

    before: str
    after: str
    """What stands behind the gap."""
    counted: str
    """The noun asked about, said behind the answer where the answer leaves it out: "moons" of "How many moons does Mars have?"."""
    subject: str
    """What the question is about, as far as it stands before its verb; "" where that is what is asked for."""
    is_yes_no: bool
    """There is no gap: "yes" says it, "no" denies it."""
    tongue: str
    """"" for English."""
    denied: str = ""
    """What "no" says; "" where that has no words of its own here."""
    asks_name: bool = False
    """A capitalised answer may be a name."""


MOST_CHARS = 600
MOST_WORDS = 40
_BE = word_set("is are was were")
_DO = word_set("do does did")
_MODAL = word_set("can could may might must shall should will would has have had")
_AUXILIARY = _BE | _DO | _MODAL
_WHERE_WHEN = word_set("when where why how")
_WH = word_set("who whom whose what which when where why how")
_BEFORE_WH = word_set("in on at to from for by with until till since under of through during about after before within into")
_HOW = word_set(
    "long far old tall big large high deep heavy often wide hot cold quickly soon late early strong fast much many thick loud warm expensive small short"
)
_ASIDE = word_set("much many often quickly soon late early far")
"""Said of the answer, not of the thing: "how often" leaves no "often" behind."""
_NO_NOUN = word_set("if when while who that which whether because of")
_POSSESSIVE = word_set("my your his her its our their")
_PREDICATIVE = word_set(
    """available open closed free allowed located situated based born made valid due ready called named necessary required mandatory liable responsible legal
    illegal possible compatible suitable safe new included known used needed sold held kept stored paid worn worth like married fixed full empty waterproof
    covered dangerous poisonous toxic edible eligible entitled exempt able optional compulsory forbidden prohibited permitted active visible common rare true
    """)
_IRREGULAR_PARTICIPLES = word_set(
    "built bought brought given taken written driven grown shown seen found lost won led met sent spent taught told thrown chosen broken drawn cut "
    "put set shut hurt cast fed hung laid been being"
)
_BASE_VERBS = word_set(
    """use open close apply pay get have be go make take give see find need want buy sell start begin end stop run play win lose work live stay leave arrive enter
    keep contain cost last weigh measure serve show store support allow require include cover charge return send ship deliver cancel change replace repair clean
    wash wear drive ride walk swim smoke park bring carry read write publish print speak teach learn study vote elect appoint build grow eat drink cook fly travel
    move turn switch connect install update reset save load export import join host hold meet become remain happen occur report call contact ask tell mean bear
    invent discover found lead own rent borrow lend sublet sign expire sleep feed plant receive accept refund offer provide
    """)
_FOREIGN = (
    (
        "german",
        word_set("wie wer wen wem wessen was wann wo woher wohin warum weshalb wieso welche welcher welches welchen welchem wieviel wieviele"),
        word_set("viel viele lange oft hoch groß alt weit schwer teuer schnell breit tief lang"),
    ),
    ("french", word_set("combien quand où qui que quoi quel quelle quels quelles pourquoi comment"), word_set("de temps d'années est-ce que")),
    ("spanish", word_set("cuánto cuánta cuántos cuántas cuándo dónde quién quiénes qué cuál cuáles cómo"), word_set("tiempo")),
)
_FOREIGN_ASKING = {
    "german": word_set("ist sind war waren hat haben kann können darf dürfen muss müssen wird werden gibt gilt braucht"),
    "french": word_set("est-ce est sont peut-on puis-je faut-il a-t-il a-t-elle"),
    "spanish": word_set("es son está están tiene puede hay se"),
}
_DENIAL = {"german": "es ist nicht wahr, dass", "french": "il n'est pas vrai que", "spanish": "no es verdad que"}
_QUESTION = re.compile(r"[^?？.!\n]*[?？]|[^?？.!\n]+$")
_SPLITS = re.compile(r"\b(?:and|or) (?:who|whom|whose|when|where|why|how|what|which)\b|;", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s(?:or|oder|ou)\s", re.IGNORECASE)
_LEAD = re.compile(r"^([^,?]{3,80}),\s+(?=(?:\w+ )?(?:who|whom|whose|when|where|why|how|what|which)\b)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def frame_of(question: str) -> Frame | None:
    """The statement behind a question; None where several things are asked, or nothing that could be turned around."""
    if len(question) > MOST_CHARS:
        return None  # a page of text with a question somewhere in it
    asked = [part.strip() for part in _QUESTION.findall(question) if part.strip()]
    if not asked or sum("?" in part or "？" in part for part in asked) > 1:
        return None
    text = asked[-1].rstrip("?？ ").strip(" ¿\"'“”«»")
    if _SPLITS.search(text):
        return None
    lead = _LEAD.match(text)
    aside = ""
    if lead is not None:
        aside, text = f" {lead[1][:1].lower()}{lead[1][1:]}", text[lead.end() :]
    words = text.split()
    if not 2 <= len(words) <= MOST_WORDS:
        return None
    return _english(words, aside) or _foreign(words, aside)


def _low(word: str) -> str:
    return word.strip("\"'“”‘’(),;:").lower().replace("’", "'")


def _english(words: list[str], aside: str) -> Frame | None:
    first = _low(words[0])
    if first in _AUXILIARY:
        return _yes_no(words, aside)
    at = 1 if first in _BEFORE_WH and len(words) > 2 and _low(words[1]) in _WH else 0
    wh = _low(words[at])
    if wh.endswith("'s") and wh[:-2] in _WH:  # "what's the price"
        words = [*words[:at], words[at][:-2], "is", *words[at + 1 :]]
        wh = wh[:-2]
    if wh not in _WH:
        return None
    rest = words[at + 1 :]
    noun: list[str] = []
    adjective, many = "", False
    if wh == "how" and rest and _low(rest[0]) in _HOW:
        adjective = "" if _low(rest[0]) in _ASIDE else rest[0]
        many, rest = _low(rest[0]) in {"many", "much"}, rest[1:]
        if many:
            noun, rest = _until_auxiliary(rest)
    elif wh in {"what", "which", "whose"}:
        noun, rest = _until_auxiliary(rest)
    counted = " ".join(noun)
    named = wh in {"who", "whom", "whose", "which", "where"} or (wh == "what" and bool(noun))
    preposition = f" {first}" if at and first != "for" else ""
    if not rest:
        # "Which company makes the valve": no auxiliary, so what is asked for is the subject.
        return Frame("", counted + aside, "", "", is_yes_no=False, tongue="", asks_name=named) if len(noun) > 1 and wh != "whose" else None
    auxiliary, behind = _low(rest[0]), rest[1:]
    if auxiliary not in _AUXILIARY:
        # "Who wrote it", "How many people live there".
        return (
            None if wh in _WHERE_WHEN and not noun and not many else Frame("", " ".join(rest) + aside, counted, "", is_yes_no=False, tongue="", asks_name=named)
        )
    if not behind:
        return None
    if auxiliary in _DO or (wh in _WHERE_WHEN | {"whom"} and not noun) or _begins_with_thing(behind, auxiliary):
        frame = _asked_last(rest[0], behind, counted, adjective, aside)
        return frame._replace(before=frame.before + preposition, asks_name=named)
    return Frame("", " ".join(rest) + aside, counted, "", is_yes_no=False, tongue="", asks_name=named)


def _until_auxiliary(words: list[str]) -> tuple[list[str], list[str]]:
    """The noun behind "which" or "how many", and the rest from its verb; all of it where no verb is known."""
    for i, word in enumerate(words[:7]):
        low = _low(word)
        if low in _AUXILIARY:
            return words[:i], words[i:]
        if low == "of" and i:
            asked = next((j for j in range(i + 1, min(len(words), i + 6)) if _low(words[j]) in _DO), i)
            return words[:asked], words[asked:]  # "what kind of engine does …", "what percentage | of the members voted"
        if low in _NO_NOUN or (low in FINITE and i == 0):
            return [], words
        if i and (low in FINITE or low in _BASE_VERBS or low.endswith("ed")):
            return words[:i], words[i:]
    return words, []


def _begins_with_thing(words: list[str], auxiliary: str) -> bool:
    """True where the subject stands behind the auxiliary: "what can guests bring", not "what can damage the filter"."""
    word = _low(words[0])
    if auxiliary in {"has", "have", "had"} and word not in PRONOUNS and not any(_is_predicate(words, i) for i in range(1, len(words))):
        return False  # "who has the key", "how many planets have moons"
    if word in DETERMINERS | PRONOUNS | _POSSESSIVE or words[0][:1].isupper() or words[0][:1].isdigit():
        return True
    if auxiliary in _BE:
        return False
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_predicate(words: list[str], i: int) -> bool:
    """True for the word with which what is said of the subject begins: "the museum | located", "the shop | open"."""
    word, before = _low(words[i]), _low(words[i - 1])
    if before in DETERMINERS | _POSSESSIVE | _BEFORE_WH:
        return False
    return (
        (word.endswith("ed") and len(word) > 4)
        or word in _PREDICATIVE
        or word in _IRREGULAR_PARTICIPLES
        or (word.endswith("ing") and len(word) > 5 and i == len(words) - 1)
    )


def _subject_end(auxiliary: str, words: list[str], *, says_what: bool = False) -> int | None:
    """How many words the subject has that stands behind an auxiliary; None where that cannot be told. ``says_what``: something is said of it behind it."""
    if _low(words[0]) in PRONOUNS - {"this", "that", "these", "those"}:
        return 1
    for i in range(1, len(words)):
        word, before = _low(words[i]), _low(words[i - 1])
        if before in DETERMINERS | _POSSESSIVE | _BEFORE_WH:
            continue
        if auxiliary in _BE or auxiliary in {"has", "have", "had"}:
            if _is_predicate(words, i):
                return i
        elif word in _BASE_VERBS or (i == len(words) - 1 and not word[:1].isdigit() and word not in _BEFORE_WH):
            return i
    if auxiliary not in _BE and _low(words[0]).endswith("s") and len(words) > 1:
        return 1
    if says_what and auxiliary in _BE and len(words) > 1:
        article = next((i for i in range(1, len(words)) if _low(words[i]) in {"a", "an"}), None)
        if article is not None:
            return article
        last = len(words) - 1
        return last if _low(words[last - 1]) not in DETERMINERS | _POSSESSIVE | _BEFORE_WH | {"and"} and not words[last][:1].isupper() and last > 1 else None
    return None


def _asked_last(auxiliary: str, words: list[str], counted: str, adjective: str, aside: str) -> Frame:
    """The answer stands behind everything: "the museum is located …", "Mars have … moons"."""
    low = _low(auxiliary)
    end = _subject_end(low, words)
    kept = [] if low in _DO else [auxiliary]
    if end is None:
        if low in _BE:
            return Frame(" ".join([*words, *kept]) + aside, adjective, counted, " ".join(words), is_yes_no=False, tongue="")
        return Frame(" ".join([*kept, *words]) + aside, "", counted, " ".join(words), is_yes_no=False, tongue="")
    subject = " ".join(words[:end])
    return Frame(
        " ".join([subject, *kept, *_inflected(low, words[end:])]) + aside, "" if low not in _BE else adjective, counted, subject, is_yes_no=False, tongue=""
    )


def _inflected(auxiliary: str, words: list[str]) -> list[str]:
    """What is said of a subject asked about with "does": "the warranty lasts five years", since "the warranty last five years" reads as the past five."""
    return [third_person(words[0]), *words[1:]] if auxiliary == "does" and words and words[0].isalpha() else words


def _yes_no(words: list[str], aside: str) -> Frame | None:
    auxiliary, behind = _low(words[0]), words[1:]
    if not behind or any(_low(w) in {"not", "n't"} for w in behind[:3]):
        return None
    text = " ".join(behind)
    either = _ALTERNATIVES.search(text)
    if either is not None:
        # "Is the door red or green?": neither may be taken as given.
        given = text[: either.start()].split()[:-1]
        while given and _low(given[-1]) in _BEFORE_WH | DETERMINERS:
            given.pop()
        if not given:
            return None
        kept = [] if auxiliary in _DO else [words[0].lower()]
        return Frame(" ".join([*given, *kept] if auxiliary in _BE else [*kept, *given]) + aside, "", "", "", is_yes_no=False, tongue="")
    end = _subject_end(auxiliary, behind, says_what=True)
    kept = [] if auxiliary in _DO else [words[0].lower()]
    if end is None:
        # Without a seam to be found the auxiliary stands where no subject is cut in two.
        plain = " ".join([*kept, *behind]) + aside
        return Frame(plain, "", "", text, is_yes_no=True, tongue="", denied=f"it is not true that {plain}")
    subject, rest = behind[:end], behind[end:]
    denied = " ".join([*subject, words[0].lower(), "not", *rest]) + aside
    return Frame(" ".join([*subject, *kept, *_inflected(auxiliary, rest)]) + aside, "", "", " ".join(subject), is_yes_no=True, tongue="", denied=denied)


def _foreign(words: list[str], aside: str) -> Frame | None:
    lows = [_low(w) for w in words]
    for tongue, asking, helpers in _FOREIGN:
        at = next((i for i, w in enumerate(lows[:2]) if w in asking or (tongue == "french" and w.startswith("qu'"))), None)
        if at is not None:
            start = at + 1
            while start < len(words) and lows[start] in helpers:
                start += 1
            rest = words[start:]
            if len(rest) > 1 and lows[start] not in DETERMINERS:
                rest = [*rest[1:], rest[0]]  # the verb behind its subject: "der Akku hält …"
            if rest:
                return Frame(" ".join(rest) + aside, "", "", "", is_yes_no=False, tongue=tongue)
        if lows[0] in _FOREIGN_ASKING[tongue] and len(words) > 2 and _ALTERNATIVES.search(" ".join(words)) is None:
            return _foreign_yes_no(tongue, " ".join([lows[0], *words[1:]]) + aside)
    return None


def _foreign_yes_no(tongue: str, text: str) -> Frame:
    return Frame(text, "", "", "", is_yes_no=True, tongue=tongue, denied=f"{_DENIAL[tongue]} {text}")
