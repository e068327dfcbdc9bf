"""
A made-up year of an assistant in 24 versions, every two weeks one, with two planted regressions and everything that is none.

Planted: from version 10 on the answer gets more figures wrong (claims are contradicted more often); from version 18 on the retriever misses more of
what is relevant. No regressions: the mix of topics follows the season and topics differ in difficulty; faithfulness drifts slowly; latency drifts;
documents grow older by a day a day; versions differ by chance of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragviz.compare.trend import Part
from ragviz.records import Fact, ImportedClaim, Passage, Side, Trace, Usage
from ragviz.stats.coded import Coded

N_VERSIONS = 24
FIRST_DAY = datetime(2025, 1, 6, tzinfo=UTC)
WRONG_FROM, MISSED_FROM = 9, 17
"""Indices of the first versions with the planted regressions: versions 10 and 18."""
TOPICS = ("returns", "shipping", "warranty", "billing")
HARD = (0.03, 0.05, 0.10, 0.16)
"""Share of claims that are wrong, by topic."""
POOL = 4_000
"""Different questions people may ask; those of a version are drawn from them."""
RELEVANT = 4
"""Relevant passages of each question."""
FIGURES = ("period", "fee", "limit", "contact")
"""What answers speak of: one attribute a claim, as many as an answer has claims."""


class Year(NamedTuple):
    """What is planted, and how large the versions are."""

    n_traces: int = 300
    wrong: float = 0.10
    """Added to the share of contradicted claims from version 10 on."""
    missed: float = 0.15
    """Added to the share of relevant passages that are missed from version 18 on."""
    drift: float = 0.02
    """Added to the share of unsupported claims over the whole year, evenly."""
    season: float = 0.8
    """How far the mix of topics swings: 0 not at all, 1 until one topic is gone."""
    restless: float = 0.005
    """Standard deviation of what versions differ by for reasons of their own."""
    seed: int = 0


class Asked(NamedTuple):
    """The traces of one version, as numbers."""

    question: NDArray[np.int64]
    topic: NDArray[np.int64]
    n_claims: NDArray[np.int64]
    n_contradicted: NDArray[np.int64]
    n_not_supported: NDArray[np.int64]
    n_found: NDArray[np.int64]
    """Of the relevant passages."""
    words: NDArray[np.int64]
    latency_ms: NDArray[np.float64]
    started_at: NDArray[np.float64]
    """Seconds since 1970."""


def asked(year: Year, version: int) -> Asked:
    """The traces of one version (from 0), the same for the same seed."""
    rng = np.random.default_rng((year.seed, version))
    n = year.n_traces
    swing = year.season * np.sin(2 * np.pi * version / N_VERSIONS)
    shares = np.array([1 + swing, 1.0, 1.0, 1 - swing]) / 4
    of_topic = rng.multinomial(n, shares)
    question = np.concatenate([topic + len(TOPICS) * rng.choice(POOL // len(TOPICS), size=m, replace=False) for topic, m in enumerate(of_topic)])
    topic = question % len(TOPICS)
    wrong = np.array(HARD)[topic] + rng.normal(0, year.restless) + (year.wrong if version >= WRONG_FROM else 0.0)
    silent = 0.05 + year.drift * version / (N_VERSIONS - 1) + rng.normal(0, year.restless)
    n_claims = rng.integers(2, len(FIGURES) + 1, n)
    contradicted = rng.binomial(n_claims, np.clip(wrong, 0.001, 0.9))
    missed = 0.15 + rng.normal(0, year.restless) + (year.missed if version >= MISSED_FROM else 0.0)
    day = FIRST_DAY + timedelta(days=14 * version)
    return Asked(
        question=question,
        topic=topic,
        n_claims=n_claims,
        n_contradicted=contradicted,
        n_not_supported=rng.binomial(n_claims - contradicted, np.clip(silent, 0.001, 0.9)),
        n_found=rng.binomial(RELEVANT, 1 - np.clip(missed, 0.01, 0.9), n),
        words=n_claims * 6,
        latency_ms=np.exp(rng.normal(6.8 + 0.008 * version, 0.4, n)),
        started_at=day.timestamp() + rng.uniform(0, 14 * 86_400, n),
    )


def parts(year: Year) -> list[Part]:
    """The year as the parts of a trend: what the store would give after judging, without a store."""
    return [_part(version, asked(year, version)) for version in range(N_VERSIONS)]


def _part(version: int, told: Asked) -> Part:
    n = told.n_claims
    supported = n - told.n_contradicted - told.n_not_supported
    return Part(
        key=f"v{version + 1}", label=f"v{version + 1}", at=datetime.fromtimestamp(float(np.median(told.started_at)), UTC), run_id=f"v{version + 1}",
        positions=np.arange(len(n)), groups=told.question, kinds={"tag: topic": Coded(TOPICS, told.topic)},
        values={
            "faithfulness": supported / n, "contradicted_rate": told.n_contradicted / n, "not_supported_rate": told.n_not_supported / n,
            "recall_at_5": told.n_found / RELEVANT, "answer_words": told.words.astype(np.float64), "latency_ms": told.latency_ms,
            "document_age": (told.started_at - FIRST_DAY.timestamp()) / 86_400 + 100,
        },
    )


def traces(year: Year, version: int, *, tags: Mapping[str, str] | None = None) -> list[Trace]:
    """The same traces with annotated facts, for the ``facts`` judge; tagged with topic and version (v1 to v24) unless ``tags`` says otherwise."""
    told = asked(year, version)
    return [
        _trace(told, i, version, tags={"topic": TOPICS[told.topic[i]]} | (dict(tags) if tags is not None else {"version": f"v{version + 1}"}))
        for i in range(len(told.question))
    ]


def _trace(told: Asked, i: int, version: int, *, tags: Mapping[str, str]) -> Trace:
    question, n = int(told.question[i]), int(told.n_claims[i])
    wrong, silent = int(told.n_contradicted[i]), int(told.n_not_supported[i])
    topic = TOPICS[told.topic[i]]
    stated = [Fact(attribute=FIGURES[f], value=_figure(question, f)) for f in range(n)]
    # The last passage of the relevant ones says nothing of the claims without support.
    known = stated[: n - silent]
    claims = tuple(
        ImportedClaim(side=Side.RESPONSE, text=_says(f.attribute, value, topic, question), attribute=f.attribute, value=value)
        for at, f in enumerate(stated) for value in [f"{f.value[:-5]}9 days" if at < wrong else f.value]
    )
    found = [
        Passage(
            id=f"d{question}-{rank}",
            doc_id=f"d{question}-{rank}",
            rank=rank + 1,
            effective_date=(FIRST_DAY - timedelta(days=100)).date().isoformat(),
            text=f"{topic.capitalize()}, case {question}, sheet {rank + 1}. "
            + (" ".join(_says(f.attribute, f.value, topic, question) for f in known) if rank == 0 else "Nothing else applies."),
            facts=tuple(known) if rank == 0 else (),
        )
        for rank in range(int(told.n_found[i]))
    ] or [Passage(id="notes", doc_id="notes", rank=1, text="\n".join(_says(f.attribute, f.value, topic, question) for f in known), facts=tuple(known))]
    return Trace(
        id=f"v{version + 1}-{i}",
        question=f"What holds for {topic} in case {question}?",
        response=" ".join(c.text for c in claims),
        passages=tuple(found),
        claims=claims,
        relevant_ids=frozenset(f"d{question}-{rank}" for rank in range(RELEVANT)),
        tags=dict(tags),
        model="assistant",
        usage=Usage(latency_ms=round(float(told.latency_ms[i]), 1), tokens_in=400 + 40 * n, tokens_out=14 * n, cost_usd=round(0.0004 * n, 6)),
        started_at=datetime.fromtimestamp(float(told.started_at[i]), UTC).replace(microsecond=0),
        origin=f"year.jsonl:{i + 1}",
    )


def _figure(question: int, figure: int) -> str:
    return f"{10 + (question * 7 + figure * 13) % 80} days"


def _says(attribute: str, value: str, topic: str, question: int) -> str:
    return f"The {attribute} for {topic} in case {question} is {value}."
