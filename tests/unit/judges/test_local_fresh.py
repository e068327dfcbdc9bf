"""
Answers about fifteen everyday subjects that no rule was made on when they were written: lifts, tariffs, tenancy, leave, recipes and others.

Unlike the other pairs these were not sorted by what the judge can do: they say how much of what a stranger writes it reads right.
"""

from __future__ import annotations

import collections

import pytest

from ragviz.records import Verdict
from tests.unit.judges.labelled_pairs import developed, held_out, rows_of, said_of, verdicts

ROWS = rows_of("fresh_pairs.jsonl")


def subjects(rows: list[dict[str, str]]) -> set[str]:
    return {row["id"].rsplit("-", 1)[0] for row in rows}


def test_enough_of_each() -> None:
    """Halves of seven and eight subjects, no subject in both; of each a third are supported and a third contradicted, and there are nineteen kinds."""
    halves = developed(ROWS), held_out(ROWS)

    assert [7, 8] == [len(subjects(half)) for half in halves]
    assert not subjects(halves[0]) & subjects(halves[1])
    assert len({row["id"] for row in ROWS}) == len(ROWS) == sum(map(len, halves))
    assert len({row["kind"] for row in ROWS}) == 19
    for half in halves:
        found = collections.Counter(row["expect"] for row in half)
        assert min(found["supported"], found["contradicted"]) >= len(half) / 3


@pytest.mark.parametrize(("half", "supported", "denied", "seen"), [("d", 38, 4, 36), ("h", 29, 3, 33)], ids=["developed", "held out"])
def test_totals(half: str, supported: int, denied: int, seen: int) -> None:
    """By words alone: of the wrong ones at most one in six is supported; so many right ones are, and so many of those are contradicted at most."""
    said = said_of({"d": developed, "h": held_out}[half](ROWS))
    wrong = [verdict for expect, verdict in said if expect != "supported"]

    assert wrong.count(Verdict.ENTAILED) <= len(wrong) / 6
    assert said.count(("supported", Verdict.ENTAILED)) >= supported
    assert said.count(("supported", Verdict.CONTRADICTED)) <= denied
    assert said.count(("contradicted", Verdict.CONTRADICTED)) >= seen


HALL = "Crane A was built in 1998 and lifts at most 12 t; crane B lifts up to 20 t and has a remote control."
CARE = "Keep Brightex away from children and from open flames. Never mix the cleaner with vinegar, because gas may form."
HAND = "The application must be signed by hand. A scanned copy is not sufficient. Applications are accepted by post."
BEACH = "Dogs may be walked only on the north beach. The ticket is valid on line 4 only."
ENTRY = "Entry is 9 euros for adults, 5 euros for pensioners and free for children under 12."
POOL = "The pool is open Monday to Saturday from 8:00 to 20:00, and on Fridays until 22:00."
GUESTS = "Guests with tickets enter first, then members, then everybody else."
TENT = "The tent weighs 3.2 kg with pegs and 2.6 kg without them. It is packed in a bag."
PLAN = "The plan covers neither teeth nor glasses."
MIETE = "Die Verlängerung des Vertrags bedarf der Zustimmung der Leitung."
DENTS = "L'abonnement ne couvre ni les dents ni les lunettes."
PRECIO = "El precio no incluye ni el desayuno ni el aparcamiento."
PRICES = "| Plan | Storage | Monthly price | Minimum term |\n| --- | --- | --- | --- |\n| Nimbus S | 5 GB | 3 EUR | none |\n| Nimbus M | 50 GB | 6 EUR | 12 months |"
OFFICE = "Full-time staff receive 30 days of leave; part-time staff receive a share of it."


@pytest.mark.parametrize(("premise", "claim", "verdict"), [
    (HALL, "Crane A lifts up to 20 t.", Verdict.CONTRADICTED),
    (HALL, "You may load crane B with 12 t.", Verdict.NEUTRAL),
    (HALL, "Crane C lifts 20 t.", Verdict.NEUTRAL),
    ("The Velora weighs 9 kg. It is sold in red.", "The Velora Plus weighs 9 kg.", Verdict.NEUTRAL),
    ("The Zapmo S runs for 9 hours. The Zapmo L runs for 14 hours.", "The Zapmo S runs for 9 hours.", Verdict.ENTAILED),
    (CARE, "Brightex can be used near open flames.", Verdict.CONTRADICTED),
    (CARE, "It is fine to keep it close to open flames.", Verdict.CONTRADICTED),
    (CARE, "Keep Brightex away from open flames.", Verdict.ENTAILED),
    (CARE, "Brightex can be stored away from children.", Verdict.ENTAILED),
    (CARE, "You can mix the cleaner with vinegar.", Verdict.CONTRADICTED),
    (CARE, "The cleaner must not be mixed with vinegar.", Verdict.ENTAILED),
    (HAND, "The application can be sent as a scanned copy.", Verdict.CONTRADICTED),
    (HAND, "The application may be submitted by post.", Verdict.ENTAILED),
    (BEACH, "The ticket is valid on lines 4 and 5.", Verdict.CONTRADICTED),
    (BEACH, "The ticket is valid on line 4.", Verdict.ENTAILED),
    (BEACH, "Dogs may be walked on the north beach.", Verdict.ENTAILED),
    (ENTRY, "Entry is free for pensioners.", Verdict.CONTRADICTED),
    (ENTRY, "Adults pay 9 euros.", Verdict.ENTAILED),
    (ENTRY, "Entry is free for children under 12.", Verdict.ENTAILED),
    (POOL, "On Tuesdays the pool is open until 22:00.", Verdict.CONTRADICTED),
    (POOL, "On Fridays the pool is open until 22:00.", Verdict.ENTAILED),
    ("Breakfast starts at 7 and costs an extra 12 euros.", "Breakfast is free.", Verdict.CONTRADICTED),
    (GUESTS, "Members enter before guests with tickets.", Verdict.CONTRADICTED),
    (GUESTS, "Members enter after guests with tickets.", Verdict.ENTAILED),
    (GUESTS, "Guests with tickets are the last to enter.", Verdict.CONTRADICTED),
    (TENT, "The tent weighs 3.2 kg without the pegs.", Verdict.CONTRADICTED),
    (TENT, "Without pegs the tent weighs 2.6 kg.", Verdict.ENTAILED),
    (TENT, "The tent weighs 2.6 kg without its bag.", Verdict.NEUTRAL),
    (PLAN, "The plan covers glasses.", Verdict.CONTRADICTED),
    (PLAN, "Glasses are not covered by the plan.", Verdict.ENTAILED),
    ("The tool is neither safe nor cheap.", "The tool is safe.", Verdict.CONTRADICTED),
    (MIETE, "Die Verlängerung ist ohne Zustimmung der Leitung möglich.", Verdict.CONTRADICTED),
    (MIETE, "Die Verlängerung bedarf keiner Zustimmung.", Verdict.CONTRADICTED),
    (MIETE, "Ohne Zustimmung der Leitung kann der Vertrag nicht verlängert werden.", Verdict.NEUTRAL),
    (DENTS, "L'abonnement couvre les lunettes.", Verdict.CONTRADICTED),
    (DENTS, "L'abonnement ne couvre pas les dents.", Verdict.ENTAILED),
    (PRECIO, "El precio incluye el aparcamiento.", Verdict.CONTRADICTED),
    (PRECIO, "El precio no incluye el aparcamiento.", Verdict.ENTAILED),
    ("Nadie puede cocinar en la habitación.", "Se puede cocinar en la habitación.", Verdict.CONTRADICTED),
    ("No hay ningún ascensor en el edificio.", "El edificio no tiene ascensor.", Verdict.ENTAILED),
    ("Roaming is included in tariff M and tariff L, but not in tariff S.", "Tariff S includes roaming.", Verdict.CONTRADICTED),
    ("Reserved tickets can be collected at the desk.", "Reserved tickets can be collected by another person.", Verdict.NEUTRAL),
    ("El depósito es de 150 euros. La piscina abre a las 9.", "The deposit is 350 euros.", Verdict.CONTRADICTED),
    ("El depósito es de 150 euros. La piscina abre a las 9.", "The key costs 350 euros.", Verdict.NEUTRAL),
    ("The battery lasts 12 hours and charges in the car.", "La batterie tient 20 heures.", Verdict.CONTRADICTED),
    ("The battery lasts 12 hours and charges in the car.", "La batterie tient 12 heures.", Verdict.NEUTRAL),
    (PRICES, "Nimbus S includes 50 GB.", Verdict.CONTRADICTED),
    (PRICES, "Nimbus S costs 6 EUR a month.", Verdict.CONTRADICTED),
    (PRICES, "Nimbus S has a minimum term of 12 months.", Verdict.CONTRADICTED),
    (PRICES, "All Nimbus plans have a minimum term.", Verdict.CONTRADICTED),
    (PRICES, "Nimbus M has a minimum term of 12 months.", Verdict.ENTAILED),
    (OFFICE, "Part-time staff receive 30 days of leave.", Verdict.NEUTRAL),
    (OFFICE, "Full-time staff receive 30 days of leave.", Verdict.ENTAILED),
    ("Parental leave is granted after one year. Sick leave requires a note.", "Sick leave is granted after one year.", Verdict.NEUTRAL),
    ("The town hall is open until 6 p.m. on Mondays.", "The town hall's library is open until 6 p.m. on Mondays.", Verdict.NEUTRAL),
    ("Cups without handles go in the dishwasher.", "Cups without handles can go in the dishwasher.", Verdict.ENTAILED),
])
def test_kinds(premise: str, claim: str, verdict: Verdict) -> None:
    """Whose it is, under what, with what, in which place, at what price and in what order."""
    assert verdicts([(claim, premise)]) == [verdict]
