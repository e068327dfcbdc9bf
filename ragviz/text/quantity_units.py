"""What stands around a number: currency sign, unit, rate, the noun it counts, the word it labels."""

from __future__ import annotations

import re

from ragviz.text.beside import word_before
from ragviz.text.bounds import AFTER
from ragviz.text.number_words import SCALES
from ragviz.text.units import ANY_CASE, CENTS, EXACT, PREFIX_SIGNS, Unit, currency_named, unit_named
from ragviz.text.word_sets import word_set

_SIGN = re.compile(
    rf"(?:(?:US|CA|AU|C|A|R|NZ|HK|S)?\$|[{PREFIX_SIGNS}]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|CNY|RMB|SEK|NOK|PLN|KRW|BRL|MXN|Rs\.?))[ \u00a0\u202f]?[*_]{{0,3}}$"
)
_AFTER = re.compile(
    r"[*_]{0,3}[ \u00a0\u202f-]?[*_]{0,3}(?P<a>%|‰|[°º]\s?[CFK]?\b|[°º]|[€$£¥₹¢″′]|(?:US\$)|[A-Za-zÀ-ÿµμΩ℃℉×]+[²³23]?(?:/[A-Za-z²³]+)?)(?![\d])"
    r"(?:[ \u00a0-](?P<b>[A-Za-zÀ-ÿ]+(?:\.[A-Z]\.)?))?(?:[ \u00a0-](?P<c>[A-Za-zÀ-ÿ]+))?",
)
_PER = re.compile(
    r"[*_]{0,3}\s?(?:/|per |a |an |each |every |pro |par )\s?(second|minute|hour|day|night|week|month|quarter|year|person|user|seat|employee|head|capita|h|s|kg|m²|km|l|Monat|Jahr|Tag|mois|an|jour)\b|[*_]{0,3} (hourly|daily|weekly|monthly|quarterly|annually|yearly)\b",
    re.IGNORECASE,
)
_PER_WORDS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annually": "year", "yearly": "year", "h": "hour",
    "s": "second", "monat": "month", "jahr": "year", "tag": "day", "mois": "month", "an": "year", "jour": "day",
}
_WORD_BEHIND = re.compile(r"[*_]{0,3}[ \u00a0-][*_]{0,3}([^\W\d_]+(?:['’][^\W\d_]+)?)")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.?[ \u00a0#№-]{1,2}[*_]{0,3}$")
_LABELS = """
room section article chapter clause paragraph page figure table step phase version level grade type class category part volume line
gate platform terminal flight route highway number no nr art sec fig ch item option question case rule form model season episode round stage
building floor unit appendix annex act schedule tier size group team lot track zone district area exit bus day week week's passage
source document doc ticket issue order invoice raum abschnitt artikel kapitel seite
"""
LABELS = frozenset(_LABELS.split())
"""Words in front of a number that make it a name: room 7."""
SMALL = frozenset({"of", "in", "on", "at", "to", "and", "or", "by", "for", "from", "with", "the", "a", "an", "is", "was", "are", "were", "per", "as", "that", "which", "who", "than"})
_BEFORE_NUMBER = PREFIX_SIGNS + " \u00a0\u202f*_.DRPFYBNKs"
_CODE_ENDS = PREFIX_SIGNS + "DRPFYBNKWL."
_BEGIN_LONGER = frozenset({re.split("[ -]", alias)[0].lower() for alias in (*EXACT, *ANY_CASE) if " " in alias or "-" in alias})
"""Words with which units of several words begin: "miles per hour"."""
SAYS_MORE = (
    frozenset({match[0].lower() for alias in (*EXACT, *ANY_CASE) if (match := re.match(r"[^\W\d_]+", alias))})
    | SCALES.keys() | CENTS | {phrase.split()[0] for phrase in AFTER}
    | word_set(
        "per a an each every pro par hourly daily weekly monthly quarterly annually yearly",  # a rate
        "of the its their all our his her these those der des du de",  # a share
    )
)
"""Words behind a number that may be its unit, its scale, its bound or what it is per: any other plain word is the noun it counts, and ends it."""


def money_sign(text: str, start: int) -> tuple[Unit, int] | None:
    """The currency in front of the number at ``start``, and where its sign begins."""
    if start == 0 or text[start - 1] not in _BEFORE_NUMBER:
        return None
    if text[start - 1] == " " and start > 1:
        # Before nearly every number stands a word, and few words end like a code.
        last = text[start - 2]
        if last not in _CODE_ENDS and (last != "s" or text[start - 3 : start - 1] != "Rs"):
            return None
    match = _SIGN.search(text, max(0, start - 8), start)
    if match is None:
        return None
    sign = match.group().strip(" \u00a0\u202f*_").rstrip(".")
    unit = currency_named(sign) or currency_named(sign[-1])
    return None if unit is None else (unit, match.start())


_FORMULA = re.compile(r"(?<![\w$])\$(?=[A-Za-z\\(])[^$\n]*$")
_FORMULA_CHARS = 160


def unit_after(text: str, end: int) -> tuple[Unit, int] | None:
    """The unit behind the number ending at ``end`` and where it ends; up to three words ("miles per hour")."""
    match = _AFTER.match(text, end)
    if match is None:
        return None
    a, b, c = match["a"], match["b"], match["c"]
    if a[0] == "$" and _FORMULA.search(text, max(0, end - _FORMULA_CHARS), end) is not None:
        return None
    if a[0] in "°º":
        sign = "°" + a[1:].strip()
        return EXACT.get(sign, EXACT["°"]), match.end("a")
    longer = b and a.lower() in _BEGIN_LONGER
    if longer and c:
        unit = unit_named(f"{a} {b} {c}")
        if unit is not None:
            return unit, match.end("c")
    if longer:
        unit = unit_named(f"{a} {b}") or (unit_named(f"{a}-{b}") if text[match.end("a")] == "-" else None)
        if unit is not None:
            return unit, match.end("b")
    unit = unit_named(a)
    if unit is None and "/" in a:
        unit = unit_named(a.partition("/")[0])
        return None if unit is None else (unit, match.start("a") + a.index("/"))
    if unit is None:
        return None
    if len(a) == 1 and a.isalpha() and match.start("a") > end and text[match.start("a") - 1] == "-":
        return None
    return unit, match.end("a")


def cents_after(text: str, end: int) -> int | None:
    """Where "cents" or "pence" behind the number ends."""
    match = _WORD_BEHIND.match(text, end)
    if match and match[1].lower() in CENTS:
        return match.end()
    return end + 1 if text[end : end + 1] == "¢" else None


def rate_after(text: str, end: int) -> tuple[str, int] | None:
    """What the amount is per: "month" for "€5 per month", "$5/month", "5 € monthly"; and where the words end."""
    match = _PER.match(text, end)
    if match is None:
        return None
    word = (match[1] or match[2]).lower()
    return _PER_WORDS.get(word, word), match.end()


def noun_after(text: str, end: int) -> str:
    """The word right behind a number, lower-cased; "" where it is a function word or there is none."""
    match = _WORD_BEHIND.match(text, end)
    word = match[1].lower() if match else ""
    return "" if word in SMALL else word


def label_before(text: str, start: int) -> str:
    """The word that makes the number a name ("room"), or ""."""
    plain = word_before(text, start)
    if plain:
        return plain if plain in LABELS else ""
    match = _WORD_BEFORE.search(text, max(0, start - 16), start)
    if match is None:
        return "number" if start and text[start - 1] in "#№" else ""
    word = match[1].lower()
    return word if word in LABELS else ""
