"""What goes with what inside one sentence."""

from __future__ import annotations

import pytest

from ragviz.consistency import check
from ragviz.records import ClashKind


@pytest.mark.parametrize(("premise", "claim", "kind", "theirs"), [
    ("He was born in Malmo and now lives in Aarhus.", "He lives in Malmo.", ClashKind.NAME, "Aarhus"),
    ("She studied history in Riga, taught for a year in Vilnius and settled in Gdansk.", "She studied history in Vilnius.", ClashKind.NAME, "Riga"),
    ("The firm opened a shop in Graz in 1998 and moved its seat to Linz in 2007.", "The firm moved its seat to Graz.", ClashKind.NAME, "Linz"),
    ("The survey was planned by Nadia Roth and paid for by Carl Brandt.", "The survey was planned by Carl Brandt.", ClashKind.NAME, "Nadia Roth"),
    ("He won the cup in singles in 1931 and in doubles in 1936.", "He won the cup in doubles in 1931.", ClashKind.DATE, "1936"),
    ("Luggage: Basic 8 kg, Classic 23 kg, Flex 46 kg.", "Flex passengers may take 23 kg of luggage.", ClashKind.NUMBER, "46 kg"),
    ("The study had 340 participants, of whom 210 were women.", "The study included 340 women.", ClashKind.NUMBER, "210"),
    ("The college has 900 students, including 75 boarders.", "The college has 900 boarders.", ClashKind.NUMBER, "75"),
])
def test_exchanged(premise: str, claim: str, kind: ClashKind, theirs: str) -> None:
    """A place, person, date or amount of one part given to another part clashes with what stands there."""
    found = check(claim, premise)

    assert [clash.kind for clash in found.clashes] == [kind]
    assert found.clashes[0].premise_value == theirs
    span = found.clashes[0].premise_span
    assert span is not None
    assert theirs.split(maxsplit=1)[0] in span.of(premise)


@pytest.mark.parametrize(("premise", "claim"), [
    ("He was born in Malmo and now lives in Aarhus.", "He lives in Aarhus."),
    ("He won the cup in singles in 1931 and in doubles in 1936.", "He won the cup in doubles in 1936."),
    ("Luggage: Basic 8 kg, Classic 23 kg, Flex 46 kg.", "Flex passengers may take 46 kg of luggage."),
    ("The study had 340 participants, of whom 210 were women.", "The study included 210 women."),
    ("Before the flood the village had 900 inhabitants; by 1960 only 300 remained.", "The village's population had fallen to 300 by 1960."),
    ("The film was shot in Norway, although the story is set in Quebec.", "The film was made in Norway."),
    ("Founded in 1987, the company moved to Ghent in 1999.", "The company was founded in 1987."),
])
def test_as_written(premise: str, claim: str) -> None:
    """What stands together in one part, and what a part takes over from the one before it, does not clash."""
    assert not check(claim, premise).clashes


@pytest.mark.parametrize(("premise", "claim", "dropped"), [
    ("Members go through the garden; guests wait at the gate.", "Guests go through the garden.", True),
    ("Members go through the garden; guests wait at the gate.", "Members go through the garden.", False),
    ("Business customers may pay by invoice; private customers pay by card.", "Payment by invoice is possible for private customers.", True),
    ("Business customers may pay by invoice; private customers pay by card.", "Payment by invoice is possible for business customers.", False),
    ("The castle was built in 1320; Count Otto lived there until 1351.", "Count Otto lived in the castle.", False),
])
def test_contrasts(premise: str, claim: str, dropped: bool) -> None:
    """The subject of one half with what is said of the other half's."""
    found = check(claim, premise)

    assert bool(found.dropped) is dropped
    assert not found.clashes
