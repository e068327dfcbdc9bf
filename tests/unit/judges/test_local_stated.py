"""A right answer beside a short expected answer states it with one claim and says more with the others; a wrong answer states nothing of it."""

from __future__ import annotations

from typing import Any

import pytest

from ragviz.claims.rules import RulesExtractor
from ragviz.grounding.tables import pairs_for
from ragviz.judges.local import LocalJudge
from ragviz.judges.local_polarity import asks_yes_no, lead_of
from ragviz.judges.local_stated import names_another, stated
from ragviz.records import Claim, Judgement, Side, Table, Trace, Verdict
from tests.unit.judges.labelled_pairs import rows_of

WORDS = LocalJudge(embeddings=False)
ROWS = rows_of("stated_pairs.jsonl")
KNOWN_MISSES = {"thing-008", "value-013"}
"""Charging a battery for its lasting, and "half past seven" in words."""


def read(row: dict[str, Any]) -> tuple[dict[str, Claim], list[Judgement], list[Judgement]]:
    """Claims, what the expected answer says of the answer's claims, and the answer of the expected ones."""
    trace = Trace(id="1", question=row["question"], response=row["answer"], reference=row["reference"], passages=())
    claims = tuple(c for side in Side for c in RulesExtractor().extract([trace], side=side)[0])
    return (
        {c.id: c for c in claims},
        WORDS.judge(pairs_for(trace, claims, Table.RESPONSE_X_REFERENCE)),
        WORDS.judge(pairs_for(trace, claims, Table.REFERENCE_X_RESPONSE)),
    )


def is_read_right(row: dict[str, Any]) -> bool:
    """Right: a claim of the sentence that states it is entailed, none of the others, and all that was expected is found. Wrong: nothing is entailed."""
    claims, precise, recalled = read(row)
    entailed = [claims[j.key.claim_id] for j in precise if j.verdict is Verdict.ENTAILED]
    found = [j.verdict is Verdict.ENTAILED for j in recalled]
    if not row["right"]:
        # "Yes, but only if …" does say yes.
        return not entailed and (row["kind"] == "yes, but" or not any(found))
    return bool(entailed) and all(claim.spans[0].start < len(row["said"]) for claim in entailed) and bool(found) and all(found)


@pytest.mark.parametrize("row", [row for row in ROWS if not row["id"].endswith("-h")], ids=lambda row: row["id"])
def test_developed(row: dict[str, Any]) -> None:
    """Every pair that the rules were made on, but for the known misses."""
    assert is_read_right(row) is (row["id"] not in KNOWN_MISSES)


def test_certificates_are_exact() -> None:
    """Each verdict that the rules give quotes the premise where it stands."""
    for row in ROWS:
        _, precise, recalled = read(row)
        for judgements, premise in ((precise, row["reference"]), (recalled, row["answer"])):
            for judgement in judgements:
                assert judgement.verdict is not Verdict.ENTAILED or judgement.evidence
                assert all(e.span.of(premise) == e.quote for e in judgement.evidence)


@pytest.mark.parametrize(
    ("text", "says_yes", "rest"),
    [
        ("No, it is not.", False, "it is not."),
        ("Unfortunately not: it can't.", False, "it can't."),
        ("I'm afraid not. It is closed.", False, "It is closed."),
        ("Leider nein. Das geht nicht.", False, "Das geht nicht."),
        ("Ja, das geht.", True, "das geht."),
        ("Malheureusement non, c'est interdit.", False, "c'est interdit."),
        ("Yes, of course. You can.", True, "You can."),
        ("Lo siento, no: está cerrado.", False, "está cerrado."),
    ],
)
def test_what_an_answer_begins_with(text: str, says_yes: bool, rest: str) -> None:
    """The yes or no, also said with regret, and where the words behind it begin."""
    lead = lead_of(text)

    assert lead is not None
    assert (says_yes, rest) == (lead.says_yes, text[lead.end :])


@pytest.mark.parametrize("text", ["Nothing is known.", "Not all rooms are open.", "Note that it rains.", "Janne said so.", "Leider ist das Bad zu."])
def test_no_yes_or_no(text: str) -> None:
    """Words that only begin like one."""
    assert lead_of(text) is None


def test_negative_and_either_or_questions() -> None:
    """"No" to "Isn't it free?" says that it is not; "green" answers no yes-or-no question."""
    assert asks_yes_no("Isn't parking free on Sundays?")
    assert not asks_yes_no("Is the door red or green?")


@pytest.mark.parametrize(
    ("question", "expected", "said"),
    [
        ("Who can approve invoices?", "Only managers can approve invoices.", "Managers can approve invoices"),
        ("How much is the exit fee on Meadow Flex?", "£25", "Meadow Green has an exit fee of £25"),
        ("How much is the exit fee on Meadow Flex?", "£25", "The exit fee on Meadow Flex is not £25"),
        ("How deep is the lower pool?", "1.35 m", "The upper pool is 1.35 m deep"),
        ("What does a ticket cost?", "€90", "For children under 12 a ticket costs €90"),
        ("What does a ticket cost?", "€90", "A ticket costs €90 if you book online"),
        ("What does a ticket cost?", "€90", "A ticket costs $90"),
        ("When is the office open?", "On Monday", "The office is open on Monday and Friday"),
        ("How often may I repeat the exam?", "Twice; the thesis once.", "The thesis may be repeated twice"),
        ("How many bags may I bring?", "at most 3 bags", "You may bring at least 3 bags"),
    ],
)
def test_what_does_not_state_it(question: str, expected: str, said: str) -> None:
    """Another value, another thing, a condition of its own, a day more, the other bound."""
    assert stated(question, expected, said, is_first=True) is None


def test_other_members_of_a_family_of_names() -> None:
    """One word in common and another beside it; naming both, or the question's own, is no other thing."""
    assert names_another("What's the fee on Meadow Flex?", "Meadow Green has a fee of £25")
    assert not names_another("What's the fee on Meadow Flex?", "Meadow Flex has a fee of £25, Meadow Green has none")
    assert names_another("Was kostet der Ersatzausweis?", "Der Parkausweis kostet 15 Euro", tongue="german")
    assert not names_another("Was kostet der Ausweis?", "Der Parkausweis kostet 15 Euro", tongue="german")
