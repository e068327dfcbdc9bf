"""A date that bounds is held against one that lies on one side of it."""

from __future__ import annotations

import itertools

import pytest

from ragviz.consistency.magnitudes import Relation
from ragviz.consistency.sides import Side, relate_sides
from ragviz.records import Verdict
from ragviz.text.dates import dates
from tests.unit.judges.labelled_pairs import verdicts

EVENTS = ["She was born", "The plan was adopted", "The bridge was opened", "The firm was founded"]
WORDS = {
    "before": (True, False, False),
    "prior to": (True, False, False),
    "by": (True, True, False),
    "no later than": (True, True, False),
    "after": (False, False, True),
    "no earlier than": (False, True, True),
}
"""Whether an earlier, the same, a later date fits."""
PLAIN = ("before", "by", "after")
DATES = [
    ("1948", "1950", "1953"),
    ("January 2020", "March 2020", "June 2020"),
    ("10 May", "12 May", "14 May"),
    ("15 November 2024", "31 December 2024", "15 January 2025"),
]


def at(date: str) -> str:
    return f"on {date}" if date.count(" ") == 2 or "May" in date else f"in {date}"


@pytest.mark.parametrize(("event", "word", "three"), list(itertools.product(EVENTS, WORDS, DATES)))
def test_a_date_on_the_right_side_is_no_contradiction(event: str, word: str, three: tuple[str, str, str]) -> None:
    """What fits is never contradicted, what does not never supported; with plain words it is also said."""
    claim = f"{event} {word} {three[1]}."
    told = verdicts([(claim, f"{event} {at(date)}.") for date in three])

    for said, fits, date in zip(told, WORDS[word], three, strict=True):
        assert said is not (Verdict.CONTRADICTED if fits else Verdict.ENTAILED), (claim, date)
        if word in PLAIN:
            assert said is (Verdict.ENTAILED if fits else Verdict.CONTRADICTED), (claim, date)


@pytest.mark.parametrize(("ours", "theirs"), list(itertools.product([None, *Side], repeat=2)))
@pytest.mark.parametrize(
    ("a", "b"), list(itertools.product(["1950", "March 1950", "12 March 1950", "the 1950s", "1951", "June 1950", "12 May", "May"], repeat=2))
)
def test_sides_keep_their_laws(a: str, b: str, ours: Side | None, theirs: Side | None) -> None:
    """A bound follows from itself; what follows is not excluded; what is excluded one way is excluded the other way."""
    one, two = dates(f"in {a}")[0], dates(f"in {b}")[0]
    there, back = relate_sides(one, ours, two, theirs), relate_sides(two, theirs, one, ours)

    assert (there is None) or ours is not None
    if a == b and ours is not None and ours is theirs:
        assert there is Relation.SAME
    if ours is not None and theirs is not None:
        assert (there is Relation.OTHER) == (back is Relation.OTHER)
        assert (there is None) == (back is None)
