"""Words of grammar and measure of six languages as the checks read them, with the way back to the text as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.consistency import check
from ragviz.consistency.analysis import analyse
from ragviz.consistency.glossing import gloss
from ragviz.consistency.tongues import TONGUES, is_english, language_of
from ragviz.records import ClashKind


@pytest.mark.parametrize(("tongue", "text", "said"), [
    ("german", "Die Garantie gilt fünf Jahre.", "The Garantie gilt 5 Years."),
    ("german", "Dreimal pro Woche", "3 times per Week"),
    ("german", "ab 50 Prozent, ab 8 Uhr", "at least 50 Percent, from 8 Uhr"),
    ("french", "L'hôtel n'est pas ouvert le 1er mars.", "The hôtel then is not opened the 1 March."),
    ("french", "de 9 h à 12 h 30", "at 9:00 to 12:30"),
    ("french", "dix livres au maximum, au plus dix", "10 livres maximum, up to 10"),
    ("spanish", "Abre a las diez el 1 de marzo de 2026.", "Opens at 10:00 the 1 March, 2026."),
    ("spanish", "No hay nada.", "Not hay anything."),
    ("italian", "dalle 9 alle 12", "from 9:00 to 12:00"),
    ("dutch", "tot 12.30 uur, binnen 48 uur", "to 12.30 Uhr, within 48 hours"),
    ("portuguese", "trinta e cinco vezes por mês", "35 times per month"),
    ("french", "au rendez-vous, pour vous", "at rendez-vous, for you"),
])
def test_said(tongue: str, text: str, said: str) -> None:
    """Numbers, units, days and words of grammar are English; the others stay."""
    assert gloss(text, tongue).text == said


@given(st.sampled_from(TONGUES), st.text(alphabet="aeéinoußdl' 1290.,h-’\n", max_size=60))
def test_way_back(tongue: str, text: str) -> None:
    """Every character stands for one of the original, in order; what was not put in is the original's own."""
    found = gloss(text, tongue)

    assert len(found.offsets) == len(found.text) + 1
    assert found.offsets == sorted(found.offsets)
    assert found.offsets[-1] == len(text)
    put = {k for start, end in found.english for k in range(start, end)}
    assert all(found.text[k] == text[found.offsets[k]] for k in range(len(found.text)) if k not in put)


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("Die Garantie gilt fünf Jahre.", "german"),
        ("La garantía dura cinco años.", "spanish"),
        ("La garanzia dura cinque anni.", "italian"),
        ("De winkel is open op zondag.", "dutch"),
        ("La garantie dure cinq ans.", "french"),
        ("A garantia é válida por cinco anos.", "portuguese"),
        ("Het hotel telt 64 kamers.", "dutch"),
        ("The guarantee lasts five years.", ""),
        ("Los Angeles hosted the games.", ""),
        ("De Gaulle resigned in 1969.", ""),
        ("She met him in La Paz on the 3rd.", ""),
        ("", ""),
    ],
)
def test_language(text: str, tongue: str) -> None:
    """Two words of grammar or measure tell it; names in English sentences do not."""
    assert language_of(text) == tongue


def test_is_english() -> None:
    """A text without any known word is of no language, and may be read as the other text is."""
    assert is_english(["the", "tour"])
    assert not is_english(["tour"])
    assert not is_english(["the", "garantía", "años"])


def test_clash_as_written() -> None:
    """A clash of words put in points to, and quotes, the words as they stand."""
    (clash,) = check("Die Hunde sind verboten.", "Die Hunde sind nicht verboten.").clashes

    assert clash.kind is ClashKind.NEGATION
    assert clash.premise_span is not None
    assert clash.premise_span.of("Die Hunde sind nicht verboten.") == clash.premise_value


@pytest.mark.parametrize(("claim", "premise", "clashes"), [
    ("La tarifa no incluye el desayuno.", "El desayuno no está incluido en la tarifa.", False),
    ("Per maand kost het abonnement 24,95 euro.", "Het abonnement kost € 24,95 per maand.", False),
    ("Im Ferienhaus darf man keine Haustiere halten.", "Haustiere sind im Ferienhaus nicht erlaubt.", False),
    ("Im Ferienhaus darf man Haustiere halten.", "Haustiere sind im Ferienhaus nicht erlaubt.", True),
    ("Il preavviso è di due settimane.", "Il preavviso è di quattordici giorni.", False),
    ("Il preavviso è di tre settimane.", "Il preavviso è di quattordici giorni.", True),
    ("The guided tour takes ten weeks.", "Die Bearbeitung dauert zehn Wochen.", False),
])
def test_checked(claim: str, premise: str, clashes: bool) -> None:
    """Other word order and another unit are no clash; another figure and another permission are."""
    assert bool(check(claim, premise).clashes) is clashes


def test_english_is_left_alone() -> None:
    """What is not taken for another language is read as it stands."""
    assert analyse("Cats die in an hour at most.").plain.english == ()
