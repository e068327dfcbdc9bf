"""What each clause of a text says, with the subject that it takes over from the clause before, and how much of a claim one clause says."""

from __future__ import annotations

from ragviz.consistency.align import Pairing, subject_chunk
from ragviz.consistency.analysis import Analysis


def said(text: Analysis) -> list[frozenset[str]]:
    """For each clause its own keys, with the subject it takes over from the clause before where it has none of its own. Kept with the analysis."""
    if text.said is None:
        text.said = _said(text)
    return text.said


def _said(text: Analysis) -> list[frozenset[str]]:
    out: list[frozenset[str]] = []
    subject: frozenset[str] = frozenset()
    for clause in range(text.n_clauses):
        own = text.clause_keys[clause]
        chunk = frozenset(text.keys[i] for i in subject_chunk(text, clause))
        if (
            not chunk
            and clause + 1 < text.n_clauses
            and text.sentence[clause] == text.sentence[clause + 1]
            and text.lowers[text.first_of(clause)].endswith(("ed", "ing"))
        ):
            # "Based in Oslo, the group has …": the group is based there.
            out.append(own | frozenset(text.keys[i] for i in subject_chunk(text, clause + 1)))
            continue
        if text.open_subject[clause] and not chunk:
            out.append(own | subject)
            continue
        begins_plainly = bool(chunk) and text.lowers[text.first_of(clause)] not in {"and", "but", "or", "und", "et", "y"}
        out.append(own if begins_plainly else own | subject)
        subject = chunk if begins_plainly else subject or chunk
    return out


def bound_share(pair: Pairing) -> float:
    """
    How much of what the premise has of a claim one clause of it says, in [0, 1]; of several clauses of the claim the least.

    1 where the words stand together, 1/2 where half of them are said of something else.
    """
    least = 1.0
    if pair.premise.n_clauses < 2:
        return least
    theirs = said(pair.premise)
    for clause in range(pair.claim.n_clauses):
        keys = pair.claim.clause_keys[clause] & pair.premise_keys
        if len(keys) > 1:
            least = min(least, max((len(keys & own) / len(keys) for own in theirs), default=0.0))
    return least
