"""Short answers made statements by their question, with the way back to what stands there."""

from __future__ import annotations

import time

import pytest

from ragviz.records import Span
from ragviz.text.short_answers import completed

STATEMENTS = [
    ("How long does the battery of the Tern 5 last?", "Up to 42 minutes in calm air.", "The battery of the Tern 5 lasts up to 42 minutes in calm air."),
    ("What is the capital of Slovenia?", "Ljubljana", "The capital of Slovenia is Ljubljana."),
    ("Who wrote the report?", "Maria Oduya", "Maria Oduya wrote the report."),
    ("When was the canal opened?", "In 1894.", "The canal was opened in 1894."),
    ("Is smoking allowed on the roof?", "No.", "Smoking is not allowed on the roof."),
    ("Is smoking allowed on the roof?", "Yes.", "Smoking is allowed on the roof."),
    ("Is the door red or green?", "Green", "The door is Green."),
    ("Can members borrow the trailer?", "Yes, for two days.", "Members can borrow the trailer for two days."),
    ("How long does the varnish take to dry?", "It takes six hours.", "The varnish takes six hours to dry."),
    ("How long can an item be returned?", "Within 30 days counted from the purchase.", "An item can be returned within 30 days counted from the purchase."),
    ("How many planets have moons?", "Seven [2]", "Seven planets have moons."),
    ("May tenants sublet?", "Only with written consent.", "Tenants may sublet only with written consent."),
    ("Wann wurde die Brücke eröffnet?", "1932", "Die Brücke eröffnet wurde 1932."),
]
UNTOUCHED = [
    ("How long does the battery last?", "The battery lasts 42 minutes."),
    ("How long does the battery last?", "Weight: 900 g"),
    ("Who built the mill and when?", "Anna Kern in 1780"),
    ("Is the pool open?", "From May to September."),
    ("", "42 minutes"),
    ("How long does the battery last?", ""),
    ("Tell me about the mill.", "A mill."),
    ("What do the papers say?", "About 67 million people watched the match."),
    ("What do the papers say?", "About 67 million people watched."),
    ("What do the papers say?", "Over 300 runners took part in the race."),
    ("When did she leave?", "Around noon she left the firm."),
]


@pytest.mark.parametrize(("question", "answer", "statement"), STATEMENTS)
def test_statements(question: str, answer: str, statement: str) -> None:
    """Behind "does" the verb is put right, for "last" alone means the past; behind "did" it stands as the question has it."""
    found = completed(question, answer)

    assert found is not None
    assert found.text.strip() == statement


@pytest.mark.parametrize(("question", "answer"), UNTOUCHED)
def test_what_speaks_for_itself_stays(question: str, answer: str) -> None:
    """Sentences with a verb, labels, several questions, answers of another kind."""
    assert completed(question, answer) is None


@pytest.mark.parametrize(("question", "answer", "statement"), STATEMENTS)
def test_every_span_leads_back(question: str, answer: str, statement: str) -> None:
    """Into the answer: copied words to themselves, words of the question to the whole short answer."""
    text = f"{answer}\nIt was checked in June." if answer.endswith(".") else answer
    found = completed(question, text)

    assert found is not None
    for start, end, at in found.pieces:
        assert found.text[start:end].lower() == text[at : at + end - start].lower()
    for start in range(len(found.text)):
        for end in (start + 1, min(start + 4, len(found.text)), len(found.text)):
            back = found.original(Span(start, end))
            assert 0 <= back.start < back.end <= len(text)
    del statement


def test_long_questions_cost_nothing() -> None:
    """A page as question, or a page as answer, is looked at once."""
    begun = time.process_time()

    assert completed("word " * 200_000, "42 minutes") is None
    assert completed("How long does it last?", "word " * 100_000) is None
    assert time.process_time() - begun < 2


def test_a_word_that_begins_like_no_is_none() -> None:
    """"Non-profit organisations get it" denies nothing; what stands behind "No," is a sentence of its own."""
    assert completed("Do non-profit organisations get it?", "Non-profit organisations get it.") is None

    denied = completed("Do I have to pay?", "No, there is no charge if you ask.", apart=True)
    assert denied is not None
    assert denied.text == "I do not have to pay. There is no charge if you ask."
