"""Which clash of a pair, if any, can make it a contradiction."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.consistency import AMOUNTS, Findings, analyse
from ragviz.evidence.windows import plain
from ragviz.judges.local_rules import outright
from ragviz.judges.local_rules.rule import STATED
from ragviz.judges.local_view import Look
from ragviz.records import Clash, ClashKind
from ragviz.text.polarity import negations
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.tokens import tokens
from ragviz.text.word_sets import word_set

LONG_CLAIM = 12
"""Distinct words of content from which a claim says several things."""
NEARLY = 0.7
"""Share of the best unit's coverage that a unit must have to contradict the claim: another unit is about it, not this one."""
MAX_JOINED = 12
"""Distinct words of content up to which sentences read together can contradict a claim."""
_PRONOUNS = word_set("it they he she these those this both es er sie dies il elle ils elles ce cela ello ella ellos ellas")
"""Subjects that stand for something of the sentence before; "its largest employer" is a subject of its own."""


def strongest_clash(look: Look) -> Findings | None:
    """The findings with a clash whose clause fits the claim best; None without any clash."""
    clashing = [found for _, found in look.findings if found.clashes]
    return max(clashing, key=lambda found: (found.alignment, found.coverage)) if clashing else None


def deciding_clash(look: Look) -> Findings | None:
    """``decided`` by what a sentence says outright."""
    return decided(look, outright(look))


def decided(look: Look, told: tuple[bool, bool, Findings | None] | None) -> Findings | None:
    """
    The strongest clash, unless another unit says the claim itself, or the clash concerns something else than the claim does.

    ``told`` is what a sentence says outright (local_rules/single_sentences.py). "The north wing has 12 offices. The south wing has 9." clashes with "The
    south wing has 9" in one place and states it in the other.
    """
    if told is not None:
        return told[2]
    clash = strongest_clash(look)
    if clash is None and _reads_on(look):
        # "It keeps for three days": what "it" is stands in the sentence before.
        clash = look.together
    if clash is None or _is_elsewhere(look, clash):
        return None
    stated = any(
        not found.clashes and not found.n_missing and found.coverage >= max(STATED, clash.coverage) for _, found in look.findings
    )
    return None if stated else clash


def _reads_on(look: Look) -> bool:
    """
    True where sentences that follow each other clash with a short claim together, and the one that clashes has no subject of its own, or says the
    rest of the claim.
    """
    found = look.together
    if not look.joined or found is None or not found.clashes or len(look.claim.distinct) > MAX_JOINED or len(look.claim.sentences) > 1:
        return False
    indexed = look.premise.indexed
    for choice in look.chosen:
        span = indexed.units[choice.unit].span
        here = [clash for clash in found.clashes if clash.premise_span is not None and span.start <= clash.premise_span.start < span.end]
        first = next((t.lower for t in tokens(plain(span.of(indexed.text)))), "")
        if here and first not in _PRONOUNS and not _says_the_rest(look, here, indexed.units[choice.unit].stems):
            return False
    return True


def _says_the_rest(look: Look, clashes: Sequence[Clash], stems: frozenset[str]) -> bool:
    """True when a unit has all words of the claim but those that clash."""
    inside = {t.stem for clash in clashes if clash.hypothesis_span is not None for t in tokens(clash.hypothesis_span.of(look.claim.text))}
    rest = [word for word in look.claim.distinct if word.stem not in inside]
    return len(rest) > 1 and all(word.stem in stems for word in rest)


def _is_elsewhere(look: Look, clash: Findings) -> bool:
    """True where more of the claim's details are missing than found beside the clash, or a long claim's figure stands in another sentence."""
    is_long = len(look.claim.distinct) >= LONG_CLAIM
    lacking = sum(m.kind is not None and (is_long or m.kind is not ClashKind.NAME) for m in clash.missing)
    if lacking > 1 and lacking > len(clash.agreements):
        return True
    if _lacks_label(look, clash) or _is_denied_elsewhere(look, clash):
        return True
    if clash.coverage < NEARLY * max((found.coverage for _, found in look.findings), default=0.0):
        return True
    return is_long and all(_stands_elsewhere(look, clash, one) for one in clash.clashes)


def _is_denied_elsewhere(look: Look, clash: Findings) -> bool:
    """True where a claim that denies clashes with a plain unit, and another unit denies too and has words of the claim that the plain one lacks."""
    if not look.claim.negated or any(one.kind is not ClashKind.NEGATION for one in clash.clashes):
        return False
    indexed = look.premise.indexed
    own = frozenset().union(*(indexed.units[unit].stems for unit, found in look.findings if found is clash))
    wanted = {word.stem for word in look.claim.distinct} - own
    return any(wanted & indexed.units[unit].stems and negations(plain(indexed.units[unit].span.of(indexed.text))) for unit in look.near)


def _lacks_label(look: Look, found: Findings) -> bool:
    """True where the claim is about line 7, of which the premise says nothing; a clash of the number itself aside."""
    claim = plain(look.claim.text)
    labels = [
        d.record
        for d in analyse(claim).quantities
        if isinstance(d.record, Quantity) and d.record.kind is QuantityKind.LABEL and any(c.isdigit() for c in d.record.span.of(claim))
    ]
    if not labels:
        return False
    clashing = [clash.hypothesis_span for clash in found.clashes if clash.hypothesis_span is not None]
    known = look.premise.indexed.postings
    return any(not any(label.span.overlaps(other) for other in clashing) and any(t.stem not in known for t in tokens(label.span.of(claim))) for label in labels)


def _stands_elsewhere(look: Look, found: Findings, clash: Clash) -> bool:
    """True when the figure that clashes stands in a sentence of the premise other than the one it clashes with."""
    if clash.kind not in AMOUNTS or clash.hypothesis_span is None:
        return False
    figures = [t.stem for t in tokens(clash.hypothesis_span.of(look.claim.text)) if any(c.isdigit() for c in t.stem)]
    own = {unit for unit, other in look.findings if other is found}
    return bool(figures) and all(any(unit not in own for unit in look.premise.indexed.postings.get(f, ())) for f in figures)
