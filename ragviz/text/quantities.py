"""Numbers, amounts of money, percentages and measurements in running text, each with its span, its unit and what it bounds."""

from __future__ import annotations

import re
from decimal import Decimal

from ragviz.text.bounds import Bound, bound_after, bound_before
from ragviz.text.number_draft import Draft
from ragviz.text.number_reader import KNOWN_WORDS, may_be_number, read_numbers
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.quantity_units import SAYS_MORE, SMALL, cents_after, label_before, money_sign, noun_after, rate_after, unit_after
from ragviz.text.units import CENTS, EXACT

_RANGE = re.compile(r"[*_]{0,3}(?:\s?[-–—‐‑−]\s?|\s(?:to|bis|à|through)\s|\s?\.\.\.?\s?)[*_]{0,3}")
_AND = re.compile(r"[*_]{0,3} (?:and|und|et) [*_]{0,3}")
_OUT_OF = re.compile(r" (?:in|out of|of) (?:every )?")
_OF_WHOLE = re.compile(r"(?:[*_]{0,3} of)?(?: (?:the|its|their|all|our|his|her|these|those|der|des|du|de))\b|[*_]{0,3} of\b", re.IGNORECASE)
_A_UNIT = re.compile(r"(?: of)? an? ", re.IGNORECASE)
_LONE_UNIT = re.compile(r" ((?:an?|one|every) (second|minute|hour|day|week|fortnight|month|quarter|year|decade|century))\b(?! of\b|-)")
_LEADS = ("within", "in", "for", "after", "take", "takes", "took", "last", "lasts", "lasted", "of", "about", "than", "once", "twice", "is", "was")
_LEAD = re.compile(r"([^\W\d_]+)[*_]{0,3}$")
_AND_HALF = re.compile(r" and a half\b")
_ISO_DURATION = re.compile(r"(?<![^\W_])P(?:(\d{1,6})(Y|M|W|D))(?![^\W_])|(?<![^\W_])PT(\d{1,6})(H|M|S)(?![^\W_])")
NUMBER_WORDS = KNOWN_WORDS | {"second", "minute", "hour", "day", "week", "fortnight", "month", "quarter", "year", "decade", "century"}
"""A text without digits has amounts only if it has one of these words, or a compound German number."""
_ISO_UNITS = {"Y": "year", "M": "month", "W": "week", "D": "day"}
_ISO_TIMES = {"H": "h", "M": "min", "S": "s"}
_CHANGES = re.compile(
    r"\b(?:rose|rise|rises|risen|grew|grow|grown|grows|fell|fall|falls|fallen|dropped|drop|drops|cut|reduced|reduce|increased|increase|increases|"
    r"decreased|decrease|declined|extended|shortened|lowered|raised|changed|went|moved|jumped|doubled|climbed|expanded|shrank|improved|up|down|stieg|sank)\b",
    re.IGNORECASE,
)
_HUNDRED = Decimal(100)
_CENT = Decimal("0.01")


def quantities(text: str, *, foreign: bool | None = None, in_words: bool = True) -> list[Quantity]:
    """
    All amounts in the text, in reading order.

    Digits and words, thousands and decimal marks of several countries, scales ("$1.2bn"), ranges, bounds, percent, money, units,
    fractions, ordinals and labels; markdown around a number is not part of it. Dates and clock times are not taken out: what
    ``dates()`` also finds is a date. Linear in the length of the text.

    Args:
        text: Any text.
        foreign: Whether German and French number words count; None decides by the function words of the text.
        in_words: False where it is known that the text is ASCII and no run of letters in it ``may_count``: then only digits are looked for.

    Returns:
        Records with spans in code points of ``text``; none of them overlap.
    """
    drafts = read_numbers(text, foreign=foreign, in_words=in_words)
    taken = 0
    for draft in drafts:
        _attach_unit(text, draft, taken)
        taken = draft.end
    drafts = _merge(text, drafts)
    lone = _lone(text, drafts) if in_words or "P" in text else []
    drafts = _without_overlaps(sorted([*drafts, *lone], key=lambda d: (d.start, -d.end)) if lone else drafts)
    for draft in drafts:
        _attach_context(text, draft)
    return [d.done() for d in drafts]


def may_count(lower: str) -> bool:
    """True for a word that may be an amount or part of one."""
    return lower in NUMBER_WORDS or may_be_number(lower)


def _attach_unit(text: str, draft: Draft, taken: int) -> None:
    """Give the number its sign or unit; what lies before ``taken`` belongs to the number before."""
    sign = money_sign(text, draft.start)
    if sign is not None and sign[1] >= taken:
        draft.unit, draft.start = sign
        draft.kind = QuantityKind.MONEY
        return
    if draft.kind is QuantityKind.ORDINAL or draft.unit.name:
        return
    behind = draft.word_behind(text)
    if behind is not None and behind not in SAYS_MORE:
        return
    cents = cents_after(text, draft.end) if behind is None or behind in CENTS else None
    if cents is not None:
        draft.kind, draft.unit, draft.end = QuantityKind.MONEY, EXACT["$"], cents
        draft.multiply(_CENT)
        return
    found = unit_after(text, draft.end)
    if found is None and draft.ulp == _CENT and draft.low is not None and draft.low < 10:
        _attach_fraction(text, draft)
        return
    if found is None:
        return
    unit, end = found
    if unit.name == "GBP" and text[end - 1] in "sd" and re.search(r"weigh|heavy|weight|\blb", text[max(0, draft.start - 60) : end + 20]):
        unit = EXACT["lb"]
    draft.unit, draft.end = unit, end
    if unit.dimension == "money":
        draft.kind = QuantityKind.MONEY
    elif unit.dimension in {"percent", "points"}:
        draft.kind = QuantityKind.PERCENT
    else:
        draft.kind = QuantityKind.MEASURE


def _attach_fraction(text: str, draft: Draft) -> None:
    """Tell a time ("half an hour") from a share ("half of the members")."""
    article = _A_UNIT.match(text, draft.end)
    found = unit_after(text, article.end() - 1) if article else None
    if found is not None:
        draft.unit, draft.end = found
        draft.kind = QuantityKind.MEASURE
    elif _OF_WHOLE.match(text, draft.end) and (draft.word or (draft.low or 0) < 1):
        draft.kind, draft.unit = QuantityKind.PERCENT, EXACT["%"]
        draft.multiply(_HUNDRED)
        draft.ulp = Decimal(2)


def _merge(text: str, drafts: list[Draft]) -> list[Draft]:
    """Join ranges (3–5 days, between 3 and 5) and shares (two out of three)."""
    out: list[Draft] = []
    for draft in drafts:
        last = out[-1] if out else None
        if last is not None and 0 < draft.start - last.end < 14 and _joins(text, last, draft):
            continue
        out.append(draft)
    return out


def _joins(text: str, last: Draft, draft: Draft) -> bool:
    """Extend ``last`` over ``draft`` where the two make one amount."""
    if last.low is None or draft.low is None or last.low != last.high or draft.low != draft.high:
        return False
    if last.kind is QuantityKind.ORDINAL or draft.kind is QuantityKind.ORDINAL:
        return False
    before = text[max(0, last.start - 24) : last.start].lower()
    share = _OUT_OF.fullmatch(text, last.end, draft.start)
    if share and not last.unit.name and not draft.unit.name and 0 < last.low < draft.low <= 1000 and (last.whole and draft.whole) and share.group() != " of ":
        last.low = last.high = last.low / draft.low * _HUNDRED
        last.unit, last.kind, last.end, last.ulp = EXACT["%"], QuantityKind.PERCENT, draft.end, Decimal(2)
        return True
    between = _AND.fullmatch(text, last.end, draft.start) and before.rstrip(" *_$€£").endswith(("between", "zwischen", "entre"))
    if not between and not _RANGE.fullmatch(text, last.end, draft.start):
        return False
    same = last.unit.name == draft.unit.name or not last.unit.name or (not draft.unit.name and last.kind is QuantityKind.MONEY)
    if not same:
        return False
    if not last.unit.name and last.ulp == 1 and draft.ulp >= 1000 and last.low < 1000:
        last.multiply(draft.ulp if draft.ulp in {10**3, 10**6, 10**9, 10**12} else Decimal(1))
    if last.low >= draft.low or (not between and _is_change(text, last.start)):
        if not last.unit.name and last.low < draft.low * 1000:
            last.unit, last.kind = draft.unit, draft.kind
        return False
    last.high, last.end = draft.low, draft.end
    last.unit = draft.unit if draft.unit.name else last.unit
    last.kind = draft.kind if draft.unit.name else last.kind
    last.ulp = min(last.ulp, draft.ulp)
    return True


def _is_change(text: str, start: int) -> bool:
    """True for "rose from 5 to 8": two values, not a range."""
    before = text[max(0, start - 60) : start]
    return before.lower().rstrip(" $€£*_").endswith("from") and _CHANGES.search(before) is not None


def _lone(text: str, drafts: list[Draft]) -> list[Draft]:
    """Units without a number ("within a week", "every fortnight") and ISO 8601 durations ("P30D")."""
    found: list[Draft] = []
    taken = {place for d in drafts for place in (d.start, d.end)}
    for match in _LONE_UNIT.finditer(text):
        lead = _LEAD.search(text, max(0, match.start() - 10), match.start())
        if not taken.isdisjoint((match.start(1), match.end(1))) or not (match[1][0] == "e" or (lead and lead[1].lower() in _LEADS)):
            continue
        half = _AND_HALF.match(text, match.end(1))
        found.append(_one(match.start(1), half.end() if half else match.end(1), match[2], Decimal("1.5") if half else Decimal(1)))
    if "P" in text:
        for match in _ISO_DURATION.finditer(text):
            name = _ISO_UNITS[match[2]] if match[2] else _ISO_TIMES[match[4]]
            found.append(_one(match.start(), match.end(), name, Decimal(match[1] or match[3])))
    return found


def _without_overlaps(drafts: list[Draft]) -> list[Draft]:
    """Of two that overlap, the earlier and longer."""
    out: list[Draft] = []
    for draft in drafts:
        if not out or draft.start >= out[-1].end:
            out.append(draft)
    return out


def _one(start: int, end: int, name: str, number: Decimal) -> Draft:
    unit = EXACT[name]
    return Draft(start=start, end=end, low=number, high=number, ulp=Decimal(1), kind=QuantityKind.MEASURE, unit=unit, word=True)


def _attach_context(text: str, draft: Draft) -> None:
    """Bound, rate, counted noun, label."""
    behind = draft.word_behind(text)
    settled = behind is not None and behind not in SAYS_MORE
    if settled:
        draft.noun = "" if behind in SMALL else behind or ""
    else:
        rate = rate_after(text, draft.end) if draft.kind is not QuantityKind.ORDINAL else None
        end = draft.end
        if rate is not None:
            draft.per, end = rate
        draft.noun = noun_after(text, end)
    if draft.kind is QuantityKind.NUMBER and draft.low is not None and draft.low == draft.high:
        label = label_before(text, draft.start)
        if label:
            draft.kind, draft.noun = QuantityKind.LABEL, label
            return
    bound, outer_start = bound_before(text, draft.start, duration=draft.unit.dimension == "time")
    if bound is not Bound.EXACT:
        draft.outer_start = outer_start
    elif not settled:
        bound, draft.outer_end = bound_after(text, draft.end)
    if bound in {Bound.EXACT, Bound.ABOUT} or draft.low is None or draft.low != draft.high:
        draft.bound = draft.bound if bound is Bound.EXACT else bound
        return
    draft.bound = bound
    if bound in {Bound.MORE, Bound.AT_LEAST}:
        draft.high = None
    else:
        draft.low = None
