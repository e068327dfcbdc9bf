"""Tables with headings in German, French or Spanish."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest

from ragviz.loaders import read_many
from ragviz.loaders.fields import SYNONYMS, normal
from ragviz.loaders.headings import OTHER_LANGUAGES
from ragviz.records import LoadIssue, Trace

TABLES = {
    "German": ("Frage", "Antwort", "Kontext", "Referenz"), "German, expected": ("Nutzerfrage", "Systemantwort", "Textstellen", "Erwartete Antwort"),
    "French": ("Question", "Réponse", "Contexte", "Référence"), "French, plain": ("question", "reponse", "contextes", "réponse attendue"),
    "Spanish": ("pregunta", "respuesta", "contexto", "referencia"),
}


def read(content: bytes) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of one file."""
    parts = list(read_many([("f", io.BytesIO(content))]))
    return [p for p in parts if isinstance(p, Trace)], [p for p in parts if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("container", ["csv", "windows", "jsonl"])
@pytest.mark.parametrize("names", TABLES.values(), ids=TABLES)
def test_columns_are_recognised_and_the_guess_is_told(names: tuple[str, ...], container: str, form: str) -> None:
    """As a spreadsheet writes them, and as JSON Lines; é as one character or as two. One sentence says what was taken for what."""
    names = tuple(unicodedata.normalize(form, name) for name in names)
    if container == "jsonl":
        content = json.dumps(dict(zip(names, ("Wer?", "Ada.", ["Es war Ada."], "Ada Lovelace."), strict=True)), ensure_ascii=False).encode()
    else:
        content = (";".join(names) + "\nWer?;Ada.;Es war Ada.;Ada Lovelace.\n").encode("utf-8-sig" if container == "csv" or form == "NFD" else "cp1252")

    (trace,), issues = read(content)

    assert (trace.question, trace.response, [p.text for p in trace.passages or ()], trace.reference) == ("Wer?", "Ada.", ["Es war Ada."], "Ada Lovelace.")
    told = [i for i in issues if "headings were translated" in i.message]
    assert [(i.where, i.rejected, f"{names[1].strip()} = answer" in i.message) for i in told] == [("f", False, True)]


def test_english_headings_say_nothing() -> None:
    """There is nothing to guess."""
    assert read(b"question,answer,contexts\nWho?,Ada.,Ada did it.\n")[1] == []


def test_english_comes_first() -> None:
    """A file with both languages is read as it was before; the other column is a tag."""
    (trace,), issues = read(b"question,answer,Antwort,contexts\nWho?,Ada.,Ada war es.,Ada did it.\n")

    assert (trace.response, trace.tags, issues) == ("Ada.", {"Antwort": "Ada war es."}, [])


def test_each_name_means_one_thing() -> None:
    """No word stands for two fields, and all are written as headings are compared."""
    names = [name for many in SYNONYMS.values() for name in many]

    assert len(names) == len(set(names))
    assert all(normal(name) == name for many in OTHER_LANGUAGES.values() for name in many)


@pytest.mark.parametrize("answer", ["bot_reply", "chatbotAnswer", "Assistant Reply", "agent_output", "llm_reply", "rag_response", "answer_text"])
@pytest.mark.parametrize("question", ["user_input", "customer_question", "userRequest"])
def test_a_logger_of_ones_own_is_read(question: str, answer: str) -> None:
    """Who said it and what it was make the name; id, time, model and cost are found beside it."""
    record = {
        "ts": "2026-11-20T08:00:11Z", "req_id": "rq-7", question: "Who?", answer: "Ada.", "contexts": [{"content": "It was Ada.", "score": 0.9}],
        "llm": "small-1", "price_usd": 0.5, "duration_ms": 600,
    }

    (trace,), issues = read(json.dumps(record).encode())

    assert (trace.id, trace.question, trace.response, [p.text for p in trace.passages or ()]) == ("rq-7", "Who?", "Ada.", ["It was Ada."])
    assert (trace.model, trace.started_at is not None, trace.usage and trace.usage.cost_usd, trace.usage and trace.usage.latency_ms) == ("small-1", True, 0.5, 600)
    assert (trace.scores, issues) == ((), [])


def test_a_spreadsheet_in_german_is_read_whole() -> None:
    """Number, place of the passage and seconds behind a bracket, with a decimal comma; what is in euros stays a column of its own."""
    content = "Nr.;Frage;Antwort;Fundstelle;Musterantwort;Dauer (s);Kosten (€)\n7;Wer?;Ada.;Es war Ada.;Ada Lovelace.;4,5;0,012\n".encode("utf-8-sig")

    (trace,), _ = read(content)

    assert (trace.id, [p.text for p in trace.passages or ()], trace.usage and trace.usage.latency_ms) == ("7", ["Es war Ada."], 4500)
    assert [(s.name, s.value) for s in trace.scores] == [("Kosten (€)", 0.012)]
