"""A table of what is known of words works each out once and forgets before it grows too large."""

from __future__ import annotations

from ragviz.text.word_table import WordTable


def test_each_word_is_worked_out_once() -> None:
    asked: list[str] = []
    table = WordTable(lambda word: (asked.append(word), len(word))[1])

    assert [3, 5, 3] == [table["sun"], table["cloud"], table["sun"]]
    assert ["sun", "cloud"] == asked


def test_a_word_may_ask_for_another() -> None:
    """The table is whole while an answer is worked out: "unmade" is read as "made"."""
    table: WordTable[str] = WordTable(lambda word: table[word[2:]] if word.startswith("un") else word.upper())

    assert "MADE" == table["unmade"]
    assert {"made", "unmade"} == set(table)


def test_the_bound_holds() -> None:
    table = WordTable(len, limit=10)

    for n in range(1000):
        assert len(f"word{n}") == table[f"word{n}"]
        assert len(table) <= 10
