"""How the tables are walked: which rule speaks first, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.judges.local_rules.rule import Rule
from ragviz.judges.local_rules.scene import Scene
from ragviz.judges.local_rules.table import DOUBTS, STOPS, TELLERS


def first_of(rules: Sequence[Rule], scene: Scene) -> Rule | None:
    """The first rule of a table that finds something; None for none."""
    return next((rule for rule in rules if rule.needs <= scene.met and rule.finds(scene)), None)


def stop(scene: Scene) -> Rule | None:
    """The rule by which a claim cannot be called supported, whatever words it shares with the passage."""
    return first_of(STOPS, scene)


def n_doubts(scene: Scene) -> int:
    """How many signs there are that the claim is not supported, none of which decides."""
    return sum([rule.needs <= scene.met and rule.finds(scene) for rule in DOUBTS])


def told(scene: Scene) -> bool | None:
    """Whether an exception or hours say the claim; None where they do not decide."""
    return next((said for rule in TELLERS if rule.needs <= scene.met and (said := rule.tells(scene)) is not None), None)


_WITH_REASON = tuple(rule for rule in STOPS if rule.reason)


def reason(scene: Scene) -> str:
    """What the evidence leaves out or exchanges where no word of the claim is lacking, for people; "" where no rule has words for it."""
    found = first_of(_WITH_REASON, scene)
    return found.reason if found is not None else ""
