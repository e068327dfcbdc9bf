"""Who does what to whom: the same verb with its two sides exchanged, in active or passive voice."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.consistency.align import Pairing, looks_verbal
from ragviz.consistency.analysis import MAX_PLACES, Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import irregular_verbs, key, root
from ragviz.records import ClashKind
from ragviz.text.names import Name, same_name

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "got", "wurde", "wurden", "wird", "werden", "fut", "est", "été", "sont"})
_BY = frozenset({"by", "von", "durch", "par"})
_SYMMETRIC_WORDS = """
marry meet merge border equal differ resemble compare collaborate partner compete share similar adjacent near agree debate communicate cooperate match
divorce friend neighbour neighbor connect link join differ different same identical intersect overlap correspond cousin sibling colleague call name know
between together with locate base describe consider
"""
_SYMMETRIC = frozenset(key(w) for w in _SYMMETRIC_WORDS.split())
PIVOTS = frozenset({"before", "after", "than", "above", "below", "vor", "nach", "als", "avant", "après", "que"})
"""Function words that have two sides of their own."""
_ONE_DOER_WORDS = "direct write found founded invent discover acquire compose design paint create build win sing record produce establish author publish own sculpt patent restore translate illustrate edit commission renovate"
ONE_DOER = frozenset(root(w) for w in _ONE_DOER_WORDS.split())
"""Verbs whose object has, as a rule, one doer."""
_OTHERWISE = frozenset({"while", "whereas", "but", "although", "während", "aber", "tandis", "mais", "mientras", "pero"})
ALIGNED = 0.6
REACH = 10
MAX_SIDE = 4
_DETERMINERS = frozenset({"the", "a", "an", "der", "die", "das", "den", "dem", "le", "la", "les", "un", "une", "his", "her", "its", "their", "every", "each"})


def _sides(text: Analysis, i: int) -> tuple[list[int], list[int]]:
    """Content tokens on the doing and the suffering side of token ``i``, nearest first."""
    left: list[int] = []
    right: list[int] = []
    clause, n = text.clause[i], len(text.lowers)
    for j in range(i - 1, max(-1, i - 1 - REACH), -1):
        if text.clause[j] != clause or len(left) == MAX_SIDE:
            break
        if text.content[j] or text.is_name[j]:
            left.append(j)
    start, passive = i + 1, False
    if (
        i + 2 < n
        and text.lowers[i + 1] in _BY
        and text.clause[i + 1] == clause
        and not text.detail[i + 2]
        and (text.lowers[i].endswith("ed") or text.lowers[i] in irregular_verbs())
    ):
        start, passive = i + 2, True  # "a trainer built by Aldous"
    elif any(w in _BE or w[:-3] in _BE for w in text.lowers[max(0, i - 3) : i]):
        for j in range(i + 1, min(n, i + 5)):
            if text.clause[j] == clause and text.lowers[j] in _BY:
                start, passive = j + 1, True
                break
            if text.content[j] and not text.lowers[j].endswith("ly"):
                break
        if not passive and (text.lowers[i].endswith(("ed", "en")) or text.lowers[i] in irregular_verbs()):
            return [], []  # passive without a doer: "is dissolved in"
    for j in range(start, min(n, start + REACH)):
        if text.clause[j] != clause or len(right) == MAX_SIDE or text.lowers[j] in PIVOTS:
            break
        if text.content[j] or text.is_name[j]:
            right.append(j)
    return (right, left) if passive else (left, right)


def _is_thing(text: Analysis, i: int) -> bool:
    """True for names and for nouns with an article."""
    return text.is_name[i] or (i > 0 and (text.lowers[i - 1] in _DETERMINERS or (i > 1 and text.lowers[i - 2] in _DETERMINERS)))


def _is_deed(text: Analysis, i: int) -> bool:
    """True for an inflected verb that no article makes a thing: "items that are unopened"."""
    return not text.is_name[i] and text.lowers[i].endswith("ed") and i > 0 and (text.lowers[i - 1] in _BE or text.lowers[i - 1] == "be")


def exchanged(pair: Pairing, i: int, j: int) -> tuple[int, int, int, int] | None:
    """
    The tokens (our doer, our sufferer, their doer, their sufferer) where claim token ``i`` and premise token ``j`` have their sides exchanged.

    None where the sides stand as they are, or have nothing to do with each other.
    """
    claim, premise = pair.claim, pair.premise
    ours_left, ours_right = _sides(claim, i)
    if not ours_left or not ours_right:
        return None
    theirs_left, theirs_right = _sides(premise, j)
    their_left, their_right = {premise.keys[k] for k in theirs_left}, {premise.keys[k] for k in theirs_right}
    reach = 2 if claim.lowers[i] in PIVOTS else 1  # "cheaper than": the comparative stands between
    both = {claim.keys[k] for k in ours_left} & {claim.keys[k] for k in ours_right}
    a = next(
        (
            k
            for n, k in enumerate(ours_left[:3])
            if claim.keys[k] in their_right and claim.keys[k] not in their_left | both and (n < reach or _is_thing(claim, k))
        ),
        None,
    )
    b = next(
        (
            k
            for n, k in enumerate(ours_right[:3])
            if claim.keys[k] in their_left and claim.keys[k] not in their_right | both and (n < reach or _is_thing(claim, k))
        ),
        None,
    )
    if a is None or b is None or (reach == 1 and (_is_deed(claim, a) or _is_deed(claim, b))):
        return None  # what is "unopened" or "returned" is no thing with a side of its own
    return a, b, next(k for k in theirs_left if premise.keys[k] == claim.keys[b]), next(k for k in theirs_right if premise.keys[k] == claim.keys[a])


def check_roles(pair: Pairing, out: Gathered) -> bool:
    """Add a clash where the two sides of one verb, or of from … to, are exchanged. True when one was found."""
    claim, premise = pair.claim, pair.premise
    places = premise.index
    for i, word in enumerate(claim.keys):
        if word not in places:
            continue
        pivot = claim.lowers[i] in PIVOTS
        # In other languages the order of words tells less: "im Mai beginnt der Kurs", "der Kurs beginnt im Mai".
        if not (pivot or (claim.content[i] and not claim.tongue and not claim.is_name[i] and looks_verbal(claim, i))) or word in _SYMMETRIC:
            continue
        for j in places[word][:MAX_PLACES]:
            if claim.lowers[i] != premise.lowers[j] if pivot else premise.is_name[j] or not looks_verbal(premise, j):
                continue
            found = exchanged(pair, i, j) if claim.parity[i] == premise.parity[j] else None
            if found is None or (pivot and not _same_degree(pair, i, j)):
                continue
            a, b, c, d = found
            out.word_clash(ClashKind.ROLE, (min(a, b), max(a, b)), (min(c, d), max(c, d)))
            return True
    return _check_direction(pair, out)


def check_agents(pair: Pairing, out: Gathered) -> bool:
    """Add a clash where one thing is said to be made, led or found by two different people: "Vogt composed it", "Hart composed it"."""
    claim = pair.claim
    if ONE_DOER.isdisjoint(claim.roots):
        return False
    for i, word in enumerate(claim.keys):
        if claim.roots[i] not in ONE_DOER or claim.is_name[i] or claim.parity[i]:
            continue
        ours, our_things = _sides(claim, i)
        a = _doer(claim, ours) if ours and our_things else None
        other = _other_doer(pair, a, frozenset(claim.keys[k] for k in our_things), word) if a is not None else None
        if a is not None and other is not None:
            out.clash(ClashKind.NAME, a, other, _name(a).text, _name(other).text)
            return True
    return False


def _other_doer(pair: Pairing, ours: Detail, things: frozenset[str], verb: str) -> Detail | None:
    """Who did it to these things by the premise, where that is somebody else throughout."""
    premise, found = pair.premise, None
    places = premise.index.get(verb, ())[:MAX_PLACES]
    doing = {premise.clause[j] for j in places}
    if any(
        same_name(_name(ours), _name(d)) and ((d.clause in doing and not _does_else(premise, d, places)) or premise.open_subject[min(doing)])
        for d in premise.names
        if doing
    ):
        return None
    for j in places:
        theirs, their_things = _sides(premise, j)
        b = _doer(premise, theirs) if theirs and their_things and not premise.parity[j] else None
        if b is not None and not same_name(_name(ours), _name(b)) and len(things & {premise.keys[k] for k in their_things}) >= ALIGNED * len(things):
            found = found or b
    return found


def _does_else(text: Analysis, name: Detail, verbs: Sequence[int]) -> bool:
    """True where another clause begins between a name and the verbs: "patented by Bell, a year before Edison invented the phonograph"."""
    return all(
        any(text.lowers[i] in PIVOTS or text.lowers[i] in _OTHERWISE for i in range(min(name.last, verb), max(name.first, verb)))
        for verb in verbs if text.clause[verb] == name.clause
    )


def _name(detail: Detail) -> Name:
    assert isinstance(detail.record, Name)
    return detail.record


def _doer(text: Analysis, side: list[int]) -> Detail | None:
    """The name on the doing side, where the nearest word there is one."""
    return next((d for d in text.names if d.first <= side[0] <= d.last), None)


def _same_degree(pair: Pairing, i: int, j: int) -> bool:
    """True for before/after, and for "than" behind the same comparative."""
    if pair.claim.lowers[i] not in {"than", "als", "que"}:
        return True
    ours, theirs = _degree(pair.claim, i), _degree(pair.premise, j)
    return bool(i and j) and pair.claim.keys[i - 1] == pair.premise.keys[j - 1] and (ours == theirs or not ours or not theirs)


def _degree(text: Analysis, than: int) -> str:
    """The comparative before "than"; "" where none is found."""
    return next(
        (
            text.lowers[k]
            for k in range(than - 1, max(-1, than - 7), -1)
            if text.clause[k] == text.clause[than] and (text.lowers[k] in {"more", "less"} or text.lowers[k].endswith("er"))
        ),
        "",
    )


def _names_behind(text: Analysis, word: str) -> dict[int, frozenset[str]]:
    """For each ``word``: the keys of the name that stands right behind it."""
    out: dict[int, frozenset[str]] = {}
    for detail in text.names:
        first = detail.first - 1
        if first >= 0 and text.lowers[first] in _DETERMINERS:
            first -= 1
        if first >= 0 and text.lowers[first] == word:
            out[detail.first] = frozenset(text.keys[detail.first : detail.last + 1])
    return out


def _check_direction(pair: Pairing, out: Gathered) -> bool:
    for origin, goal in (("from", "to"), ("von", "nach"), ("de", "à")):
        if origin not in pair.claim.lowers:
            continue
        ours, our_goals = _names_behind(pair.claim, origin), _names_behind(pair.claim, goal)
        theirs, their_goals = _names_behind(pair.premise, origin), _names_behind(pair.premise, goal)
        for a, first in ours.items():
            for b, second in our_goals.items():
                if first in their_goals.values() and second in theirs.values() and first != second:
                    c = next(k for k, v in theirs.items() if v == second)
                    d = next(k for k, v in their_goals.items() if v == first)
                    out.word_clash(ClashKind.ROLE, (min(a, b), max(a, b)), (min(c, d), max(c, d)))
                    return True
    return False
