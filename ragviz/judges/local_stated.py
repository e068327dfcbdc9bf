"""Where a sentence states a short expected answer: all that the answer adds to the question, of the thing that was asked about, and on no terms of its own."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.consistency import AMOUNTS, check
from ragviz.records import Span
from ragviz.text.calendar_words import MONTHS, WEEKDAYS
from ragviz.text.lexical import stem_weight
from ragviz.text.polarity import negations
from ragviz.text.quantities import NUMBER_WORDS
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import STOP_WORDS, Token, content_tokens, lower_words, tokens
from ragviz.text.word_sets import word_set

MOST_WORDS = 14
"""A longer expected answer is no short one."""
_PREFIX = 6
"""Letters from which a word that begins another is taken for its root: "Prüfung" of "Prüfungsordnung"."""
_AMOUNT = re.compile(r"[€$£¥]?\s?\d[\d.,]*(?:\s?[^\s,;()]+)?")
_PIECES = re.compile(r"\s*[;,](?!\d)\s+")
_YES_NO = re.compile(r"[\s\"'“(*_]*(?:yes|yeah|yep|no|nope|ja|nein|oui|non|sí)\b(?:[\s.!,;:–—\-]|$)+", re.IGNORECASE)
_SIGNED = re.compile(r"[€$£¥%°]")
_CONDITIONS = word_set(
    """if unless only provided until till except excluding when whenever wenn falls sofern außer nur erst si sauf excepté seulement lorsque salvo excepto solo sólo cuando
    sometimes usually mostly some partly manchmal meist meistens teilweise parfois souvent""")
_ONLY_BOUND = re.compile(
    r"\b(?:only|nur|erst|seulement|solo|sólo)(?=\s+(?:until|till|up to|within|from|between|on|bis|innerhalb|ab|von|zwischen|jusqu|hasta|de|\d))", re.IGNORECASE
)
_REFERENCE = re.compile(r"(?:§§?|\b(?:Art(?:ikel|icle)?|Abs(?:atz)?|Section|section|Nr|No|Ziffer|page|Seite)\b\.?)\s*\d+\w?")
_ASIDE = re.compile(r"\([^()]*\)|\[\d[\d,;\s–-]*\]|[*_`]")
_SIZED = re.compile(r"\b(\w+) of (?:up to|at most|max\.?)? ?\d[\d.,]* ?\w+", re.IGNORECASE)
"""How large the thing is that was asked about: "a bag of up to 23 kg"."""
_LEAST = re.compile(r"\b(?:at least|minimum|no less than|more than|mindestens|mehr als|au moins|al menos|como mínimo)\b", re.IGNORECASE)
_MOST = re.compile(
    r"\b(?:up to|at most|maximum|no more than|not more than|less than|höchstens|maximal|bis zu|weniger als|au plus|jusqu|como máximo|hasta)\b", re.IGNORECASE
)
_GENERIC = word_set(
    """may get got make take come go give given amount total cost still also too possible allow allowed permitted entitled need be use using pay around about approximately
    maximum minimum most least however unfortunately day time extra additional further
    können kann müssen muss darf dürfen möglich erlaubt kostet kosten beträgt betragen dauert gilt gibt sollen leider noch werden
    coûte coûtent dure peut peuvent doit fait possible est cuesta cuestan dura puede pueden debe es""")
_COUNTS = word_set("once twice thrice einmal zweimal dreimal viermal jamais nunca never always both neither all none")
"""Short words that are an answer, though they carry no content elsewhere."""
_UNNAMED = word_set("i")


class Stated(NamedTuple):
    """Where a short expected answer is stated."""

    span: Span
    """In the text that states it: from the first of its words to the last."""
    value: str
    """The expected words that it states."""


def stated(question: str, expected: str, said: str, *, tongue: str = "", is_first: bool = False, answers: bool = False, whole: bool = False) -> Stated | None:
    """
    Where ``said`` states the expected answer, or one of the parts that commas divide it into.

    Args:
        question: What was asked.
        expected: A short expected answer; a yes or no before it is left aside.
        said: One sentence or claim.
        tongue: "german" where every noun has a capital.
        is_first: An answer begins with it: it is about what was asked unless it says otherwise.
        answers: It follows a "yes" or "no" that was expected.
        whole: Only all of the expected answer counts.

    Returns:
        None for another value, the other polarity, a value of another thing, and where conditions, figures or names come in that neither question nor
        expectation have.
    """
    lead = _YES_NO.match(expected)
    wanted = expected[lead.end() :] if lead is not None else expected
    if (
        not wanted.strip(" .!")
        or len(lower_words(wanted)) > MOST_WORDS
        or len(sentence_spans(wanted)) > 1
        or _sets_terms(said, f"{question} {expected}")
        or _sets_terms(wanted, f"{question} {said}")
    ):
        return None
    parts = [wanted] if whole else list(dict.fromkeys([wanted, *(part for part in _PIECES.split(wanted) if part.strip(" .!"))]))
    for part in parts:
        found = _part(question, expected, part.strip(" .!"), said, tongue=tongue, is_first=is_first, answers=answers)
        if found is None:
            continue
        rest = [other.strip(" .!") for other in parts[1:] if part not in {other, wanted}]
        spoken_of = [other for other in rest if _speaks_of(question, other, said, tongue)]
        if all(_part(question, expected, other, said, tongue=tongue, is_first=is_first, answers=answers) for other in spoken_of):
            return found
    return None


def _speaks_of(question: str, part: str, said: str, tongue: str) -> bool:
    """True where a text has what only that part of the expected answer is about: "twice" is not expected of the thesis in "Twice; the thesis once."."""
    figures = [m.span() for m in _AMOUNT.finditer(part)]
    own = [t for t in content_tokens(part) if t.lower not in _GENERIC | NUMBER_WORDS and not any(a <= t.span.start < b for a, b in figures)]
    asked = {token.stem for token in content_tokens(question)}
    return any(_same(token, t, tongue) for token in own if token.stem not in asked for t in content_tokens(said))


def parts_of(expected: str) -> list[str]:
    """What commas divide a short expected answer into."""
    lead = _YES_NO.match(expected)
    return [part.strip(" .!") for part in _PIECES.split(expected[lead.end() :] if lead is not None else expected) if part.strip(" .!")]


def names_another(question: str, said: str, *, tongue: str = "") -> bool:
    """
    True where the question names "Meadow Flex", and the text names "Meadow Green" and not the first: a value of another thing. So do
    "Ersatzausweis" and "Parkausweis".
    """
    if tongue == "german":
        return _is_other_compound(question, said)
    asked, there = _names(question), _names(said)
    for name in asked:
        if any(set(name) <= set(other) for other in there) or not there:
            continue
        if any(name[0] == other[0] and len(name) > 1 and len(other) > 1 and name[1:] != other[1:] for other in there):
            return True
    return False


def _is_other_compound(question: str, said: str) -> bool:
    ours, theirs = ({token.lower for token in tokens(text) if token.text[:1].isupper()} for text in (question, said))
    return any(_is_twin(one, other) for one in ours - theirs for other in theirs - ours)


def _is_twin(one: str, other: str) -> bool:
    """True for two compounds with one last part and different first ones."""
    n = next((i for i, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b), min(len(one), len(other)))
    return n >= _PREFIX and len(one) > n + 1 and len(other) > n + 1


def _names(text: str) -> list[tuple[str, ...]]:
    """Runs of capitals: "River Fix 12"."""
    return [tuple(match.group().split()) for match in re.finditer(r"\b[A-ZÀ-Þ][\w'’-]*(?: (?:[A-ZÀ-Þ][\w'’-]*|\d+\b))+", text)]


def _sets_terms(said: str, known: str) -> bool:
    words = set(lower_words(known))
    return any(word in _CONDITIONS and word not in words for word in lower_words(_ONLY_BOUND.sub(" ", said)))


def _part(question: str, expected: str, part: str, said: str, *, tongue: str, is_first: bool, answers: bool) -> Stated | None:
    asked = content_tokens(question)
    own = [token for token in content_tokens(part) if not any(token.stem == a.stem for a in asked) or token.lower[:1].isdigit()]
    if (
        not own
        or bool(negations(part)) is not bool(negations(said))
        or (_LEAST.search(part) and _MOST.search(said))
        or (_MOST.search(part) and _LEAST.search(said))
    ):
        return None
    found = check(part, said)
    if found.clashes or not _COUNTS.intersection(lower_words(part)) <= set(lower_words(said)):
        return None
    agreed = [a for a in found.agreements if a.kind in AMOUNTS and a.said]
    theirs = content_tokens(said)
    places = [a.premise_span for a in agreed]
    for token in own:
        if any(a.hypothesis_span.start <= token.span.start < a.hypothesis_span.end for a in agreed) or token.lower in _GENERIC:
            continue
        match = next((t for t in theirs if _same(token, t, tongue)), None)
        if match is None or (token.lower[:1].isdigit() and _SIGNED.search(part[max(0, token.span.start - 1) : token.span.end + 2])):
            return None
        places.append(match.span)
    if not places:
        return None
    place = Span(min(p.start for p in places), max(p.end for p in places))
    figures = [m.span() for m in _AMOUNT.finditer(part)]
    words = [
        token for token in own
        if token.lower not in _GENERIC | NUMBER_WORDS and not any(a <= token.span.start < b for a, b in figures)
        and not any(a.hypothesis_span.start <= token.span.start < a.hypothesis_span.end for a in agreed)
    ]
    extras = _extras(said, theirs, asked, content_tokens(expected), places)
    if any(_is_figure(token) for token in extras) or _adds_name(said, extras, place, tongue) or _is_of_another(question, said, asked, extras, tongue=tongue):
        return None
    shared = [a for a in asked if a.lower not in _GENERIC and any(_akin(a, t, tongue) for t in theirs)]
    if answers or (words and (shared or is_first or len(words) > 1)):
        return Stated(place, part)
    before = [token for token in extras if token.span.start < place.end and token.lower not in _GENERIC and not any(_akin(a, token, tongue) for a in asked)]
    is_about = shared and sum(stem_weight(t.stem) for t in shared) >= sum(stem_weight(t.stem) for t in before)
    return Stated(place, part) if is_about else None


def _same(ours: Token, theirs: Token, tongue: str) -> bool:
    return ours.stem == theirs.stem or (tongue == "german" and len(ours.lower) >= _PREFIX and theirs.lower.startswith(ours.lower))


def _akin(ours: Token, theirs: Token, tongue: str) -> bool:
    """Words of one root: "abmelden" and "Abmeldung"."""
    if ours.stem == theirs.stem:
        return True
    return tongue == "german" and len(ours.lower) >= _PREFIX and len(theirs.lower) >= _PREFIX and ours.lower[:_PREFIX] == theirs.lower[:_PREFIX]


def _extras(said: str, theirs: list[Token], asked: list[Token], expected: list[Token], places: list[Span]) -> list[Token]:
    """What the sentence has beside question, expected answer and the places where it gives that."""
    aside = [Span(*m.span()) for pattern in (_REFERENCE, _ASIDE) for m in pattern.finditer(said)]
    known = {token.stem for token in (*asked, *expected)}
    stems = {token.stem for token in asked}
    aside += [Span(m.end(1), m.end()) for m in _SIZED.finditer(said) if any(token.stem in stems for token in content_tokens(m[1]))]
    return [token for token in theirs if token.stem not in known and not any(token.span.overlaps(p) for p in (*places, *aside))]


def _is_figure(token: Token) -> bool:
    if any(c.isdigit() for c in token.lower):
        return True
    return (token.lower in NUMBER_WORDS and token.lower not in {"one", "second", "minute", "hour", "day", "week", "month", "quarter", "year"}) or (
        len(token.lower) > 3 and (token.lower in WEEKDAYS or token.lower in MONTHS)
    )


def _adds_name(said: str, extras: list[Token], place: Span, tongue: str) -> bool:
    """True for a name that neither has, unless it stands behind in apposition: "the house manager, Ms Abara"."""
    if tongue == "german":
        return False
    for token in extras:
        before = said[: token.span.start].rstrip()
        if not token.text[:1].isupper() or not before or before[-1] in '.!?:“"' or token.lower in _UNNAMED:
            continue
        comma = said.rfind(",", place.end - 1, token.span.start)
        if token.span.start < place.end or (comma < 0 and "(" not in said[place.end : token.span.start]):
            return True
    return False


def _is_of_another(question: str, said: str, asked: list[Token], extras: list[Token], *, tongue: str) -> bool:
    """"The upper pool" where the lower pool was asked about: a word beside one of the question's that stands in the place of another."""
    if names_another(question, said, tongue=tongue):
        return True
    extra = {token.span for token in extras}
    all_ours, all_theirs = tokens(question), tokens(said)
    there = {token.stem for token in all_theirs}
    stems = {token.stem for token in asked}
    for i, ours in enumerate(all_ours[1:], start=1):
        other = all_ours[i - 1]
        if ours.stem not in stems or other.lower in STOP_WORDS or other.stem in there or other.lower in _GENERIC:
            continue
        for j, word in enumerate(all_theirs[1:], start=1):
            beside = all_theirs[j - 1]
            if word.stem == ours.stem and beside.span in extra and beside.lower not in _GENERIC:
                return True
    return False
