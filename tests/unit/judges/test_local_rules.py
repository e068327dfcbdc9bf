"""The tables of the local judge's rules, and how they are walked."""

from __future__ import annotations

import pytest

from ragviz.judges.local_rules.rule import Rule
from ragviz.judges.local_rules.scene import Needs, Scene
from ragviz.judges.local_rules.table import DOUBTS, OUTRIGHT, STOPS, TELLERS
from ragviz.judges.local_rules.walks import first_of, reason
from ragviz.judges.local_view import look, view_claim, view_premise

E5 = "E4 means that the filter is clogged; E5 means that the tank is empty."


def seen(claim: str, premise: str = E5) -> Scene:
    return Scene(look(view_claim(claim), view_premise(premise)))


def test_each_rule_has_a_name_of_its_own() -> None:
    """By which tests and readers find it."""
    names = [rule.name for table in (OUTRIGHT, TELLERS, STOPS, DOUBTS) for rule in table]

    assert len(set(names)) == len(names)
    assert all(names)


def test_the_first_that_finds_something_speaks() -> None:
    """The place in the table is the turn."""
    one, other = (Rule(name, lambda _: True, frozenset()) for name in ("one", "other"))

    assert first_of([one, other], seen("E5 means that the tank is empty.")) == one
    assert first_of([other, one], seen("E5 means that the tank is empty.")) == other


@pytest.mark.parametrize(("claim", "need"), [
    ("Nothing of the kind stands there.", Needs.SENTENCE),
    ("E4 means that the filter is clogged. E5 means that the tank is empty.", Needs.ONE_THING),
    ("E4 bedeutet, dass der Filter nicht sauber ist.", Needs.ENGLISH),
])
def test_a_rule_is_asked_only_where_its_needs_are_met(claim: str, need: Needs) -> None:
    """A sentence near, a claim of one sentence, English words."""
    asked = Rule("asked", lambda _: True, frozenset({need}))

    assert first_of([asked], seen(claim)) is None
    assert first_of([asked], seen("E5 means that the tank is empty.")) == asked


def test_reason() -> None:
    """In the words of the rule where it has any."""
    assert reason(seen("E5 means that the filter is clogged.")) == "the passage says it of another code"
    assert reason(seen("E4 means that the filter is clogged.")) == ""
