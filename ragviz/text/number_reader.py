"""Bare numbers in running text, digits and words; units and bounds come after."""

from __future__ import annotations

import re
from decimal import Decimal

from ragviz.text.bounds import Bound
from ragviz.text.number_draft import Draft
from ragviz.text.number_words import (
    CARDINALS,
    FOREIGN,
    FRACTION_WORDS,
    MULTIPLES,
    NEVER_ALONE,
    ORDINALS,
    PLURAL_SCALES,
    SCALES,
    Word,
    combine,
    is_foreign,
    may_be_foreign,
    word_value,
)
from ragviz.text.numerals import VULGAR, Reading, read_fraction, read_numeral, read_vulgar
from ragviz.text.quantity import QuantityKind
from ragviz.text.quantity_units import money_sign
from ragviz.text.units import EXACT
from ragviz.text.word_table import WordTable

_NUMERAL = r"(?<![^\W_])(?<!\d[.,:/])(?<![^\W\d_]-)(?:\d{1,3}(?:[\u00a0\u202f\u2009 ]\d{3})+(?:[.,]\d+)?(?![\d-])|\d+(?:[.,'’]\d+)*)"
_SCAN = re.compile(
    rf"(?P<num>{_NUMERAL})"
    rf"|(?P<vulgar>[{VULGAR}])|(?P<word>[^\W\d_]+(?:[’'][^\W\d_]+)?)",
)
# The same with its first digit in front, which is looked for faster.
_NUMERALS = re.compile(
    r"\d(?<![^\W_]\d)(?<!\d[.,:/]\d)(?<![^\W\d_]-\d)(?:\d{0,2}(?:[\u00a0\u202f\u2009 ]\d{3})+(?:[.,]\d+)?(?![\d-])|\d*(?:[.,'’]\d+)*)"
)
_FRACTION = re.compile(r"/(\d{1,3})(?![\d/])")
_POWER = re.compile(r"\s?[×x*]\s?10\^?([-−+]?\d{1,2}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?!\d)|[eE]([-+]?\d{1,2})(?![\w.])")
_SCALE_WORD = re.compile(r"[*_]{0,3}[ \u00a0\u202f-]?[*_]{0,3}([^\W\d_]+)\.?")
_COUNTED = re.compile(r" (?:people|[a-z]{3,}s)\b")
_GLUED_SCALE = {"k": 3, "K": 3, "M": 6, "B": 9, "m": 6, "b": 9, "t": 12, "T": 12}
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_ORDINAL_END = re.compile(r"(?:st|nd|rd|th)\b")
_NOT_ONE = frozenset({"of", "another", "day", "can", "could", "should", "must", "may", "might", "would", "who", "that", "is", "has", "s", "or", "by"})
_NO_ONE = frozenset({"no", "this", "that", "the", "any", "every", "each", "some", "which", "another", "only", "as"})
_JOIN = re.compile(r"(?:[ \u00a0]?-?[ \u00a0]?|,? and |[ \u00a0]+)")


KNOWN_WORDS = frozenset({*CARDINALS, *SCALES, *FOREIGN, *FRACTION_WORDS, *ORDINALS, *PLURAL_SCALES, *MULTIPLES})
"""All words of which a number can be made, German compounds aside."""


def may_be_number(lower: str) -> bool:
    """True for a word that may be part of a number."""
    return lower in KNOWN_WORDS or (len(lower) > 8 and may_be_foreign(lower))


_PARTS: WordTable[str | None] = WordTable(lambda word: lower if may_be_number(lower := word.lower()) else None)
"""Words that may be part of a number, as they are written, in small letters."""
_MAY_SCALE = SCALES.keys() | {"x"}
"""Plain words behind digits that may multiply them."""


def _exact(start: int, end: int, reading: Reading, *, word: bool = False) -> Draft:
    return Draft(start=start, end=end, low=reading.value, high=reading.value, ulp=reading.ulp, other=reading.other, word=word)


def read_numbers(text: str, *, foreign: bool | None = None, in_words: bool = True) -> list[Draft]:
    """All bare numbers of the text in reading order, without units or bounds; ``foreign`` and ``in_words`` as in ``quantities()``."""
    reader = _Reader(text, foreign=foreign)
    return reader.read() if in_words else reader.read_digits()


class _Reader:
    """Walks over the words of one text once; each step looks only at a bounded stretch around it."""

    def __init__(self, text: str, *, foreign: bool | None) -> None:
        self.text = text
        self._foreign = foreign
        self.drafts: list[Draft] = []
        self.run: list[tuple[int, int, Word]] = []

    @property
    def foreign(self) -> bool:
        """Whether German and French number words count; looked up only when one occurs."""
        if self._foreign is None:
            self._foreign = is_foreign(self.text)
        return self._foreign

    def read_digits(self) -> list[Draft]:
        """Numbers in digits alone."""
        for match in _NUMERALS.finditer(self.text):
            self._numeral(match.start(), match.end(), match[0])
        return self.drafts

    def read(self) -> list[Draft]:
        """Numbers without units."""
        text = self.text
        for match in _SCAN.finditer(text):
            kind = match.lastgroup
            if kind == "word":
                lower = _PARTS[match[0]]
                if lower is not None:
                    self._word(match.start(), match.end(), lower)
                elif self.run and not (self.run[-1][2].scale and match[0].lower() == "and"):
                    self._flush()
                continue
            if self.run:
                self._flush()
            if kind == "num":
                self._numeral(match.start(), match.end(), match.group())
            else:
                self._vulgar(match.start(), match.group())
        self._flush()
        return self.drafts

    def _numeral(self, start: int, end: int, raw: str) -> None:
        last = self.drafts[-1] if self.drafts else None
        if last is not None and start < last.end:
            return
        reading = read_numeral(raw)
        if reading is None:
            return
        text = self.text
        draft = _exact(start, end, reading)
        behind = draft.word_behind(text)
        slash = _FRACTION.match(text, end) if text[end : end + 1] == "/" else None
        if behind is not None:
            if behind in _MAY_SCALE:
                self._digits_after(draft)
        elif slash and raw.isdecimal() and 0 < int(raw) < int(slash[1]):
            whole = last if last is not None and last.end == start - 1 and text[start - 1] == " " and last.whole else None
            part = read_fraction(int(raw), int(slash[1]))
            draft = _exact(start, slash.end(), part)
            if whole is not None:
                self.drafts.pop()
                draft = _exact(whole.start, slash.end(), part._replace(value=part.value + (whole.low or 0)))
        elif text[end : end + 2] in {"st", "nd", "rd", "th"} and _ORDINAL_END.match(text, end):
            draft.kind, draft.end = QuantityKind.ORDINAL, end + 2
        else:
            self._digits_after(draft)
        if start and text[start - 1] in "-−" and (start == 1 or text[start - 2] in " ([*\n"):
            draft.low = draft.high = -(draft.low or Decimal(0))
            draft.start -= 1
        self.drafts.append(draft)

    def _digits_after(self, draft: Draft) -> None:
        """Powers of ten and scale words or letters behind digits."""
        text, end = self.text, draft.end
        follow = text[end : end + 1]
        if not follow:
            return
        if follow in " ×x*eE":
            power = _POWER.match(text, end)
            if power:
                draft.multiply(Decimal(10) ** int((power[1] or power[2]).translate(_SUPERSCRIPT)))
                draft.end = power.end()
                return
        scale = _SCALE_WORD.match(text, end)
        if scale is None:
            return
        word = scale[1]
        money = money_sign(text, draft.start) is not None
        if len(word) == 1:
            if scale.start(1) == end and word in _GLUED_SCALE and (money or word in "kKMB" or _COUNTED.match(text, end + 1)):
                draft.multiply(Decimal(10) ** _GLUED_SCALE[word])
                draft.end = scale.end(1)
            return
        value = SCALES.get(word.lower())
        if value is not None and not (word.lower() == "mille" and not self.foreign):
            draft.multiply(value)
            draft.end = scale.end(1)
            if word.lower() in NEVER_ALONE and text[scale.end(1) : scale.end(1) + 1] == "." and word.lower() in {"mio", "mrd"}:
                draft.end += 1

    def _vulgar(self, start: int, sign: str) -> None:
        last = self.drafts[-1] if self.drafts else None
        part = read_vulgar(sign)
        if last is not None and last.end in {start, start - 1} and last.whole:
            self.drafts.pop()
            self.drafts.append(_exact(last.start, start + 1, part._replace(value=part.value + (last.low or 0))))
        else:
            self.drafts.append(_exact(start, start + 1, part))

    def _word(self, start: int, end: int, lower: str) -> None:
        value = word_value(lower, foreign=may_be_foreign(lower) and self.foreign)
        if value is not None and not (self.run and not _JOIN.fullmatch(self.text, self.run[-1][1], start)):
            last = self.drafts[-1] if self.drafts else None
            if (last is not None and start < last.end) or (value.scale and not self.run and lower in NEVER_ALONE):
                return
            self.run.append((start, end, value))
            return
        self._flush()
        if value is not None:
            self.run.append((start, end, value))
        elif lower in FRACTION_WORDS:
            self._fraction(start, end, lower)
        elif lower in ORDINALS:
            if not (lower == "second" and self._counted_before(start)):
                self.drafts.append(self._ordinal(start, end, ORDINALS[lower]))
        elif lower in PLURAL_SCALES:
            self.drafts.append(Draft(start=start, end=end, low=PLURAL_SCALES[lower], high=None, ulp=PLURAL_SCALES[lower], bound=Bound.ABOUT, word=True))
        elif lower in MULTIPLES:
            number = Decimal(MULTIPLES[lower])
            if lower != "once":
                self.drafts.append(Draft(start=start, end=end, low=number, high=number, ulp=Decimal(1), unit=EXACT["times"], word=True))

    def _counted_before(self, start: int) -> bool:
        return bool(self.drafts) and self.drafts[-1].end >= start - 1

    def _ordinal(self, start: int, end: int, number: int) -> Draft:
        tens = self.drafts[-1] if self.drafts else None
        value = Decimal(number)
        if tens is not None and tens.word and tens.end == start - 1 and tens.low is not None and tens.low % 10 == 0 and number < 10 and tens.low >= 20:
            self.drafts.pop()
            start, value = tens.start, value + tens.low
        return Draft(start=start, end=end, low=value, high=value, ulp=Decimal(1), kind=QuantityKind.ORDINAL, word=True)

    def _fraction(self, start: int, end: int, lower: str) -> None:
        top, bottom = FRACTION_WORDS[lower]
        last = self.drafts[-1] if self.drafts else None
        near = last is not None and self.text[last.end : start] in {" ", "-"}
        if near and last is not None and last.low is not None and last.low == last.high and last.low < 10 and last.low == int(last.low):
            self.drafts.pop()
            self.drafts.append(_exact(last.start, end, read_fraction(int(last.low), bottom), word=True))
        elif lower in {"half", "quarter"} and last is not None and last.whole and self.text[last.end : start] == " and a ":
            self.drafts.pop()
            part = read_fraction(top, bottom)
            self.drafts.append(_exact(last.start, end, part._replace(value=part.value + (last.low or 0)), word=True))
        elif (
            lower in {"third", "fifth", "sixth", "eighth", "tenth"}
            and self.text[max(0, start - 2) : start].lower() != "a "
            and self.text[max(0, start - 4) : start].lower() != "one-"
        ):
            self.drafts.append(self._ordinal(start, end, bottom))
        elif not lower.endswith("s") or (lower == "tiers" and self.foreign):
            self.drafts.append(_exact(start, end, read_fraction(top, bottom), word=True))

    def _flush(self) -> None:
        """Turn the words gathered so far into numbers."""
        run, self.run = self.run, []
        while run:
            value, taken = combine([w for _, _, w in run])
            taken = max(taken, 1)
            start, end = run[0][0], run[taken - 1][1]
            biggest = max((w.value for _, _, w in run[:taken] if w.scale), default=Decimal(1))
            draft = Draft(
                start=start, end=end, low=value, high=value, ulp=biggest if taken == 2 and run[1][2].scale and biggest >= 1000 else Decimal(1), word=True
            )
            half = self.drafts[-1] if self.drafts and run[0][2].scale else None
            if half is not None and self.text[half.end : start].lower() in {" ", " a ", " of a ", " an "} and half.low is not None:
                self.drafts.pop()
                draft = Draft(start=half.start, end=end, low=half.low * value, high=half.low * value, ulp=value * half.ulp, word=True)
            elif taken == 1 and value == 1 and self._is_pronoun(start, end):
                run = run[1:]
                continue
            self.drafts.append(draft)
            run = run[taken:]

    def _is_pronoun(self, start: int, end: int) -> bool:
        """True in "one of the best", "no one", "this one": not a count."""
        follow = self.text[end : end + 14].split()
        before = self.text[max(0, start - 9) : start].split()
        word = follow[0].strip("*_,.;:!?)").lower() if follow else ""
        alone = not word or self.text[end : end + 1] in ",.;:!?)"
        return word in _NOT_ONE or alone or bool(before and before[-1].lower() in _NO_ONE - {"only", "the"})
