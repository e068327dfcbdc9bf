"""Words and numbers with their places, stems and stop words."""

from __future__ import annotations

import re
import sys
import threading
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

import snowballstemmer

from ragviz.records import Span
from ragviz.text.word_sets import word_set
from ragviz.text.word_table import WordTable


class Token(NamedTuple):
    """A word or number."""

    span: Span
    text: str
    lower: str
    stem: str


# Python's \w leaves out combining marks, without which Hindi or decomposed accents fall apart.
_MARKS = "".join(chr(c) for c in range(0x300, min(0x20000, sys.maxunicode)) if unicodedata.category(chr(c))[0] == "M")
# Scripts written without spaces: one token a character.
_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = f"(?:[^\\W_{_UNSPACED}]|[{_MARKS}])"
_TOKEN = re.compile(
    rf"\d+(?:[.,:]\d+)+"  # 3.50, 1,410.00, 09:00
    rf"|[{_UNSPACED}]"
    rf"|{_LETTER}+(?:['\u2019]{_LETTER}+)*",  # don't, l'eau, x64
)
# The same where there are neither combining marks nor scripts without spaces: four times as fast, and most texts are so.
_LATIN_TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:['\u2019][^\W_]+)*")
_ASCII_TOKEN = re.compile(_LATIN_TOKEN.pattern, re.ASCII)
_BEYOND_LATIN = re.compile("[\u0300-\u1fff\u20d0-\u20ff\u2c00-\U0010ffff]")
_LONGEST_STEMMED = 40

STOP_WORDS: frozenset[str] = word_set(
    # English
    """a about above after again all also am an and any are as at be because been before being below between both but by can could did do
    does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me
    more most my of off on once only or other our ours out over own same she should so some such than that the their theirs them then
    there these they this those through to too under until up us very was we were what when where which while who whom why will with would
    you your yours it's that's there's you're we're they're i'm
    """,
    # German
    """aber als am an auch auf aus bei bin bis bist da dann das dass dem den der des die dies diese diesem diesen dieser dieses dort du ein
    eine einem einen einer eines er es für hat haben hatte hier ich ihr ihre im in ist ja kann man mit muss nach noch nur ob oder sehr sein
    seine sich sie sind so über um und uns unter vom von vor war waren was wenn wer werden wie wir wird wo zu zum zur
    """,
    # French
    """au aux avec ce ces cette dans de des du elle en est et eux il ils je la le les leur leurs lui ma mais mes mon nos notre nous on ou où
    par pour qu que qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y été être avoir
    """,
    # Spanish
    """al como con cual cuando del donde el ella ellas ellos es esta este esto estos fue ha han hasta la las lo los más me mi muy nos o para
    pero por porque que quien se ser si sobre son su sus también te tiene un una unas uno unos y ya
    """,
)
# "en", "am", "die", "man", "war" … are words of content in another of these languages; losing them costs little, keeping them all would
# make every function word count as evidence.

_STEMMING = threading.Lock()
_STEMMERS = {name: snowballstemmer.stemmer(name) for name in ("english", "german", "french", "spanish", "russian", "italian", "dutch", "portuguese")}
_ENGLISH_ENDINGS = ("e", "i", "s", "y", "ed", "ing", "al", "ism", "ion", "er", "ator", "ogist", "ful", "ic", "nt", "ll")
"""What the English stemmer can take off or change: a word without one of these is its own stem, and a third of all words need no stemmer."""
_GERMAN, _FRENCH, _SPANISH, _RUSSIAN = (re.compile(p) for p in ("[äöüß]", "[àâçèêëîïôûùœ]", "[áíóúñ]", "[\u0400-\u04ff]"))


def stem(lower: str) -> str:
    """
    Stem of a lower-case word.

    The language is chosen by the word's own letters, so a word has one stem wherever it stands.
    """
    return STEMS[lower]


def _stem(lower: str) -> str:
    if len(lower) > _LONGEST_STEMMED or any(c.isdigit() for c in lower):
        return lower
    word = lower.replace("\u2019", "'")
    if not word.isascii():
        word = unicodedata.normalize("NFC", word)
    if word.isascii():
        if word.isalpha() and not word.endswith(_ENGLISH_ENDINGS):
            return word
        name = "english"
    elif _GERMAN.search(word):
        name = "german"
    elif _FRENCH.search(word):
        name = "french"
    elif _SPANISH.search(word):
        name = "spanish"
    elif _RUSSIAN.search(word):
        name = "russian"
    else:
        return word
    return stemmed(word, name)


def stemmed(word: str, language: str) -> str:
    """The stem that one language's stemmer gives, from any thread."""
    # A stemmer holds the word that it is at: two threads at once would fail, or give one word the stem of another, and it would be remembered.
    with _STEMMING:
        return str(_STEMMERS[language].stemWord(word))


STEMS = WordTable(_stem, limit=200_000)
_CONTENT: WordTable[str | None] = WordTable(lambda lower: None if lower in STOP_WORDS else STEMS[lower], limit=200_000)
"""Stem of a word that carries meaning; None for a stop word."""


def _pattern(text: str) -> re.Pattern[str]:
    if text.isascii():
        return _ASCII_TOKEN
    return _TOKEN if _BEYOND_LATIN.search(text) else _LATIN_TOKEN


_LOWER = bytes(ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else ord(" ") for c in range(256))
_WESTERN = "cp1252"
"""Beside ASCII: letters of Western Europe, typographic quotes and dashes, € and °. All of one letter in lower case, whatever stands beside it."""
_WESTERN_CHARS = [bytes([c]).decode(_WESTERN, errors="replace") for c in range(256)]
_WESTERN_LOWER = bytes([c.lower().encode(_WESTERN)[0] if c.isalnum() else ord(" ") for c in _WESTERN_CHARS])
_JOINS_DIGITS = re.compile(r"\d[.,:]\d")


def ascii_runs(text: str) -> list[str]:
    """Runs of letters and digits of an ASCII text, in lower case and in order: a fifth of the time of a pattern."""
    return text.encode("ascii").translate(_LOWER).decode("ascii").split()


def runs(text: str) -> list[str] | None:
    """Runs of letters and digits, in lower case and in order: a third of the time of a pattern. None where the text has letters beyond Western Europe's."""
    if text.isascii():
        return ascii_runs(text)
    try:
        return text.encode(_WESTERN).translate(_WESTERN_LOWER).decode(_WESTERN).split()
    except UnicodeEncodeError:
        return None


def lower_words(text: str) -> list[str]:
    """All words and numbers in lower case, in order: the cheapest where neither place nor stem is needed."""
    joins = "'" in text or _JOINS_DIGITS.search(text) is not None
    if text.isascii():
        # Elsewhere a letter may become two in lower case, or depend on its neighbours.
        return _ASCII_TOKEN.findall(text.lower()) if joins else ascii_runs(text)
    if not joins and "\u2019" not in text and (found := runs(text)) is not None:
        return found
    return [word.lower() for word in _pattern(text).findall(text)]


def tokens(text: str) -> list[Token]:
    """All words and numbers in order. Linear."""
    found = []
    for match in _pattern(text).finditer(text):
        word = match.group()
        lower = word.lower()
        found.append(Token(Span(*match.span()), word, lower, STEMS[lower]))
    return found


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every token: cheaper than ``tokens`` where neither stem nor record is needed."""
    return [match.span() for match in _pattern(text).finditer(text)]


def content_tokens(text: str) -> list[Token]:
    """Tokens that carry meaning: no stop words; numbers and negations are kept."""
    return [t for t in tokens(text) if t.lower not in STOP_WORDS]


def content_stems(text: str) -> set[str]:
    """Distinct stems of the tokens that carry meaning."""
    return set(content_stem_list(text))


def content_stem_list(text: str) -> list[str]:
    """Stems of ``content_tokens`` in order, repeats included: much cheaper where no place in the text is needed."""
    return [found for found in map(_CONTENT.__getitem__, lower_words(text)) if found is not None]


def content_stems_of(text: str, spans: Iterable[Span]) -> list[list[str]]:
    """``content_stem_list`` of several stretches of one text: three quarters of the time where it is ASCII and no mark joins two words."""
    if not text.isascii() or "'" in text or _JOINS_DIGITS.search(text) is not None:
        return [content_stem_list(text[span.start : span.end]) for span in spans]
    # Letters and digits keep their places.
    lower = text.encode("ascii").translate(_LOWER).decode("ascii")
    return [[found for found in map(_CONTENT.__getitem__, lower[span.start : span.end].split()) if found is not None] for span in spans]
