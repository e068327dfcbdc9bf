"""Words, numbers and stems."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from ragviz.records import Span
from ragviz.text.tokens import content_stem_list, content_stems_of, content_tokens, lower_words, runs, stem, stemmed, tokens


def test_words_and_numbers_keep_their_form() -> None:
    """Apostrophes, decimals and times stay whole; signs do not count; Chinese goes by character."""
    text = "Don't pay 1,410.00 € at 09:00 for x64 well-known 退货"

    assert [t.text for t in tokens(text)] == ["Don't", "pay", "1,410.00", "at", "09:00", "for", "x64", "well", "known", "退", "货"]


def test_a_word_has_one_stem_wherever_it_stands() -> None:
    """Language is read off the letters of the word."""
    assert (stem("deliveries"), stem("rückgaben"), stem("30")) == ("deliveri", "ruckgab", "30")
    assert stem("delivery") == stem("deliveries")


def test_content_tokens_leave_out_function_words_but_not_negations() -> None:
    """Negations and numbers are content."""
    assert [t.lower for t in content_tokens("You may not return it in the 30 days") if t.lower != "may"] == ["not", "return", "30", "days"]


def test_words_that_need_no_stemmer_have_the_stem_it_gives() -> None:
    """The 6,000 most frequent words, and each with endings in which nothing is taken off put behind: the stemmer is asked for all of them here."""
    listed = resources.files("ragviz.text").joinpath("frequent_words.txt").read_text("utf-8")
    words = [word for line in listed.splitlines() if not line.startswith("#") for word in line.split()]
    made = [word + ending for word in words[:1500] for ending in ("or", "ist", "en", "ish", "el", "um", "th", "ot", "ag", "ur", "id")]
    stemmer = snowballstemmer.stemmer("english")

    assert [] == [word for word in (*words, *made) if stemmer.stemWord(word) != stem(word)]


def test_stems_from_many_threads() -> None:
    """A stemmer holds the word it is at: with one for all threads some words failed, and others got the stem of a third one."""
    words = [
        f"{stem_}{ending}"
        for stem_ in ("commun", "deliver", "relat", "nation", "organ")
        for ending in ("ities", "ing", "ization", "ational", "fulness", "ies", "ed")
    ]
    words = [f"{a}{word}" for a in "abcdefghij" for word in words]
    stemmer = snowballstemmer.stemmer("english")
    expected = [stemmer.stemWord(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [stemmed(word, "english") for word in words], range(8)))

    assert found == [expected] * 8


@pytest.mark.parametrize(
    "text",
    [
        "The 3.50 € isn't DUE at 09:00",
        "Plain ASCII, It's All",
        "ΑΣ'Β ΟΔΟΣ İstanbul",
        "राम 退货 naïve",
        "„Ÿpern“ – ÉTÉ: 3½ °, œuvre_Š…",
        "It’s naïve",
        "Für 1.5 €",
    ],
)
def test_the_cheap_ways_say_the_same(text: str) -> None:
    """Lower-case words and content stems without places are those of the tokens."""
    assert [t.lower for t in tokens(text)] == lower_words(text)
    assert [t.stem for t in content_tokens(text)] == content_stem_list(text)


@given(
    st.text(st.sampled_from([c for n in range(256) if (c := bytes([n]).decode("cp1252", errors="replace")) not in "'\u2019\ufffd"]), max_size=20)
    | st.text(max_size=12)
)
def test_runs_are_those_of_a_pattern(text: str) -> None:
    """Runs of letters and digits in lower case, of the texts that have an answer."""
    found = runs(text)
    if found is None:
        assert not text.isascii()
    else:
        assert found == [word.lower() for word in re.findall(r"[^\W_]+", text)]


def test_runs_of_other_scripts_are_not_told() -> None:
    """A letter may become two in lower case there, or depend on its neighbours."""
    assert runs("Grüße – 5 €") == ["grüße", "5"]
    assert [runs(text) for text in ("İstanbul", "ΑΣ", "退货", "e\u0301t\u0301")] == [None] * 4


@pytest.mark.parametrize("text", ["Two pumps. The third one weighs 3 kg!", "It's 3.5 kg. Don't lift it.", "Größe 4. Très bien.", "A-b c_d 5/6"])
def test_the_stems_of_stretches_are_those_of_their_own_text(text: str) -> None:
    spans = [Span(0, 9), Span(3, len(text)), Span(0, len(text))]
    assert content_stems_of(text, spans) == [content_stem_list(span.of(text)) for span in spans]
