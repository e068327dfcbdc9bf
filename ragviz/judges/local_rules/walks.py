"""How the tables are walked: which rule speaks first, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.judges.local_rules.rule import Needs, Rule
from ragviz.judges.local_rules.scene import Scene
from ragviz.judges.local_rules.table import DOUBTS, STOPS, TELLERS
from ragviz.judges.local_view import Look


def first_of(rules: Sequence[Rule], seen: Look) -> Rule | None:
    """The first rule of a table that finds something; None for none."""
    scene = Scene(seen)
    met = _met(scene)
    return next((rule for rule in rules if rule.needs <= met and rule.finds(scene)), None)


def stop(seen: Look) -> Rule | None:
    """The rule by which a claim cannot be called supported, whatever words it shares with the passage."""
    return first_of(STOPS, seen)


def n_doubts(seen: Look) -> int:
    """How many signs there are that the claim is not supported, none of which decides."""
    scene = Scene(seen)
    met = _met(scene)
    return sum([rule.needs <= met and rule.finds(scene) for rule in DOUBTS])


def told(seen: Look) -> bool | None:
    """Whether an exception or hours say the claim; None where they do not decide."""
    scene = Scene(seen)
    met = _met(scene)
    return next((said for rule in TELLERS if rule.needs <= met and (said := rule.tells(scene)) is not None), None)


def reason(seen: Look) -> str:
    """What the evidence leaves out or exchanges where no word of the claim is lacking, for people; "" where no rule has words for it."""
    found = first_of(_WITH_REASON, seen)
    return found.reason if found is not None else ""


_WITH_REASON = tuple(rule for rule in STOPS if rule.reason)


def _met(scene: Scene) -> frozenset[Needs]:
    """What a pair fulfils of what rules need."""
    seen = scene.seen
    met = set()
    if seen.chosen:
        met.add(Needs.SENTENCE)
        if not scene.claim.tongue and scene.claim.lowers:
            met.add(Needs.ENGLISH)
    if len(seen.claim.sentences) == 1:
        met.add(Needs.ONE_THING)
    if seen.together is not None:
        met.add(Needs.CHECKED)
    return frozenset(met)
