"""What an exception says of what it takes out: "every day except Tuesday" says that it is not so on Tuesdays, "nothing but water" that water is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ragviz.consistency import AMOUNTS
from ragviz.consistency.analysis import Analysis, analyse
from ragviz.consistency.lexicon import opposites
from ragviz.consistency.pairings import is_verb
from ragviz.consistency.permissions import forbids
from ragviz.judges.local_rules.scene import MAX_CHARS, Scene
from ragviz.judges.local_view import EXCEPTS, Look
from ragviz.text.calendar_words import ENGLISH_DAYS
from ragviz.text.word_sets import word_set

_BEFORE_BUT = word_set("nothing nobody none one everyone everybody everything all anyone anything")
_DENYING = word_set("nothing nobody none no not never cannot neither without")
_CASES = word_set("if when where that with by as in to during after before upon under until")
"""What an exception for a case begins with; what is excepted is no thing then."""
_CONDITION = word_set("if when where provided long")
_FAR = 12
_WHOLE = word_set("all every each any no")
_LONGEST_KIND = 4
"""Words of "EU countries" in "all EU countries but Ireland"."""
_SAME_SENTENCE = 0.6
"""Share of the claim's other words that must stand in the sentence with the exception."""


def by_exception(scene: Scene) -> bool | None:
    """
    Whether an exception of the evidence says the claim; None where none decides it.

    True for "it is not open on Tuesdays" of "open every day except Tuesday", and for "if nothing is damaged, it is returned" of "it is returned unless
    something is damaged"; False for "it is open on Tuesdays" of the first.
    """
    seen = scene.seen
    if not seen.premise.excepts:
        return None
    claim = scene.claim
    if claim.tongue or not claim.all_keys:
        return None
    if EXCEPTS.stand_in(claim.text):
        return True if any(_says_both(claim, unit) for unit in scene.units[: len(seen.chosen)]) else None
    for text in scene.compared[: len(seen.chosen)]:
        if EXCEPTS.stand_in(text):
            said = _said(claim, analyse(text[:MAX_CHARS]), seen)
            if said is not None:
                return said
    return None


def _said(claim: Analysis, unit: Analysis, seen: Look) -> bool | None:
    ours = frozenset(claim.keys[i] for i in range(len(claim.keys)) if claim.content[i] or claim.detail[i])
    for first, behind in _openers(unit):
        number = unit.sentence[unit.clause[first]]
        whole = [i for i in range(len(unit.lowers)) if unit.sentence[unit.clause[i]] == number]
        if unit.lowers[first] == "unless":
            said = _unless(claim, unit, first, whole)
        else:
            taken = list(_taken_out(unit, behind, whole[-1] + 1))
            main = [i for i in whole if i < first or i > max((i for part in taken for i in part), default=first)]
            said = next((told for part in taken if (told := _tells(claim, ours, unit, part, main)) is not None), None)
            if said is None and taken and _is_another_day(claim, unit, main, taken):
                said = True
        if said is not None:
            return None if said and _lacks_amount(seen) else said
    return None


def _says_both(claim: Analysis, unit: Analysis) -> bool:
    """
    True for "no pets are allowed, apart from dogs" of "all pets other than dogs are banned": the same is taken out of the same rule, said the
    other way round.
    """
    ours, theirs = _rule_and_exception(claim), _rule_and_exception(unit)
    if ours is None or theirs is None or ours[1] != theirs[1] or not ours[1]:
        return False
    mine, others = (
        frozenset(text.keys[i] for i in main if text.content[i] and text.lowers[i] not in _WHOLE) for text, main in ((claim, ours[0]), (unit, theirs[0]))
    )
    leave, other = _leave(claim, ours[0]), _leave(unit, theirs[0])
    if leave is not None and other is not None:
        mine, others = mine - {leave[0]}, others - {other[0]}
        return bool(mine & others) and mine <= others and leave[1] is other[1]
    turned = _turned(claim, mine - others, unit, theirs[0])
    if not mine & others or mine - others != turned:
        return False
    denied = _is_denied([claim.lowers[i] for i in ours[0]]) ^ bool(len(turned) % 2)
    return denied == _is_denied([unit.lowers[i] for i in theirs[0]])


def _leave(text: Analysis, main: Sequence[int]) -> tuple[str, bool] | None:
    """The word of leave in a rule, and whether the rule forbids: "all … are banned", "no … are allowed"."""
    at = next((i for i in main if forbids(text.lowers[i]) is not None), None)
    return None if at is None else (text.keys[at], bool(forbids(text.lowers[at])) ^ _is_denied([text.lowers[i] for i in main]))


def _rule_and_exception(text: Analysis) -> tuple[list[int], frozenset[str]] | None:
    """Tokens of the one sentence outside its one exception, and words of what that takes out."""
    openers = [(first, behind) for first, behind in _openers(text) if text.lowers[first] != "unless"]
    if len(openers) != 1 or text.sentence[-1] != text.sentence[0] or _WHOLE.isdisjoint(text.lowers):
        return None
    first, behind = openers[0]
    parts = list(_taken_out(text, behind, len(text.lowers)))
    if not parts:
        # "All pets other than dogs are banned": the verb of the whole sentence ends what is taken out.
        end = next((i for i in range(behind, len(text.lowers)) if is_verb(text, i)), len(text.lowers))
        parts = [[i for i in range(behind, end) if text.content[i] or text.detail[i]]]
    inside = {i for part in parts for i in part}
    if not inside:
        return None
    return [i for i in range(len(text.lowers)) if i < first or i > max(inside)], frozenset(text.keys[i] for i in inside)


def _openers(text: Analysis) -> Iterator[tuple[int, int]]:
    """First token of each opening of an exception, and the first token behind it."""
    for i, word in enumerate(text.lowers):
        behind = text.lowers[i + 1] if i + 1 < len(text.lowers) else ""
        if word in {"except", "excepting", "excluding"}:
            yield i, i + (2 if behind in {"for", "on", "from"} else 1)
        elif (word == "exception" and behind == "of") or (word == "apart" and behind == "from") or (word == "other" and behind == "than"):
            yield i, i + 2
        elif i and (word == "unless" or (word == "but" and (text.lowers[i - 1] in _BEFORE_BUT or is_of_a_kind(text, i)))):
            yield i, i + 1


def is_of_a_kind(text: Analysis, at: int) -> bool:
    """True for the "but" of "all EU countries but Ireland are …": no verb stands between "all" and it, no comma, and one stands behind what is taken out."""
    for i in range(at - 1, max(-1, at - 2 - _LONGEST_KIND), -1):
        if text.commas[i] or is_verb(text, i):
            return False
        if text.lowers[i] in _WHOLE:
            return i < at - 1
    return False


def _taken_out(text: Analysis, first: int, end: int) -> Iterator[list[int]]:
    """The tokens of each thing of a list of exceptions; nothing where a case is excepted."""
    if first >= end or text.lowers[first] in _CASES:
        return
    part: list[int] = []
    for i in range(first, min(end, first + _FAR)):
        if text.lowers[i] in {"and", "or"} or (i > first and text.commas[i - 1]):
            if part:
                yield part
            part = []
        if is_verb(text, i) and text.lowers[i] not in {"booking", "opening"}:
            if part and (
                (text.lowers[first - 1] == "but" and is_of_a_kind(text, first - 1))
                or (text.lowers[first - 1] == "than" and not _WHOLE.isdisjoint(text.lowers[max(0, first - _LONGEST_KIND - 2) : first]))
            ):
                break  # "all but Ireland are", "all pets other than dogs are": the verb of the whole sentence
            return
        if text.content[i] or text.detail[i]:
            part.append(i)
    if part:
        yield part


def _tells(claim: Analysis, ours: frozenset[str], unit: Analysis, part: Sequence[int], main: Sequence[int]) -> bool | None:
    """What the exception of ``part`` from ``main`` says of the claim."""
    excepted = {unit.keys[i] for i in part}
    rest = claim.all_keys - excepted
    if not excepted <= ours or not rest:
        return None
    said = {unit.keys[i] for i in main}
    ours_leave, leave = _leave(claim, range(len(claim.lowers))), _leave(unit, main)
    if ours_leave is not None and leave is not None and rest - {ours_leave[0]} <= said:
        # "All pets other than dogs are banned": dogs are allowed.
        return ours_leave[1] is not leave[1]
    turned = _turned(claim, rest - said, unit, main)
    heard = frozenset(unit.keys[i] for i in main if unit.content[i])
    # "Open every day except Sunday": all that it says of them is in the claim.
    whole = bool(heard) and heard <= rest
    if not whole and len((rest & said) | turned) < _SAME_SENTENCE * len(rest):
        return None
    same = _is_denied(claim.lowers) ^ bool(len(turned) % 2) == _is_denied([unit.lowers[i] for i in main])
    if same:
        return False
    return True if (rest & said) | turned == rest else None


def _is_another_day(claim: Analysis, unit: Analysis, main: Sequence[int], taken: Sequence[Sequence[int]]) -> bool:
    """True for "it is open on Saturday" of "open daily except Sundays": one day, and not one that is taken out."""
    days = {claim.keys[i] for i, word in enumerate(claim.lowers) if word.removesuffix("s") in ENGLISH_DAYS}
    excepted = [unit.lowers[i].removesuffix("s") for part in taken for i in part]
    if (
        len(days) != 1
        or claim.cues
        or unit.cues
        or not excepted
        or not all(word in ENGLISH_DAYS for word in excepted)
        or days <= {unit.keys[i] for part in taken for i in part}
    ):
        return False
    lowers = [unit.lowers[i] for i in main]
    every_day = "daily" in lowers or any(a == "every" and b == "day" for a, b in itertools.pairwise(lowers))
    return (
        every_day
        and claim.all_keys - days <= {unit.keys[i] for i in main}
        and not any(claim.detail[i] for i in range(len(claim.keys)) if claim.keys[i] not in days)
    )


def _turned(claim: Analysis, words: frozenset[str], unit: Analysis, main: Sequence[int]) -> frozenset[str]:
    """Those words of the claim whose opposite stands in the main part: "closed" beside "open"."""
    if not words:
        return words
    table = opposites()
    there = {place for i in main for place in table.get(unit.roots[i], ())}
    return frozenset(
        claim.keys[i]
        for i in range(len(claim.keys))
        if claim.keys[i] in words and any((number, 1 - side) in there for number, side in table.get(claim.roots[i], ()))
    )


def _is_denied(lowers: Sequence[str]) -> bool:
    return sum(word in _DENYING or word.endswith(("n't", "n’t")) for word in lowers) % 2 == 1


def _unless(claim: Analysis, unit: Analysis, first: int, whole: Sequence[int]) -> bool | None:
    """"If it is not damaged, …" of "… unless it is damaged": the condition is denied. With the condition as it stands the rest is not said."""
    if _CONDITION.isdisjoint(claim.lowers):
        return None
    end = next((i + 1 for i in range(first, whole[-1]) if unit.commas[i]), whole[-1] + 1)
    inside = range(first + 1, end)
    condition = frozenset(unit.keys[i] for i in inside if unit.content[i])
    main = {unit.keys[i] for i in whole if i not in inside}
    if not condition or not condition <= claim.all_keys or not claim.all_keys - condition <= main:
        return None
    at = next(i for i, word in enumerate(claim.lowers) if word in _CONDITION)
    stop = next((i + 1 for i in range(at, len(claim.lowers)) if claim.commas[i]), len(claim.lowers))
    if not condition <= {claim.keys[i] for i in range(at, stop)}:
        return None
    ours, theirs = _is_denied(claim.lowers[at:stop]), _is_denied([unit.lowers[i] for i in inside])
    main_ours = _is_denied([*claim.lowers[:at], *claim.lowers[stop:]])
    main_theirs = _is_denied([unit.lowers[i] for i in whole if i not in inside])
    if main_ours is not main_theirs:
        return False if ours is not theirs else None
    return ours is not theirs


def _lacks_amount(seen: Look) -> bool:
    """True where a figure of the claim clashes or is not given."""
    found = seen.together
    return found is not None and (any(m.kind in AMOUNTS and not m.stands for m in found.missing) or any(clash.kind in AMOUNTS for clash in found.clashes))
