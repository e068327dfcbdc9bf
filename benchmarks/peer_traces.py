"""
The traces that every store in a comparison gets: 5 passages of 120 words out of a corpus in which each is retrieved ten times, an answer of 60 words, 6 claims.
Standard library only.

Words are made up from a seed: they serve for time and size, not for quality. Passage ``n`` is the same text whoever asks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

WORDS = [f"{a}{b}" for a in ("re", "un", "inter", "over", "sub", "pro", "de", "con", "ex", "trans") for b in (
    "turn", "ship", "pay", "port", "view", "lock", "claim", "fund", "count", "sign", "track", "mark", "call", "serve", "form", "press", "quire", "tain", "late", "fer")]
PASSAGES, PASSAGE_WORDS, CLAIMS, CLAIM_WORDS = 5, 120, 6, 10


def text(rng: random.Random, n: int) -> str:
    return " ".join(rng.choices(WORDS, k=n)).capitalize() + "."


def passage(n: int) -> str:
    return text(random.Random(n), PASSAGE_WORDS)


def pool_of(n: int) -> int:
    """As many passages that each is retrieved ten times: traces share a corpus."""
    return max(2 * PASSAGES, n * PASSAGES // 10)


def rows(n: int, *, pool: int | None = None) -> Iterator[dict[str, Any]]:
    pool = pool_of(n) if pool is None else pool
    rng = random.Random(7)
    for i in range(n):
        picks = rng.sample(range(pool), PASSAGES)
        claims = [text(rng, CLAIM_WORDS) for _ in range(CLAIMS)]
        yield {
            "id": f"trace-{i:07d}", "question": text(rng, 9).replace(".", "?"), "response": " ".join(claims),
            "passages": [{"id": f"doc-{p}", "text": passage(p), "rank": rank, "score": round(1 - rank / 10, 3)} for rank, p in enumerate(picks, start=1)],
            "tags": {"release": f"r{i * 4 // n}"}, "claims": [{"text": claim} for claim in claims],
        }
