"""The sentence that gives the reason says of the passage only what stands there."""

from __future__ import annotations

import pytest

from ragviz.judges.local import LocalJudge
from ragviz.records import Pair, PairKey, Table, Verdict


def reason(claim: str, premise: str) -> tuple[Verdict, str]:
    pair = Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", "c", "p"), premise=premise, hypothesis=claim)
    (judgement,) = LocalJudge(embeddings=False).judge([pair])
    return judgement.verdict, judgement.rationale or ""


@pytest.mark.parametrize(("claim", "premise"), [
    ("Delivery takes up to 5 days.", "Delivery takes 2 to 4 days."),
    ("Delivery takes 3 days.", "Delivery takes 2 to 4 days."),
    ("Parcels weigh between 2 and 10 kg.", "The parcels weigh 3 kg."),
])
def test_what_only_follows_is_not_said_by_both(claim: str, premise: str) -> None:
    """Supported, and the passage gives another figure."""
    verdict, said = reason(claim, premise)

    assert verdict is Verdict.ENTAILED
    assert "both say" not in said


def test_what_both_say() -> None:
    """The range itself, and no "C" as a name."""
    assert reason("Store the vaccine at 4-30 °C.", "Store the vaccine at 4-30 °C.")[1].endswith("both say 4–30 °C")


def test_a_figure_that_stands_there_is_not_called_lacking() -> None:
    """Whatever else is lacking."""
    assert "5 h" not in reason("The battery lasts 5 h.", "The battery gives five hours of operation.")[1]


@pytest.mark.parametrize(("claim", "premise", "verdict"), [
    ("Members don't have to pay.", "Members pay nothing.", Verdict.ENTAILED),
    ("Holders of a Blue Badge don't have to pay.", "Holders of a Blue Badge pay nothing.", Verdict.ENTAILED),
    ("Dogs pay nothing.", "Dogs don't have to pay.", Verdict.ENTAILED),
    ("Members have to pay.", "Members pay nothing.", Verdict.CONTRADICTED),
    ("Members pay nothing.", "Members have to pay 5 EUR.", Verdict.CONTRADICTED),
    ("Visitors must pay a fee.", "Visitors do not have to pay a fee.", Verdict.CONTRADICTED),
    ("Visitors must pay a fee.", "Visitors have to pay a fee.", Verdict.ENTAILED),
    ("Take 1 to 4 tablets a day.", "Take 1 to 2 tablets a day.", Verdict.CONTRADICTED),
    ("Take 1 to 4 tablets a day.", "Take 2 tablets a day.", Verdict.NEUTRAL),
])
def test_verdicts(claim: str, premise: str, verdict: Verdict) -> None:
    """Paying nothing is having no duty to pay; a wider range is another one."""
    assert reason(claim, premise)[0] is verdict


@pytest.mark.parametrize(("claim", "premise", "why"), [
    ("Overtime is paid.", "Overtime is paid provided the manager agreed.", "under a condition that the claim leaves out"),
    ("Workers keep the old plan.", "Workers hired before 2015 keep the old plan.", "of some only"),
    ("A permit costs £65 a month.", "A permit costs £65 a month for the first car.", "the price for some only"),
    ("One of the parents must sign.", "Both parents must sign.", "another number of them"),
    ("E5 means the filter is clogged.", "E4 means the filter is clogged. E5 means the door is open.", "of another code"),
    ("Mayor Marlowe opened the bridge.", "The bridge was designed by Ada Marlowe and opened by Mayor Stone.", "another doer"),
])
def test_why_all_its_words_are_not_enough(claim: str, premise: str, why: str) -> None:
    """Nothing is lacking but a limit: the reason names it."""
    verdict, said = reason(claim, premise)

    assert verdict is Verdict.NEUTRAL
    assert why in said


def test_what_stands_there_is_not_said_to_be_missing() -> None:
    """"£75" is the first word of the expected answer; other details of the claim are missing."""
    (said,) = LocalJudge(embeddings=False).judge([Pair(
        key=PairKey(Table.RESPONSE_X_REFERENCE, "t", "c1", "p"), premise="£75, except in the last 49 days or when you move.",
        hypothesis="Leaving Meadow Fix 24 before the end of the term costs £75", question="Is there a fee for leaving Meadow Fix 24 early?",
    )])

    assert said.verdict is Verdict.NEUTRAL
    assert "£75" not in said.rationale


def test_a_number_of_the_question_is_no_claim() -> None:
    """12 is the name of the tariff that was asked about: the answer's 24.7 is held against 27.4 only."""
    (said,) = LocalJudge(embeddings=False).judge([Pair(
        key=PairKey(Table.REFERENCE_X_RESPONSE, "t", "r1", "p"), premise="The unit rate on Meadow Fix 12 is 24.7p per kWh, day and night.",
        hypothesis="27.4 p/kWh", question="What's the unit rate on Meadow Fix 12?",
    )])

    assert said.verdict is not Verdict.ENTAILED
    assert "claim says 12" not in said.rationale
    assert "the claim says 27.4" in said.rationale
