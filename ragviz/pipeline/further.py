"""What a passage that was not retrieved says of a claim, and vectors for finding it: a judge's word, not only shared words."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ragviz.backends.embedder import Embedder
from ragviz.diagnosis.corpus import Said, Vectors, names_its_subject
from ragviz.judges.local import LocalJudge
from ragviz.records import Claim, Pair, PairKey, Passage, Side, Table, Verdict

NOTHING = Said(verdict=Verdict.NEUTRAL)
MOST_EMBEDDED = 4_000
"""Passages up to which a corpus is searched by vectors too: some ten seconds of one core."""


@functools.cache
def _judge() -> LocalJudge:
    """By words and checks alone: it loads no model, so that a page that only counts causes needs none, and says the same everywhere."""
    return LocalJudge(embeddings=False)


@functools.cache
def _embedder() -> Embedder:
    return Embedder(max_cached=2 * MOST_EMBEDDED)


def decide(claim: Claim, passages: Sequence[Passage]) -> list[Said]:
    """
    The verdict of the local judge on each passage that names what the claim is about, with its evidence.

    The judge is made for passages that a retriever chose for the question. Here it sees the nearest of a whole corpus, most of them about something else,
    and "within 14 days" of one thing looks to it like "within 14 days" of another.
    """
    about = [passage for passage in passages if names_its_subject(claim.text, passage.text)]
    told = {passage.text: said for passage, said in zip(about, _judged(claim, about), strict=True)}
    return [told.get(passage.text, NOTHING) for passage in passages]


def _judged(claim: Claim, passages: Sequence[Passage]) -> list[Said]:
    table = Table.REFERENCE_X_PASSAGES if claim.side is Side.REFERENCE else Table.RESPONSE_X_PASSAGES
    pairs = [Pair(key=PairKey(table, "", claim.id, passage.id), premise=passage.text, hypothesis=claim.text) for passage in passages]
    return [Said(verdict=j.verdict, clashes=j.clashes, evidence=j.evidence, by=f"{j.provenance.judge}, without embeddings") for j in _judge().judge(pairs)]


def vectors(texts: Sequence[str]) -> Vectors | None:
    """Unit vectors, where the model is in memory already (judging brings it); None else: a search is not worth loading it."""
    embedder = _embedder()
    if not embedder.loaded or len(texts) > MOST_EMBEDDED:
        return None
    return embedder.encode(texts)
