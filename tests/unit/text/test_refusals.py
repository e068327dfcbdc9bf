"""A refusal says that the speaker or the sources lack an answer; that the world lacks a fee, a limit or a service is an answer."""

from __future__ import annotations

import pytest

from ragviz.claims.rules import RulesExtractor
from ragviz.records import Side, Trace
from ragviz.text.polarity import is_refusal
from ragviz.text.refusals import refusal_sentences

DECLINE = (
    "I don't have this information.",
    "I don't have that information.",
    "I do not have any details on that.",
    "We don't have the information to answer this.",
    "Unfortunately our pages do not say who heads cardiology.",
    "Unfortunately, our website doesn't mention a discount for groups.",
    "The documents don't mention parking fees.",
    "The FAQ does not explain how to merge two accounts.",
    "Sorry, there is nothing about refunds in the passages.",
    "Unfortunately nothing is said about the deposit.",
    "There is no information on weekend hours.",
    "There is no mention of a cancellation fee.",
    "I found no answer to that.",
    # held out
    "I can't find anything about bicycles in the handbook.",
    "None of the pages says whether dogs are welcome.",
    "The policy does not specify a notice period.",
    "It is not stated on the pages how long the repair takes.",
    "I'm afraid I have no information about that.",
    "The sources say nothing on this.",
    "That cannot be determined from the documents.",
    # once misread
    "The handbook makes no mention of overtime.",
)
ANSWER = (
    "No, there is no charge as long as you can quote a crime reference number.",
    "There is no charge if you quote a reference number.",
    "No, there is no fee with a crime reference number.",
    "There is no limit on the number of projects.",
    "There is nothing to pay on weekdays.",
    "There are no restrictions regarding luggage.",
    "We cannot provide refunds after 30 days.",
    "We are unable to accept opened software.",
    "We don't have any branches in Wales.",
    "There is no data limit on the Team plan.",
    "Bookings cannot be confirmed by phone.",
    "No documents are needed on the day of the visit.",
    # held out
    "No data is kept on the device after sign-out.",
    "There is no need to bring your record card.",
    "There are no trains about midnight.",
    "We can't share your details with other firms.",
    "The policy does not cover water damage.",
    "There is little traffic on Sundays.",
    "There is no context menu on the start screen.",
    "No, there are no extra costs for documents sent by post.",
    # once misread
    "If nothing is found, the result is -1.",
    "The agent provides no information on a promotion.",
)
DECLINE_ABROAD = (
    "Das weiß ich leider nicht.",
    "Das weiß ich nicht.",
    "Leider weiß ich das nicht.",
    "Das kann ich Ihnen leider nicht sagen.",
    "Das kann ich nicht beantworten.",
    "Dazu weiß ich nichts.",
    "Da bin ich mir nicht sicher.",
    "Keine Ahnung.",
    "Darüber habe ich keine Informationen.",
    "Dazu liegen mir keine Angaben vor.",
    "Dat weet ik helaas niet.",
    "Daar heb ik geen informatie over.",
    "Dat kan ik u niet zeggen.",
    "Je ne le sais malheureusement pas.",
    "Je l'ignore.",
    "Je n'en sais rien.",
    "Je ne connais pas la réponse.",
    "Je n'ai pas cette information.",
    "Lo desconozco.",
    "No lo sé, lo siento.",
    "No dispongo de esa información.",
    "No tengo esa información.",
    "Non saprei.",
    "Non lo so.",
    "Purtroppo non ho questa informazione.",
    "Não tenho essa informação.",
    "Infelizmente não sei.",
    "Não disponho dessa informação.",
    "Nie wiem.",
    # held out
    "Leider weiß ich nicht, wann geöffnet ist.",
    "Das kann ich dir im Moment nicht sagen.",
    "Das weiß ich leider auch nicht genau.",
    "Je ne sais malheureusement pas.",
    "Désolé, je n'en sais rien.",
    "Lo siento, desconozco la respuesta.",
    "Mi dispiace, non lo so.",
    "Desculpe, não sei dizer.",
    "Dat weet ik niet zeker.",
    "Das ist mir leider nicht bekannt.",
)
ANSWER_ABROAD = (
    "Das weiß jeder Kunde nicht sofort.",
    "Das kann ich als Kunde nicht zurückgeben.",
    "Kunden können das nicht zurückgeben.",
    "Bei Abholung kann ich nicht in bar zahlen.",
    "Das weiß der Techniker, nicht der Verkäufer.",
    "Je ne paie pas de frais.",
    "El cliente no dispone de garantía.",
    "No tengo que pagar gastos de envío.",
    "Ik kan niet met contant geld betalen.",
    "Dat kan niet worden geretourneerd.",
    "Le client ignore les frais.",
    "Non ho costi di spedizione.",
    "Não tenho de pagar portes.",
    "Als Mieter kann ich das nicht bestimmen.",
    # held out
    "Sie wissen nicht, ob der Kurs stattfindet, bis wir Sie anrufen.",
    "Ohne Termin kann ich nicht einziehen.",
    "Se desconocido, o número é bloqueado.",
    "Il cliente non dispone di un rimborso.",
    "Er weiß das Kennwort nicht mehr und setzt es zurück.",
)


@pytest.mark.parametrize("text", DECLINE)
def test_who_lacks_the_answer_declines(text: str) -> None:
    """Information, an answer or a mention is lacking to the speaker or the sources."""
    assert is_refusal(text)


@pytest.mark.parametrize("text", ANSWER)
def test_what_the_world_lacks_is_an_answer(text: str) -> None:
    """A fee, a limit or a service that does not exist is stated."""
    assert refusal_sentences(text)[0] == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Visiting is from 2 pm to 8 pm, and our pages do not mention Sundays.", "Visiting is from 2 pm to 8 pm"),
        ("Delivery takes three days and I have no information about weekends.", "Delivery takes three days"),
        ("There is no charge for the first card. I don't have this information for the second.", "There is no charge for the first card."),
        ("Our pages do not say who heads it. The ward is open daily.", "The ward is open daily."),
    ],
)
def test_an_answer_that_also_declines_keeps_its_facts(text: str, kept: str) -> None:
    """What it states is a claim, what it declines is none."""
    trace = Trace(id="1", question="", response=text, passages=None)
    (claims,) = RulesExtractor().extract([trace], side=Side.RESPONSE)

    assert [claim.text.rstrip(".") for claim in claims] == [kept.rstrip(".")]


def test_many_joins_in_one_sentence_cost_little() -> None:
    """A sentence of nothing but "and i" is looked at once, not once at each of them."""
    text = "the sky is and i " * 30 + ". "
    seen = refusal_sentences(text * 40)

    assert seen[0] == []
    assert len(seen[1]) == 40


@pytest.mark.parametrize("text", DECLINE_ABROAD)
def test_who_does_not_know_declines_in_any_language(text: str) -> None:
    """Whichever word comes first: "Ich weiß das nicht", "Das weiß ich leider nicht"."""
    refused, stated = refusal_sentences(text)
    assert refused
    assert not stated


@pytest.mark.parametrize("text", ANSWER_ABROAD)
def test_who_tells_what_is_not_so_answers(text: str) -> None:
    """What somebody may not do, or does not have, is a statement."""
    assert not refusal_sentences(text)[0]
