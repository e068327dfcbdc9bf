"""Begin and end of a change: "raised from 40 to 60" gives 60 as what it was raised to, and 40 as what it used to be."""

from __future__ import annotations

from ragviz.consistency.amounts import kind_of
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import relate_dates
from ragviz.consistency.lexicon import root
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

_UP = frozenset(root(word) for word in word_set("raise increase lift boost grow rise climb jump extend expand widen lengthen double gain"))
_DOWN = frozenset(root(word) for word in word_set("lower reduce cut fall drop shrink decrease decline sink narrow shorten halve slump dip"))
_EITHER = frozenset(root(word) for word in word_set("move change shift postpone delay bring push adjust amend switch go come reschedule alter revise"))
_CHANGES = _UP | _DOWN | _EITHER
_WAS = word_set("previously formerly originally initially earlier before used had")
_ONLY_SAYS_WHEN = frozenset(
    root(word)
    for word in word_set("use previously formerly originally initially earlier before increase reduction change rise fall cut raise drop extension decrease")
)
_NEAR = 4
"""Tokens between begin and end of a change."""


def by_change(beside: Beside) -> Told | None:
    """"Raised to 40" and "used to be 60" of "raised from 40 to 60" are denied, "raised to 60" and "used to be 40" said."""
    claim, unit, _ = beside
    if claim.cues or unit.cues:
        return None
    change = _change(unit)
    if change is None:
        return None
    old, new = change
    ours = [d for d in (*claim.quantities, *claim.dates) if _is(d, old) or _is(d, new)]
    like = [d for d in (*claim.quantities, *claim.dates) if type(d.record) is type(old.record) and (isinstance(d.record, Quantity) or _kind(d) is _kind(old))]
    if len(ours) != 1 or len(like) != 1 or (_is(ours[0], old) and _is(ours[0], new)):
        return None
    was = _is_begin(claim, ours[0], unit)
    if was is None or not _turns_alike(claim, unit):
        return None
    rest = frozenset(k for i, k in enumerate(claim.keys) if claim.content[i] and claim.roots[i] not in _CHANGES | _ONLY_SAYS_WHEN)
    if not rest or not rest <= unit.all_keys:
        return None
    meant = old if was else new
    if _is(ours[0], meant):
        return Told(True)
    kind = ClashKind.DATE if isinstance(meant.record, DateMention) else kind_of(meant.record) if isinstance(meant.record, Quantity) else ClashKind.NUMBER
    return Told(False, (ours[0].first, ours[0].last), (meant.first, meant.last), kind)


def _change(text: Analysis) -> tuple[Detail, Detail] | None:
    """What a sentence says something changed from and to; None without a verb of change, or with several such pairs."""
    if _CHANGES.isdisjoint(text.roots):
        return None
    details = sorted([*text.quantities, *text.dates], key=lambda d: d.first)
    before = {d.first: text.lowers[d.first - 1] for d in details if d.first}
    found = [
        (a, b)
        for a in details
        for b in details
        if before.get(a.first) == "from" and before.get(b.first) == "to" and 0 < b.first - a.last <= _NEAR and type(a.record) is type(b.record)
    ]
    if len(found) != 1:
        return None
    old = found[0][0]
    verb = any(root in _CHANGES and text.clause[i] == old.clause for i, root in enumerate(text.roots[: old.first]))
    return found[0] if verb else None


def _kind(detail: Detail) -> DateKind | None:
    return detail.record.kind if isinstance(detail.record, DateMention) else None


def _is(ours: Detail, theirs: Detail) -> bool:
    a, b = ours.record, theirs.record
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return (
            a.value is not None
            and b.value is not None
            and (a.value == b.value if not (a.unit.dimension and b.unit.dimension) else relate(a, b) is Relation.SAME)
        )
    return isinstance(a, DateMention) and isinstance(b, DateMention) and relate_dates(a, b) is Relation.SAME


def _is_begin(claim: Analysis, detail: Detail, unit: Analysis) -> bool | None:
    """True where the claim says it was so before the change, False where since; None where it says neither."""
    before = claim.lowers[detail.first - 1] if detail.first else ""
    if before == "to" and not _CHANGES.isdisjoint(claim.roots):
        return False
    if before == "from" and not _CHANGES.isdisjoint(claim.roots):
        return True
    # "Before" of another event than the change tells nothing: "it was 40 before noon".
    when = {claim.keys[i] for i in range(detail.last + 1, len(claim.keys)) if claim.content[i] and claim.roots[i] not in _ONLY_SAYS_WHEN | _CHANGES}
    if ("used" in claim.lowers and "to" in claim.lowers) or not _WAS.isdisjoint(claim.lowers):
        return True if when <= unit.all_keys else None
    return None


def _turns_alike(claim: Analysis, unit: Analysis) -> bool:
    """False where one text says that it rose and the other that it fell."""
    ours, theirs = set(claim.roots), set(unit.roots)
    return not ((ours & _UP and theirs & _DOWN and not theirs & _UP) or (ours & _DOWN and theirs & _UP and not theirs & _DOWN))
