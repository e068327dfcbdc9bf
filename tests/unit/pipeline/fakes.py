"""A judge and raters that need no model, and files to import."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ragviz.backends.embedder import Embedder
from ragviz.contracts import Availability, JudgeInfo
from ragviz.judges import provenance_of, raters
from ragviz.records import Evidence, Judgement, Pair, PairKey, Span, Verdict

BY_WORDS = ("direct_relevance", "reference_similarity")
"""Raters that need no model where they are told to do without."""


def raters_by_words(patch: pytest.MonkeyPatch) -> None:
    """Raters go by words alone, where loading a model would take most of the time; what they say is stored as ever."""
    make = raters.make
    patch.setattr(raters, "make", lambda name, **settings: make(name, **settings, **({"embeddings": False} if name in BY_WORDS else {})))


def without_models(patch: pytest.MonkeyPatch) -> None:
    """The same, and a model that is loaded all the same is a fault. One that an earlier test left in memory counts as not there: what uses it only then does without."""

    def refuse(embedder: Embedder) -> object:
        raise AssertionError(f"{embedder.name} was to stay out of this")

    raters_by_words(patch)
    patch.setattr(Embedder, "_model", refuse)
    patch.setattr(Embedder, "loaded", False)


@dataclass
class WordJudge:
    """Entailed when every word of the claim is in the premise, unjudged when the premise says "broken". Remembers what it was asked."""

    asked: list[PairKey] = field(default_factory=list)
    deterministic: bool = True
    network: bool = False
    joined: bool = True
    ok: bool = True
    before: Callable[[], object] = dict
    """Called first; ``dict`` does nothing, and can be sent to another process."""

    @property
    def info(self) -> JudgeInfo:
        return JudgeInfo(
            name="words", version="1", summary="all words", deterministic=self.deterministic, network=self.network, max_batch=7, joined=self.joined,
        )

    @property
    def params(self) -> Mapping[str, object]:
        return {}

    def available(self) -> Availability:
        return Availability(ok=self.ok, reason="" if self.ok else "no words", fix="" if self.ok else "learn some")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.before()
        self.asked += [pair.key for pair in pairs]
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> Judgement:
        said = provenance_of(self)
        if "broken" in pair.premise:
            return Judgement(key=pair.key, verdict=Verdict.UNJUDGED, rationale="broken", provenance=said)
        words = pair.hypothesis.lower().rstrip(".").split()
        if words and all(word in pair.premise.lower() for word in words):
            span = Span(0, len(pair.premise))
            return Judgement(
                key=pair.key, verdict=Verdict.ENTAILED, confidence=1.0, evidence=(Evidence(span=span, quote=span.of(pair.premise)),), provenance=said
            )
        return Judgement(key=pair.key, verdict=Verdict.NEUTRAL, confidence=0.5, provenance=said)


def a_file(
    folder: Path, n: int, *, name: str = "traces.jsonl", passages: Sequence[str] = ("The sky is blue.", "Grass is green."), response: str = "The sky is blue."
) -> Path:
    """Native JSON lines: traces q0, q1, …"""
    path = folder / name
    lines = [
        {"id": f"q{i}", "question": f"What colour is number {i}?", "response": response, "reference": "The sky is blue.",
         "passages": [{"id": f"p{r}", "text": text, "rank": r} for r, text in enumerate(passages, start=1)], "relevant_ids": ["p1"]}
        for i in range(n)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
