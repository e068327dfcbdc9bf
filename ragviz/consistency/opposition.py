"""Negation, opposites and words that exclude each other, in clauses that say the same otherwise."""

from __future__ import annotations

from itertools import chain, compress

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import MAX_PLACES, Analysis
from ragviz.consistency.denials import ALIGNED, check_denials, is_free_within, taken_out
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import exclusive, opposites
from ragviz.consistency.roles import exchanged
from ragviz.consistency.turned import is_compared_the_other_way
from ragviz.consistency.wordings import FOLDS
from ragviz.records import ClashKind
from ragviz.text.word_table import WordTable

_PREFIXES = ("un", "non", "in", "im", "ir", "il", "dis")
_SURE_PREFIXES = frozenset({"un", "non"})
_NEGATABLE = ("abl", "ibl", "al", "ent", "ant", "iv", "at", "let", "ular", "ect", "it")
"""Endings, folded, of words that in-, im-, ir-, il- and dis- turn into their opposite: "complete", not "form" or "cover"."""
_AT = frozenset({"at", "um", "à"})
_LEAST_BASE = 4


def check_opposition(pair: Pairing, out: Gathered, *, explained: bool = False) -> None:
    """Add opposites first; a pair of opposites, or ``explained``, accounts for a difference in negation."""
    excused = _check_opposites(pair, out) or explained
    if not excused and (pair.claim.cues or pair.premise.cues):
        check_denials(pair, out)


def _check_opposites(pair: Pairing, out: Gathered) -> bool:
    """Add clashes of opposites and exclusive words. True when opposites under different negation say the same ("not open", "closed")."""
    claim, premise = pair.claim, pair.premise
    table, groups = opposites(), exclusive()
    excused = False
    derived = _check_prefixes(pair, out)
    if derived is not None:
        return derived
    their_sides, their_members = _sides(premise)
    if (not their_sides or table.keys().isdisjoint(claim.roots)) and (not their_members or groups.keys().isdisjoint(claim.lowers)):
        return False
    for i, word in enumerate(claim.roots):
        places = table.get(word)
        if places and their_sides:
            for number, side in places:
                for j in their_sides.get((number, 1 - side), ())[:MAX_PLACES]:
                    if _same_spot(pair, i, j):
                        if (
                            claim.parity[i] != premise.parity[j]
                            or exchanged(pair, i, j) is not None
                            or _excepted(pair, i, j)
                            or _is_moment(pair.claim, i) != _is_moment(pair.premise, j)
                            or is_compared_the_other_way(pair, i, j)
                            or is_free_within(pair, j)
                        ):
                            excused = True
                        elif not _also_said(pair, i, j, (number, side), their_sides):
                            out.word_clash(ClashKind.ANTONYM, (i, i), (j, j))
                            return excused
        member = groups.get(claim.lowers[i])
        if member and their_members and (member[0] >= 0 or claim.is_name[i]):
            other = _other_member(pair, i, member, their_members)
            if other is not None:
                kind = ClashKind.NAME if member[0] == -1 else ClashKind.ANTONYM
                out.word_clash(kind, (i, i), (other, other))
                return excused
    return excused


def _is_moment(text: Analysis, i: int) -> bool:
    """True for "closes at 5 pm", which says when and not that it is closed: it is open from 9 to 5."""
    at = i + 1
    return at + 1 < len(text.lowers) and text.lowers[at] in _AT and text.detail[at + 1] and any(d.first <= at + 1 <= d.last for d in text.dates)


def _excepted(pair: Pairing, i: int, j: int) -> bool:
    """True for "closed on Mondays" beside "open daily except Mondays": the claim is about what the premise takes out."""
    return taken_out(pair, j, besides=i)


def _folds(text: Analysis) -> dict[str, list[int]]:
    """Places of folded words of content; kept with the analysis."""
    if text.folds is None:
        text.folds = {}
        for i, word in enumerate(text.lowers):
            if text.content[i] and len(word) >= _LEAST_BASE:
                text.folds.setdefault(FOLDS[word], []).append(i)
    return text.folds


def _bases_of(lower: str) -> tuple[str, ...]:
    fold = FOLDS[lower] if len(lower) >= _LEAST_BASE else ""
    return tuple([base for prefix in _PREFIXES if fold.startswith(prefix) and ((base := fold[len(prefix) :]).endswith(_NEGATABLE) or prefix in _SURE_PREFIXES)])


_BASES: WordTable[tuple[str, ...]] = WordTable(_bases_of)
"""What is left of a word, folded, without a negating prefix that it begins with: hardly any word has one."""


def _bases(text: Analysis) -> frozenset[str]:
    """What is left of the words of content that begin with a negating prefix; kept with the analysis."""
    if text.bases is None:
        text.bases = frozenset(chain.from_iterable(map(_BASES.__getitem__, compress(text.lowers, text.content))))
    return text.bases


def _turned(ours: str, theirs: dict[str, list[int]]) -> list[int]:
    """Places of the word with a negating prefix that ours lacks, or without the one it has: "mutable" for "immutable"."""
    for prefix in _PREFIXES:
        sure = prefix in _SURE_PREFIXES
        base = ours[len(prefix) :]
        if ours.startswith(prefix) and len(base) >= _LEAST_BASE and base in theirs and (sure or base.endswith(_NEGATABLE)):
            return theirs[base]
        if prefix + ours in theirs and (sure or ours.endswith(_NEGATABLE)):
            return theirs[prefix + ours]
    return []


def _check_prefixes(pair: Pairing, out: Gathered) -> bool | None:
    """A clash of "paid" and "unpaid"; True where a negation makes them say the same, None where there is no such pair."""
    our_bases, their_bases = _bases(pair.claim), _bases(pair.premise)
    if not our_bases and not their_bases:
        return None
    ours, theirs = _folds(pair.claim), _folds(pair.premise)
    if theirs.keys().isdisjoint(our_bases) and ours.keys().isdisjoint(their_bases):
        return None
    for word, places in ours.items():
        turned = _turned(word, theirs) if word not in theirs else []
        for i in places if turned else ():
            for j in turned[:MAX_PLACES]:
                if _same_spot(pair, i, j):
                    if pair.claim.parity[i] != pair.premise.parity[j]:
                        return True
                    out.word_clash(ClashKind.ANTONYM, (i, i), (j, j))
                    return False
    return None


def _sides(text: Analysis) -> tuple[dict[tuple[int, int], list[int]], dict[int, list[int]]]:
    """Tokens by (pair, side), and by group of exclusive words."""
    if text.sides is None:
        table, groups = opposites(), exclusive()
        sides: dict[tuple[int, int], list[int]] = {}
        members: dict[int, list[int]] = {}
        for i, word in enumerate(text.roots) if not table.keys().isdisjoint(text.roots) else ():
            for place in table.get(word, ()):
                sides.setdefault(place, []).append(i)
        for i, word in enumerate(text.lowers) if not groups.keys().isdisjoint(text.lowers) else ():
            member = groups.get(word)
            if member and (member[0] >= 0 or text.is_name[i] or text.text[text.starts[i]].isupper()):
                members.setdefault(member[0], []).append(i)
        text.sides = (sides, members)
    return text.sides


def _also_said(pair: Pairing, i: int, j: int, place: tuple[int, int], their_sides: dict[tuple[int, int], list[int]]) -> bool:
    """
    True when the premise has the claim's own side of the pair ``place`` too, of the same thing, or the claim the premise's.

    "rare in lowlands and common in hills" does not say "rare in hills": the word behind decides.
    """
    clause = pair.claim.clause[i]
    ahead = _following(pair.claim, i, 1)
    opposite = _following(pair.premise, j, 1)
    for k in (*their_sides.get(place, ())[:MAX_PLACES], *pair.premise.index.get(pair.claim.keys[i], ())[:MAX_PLACES]):
        if pair.other_subject(clause, pair.premise.clause[k]):
            continue
        same = _following(pair.premise, k, 1)
        if not (ahead and same and ahead == opposite and ahead != same):
            return True
    ours, _ = _sides(pair.claim)
    return (place[0], 1 - place[1]) in ours


def _around(text: Analysis, i: int, reach: int) -> set[str]:
    """Keys of content words within ``reach`` content words of token ``i``, in its clause."""
    out: set[str] = set()
    for step in (-1, 1):
        j, left = i + step, reach
        while 0 <= j < len(text.lowers) and left and text.clause[j] == text.clause[i] and abs(j - i) < 9:
            if text.content[j]:
                out.add(text.keys[j])
                left -= 1
            j += step
    return out


def _adds(text: Analysis, i: int) -> bool:
    """True for "three more novels": more things, not things that are more."""
    return (
        text.lowers[i] in {"more", "fewer", "further"}
        and i > 0
        and (text.detail[i - 1] or text.lowers[i - 1] in {"some", "any", "several", "many", "no", "few"})
    )


def _is_passive(text: Analysis, i: int) -> bool:
    """True for "followed by", not for "fell by 6 %": who comes first is said the other way round."""
    return i + 2 < len(text.lowers) and text.lowers[i + 1] in {"by", "von", "par"} and text.clause[i + 1] == text.clause[i] and not text.detail[i + 2]


def _same_spot(pair: Pairing, i: int, j: int) -> bool:
    """True when the clauses around two words say the same, and the words next to them are shared."""
    clause, where = pair.claim.clause[i], pair.premise.clause[j]
    own = pair.claim.keys[i]
    keys = pair.keys_of(clause) - {own}
    if not keys:
        return False
    score = pair.row(keys)[where]
    if (
        score < ALIGNED
        or pair.other_subject(clause, where, (i, j))
        or _adds(pair.claim, i)
        or _adds(pair.premise, j)
        or _is_passive(pair.claim, i) != _is_passive(pair.premise, j)
    ):
        return False
    near = _around(pair.claim, i, 2)
    return bool(near & _around(pair.premise, j, 2)) or len(near) == 0


def _other_member(pair: Pairing, i: int, member: tuple[int, int], their_members: dict[int, list[int]]) -> int | None:
    """Where the premise has another word of the same kind in the same place, and not the claim's."""
    groups = exclusive()
    found: int | None = None
    for j in their_members.get(member[0], ())[:MAX_PLACES]:
        theirs = groups[pair.premise.lowers[j]]
        if theirs == member:
            return None
        if pair.claim.parity[i] == pair.premise.parity[j] == 0 and _same_slot(pair, i, j):
            found = j if found is None else found
    return found


def _following(text: Analysis, i: int, count: int = 2) -> list[str]:
    """Keys of the next content words of the clause."""
    out: list[str] = []
    for j in range(i + 1, min(len(text.lowers), i + 7)):
        if text.clause[j] != text.clause[i] or len(out) == count:
            break
        if text.content[j]:
            out.append(text.keys[j])
    return out


def _preposition(text: Analysis, i: int) -> str:
    """The preposition before a word, articles and one adjective aside."""
    for j in range(i - 1, max(-1, i - 4), -1):
        if text.lowers[j] in {"in", "from", "of", "on", "at"}:
            return text.lowers[j]
    return ""


def _is_predicate(text: Analysis, i: int) -> bool:
    """True for "is green"."""
    return i > 0 and text.lowers[i - 1] in {"is", "are", "was", "were", "ist", "sind", "est", "sont"}


def _same_slot(pair: Pairing, i: int, j: int) -> bool:
    """True when two words of one kind say the same of the same thing: before the same noun, or behind the same words."""
    clause, where = pair.claim.clause[i], pair.premise.clause[j]
    own = pair.claim.keys[i]
    keys = pair.keys_of(clause) - {own}
    if not keys or pair.row(keys)[where] < ALIGNED or pair.other_subject(clause, where, (i, j)):
        return False
    following = set(_following(pair.premise, j, 4))
    ahead = _following(pair.claim, i)
    if ahead:
        return not following.isdisjoint(ahead)
    if len(pair.claim.clause_keys[clause] - {own}) == 1:
        # "X is in Spain": nothing else to compare but the preposition.
        return _preposition(pair.claim, i) == _preposition(pair.premise, j) != "" or (_is_predicate(pair.claim, i) and _is_predicate(pair.premise, j))
    return bool(_around(pair.claim, i, 1) & _around(pair.premise, j, 4))
