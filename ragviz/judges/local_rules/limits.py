"""What the evidence says under a condition and the claim says without it: "provided the manager agreed", "if the nurse says so"."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.consistency.pairings import is_verb
from ragviz.consistency.qualifiers import is_aside
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.word_sets import word_set

SAID = 0.8
"""Share of the claim's words that a sentence must say outside its condition for the condition to be what is left out."""
REPEATED = 0.5
"""Share of a condition's words from which the claim has the condition too, in whatever words it begins."""
_OPENERS = word_set("if unless once provided providing")
_MAY_OPEN = _OPENERS | word_set("when where whenever wherever as with upon after under given")
_CONDITIONAL = _OPENERS | word_set("when whenever condition subject depending assuming without long")
_NO_CONDITION = word_set("even as what whether or and not see check know ask wonder say says tell unclear sure determine decide asked asks find")
"""Words in front of "if" that make a question or an aside of it."""
_NOTHING_ASKED = word_set(
    "question questions problem problems trouble difficulty difficulties issue issues need needs help want wants wish wishes like prefer prefers "
    "necessary interested information advice support "
    "assistance possible any more further would able required desired applicable needed available concerned doubt doubts enquiries inquiries "
    "unsure happen happens else hurry complaint complaints query queries request requests feedback suggestion suggestions concern concerns "
    "otherwise stated agreed noted specified indicated marked mentioned"
)
"""A condition of these alone is met by whoever asks: "if you have any questions"."""
_ONCE_MORE = word_set("a an per every each daily weekly monthly yearly in more again and only or by")
_AFTER_GIVEN = word_set("by with for to in at and or from as on is are was were will must can should through via under have has")
_BEFORE_GIVEN = word_set(
    "is are was were be been being has have had which who that not also will it they we he she and or as services service information details data "
    "documents the"
)
_THAT = word_set("that the your our their its his her it they he she we you a an no nobody everyone all there this these those nothing")
_GRANTED = word_set("consent approval permission agreement authorisation authorization")
"""What somebody gives to whoever may do something."""
_BY_GRANT = word_set("with upon after under given")
_LEAVE = word_set("may can could must allowed permitted possible entitled")
_CASES = word_set("when where whenever wherever as")
_ASKED_TO = word_set("instructed asked told requested required necessary needed prompted ordered approved authorised authorized permitted advised indicated")
_PAST = word_set("was were had did")


def lacks_condition(scene: Scene) -> bool:
    """"Overtime is paid" of "overtime is paid provided that it was approved"."""
    claim, known = scene.claim, scene.known
    if not _CONDITIONAL.isdisjoint(claim.lowers) or not claim.all_keys:
        return False
    for unit in scene.units[: len(scene.seen.chosen)]:
        if _MAY_OPEN.isdisjoint(unit.lowers):
            continue
        for i, word in enumerate(unit.lowers):
            if word not in _MAY_OPEN or not _opens_condition(unit, i):
                continue
            inside, outside = _condition(unit, i)
            words = {unit.lowers[j] for j in inside if unit.content[j] or unit.detail[j]}
            keys = {unit.keys[j] for j in inside if unit.content[j]}
            if not words or words <= _NOTHING_ASKED or len(keys & known) >= REPEATED * len(keys or words):
                continue
            if _is_other_conjunct(claim, unit, i) or is_aside(claim, unit):
                continue
            said = {unit.keys[j] for j in outside}
            return len(claim.all_keys & said) >= SAID * len(claim.all_keys)
    return False


def _is_other_conjunct(claim: Analysis, text: Analysis, i: int) -> bool:
    """True for "a courier costs 12 EUR" of "a courier costs 12 EUR and comes the same day if you call before noon": the condition is the second deed's."""
    at = next((j for j in range(i - 1, 0, -1) if text.lowers[j] == "and"), None)
    if at is None or text.sentence[text.clause[at]] != text.sentence[text.clause[i]] or at + 1 >= i:
        return False
    first = next(j for j in range(len(text.lowers)) if text.sentence[text.clause[j]] == text.sentence[text.clause[i]])
    words = text.lowers[first:at]
    n = len(claim.lowers)
    # Only what stands there word for word: whether a condition reaches over an "and" is otherwise not to be told.
    return n > 2 and words == claim.lowers and _is_deed(text, at + 1)


def _is_deed(text: Analysis, i: int) -> bool:
    """True where a new deed of the same subject begins: a verb in the third person, or an auxiliary."""
    word = text.lowers[i]
    return is_verb(text, i) or (word.endswith("s") and len(word) > 3 and i + 1 < len(text.lowers) and not word.endswith("ss"))


def _opens_condition(text: Analysis, i: int) -> bool:
    word, before = text.lowers[i], text.lowers[i - 1] if i else ""
    behind = text.lowers[i + 1] if i + 1 < len(text.lowers) else ""
    if not behind:
        return False
    if word == "once":
        return (
            behind not in _ONCE_MORE
            and before not in {"at", "than", "only", "all"}
            and _PAST.isdisjoint(_sentence_of(text, i))
            and any(is_verb(text, j) for j in range(i + 1, min(len(text.lowers), i + 9)))
        )
    if word in {"provided", "providing"}:
        if not i or behind in _AFTER_GIVEN or before in _BEFORE_GIVEN:
            return False
        return behind in _THAT or any(is_verb(text, j) for j in range(i + 1, min(len(text.lowers), i + 10)))
    if word in _CASES:
        return behind in _ASKED_TO
    if word in _BY_GRANT:
        # "with the written consent of the owner", and leave is what the sentence speaks of
        return not _GRANTED.isdisjoint(text.lowers[i + 1 : i + 5]) and not _LEAVE.isdisjoint(_sentence_of(text, i))
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
