"""The same said the other way round: "closed" for "not open", "A is larger than B" for "B is smaller than A"."""

from __future__ import annotations

import re

from ragviz.consistency.align import Pairing
from ragviz.consistency.analysis import Analysis
from ragviz.consistency.lexicon import LIGHT
from ragviz.text.word_sets import word_set

_DENYING = re.compile(
    r"(?:clos|ceas|refus|declin|remov|exclud)(?:e|es|ed|ing)|(?:shut|drop|ban|omit)(?:s|t?ed|ped|ned|ting|ping|ning)?|(?:end|lack|fail|reject"
    r"|abandon|abolish|avoid|miss|prevent|discontinu|cancel|forbid|prohibit)(?:e?s|e?d|l?ed|ing|e|den)?|"
    r"stop(?:s|ped|ping)?|den(?:y|ies|ied|ying)|withdr(?:aw|ew|awn|aws|awing)|unable|without|except|none|un(?!der|til|ion|it|iv|iq)\w{4,}"
)
"""Words that deny without a negation."""
_PAST = word_set("used formerly previously once before until former originally")
"""What is no longer so was so: "used to be"."""
_NO_LONGER = word_set("longer anymore more")
SUBJECT = 2
"""Words of content with which a clause begins that are taken for its subject."""
REACH = 4
COMPARED = 7


def denies_in_a_word(pair: Pairing, text: Analysis, clause: int) -> bool:
    """True when a clause denies by a word that the other text does not have: "closed" beside "not open"; then a negation there is no difference."""
    other = pair.premise if text is pair.claim else pair.claim
    return any(
        text.clause[i] == clause
        and not text.parity[i]
        and _DENYING.fullmatch(word) is not None
        and text.keys[i] not in other.index
        and word not in other.lowers
        for i, word in enumerate(text.lowers)
    )


def was_so(negated: Analysis, at: int, plain: Analysis, clause: int) -> bool:
    """True for "no longer stores" beside "used to store"."""
    ends = any(negated.lowers[i] in _NO_LONGER for i in range(at, min(len(negated.lowers), at + 2)))
    return ends and any(word in _PAST and plain.clause[i] == clause for i, word in enumerate(plain.lowers))


def is_compared_the_other_way(pair: Pairing, i: int, j: int) -> bool:
    """True for "Mars is smaller than Venus" beside "Venus is larger": two opposite comparatives with their sides exchanged."""
    left, right = _sides(pair.claim, i)
    their_left, their_right = _sides(pair.premise, j)
    return not (their_right - right).isdisjoint(left - right) or not (their_left - left).isdisjoint(right - left)


def _sides(text: Analysis, i: int) -> tuple[frozenset[str], frozenset[str]]:
    """The first words of the clause before a comparative, and behind the "than" that follows it."""
    clause = text.clause[i]
    left = frozenset([text.lowers[k] for k in range(i) if text.clause[k] == clause and text.lowers[k] not in LIGHT][:SUBJECT])
    than = next((k for k in range(i + 1, min(len(text.lowers), i + COMPARED)) if text.lowers[k] in {"than", "als", "que"} and text.clause[k] == clause), None)
    if than is None:
        return left, frozenset()
    return left, frozenset(
        text.lowers[k] for k in range(than + 1, min(len(text.lowers), than + 1 + REACH)) if text.clause[k] == clause and text.lowers[k] not in LIGHT
    )
