"""
What high overlap with the evidence must not carry: details and restrictions that are left out, values of another subject, words from several
sentences, what is only denied.
"""

from __future__ import annotations

import re

from ragviz.consistency import AMOUNTS, Missing
from ragviz.consistency.analysis import analyse
from ragviz.evidence.windows import plain
from ragviz.judges.local_rules.figures import is_said_otherwise
from ragviz.judges.local_rules.rule import STATED
from ragviz.judges.local_rules.scene import Scene
from ragviz.judges.local_view import Look
from ragviz.records import ClashKind, Span
from ragviz.text.polarity import negations
from ragviz.text.tokens import STOP_WORDS, tokens
from ragviz.text.word_sets import word_set

_SHORT_CLAIM = 3
_SHORT_COVERAGE = 2 / 3
_FEW_WORDS = 7
_BLENDED = 0.4
_ONE_SENTENCE = 0.5
"""Share of a short claim's weight that one sentence must hold."""
_LONG_CLAIM = 12
"""Words of content from which a claim rests on more places than are compared."""
_PRONOUN_ONE = re.compile(
    r"\bone\b(?=\W*(?:$|(?:at|for|from|in|on|with|by|to|of (?:them|these|those)|and|or|if|when|that|which|too|there|free)\b|[.,;!?]))", re.IGNORECASE
)
_HARDLY_FIGURES = word_set("one first second third eins erste premier")
"""Words that count nothing as often as they count: "the third cousin", "from one generation to the next"."""
_BARE = re.compile(r"(?:about |at least |at most |more than |less than )?(\d[\d,.]*)")
_ONE = re.compile(r"1 (h|min|s|day|week|month|year)")
_MEASURED = re.compile(r"(\d[\d,.]*) ([^\W\d_]{2,})$")
_DIGITS = re.compile(r"\d[\d,.]*")
_UNIVERSAL = word_set("all always every each any never everyone everybody everything whole entire completely fully")
_ALL_STATED = 0.6
_PRONOUNS = word_set("it they this these that he she both its their es sie er dies il elle ils elles ce cela")
_COPULAS = word_set("is are was were be been being")


def exchanges_sides(scene: Scene) -> bool:
    """"Vale defeated Rexford" of "Rexford beat Vale": reworded, and who does it to whom exchanged."""
    return _COPULAS.isdisjoint(scene.seen.claim.lowers) and any(clash.kind is ClashKind.ROLE for clash in scene.found.weak)


def lacks_detail(scene: Scene) -> bool:
    """An amount or date that the evidence does not give: "21 degrees" where it says 21 metres. "Borrow one" is no figure."""
    seen, found = scene.seen, scene.found
    missing = [m for m in found.missing if m.kind in AMOUNTS and m.hypothesis_span.of(seen.claim.text).lower() not in _HARDLY_FIGURES]
    if not missing or len(seen.claim.distinct) > _LONG_CLAIM:
        return False
    if _PRONOUN_ONE.search(seen.claim.text):
        missing = [m for m in missing if not (m.kind is ClashKind.NUMBER and m.value == "1")]
    text = scene.text
    return any(
        not _stands_elsewhere(seen, m) and not _stands_bare(m, text, m.hypothesis_span.of(seen.claim.text)) and not is_said_otherwise(m, scene) for m in missing
    )


def _stands_bare(missing: Missing, text: str, said: str) -> bool:
    """True for a number without a unit whose digits stand in the evidence, of whatever: it is not lacking; and for "one hour" where it says "an hour"."""
    if missing.kind is ClashKind.NUMBER and said.isalpha() and re.search(rf"\b{re.escape(said)}\b", text, re.IGNORECASE):
        return True  # "the third" beside "the third chapter"
    bare = _BARE.fullmatch(missing.value)
    if bare is not None:
        return any(_figure(match) == _figure(bare[1]) for match in _DIGITS.findall(text))
    measured = _MEASURED.search(said)
    if measured is not None and measured[1] in _DIGITS.findall(text) and re.search(rf"(?<![^\W_]){measured[2].rstrip('s')}", text, re.IGNORECASE):
        return True  # "timeout = 30  # in seconds"
    one = _ONE.fullmatch(missing.value)
    return one is not None and re.search(rf"\ban? {one[1]}", text, re.IGNORECASE) is not None


def _figure(digits: str) -> str:
    """A figure without the commas of thousands and the noughts behind its point: "3.0" is 3."""
    bare = digits.replace(",", "").rstrip(".")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


def _stands_elsewhere(seen: Look, missing: Missing) -> bool:
    """True when the figure stands in a sentence that was not compared: a long claim rests on more of them than are shown."""
    figures = [t.stem for t in tokens(missing.hypothesis_span.of(seen.claim.text)) if any(c.isdigit() for c in t.stem)]
    compared = {choice.unit for choice in seen.chosen}
    return bool(figures) and all(any(unit not in compared for unit in seen.premise.indexed.postings.get(f, ())) for f in figures)


def lacks_restriction(scene: Scene) -> bool:
    """A restriction of the evidence that the claim leaves out though the rest stands there: "in mice", "reportedly", "some"."""
    found = scene.found
    if not found.dropped or found.clashes:
        return False
    # "Always" itself stands nowhere where the evidence says "unless".
    return found.coverage >= (_ALL_STATED if any(m.value in _UNIVERSAL for m in found.missing) else STATED)


def lacks_topic(scene: Scene) -> bool:
    """A claim of few words that misses one of them: "The museum is in Lyon" where it says nothing of a museum."""
    seen, found = scene.seen, scene.found
    few = len(seen.claim.distinct) <= _SHORT_CLAIM and found.coverage < _SHORT_COVERAGE
    return few and all(agreement.kind not in AMOUNTS for agreement in found.agreements)


def blends(scene: Scene) -> bool:
    """The value belongs to another subject: "The successor comes in April" from "The stand comes in April. The successor has no date."."""
    seen, found = scene.seen, scene.found
    words = seen.claim.distinct
    values = [a for a in found.agreements if a.kind in AMOUNTS] if len(seen.chosen) > 1 else []
    if not values or len(words) > _FEW_WORDS:
        return False
    inside = {t.stem for a in values for t in tokens(a.hypothesis_span.of(seen.claim.text))}
    others = [word for word in words if word.stem not in inside]
    if not others:
        return False
    total = sum(word.weight for word in others)
    indexed = seen.premise.indexed
    by_unit = dict(seen.findings)
    carried: set[Span] = set()
    for choice in seen.chosen:
        unit, known = indexed.units[choice.unit], by_unit.get(choice.unit)
        share = sum(word.weight for word in others if word.stem in unit.stems) / total if total else 1.0
        first = next((t.lower for t in tokens(unit.span.of(indexed.text))), "")
        if first in _PRONOUNS:
            return False
        if share >= _BLENDED or others[0].stem in unit.stems or not _has_subject(unit.span.of(indexed.text), seen):
            carried.update(a.hypothesis_span for a in (values if known is None else known.agreements))
    subject_stands = any(others[0].stem in indexed.units[choice.unit].stems for choice in seen.chosen)
    return subject_stands and any(a.hypothesis_span not in carried for a in values)


def _has_subject(text: str, seen: Look) -> bool:
    """True when a unit begins with something that the claim does not speak of, and holds no pronoun that may stand for what it speaks of."""
    words = tokens(plain(text))
    first = next((t for t in words if t.lower not in STOP_WORDS), None)
    return first is not None and all(first.stem != word.stem for word in seen.claim.words) and not any(t.lower in _PRONOUNS for t in words)


def scattered(scene: Scene) -> bool:
    """A claim of few words that no one sentence comes near: "Admins can delete it" from "Press Delete. Admins can invite."."""
    seen = scene.seen
    words, total = seen.claim.distinct, seen.claim.weight
    if len(seen.chosen) < 2 or not total or len(words) > _SHORT_CLAIM:
        return False
    indexed = seen.premise.indexed
    units = [indexed.units[choice.unit] for choice in seen.chosen]
    if any(next((t.lower for t in tokens(unit.span.of(indexed.text))), "") in _PRONOUNS for unit in units):
        return False
    return max(sum(word.weight for word in words if word.stem in unit.stems) for unit in units) < _ONE_SENTENCE * total


def denies_it(scene: Scene) -> bool:
    """The only unit that speaks of what the claim begins with denies: "Exchanges are not offered for sale items" of "Sale items can be exchanged"."""
    seen = scene.seen
    if seen.claim.negated or len(seen.claim.distinct) > _FEW_WORDS or (seen.together and any(a.kind in AMOUNTS for a in seen.together.agreements)):
        return False
    head = [word.stem for word in seen.claim.words[:2]]
    indexed = seen.premise.indexed
    speaking = [unit for unit in {*seen.near, *(c.unit for c in seen.chosen)} if all(s in indexed.units[unit].stems for s in head)]
    return bool(speaking) and all(_denies_some(indexed.units[unit].span.of(indexed.text), seen) for unit in speaking) and all(
        any(w.stem not in indexed.units[unit].stems for w in seen.claim.words) for unit in speaking
    )


def denied_it(scene: Scene) -> bool:
    """The same where the very words the claim begins with are what is denied."""
    seen = scene.seen
    if not denies_it(scene):
        return False
    head = {word.stem for word in seen.claim.words[:2]}
    indexed = seen.premise.indexed
    units = [analyse(indexed.units[unit].span.of(indexed.text)) for unit in {*seen.near, *(c.unit for c in seen.chosen)} if head <= indexed.units[unit].stems]
    return all(head <= {unit.roots[i] for i in range(len(unit.roots)) if unit.parity[i]} for unit in units)


def _denies_some(text: str, seen: Look) -> bool:
    """True when a negation of the text reaches a word of the claim; where none is known to, when there is one."""
    if not negations(text):
        return False
    unit = analyse(text)
    stems = {word.stem for word in seen.claim.words}
    return not unit.cues or any(unit.parity[i] and unit.roots[i] in stems for i in range(len(unit.roots)))
