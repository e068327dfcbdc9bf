"""Like with like: figures and negations of another thing say nothing about the claim's."""

from __future__ import annotations

import pytest

from ragviz.consistency import check

OTHER_THING = [
    ("Saturday delivery costs £11.50", "Express delivery costs £8.90 for every order, whatever its value."),
    ("Saturday delivery costs £11.50", "Standard delivery takes 3 to 5 working days and costs £4.50."),
    ("The P2 prints labels up to 62 mm wide", "The Q4 prints labels up to 108 mm wide."),
    ("The K7 weighs 3 kg", "The K9 weighs 5 kg."),
    ("A file may be up to 15 MB", "Pictures are exported as links, not as files."),
    ("A file may be up to 15 MB", "Items can be imported with up to 20,000 rows and 20 MB."),
]
SAME_THING = [
    ("Saturday delivery costs £11.50", "Saturday delivery costs £8.90 for every order."),
    ("The P2 prints labels up to 62 mm wide", "The P2 prints labels up to 58 mm wide."),
    ("The printer weighs 3 kg", "The printer is grey. It weighs 5 kg."),
    ("A file may be up to 15 MB", "A file may be up to 10 MB."),
]


@pytest.mark.parametrize(("claim", "premise"), OTHER_THING)
def test_another_thing_never_clashes(claim: str, premise: str) -> None:
    """Its name, its weekday or its subject tells it apart."""
    assert check(claim, premise).clashes == ()


@pytest.mark.parametrize(("claim", "premise"), SAME_THING)
def test_the_same_thing_does(claim: str, premise: str) -> None:
    """Also behind a pronoun."""
    assert check(claim, premise).clashes
