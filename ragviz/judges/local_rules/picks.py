"""Which of several things: both or one of them, and only of one kind."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.consistency.shares import ONLY
from ragviz.judges.local_rules.doers import PLAIN_KINDS
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

OF_THE = word_set("of the our your these those his her their its")
NO_KIND = PLAIN_KINDS | word_set("all every each any per most no both")
"""Words before a noun that single out no kind of it."""
_DUTY = word_set("must shall should need needs required may can sign signs")
_NOT_BESIDE = word_set("of in on at for to with from by and or")
_GROUP = {word: n for n, line in enumerate((
    "standard express overnight economy", "basic premium professional enterprise starter", "single double twin family", "upper lower", "front rear", "left right", "indoor outdoor",
    "domestic international", "weekday weekend", "summer winter", "paper digital electronic", "adult child", "used new", "hot cold", "inner outer", "ground top", "full-time part-time",
)) for word in line.split()}
"""Words of which a thing has one as a rule: what is said of one is not said of another."""
_ANYBODY = word_set("nobody everyone everybody anyone anybody")
_EVERYBODY = word_set("nobody none no everyone everybody anyone anybody any all every you people person persons one we they it public")
_MODALS = word_set("must should can may could might shall cannot need needs has have not")
_PICKS = word_set("both either one any")
_EVERY = word_set("every each")
_PERIODS = word_set("second minute hour day week month quarter year")
_COMES_AGAIN = word_set(
    "every each per daily hourly weekly monthly quarterly yearly annually annual once twice times always regularly regular constantly continuously "
    "continually day days"
)
_NO_RATE = word_set("than for in about of within after before over under at least most up to during takes lasts last")
_REACH = 5


def picks_otherwise(scene: Scene) -> bool:
    """"One of the parents must sign" of "both parents must sign"; "both keys are needed" of "either key opens it"."""
    claim, units = scene.claim, scene.units
    ours = None if _PICKS.isdisjoint(claim.lowers) else _pick(claim, None)
    if ours is None:
        return False
    pick, keys = ours
    found = set()
    for unit in units:
        theirs = _pick(unit, keys)
        if theirs is not None:
            found.add(theirs[0])
    if not found or pick in found:
        return False
    return pick == "both" or not _DUTY.isdisjoint(claim.lowers)


def is_of_another_kind(scene: Scene) -> bool:
    """"Powder detergent can be used" of "use only liquid detergent"."""
    claim, units = scene.claim, scene.units
    if claim.cues or not ONLY.isdisjoint(claim.lowers):
        return False
    for unit in units:
        for i, word in enumerate(unit.lowers[:-2]) if not ONLY.isdisjoint(unit.lowers) else ():
            if word not in ONLY or not unit.content[i + 1] or is_verb(unit, i + 1):
                continue
            noun = next((j for j in range(i + 2, min(len(unit.lowers), i + 4)) if unit.content[j] and unit.clause[j] == unit.clause[i]), None)
            if noun is None or unit.lowers[noun - 1] in _NOT_BESIDE or (noun - 1 != i + 1 and not unit.content[noun - 1]):
                continue
            places = claim.index.get(unit.keys[noun], ())
            if (
                len(places) == 1
                and places[0]
                and claim.content[places[0] - 1]
                and claim.keys[places[0] - 1] not in unit.all_keys
                and claim.lowers[places[0] - 1] not in NO_KIND
                and not is_verb(claim, places[0] - 1)
            ):
                return True
    return False


def _pick(text: Analysis, wanted: frozenset[str] | None) -> tuple[str, frozenset[str]] | None:
    """Whether a text speaks of both, of one or of either of some things, and of which; of those ``wanted`` where given."""
    for i, word in enumerate(text.lowers):
        behind = text.lowers[i + 1 : i + 2]
        if word == "both":
            pick = "both"
        elif word == "either" or (word in {"any", "one"} and behind == ["of"]):
            pick = "one"
        elif word == "all" and wanted is not None:
            pick = "both"
        else:
            continue
        keys = frozenset(text.keys[j] for j in range(i + 1, min(len(text.lowers), i + _REACH)) if text.content[j] and text.clause[j] == text.clause[i])
        if keys and (wanted is None or keys & wanted):
            return pick, keys
    return None


def is_of_a_rival(scene: Scene) -> bool:
    """"Express delivery" of "standard delivery": a word of a few that exclude each other stands before the very noun."""
    claim, units = scene.claim, scene.units
    for i, word in enumerate(claim.lowers[:-1]) if not _GROUP.keys().isdisjoint(claim.lowers) else ():
        group = _GROUP.get(word)
        if group is None or not claim.content[i + 1] or any(word in unit.lowers for unit in units):
            continue
        places = [(unit, j) for unit in units for j in unit.index.get(claim.keys[i + 1], ())]
        if places and all(j and _GROUP.get(unit.lowers[j - 1]) == group for unit, j in places):
            return True
    return False


def is_of_somebody(scene: Scene) -> bool:
    """"Nobody should take it" of "pregnant women should not take it"."""
    claim, units = scene.claim, scene.units
    start = 2 if claim.lowers[:2] == ["no", "one"] else 1
    if claim.lowers[0] not in _ANYBODY and start == 1:
        return False
    rest = {claim.keys[i] for i in range(start, len(claim.lowers)) if claim.content[i]}
    found = False
    for unit in units:
        if not rest or not rest <= unit.all_keys:
            continue
        first = min(i for i, key in enumerate(unit.keys) if key in rest)
        subject = [i for i in range(first) if unit.content[i]]
        if not subject or not _EVERYBODY.isdisjoint(unit.lowers[:first]) or not any(unit.lowers[i] in _MODALS for i in range(subject[-1] + 1, first)):
            return False
        found = True
    return found


def recurs(scene: Scene) -> bool:
    """True for "every minute" where nothing near comes again: "when it is open for more than a minute"."""
    claim, units = scene.claim, scene.units
    ours = not _EVERY.isdisjoint(claim.lowers) and any(
        word in _EVERY and claim.lowers[i + 1 : i + 2] and claim.lowers[i + 1] in _PERIODS for i, word in enumerate(claim.lowers)
    )
    return ours and all(_COMES_AGAIN.isdisjoint(unit.lowers) and not any(_is_rate(unit, i) for i in range(1, len(unit.lowers))) for unit in units)


def _is_rate(text: Analysis, i: int) -> bool:
    """True for "a month" behind what comes as often: "5 EUR a month"."""
    return text.lowers[i] in _PERIODS and text.lowers[i - 1] in {"a", "an", "the"} and not (i > 1 and text.lowers[i - 2] in _NO_RATE)
