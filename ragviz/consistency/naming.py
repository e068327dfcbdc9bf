"""Names of a claim against those of the premise: found, missing, or another name in the same place."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import exclusive, root
from ragviz.consistency.shares import ONLY
from ragviz.records import ClashKind
from ragviz.text.names import Name, same_name

ALIGNED = 0.6
"""Least share of the rest of the claim's clause that the premise's clause must cover."""
_PREPOSITION_WORDS = "by in at on of to from for with as under near into von durch par à en dans de am im bei"
_PREPOSITIONS = frozenset(_PREPOSITION_WORDS.split())
_COPULAS = frozenset({"is", "are", "was", "were", "ist", "sind", "war", "est", "sont"})
BEING = "be"
"""Governor of "Lyon" in "is in Lyon"."""
_PLACE = frozenset({"in", "at", "from", "near", "on", "en", "à", "im", "am", "dans", "bei"})
_ONE_PLACE_WORDS = """
born bear locate base headquarter situate place hold found establish die live reside originate come capital state set sit lie buried bury stand city town village
native graduate headquarters seat open
"""
_ONE_OF_WORDS = "capital president king queen ceo author director founder mayor head chairman chair leader owner inventor son daughter husband wife chief part"
_ONE_PLACE = frozenset(root(w) for w in _ONE_PLACE_WORDS.split())
_ONE_OF = frozenset(root(w) for w in _ONE_OF_WORDS.split())
_ONE_TO = frozenset(map(root, ("report", "marry", "belong", "sell", "move", "lose", "married")))
_ONE_ON = frozenset(map(root, ("character", "air", "premiere", "host")))
_BARE_WORDS = """
direct write found invent discover acquire compose design paint create play portray lead head chair marry own manage coach defeat beat succeed call name choose
elect appoint prefer
"""
_BARE = frozenset(root(w) for w in _BARE_WORDS.split())


def name_of(detail: Detail) -> Name:
    """The name behind a detail."""
    assert isinstance(detail.record, Name)
    return detail.record


def check_names(pair: Pairing, out: Gathered) -> None:
    """Add what the claim's names say to ``out``."""
    for detail, matches in zip(pair.claim.names, pair.matches, strict=True):
        name = name_of(detail)
        if name.first and not pair.claim.is_name[detail.first]:
            continue  # a common word at the beginning of a sentence
        found = matches[0] if matches else None
        if found is not None:
            other = _moved(pair, detail, found)
            if other is not None:
                out.clash(ClashKind.NAME, detail, other, name.text, name_of(other).text)
                continue
            out.agree(ClashKind.NAME, detail, found, name.text)
            continue
        keys = [k for k, c in zip(pair.claim.keys[detail.first : detail.last + 1], pair.claim.content[detail.first : detail.last + 1], strict=True) if c]
        if not keys or all(k in pair.premise.index for k in keys):
            continue
        other = _in_its_place(pair, detail)
        if other is not None:
            out.clash(ClashKind.NAME, detail, other, name.text, name_of(other).text)
        else:
            rival = _rival(pair, detail)
            if rival is not None:
                out.suspect(ClashKind.NAME, detail, rival, name.text, name_of(rival).text)
            out.miss(ClashKind.NAME, detail, name.text)


def _slot(text: Analysis, detail: Detail) -> tuple[str, str]:
    """The preposition in front of a name ("" for none) and the root of the word that governs it."""
    preposition, governor = "", ""
    content_seen = 0
    for i in range(detail.first - 1, max(-1, detail.first - 10), -1):
        if text.clause[i] != detail.clause:
            break
        word = text.lowers[i]
        if word in _PREPOSITIONS:
            if preposition and text.value[min(i + 1, len(text.lowers) - 1)]:
                continue
            if preposition:
                break
            if content_seen > 3:
                break
            preposition = word
        elif preposition and not content_seen and word in _COPULAS:
            governor = BEING
            break
        elif text.content[i] and not text.is_name[i]:
            if preposition or not _is_apposition(text, i, detail.first):
                governor = text.roots[i]
                break
            content_seen += 1
    return preposition, governor


def _is_apposition(text: Analysis, i: int, first: int) -> bool:
    """True for "by sculptor Tom Brady": words between the preposition and the name."""
    return any(text.lowers[j] in _PREPOSITIONS and text.clause[j] == text.clause[i] for j in range(max(0, i - 4), i)) and first - i < 5


def _has_one(preposition: str, governor: str) -> bool:
    """True for relations in which a thing has one partner."""
    if preposition in {"by", "von", "durch", "par"}:
        return True
    if preposition in _PLACE and (governor in _ONE_PLACE or governor == BEING):
        return True
    if preposition == "of":
        return governor in _ONE_OF
    if preposition == "to":
        return governor in _ONE_TO
    if preposition in {"on", "in"} and governor in _ONE_ON:
        return True
    return not preposition and governor in _BARE


def _in_its_place(pair: Pairing, detail: Detail) -> Detail | None:
    """Another name of the premise in the same place of an otherwise aligned clause."""
    twin = _near_twin(pair, detail)
    if twin is not None:
        return twin
    preposition, governor = _slot(pair.claim, detail)
    if not governor or pair.claim.parity[detail.first] or not (_has_one(preposition, governor) or not ONLY.isdisjoint(pair.premise.lowers)):
        return None
    keys = pair.keys_of(detail.clause) - _unknown_names(pair)
    if not keys:
        return None
    row = pair.row(keys)
    for other in pair.premise.names:
        if not _has_one(preposition, governor) and not _limited(pair.premise, other):
            continue
        if row[other.clause] < ALIGNED or pair.premise.parity[other.first] or pair.other_subject(detail.clause, other.clause):
            continue
        theirs, their_governor = _slot(pair.premise, other)
        same_preposition = theirs == preposition or (theirs in _PLACE and preposition in _PLACE)
        if not (same_preposition and their_governor == governor):
            continue
        if _is_modifier(pair.premise, other) or any(same_name(name_of(other), name_of(d)) for d in pair.claim.names):
            continue
        return other
    return None


def _rival(pair: Pairing, detail: Detail) -> Detail | None:
    """Another name behind the same preposition or the same word, in a relation that may have several partners."""
    preposition, governor = _slot(pair.claim, detail)
    if not (preposition or governor) or pair.claim.parity[detail.first]:
        return None
    for other in pair.premise.names:
        if _is_modifier(pair.premise, other) or any(same_name(name_of(other), name_of(d)) for d in pair.claim.names):
            continue
        theirs = _slot(pair.premise, other)
        if (preposition and theirs[0] == preposition) or (governor and theirs[1] == governor):
            return other
    return None


def _moved(pair: Pairing, detail: Detail, found: Detail) -> Detail | None:
    """The name in the claim's place, where the claim's own name stands in another: "directed by Park and produced by Liu"."""
    preposition, governor = _slot(pair.claim, detail)
    theirs = _slot(pair.premise, found)
    if not governor or not _has_one(preposition, governor) or theirs[1] == governor or theirs[0] != preposition or not theirs[1]:
        return None
    if any(same_name(name_of(detail), name_of(d)) and _slot(pair.premise, d)[1] == governor for d in pair.premise.names):
        return None
    return next((d for d in pair.premise.names if d.clause == found.clause and _slot(pair.premise, d) == (preposition, governor)), None)


def _limited(text: Analysis, detail: Detail) -> bool:
    """True for "was only shot in Montana"."""
    return any(text.lowers[i] in ONLY and text.clause[i] == detail.clause for i in range(max(0, detail.first - 8), detail.first))


def _unknown_names(pair: Pairing) -> frozenset[str]:
    """Keys of the claim's names that the premise does not have."""
    return (pair.name_keys - pair.premise_keys) - frozenset(k for _, ours in pair.aliases for k in ours)


def _is_modifier(text: Analysis, detail: Detail) -> bool:
    """True for "American" in "the American series Homeland"."""
    nxt = detail.last + 1
    return (
        text.lowers[detail.first] in exclusive() and nxt < len(text.lowers) and text.clause[nxt] == detail.clause and (text.content[nxt] or text.is_name[nxt])
    )


def _near_twin(pair: Pairing, detail: Detail) -> Detail | None:
    """A name that shares a first name, and the word in front: "writer J. R. Tolkien", "writer J. R. Martin"."""
    ours = name_of(detail)
    if len(ours.parts) < 2 or not detail.first:
        return None
    before = pair.claim.lowers[detail.first - 1]
    keys = pair.keys_of(detail.clause) - frozenset(pair.claim.keys[detail.first : detail.last + 1])
    for other in pair.premise.names:
        theirs = name_of(other)
        twin = len(theirs.parts) > 1 and theirs.parts[0] == ours.parts[0] and theirs.parts[-1] != ours.parts[-1] and other.first > 0
        if twin and pair.premise.lowers[other.first - 1] == before and keys and pair.row(keys)[other.clause] >= ALIGNED - 0.1:
            return other
    return None
