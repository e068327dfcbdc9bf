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
