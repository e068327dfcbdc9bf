"""The default judge: finds the sentence, checks its details, weighs what it found. Nothing leaves the machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ragviz.backends.embedder import Embedder
from ragviz.consistency import Findings
from ragviz.contracts import Availability, JudgeInfo
from ragviz.evidence.select import as_evidence
from ragviz.judges.local_clash import decided, deciding_clash
from ragviz.judges.local_features import Vectors, raw_features, rounded
from ragviz.judges.local_model import LocalModel, load_model
from ragviz.judges.local_rationale import own_clashes, rationale
from ragviz.judges.local_reading import Reading, is_about_it, is_own, lacks_answer, led_back, look_of, read
from ragviz.judges.local_rules import outright
from ragviz.judges.local_short import by_question
from ragviz.judges.local_shown import shown_units, with_nearest
from ragviz.judges.local_unwrapped import in_lines, quoted
from ragviz.judges.local_view import Look
from ragviz.judges.local_weighing import NEVER_SUPPORTED, Weights, probabilities
from ragviz.judges.local_word_for_word import by_word
from ragviz.judges.provenance import provenance_of
from ragviz.records import JOINED, Cost, Evidence, Judgement, Pair, Span, Verdict

UNDECIDED = 0.01
"""Half-width of the band around one half in which the judge gives no verdict."""
_SURE_OF_NOTHING = 0.97


@dataclass(frozen=True)
class LocalJudge:
    """
    Evidence by words and embeddings, consistency checks, calibrated probabilities.

    ``embeddings=False`` judges by words and checks alone, which is faster, loads no model and has its own weights and fingerprint.
    """

    embeddings: bool = True
    embedder: Embedder = field(default_factory=Embedder, repr=False, compare=False)

    info = JudgeInfo(
        name="local", version="13", summary="evidence search, consistency checks and probabilities calibrated by its makers, all on this machine",
        deterministic=True, network=False, max_batch=256, joined=True,
    )

    @property
    def _embeds(self) -> bool:
        return self.embeddings and self.embedder.available().ok

    @property
    def params(self) -> Mapping[str, object]:
        """Whether embeddings take part, whose, and the version of the weights."""
        embeds = self._embeds
        weights = load_model(embedded=embeds).version
        if not embeds:
            return {"embeddings": False, "weights": weights}
        return {"embeddings": True, "weights": weights, "model": self.embedder.name, "model_revision": self.embedder.revision}

    def available(self) -> Availability:
        """Always works; without embeddings by words and checks alone, and says so."""
        state = self.embedder.available()
        if self.embeddings and not state.ok:
            return Availability(ok=True, degraded=f"{state.reason}: judged by words and checks alone", fix=state.fix)
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement per pair."""
        if not pairs:
            return []
        given, pairs = pairs, [in_lines(pair) for pair in pairs]
        provenance = provenance_of(self)
        embeds = self._embeds
        started = time.perf_counter()
        readings = [read(pair) for pair in pairs]
        looks = [look_of(pair, reading) for pair, reading in zip(pairs, readings, strict=True)]
        # A short answer is also looked at as it stands: the passage may say the question in other words.
        bare = [i for i, reading in enumerate(readings) if reading is not None and reading.claim is not None and pairs[i].key.table.against_passages]
        weighed, loading = self._weigh([*looks, *(look_of(pairs[i], None) for i in bare)], embeds=embeds)
        model = load_model(embedded=embeds)
        judged = [
            _nothing_shared(pair, seen) if weights is None else _said(pair, seen, weights, reading, model)
            for pair, (seen, weights), reading in zip(pairs, weighed[: len(pairs)], readings, strict=True)
        ]
        for i, found in zip(bare, weighed[len(pairs) :], strict=True):
            judged[i] = _either(judged[i], _said(pairs[i], *found, None, model), weighed[i][0], readings[i])
        judged = [
            by_word(pair, by_question(pair, said, seen, reading))
            for pair, said, (seen, _), reading in zip(pairs, judged, weighed[: len(pairs)], readings, strict=True)
        ]
        cost = Cost(elapsed_ms=round((time.perf_counter() - started - loading) * 1000 / len(pairs), 3))
        return [
            Judgement(**(said if pair is own else quoted(said, own)), provenance=provenance, cost=cost)
            for said, pair, own in zip(judged, pairs, given, strict=True)
        ]

    def _weigh(self, looks: Sequence[Look], *, embeds: bool) -> tuple[list[Weighed], float]:
        """Each look with its features and what the trees make of them, None where nothing is shared; and the seconds a model took to load."""
        # Where nothing is shared there is nothing to weigh.
        open_ones = [seen for seen in looks if seen.chosen and seen.claim.words]
        if not open_ones:
            return [(seen, None) for seen in looks], 0.0
        loading = self._load(open_ones) if embeds else 0.0
        vectors = self._vectors(open_ones) if embeds else [None] * len(open_ones)
        told = [outright(seen) for seen in open_ones]
        clashes = [decided(seen, said) for seen, said in zip(open_ones, told, strict=True)]
        rows = [raw_features(seen, row, clash) for seen, row, clash in zip(open_ones, vectors, clashes, strict=True)]
        numbers = map(Weights, rows, load_model(embedded=embeds).support.probabilities(np.array(rows)), clashes, told)
        return [(seen, next(numbers) if seen.chosen and seen.claim.words else None) for seen in looks], loading

    def _load(self, looks: Sequence[Look]) -> float:
        """Seconds spent on bringing the embedding model into memory, once a process: no part of what a claim costs."""
        if self.embedder.loaded or not looks:
            return 0.0
        started = time.perf_counter()
        if self.embedder.count_new([text for seen in looks for text in _texts(seen)]):
            self.embedder.load()
        return time.perf_counter() - started

    def _vectors(self, looks: Sequence[Look]) -> list[Vectors | None]:
        """Embeddings of all claims and near units, in one call."""
        matrix = self.embedder.encode([text for seen in looks for text in _texts(seen)])
        rows: list[Vectors | None] = []
        at = 0
        for seen in looks:
            units = tuple(sorted(seen.near))
            rows.append(Vectors(matrix[at], units, matrix[at + 1 : at + 1 + len(units)]))
            at += 1 + len(units)
        return rows


Weighed = tuple[Look, Weights | None]


def _texts(seen: Look) -> list[str]:
    """What is embedded of a pair: the claim, then its near units in text order."""
    indexed = seen.premise.indexed
    return [seen.claim.text, *(indexed.units[unit].span.of(indexed.text) for unit in sorted(seen.near))]


def features_of(seen: Look, row: Vectors | None) -> list[float]:
    """The numbers the model reads; those of embeddings only where there are any."""
    return [float(value) for value in rounded(np.array(raw_features(seen, row, deciding_clash(seen))))]


def _said(pair: Pair, seen: Look, weights: Weights | None, reading: Reading | None, model: LocalModel) -> dict[str, Any]:
    """Everything of a judgement but its source and cost, with places in the pair's own texts."""
    if weights is None:
        return _nothing_shared(pair, seen)
    if reading is not None and lacks_answer(seen, reading):
        weights = weights._replace(p_trees=min(weights.p_trees, NEVER_SUPPORTED))
    said = _verdict(pair, seen, weights, model, None if reading is None or reading.claim is None else partial(is_own, reading.claim))
    return said if reading is None else led_back(said, pair, reading)


def _either(completed: dict[str, Any], bare: dict[str, Any], seen: Look, reading: Reading | None) -> dict[str, Any]:
    """What a short answer is worth: as its question completes it, else as it stands where the passage is about what was asked."""
    if completed["verdict"] is not Verdict.NEUTRAL or bare["verdict"] is not Verdict.ENTAILED or reading is None:
        return completed
    return bare if deciding_clash(seen) is None and is_about_it(seen, reading) else completed


def _nothing_shared(pair: Pair, seen: Look) -> dict[str, Any]:
    """The same where no sentence speaks of the claim, or the claim says nothing."""
    if not seen.claim.words:
        return {
            "key": pair.key,
            "verdict": Verdict.UNJUDGED,
            "confidence": None,
            "rationale": "the claim has no word that could be looked up",
            "alarm": seen.premise.alarm,
        }
    why = "no sentence of the passage shares a word of content with the claim"
    return {"key": pair.key, "verdict": Verdict.NEUTRAL, "confidence": _SURE_OF_NOTHING, "rationale": why, "alarm": seen.premise.alarm}


def _verdict(pair: Pair, seen: Look, weights: Weights, model: LocalModel, own: Callable[[Span], bool] | None = None) -> dict[str, Any]:
    """Everything of a judgement but its source and cost."""
    shown = tuple(as_evidence(seen.premise.indexed, shown_units(seen)))
    clash = weights.clash
    p_support, p_contradicted = probabilities(seen, weights, model)
    p_neither = 1 - p_support - p_contradicted
    told = own_clashes(clash, own)
    clashes = told.clashes if told is not None else ()
    if p_contradicted >= max(0.5, p_support):
        verdict, confidence = Verdict.CONTRADICTED, p_contradicted
        shown = _around(clash, seen, shown)
    elif abs(p_support - 0.5) < UNDECIDED:
        verdict, confidence = Verdict.UNJUDGED, max(p_support, p_neither, p_contradicted)
    elif p_support > 0.5:
        verdict, confidence, clashes = Verdict.ENTAILED, p_support, ()
    else:
        verdict, confidence = Verdict.NEUTRAL, max(0.5, p_neither)
        if pair.key.premise_id.startswith(JOINED):
            shown = tuple(as_evidence(seen.premise.indexed, with_nearest(seen, shown_units(seen))))
    return {
        "key": pair.key, "verdict": verdict, "confidence": round(min(1.0, confidence), 4), "calibrated": True, "evidence": shown, "clashes": clashes,
        "rationale": rationale(seen, verdict, p_support, told, own), "alarm": seen.premise.alarm,
    }


def _around(clash: Findings | None, seen: Look, shown: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The unit that says otherwise; beside it whatever else was found would only distract."""
    indexed = seen.premise.indexed
    place = clash.clashes[0].premise_span if clash is not None and clash.certain else None
    if place is not None:
        at = next(unit.span for unit in indexed.units if unit.span.start <= place.start < unit.span.end)
        return (Evidence(span=at, quote=at.of(indexed.text)),)
    for unit, found in seen.findings:
        if found is clash:
            span = indexed.units[unit].span
            return (Evidence(span=span, quote=span.of(indexed.text)),)
    return shown
