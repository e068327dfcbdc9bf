"""Short references and short answers read with their question: each true claim beside a twin that must not be supported."""

from __future__ import annotations

import pytest

from ragviz.judges.local import LocalJudge
from ragviz.records import Judgement, Pair, PairKey, Table, Verdict

JUDGE = LocalJudge(embeddings=False)

# question, reference, true claim, false claim
REFERENCES = [
    ("How long does the battery of the Tern 5 last?", "Up to 42 minutes in calm air.", "The battery of the Tern 5 lasts up to 42 minutes.", "The battery of the Tern 5 lasts up to 50 minutes."),
    ("What is the capital of Slovenia?", "Ljubljana", "The capital of Slovenia is Ljubljana.", "The capital of Slovenia is Maribor."),
    ("Who composed the opera about the miller?", "Clara Venn", "The opera about the miller was composed by Clara Venn.", "The opera about the miller was composed by Otto Lind."),
    ("Who wrote the first report on the dam?", "Maria Oduya.", "Maria Oduya wrote the first report on the dam.", "Peter Klamm wrote the first report on the dam."),
    ("When was the canal opened?", "In 1894.", "The canal was opened in 1894.", "The canal was opened in 1849."),
    ("When does the night bus leave?", "At 11:40 pm", "The night bus leaves at 11:40 pm.", "The night bus leaves at 10:40 pm."),
    ("Where is the head office of Brenner Tools?", "In Graz.", "The head office of Brenner Tools is in Graz.", "The head office of Brenner Tools is in Linz."),
    ("Where was the painter born?", "Tartu", "The painter was born in Tartu.", "The painter was born in Riga."),
    ("How many moons does the planet have?", "Fourteen", "The planet has 14 moons.", "The planet has 12 moons."),
    ("How many people live in the valley?", "About 3,200.", "About 3,200 people live in the valley.", "About 5,200 people live in the valley."),
    ("How much does an annual pass cost?", "79 euros", "An annual pass costs 79 euros.", "An annual pass costs 97 euros."),
    ("What is the maximum load of the lift?", "630 kg", "The maximum load of the lift is 630 kg.", "The maximum load of the lift is 360 kg."),
    ("How tall is the lighthouse?", "38 m", "The lighthouse is 38 m tall.", "The lighthouse is 83 m tall."),
    ("How old must a driver be?", "At least 21 years.", "A driver must be at least 21 years old.", "A driver must be at least 18 years old."),
    ("What percentage of the waste is recycled?", "64 %", "64 % of the waste is recycled.", "46 % of the waste is recycled."),
    ("How often must the filter be changed?", "Every three months.", "The filter must be changed every three months.", "The filter must be changed every six months."),
    ("Which gas does the balloon contain?", "Helium", "The balloon contains helium.", "The balloon contains hydrogen."),
    ("Which company makes the brake pads?", "Torvik AS", "The brake pads are made by Torvik AS.", "The brake pads are made by Hallgren AB."),
    ("What material is the inner lining of the left glove made of?", "Wool", "The inner lining of the left glove is made of wool.", "The inner lining of the left glove is made of cotton."),
    ("What colour is the emergency handle?", "Red", "The emergency handle is red.", "The emergency handle is green."),
    ("Is the front door of the mill red or green?", "Green.", "The front door of the mill is green.", "The front door of the mill is red."),
    ("Is smoking allowed on the roof?", "No.", "Smoking is not allowed on the roof.", "Smoking is allowed on the roof."),
    ("Is smoking allowed on the roof?", "Yes.", "Smoking is allowed on the roof.", "Smoking is not allowed on the roof."),
    ("Does the lamp need a battery?", "Yes", "The lamp needs a battery.", "The lamp does not need a battery."),
    ("Does the lamp need a battery?", "No", "The lamp does not need a battery.", "The lamp needs a battery."),
    ("Has the old mill been sold?", "Yes, to a cooperative.", "The old mill has been sold.", "The old mill has not been sold."),
    ("Did the court reject the appeal?", "No.", "The court did not reject the appeal.", "The court rejected the appeal."),
    ("Are eggs included in the basket?", "Yes.", "Eggs are included in the basket.", "Eggs are not included in the basket."),
    ("Can members borrow the trailer?", "Yes, for two days.", "Members can borrow the trailer for two days.", "Members cannot borrow the trailer."),
    ("How long is the warranty on the pump?", "It is five years from delivery.", "The warranty on the pump is five years.", "The warranty on the pump is two years."),
    ("How long does the varnish take to dry?", "It takes six hours.", "The varnish takes six hours to dry.", "The varnish takes nine hours to dry."),
    ("At what temperature does the mixture freeze?", "-12 °C", "The mixture freezes at -12 °C.", "The mixture freezes at -21 °C."),
    ("In which year did the foundry close?", "1987", "The foundry closed in 1987.", "The foundry closed in 1978."),
    ("What's the price of the M4 frame?", "80 EUR", "The price of the M4 frame is 80 EUR.", "The price of the M4 frame is 90 EUR."),
    ("In the 2020 survey, how many sites were closed?", "Seven", "Seven sites were closed in the 2020 survey.", "Nine sites were closed in the 2020 survey."),
    ("Who is the director of the museum?", "Lena Moor", "The director of the museum is Lena Moor.", "The director of the museum is Jan Petrov."),
    ("Who was elected mayor of Aln in 2010?", "Ann Weber", "Ann Weber was elected mayor of Aln in 2010.", "Karl Stein was elected mayor of Aln in 2010."),
    ("Until when can I cancel the booking?", "Until 48 hours before arrival.", "The booking can be cancelled until 48 hours before arrival.", "The booking can be cancelled until 24 hours before arrival."),
    ("What do the larvae eat?", "Rotting wood.", "The larvae eat rotting wood.", "The larvae eat fresh leaves."),
    ("Who may use the rooftop pool?", "Residents of the tower.", "Residents of the tower may use the rooftop pool.", "Visitors from outside may use the rooftop pool."),
    ("Why was the ferry cancelled?", "Because of thick fog.", "The ferry was cancelled because of thick fog.", "The ferry was cancelled because of a strike."),
    ("How far is the station from the hotel?", "Two kilometres", "The station is two kilometres from the hotel.", "The station is five kilometres from the hotel."),
    ("How many of the islands have a harbour?", "Seven [2]", "Seven of the islands have a harbour.", "Nine of the islands have a harbour."),
    ("Who has the key to the archive?", "The caretaker.", "The caretaker has the key to the archive.", "The librarian has the key to the archive."),
    ("What kind of engine does the T4 use?", "A two-stroke diesel.", "The T4 uses a two-stroke diesel engine.", "The T4 uses an electric engine."),
    ("How much water does the plant need?", "200 ml a week", "The plant needs 200 ml of water a week.", "The plant needs 500 ml of water a week."),
    ("How much of the budget was spent?", "Two thirds", "Two thirds of the budget was spent.", "A quarter of the budget was spent."),
    ("Where is the old mill?", "It's on the Lenne.", "The old mill is on the Lenne.", "The old mill is on the Ruhr."),
    ("Are the eggs in the basket organic?", "No", "The eggs in the basket are not organic.", "The eggs in the basket are organic."),
    ("Is Ada Holm a surgeon?", "Yes.", "Ada Holm is a surgeon.", "Ada Holm is not a surgeon."),
    ("Can the deposit be refunded?", "Only within 14 days.", "The deposit can be refunded within 14 days.", "The deposit cannot be refunded."),
    ("To whom is the report sent?", "The mayor of Aln", "The report is sent to the mayor of Aln.", "The report is sent to the county court."),
    ("Wie lange hält der Akku des Tern 5?", "Bis zu 42 Minuten.", "Der Akku des Tern 5 hält bis zu 42 Minuten.", "Der Akku des Tern 5 hält bis zu 50 Minuten."),
    ("Combien de temps dure la batterie du Tern 5 ?", "Jusqu'à 42 minutes.", "La batterie du Tern 5 dure jusqu'à 42 minutes.", "La batterie du Tern 5 dure jusqu'à 50 minutes."),
    ("¿Cuánto dura la batería del Tern 5?", "42 minutos", "La batería del Tern 5 dura 42 minutos.", "La batería del Tern 5 dura 50 minutos."),
    ("Sind Hunde im Park erlaubt?", "Nein.", "Hunde sind im Park nicht erlaubt.", "Hunde sind im Park erlaubt."),
]
# question, passage, true short answer, false short answer
ANSWERS = [
    ("How long does the battery of the Tern 5 last?", "The Tern 5 flies in wind up to 10 m/s. Its battery lasts 42 minutes.", "42 minutes.", "50 minutes."),
    (
        "How long does the battery of the Tern 5 last?",
        "Charging the Tern 5 takes 42 minutes. The battery of the Tern 5 lasts 50 minutes.",
        "50 minutes.",
        "42 minutes.",
    ),
    ("Who composed the opera about the miller?", "Clara Venn composed the opera about the miller; Otto Lind painted the sets.", "Clara Venn", "Otto Lind"),
    ("When was the canal opened?", "The canal was begun in 1888. It was opened in 1894.", "In 1894.", "In 1901."),
    ("Is smoking allowed on the roof?", "Smoking is not allowed on the roof.", "No.", "Yes."),
    ("Is smoking allowed on the roof?", "Smoking is allowed on the roof.", "Yes.", "No."),
    ("How many moons does the planet have?", "The planet has fourteen moons and two rings.", "Fourteen.", "Twelve."),
    ("What is the maximum load of the lift?", "The maximum load of the lift is 630 kg, that of the hoist 360 kg.", "630 kg", "360 kg"),
    ("Where is the head office of Brenner Tools?", "The head office of Brenner Tools is in Graz.", "Graz", "Linz"),
    ("Are eggs included in the basket?", "Eggs are included in the basket.", "Yes", "No"),
]


def judged(question: str, premise: str, claim: str, table: Table) -> Judgement:
    return JUDGE.judge([Pair(key=PairKey(table, "t", "c1", "p"), premise=premise, hypothesis=claim, question=question)])[0]


@pytest.mark.parametrize(("question", "reference", "true", "false"), REFERENCES)
def test_short_references(question: str, reference: str, true: str, false: str) -> None:
    """The question's words count as given; another answer is never supported."""
    assert judged(question, reference, true, Table.RESPONSE_X_REFERENCE).verdict is Verdict.ENTAILED
    assert judged(question, reference, false, Table.RESPONSE_X_REFERENCE).verdict in {Verdict.CONTRADICTED, Verdict.NEUTRAL}


BOUNDED = [
    ("How long must passwords be?", "14 characters", "Passwords must be at least 14 characters long.", "Passwords must be at least 12 characters long."),
    ("How long must passwords be?", "At least 14 characters.", "Passwords must be 14 characters long.", "Passwords must be 12 characters long."),
    ("What does a night in the annex cost?", "180 EUR", "A night in the annex costs up to 180 EUR.", "A night in the annex costs up to 160 EUR."),
    ("What uptime does the basic plan have?", "99.5 %", "The basic plan has 99.5 %.", "The basic plan has 99.95 %."),
]


@pytest.mark.parametrize(("question", "reference", "true", "false"), BOUNDED)
def test_a_short_reference_need_not_repeat_a_bound(question: str, reference: str, true: str, false: str) -> None:
    """"14 characters" is short for "at least 14 characters", both ways round; another figure is another answer. Evidence is cut from the texts as they are."""
    for premise, claim in ((reference, true), (true, reference)):
        found = judged(question, premise, claim, Table.RESPONSE_X_REFERENCE)
        assert found.verdict is Verdict.ENTAILED
        assert all(e.span.of(premise) == e.quote for e in found.evidence)
    assert judged(question, reference, false, Table.RESPONSE_X_REFERENCE).verdict is Verdict.CONTRADICTED


def test_bounds_in_opposite_directions_differ() -> None:
    """Nor do passages lend theirs: what they say counts as they say it."""
    assert (
        judged("How long must passwords be?", "At least 14 characters.", "Passwords must be at most 14 characters long.", Table.RESPONSE_X_REFERENCE).verdict
        is not Verdict.ENTAILED
    )
    assert (
        judged(
            "How long must passwords be?", "Passwords must be at least 14 characters long.", "Passwords must be 14 characters long.", Table.RESPONSE_X_PASSAGES
        ).verdict
        is not Verdict.ENTAILED
    )


def test_figures_dates_and_denials_are_contradicted() -> None:
    """Most false twins clash with the short reference, not only lack its support."""
    verdicts = [judged(q, r, false, Table.RESPONSE_X_REFERENCE).verdict for q, r, _, false in REFERENCES]

    assert sum(v is Verdict.CONTRADICTED for v in verdicts) >= 0.75 * len(verdicts)


@pytest.mark.parametrize(("question", "passage", "true", "false"), ANSWERS)
def test_short_answers(question: str, passage: str, true: str, false: str) -> None:
    """"42 minutes." is judged as the answer to its question: 42 minutes of something else do not support it."""
    assert judged(question, passage, true, Table.RESPONSE_X_PASSAGES).verdict is Verdict.ENTAILED
    assert judged(question, passage, false, Table.RESPONSE_X_PASSAGES).verdict in {Verdict.CONTRADICTED, Verdict.NEUTRAL}


@pytest.mark.parametrize(("question", "reference", "true", "false"), REFERENCES)
def test_reference_claims_in_the_answer(question: str, reference: str, true: str, false: str) -> None:
    """The other way round: the short reference is the claim, the full answer the premise."""
    assert judged(question, false, reference, Table.REFERENCE_X_RESPONSE).verdict is not Verdict.ENTAILED
    del true


@pytest.mark.parametrize("table", list(Table))
@pytest.mark.parametrize(("question", "short", "full", "false"), REFERENCES)
def test_certificates_are_true_spans(question: str, short: str, full: str, false: str, table: Table) -> None:
    """Evidence and both sides of a clash lie in the texts as they are, never in what the question adds."""
    for premise, claim in ((short, full), (short, false), (full, short), (false, short), (short, short)):
        found = judged(question, premise, claim, table)
        assert all(e.span.of(premise) == e.quote for e in found.evidence)
        for clash in found.clashes:
            assert clash.premise_span is None or clash.premise_span.end <= len(premise)
            assert clash.hypothesis_span is None or clash.hypothesis_span.end <= len(claim)


@pytest.mark.parametrize(("question", "reference", "claim"), [
    ("What material is the inner lining of the left glove made of?", "Wool", "The inner lining of the left glove is made of a mixed fabric."),
    ("Which document must a visitor to the north plant show at the gate?", "A passport", "A visitor to the north plant must show a badge at the gate."),
    ("How is the rear axle of the trailer fixed to the frame?", "By four bolts", "The rear axle of the trailer is welded to the frame."),
])
def test_the_question_alone_supports_nothing(question: str, reference: str, claim: str) -> None:
    """A long question and one word of answer: what is shared is the question."""
    assert judged(question, reference, claim, Table.RESPONSE_X_REFERENCE).verdict is not Verdict.ENTAILED


def test_only_the_beginning_of_an_answer_is_its_short_form() -> None:
    """A fragment further down in an answer is not read as what was asked for."""
    pair = Pair(
        key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c2", "p"), premise="The Tern 5 weighs 900 g.", hypothesis="900 g with the camera.",
        question="How long does the battery of the Tern 5 last?", context="It lasts 42 minutes. 900 g with the camera.",
    )

    assert "read with the question" not in JUDGE.judge([pair])[0].rationale
