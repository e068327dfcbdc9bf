"""What all have that a text speaks of: "employees have a notice period of one month" says how long the notice period is."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Detail
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

_ALL = word_set("all every each our your we you everyone everybody")
_HOLDERS = word_set(
    "employees staff workers customers clients members users subscribers tenants students pupils guests visitors passengers patients participants "
    "applicants employers"
)
_BOUNDS = word_set("at least most up to about around roughly approximately exactly only just over under more less than a an the")
_HOLDING = word_set("have has get gets receive receives pay pays carry carries offer offers with face faces")
_REACH = 6
_MOST_BOUNDS = 4


def is_had_by_all(pair: Pairing, detail: Detail, other: Detail) -> bool:
    """
    True where the claim says how much one thing is ("the notice period is three months"), and the premise that everybody has just that thing of another
    amount. "Batteries have a guarantee of one year" does not say so of the guarantee: they are some of what has one.
    """
    claim, premise = pair.claim, pair.premise
    i, n = other.first - 1, 0
    while i > 0 and premise.lowers[i] in _BOUNDS and n < _MOST_BOUNDS:
        i, n = i - 1, n + 1
    if i < 1 or premise.lowers[i] != "of" or claim.tongue or premise.tongue:
        return False
    first = premise.first_of(other.clause)
    before = premise.lowers[first:i]
    if not (before[:1] and (before[0] in _ALL or not _HOLDERS.isdisjoint(before[:2]))):
        return False
    holding = next((j for j in range(i - 1, max(first, i - _REACH) - 1, -1) if premise.lowers[j] in _HOLDING), None)
    wanted = claim.clause_keys[detail.clause]
    if holding is None or not wanted or any(_says(one) == _says(detail) for one in premise.quantities):
        return False
    # "A lunch break of 45 minutes" is one kind of break.
    return {premise.keys[j] for j in range(holding + 1, i) if premise.content[j]} == wanted


def _says(detail: Detail) -> str:
    return detail.record.label if isinstance(detail.record, Quantity) else ""
