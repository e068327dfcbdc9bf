"""What a thing is said to be: "X is a film" against "X is an album"."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import classes
from ragviz.records import ClashKind

_COPULAS = frozenset({"is", "was", "are", "were", "became", "ist", "war", "est", "était"})
_ARTICLES = frozenset({"a", "an", "the", "one", "ein", "eine", "un", "une"})
_END_WORDS = "of in by from that which who for with at on to and or where when based about starring directed written produced located von in de par dans"
_ENDS = frozenset(_END_WORDS.split())
ALIGNED = 0.6
LONGEST = 14


def check_classes(pair: Pairing, out: Gathered) -> None:
    """Add a clash where both texts say what one thing is, and mean things of different classes."""
    ours = predicate_of(pair.claim)
    if not ours:
        return
    at, subject = ours[-1], pair.claim.clause[ours[-1]]
    mine = classes().get(pair.claim.roots[at])
    if mine is None or pair.claim.parity[at]:
        return
    theirs = predicate_of(pair.premise, all_clauses=True)
    known = [(j, classes().get(pair.premise.roots[j])) for j in theirs]
    named = [(j, c) for j, c in known if c is not None]
    if not named or any(c == mine for _, c in named) or pair.claim.keys[at] in pair.premise.index:
        return
    chunk = frozenset(pair.claim.keys[i] for i in range(pair.claim.first_of(subject), at) if pair.claim.content[i] and pair.claim.is_name[i])
    where = pair.premise.clause[named[-1][0]]
    if not chunk or pair.premise.parity[named[-1][0]]:
        return
    score = pair.row(chunk)[where]
    if score >= ALIGNED and chunk & pair.premise.context[where]:
        out.word_clash(ClashKind.ANTONYM, (at, at), (named[-1][0], named[-1][0]))


def predicate_of(text: Analysis, *, all_clauses: bool = False) -> list[int]:
    """Content tokens of "is a …" up to its first preposition or comma; the head is the last."""
    out: list[int] = []
    lowers = text.lowers
    if _COPULAS.isdisjoint(lowers):
        return out
    for i, word in enumerate(lowers[:-1]):
        if word not in _COPULAS or lowers[i + 1] not in _ARTICLES:
            continue
        for j in range(i + 2, min(len(lowers), i + 2 + LONGEST)):
            if text.clause[j] != text.clause[i] or (lowers[j] in _ENDS and not (all_clauses and lowers[j] in {"and", "or"})):
                break
            if text.content[j]:
                out.append(j)
            if text.commas[j] and not all_clauses:
                break
        if out:
            break
    return out
