"""What the evidence says under a limit and the claim says without it: a condition, a threshold, a kind."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.consistency.pairings import is_verb
from ragviz.judges.local_picks import NO_KIND, OF_THE, is_of_another_kind, picks_otherwise
from ragviz.judges.local_prices import SIZE, lacks_payer
from ragviz.judges.local_view import Look
from ragviz.text.word_sets import word_set

MAX_CHARS = 8_000
SAID = 0.8
"""Share of the claim's words that a sentence must say outside its condition for the condition to be what is left out."""
REPEATED = 0.5
"""Share of a condition's words from which the claim has the condition too, in whatever words it begins."""
_OPENERS = word_set("if unless once provided providing")
_CONDITIONAL = _OPENERS | word_set("when whenever until till after before only except where condition subject depending assuming case without long")
_NO_CONDITION = word_set("even as what whether or and not see check know ask wonder say says tell unclear sure determine decide asked asks find")
"""Words in front of "if" that make a question or an aside of it."""
_NOTHING_ASKED = word_set(
    "question questions problem problems trouble difficulty difficulties issue issues need needs help want wants wish wishes like prefer prefers necessary interested information advice support "
    "assistance possible any more further would able required desired applicable needed available concerned doubt doubts enquiries inquiries unsure happen happens else hurry"
)
"""A condition of these alone is met by whoever asks: "if you have any questions"."""
_MODALS = word_set("can could may might must shall should will need needs have has")
_ONCE_MORE = word_set("a an per every each daily weekly monthly yearly in more again and only or by")
_AFTER_GIVEN = word_set("by with for to in at and or from as on is are was were will must can should through via under have has")
_BEFORE_GIVEN = word_set("is are was were be been being has have had which who that not also will it they we he she and or as services service information details data documents the")
_PAST = word_set("was were had did")
_EVERY = word_set("all every each any")
_WHICH = word_set("that which who whose with without for from containing bought sold used made born aged living working")
_REACH = 5
_FAR = 7


def leaves_out_limit(seen: Look) -> bool:
    """True when the evidence says what the claim says under a limit only, and the claim knows none."""
    if not seen.chosen or len(seen.claim.sentences) != 1:
        return False
    claim = analyse((seen.wording or seen.claim.text)[:MAX_CHARS])
    if claim.tongue or not claim.lowers:
        return False
    units = [analyse(text[:MAX_CHARS]) for text in near_texts(seen)]
    # What the question names is not left out: "What happens when the card is lost?" "It is blocked."
    known = claim.all_keys | analyse(seen.question[:MAX_CHARS]).all_keys if seen.question else claim.all_keys
    return _lacks_condition(claim, units[: len(seen.chosen)], known) or _lacks_threshold(claim, units, known) or lacks_payer(claim, units, known) or picks_otherwise(claim, units) or is_of_another_kind(claim, units)


def near_texts(seen: Look) -> list[str]:
    """The units that were chosen, then those near, without repeats."""
    indexed = seen.premise.indexed
    return [indexed.units[unit].span.of(indexed.text) for unit in dict.fromkeys([*(c.unit for c in seen.chosen), *seen.near])]


def _lacks_condition(claim: Analysis, units: list[Analysis], known: frozenset[str]) -> bool:
    """"Overtime is paid" of "overtime is paid provided that it was approved"."""
    if not _CONDITIONAL.isdisjoint(claim.lowers) or not claim.all_keys:
        return False
    for unit in units:
        if _OPENERS.isdisjoint(unit.lowers):
            continue
        for i, word in enumerate(unit.lowers):
            if word not in _OPENERS or not _opens_condition(unit, i):
                continue
            inside, outside = _condition(unit, i)
            words = {unit.lowers[j] for j in inside if unit.content[j] or unit.detail[j]}
            keys = {unit.keys[j] for j in inside if unit.content[j]}
            if not words or words <= _NOTHING_ASKED or len(keys & known) >= REPEATED * len(keys or words):
                continue
            said = {unit.keys[j] for j in outside}
            return len(claim.all_keys & said) >= SAID * len(claim.all_keys)
    return False


def _opens_condition(text: Analysis, i: int) -> bool:
    word, before = text.lowers[i], text.lowers[i - 1] if i else ""
    behind = text.lowers[i + 1] if i + 1 < len(text.lowers) else ""
    if not behind:
        return False
    if word == "once":
        return behind not in _ONCE_MORE and before not in {"at", "than", "only", "all"} and _PAST.isdisjoint(_sentence_of(text, i)) and any(is_verb(text, j) for j in range(i + 1, min(len(text.lowers), i + 9)))
    if word in {"provided", "providing"}:
        return bool(i) and behind not in _AFTER_GIVEN and before not in _BEFORE_GIVEN and any(is_verb(text, j) for j in range(i + 1, min(len(text.lowers), i + 10)))
    return before not in _NO_CONDITION


def _sentence_of(text: Analysis, i: int) -> list[str]:
    number = text.sentence[text.clause[i]]
    return [word for j, word in enumerate(text.lowers) if text.sentence[text.clause[j]] == number]


def _condition(text: Analysis, i: int) -> tuple[list[int], list[int]]:
    """Tokens of the condition that begins at token ``i``, and all others of its sentence."""
    number = text.sentence[text.clause[i]]
    whole = [j for j in range(len(text.lowers)) if text.sentence[text.clause[j]] == number]
    first = whole[0]
    end = whole[-1] + 1
    if i == first or all(not text.content[j] for j in range(first, i)):
        end = next((j + 1 for j in range(i, end) if text.commas[j]), end)
    else:
        end = next((j + 1 for j in range(i, end) if text.commas[j] and j + 1 < end and text.lowers[j + 1] not in {"or", "and"}), end)
    inside = set(range(i + 1, end))
    return sorted(inside), [j for j in whole if j not in inside]


def subject_of(text: Analysis) -> tuple[list[int], int] | None:
    """Tokens of content in front of the first verb, and that verb; None where no verb stands near the beginning."""
    at = next((i for i in range(min(len(text.lowers), _FAR)) if text.clause[i] == 0 and (text.lowers[i] in _MODALS or (i and is_verb(text, i)))), None)
    if not at:
        return None
    subject = [i for i in range(at) if text.content[i]]
    return (subject, at) if subject else None


def _lacks_threshold(claim: Analysis, units: list[Analysis], known: frozenset[str]) -> bool:
    """"All courses need approval" of "courses above 800 EUR need approval", and of "some need", "small courses need"."""
    found = subject_of(claim)
    if found is None or claim.cues or any(claim.detail[i] for i in range(found[1])):
        return False
    subject, at = found
    every = claim.lowers[0] in _EVERY
    head = subject[-1]
    if len(subject) > 2 or any(claim.lowers[i] not in OF_THE for i in range(1 if every else 0, at) if not claim.content[i]) or (claim.is_name[head] and head):
        return False
    rest = claim.all_keys - {claim.keys[i] for i in subject}
    limited = 0
    for unit in units:
        places = unit.index.get(claim.keys[head], ())
        if not places or not rest or len(rest & unit.all_keys) < 0.6 * len(rest):
            continue
        for i in places[:_REACH]:
            if not (_sized(claim, unit, i, claim.all_keys if every else known) or (every and (_which(claim, unit, i) or _kind(claim, unit, i)))):
                return False
            limited += 1
    return limited > 0


def _sized(claim: Analysis, unit: Analysis, i: int, known: frozenset[str]) -> bool:
    """True for "courses above 800 EUR", "trainings longer than three days", where the claim has no such figure."""
    if i + 2 >= len(unit.lowers) or unit.lowers[i + 1] not in SIZE | {"of", "with"} or unit.clause[i + 1] != unit.clause[i]:
        return False
    amounts = [d for d in unit.quantities if i < d.first <= i + _REACH and d.clause == unit.clause[i]]
    return bool(amounts) and not any(unit.keys[j] in known - claim.all_keys for d in amounts for j in range(i + 1, d.last + 1)) and not any(unit.content[j] and is_verb(unit, j) for j in range(i + 1, amounts[0].first)) and not any(unit.lowers[amounts[0].last] == claim.lowers[d.last] for d in claim.quantities)


def _which(claim: Analysis, unit: Analysis, i: int) -> bool:
    """True for "exports that contain personal data", where the claim has none of what is behind "that"."""
    if i + 2 >= len(unit.lowers) or unit.lowers[i + 1] not in _WHICH or unit.commas[i]:
        return False
    behind = next((j for j in range(i + 2, min(len(unit.lowers), i + 2 + _REACH)) if unit.content[j] or unit.detail[j]), None)
    return behind is not None and unit.keys[behind] not in claim.all_keys and unit.lowers[behind] not in claim.lowers


def _kind(claim: Analysis, unit: Analysis, i: int) -> bool:
    """True for "small caged pets", where the claim has no such word, and for "some pets"."""
    if not i or unit.clause[i - 1] != unit.clause[i] or unit.commas[i - 1]:
        return False
    before = unit.lowers[i - 1]
    if before in {"some", "most", "many", "several", "certain", "few", "selected"}:
        return True
    if not unit.content[i - 1] or unit.detail[i - 1] or before in NO_KIND or unit.keys[i - 1] in claim.all_keys:
        return False
    return before.endswith("ed") or not is_verb(unit, i - 1)
