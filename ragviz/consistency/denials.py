"""What one text denies and the other says, in clauses that say the same otherwise."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, subject_chunk
from ragviz.consistency.analysis import MAX_PLACES, Analysis
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import SUPERLATIVES
from ragviz.consistency.negation import Cue
from ragviz.consistency.subsets import is_other
from ragviz.consistency.turned import denies_in_a_word, was_so
from ragviz.records import ClashKind

ALIGNED = 0.55
"""Least share of the claim's clause that the premise's clause must cover."""
SCOPE_FOUND = 0.74
"""Least share of the negated words that the other text must say without negation."""
SCOPE_ENDS = 0.6
"""The same where first and last of the negated words are found: "neither the driver nor the passenger was hurt"."""
SCOPE_WORDS = 5
_EXCEPT = frozenset({"except", "excluding", "save", "außer", "ausgenommen", "sauf", "excepté", "excepto", "salvo"})
_INSTEAD = frozenset({"instead", "rather"})
_AWAY = frozenset({"from", "leaving", "left"})
_NOBODY = frozenset({"no", "none", "nobody", "never", "kein", "keine", "niemand", "aucun", "aucune", "personne"})
_SHARES = frozenset({"most", "many", "some", "all", "majority", "half", "meisten", "viele", "plupart", "mayoría"})
_ONLY = frozenset(
    {"only", "solely", "exclusively", "nur", "ausschließlich", "lediglich", "seulement", "uniquement", "exclusivement", "solo", "sólo", "únicamente"}
)
_BEYOND = frozenset({"above", "over", "beyond", "after", "exceeding", "exceeds", "exceed", "outside", "than", "past"})
_NOUN_PHRASE = 3
"""Tokens from "free" to what is free: "a free cancellation window"."""
_STOPPING = frozenset({"stop", "stops", "stopped", "cease", "ceases", "ceased"})
_TRANSPARENT = frozenset({"true", "case", "correct", "wahr", "vrai"})
"""It is not true that …"""


def check_denials(pair: Pairing, out: Gathered) -> None:
    """Add a clash where a negation of one text reaches words that the other says plainly of the same thing."""
    for cue in pair.claim.cues:
        clause = pair.claim.clause[cue.at]
        if _is_unmatched(pair, cue):
            continue
        keys = pair.keys_of(clause)
        where, score = pair.best(keys)
        if (
            score >= ALIGNED
            and not is_other(pair, clause, where)
            and not denies_in_a_word(pair, pair.premise, where)
            and not was_so(pair.claim, cue.at, pair.premise, where)
        ):
            token = _found_otherwise(pair.claim, pair.premise, _scope(pair.claim, cue), where)
            if (
                token is not None
                and not _left(pair, cue.at, token)
                and not _both_end(pair.claim, cue, pair.premise, token)
                and not _both_deny(pair, clause, where)
            ):
                out.word_clash(ClashKind.NEGATION, (cue.at, cue.at), (token, token))
                return
    for cue in pair.premise.cues:
        where = pair.premise.clause[cue.at]
        for clause in range(pair.claim.n_clauses):
            keys = pair.keys_of(clause)
            row = pair.row(keys)
            if (
                row[where] < ALIGNED
                or is_other(pair, clause, where)
                or row[where] + 0.1 < max(row)
                or denies_in_a_word(pair, pair.claim, clause)
                or was_so(pair.premise, cue.at, pair.claim, clause)
            ):
                continue
            scope = _scope(pair.premise, cue)
            token = _found_otherwise(pair.premise, pair.claim, scope, clause)
            if token is None:
                token = _all_denied(pair, scope, clause)
            if (
                token is not None
                and not is_free_within(pair, cue.at)
                and not _both_end(pair.premise, cue, pair.claim, token)
                and not _also_plain(pair, scope, where)
                and not taken_out(pair, cue.at)
                and not _both_deny(pair, clause, where)
            ):
                out.word_clash(ClashKind.NEGATION, (token, token), (cue.at, cue.at))
                return


def is_free_within(pair: Pairing, at: int) -> bool:
    """True for "interest is charged above the buffer" beside "an interest-free buffer": free is what lies within."""
    premise, claim = pair.premise, pair.claim
    if premise.lowers[at] != "free" or at + 1 >= len(premise.lowers) or _BEYOND.isdisjoint(claim.lowers):
        return False
    within = {
        premise.keys[i] for i in range(at + 1, min(len(premise.lowers), at + _NOUN_PHRASE)) if premise.content[i] and premise.clause[i] == premise.clause[at]
    }
    beyond = next((i for i, word in enumerate(claim.lowers) if word in _BEYOND), 0)
    return not within.isdisjoint(claim.keys[beyond:])


def _both_end(negated: Analysis, cue: Cue, other: Analysis, token: int) -> bool:
    """True for "stop working" beside "stop work": the word that denies stands in front of the thing too, though it denies none there."""
    return negated.lowers[cue.at] in _STOPPING and any(
        other.roots[i] == negated.roots[cue.at] and other.clause[i] == other.clause[token] for i in range(max(0, token - 2), token)
    )


def _both_deny(pair: Pairing, clause: int, where: int) -> bool:
    """True for "in Basic there are no reports" beside "reports are not part of Basic": "no" in front of the subject denies all that is said of it."""
    ours = [cue for cue in pair.claim.cues if pair.claim.clause[cue.at] == clause]
    theirs = [cue for cue in pair.premise.cues if pair.premise.clause[cue.at] == where]
    if len(ours) != 1 or len(theirs) != 1:
        return False
    if pair.claim.tongue:
        return True  # where words stand freely, a negation reaches also what stands before it
    sides = ((pair.claim, ours[0], clause, pair.premise, theirs[0]), (pair.premise, theirs[0], where, pair.claim, ours[0]))
    for plain, cue, number, other, no in sides:
        subject = {plain.keys[i] for i in subject_chunk(plain, number) if i < cue.at}
        if (
            other.lowers[no.at] == "no"
            and plain.lowers[cue.at] != "no"
            and subject
            and subject == {other.keys[i] for i in range(no.start, min(no.end, no.start + len(subject) + 1)) if other.content[i]} & subject
        ):
            return True
    return False


def _scope(text: Analysis, cue: Cue) -> list[int]:
    return [i for i in range(cue.start, cue.end) if (text.content[i] and text.lowers[i] not in _TRANSPARENT) or text.detail[i]][:SCOPE_WORDS]


def _is_unmatched(pair: Pairing, cue: Cue) -> bool:
    """True for "no planet is hotter" beside "the hottest", "no other mammal" beside "the only mammal", "most are not shown" beside "only 600 are shown"."""
    words = pair.premise.lowers
    limited = not _ONLY.isdisjoint(words)
    if pair.claim.lowers[cue.at] in _NOBODY:
        return limited or any(w in {"most", "least"} or w in SUPERLATIVES for w in words)
    return limited and any(w in _SHARES for w in pair.claim.lowers[: cue.at])


def _found_otherwise(negated: Analysis, plain: Analysis, scope: list[int], clause: int) -> int | None:
    """
    The first negated word as the other text says it without negation.

    None unless the other text's clause says nearly all negated words, all of them without negation.
    """
    if not scope:
        return None
    first: int | None = None
    found = 0
    for i in scope:
        places = [j for j in plain.index.get(negated.keys[i], ())[: MAX_PLACES * 5] if plain.clause[j] == clause or negated.detail[i]]
        if not places:
            if negated.detail[i] or (first is None and negated.content[i]):
                return None
            continue
        if any(plain.parity[j] == negated.parity[i] for j in places):
            return None
        found += 1
        if first is None and negated.content[i]:
            first = places[0]
    share = found / len(scope)
    ends = share >= SCOPE_ENDS and any(plain.clause[j] == clause for j in plain.index.get(negated.keys[scope[-1]], ()))
    return first if share >= SCOPE_FOUND or ends else None


def _all_denied(pair: Pairing, scope: list[int], clause: int) -> int | None:
    """The claim's first word, where all it says of its subject is among the negated words: "was on a magazine cover"."""
    claim = pair.claim
    subject = set(subject_chunk(claim, clause))
    said = [i for i, c in enumerate(claim.clause) if c == clause and (claim.content[i] or claim.detail[i]) and i not in subject and not claim.is_name[i]]
    denied = {pair.premise.keys[i] for i in scope}
    if len(said) < 2 or any(claim.keys[i] not in denied or claim.parity[i] for i in said):
        return None
    return said[0]


def _also_plain(pair: Pairing, scope: list[int], negated_clause: int) -> bool:
    """True when another clause of the premise says the same words without negation."""
    premise = pair.premise
    shared = {premise.keys[i] for i in scope if premise.keys[i] in pair.claim.index}
    for clause in range(premise.n_clauses):
        if clause != negated_clause and all(any(premise.clause[j] == clause and not premise.parity[j] for j in premise.index[k]) for k in shared):
            return True
    return False


def _left(pair: Pairing, at: int, token: int) -> bool:
    """True for "at the hall instead of the docks" beside "moved from the docks to the hall": what is left behind is denied too."""
    claim, premise = pair.claim, pair.premise
    instead = any(claim.lowers[i] in _INSTEAD for i in range(max(0, at - 1), at + 1))
    return instead and any(premise.lowers[i] in _AWAY for i in range(max(0, token - 3), token))


def taken_out(pair: Pairing, j: int, *, besides: int = -1) -> bool:
    """True where the premise makes an exception behind token ``j``, and the claim speaks of what is excepted."""
    i = besides
    premise = pair.premise
    at = next((k for k in range(j, len(premise.lowers)) if premise.clause[k] == premise.clause[j] and premise.lowers[k] in _EXCEPT), None)
    if at is None:
        return False
    out = {premise.keys[k] for k in range(at + 1, min(len(premise.lowers), at + 6)) if premise.content[k] or premise.detail[k]}
    return any(pair.claim.keys[k] in out for k in range(len(pair.claim.keys)) if k != i and (pair.claim.content[k] or pair.claim.detail[k]))
