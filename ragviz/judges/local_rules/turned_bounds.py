"""Bounds the wrong way round: "at least" of a maximum; the least age of "no one under 16 may"; a deadline that is another day."""

from __future__ import annotations

import re

from ragviz.consistency.amounts import kind_of
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.date_relations import relate_dates
from ragviz.consistency.lexicon import key
from ragviz.consistency.magnitudes import Relation
from ragviz.consistency.sides import Side, side_of
from ragviz.judges.local_rules.rule import Beside, Told
from ragviz.records import ClashKind
from ragviz.text.bounds import Bound
from ragviz.text.date_mention import DateKind, DateMention
from ragviz.text.quantity import Quantity
from ragviz.text.word_sets import word_set

_MOST = word_set("maximum max limit cap exceed exceeds")
_LEAST = word_set("minimum min")
_LOW, _HIGH = frozenset({Bound.AT_LEAST, Bound.MORE}), frozenset({Bound.AT_MOST, Bound.LESS})
_SAYS_THE_BOUND = frozenset(key(word) for word in word_set(
    "maximum minimum max min limit cap exceed least most need want can measure long length wide width high height deep depth weigh weight heavy "
    "size large big last duration stay cost price old age allow permit require possible may",
))
"""Words that name a measure or its bound, which its unit tells as well."""
_NO_ONE = re.compile(
    r"\b(?:no one|nobody|none|no (?:person|child|minor|visitor|guest|passenger|driver|applicant|rider)s?) (?:who is |that is |aged )?(?:under|below|younger than) (?:the age of )?(\d{1,2})\b",
    re.IGNORECASE,
)
_NOT_UNDER = re.compile(
    r"\b(?:persons?|people|anyone|anybody|those|children|minors|visitors|guests|passengers|drivers|applicants|everyone) (?:who are |who is |aged )?(?:under|below|younger than) (?:the age of )?(\d{1,2})\b.*?\b(?:not|cannot|may not|forbidden|prohibited|banned|refused|excluded)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:must|has to|have to|need to|needs to|should) be (?:(?:at least|no younger than) (\d{1,2})\b|(\d{1,2}) (?:years? (?:old |of age )?)?(?:or (?:older|over|above)|and (?:older|over|above)))",
    re.IGNORECASE,
)
_IS_OF_AGE = re.compile(r"\b(\d{1,2})-year-olds?\b", re.IGNORECASE)
_NOT_AGE = re.compile(r"^\s*(?:%|€|£|\$|kg|km|cm|mm|m\b|min|hours?|days?|weeks?|months?|gb|mb|euros?|eur|people|persons|degrees)", re.IGNORECASE)
_ABOUT_AGE = frozenset(
    key(word)
    for word in word_set(
        "under over old older young younger age aged year least person people child visitor guest driver applicant anyone anybody everyone one "
        "nobody allow permit may must can need require"
    )
)
_DUTY = word_set("must need needs due deadline latest required submitted handed paid register apply send")
_SAYS_LATEST = frozenset(key(word) for word in word_set("late later latest deadline due must need no"))
ABOUT_IT = 0.6
"""The same where the ages are equal, and nothing is denied."""
FITS = 0.75
"""Share of what else the claim says that the sentence must have."""


def by_bound(beside: Beside) -> Told | None:
    """"At least 120 cm" of "the maximum length is 120 cm", "at most 3 nights" of "the minimum stay is 3 nights": the same figure as the other bound."""
    claim, unit, _ = beside
    ours = [(d, side) for d in claim.quantities if (side := _side(claim, d))]
    if len(ours) != 1 or len(claim.quantities) != 1:
        return None
    detail, side = ours[0]
    theirs = [(d, its_side) for d in unit.quantities if (its_side := _side(unit, d)) and _same_figure(detail, d)]
    if len(theirs) != 1 or _denies_otherwise(claim, detail) or _denies_otherwise(unit, theirs[0][0]):
        return None
    rest = frozenset(k for k in claim.all_keys if k not in _SAYS_THE_BOUND)
    if not rest & unit.all_keys and claim.all_keys & unit.all_keys == frozenset():
        return None
    if len(rest - unit.all_keys) > (1 - FITS) * len(rest):
        return None
    if theirs[0][1] == side:
        # "May not exceed 4 MB" forbids what "can be up to 4 MB" does not allow.
        return Told(True, full=False) if "exceed" in claim.lowers or "exceed" in unit.lowers else None
    other = theirs[0][0]
    record = detail.record
    assert isinstance(record, Quantity)
    return Told(False, _with_bound(claim, detail), _with_bound(unit, other), kind_of(record))


def _side(text: Analysis, detail: Detail) -> int:
    """1 for a least amount, -1 for a most, 0 for neither."""
    record = detail.record
    if not isinstance(record, Quantity):
        return 0
    if record.bound in _LOW:
        return 1
    if record.bound in _HIGH:
        return -1
    if record.value is None or record.bound is not Bound.EXACT:
        return 0
    clause = {word for i, word in enumerate(text.lowers) if text.clause[i] == detail.clause and i < detail.first}
    most, least = not _MOST.isdisjoint(clause), not _LEAST.isdisjoint(clause)
    return 0 if most is least else -1 if most else 1


def _same_figure(ours: Detail, theirs: Detail) -> bool:
    a, b = ours.record, theirs.record
    if not isinstance(a, Quantity) or not isinstance(b, Quantity) or a.unit.dimension != b.unit.dimension:
        return False
    left, right = (q.low if q.low is not None else q.high for q in (a, b))
    return left is not None and right is not None and abs(a.base(left) - b.base(right)) <= abs(b.base(right)) * 1e-9


def _denies_otherwise(text: Analysis, detail: Detail) -> bool:
    """True where a negation stands elsewhere than in "no more than" or "may not exceed"."""
    record = detail.record
    assert isinstance(record, Quantity)
    return any(
        (text.ends[cue.at] <= record.outer.start and text.lowers[cue.at + 1 : cue.at + 2] != ["exceed"]) or text.starts[cue.at] >= record.outer.end
        for cue in text.cues
    )


def _with_bound(text: Analysis, detail: Detail) -> tuple[int, int]:
    """Tokens of an amount with the words that bound it."""
    record = detail.record
    assert isinstance(record, Quantity)
    first, last = detail.first, detail.last
    while first and text.starts[first - 1] >= record.outer.start:
        first -= 1
    while last + 1 < len(text.lowers) and text.ends[last + 1] <= record.outer.end:
        last += 1
    if first == detail.first and last == detail.last:
        word = next((i for i in range(detail.first) if text.clause[i] == detail.clause and (text.lowers[i] in _MOST or text.lowers[i] in _LEAST)), first)
        return (word, last)
    return first, last


def by_least_age(beside: Beside) -> Told | None:
    """"You must be at least 16 to enter" of "no one under 16 may enter", and the other way round; another age is denied."""
    claim, unit, _ = beside
    ours, theirs = _least_age(claim), _least_age(unit)
    if theirs is None:
        return None
    if ours is None:
        young = _IS_OF_AGE.search(claim.text)
        if young is None or claim.cues or int(young[1]) >= theirs[0] or not _deeds(claim, young.span()) <= unit.all_keys or not _deeds(claim, young.span()):
            return None
        return Told(False, _tokens(claim, young.span()), _tokens(unit, theirs[1]))
    deeds = _deeds(claim, ours[1])
    if ours[0] == theirs[0] and deeds and len(deeds & unit.all_keys) >= ABOUT_IT * len(deeds):
        return Told(True, full=deeds <= unit.all_keys)
    if not deeds or not deeds <= unit.all_keys:
        return None
    return Told(False, _tokens(claim, ours[1]), _tokens(unit, theirs[1]), ClashKind.NUMBER)


def _least_age(text: Analysis) -> tuple[int, tuple[int, int]] | None:
    """The age below which something is not allowed, and where it stands."""
    for pattern in (_NO_ONE, _NOT_UNDER, _AT_LEAST):
        match = pattern.search(text.text)
        if match is not None:
            group = next(n for n in range(1, pattern.groups + 1) if match[n])
            if _NOT_AGE.match(text.text[match.end(group) :]) is None:
                return int(match[group]), match.span(group)
    return None


def _deeds(text: Analysis, age: tuple[int, int]) -> frozenset[str]:
    """What is allowed from that age: words of content that are about something else than ages and leave."""
    return frozenset(
        text.keys[i]
        for i in range(len(text.keys))
        if text.content[i] and text.keys[i] not in _ABOUT_AGE and not (text.starts[i] < age[1] and text.ends[i] > age[0])
    )


def _tokens(text: Analysis, span: tuple[int, int]) -> tuple[int, int]:
    inside = [i for i in range(len(text.lowers)) if text.starts[i] < span[1] and text.ends[i] > span[0]]
    return (inside[0], inside[-1])


def by_deadline(beside: Beside) -> Told | None:
    """"No later than 15 April" of "must arrive by 31 March": a deadline is one day."""
    claim, unit, _ = beside
    ours, theirs = _deadline(claim), _deadline(unit)
    if ours is None or theirs is None or claim.cues or unit.cues or not (_is_due(claim) and _is_due(unit)):
        return None
    a, b = ours.record, theirs.record
    assert isinstance(a, DateMention)
    assert isinstance(b, DateMention)
    rest = frozenset(k for i, k in enumerate(claim.keys) if claim.content[i] and k not in _SAYS_LATEST and not ours.first <= i <= ours.last)
    if relate_dates(a, b) is not Relation.OTHER or not rest or len(rest - unit.all_keys) > (1 - FITS) * len(rest):
        return None
    return Told(False, (ours.first, ours.last), (theirs.first, theirs.last), ClashKind.DATE)


def _deadline(text: Analysis) -> Detail | None:
    """The one date by which something has to be done."""
    found = [d for d in text.dates if isinstance(d.record, DateMention) and d.record.kind is DateKind.DAY]
    return found[0] if len(found) == 1 and side_of(text, found[0]) is Side.BY else None


def _is_due(text: Analysis) -> bool:
    return "later" in text.lowers or not _DUTY.isdisjoint(text.lowers) or ("to" in text.lowers and not {"has", "have"}.isdisjoint(text.lowers))
