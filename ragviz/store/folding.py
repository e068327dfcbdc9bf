"""Words of a text as the index of SQLite has them, for a database whose own parser cuts them another way."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable

TOKENIZER = "unicode61 remove_diacritics 2"
"""What SQLite's index cuts words with: letters and digits of all scripts, without case and accents; all else stands between words."""


class _Alphabet(dict[int, str]):
    """
    What becomes of each character, as SQLite itself says: the letter it counts as, nothing (an accent on the letter before), or the space between
    two words.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute(f"CREATE VIRTUAL TABLE probe USING fts5(word, tokenize='{TOKENIZER}')")
        self._index.execute("CREATE VIRTUAL TABLE found USING fts5vocab(probe, instance)")
        self.learn(map(chr, range(128)))

    def learn(self, characters: Iterable[str]) -> None:
        """Ask for those that were not met yet: each between two letters, so that it is told apart from what ends a word."""
        fresh = [c for c in characters if ord(c) not in self]
        if not fresh:
            return
        with self._lock:
            self._index.execute("DELETE FROM probe")
            # What cannot be written as UTF-8 (half a surrogate pair) is not asked for: it stands between words.
            asked = [c for c in fresh if c.encode(errors="ignore") and c != "\x00"]
            self._index.executemany("INSERT INTO probe(rowid, word) VALUES (?, ?)", [(ord(c), f"a{c}b") for c in asked])
            told: dict[int, list[str]] = {}
            for code, term in self._index.execute("SELECT doc, term FROM found"):
                told.setdefault(code, []).append(term)
        for c in fresh:
            terms = told.get(ord(c), [])
            self[ord(c)] = terms[0][1:-1] if len(terms) == 1 else " "


_alphabet: _Alphabet | None = None
_making = threading.Lock()


def folded_words(text: str) -> list[str]:
    """The words of a text in their order, each as the index of a SQLite store has it: ``Über 3.14`` is ``uber``, ``3``, ``14``."""
    global _alphabet  # noqa: PLW0603 - made on first use: most processes never need it
    with _making:
        if _alphabet is None:
            _alphabet = _Alphabet()
    if not text.isascii():
        _alphabet.learn(set(text))
    return text.translate(_alphabet).split()
