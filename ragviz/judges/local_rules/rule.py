"""What a rule is: one function that looks at one thing, what it needs, and the words it gives as a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.scene import Needs, Scene
from ragviz.records import ClashKind

STATED = 0.8
"""Share of a claim's words from which a sentence without clash or missing detail is taken to say the same."""


class Rule(NamedTuple):
    """A rule about claim and passage as a whole."""

    name: str
    finds: Callable[[Scene], bool]
    needs: frozenset[Needs]
    reason: str = ""
    """For people, where no word of the claim is lacking; "" where the words that are lacking say it."""


class Teller(NamedTuple):
    """A rule that says the claim (True) or keeps it from being supported (False); None where it does not decide."""

    name: str
    tells: Callable[[Scene], bool | None]
    needs: frozenset[Needs]


class Beside(NamedTuple):
    """A claim beside one sentence."""

    claim: Analysis
    unit: Analysis
    last: Analysis | None
    """The sentence before it, where the claim names a date or the sentence may borrow its verb."""


class Told(NamedTuple):
    """What a sentence says outright of a claim."""

    says: bool
    """True where it says it, False where it says otherwise."""
    ours: tuple[int, int] = (0, 0)
    theirs: tuple[int, int] = (0, 0)
    """Tokens first..last of what cannot both hold."""
    kind: ClashKind = ClashKind.NEGATION
    full: bool = True
    """It says all of the claim; False where only the value and its holder are known to go together."""


class SentenceRule(NamedTuple):
    """A rule about a claim and one sentence, whose word is not weighed."""

    name: str
    tells: Callable[[Beside], Told | None]
    when: Callable[[Analysis], bool]
    """Of which claims it is asked."""
    signs: str
    """Pattern of which a sentence must have something for the rule to tell anything."""
