"""What a question asks for."""

from __future__ import annotations

import pytest

from ragviz.judges.questions import AskedFor, asked_for, holds, says_yes_or_no, sub_questions


@pytest.mark.parametrize(("question", "kind"), [
    ("Who discovered penicillin?", AskedFor.PERSON),
    ("When did the band split up?", AskedFor.TIME),
    ("In which year was it built?", AskedFor.TIME),
    ("At what times can I reach live chat?", AskedFor.TIME),
    ("Until when may I return it?", AskedFor.TIME),
    ("How many moons does Mars have?", AskedFor.QUANTITY),
    ("How fast is express shipping?", AskedFor.QUANTITY),
    ("What was the revenue in the third quarter?", AskedFor.QUANTITY),
    ("Where can I see the lens?", AskedFor.PLACE),
    ("In which countries are there plants?", AskedFor.PLACE),
    ("Why is the sky blue?", AskedFor.REASON),
    ("How do I reset my password?", AskedFor.MANNER),
    ("Is tracking included?", AskedFor.YES_NO),
    ("What is a fugue?", AskedFor.ANY),
    ("Tell me about fugues", AskedFor.ANY),
    ("", AskedFor.ANY),
])
def test_asked_for(question: str, kind: AskedFor) -> None:
    """The first question word decides."""
    assert kind is asked_for(question)


def test_sub_questions() -> None:
    """Two question words ask two things; two question marks as well."""
    assert [AskedFor.PERSON, AskedFor.TIME] == [part.asked_for for part in sub_questions("Who built the bridge and when did it open?")]
    assert 2 == len(sub_questions("Is it free? How long does it take?"))
    assert 1 == len(sub_questions("Do shoes and bags count?"))
    assert sub_questions("  ") == []


@pytest.mark.parametrize(("answer", "kind", "there"), [
    ("In 1994.", AskedFor.TIME, True),
    ("On weekdays, daily.", AskedFor.TIME, True),
    ("The band split up over money.", AskedFor.TIME, False),
    ("Two: Phobos and Deimos.", AskedFor.QUANTITY, True),
    ("The warranty covers batteries.", AskedFor.QUANTITY, False),
    ("Alexander Fleming.", AskedFor.PERSON, True),
    ("Penicillin kills bacteria.", AskedFor.PERSON, False),
    ("It goes to Ljubljana.", AskedFor.PLACE, True),
    ("Anything at all.", AskedFor.ANY, None),
])
def test_holds(answer: str, kind: AskedFor, there: bool | None) -> None:
    """A value of the kind asked for is there, or not, or cannot be told."""
    assert there is holds(answer, kind)


def test_says_yes_or_no() -> None:
    """Only at the beginning."""
    assert says_yes_or_no("No, outside the EU we do not deliver.")
    assert not says_yes_or_no("Nobody knows.")


@pytest.mark.parametrize(("question", "kind"), [
    ("What happens when two people sign?", AskedFor.ANY),
    ("What if I lose the key?", AskedFor.ANY),
    ("Until when can I cancel?", AskedFor.TIME),
    ("What are the opening hours?", AskedFor.TIME),
])
def test_when_may_be_a_conjunction(question: str, kind: AskedFor) -> None:
    """Only the first question word asks."""
    assert kind is asked_for(question)


@pytest.mark.parametrize(("question", "answer", "there"), [
    ("Who can close a ledger?", "Owners can close the ledger.", True),
    ("Who pays the toll?", "The toll is borne by the sender.", True),
    ("Who pays for the crate?", "The crate is free for every order.", True),
    ("Who do I call at night?", "Dial 7.", True),
    ("Who painted the ceiling of the Long Hall?", "The ceiling of the Long Hall is covered with frescoes.", False),
])
def test_who(question: str, answer: str, there: bool) -> None:
    """Roles, agents and what is paid answer "who"; a name that the question brings along does not."""
    assert there is holds(answer, AskedFor.PERSON, question)
