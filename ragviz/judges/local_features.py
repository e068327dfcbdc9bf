"""What a pair shows, as numbers for the model. The order of names is the order of the weights file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from ragviz.consistency import Findings
from ragviz.judges.local_clash import strongest_clash
from ragviz.judges.local_view import Look, Word
from ragviz.records import ClashKind
from ragviz.text.lexical import shared_bigrams, shared_runs
from ragviz.text.polarity import negations
from ragviz.text.tokens import STEMS, lower_words

WORD_NAMES = (
    "cover_best", "cover_chosen", "cover_near", "cover_around", "worst_sentence", "missing_best", "missing_chosen", "missing_near", "heaviest_missing",
    "heaviest_missing_near", "figures", "figures_near", "has_figures", "rare", "rare_near", "has_rare", "bigrams", "order", "all_bigrams", "all_trigrams",
    "all_words", "length_ratio", "head", "tail", "last_word", "longest_gap", "share_missing", "mean_weight", "claim_weight", "n_words", "n_sentences",
    "n_chosen", "polarity_differs", "reworded", "given",
)
CHECK_NAMES = (
    "alignment",
    "coverage",
    "details",
    "details_missing",
    "agreements",
    "clashes",
    "clashes_best",
    "clashes_together",
    "clash_alignment",
    "clash_coverage",
    "dropped",
    "dropped_best",
    "bound",
    "bound_best",
    "weak",
    *(f"clash_{kind.value}" for kind in ClashKind),
)
VECTOR_NAMES = ("cosine", "cosine_chosen", "cosine_pair", "cosine_five", "projection", "cosine_mean", "words_and_vectors_agree")
_KINDS = tuple(ClashKind)
_NO_KINDS = [0.0] * len(_KINDS)
RARE = 0.9


class Vectors(NamedTuple):
    """Embeddings of a pair."""

    claim: NDArray[np.float32]
    """Shape (d,)."""
    units: tuple[int, ...]
    """Which units of the premise were embedded, ascending."""
    rows: NDArray[np.float32]
    """Shape (n_units, d)."""


def raw_features(look: Look, vectors: Vectors | None, clash: Findings | None) -> list[float]:
    """All numbers of a pair, those of embeddings only where there are any; ``clash`` is the one that decides (local_clash.py)."""
    values = word_features(look) + check_features(look, clash)
    return values if vectors is None else values + vector_features(look, vectors)


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    To four decimals, so that batches cannot differ in the last digit of a cosine.

    Exactly what ``round(value, 4)`` gives: values that lie next to the middle between two decimals are left to it.
    """
    scaled = values * 1e4
    out: NDArray[np.float64] = np.rint(scaled) / 1e4
    between = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6
    for place in zip(*np.nonzero(between), strict=True):
        out[place] = round(float(values[place]), 4)
    return out


def word_features(look: Look) -> list[float]:
    """Overlap of claim and evidence, in the order of WORD_NAMES."""
    claim, units = look.claim, look.premise.indexed.units
    words, all_weight = claim.distinct, claim.weight
    total = all_weight or 1.0
    best, chosen, near, around = _stems(look)
    given = _given(look, chosen)
    if given:
        best, chosen, near, around = best | given, chosen | given, near | given, around | given
    # Most often one unit is all that comes near: what holds of it holds of the others.
    cover_best = _cover(words, best, all_weight)
    cover_chosen = cover_best if chosen is best else _cover(words, chosen, all_weight)
    missing = [weight for stem, weight, _ in words if stem not in chosen]
    missing_near = missing if near is chosen else [weight for stem, weight, _ in words if stem not in near]
    sentences = claim.sentences
    per_sentence = (
        cover_chosen if len(sentences) == 1 else min([_cover_of([word for word in words if word.stem in stems], chosen) for stems in sentences], default=0.0)
    )
    figures = [stem for stem, _, is_figure in words if is_figure]
    rare = [stem for stem, weight, is_figure in words if weight >= RARE and not is_figure]
    claim_order = [stem for stem, _, _ in claim.words]
    there = [stem in chosen for stem in claim_order]
    n, n_there = len(there), sum(there)
    head = max(1, n // 3)
    n_head = sum(there[:head])
    evidence_order = (
        units[look.chosen[0].unit].order
        if len(look.chosen) == 1
        else [stem for choice in sorted(look.chosen, key=lambda c: c.unit) for stem in units[choice.unit].order]
    )
    return [
        cover_best, cover_chosen, cover_chosen if near is chosen else _cover(words, near, all_weight), cover_best if around is best else _cover(words, around, all_weight), per_sentence,
        total - total * cover_best, sum(missing), sum(missing_near), max(missing) if missing else 0.0, max(missing_near) if missing_near else 0.0,
        *_shares(figures, chosen, near), *_shares(rare, chosen, near),
        _or(shared_bigrams(claim_order, evidence_order), cover_best), _in_order(claim_order, look), *_surface(look),
        n_head / head if n else 0.0, (n_there - n_head) / (n - head) if n > head else float(n_there == n), float(there[-1]) if n else 0.0,
        float(_longest_gap(there)), 1 - n_there / n if n else 1.0, total / max(1, len(words)), math.log1p(total), math.log1p(n),
        float(len(sentences)), float(len(look.chosen)), _polarity_differs(look),
        look.reworded, float(len(given)),
    ]


def _stems(look: Look) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Stems of the best unit, of all chosen ones, of those that come near, and of the best unit and its two neighbours."""
    units = look.premise.indexed.units
    if not look.chosen:
        return frozenset(), frozenset(), frozenset().union(*[units[unit].stems for unit in look.near]), frozenset()
    unit = look.chosen[0].unit
    best = chosen = near = around = units[unit].stems
    if len(look.chosen) > 1:
        chosen = near = best.union(*[units[choice.unit].stems for choice in look.chosen])
    if len(look.near) > len(look.chosen):
        near = chosen.union(*[units[other].stems for other in look.near])
    beside = [units[i].stems for i in (unit - 1, unit + 1) if 0 <= i < len(units) and i not in look.premise.excluded]
    if beside:
        around = best.union(*beside)
    return best, chosen, near, around


def _given(look: Look, chosen: frozenset[str]) -> frozenset[str]:
    """Stems of the claim's amounts, dates and names that the evidence gives in another form: "two weeks" where it says 14 days."""
    if look.together is None or look.claim.wanted <= chosen:
        return frozenset()
    text = look.claim.text
    found: set[str] = set()
    for agreement in look.together.agreements:
        found.update([STEMS[lower] for lower in lower_words(agreement.hypothesis_span.of(text))])
    return look.claim.wanted & found - chosen


def check_features(look: Look, deciding: Findings | None) -> list[float]:
    """What the consistency checks found, in the order of CHECK_NAMES."""
    findings = [found for _, found in look.findings]
    together = look.together
    compared = [*findings, deciding] if deciding is not None and deciding is together else findings
    kinds = {clash.kind for found in compared for clash in found.clashes}
    flags = [float(kind in kinds) for kind in _KINDS] if kinds else _NO_KINDS
    if not findings:
        return [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, *flags]
    best = max(findings, key=lambda found: (found.alignment, found.coverage)) if len(findings) > 1 else findings[0]
    clashing = deciding or strongest_clash(look)
    n_missing = together.n_missing if together else 0
    n_details = len(together.agreements) + len(together.clashes) + n_missing if together else 0
    return [
        best.alignment, best.coverage, len(together.agreements) / n_details if together and n_details else 1.0, float(n_missing),
        float(len(together.agreements)) if together else 0.0, float(max([len(f.clashes) for f in compared])), float(len(best.clashes)),
        float(len(together.clashes)) if together else 0.0, clashing.alignment if clashing else 0.0, clashing.coverage if clashing else 0.0,
        float(max([len(f.dropped) for f in findings])), float(len(best.dropped)),
        together.bound if together else 1.0, best.bound, float(max([len(f.weak) for f in findings])), *flags,
    ]


def vector_features(look: Look, vectors: Vectors) -> list[float]:
    """Closeness in meaning, in the order of VECTOR_NAMES; zeros where nothing was embedded."""
    if not vectors.units:
        return [0.0] * len(VECTOR_NAMES)
    cosines = vectors.rows @ vectors.claim
    place = {unit: i for i, unit in enumerate(vectors.units)}
    chosen = [place[choice.unit] for choice in look.chosen if choice.unit in place]
    ranked = np.argsort(-cosines, kind="stable")[:5]
    pairs = [(i, i + 1) for i in range(len(vectors.units) - 1) if vectors.units[i] + 1 == vectors.units[i + 1]]
    best = float(cosines[ranked[0]])
    return [
        best,
        float(cosines[chosen].max()) if chosen else 0.0,
        max([best, *(_cosine(vectors.rows[a] + vectors.rows[b], vectors.claim) for a, b in pairs)]),
        _cosine(vectors.rows[ranked].sum(axis=0), vectors.claim),
        _projection(vectors.rows[ranked], vectors.claim),
        float(cosines.mean()),
        float(ranked[0] in chosen),
    ]


def _cosine(vector: NDArray[np.float32], claim: NDArray[np.float32]) -> float:
    length = float(np.linalg.norm(vector))
    return float(vector @ claim) / length if length > 0 else 0.0


def _projection(rows: NDArray[np.float32], claim: NDArray[np.float32]) -> float:
    """Length of the claim's vector projected on the span of the rows: how much of it they explain together."""
    basis, _ = np.linalg.qr(rows.T)
    return float(np.linalg.norm(basis.T @ claim))


def _cover(words: Sequence[Word], stems: frozenset[str], total: float) -> float:
    return sum([weight for stem, weight, _ in words if stem in stems]) / total if total else 0.0


def _cover_of(words: Sequence[Word], stems: frozenset[str]) -> float:
    return _cover(words, stems, sum([word.weight for word in words]))


def _shares(stems: Sequence[str], chosen: frozenset[str], near: frozenset[str]) -> tuple[float, float, float]:
    """Which share of some of the claim's words the chosen units have, and all near ones; whether there are such words."""
    if not stems:
        return 1.0, 1.0, 0.0
    return sum([stem in chosen for stem in stems]) / len(stems), sum([stem in near for stem in stems]) / len(stems), 1.0


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def _in_order(claim: Sequence[str], look: Look) -> float:
    """Length of the longest common subsequence of content stems with the best unit, as a share of the claim."""
    if not claim or not look.chosen:
        return 0.0
    return LCSseq.similarity(claim[:80], look.premise.indexed.units[look.chosen[0].unit].order) / len(claim)


def _surface(look: Look) -> tuple[float, float, float, float]:
    """Shares of bigrams, trigrams and words of the claim in the best unit, function words too; log ratio of lengths."""
    ours = look.claim.lowers
    if not look.chosen or not ours:
        return 0.0, 0.0, 0.0, 0.0
    indexed = look.premise.indexed
    theirs = _lowers(indexed.units[look.chosen[0].unit].span.of(indexed.text))
    distinct = set(ours)
    words = len(distinct.intersection(theirs)) / len(distinct)
    two, three = shared_runs(ours, theirs)
    return _or(two, words), _or(three, words), words, math.log((1 + len(theirs)) / (1 + len(ours)))


@lru_cache(maxsize=20_000)
def _lowers(unit: str) -> tuple[str, ...]:
    return tuple(lower_words(unit))


@lru_cache(maxsize=20_000)
def _negates(unit: str) -> bool:
    return bool(negations(unit))


def _longest_gap(there: Sequence[bool]) -> int:
    longest = run = 0
    for found in there:
        if found:
            run = 0
        else:
            run += 1
            longest = max(longest, run)
    return longest


def _polarity_differs(look: Look) -> float:
    if not look.chosen:
        return 0.0
    indexed = look.premise.indexed
    return float(look.claim.negated != _negates(indexed.units[look.chosen[0].unit].span.of(indexed.text)))
