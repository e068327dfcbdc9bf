"""Words as the index of a SQLite store has them."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from ragviz.store.folding import TOKENIZER, folded_words
from ragviz.store.search import vector_of


def test_numbers_addresses_and_accents_are_cut_as_in_the_index() -> None:
    """Signs stand between words, an accent that stands alone after its letter is none."""
    assert ["uber", "3", "14", "me", "x", "org", "foo", "bar", "ab"] == folded_words("Über 3.14, me@x.org foo_bar a\u0301b")
    assert [] == folded_words("_ … \ud800 \x00")


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=40), min_size=1, max_size=20))
def test_every_text_has_the_words_that_sqlite_finds_in_it(texts: list[str]) -> None:
    """In their order, for any characters."""
    index = sqlite3.connect(":memory:")
    index.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, tokenize='{TOKENIZER}')")
    index.execute("CREATE VIRTUAL TABLE found USING fts5vocab(words, instance)")
    index.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", enumerate(texts))
    found = [[term for (term,) in index.execute("SELECT term FROM found WHERE doc = ? ORDER BY offset", (n,))] for n in range(len(texts))]
    index.close()

    assert found == [folded_words(text) for text in texts]


def test_a_vector_has_places_and_a_gap_between_question_and_answer() -> None:
    """One word of both texts stands once, with every place; what a server cannot count has none, what it cannot hold is left out."""
    assert "'who':1 'pays':2,5 'she':4" == vector_of("Who pays?", "She pays.")
    long = vector_of("", " ".join(f"w{n}" for n in range(200_000)))
    assert ("'w0':2 'w1':3", True, "'w16381':16383 'w16382' 'w16383'" in long) == (long[:13], len(long) < 2_500_000, True)
    assert 255 == len(vector_of("", "a " * 1_000).split(","))
