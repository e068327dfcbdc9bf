"""Wishes, regrets, announcements and referrals state nothing; a fact in them does."""

from __future__ import annotations

import pytest

from ragviz.claims.rules import RulesExtractor, statements
from ragviz.records import Side, Trace
from ragviz.text.courtesies import is_courtesy, is_referral
from ragviz.text.idle import is_idle
from ragviz.text.polarity import is_refusal

NOTHING = [
    "Gute Besserung!", "Viel Erfolg bei der Prüfung!", "Get well soon!", "Good luck with your exam.", "Bon courage !", "Bonne chance pour l'examen.", "¡Mucha suerte!", "We wish you a pleasant stay.",
    "I'm sorry to hear that!", "We are sorry for the inconvenience.", "Das tut mir leid.", "Nous sommes désolés.", "Lo siento mucho.", "No worries!",
    "Moving is easy with us.", "Here's what to do:", "Just follow these steps.", "Dazu gibt es in den Unterlagen zwei Angaben.", "The documents give two different figures.", "Suivez ces étapes.", "Siga estos pasos.",
    "Please call our customer service.", "Please ask the front desk.", "Contact our support team.", "Let me know if you need anything else.", "Bitte richten Sie sich im Zweifel nach der Prüfungsordnung.", "Bitte rufen Sie unseren Kundendienst an.",
    "Appelez notre service client.", "Adressez-vous à l'accueil.", "Llame a nuestro servicio de atención al cliente.", "Póngase en contacto con la oficina.",
]
SOMETHING = [
    "Please call 0800 123456 before 5 pm.",
    "Please contact the office at help@example.org.",
    "Please call us on weekdays.",
    "Bitte rufen Sie uns bis Freitag an.",
    "Appelez notre service client avant lundi.",
    "Please contact us at 0800 123456.",
    "I'm sorry, but the shop is closed.",
    "Good luck charms are sold in the shop.",
    "Viel Glück ist ein Film von 2010.",
    "The lock is easy to open.",
    "There are two options.",
    "Ask the registrar for a form within a week.",
    "Moving the desk is easy.",
    "Sorry is a song by Ana Holm.",
    "The documents give a fee of 5 EUR.",
]


@pytest.mark.parametrize("sentence", NOTHING)
def test_states_nothing(sentence: str) -> None:
    """Beside a statement it is no claim."""
    assert is_idle(sentence)
    assert [words for words, _ in statements(f"The fee is 5 EUR. {sentence}")] == ["The fee is 5 EUR"]


@pytest.mark.parametrize("sentence", SOMETHING)
def test_states_something(sentence: str) -> None:
    """Numbers, addresses, times and everyday sentences that begin alike stay claims."""
    assert not is_idle(sentence)
    assert len(statements(f"The fee is 5 EUR. {sentence}")) > 1


def test_a_referral_alone_is_the_answer() -> None:
    """"Whom do I call?" "Please call the front desk." has a claim; beside a refusal it adds nothing."""
    assert [words for words, _ in statements("Please call the front desk.")] == ["Please call the front desk"]
    declined = "I'm sorry, I couldn't find anything about cancelling in the documents I have. Please call our customer service."
    assert is_refusal(declined)
    assert is_refusal("I don't have this information. Please contact support@example.org.")
    trace = Trace(id="1", question="How do I cancel?", response=declined, passages=())
    assert RulesExtractor().extract([trace], side=Side.RESPONSE) == [[]]


def test_a_lead_in_that_says_nothing_is_no_part_of_its_items() -> None:
    """"It is made up as follows:" names neither the thing nor what is said of it; "The kit includes:" does. Spans are exact."""
    answer = "Der Beitrag ist hoch.\n\nEr setzt sich so zusammen:\n- Studierendenwerk: 98,00 €\n- AStA: 14,50 €"
    found = statements(answer)

    assert [words for words, _ in found] == ["Der Beitrag ist hoch", "Studierendenwerk: 98,00 €", "AStA: 14,50 €"]
    assert all(words == " ".join(span.of(answer) for span in spans) for words, spans in found)
    assert [words for words, _ in statements("The kit includes:\n- a torch\n- a rope")] == ["The kit includes a torch", "The kit includes a rope"]
    assert [words for words, _ in statements("It works as follows:\n- Cold start: 20 seconds")] == ["Cold start: 20 seconds"]


def test_an_instruction_lends_no_subject() -> None:
    """"They" is not "never"."""
    assert [words for words, _ in statements("Never give milk. They should drink water.")] == ["Never give milk", "They should drink water"]


def test_courtesies_and_referrals_are_told_apart() -> None:
    """A wish sends nobody on."""
    assert is_courtesy("Gute Besserung!")
    assert not is_referral("Gute Besserung!")
    assert is_referral("Please call our customer service.")
    assert not is_courtesy("Please call our customer service.")


@pytest.mark.parametrize("text", ["Goodbye.", "Bye!", "Bye-bye, Anna.", "Farewell.", "See you soon.", "See you!", "Take care!", "Good night.", "Auf Wiedersehen!", "Tschüss!", "Bis bald, Frau Meier.", "Au revoir.", "À bientôt !", "¡Hasta luego!", "Arrivederci.", "Tot ziens!", "Até logo.", "Ciao!"])
def test_farewells_state_nothing(text: str) -> None:
    """Whatever their language, with or without a name."""
    assert is_idle(text)


@pytest.mark.parametrize("text", ["Bye-laws apply on board.", "See you at 9 am.", "Take care of the seal before closing the lid.", "Good night rates start at 22:00.", "Bis bald dauert die Frist.", "Ciao is the name of the plan that costs most in summer."])
def test_what_begins_like_a_farewell_may_state_something(text: str) -> None:
    """A time, an instruction, a name."""
    assert not is_idle(text)
