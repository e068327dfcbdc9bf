"""Questions that are not in English."""

from __future__ import annotations

import pytest

from ragviz.judges.asked_for import AskedFor
from ragviz.judges.question_languages import (
    EAST_ASIAN,
    ENGLISH,
    FRENCH,
    GERMAN,
    OTHER,
    SPANISH,
    asked_in,
    holds_in,
    language_of,
    says_yes_or_no_in,
)


@pytest.mark.parametrize(("text", "language"), [
    ("How long is the path?", ENGLISH),
    ("Wie lange dauert der Versand?", GERMAN),
    ("Quelle est la durée du trajet ?", FRENCH),
    ("¿Cuánto cuesta una transferencia?", SPANISH),
    ("いつ届きますか？", EAST_ASIAN),
    ("Сколько это стоит?", OTHER),
    ("38 km", None),
])
def test_language_of(text: str, language: str | None) -> None:
    """Letters and function words tell; a figure does not."""
    assert language == language_of(text)


@pytest.mark.parametrize(("question", "language", "kind"), [
    ("Wer trägt die Kosten?", GERMAN, AskedFor.PERSON),
    ("Wie lange dauert es?", GERMAN, AskedFor.QUANTITY),
    ("Wie ändere ich die Adresse?", GERMAN, AskedFor.MANNER),
    ("Quand ouvre le musée ?", FRENCH, AskedFor.TIME),
    ("Combien coûte l'entrée ?", FRENCH, AskedFor.QUANTITY),
    ("¿Dónde está la oficina?", SPANISH, AskedFor.PLACE),
    ("何人まで共有できますか？", EAST_ASIAN, AskedFor.QUANTITY),
    ("海外に発送できますか？", EAST_ASIAN, AskedFor.YES_NO),
    ("Ile to kosztuje?", OTHER, AskedFor.ANY),
])
def test_asked_in(question: str, language: str, kind: AskedFor) -> None:
    """The kind of thing asked for, where the language is known."""
    assert kind is asked_in(question, language)


def test_holds_in() -> None:
    """Times and quantities can be seen; other kinds cannot be told."""
    assert holds_in("Drei bis vier Werktage.", AskedFor.QUANTITY, GERMAN) is True
    assert holds_in("Der Chor singt alte Lieder.", AskedFor.TIME, GERMAN) is False
    assert holds_in("全国一律500円です。", AskedFor.QUANTITY, EAST_ASIAN) is True
    assert holds_in("Frau Hollmann.", AskedFor.PERSON, GERMAN) is None


def test_yes_or_no() -> None:
    """At the beginning, in each of the languages."""
    assert all(says_yes_or_no_in(text) for text in ("Nein, das geht nicht.", "Oui, bien sûr.", "Sí.", "はい、無料です。", "不可以"))
    assert not says_yes_or_no_in("Jahre später.")
