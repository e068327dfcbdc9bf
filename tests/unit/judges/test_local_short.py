"""A right answer beside an expected answer of one word or one value is right, whatever words it chooses; a wrong one is not."""

from __future__ import annotations

import pytest

from ragviz.claims.rules import RulesExtractor
from ragviz.grounding.tables import pairs_for
from ragviz.judges.local import LocalJudge
from ragviz.records import Judgement, Side, Table, Trace, Verdict

WORDS = LocalJudge(embeddings=False)
SAYS, DENIES, SILENT = Verdict.ENTAILED, Verdict.CONTRADICTED, Verdict.NEUTRAL


def judged(question: str, answer: str, reference: str, table: Table) -> list[Judgement]:
    """What the judge says of the claims of one side beside the other text."""
    trace = Trace(id="1", question=question, response=answer, reference=reference, passages=())
    claims = tuple(c for side in Side for c in RulesExtractor().extract([trace], side=side)[0])
    return WORDS.judge(pairs_for(trace, claims, table))


@pytest.mark.parametrize(
    ("question", "answer", "reference", "verdict"),
    [
        ("Do visitors pay more in the cafeteria?", "No, prices are identical for visitors and patients.", "No", SAYS),
        ("Can I bring roses to the general ward?", "Yes, cut flowers may be brought to general wards.", "Yes", SAYS),
        ("Do I have to register the warranty?", "No, registration of the warranty is voluntary.", "No.", SAYS),
        ("Is the roof terrace open to guests?", "Yes, guests are welcome to use the terrace.", "yes", SAYS),
        ("Does the lamp need batteries?", "No, the lamp runs off the mains.", "No", SAYS),
        ("Is breakfast part of the price?", "No [1] – breakfast has a price of its own.", "No", SAYS),
        ("Can I bring roses to the general ward?", "Yes, cut flowers may be brought to general wards.", "No", DENIES),
        ("Do visitors pay more in the cafeteria?", "No, prices are identical for visitors and patients.", "Yes", DENIES),
        # What sets terms of its own says more than a bare yes or no.
        ("Can I bring roses to the general ward?", "Yes, flowers may be brought to the ward if they are cut.", "Yes", SILENT),
        ("Is delivery free?", "No, delivery costs 4.90 EUR.", "No", SILENT),
        ("Can dogs come in?", "Yes, dogs may come in with a muzzle.", "Yes", SILENT),
        ("Do I need a visa?", "No, EU citizens need no visa.", "No", SILENT),
        ("Can I pay by card?", "Yes, payment by Visa is accepted.", "Yes", SILENT),
    ],
)
def test_what_stands_behind_yes_or_no(question: str, answer: str, reference: str, verdict: Verdict) -> None:
    """Both say the same to the question, or they do not; the certificate is the word of the reference."""
    (said,) = judged(question, answer, reference, Table.RESPONSE_X_REFERENCE)

    assert said.verdict is verdict
    if verdict is not SILENT:
        assert [e.quote for e in said.evidence] == [reference.rstrip(".")]
        assert all(reference[e.span.start : e.span.end] == e.quote for e in said.evidence)


@pytest.mark.parametrize(
    ("question", "answer", "reference"),
    [
        (
            "How much of my fixed mortgage can I overpay?",
            "You can overpay as much as 10% of the outstanding balance per calendar year with no early repayment charge.",
            "10% of the outstanding balance each calendar year.",
        ),
        ("How long is the visitor's Wi-Fi code valid?", "The code from reception works for one day.", "24 hours"),
        ("When can I visit my father on the general ward?", "You can visit between 2 pm and 8 pm every day.", "14:00 to 20:00 daily"),
        ("When is the pool open?", "The pool opens daily from 7:00 to 21:30.", "7 am to 9:30 pm every day"),
        ("How many guests may I bring?", "You may bring as many as three guests each month without any extra fee.", "Three guests per month."),
        ("How long does the trial last?", "The trial runs for two weeks.", "14 days"),
    ],
)
def test_one_value_in_other_words(question: str, answer: str, reference: str) -> None:
    """Equal values, "per" and "each", "daily" and "every day", and what costs nothing: recall and precision are 1."""
    assert [j.verdict for j in judged(question, answer, reference, Table.REFERENCE_X_RESPONSE)] == [SAYS]
    assert [j.verdict for j in judged(question, answer, reference, Table.RESPONSE_X_REFERENCE)] == [SAYS]


@pytest.mark.parametrize(
    ("question", "answer", "reference"),
    [
        (
            "How much of my fixed mortgage can I overpay?",
            "You can overpay as much as 20% of the outstanding balance per calendar year.",
            "10% of the outstanding balance each calendar year.",
        ),
        (
            "How much of my fixed mortgage can I overpay?",
            "You can overpay 10% of the outstanding balance per month.",
            "10% of the outstanding balance each calendar year.",
        ),
        ("How long is the visitor's Wi-Fi code valid?", "The code from reception works for two days.", "24 hours"),
        ("How long is the visitor's Wi-Fi code valid?", "The cafeteria is open for 24 hours.", "24 hours"),
        ("When can I visit my father on the general ward?", "You can visit between 2 pm and 6 pm every day.", "14:00 to 20:00 daily"),
        ("How long does the trial last?", "The trial runs for three weeks.", "14 days"),
        ("How many guests may I bring?", "You may bring as many as four guests each month.", "Three guests per month."),
    ],
)
def test_another_value_stays_another(question: str, answer: str, reference: str) -> None:
    """The expected value is not said by another one, nor by the same one of another thing."""
    assert SAYS not in [j.verdict for j in judged(question, answer, reference, Table.REFERENCE_X_RESPONSE)]
    assert SAYS not in [j.verdict for j in judged(question, answer, reference, Table.RESPONSE_X_REFERENCE)]


@pytest.mark.parametrize(
    ("question", "answer", "reference", "verdict"),
    [
        ("How long do I have to dispute a card payment?", "You have 120 days from the date of the transaction.", "120 days from the transaction date", SAYS),
        ("How long do I have to dispute a card payment?", "You have 90 days from the date of the transaction.", "120 days from the transaction date", DENIES),
        ("How long do I have to dispute a card payment?", "You have 120 days from the date of the invoice.", "120 days from the transaction date", SILENT),
    ],
)
def test_a_word_of_the_question_narrows_nothing(question: str, answer: str, reference: str, verdict: Verdict) -> None:
    """Answer and reference are both about disputes, whether they say so or not."""
    (said,) = judged(question, answer, reference, Table.RESPONSE_X_REFERENCE)

    assert said.verdict is verdict


@pytest.mark.parametrize(
    ("question", "answer", "reference", "verdict"),
    [
        (
            "Do I have to pay a fee if I report a loss?",
            "No, there is no charge as long as you can quote the police reference.",
            "No, if you give the police reference.",
            SAYS,
        ),
        ("Can I cancel?", "Yes, you can cancel if the parcel has not left.", "Yes, as long as it has not left the depot.", SAYS),
        ("Do I have to pay to change my booking?", "No, there is no charge as long as you give 48 hours' notice.", "No, if you give 24 hours' notice.", SILENT),
    ],
)
def test_terms_of_a_yes_or_no(question: str, answer: str, reference: str, verdict: Verdict) -> None:
    """One condition in two wordings is one answer; another figure or another yes is another."""
    assert [j.verdict for j in judged(question, answer, reference, Table.RESPONSE_X_REFERENCE)] == [verdict]
    assert [j.verdict for j in judged(question, answer, reference, Table.REFERENCE_X_RESPONSE)] == [verdict]


def test_another_yes_is_another_answer() -> None:
    """"No, you cannot if it has left" denies "Yes, if it has left"."""
    (said,) = judged("Can I cancel?", "No, you cannot cancel if the parcel has left.", "Yes, if the parcel has left.", Table.RESPONSE_X_REFERENCE)

    assert said.verdict is DENIES


def test_a_yes_takes_up_what_was_asked() -> None:
    """"The pool is green" answers nothing of "Is the pool heated?"."""
    (said,) = judged("Is the pool heated?", "Yes, the pool is green.", "Yes", Table.RESPONSE_X_REFERENCE)

    assert said.verdict is SILENT
