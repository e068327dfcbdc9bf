"""Neither this nor that: "it covers neither teeth nor glasses" denies both, in English and where another language says so ("ni … ni", "weder … noch")."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.rule import Beside, Told

_STRANGE = 1
"""Words of a claim that the sentence may lack: another form of its verb."""


def by_neither(beside: Beside) -> Told | None:
    """"The plan covers glasses" of "the plan covers neither teeth nor glasses"; "it does not cover glasses" is what that says."""
    claim, unit, _ = beside
    if "neither" not in unit.lowers or len(claim.cues) > 1 or "neither" in claim.lowers:
        return None
    at = unit.lowers.index("neither")
    nors = [j for j in range(at + 1, len(unit.lowers)) if unit.lowers[j] == "nor" and _sentence(unit, j) == _sentence(unit, at)]
    before = {unit.keys[i] for i in range(at) if unit.content[i] and _sentence(unit, i) == _sentence(unit, at)}
    if not nors or not before:
        return None
    own = {claim.keys[k] for k in range(len(claim.keys)) if claim.content[k]}
    for first, end in zip([at, *nors], [*nors, _end(unit, nors[-1])], strict=True):
        part = {unit.keys[i] for i in range(first + 1, end) if unit.content[i]}
        rest = own - part
        if not part or not part <= own or not rest & before or len(rest - before) > _STRANGE:
            continue
        if claim.cues:
            return Told(True, full=rest <= before)
        said = next(k for k in range(len(claim.keys)) if claim.content[k] and claim.keys[k] in part)
        return Told(False, (said, said), (first, end - 1))
    return None


def _sentence(text: Analysis, i: int) -> int:
    return text.sentence[text.clause[i]]


def _end(unit: Analysis, nor: int) -> int:
    """Token behind what the last "nor" names: at a comma, another clause or the end."""
    return next((j for j in range(nor + 1, len(unit.lowers)) if unit.clause[j] != unit.clause[nor] or (unit.commas[j - 1] and j > nor + 1)), len(unit.lowers))
