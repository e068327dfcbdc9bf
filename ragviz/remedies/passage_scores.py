"""How well each passage fits its question: the retriever's own number, or one of ours under its own name."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ragviz.backends.embedder import Embedder
from ragviz.records import ScoreKind, Trace
from ragviz.text.lexical import overlap
from ragviz.text.tokens import content_tokens

LABELS = {ScoreKind.RETRIEVER: "the retriever's score", ScoreKind.LEXICAL: "lexical overlap", ScoreKind.EMBEDDING: "embedding similarity"}


def passage_scores(trace: Trace, kind: ScoreKind, *, k: int | None = None, embedder: Embedder | None = None) -> list[float | None]:
    """
    One number per passage, in rank order; None where there is none.

    Args:
        trace: Its question and passages.
        kind: Which number.
        k: Only the first k passages.
        embedder: For EMBEDDING.

    Raises:
        JudgeUnavailable: EMBEDDING, and the embedding model is not here.
    """
    passages = trace.first_passages(k)
    if kind is ScoreKind.RETRIEVER:
        return [p.score for p in passages]
    if kind is ScoreKind.LEXICAL:
        asked = dict.fromkeys(t.stem for t in content_tokens(trace.question))
        return [overlap(asked, {t.stem for t in content_tokens(p.text)}) for p in passages]
    if not passages:
        return []
    vectors = (embedder or Embedder()).encode([trace.question, *(p.text for p in passages)])
    return [float(value) for value in vectors[1:] @ vectors[0]]


def falls_with_rank(rows: Sequence[Sequence[float | None]]) -> bool:
    """True when scores mostly fall from rank to rank: then higher is better. Distances rise. A tie counts as falling."""
    falls = rises = 0
    for row in rows:
        known = [value for value in row if value is not None]
        for before, after in itertools.pairwise(known):
            falls += before > after
            rises += before < after
    return falls >= rises
