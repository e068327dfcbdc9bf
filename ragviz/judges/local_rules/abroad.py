"""
What keeps a claim in another language than English from being supported: its words of grammar are read in English (consistency/glossing.py), its
words of content by their stems.
"""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import opposites
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

_ALWAYS = word_set("always all every everyone any")
_UNDER = word_set("if unless only except provided without minimum")
_DENYING = word_set("free without only except excluded prohibited closed disabled empty optional")
"""Words that deny without a negation: what is free costs nothing."""
_SMALL = word_set("the an a of to in on at for by with from your their his its this")
"""Words behind which a thing stands."""
_LEAST_LETTERS = 3


def puts_another(scene: Scene) -> bool:
    """"Change the battery if the lamp blinks" of "change the filter if the lamp blinks", whatever the order: one thing in the place of another."""
    claim = scene.claim
    if not claim.tongue:
        return False
    for unit in scene.units[: len(scene.seen.chosen)]:
        if not unit.tongue:
            continue
        for i in _things(claim):
            if claim.keys[i] in unit.index or _is_part(claim.lowers[i], unit.lowers):
                continue
            for j in _things(unit):
                if unit.keys[j] not in claim.index and not _is_part(unit.lowers[j], claim.lowers) and _same_place(claim, i, unit, j):
                    return True
    return False


def _things(text: Analysis) -> list[int]:
    """Words of content behind a small word, or with a capital behind another word: a name."""
    return [
        i for i in range(1, len(text.lowers))
        if text.content[i] and not text.detail[i] and len(text.lowers[i]) >= _LEAST_LETTERS
        and (text.lowers[i - 1] in _SMALL or (text.text[text.starts[i]].isupper() and text.tongue != "german" and text.content[i - 1]))
    ]


def _is_part(lower: str, others: Sequence[str]) -> bool:
    """True where a word is a part of one of the others, or begins as it does: compounds and forms that no stemmer knows."""
    return any(lower in other or other in lower or lower[:5] == other[:5] for other in others if len(other) > _LEAST_LETTERS)


def _same_place(claim: Analysis, i: int, unit: Analysis, j: int) -> bool:
    """The same word in front of both, its own article and number aside, and the same word or nothing behind both."""
    before, there = _content_before(claim, i), _content_before(unit, j)
    if claim.lowers[i - 1] != unit.lowers[j - 1]:
        return False
    behind, beyond = _behind(claim, i), _behind(unit, j)
    return (before == there != "" and (behind == beyond or "" in {behind, beyond})) or (before == "" == there and behind == beyond != "")


def _content_before(text: Analysis, i: int) -> str:
    return next((text.keys[k] for k in range(i - 1, max(-1, i - 4), -1) if text.clause[k] == text.clause[i] and text.content[k]), "")


def _behind(text: Analysis, i: int) -> str:
    """Key of the next word of the clause, whatever it is; "" at its end."""
    return text.keys[i + 1] if i + 1 < len(text.lowers) and text.clause[i + 1] == text.clause[i] and not text.commas[i] and text.lowers[i + 1] != "if" else ""


def denies_alone(scene: Scene) -> bool:
    """A claim that denies, where no sentence that comes near denies anything, nor says an opposite."""
    claim = scene.claim
    if not claim.tongue or not claim.cues:
        return False
    return not any(unit.cues or not _DENYING.isdisjoint(unit.lowers) or _turns(claim, unit) for unit in scene.units)


def _turns(claim: Analysis, unit: Analysis) -> bool:
    """True when the two have opposites: "closed" for "not open"."""
    table = opposites()
    wanted = {(number, 1 - side) for word in claim.roots for number, side in table.get(word, ())}
    return any(place in wanted for word in unit.roots for place in table.get(word, ()))


def always_under_condition(scene: Scene) -> bool:
    """"Is always refunded" of "is refunded if …"."""
    claim = scene.claim
    if not claim.tongue or _ALWAYS.isdisjoint(claim.lowers) or not _UNDER.isdisjoint(claim.lowers):
        return False
    return any(not _UNDER.isdisjoint(unit.lowers) and _ALWAYS.isdisjoint(unit.lowers) for unit in scene.units[: len(scene.seen.chosen)])
