"""Entailment by a cross-encoder over windows of the premise. Works with any published NLI, HHEM- or MiniCheck-like model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.backends.cross_encoder import SPECIAL_TOKENS, CrossEncoderBackend
from ragviz.contracts import Availability, JudgeInfo
from ragviz.errors import BackendError, JudgeUnavailable
from ragviz.evidence.select import best_evidence
from ragviz.evidence.windows import windows
from ragviz.judges.provenance import provenance_of
from ragviz.records import Evidence, Judgement, Pair, Provenance, Span, Verdict

ENTAILED_WORDS = frozenset({"entailment", "entailed", "entails", "supported", "supports", "consistent", "true", "faithful", "1", "yes", "correct"})
CONTRADICTED_WORDS = frozenset({"contradiction", "contradicted", "contradicts", "refutes", "refuted"})
NEUTRAL_WORDS = frozenset({"neutral", "not_entailment", "not entailment", "unsupported", "not_supported", "nei", "not enough info", "inconsistent", "hallucinated",
                           "hallucination", "false", "0", "no", "unfaithful", "incorrect"})
OVERLAP = 1
"""Sentences two neighbouring windows share, so that a thought is not cut between them."""


class Window(NamedTuple):
    """A piece of a premise that the model reads in one go."""

    pair: int
    span: Span


@dataclass(frozen=True)
class NliJudge:
    """Entailed when a window entails the claim, contradicted when one contradicts it and none entails it."""

    model: str = ""
    min_entailed: float = 0.5
    min_contradicted: float = 0.5
    backend: CrossEncoderBackend | None = field(default=None, compare=False, repr=False)
    info = JudgeInfo(
        name="nli",
        version="1",
        summary="a cross-encoder for entailment reads windows of the passage; label order is read from the model's config",
        deterministic=True,
        network=False,
        max_batch=1024,
        joined=True,
    )

    def __post_init__(self) -> None:
        if self.backend is None:
            object.__setattr__(self, "backend", CrossEncoderBackend(self.model))

    @property
    def params(self) -> Mapping[str, object]:
        """Model and thresholds."""
        return {"model": self.model, "min_entailed": self.min_entailed, "min_contradicted": self.min_contradicted}

    def available(self) -> Availability:
        """Needs sentence-transformers and a model's folder or id; loads nothing."""
        state = self._backend.state()
        return Availability(ok=state.ok, reason="" if state.ok else state.reason, fix=state.fix, degraded=state.reason if state.ok else "")

    def must_be_here(self) -> None:
        """Refuse now a model that cannot be had: whoever is about to start further processes asks, since each of these would try by itself."""
        self._backend.must_be_here()

    @property
    def _backend(self) -> CrossEncoderBackend:
        assert self.backend is not None
        return self.backend

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """
        One judgement per pair, in order.

        Raises:
            JudgeUnavailable: No package, no weights, or labels nobody can tell apart.
        """
        if not pairs:
            return []
        columns = label_columns(self._backend.labels(), self.model)
        provenance = provenance_of(self)
        room = self._backend.max_tokens() - SPECIAL_TOKENS
        claim_tokens = self._backend.token_counts([pair.hypothesis for pair in pairs])
        answers: dict[int, Judgement] = {}
        asked: list[Window] = []
        for i, (pair, n) in enumerate(zip(pairs, claim_tokens, strict=True)):
            reason = _cannot(pair, n, room)
            if reason:
                verdict = Verdict.NEUTRAL if not pair.premise.strip() and pair.hypothesis.strip() else Verdict.UNJUDGED
                answers[i] = Judgement(key=pair.key, verdict=verdict, rationale=reason, provenance=provenance)
            else:
                asked += [Window(i, span) for span in self._windows(pair.premise, room - n)]
        try:
            scores = self._backend.probabilities([(w.span.of(pairs[w.pair].premise), pairs[w.pair].hypothesis) for w in asked])
        except BackendError as exc:
            return [answers.get(i) or Judgement(key=p.key, verdict=Verdict.UNJUDGED, rationale=exc.message, provenance=provenance) for i, p in enumerate(pairs)]
        by_pair: dict[int, list[int]] = {}
        for row, window in enumerate(asked):
            by_pair.setdefault(window.pair, []).append(row)
        for i, rows in by_pair.items():
            answers[i] = self._decide(pairs[i], [asked[r].span for r in rows], scores[rows], columns, provenance)
        return [answers[i] for i in range(len(pairs))]

    def _windows(self, premise: str, room: int) -> list[Span]:
        units = windows(premise)
        sizes = self._backend.token_counts([unit.of(premise) for unit in units])
        made: list[Span] = []
        start = 0
        while start < len(units):
            end, used = start, 0
            while end < len(units) and (end == start or used + sizes[end] <= room):
                used += sizes[end]
                end += 1
            made.append(Span(units[start].start, units[end - 1].end))
            if end == len(units):
                break
            start = max(start + 1, end - OVERLAP)
        return made

    def _decide(self, pair: Pair, spans: list[Span], scores: NDArray[np.float64], columns: tuple[int, int | None], provenance: Provenance) -> Judgement:
        entailed = scores[:, columns[0]]
        contradicted = scores[:, columns[1]] if columns[1] is not None else np.zeros(len(spans))
        best, worst = int(entailed.argmax()), int(contradicted.argmax())
        p_entailed, p_contradicted = float(entailed[best]), float(contradicted[worst])
        if p_entailed >= self.min_entailed and p_entailed >= p_contradicted:
            verdict, at, p = Verdict.ENTAILED, best, p_entailed
        elif p_contradicted >= self.min_contradicted:
            verdict, at, p = Verdict.CONTRADICTED, worst, p_contradicted
        else:
            return Judgement(key=pair.key, verdict=Verdict.NEUTRAL, confidence=1 - max(p_entailed, p_contradicted), provenance=provenance,
                             rationale=f"entailment {p_entailed:.2f}, contradiction {p_contradicted:.2f} at best")
        return Judgement(key=pair.key, verdict=verdict, confidence=p, evidence=_evidence(pair, spans[at]), provenance=provenance,
                         rationale=f"{verdict.value} with {p:.2f} by characters {spans[at].start} to {spans[at].end}")


def label_columns(labels: tuple[str, ...], model: str) -> tuple[int, int | None]:
    """
    Which column is entailment, and which contradiction (None for two-way heads).

    Raises:
        JudgeUnavailable: The config's names do not say; a guess would turn contradiction into entailment without any error.
    """
    if not labels:
        return 0, None
    entailed = [i for i, name in enumerate(labels) if name in ENTAILED_WORDS]
    contradicted = [i for i, name in enumerate(labels) if name in CONTRADICTED_WORDS]
    known = all(name in ENTAILED_WORDS | CONTRADICTED_WORDS | NEUTRAL_WORDS for name in labels)
    if len(entailed) != 1 or len(contradicted) > 1 or not known:
        raise JudgeUnavailable(f"nli: {model} names its labels {', '.join(labels)}, which does not say which is entailment",
                               fix='set id2label in the model\'s config.json, e.g. {"0": "contradiction", "1": "entailment", "2": "neutral"}')
    # Of two labels, "contradiction" is everything that is not entailment: silence included, so it proves no contradiction.
    return entailed[0], contradicted[0] if contradicted and len(labels) > 2 else None


def _cannot(pair: Pair, claim_tokens: int, room: int) -> str:
    if not pair.hypothesis.strip():
        return "the claim is empty"
    if not pair.premise.strip():
        return "the passage is empty"
    return f"the claim is longer ({claim_tokens} word pieces) than the model reads beside a passage" if claim_tokens > room // 2 else ""


def _evidence(pair: Pair, window: Span) -> tuple[Evidence, ...]:
    inside = window.of(pair.premise)
    found = best_evidence(pair.hypothesis, inside, max_spans=2)
    if not found:
        return (Evidence(span=window, quote=inside),)
    return tuple(Evidence(span=e.span.shift(window.start), quote=e.quote, weight=e.weight, tier=e.tier) for e in found)
