"""What figures and dates say of more and less, first and later: "headache was the most common" against "nausea (12 %), headache (9 %)"."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis, Detail
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.lexicon import SUPERLATIVES
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateKind, DateMention
from ragviz.text.quantity import Quantity

_MOST = frozenset({"most", "largest", "biggest", "highest", "greatest", "main", "mainly", "mostly", "majority", "longest", "commonest", "predominantly", "tallest", "heaviest", "strongest"})
_LEAST = frozenset({"least", "smallest", "lowest", "fewest", "rarest", "minority", "shortest", "lightest"})
_MORE = frozenset({"more", "higher", "larger", "greater", "bigger", "longer", "heavier", "taller", "outnumbered", "exceeded"})
_LESS = frozenset({"less", "lower", "smaller", "fewer", "shorter", "lighter", "rarer"})
_THAN = frozenset({"than", "als", "que"})
_BEFORE = frozenset({"before", "earlier", "preceded", "vor", "avant", "antes"})
_AFTER = frozenset({"after", "later", "followed", "nach", "après", "después"})
_SEPARATORS = frozenset({"and", "or", "but", "while", "against", "versus", "vs", "compared", "und", "oder", "et", "ou", "y", "o"})

_UNANIMOUS = frozenset({"unanimous", "unanimously", "everyone", "everybody", "all", "nobody", "einstimmig", "unanimité"})
_VOTES = ("vote", "voti", "motion", "ballot", "unanim", "ruling", "approve", "adopted", "stimm", "einstimm")
VOTED_ON = 0.34
"""Share of the claim's words that the clause with the votes must say: it is the same vote."""
MAX_WORDS = 10
"""Words of content of a claim that makes one comparison; a longer one says more than that."""
_DIVIDED = re.compile(
    r"(?<![\d.,])\d+ (?:votes? )?(?:to|against) [1-9]\d*(?!\d|[.,]\d)|\d+[-–][1-9]\d*(?= (?:vote|that|to|majority))|(?<![\d.,])[1-9]\d* (?:votes? |members? |voted )?(?:against|opposed|dissent\w*)"
)


class Figure(NamedTuple):
    """A thing and the amount given for it."""

    keys: frozenset[str]
    value: float
    detail: Detail


def figures(text: Analysis) -> list[Figure]:
    """
    Amounts of a list with what they belong to: "nausea (12 %)", "84 % quartz", "headache occurred in 11 %".

    All of one unit; empty where there are fewer than two such amounts or one has no words of its own.
    """
    by_unit: dict[tuple[str, str], list[tuple[Detail, Quantity]]] = {}
    for detail in text.quantities:
        quantity = detail.record
        if isinstance(quantity, Quantity) and quantity.value is not None:
            by_unit.setdefault((quantity.kind.value, quantity.unit.name), []).append((detail, quantity))
    listed = max(by_unit.values(), key=len, default=[])
    if len(listed) < 2:
        return []
    parts = _parts(text)
    sides = [_sides(text, parts, detail) for detail, _ in listed]
    if all(behind for _, behind in sides):
        things = [behind for _, behind in sides]
    elif all(before for before, _ in sides):
        things = [before for before, _ in sides]
    else:
        things = [before | behind for before, behind in sides]
    common = frozenset.intersection(*things)
    own = [keys - common for keys in things]
    if not all(own) or len(set(own)) < len(own):
        return []
    return [Figure(keys, q.base(q.value), d) for keys, (d, q) in zip(own, listed, strict=True) if q.value is not None]


def _parts(text: Analysis) -> list[int]:
    """Number of the stretch each token stands in: stretches end at commas, clauses and the words between the items of a list."""
    out: list[int] = []
    part = 0
    for i, word in enumerate(text.lowers):
        if i and (text.clause[i] != text.clause[i - 1] or text.commas[i - 1] or word in _SEPARATORS):
            part += 1
        out.append(part)
    return out


def _sides(text: Analysis, parts: list[int], detail: Detail) -> tuple[frozenset[str], frozenset[str]]:
    """
    Words of content before and behind an amount in its stretch.

    One that stands alone in brackets belongs to the word before it, or to what is behind where no comma follows.
    """
    part = parts[detail.first]
    own = [i for i, p in enumerate(parts) if p == part and text.content[i]]
    if not own and _alone(text, detail):
        return frozenset(), frozenset(text.keys[i] for i, p in enumerate(parts) if p == part + 1 and text.content[i])
    if not own:
        nearest = [i for i, p in enumerate(parts) if p == part - 1 and text.content[i]][-1:]
        return frozenset(text.keys[i] for i in nearest), frozenset()
    return frozenset(text.keys[i] for i in own if i < detail.first), frozenset(text.keys[i] for i in own if i > detail.last)


def _alone(text: Analysis, detail: Detail) -> bool:
    """True where words follow the closing bracket without a comma."""
    rest = text.text[text.ends[detail.last] :].lstrip(" %")
    return rest.startswith(")") and rest[1:2] == " " and rest[2:6].lower() not in {"and ", "or h"}


def check_comparisons(pair: Pairing, out: Gathered) -> bool:
    """Add a clash where the premise's figures or dates say the opposite of the claim's comparison. True when one was found."""
    if len(pair.claim.all_keys) > MAX_WORDS:
        return False
    return _check_figures(pair, out) or _check_order(pair, out) or _check_unanimity(pair, out)


def _check_figures(pair: Pairing, out: Gathered) -> bool:
    words = pair.claim.lowers
    if len(pair.premise.quantities) < 2 or pair.claim.quantities or pair.claim.dates or any(pair.claim.parity):
        return False
    top = not (_MOST.isdisjoint(words) and SUPERLATIVES.isdisjoint(words))
    low = not _LEAST.isdisjoint(words)
    than = next((i for i, w in enumerate(words) if w in _THAN), None)
    if not (top or low) and than is None:
        return False
    listed = figures(pair.premise)
    if len(listed) < 2:
        return False
    if than is not None:
        return _check_than(pair, out, listed, than)
    at = next(i for i, w in enumerate(words) if w in _MOST or w in _LEAST or w in SUPERLATIVES)
    subject = frozenset(pair.claim.keys[i] for i in range(len(words)) if pair.claim.content[i] and i != at)
    mine = [f for f in listed if f.keys & subject]
    if len(mine) != 1:
        return False
    extreme = (min if low else max)(listed, key=lambda f: f.value)
    if extreme.value == mine[0].value:
        return False
    _clash(out, at, extreme.detail)
    return True


def _check_than(pair: Pairing, out: Gathered, listed: list[Figure], than: int) -> bool:
    words = pair.claim.lowers
    sign = next((1 if w in _MORE else -1 for w in words[:than] if w in _MORE or w in _LESS), 0)
    if not sign:
        return False
    right = frozenset(pair.claim.keys[i] for i in range(than + 1, len(words)) if pair.claim.content[i])
    left = frozenset(pair.claim.keys[i] for i in range(than) if pair.claim.content[i])
    a = [f for f in listed if f.keys & left and not f.keys & right]
    b = [f for f in listed if f.keys & right and not f.keys & left]
    if len(a) != 1 or len(b) != 1 or (a[0].value - b[0].value) * sign >= 0:
        return False
    at = next(i for i, w in enumerate(words[:than]) if w in _MORE or w in _LESS)
    _clash(out, at, b[0].detail)
    return True


def _check_unanimity(pair: Pairing, out: Gathered) -> bool:
    """"Everyone voted for it" against "by 7 votes to 2" or "31 against"."""
    words = pair.claim.lowers
    if _UNANIMOUS.isdisjoint(words):
        return False
    at = next((i for i, w in enumerate(words) if w in _UNANIMOUS), None)
    if at is None or pair.claim.parity[at] or not any(w.startswith(_VOTES) for w in words):
        return False
    match = _DIVIDED.search(pair.premise.text)
    if match is None:
        return False
    first = next((i for i, start in enumerate(pair.premise.starts) if start >= match.start()), 0)
    clause = pair.claim.clause[at]
    if pair.row(pair.keys_of(clause))[pair.premise.clause[first]] < VOTED_ON:
        return False
    last = max(i for i, end in enumerate(pair.premise.ends) if end <= match.end())
    out.word_clash(ClashKind.QUANTIFIER, (at, at), (first, last))
    return True


def _clash(out: Gathered, at: int, theirs: Detail) -> None:
    out.word_clash(ClashKind.ROLE, (at, at), (theirs.first, theirs.last))


def _check_order(pair: Pairing, out: Gathered) -> bool:
    """"Version 3 was released before 2.5" against the two dates of release."""
    words = pair.claim.lowers
    if len(pair.premise.dates) < 2 or pair.claim.dates or any(pair.claim.parity):
        return False
    pivot = next((i for i, w in enumerate(words) if w in _BEFORE or w in _AFTER), None)
    if pivot is None:
        return False
    if all(pair.claim.is_name[i] for i in range(pivot + 1, len(words)) if pair.claim.content[i]) and not any(pair.claim.detail[pivot + 1 :]):
        return False  # "She was director before Hale" orders two terms of office, not two events
    dated = [(_first_day(d), words_of) for d, words_of in _segments(pair.premise) if _first_day(d) is not None]
    if len(dated) < 2:
        return False
    ours = (_words(pair.claim, range(pivot)), _words(pair.claim, range(pivot + 1, len(words))))
    when = [_best(side, ours[1 - n], dated) for n, side in enumerate(ours)]
    if when[0] is None or when[1] is None or when[0] == when[1]:
        return False
    said_first = words[pivot] in _BEFORE
    if (when[0] < when[1]) == said_first:
        return False
    details = [d for d in pair.premise.dates if _first_day(d) in when]
    out.word_clash(ClashKind.DATE, (pivot, pivot), (details[0].first, details[0].last))
    return True


def _first_day(detail: Detail) -> tuple[int, int, int] | None:
    mention = detail.record
    if not isinstance(mention, DateMention) or mention.kind is not DateKind.DAY or len(mention.readings) != 1 or not mention.readings[0].year:
        return None
    reading = mention.readings[0]
    return reading.year, reading.month, reading.day


def _words(text: Analysis, places: range) -> frozenset[str]:
    return frozenset(text.keys[i] if text.content[i] else text.lowers[i] for i in places if text.content[i] or text.detail[i])


def _segments(text: Analysis) -> list[tuple[Detail, frozenset[str]]]:
    """Each date with the words from the end of the date before it, and of its clause behind it where no other date follows."""
    out: list[tuple[Detail, frozenset[str]]] = []
    at = 0
    dates = text.dates
    for n, detail in enumerate(dates):
        end = detail.last
        following = dates[n + 1].first if n + 1 < len(dates) else len(text.lowers)
        same = [i for i in range(detail.last + 1, following) if text.clause[i] == text.clause[detail.last]]
        begins = at == 0 or text.clause[at - 1] != text.clause[detail.first]
        if not begins or (n + 1 < len(dates) and text.clause[dates[n + 1].first] == text.clause[detail.last]):
            same = []
        end = same[-1] if same else detail.last
        out.append((detail, _words(text, range(at, end + 1))))
        at = end + 1
    return out


def _best(side: frozenset[str], other: frozenset[str], dated: list[tuple[tuple[int, int, int] | None, frozenset[str]]]) -> tuple[int, int, int] | None:
    """The date whose words are more this side's than any other's; None where two fit equally."""
    own, theirs = side - other, other - side
    scores = sorted(((len(own & words) - len(theirs & words), day) if own & words else (-1, day) for day, words in dated if day is not None), reverse=True)
    if max((len(own & words) for day, words in dated if day == scores[0][1]), default=0) * 2 < len(own):
        return None
    return scores[0][1] if scores[0][0] >= 0 and (len(scores) < 2 or scores[0][0] > scores[1][0]) else None


