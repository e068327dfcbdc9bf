"""Where the premise speaks of a part only of what the claim speaks of: express parcels, shipping to Norway, the hours on Sundays."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, behind_lead
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import opposites
from ragviz.text.word_sets import word_set

_LEADING = word_set("a an all every each any no")
_TO_WHOM = word_set("to for from with without over under above below in on at outside inside within between among")
_RECURRING = word_set(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays holidays winter summer spring autumn night nights evenings "
    "mornings afternoons"
)
_WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday weekend weekday")
_TIMES = _RECURRING | _WEEKDAYS
MOST = 6
"""Words with which a clause begins, its subject and perhaps its verb."""
_REACH = 4
MOST_LISTED = 16
"""Words in which a list of things may stand at the beginning of a clause."""
_ANDS = word_set("and or nor")


def is_narrower(pair: Pairing, clause: int, premise_clause: int) -> bool:
    """
    True when the premise's clause is about a part of what the claim's clause is about, and the claim does not name that part.

    Only kinds of things have parts: "Express parcels" is narrower than "Parcels", but "the old bridge" may be "the bridge".
    """
    if pair.claim.tongue or pair.premise.tongue:
        return False
    return _at_other_times(pair, premise_clause) or _of_a_kind(pair, clause, premise_clause) or _one_of_several(pair, clause, premise_clause)


def _beginning(text: Analysis, clause: int) -> list[int]:
    """The words with which a clause begins, without a gap; [] where a determiner makes it one certain thing."""
    start = behind_lead(text, clause)
    if text.lowers[start] in _LEADING and start + 1 < len(text.lowers) and text.clause[start + 1] == clause:
        start += 1
    out: list[int] = []
    for i in range(start, min(len(text.lowers), start + MOST)):
        if text.clause[i] != clause or not (text.content[i] or (text.detail[i] and text.is_label(i)) or text.lowers[i] in {"part", "time", "first"}):
            break
        out.append(i)
        if text.commas[i]:
            break
    return out


def _of_a_kind(pair: Pairing, clause: int, premise_clause: int) -> bool:
    claim, premise = pair.claim, pair.premise
    ours, theirs = _beginning(claim, clause), _beginning(premise, premise_clause)
    if not ours or not theirs or (claim.is_name[ours[0]] and ours[0] != 0):
        return False
    head = claim.keys[ours[0]]
    at = next((n for n, i in enumerate(theirs) if premise.keys[i] == head), -1)
    if at < 0 or (at and premise.is_name[theirs[at]] and theirs[at] != 0):
        return False
    known = claim.all_keys | set(claim.lowers)
    modifiers = [i for i in theirs[:at] if premise.lowers[i] not in claim.lowers]
    if modifiers and not any(premise.keys[i] in known for i in modifiers) and not any(_turns(claim, premise.roots[i]) for i in modifiers):
        return True
    return _to_somebody(pair, theirs[at])


def _conjuncts(text: Analysis, clause: int) -> list[list[int]]:
    """
    The kinds of things a clause begins with: "Personalised items, opened rolls and used licences"; [] where it is one thing, or a determiner
    makes it a certain one.
    """
    out: list[list[int]] = [[]]
    joined = False
    start = behind_lead(text, clause)
    for i in range(start, min(len(text.lowers), start + MOST_LISTED)):
        word = text.lowers[i]
        if text.clause[i] != clause:
            break
        if word in _ANDS:
            joined = True
            if out[-1]:
                out.append([])
            continue
        if not text.content[i]:
            if i == start and word in _LEADING:
                continue
            break
        out[-1].append(i)
        if text.commas[i]:
            out.append([])
    listed = [part for part in out if part]
    return listed if joined and len(listed) > 1 else []


def _one_of_several(pair: Pairing, clause: int, premise_clause: int) -> bool:
    """True where the premise lists several kinds of things, each with a word the claim does not have: no one of them is all that the claim is about."""
    claim, premise = pair.claim, pair.premise
    if _ANDS.isdisjoint(premise.lowers):
        return False
    ours, listed = _beginning(claim, clause), _conjuncts(premise, premise_clause)
    if not ours or not listed or (claim.is_name[ours[0]] and ours[0] != 0):
        return False
    about = {claim.keys[i] for i in ours}
    known = claim.all_keys | set(claim.lowers)
    narrower = all(any(premise.keys[i] not in known and not _turns(claim, premise.roots[i]) for i in part) for part in listed)
    return narrower and any(len(part) > 1 and premise.keys[i] in about for part in listed for i in part)


def _turns(claim: Analysis, root: str) -> bool:
    """True when the claim has the opposite of a word: "minimum" of "maximum"."""
    places = {(number, 1 - side) for number, side in opposites().get(root, ())}
    return bool(places) and any(place in places for word in claim.roots for place in opposites().get(word, ()))


def _to_somebody(pair: Pairing, head: int) -> bool:
    """True for "Letters to Iceland", "Tickets for children", "Orders over 50 EUR", where the claim says nothing of Iceland, children, 50 EUR."""
    premise, claim = pair.premise, pair.claim
    clause = premise.clause[head]
    i = head + 1
    if i >= len(premise.lowers) or premise.clause[i] != clause or premise.lowers[i] not in _TO_WHOM or premise.commas[head]:
        return False
    for j in range(i + 1, min(len(premise.lowers), i + 1 + _REACH)):
        if premise.clause[j] != clause:
            break
        if premise.content[j] or premise.detail[j]:
            return premise.keys[j] not in claim.all_keys and premise.lowers[j] not in claim.lowers
    return False


def _at_other_times(pair: Pairing, premise_clause: int) -> bool:
    """True for "on Saturdays" and "in winter" in the premise's clause where the claim has no such word."""
    premise = pair.premise
    if _TIMES.isdisjoint(premise.lowers):
        return False
    times = [
        word for i, word in enumerate(premise.lowers)
        if premise.clause[i] == premise_clause and i and (
            (word in _RECURRING and premise.lowers[i - 1] in {"on", "in", "at", "during", "over", "every", "and", "or"} and not _is_dated(premise, i))
            or (word in _WEEKDAYS and premise.lowers[i - 1] == "every")
        )
    ]
    ours = {_singular(w) for w in pair.claim.lowers} if times else set()
    return bool(times) and all(_singular(w) not in ours for w in times) and not ours & _WEEKDAYS


def _is_dated(text: Analysis, i: int) -> bool:
    """True for "in summer 1975": one summer, not every one."""
    return i + 1 < len(text.lowers) and text.lowers[i + 1][:1].isdigit()


def is_other(pair: Pairing, clause: int, premise_clause: int, apart: tuple[int, int] = (-1, -1)) -> bool:
    """True when two clauses speak of different things, a kind and its parts not among them."""
    return pair.other_subject(clause, premise_clause, apart) and not is_narrower(pair, clause, premise_clause)


def _singular(word: str) -> str:
    return word.removesuffix("s")
