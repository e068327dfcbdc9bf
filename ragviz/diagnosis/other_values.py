"""
The same attribute with another value: a sentence that holds every word of a claim and gives another figure in its figure's place.

"A file can have up to 5,000 rows" and "a file with up to 20,000 rows" do not exclude each other, and a judge rightly stays silent. As values of one
attribute they differ, and a comparison of sources is about that.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from ragviz.consistency import check
from ragviz.consistency.amounts import kind_of
from ragviz.consistency.magnitudes import Relation, relate
from ragviz.diagnosis.wording import KEPT, sentences_of, stems_of
from ragviz.records import Clash, ClashKind, Evidence, Span
from ragviz.text.bounds import Bound
from ragviz.text.names import names
from ragviz.text.quantities import quantities
from ragviz.text.quantity import Quantity, QuantityKind
from ragviz.text.tokens import STOP_WORDS, Token, content_tokens, stem, tokens

_NAMING = frozenset({QuantityKind.LABEL, QuantityKind.ORDINAL})
"""Numbers that name a thing are no values of it."""
_NARROWING = frozenset({"for", "if", "unless", "when", "except", "only", "on", "under", "during", "without", "für", "wenn", "außer", "pour", "si", "sauf"})
"""Words behind which a sentence may speak of fewer cases than the claim."""
LEAST_WORDS = 2
"""Words besides the figure that a claim must have: "30 days" alone is about anything."""


def other_value(claim: str, passage: str) -> tuple[Clash, Evidence] | None:
    """
    Where a passage gives another value for what a claim gives a value of; None where it gives none, the same, or speaks of fewer cases.

    Args:
        claim: One atomic statement.
        passage: Its spans are what the result's premise spans and quote refer to.
    """
    mine, wanted = _figures_and_words(claim)
    if not mine or len(wanted) < LEAST_WORDS or not wanted <= stems_of(passage):
        return None
    for span, stems in sentences_of(passage):
        if not wanted <= stems:
            continue
        sentence = span.of(passage)
        theirs = [q for q in quantities(sentence) if q.kind not in _NAMING]
        clash = _differing(mine, theirs)
        if clash is None or _is_narrower(claim, sentence, theirs):
            continue
        place = clash.premise_span
        shifted = replace(clash, premise_span=Span(span.start + place.start, span.start + place.end)) if place is not None else clash
        return shifted, Evidence(span=span, quote=sentence)
    return None


def is_of_one_attribute(clash: Clash, claim: str, passage: str) -> bool:
    """False where two bare counts are of different things: 3 projects and 600 requests are no two values of one attribute."""
    if clash.kind is not ClashKind.NUMBER or clash.hypothesis_span is None or clash.premise_span is None:
        return True
    mine, other = _count_at(claim, clash.hypothesis_span), _count_at(passage, clash.premise_span)
    if not mine:
        return True
    return stem(mine) == stem(other) if other else stem(mine) in stems_of(passage)


def _count_at(text: str, place: Span) -> str:
    """What the figure at a place counts; "" where it is no count."""
    return next((q.noun for q in quantities(text) if q.noun and not q.unit.name and (q.span.overlaps(place) or q.outer.overlaps(place))), "")


@functools.lru_cache(maxsize=KEPT)
def _figures_and_words(claim: str) -> tuple[tuple[Quantity, ...], frozenset[str]]:
    """The figures of a claim, and the stems of what else it says."""
    mine = tuple(q for q in quantities(claim) if q.kind not in _NAMING)
    return mine, frozenset(t.stem for t in content_tokens(claim) if not _inside(t.span, mine))


def _inside(span: Span, figures: Sequence[Quantity]) -> bool:
    return any(q.outer.start <= span.start < q.outer.end for q in figures)


def _differing(mine: Sequence[Quantity], theirs: Sequence[Quantity]) -> Clash | None:
    """The one figure that differs; None where any is the same, or more than one could be meant."""
    clashes = []
    for amount in mine:
        beside = [other for other in theirs if _comparable(amount, other)]
        if len(beside) != 1:
            continue
        if not _differ(amount, beside[0]):
            return None
        clashes.append(
            Clash(kind=kind_of(amount), hypothesis_span=amount.span, premise_span=beside[0].span, hypothesis_value=amount.label, premise_value=beside[0].label)
        )
    return clashes[0] if len(clashes) == 1 else None


def _comparable(amount: Quantity, other: Quantity) -> bool:
    """Values of one attribute: one dimension or one counted thing, one rate, limits with limits."""
    if amount.kind is not other.kind or amount.unit.dimension != other.unit.dimension or amount.per != other.per:
        return False
    if not amount.unit.name and amount.kind is QuantityKind.NUMBER and (not amount.noun or stem(amount.noun) != stem(other.noun)):
        return False
    return amount.bound is other.bound or Bound.ABOUT in (amount.bound, other.bound)


def _differ(amount: Quantity, other: Quantity) -> bool:
    if relate(amount, other) is Relation.OTHER:
        return True
    if amount.bound in (Bound.EXACT, Bound.ABOUT) or amount.bound is not other.bound:
        return False
    # Two limits of one thing do not exclude each other; their values do.
    bare, beside = (replace(q, bound=Bound.EXACT, low=_limit(q), high=_limit(q)) for q in (amount, other))
    return relate(bare, beside) is Relation.OTHER


def _limit(quantity: Quantity) -> Decimal | None:
    return quantity.low if quantity.low is not None else quantity.high


def _is_narrower(claim: str, sentence: str, theirs: Sequence[Quantity]) -> bool:
    """True when the sentence qualifies what the claim says of all: by a name, a condition, or a word before a shared one ("an opened item")."""
    if check(claim, sentence).dropped:
        return True
    shared = stems_of(claim)
    if any(not _shares(n.text, shared) for n in names(sentence) if not n.first and not _inside(n.span, theirs)):
        return True
    words = [t for t in tokens(sentence) if not _inside(t.span, theirs)]
    for before, word in itertools.pairwise(words):
        apart = sentence[before.span.end : word.span.start].strip() not in ("", "-")
        if _is_extra(before, shared) and word.stem in shared and word.lower not in STOP_WORDS and not apart:
            return True
    return any(word.lower in _NARROWING and any(_is_extra(t, shared) for t in words[at + 1 : at + 3]) for at, word in enumerate(words))


def _is_extra(token: Token, shared: frozenset[str]) -> bool:
    return token.lower not in STOP_WORDS and token.stem not in shared and not token.text[0].isdigit()


def _shares(name: str, shared: frozenset[str]) -> bool:
    return any(t.stem in shared for t in content_tokens(name))
