"""What the evidence says of some of a kind and the claim of all: "courses above 800 EUR", "employees hired before 2015", "small pets", "half of the seats"."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import irregular_bases, key
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_rules.picks import NO_KIND, OF_THE
from ragviz.judges.local_rules.prices import SIZE
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.calendar_words import ENGLISH_DAYS
from ragviz.text.word_sets import word_set

SAID = 0.6
"""Share of what else the claim says that a unit must say."""
_MODALS = word_set("can could may might must shall should will need needs have has")
_EVERY = word_set("all every each any both")
_WHICH = word_set("that which who whose with without containing")
_OF = word_set("of in on at from to for near under over")
_ABOUT_US = word_set(
    "company firm hotel museum school university shop store building house city town club library office organisation organization team service "
    "app site website platform association hospital clinic restaurant park"
)
"""What a page is about as a rule: "employees of the company" are all that it speaks of."""
_PARTICIPLE_GOES_ON = word_set(
    "by in on before after from for with to at as under over since until during between without within through online abroad here there outside "
    "inside early late"
)
_SOME = word_set("some most many several certain few selected half nearly almost part majority one two three quarter third minority")
_BETWEEN = word_set("of the our your their all both these those")
_WEEKDAYS_ALL = ENGLISH_DAYS | {f"{day}s" for day in ENGLISH_DAYS}
_ONE_OF = word_set("first second third fourth last other next 1st 2nd 3rd 4th")
_WHOLE = word_set("all every each any everywhere throughout whole entire everyone everybody everything anyone both wherever always only daily no")
_ONE_THING = 5
"""Words of content of a claim that says one thing."""
_PEOPLE_AND_TIMES = frozenset(key(word) for word in word_set("person people user customer visitor guest day time year month week hour case member"))
"""Of whom a rule speaks without naming them."""
_REACH = 5
_FAR = 7


def _may_be_verb(text: Analysis, i: int) -> bool:
    """True for a verb as a rule, and for the plain form of an irregular one: "employees keep"."""
    return is_verb(text, i) or irregular_bases().get(text.lowers[i]) == text.lowers[i]


def subject_of(text: Analysis) -> tuple[list[int], int] | None:
    """Tokens of content in front of the first verb, and that verb; None where no verb stands near the beginning."""
    for at in range(min(len(text.lowers), _FAR)):
        if text.clause[at] == 0 and (text.lowers[at] in _MODALS or (at and _may_be_verb(text, at))):
            break
    else:
        return None
    if not at:
        return None
    subject = [i for i in range(at) if text.content[i]]
    return (subject, at) if subject else None


def is_of_some(scene: Scene) -> bool:
    """True where each mention of what the claim says something of all of is narrowed in the evidence, by what the claim does not have."""
    claim, units, known = scene.claim, scene.units, scene.known
    if claim.cues:
        return False
    if not _WEEKDAYS_ALL.isdisjoint(claim.lowers) and _is_one_of_days(claim, units):
        return True
    things_of = _all_of(claim)
    return bool(things_of) and (
        _lacks_all_of(claim, units, things_of) or any(_is_narrowed(claim, units, known, things, every=every) for things, every in things_of)
    )


def _is_one_of_days(claim: Analysis, units: list[Analysis]) -> bool:
    """"Free on Sundays" of "free on the first Sunday of the month"."""
    days = [i for i, word in enumerate(claim.lowers) if word.removesuffix("s") in ENGLISH_DAYS]
    if len(days) != 1 or (days[0] and claim.lowers[days[0] - 1] in _ONE_OF):
        return False
    places = [(unit, i) for unit in units for i in unit.index.get(claim.keys[days[0]], ())]
    return bool(places) and all(i and unit.lowers[i - 1] in _ONE_OF for unit, i in places)


def _lacks_all_of(claim: Analysis, units: list[Analysis], all_of: list[tuple[list[int], bool]]) -> bool:
    """"In all rooms" of "in the lobby": neither rooms nor anything of all stands near."""
    for things, every in all_of if not claim.quantities and len(claim.all_keys) <= _ONE_THING else ():
        if every and all(claim.keys[things[-1]] not in unit.all_keys and _WHOLE.isdisjoint(unit.lowers) for unit in units):
            return claim.keys[things[-1]] not in _PEOPLE_AND_TIMES and not claim.detail[things[-1]]
    return False


def _all_of(claim: Analysis) -> list[tuple[list[int], bool]]:
    """The things of which the claim says something of all, as tokens, and whether it says "all"; a subject without an article is one."""
    found: list[tuple[list[int], bool]] = []
    for i, word in enumerate(claim.lowers) if not _EVERY.isdisjoint(claim.lowers) else ():
        if word in _EVERY:
            j = i + 1
            while j < len(claim.lowers) and claim.lowers[j] in OF_THE:
                j += 1
            things: list[int] = []
            while (
                j < len(claim.lowers)
                and claim.content[j]
                and not claim.detail[j]
                and not (things and _may_be_verb(claim, j))
                and claim.clause[j] == claim.clause[i]
            ):
                things.append(j)
                j += 1
            if 0 < len(things) <= 2:
                found.append((things, True))
    subject = subject_of(claim) if claim.content[0] and claim.lowers[0] not in _EVERY else None
    if subject is not None and len(subject[0]) == subject[1] <= 2 and not claim.is_name[subject[0][-1]] and not any(claim.detail[i] for i in subject[0]):
        found.append((subject[0], False))
    return found


def _is_narrowed(claim: Analysis, units: list[Analysis], known: frozenset[str], things: list[int], *, every: bool) -> bool:
    head = claim.keys[things[-1]]
    rest = claim.all_keys - {claim.keys[i] for i in things} - {claim.keys[i] for i, word in enumerate(claim.lowers) if word in _EVERY}
    narrowed = 0
    for unit in units:
        places = unit.index.get(head, ())
        said = len(rest & unit.all_keys) >= SAID * len(rest) if rest else set(claim.lowers[things[-1] + 1 :]) <= set(unit.lowers)
        if not places or not said:
            continue
        for i in places[:_REACH]:
            if not (
                _sized(claim, unit, i, claim.all_keys if every else known)
                or _told_apart(claim, unit, i, rest, every=every)
                or (every and (_which(claim, unit, i) or _kind(claim, unit, i)))
            ):
                return False
            narrowed += 1
    return narrowed > 0


def _sized(claim: Analysis, unit: Analysis, i: int, known: frozenset[str]) -> bool:
    """True for "courses above 800 EUR", "trainings longer than three days", where the claim has no such figure."""
    if i + 2 >= len(unit.lowers) or unit.lowers[i + 1] not in SIZE | {"of", "with"} or unit.clause[i + 1] != unit.clause[i]:
        return False
    amounts = [d for d in unit.quantities if i < d.first <= i + _REACH and d.clause == unit.clause[i]]
    if not amounts or any(unit.lowers[amounts[0].last] == claim.lowers[d.last] for d in claim.quantities):
        return False
    between = range(i + 1, amounts[0].last + 1)
    return not any(unit.keys[j] in known - claim.all_keys for j in between) and not any(unit.content[j] and is_verb(unit, j) for j in between)


def _told_apart(claim: Analysis, unit: Analysis, i: int, rest: frozenset[str], *, every: bool) -> bool:
    """True for "employees hired before 2015 keep", "orders placed before noon are": a participle goes on, and what is said of them stands behind it."""
    n = len(unit.lowers)
    if i + 3 >= n or unit.commas[i]:
        return False
    word = unit.lowers[i + 1]
    if (
        not (word.endswith(("ed", "en")) or word in {"made", "bought", "sold", "sent", "paid", "born", "held", "kept", "built", "lost", "bound"})
        or unit.lowers[i + 2] not in _PARTICIPLE_GOES_ON
        or (unit.lowers[i + 2] == "by" and not every)
    ):
        return False
    if unit.keys[i + 1] in claim.all_keys or unit.lowers[i + 1] in claim.lowers:
        return False
    later = [j for j in range(i + 3, n) if unit.sentence[unit.clause[j]] == unit.sentence[unit.clause[i]]]
    return (
        any(is_verb(unit, j) or unit.keys[j] in rest for j in later)
        and (every or any(unit.keys[j] in rest for j in later))
        and not any(unit.keys[j] in rest for j in range(i))
    )


def _which(claim: Analysis, unit: Analysis, i: int) -> bool:
    """True for "exports that contain personal data", "rooms of the superior category", where the claim has none of what is behind "that" and "of"."""
    if (
        i + 2 >= len(unit.lowers)
        or unit.lowers[i + 1] not in _WHICH | _OF
        or unit.commas[i]
        or unit.sentence[unit.clause[i + 1]] != unit.sentence[unit.clause[i]]
    ):
        return False
    behind = next((j for j in range(i + 2, min(len(unit.lowers), i + 2 + _REACH)) if unit.content[j] or unit.detail[j]), None)
    if behind is None or (unit.lowers[i + 1] in _OF and (unit.lowers[behind] in _ABOUT_US or unit.detail[behind])):
        return False
    return unit.keys[behind] not in claim.all_keys and unit.lowers[behind] not in claim.lowers


def _kind(claim: Analysis, unit: Analysis, i: int) -> bool:
    """True for "small caged pets", where the claim has no such word, and for "some pets", "half of the seats", "nearly all trains"."""
    at = i - 1
    while at > 0 and unit.lowers[at] in _BETWEEN:
        at -= 1
    if at < 0 or unit.clause[at] != unit.clause[i] or unit.commas[at]:
        return False
    before = unit.lowers[at]
    if before in _SOME:
        return before not in claim.lowers
    if at != i - 1 or not unit.content[at] or unit.detail[at] or before in NO_KIND or unit.keys[at] in claim.all_keys:
        return False
    return before.endswith("ed") or not is_verb(unit, at)
