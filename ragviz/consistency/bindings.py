"""What belongs to what: a value said of one thing is not said of another, though all words of the claim stand in the premise."""

from __future__ import annotations

from typing import NamedTuple

from ragviz.consistency.align import Pairing, subject_chunk
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import SUPERLATIVES, key
from ragviz.consistency.subjects import said
from ragviz.records import ClashKind
from ragviz.text.names import Name, same_name

_COPULAS = frozenset(
    {"is", "are", "was", "were", "became", "remains", "remained", "ist", "sind", "war", "wurde", "est", "sont", "était", "es", "son", "fue", "era"}
)
_DEFINITE = frozenset(
    {"the", "its", "his", "her", "their", "our", "your", "my", "der", "die", "das", "ihr", "sein", "le", "la", "les", "l", "el", "los", "las", "su"}
)
_SUPERLATIVES = frozenset({"most", "least", "first", "last", "only", "best", "worst", "main", "chief", "plus", "más"})
_UNIQUE_WORDS = """
capital president mayor ceo chairman chairwoman director founder owner author inventor designer architect winner champion head leader king queen headquarters seat
default maximum minimum limit deadline name title address price fee cost successor predecessor captain manager principal hauptstadt bürgermeister capitale maire capital alcalde
"""
_UNIQUE = frozenset(_UNIQUE_WORDS.split())
"""Nouns of which, as a rule, one thing has one."""
MAX_HOLDER = 6
MAX_PREDICATE = 10
_PREPOSITIONS = frozenset({"in", "at", "on", "to", "from", "into", "near", "nach", "im", "am", "aus", "à", "dans", "en"})
_INSIDE = frozenset({"in", "at", "on", "near"})
_PLACED = frozenset(key(w) for w in ("located", "situated", "found", "lies"))
"""Words that say no more than the preposition behind them."""
_PRONOUNS = frozenset({"it", "they", "he", "she", "this", "these", "es", "er", "sie", "il", "elle", "ils", "elles"})
_ENDS = frozenset({"until", "till", "when", "once", "before", "after", "since", "that", "which", "who", "whose", "where", "if", "than", "bis", "nachdem", "bevor", "jusqu", "qui", "que", "hasta"})
_PAST = frozenset({"was", "were", "became", "remained", "war", "wurde", "était", "fue", "era"})
_OTHER_TIMES = frozenset({"former", "formerly", "then", "once", "previous", "previously", "until", "originally", "initially", "future", "ehemalig", "ehemalige", "früher", "ancien", "ancienne", "antes"})
"""Words that say: at another time."""
MAX_EXTRA = 1
"""Words of content by which the premise's predicate may be longer than the claim's: "the capital city of"."""
FITS = 0.75
"""Share of the claim's other words that one clause must say for a value in it to be the one meant."""


class Bond(NamedTuple):
    """"The mayor is Ingrid Solberg": a holder and what it is."""

    holder: tuple[int, int]
    """Tokens first..last."""
    holder_keys: frozenset[str]
    predicate: frozenset[str]
    unique: bool
    """Only one thing can be that."""
    clause: int
    past: bool


def bonds(text: Analysis) -> list[Bond]:
    """Holders and predicates around "is": in both directions where both sides may be the holder."""
    found: list[Bond] = []
    lowers = text.lowers
    for i, word in enumerate(lowers) if not _COPULAS.isdisjoint(lowers) else ():
        if word not in _COPULAS or not 0 < i < len(lowers) - 1 or text.parity[i]:
            continue
        left = _side(text, i, -1)
        right = _side(text, i, 1)
        if not left or not right:
            continue
        for holder, predicate, first in ((left, right, i + 1), (right, left, left[0] - 1 if left[0] else left[0])):
            definite = lowers[first] in _DEFINITE or lowers[left[0]] in _DEFINITE
            keys = frozenset(text.keys[k] for k in predicate if text.content[k] or lowers[k] in _SUPERLATIVES)
            superlative = any(lowers[k] in _SUPERLATIVES or lowers[k] in SUPERLATIVES for k in predicate)
            unique = superlative if not definite else superlative or any(lowers[k] in _UNIQUE for k in predicate)
            own = frozenset(text.keys[k] for k in holder if text.content[k])
            if keys and own:
                found.append(Bond((holder[0], holder[-1]), own, keys, unique, text.clause[i], word in _PAST))
    return found


def _side(text: Analysis, at: int, step: int) -> list[int]:
    """Tokens of content next to the copula, up to a comma."""
    out: list[int] = []
    j = at + step
    reach = MAX_HOLDER if step < 0 else MAX_PREDICATE
    while 0 <= j < len(text.lowers) and text.clause[j] == text.clause[at] and abs(j - at) <= reach:
        if (text.commas[j] and step < 0) or lowers_end(text, j):
            break
        if text.content[j] or text.lowers[j] in _SUPERLATIVES:
            out.append(j)
        if text.commas[j]:
            break
        j += step
    return sorted(out)


def lowers_end(text: Analysis, j: int) -> bool:
    """True for a word with which another statement begins: in "the tallest until it was surpassed" nothing is said to be surpassed but what "it" is."""
    return text.lowers[j] in _COPULAS or text.lowers[j] in _PRONOUNS or text.lowers[j] in _ENDS


def check_bindings(pair: Pairing, out: Gathered) -> bool:
    """Add a clash where another thing holds what the claim gives to one, or where a name stands in the clause of something else. True when one was found."""
    return _check_bonds(pair, out) or _check_places(pair, out) or _check_degrees(pair, out) or _check_doers(pair, out)


def _check_bonds(pair: Pairing, out: Gathered) -> bool:
    """The capital of Australia is Sydney" against "Canberra is the capital of Australia"."""
    ours = [bond for bond in bonds(pair.claim) if bond.unique]
    if not ours:
        return False
    theirs = [bond for bond in bonds(pair.premise) if bond.unique]
    for a in ours:
        same = [b for b in theirs if _same_predicate(pair, a, b)]
        if not same or any(a.holder_keys & b.holder_keys for b in same):
            continue
        b = same[0]
        if a.holder_keys & pair.premise_keys and not b.holder_keys <= pair.claim.all_keys:
            if not _is_as_wide(pair, a, b):
                out.word_drop(ClashKind.ROLE, a.holder, b.holder)
                return False
            out.word_clash(ClashKind.ROLE, a.holder, b.holder)
            return True
    return False


def _same_predicate(pair: Pairing, a: Bond, b: Bond) -> bool:
    """The claim's predicate is the premise's, or a part of it that leaves out where."""
    context = pair.premise.context[b.clause] | b.predicate
    shared = a.predicate & b.predicate
    return bool(shared) and a.predicate <= context and len(shared) >= FITS * len(a.predicate) and not a.predicate & b.holder_keys


def _is_as_wide(pair: Pairing, a: Bond, b: Bond) -> bool:
    """True where the premise's predicate is not narrower than the claim's ("the largest in the private sector"), and of the same time."""
    extra = b.predicate - a.predicate
    return a.past == b.past and len(extra) <= MAX_EXTRA and extra.isdisjoint(pair.premise.name_keys) and not _at_another_time(pair, b)


def _at_another_time(pair: Pairing, bond: Bond) -> bool:
    """True where the premise speaks of what was, or will be, and the claim does not."""
    premise = pair.premise
    times = {w for i, w in enumerate(premise.lowers) if premise.clause[i] == bond.clause and w in _OTHER_TIMES}
    return bool(times) and times.isdisjoint(pair.claim.lowers)


def _check_places(pair: Pairing, out: Gathered) -> bool:
    """"The story is set in Iceland" against "The film was shot in Iceland, although the story is set in Alaska": names behind prepositions of one clause."""
    if pair.premise.n_clauses < 2 or not pair.claim.names:
        return False
    theirs = said(pair.premise)
    for detail, matches in zip(pair.claim.names, pair.matches, strict=True):
        if not matches or detail.first == 0 or pair.claim.lowers[detail.first - 1] not in _PREPOSITIONS or pair.claim.parity[detail.first]:
            continue
        own = frozenset(pair.claim.keys[detail.first : detail.last + 1])
        rest = pair.claim.clause_keys[detail.clause] - own - _PLACED
        if len(rest) < 2 and not (len(rest) == 1 and len(pair.claim.names) == 1):
            continue
        here = {m.clause for m in matches}
        for other in pair.premise.names:
            if other.clause in here or _same(detail, other) or other.first == 0 or pair.premise.parity[other.first]:
                continue
            if not _same_preposition(pair, detail, other) or len(rest & theirs[other.clause]) < len(rest):
                continue
            if max((len(rest & theirs[c]) for c in here), default=0) < len(rest) and not _named_before(pair, rest, here):
                out.clash(ClashKind.NAME, detail, other, _name(detail).text, _name(other).text)
                return True
    return False


def _same_preposition(pair: Pairing, detail: Detail, other: Detail) -> bool:
    ours, theirs = pair.claim.lowers[detail.first - 1], pair.premise.lowers[other.first - 1]
    return theirs in _PREPOSITIONS and (ours == theirs or {ours, theirs} <= _INSIDE)


def _named_before(pair: Pairing, rest: frozenset[str], here: set[int]) -> bool:
    """True when a clause with the claim's name goes on about "it": its subject may be the claim's."""
    return any(pair.premise.lowers[pair.premise.first_of(c)] in _PRONOUNS and len(rest & pair.premise.clause_keys[c]) + 1 >= len(rest) for c in here)


def _same(a: Detail, b: Detail) -> bool:
    return same_name(_name(a), _name(b))


def _name(detail: Detail) -> Name:
    assert isinstance(detail.record, Name)
    return detail.record


_THAN = frozenset({"than", "als", "que"})
_BY = frozenset({"by", "von", "par", "por"})
_ORDINALS = frozenset({"second", "third", "fourth", "fifth", "2nd", "3rd", "zweit", "zweite", "dritt", "deuxième", "segundo", "segunda"})
_ONTO = frozenset({"on", "to", "against", "for", "upon", "gegen", "contre", "contra"})


def _check_degrees(pair: Pairing, out: Gathered) -> bool:
    """"The highest" of the second-highest, and "A is closer than B" where B is the closer one."""
    claim, premise = pair.claim, pair.premise
    for i, word in enumerate(claim.lowers) if not (SUPERLATIVES.isdisjoint(claim.lowers) and _THAN.isdisjoint(claim.lowers)) else ():
        if word in SUPERLATIVES and not claim.parity[i]:
            for j in premise.index.get(claim.keys[i], ()):
                ranked = j > 0 and premise.lowers[j - 1] in _ORDINALS and (premise.lowers[j] == word or premise.lowers[j] in SUPERLATIVES)
                if (
                    ranked
                    and _of_one_subject(pair, claim.clause[i], premise.clause[j])
                    and (i == 0 or claim.lowers[i - 1] not in _ORDINALS)
                    and pair.row(pair.keys_of(claim.clause[i]))[premise.clause[j]] >= FITS
                ):
                    out.word_clash(ClashKind.ROLE, (i, i), (j - 1, j))
                    return True
        if word in _THAN and i > 1 and _check_than(pair, out, i):
            return True
    return False


def _of_one_subject(pair: Pairing, clause: int, premise_clause: int) -> bool:
    """True unless both clauses begin with a name and the names differ: "K2 is the second tallest" says nothing of Everest."""
    ours, theirs = subject_chunk(pair.claim, clause), subject_chunk(pair.premise, premise_clause)
    if not ours or not theirs:
        return True
    return not {pair.claim.keys[i] for i in ours}.isdisjoint(pair.premise.keys[j] for j in theirs) or not any(pair.premise.is_name[j] for j in theirs)


def _check_than(pair: Pairing, out: Gathered, at: int) -> bool:
    claim, premise = pair.claim, pair.premise
    degree = next((k for k in range(at - 1, max(-1, at - 6), -1) if claim.lowers[k].endswith("er") and claim.content[k]), None)
    if degree is None or claim.parity[degree]:
        return False
    ours = frozenset(claim.keys[k] for k in subject_chunk(claim, claim.clause[at]) if k < degree)
    other = frozenset(claim.keys[k] for k in range(at + 1, min(len(claim.lowers), at + 5)) if claim.content[k] and claim.clause[k] == claim.clause[at])
    if not ours or not other or not ours <= pair.premise_keys:
        return False
    for j in premise.index.get(claim.keys[degree], ()):
        chunk = frozenset(premise.keys[k] for k in subject_chunk(premise, premise.clause[j]) if k < j)
        if (
            other <= chunk
            and not ours & chunk
            and premise.lowers[j].endswith("er")
            and not premise.parity[j]
            and not ours & premise.clause_keys[premise.clause[j]]
        ):
            out.word_clash(ClashKind.ROLE, (degree, degree), (j, j))
            return True
    return False


def _check_doers(pair: Pairing, out: Gathered) -> bool:
    """"Imposed by the broadcaster" where it was imposed on the broadcaster."""
    claim, premise = pair.claim, pair.premise
    for i, word in enumerate(claim.lowers[:-1]) if not _BY.isdisjoint(claim.lowers) else ():
        if word not in _BY or not i or not claim.content[i - 1] or claim.parity[i - 1]:
            continue
        doer = next((k for k in range(i + 1, min(len(claim.lowers), i + 5)) if claim.content[k]), None)
        if doer is None:
            continue
        for j in premise.index.get(claim.keys[i - 1], ()):
            if j + 1 < len(premise.lowers) and premise.lowers[j + 1] in _ONTO and not premise.parity[j]:
                sufferer = next((k for k in range(j + 2, min(len(premise.lowers), j + 6)) if premise.content[k]), None)
                if sufferer is not None and premise.keys[sufferer] == claim.keys[doer]:
                    out.word_clash(ClashKind.ROLE, (i - 1, doer), (j, sufferer))
                    return True
    return False
