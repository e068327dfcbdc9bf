"""Where clauses and sentences begin, and which words are letters that name a thing."""

from __future__ import annotations

import pytest

from ragviz.consistency.clauses import cut


@pytest.mark.parametrize(
    ("text", "firsts", "sentence"),
    [
        ("", [], [0]),
        ("The pump weighs 3.2 kg", [0], [0]),
        ("It rained. The game went on.", [0, 2], [0, 1]),
        ("St. John approx. 5 km away", [0], [0]),
        ("The red one opens but the blue one and the green one stay shut", [0, 4, 9], [0, 0, 0]),
        ("It lies between the river and the road", [0], [0]),
        ("Unlike the pump, the motor is new", [0, 3], [0, 0]),
        ("Öl und das Gas: teuer", [0, 2, 4], [0, 0, 0]),
    ],
)
def test_clauses_and_sentences(text: str, firsts: list[int], sentence: list[int]) -> None:
    """A hard stop, a turning word, and a subject behind "and" begin a clause; a dot of an abbreviation does not."""
    words = cut(text, caseless=False)

    assert (words.firsts, words.sentence) == (firsts, sentence)
    assert words.clause == [sum(first <= i for first in firsts) - 1 for i in range(len(words.lowers))]


def test_places_commas_and_letters() -> None:
    """Places point into the text as it is; the B of "plan B" is a letter, "I" and the A of "A plan" are not."""
    text = "A plan B, as I said"
    words = cut(text, caseless=False)

    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == ["A", "plan", "B", "as", "I", "said"]
    assert [i for i, comma in enumerate(words.commas) if comma] == [2]
    assert words.letters == [2]
