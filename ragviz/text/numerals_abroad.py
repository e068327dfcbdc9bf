"""Numbers in words of six languages, as the runs of letters they are written in: ("treinta", "y", "cinco") is 35, ("fünfundvierzig",) 45."""

from __future__ import annotations

from functools import cache

Numeral = tuple[str, ...]

_GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_FRENCH = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
_FRENCH_TENS = "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt"
_SPANISH = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "
    "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve"
)
_SPANISH_TENS = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_SPANISH_HUNDREDS = "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
_ITALIAN = "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove"
_ITALIAN_TENS = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"
_DUTCH = "nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien"
_DUTCH_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_PORTUGUESE = "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove"
_PORTUGUESE_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_PORTUGUESE_HUNDREDS = "cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos"
_OTHERS = {
    "german": {"zwo": 2, "dreissig": 30},
    "french": {"cents": 100},
    "spanish": {"ciento": 100, "veintiún": 21, "mil": 1000},
    "italian": {"mille": 1000},
    "dutch": {"eén": 1},
    "portuguese": {"duas": 2, "quatorze": 14, "dezesseis": 16, "dezessete": 17, "dezenove": 19, "cento": 100, "mil": 1000},
}
"""Second forms, and scales of one word."""
_THOUSANDS = {"german": "tausend", "french": "mille", "spanish": "mil", "italian": "mila", "dutch": "duizend", "portuguese": "mil"}
_ARTICLES = frozenset({("un",), ("uno",), ("um",), ("zero",), ("null",), ("nul",)})
"""Alone these count as seldom as "a" does."""


def _tens(units: list[str], tens: list[str], joined: str) -> dict[str, int]:
    """20 to 99 where tens and units are joined in one way."""
    return {f"{ten}{joined}{units[one]}" if one else ten: 10 * n + one for n, ten in enumerate(tens, start=2) for one in range(10)}


def _turned(units: list[str], tens: list[str], joined: str, one: str) -> dict[str, int]:
    """The same where the units come first: "fünfundvierzig"."""
    words = {ten: 10 * n for n, ten in enumerate(tens, start=2)}
    for n, ten in enumerate(tens, start=2):
        for k in range(1, 10):
            unit = one if k == 1 else units[k]
            words[f"{unit}{'ën' if joined == 'en' and unit.endswith('e') else joined}{ten}"] = 10 * n + k
    return words


def _french() -> dict[str, int]:
    units, tens = _FRENCH.split(), _FRENCH_TENS.split()
    words: dict[str, int] = {"quatre-vingts": 80}
    for n, ten in enumerate(tens, start=2):
        for one in range(10):
            rest = one + 10 if n in {7, 9} else one
            if rest:
                words[f"{ten} et {units[rest]}" if rest in {1, 11} and n < 8 else f"{ten}-{units[rest]}"] = 10 * n + one
            else:
                words[ten] = 10 * n
    return words


def _italian() -> dict[str, int]:
    units = _ITALIAN.split()
    return {
        (ten[:-1] if one in {1, 8} else ten) + (units[one] if one else ""): 10 * n + one
        for n, ten in enumerate(_ITALIAN_TENS.split(), start=2) for one in range(10)
    }


def _simple(words: str) -> dict[str, int]:
    return {word: n for n, word in enumerate(words.split())}


def _listed(tongue: str) -> dict[str, int]:
    """Numbers below a thousand that are one word or one fixed phrase."""
    if tongue == "german":
        small = _simple(_GERMAN)
        hundreds = {f"{unit}hundert": n * 100 for unit, n in small.items() if 2 <= n <= 9} | {"hundert": 100, "einhundert": 100}
        return small | _turned(_GERMAN.split(), _GERMAN_TENS.split(), "und", "ein") | hundreds
    if tongue == "french":
        small = _simple(_FRENCH)
        return small | _french() | {f"{unit} {word}": n * 100 for unit, n in small.items() if 2 <= n <= 9 for word in ("cent", "cents")} | {"cent": 100}
    if tongue == "spanish":
        hundreds = {word: 100 * n for n, word in enumerate(_SPANISH_HUNDREDS.split(), start=1)}
        return _tens(_SPANISH.split(), _SPANISH_TENS.split(), " y ") | _simple(_SPANISH) | hundreds | {w[:-2] + "as": n for w, n in hundreds.items() if n > 100}
    if tongue == "italian":
        small = _simple(_ITALIAN)
        return small | _italian() | {f"{unit}cento": n * 100 for unit, n in small.items() if 2 <= n <= 9} | {"cento": 100}
    if tongue == "dutch":
        small = _simple(_DUTCH)
        return (
            small
            | _turned(_DUTCH.split(), _DUTCH_TENS.split(), "en", "een")
            | {f"{unit}honderd": n * 100 for unit, n in small.items() if 2 <= n <= 9}
            | {"honderd": 100}
        )
    hundreds = {word: 100 * n for n, word in enumerate(_PORTUGUESE_HUNDREDS.split(), start=1)}
    return _simple(_PORTUGUESE) | _tens(_PORTUGUESE.split(), _PORTUGUESE_TENS.split(), " e ") | hundreds


@cache
def numerals(tongue: str) -> dict[Numeral, int]:
    """
    Runs of letters → number, for the numbers below a thousand and the word for a thousand; what they make together: ``joined``.

    Args:
        tongue: "german", "french", "spanish", "italian", "dutch" or "portuguese".
    """
    words = _listed(tongue) | _OTHERS[tongue]
    thousand = _THOUSANDS[tongue]
    if tongue in {"german", "dutch", "italian"}:
        words |= {f"{word}{thousand}": n * 1000 for word, n in words.items() if 2 <= n <= 99 and " " not in word}
    words.setdefault(thousand, 1000)
    found = {tuple(word.replace("-", " ").split()): n for word, n in words.items()}
    return {numeral: n for numeral, n in found.items() if numeral not in _ARTICLES}


def joined(first: int, second: int) -> int | None:
    """What two numbers that stand beside each other make: 200 and 45 are 245, 3 and 1000 are 3000; None where they stay two."""
    if second == 1000 and 1 < first < 1000:
        return first * 1000
    if (first >= 100 and first % 100 == 0 and second < 100) or (first >= 1000 and first % 1000 == 0 and second < 1000):
        return first + second
    return None
