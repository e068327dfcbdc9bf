"""Words of a claim that need words of their kind in the evidence: a denial, "only", what something is said to be or to be like."""

from __future__ import annotations

import re

from ragviz.consistency.analysis import Analysis, analyse
from ragviz.consistency.classes import predicate_of
from ragviz.consistency.lexicon import SUPERLATIVES, opposites, root
from ragviz.consistency.shares import ONLY
from ragviz.judges.local_rules.scene import MAX_CHARS, Scene
from ragviz.records import ClashKind
from ragviz.text.signs import Signs
from ragviz.text.tokens import STOP_WORDS, tokens
from ragviz.text.word_sets import word_set

_DENIES = Signs(
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|hardly|barely|scarcely|rarely|seldom|cannot|only|just|sole\w*|exclusiv\w*|unlike|few|fewer|little|instead|rather|"
    r"fail\w*|exclu\w*|except\w*|declin\w*|avoid\w*|refus\w*|reject\w*|den(?:y|ie\w*)|lack\w*|absen\w*|former\w*|zero|stop\w*|ceas\w*|prevent\w*|prohibit\w*|forbid\w*|bann?\w*|unable|against|but|"
    r"though|although|despite|yet|end(?:s|ed|ing)?|cancel\w*|miss(?:ing|es|ed)?|lost|too|similar|same|un(?!der|til|ion|i[tvq])\w{4,}|in(?:eligib|capab|suffic|compl|activ|visib)\w*|im(?:poss|prob|perf)\w*|dis(?:abl|agree|allow|appear|approv|connect|continu|honest|lik|loyal|miss|pleas|prov|qualif|regard|satisf|solv|band)\w*|non\w*|"
    r"ir(?:rel|reg)\w*|\w{3,}less|\w{3,}-free|free (?:of|from)|away|other than|le(?:ft|av\w+) out|omit\w*|exempt\w*|clos(?:e|es|ed|ing)|shut|turn\w* down|cerrad\w+|both|illegal|unlawful|moved? from|optional\w*|volunt\w*)\b|n['’]t\b"
)
"""Signs that a sentence denies, excludes or limits something; wide on purpose."""
_LIMITS = Signs(
    r"\b(?:only|just|sole\w*|exclusiv\w*|mere\w*|nothing (?:but|else)|no other|alone|limited|one|single|unique\w*|restrict\w*|except\w*|unless|but|at most|maximum|within)\b"
)
_SAYS_LITTLE = frozenset(root(w) for w in word_set(
    "place thing person people man woman type kind sort form process event way part member example result site system factor feature attribute "
    "ability fact case reason source name term word area work piece item "
    "aspect element state time number group set series version important major main top large small great good famous popular known notable well writer author"
))
"""Nouns and adjectives under which nearly everything falls."""
_LIST = re.compile(r"\s*(?:,|,?\s*(?:and|or|und|et))\s+(?:the\s+)?|,\s*", re.IGNORECASE)
_CAUSE = Signs(
    r"\b(?:because(?: of)?|due to|owing to|on account of|thanks to|for fear of|out of fear of|caused by|in order to|so as to|weil|wegen|aufgrund|damit|parce qu\w*|à cause d\w*|par crainte d\w*|en raison d\w*|porque|debido a|a causa de)\W"
)
"""What follows says why."""
_SAYS_ALSO = Signs(r"\b(?:also|too|as well|likewise|auch|ebenfalls|aussi|également|también)\b")
_ALSO = re.compile(
    r"\b(?:also|too|as well|likewise|both|besides|in addition|additional\w*|includ\w*|further|auch|ebenfalls|aussi|également|también)\b", re.IGNORECASE
)
_JOINED = re.compile(_ALSO.pattern + r"|\b(?:and|or|und|oder|et|ou|y|o)\b|[,;:|]", re.IGNORECASE)
_BRAND = re.compile(r"\b(?=[A-Za-z]*[a-z][A-Z])(?!Mc[A-Z]|Mac[A-Z]|De[A-Z]|La[A-Z]|Le[A-Z]|Di[A-Z]|Du[A-Z]|Van[A-Z])[A-Za-z]{4,}\b")
_GAPS = re.compile(r"[\s\-\u2010-\u2015_.]+")
_MOST_SEARCHED = 1_000_000
_SCOPE = 5
_PRONOUNS = word_set("it they this these that he she")
_COPULAS = word_set("is was are were am be became")
_SHORT_CLAIM = 4
"""Words of content up to which a claim stands or falls with the last of them."""


def lacks_brand(scene: Scene) -> bool:
    """A name with a capital inside ("AirPrint") that stands nowhere in the passage, in one word or two: such a name has no other form."""
    seen = scene.seen
    brands = _BRAND.findall(seen.claim.text)
    if not brands:
        return False
    there = _GAPS.sub("", seen.premise.indexed.text[:_MOST_SEARCHED]).casefold()
    return any(_GAPS.sub("", brand).casefold() not in there for brand in brands)


def adds_also(scene: Scene) -> bool:
    """"The Starter plan also …", where nothing near says so much as "and"."""
    return _says_also(scene) and not any(_JOINED.search(there) for there, _ in scene.near)


def adds_also_perhaps(scene: Scene) -> bool:
    """The same where nothing near says "also"."""
    return _says_also(scene) and not any(_ALSO.search(there) for there, _ in scene.near)


def _says_also(scene: Scene) -> bool:
    return _SAYS_ALSO.stand_in(scene.seen.claim.text[:MAX_CHARS])


def has_no_cause(scene: Scene) -> bool:
    """"… because of higher taxes", where nothing near speaks of taxes."""
    seen = scene.seen
    text = seen.wording or seen.claim.text
    end = _CAUSE.end(text)
    if end < 0:
        return False
    cause = {t.stem for t in tokens(text[end:].split(",")[0]) if t.lower not in STOP_WORDS}
    there = frozenset().union(*(stems for _, stems in scene.near))
    return bool(cause) and cause.isdisjoint(there)


def adds_to_list(scene: Scene) -> bool:
    """"Frankfurt and Paris", where the evidence has Frankfurt and no Paris."""
    seen = scene.seen
    found = seen.together
    if found is None:
        return False
    there = sorted(a.hypothesis_span for a in found.agreements if a.kind is ClashKind.NAME)
    added = [m for m in found.missing if m.kind is ClashKind.NAME]
    return any(
        _LIST.fullmatch(seen.claim.text[min(m.hypothesis_span.end, known.end) : max(m.hypothesis_span.start, known.start)]) is not None
        and not _stands_near(scene, m.value)
        for m in added
        for known in there
        if not known.overlaps(m.hypothesis_span)
    )


def _stands_near(scene: Scene, name: str) -> bool:
    """True when the premise has all words of a name somewhere."""
    seen = scene.seen
    return all(token.stem in seen.premise.indexed.postings for token in tokens(name))


def denies_unbacked(scene: Scene) -> bool:
    """"There are no discounts", where all sentences on discounts are plain."""
    claim, near = scene.claim, scene.near
    for cue in claim.cues:
        scope = [i for i in range(cue.start, cue.end) if claim.content[i]][:_SCOPE]
        if not scope:
            continue
        keys = {claim.roots[i] for i in scope} | {claim.keys[i] for i in scope}
        speaking = [
            text for n, (text, stems) in enumerate(near) if not stems.isdisjoint(keys) or (n and _goes_on(text) and not near[n - 1][1].isdisjoint(keys))
        ]
        if not any(_DENIES.stand_in(text) or _turns(claim, scope, text) for text in speaking or [text for text, _ in near]):
            return True
    return False


def _goes_on(text: str) -> bool:
    """True for a sentence about what the one before was about: "It is not suitable for …"."""
    return next((t.lower for t in tokens(text)), "") in _PRONOUNS


def _turns(claim: Analysis, scope: list[int], text: str) -> bool:
    """True when a text has the opposite of a denied word: "closed" for "not open"."""
    wanted = {(number, 1 - side) for i in scope for number, side in opposites().get(claim.roots[i], ())}
    return bool(wanted) and any(place in wanted for word in analyse(text[:MAX_CHARS]).roots for place in opposites().get(word, ()))


def limits_unbacked(scene: Scene) -> bool:
    """"Only home insurance", where nothing near is limited."""
    claim = scene.claim
    if ONLY.isdisjoint(claim.lowers):
        return False
    at = [i for i, word in enumerate(claim.lowers) if word in ONLY and (i == 0 or claim.lowers[i - 1] not in {"not", "the", "an"})]
    return bool(at) and not any(_LIMITS.stand_in(text) for text, _ in scene.near)


def lacks_predicate(scene: Scene) -> bool:
    """"Express shipping is free", where the sentences on express shipping say how long it takes."""
    claim = scene.claim
    if len(claim.lowers) < 2 or claim.lowers[-2] not in _COPULAS:
        return False
    content = [i for i, there in enumerate(claim.content) if there]
    if not 1 < len(content) <= _SHORT_CLAIM:
        return False
    at = content[-1]
    if claim.detail[at] or claim.is_name[at] or claim.parity[at] or at != len(claim.lowers) - 1:
        return False
    wanted = {(number, 1 - side) for number, side in opposites().get(claim.roots[at], ())}
    for text, stems in scene.near:
        premise = analyse(text[:MAX_CHARS])
        if claim.roots[at] in premise.roots or claim.keys[at] in premise.keys or claim.keys[at] in stems:
            return False
        if any(place in wanted for word in premise.roots for place in opposites().get(word, ())):
            return False
    return True


def is_another_kind(scene: Scene) -> bool:
    """"House is a horror drama", where the evidence says what House is and it is no horror anything."""
    claim = scene.claim
    ours = [i for i in predicate_of(claim) if not claim.detail[i] and claim.roots[i] not in _SAYS_LITTLE]
    if not ours or claim.parity[ours[-1]] or any(claim.lowers[i] in SUPERLATIVES for i in ours):
        return False
    subject = {claim.keys[i] for i in range(claim.first_of(claim.clause[ours[0]]), ours[0]) if claim.content[i]}
    known: set[str] = set()
    says_what = False
    for text, _ in scene.near:
        premise = analyse(text[:MAX_CHARS])
        known.update(premise.keys)
        theirs = predicate_of(premise, all_clauses=True)
        if theirs and subject and len(subject & premise.context[premise.clause[theirs[0]]]) * 2 >= len(subject):
            says_what = True
    return says_what and any(claim.keys[i] not in known for i in ours)
