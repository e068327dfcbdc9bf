"""
Small builders of records, so that a test shows only what it is about.

Verdict letters: E entailed, C contradicted, N neutral, ? unjudged, - not asked. One letter per passage: ``{"a": "EN"}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ragviz.grounding import joined_id, joined_pairs, pairs_for
from ragviz.records import (
    JOINED,
    REFERENCE,
    RESPONSE,
    Annotation,
    Claim,
    Fact,
    Grounding,
    JudgedTrace,
    Judgement,
    PairKey,
    Passage,
    Policy,
    Provenance,
    Rating,
    RatingKind,
    Score,
    ScoreStatus,
    Side,
    Table,
    Trace,
    Verdict,
)

LETTERS = {"E": Verdict.ENTAILED, "C": Verdict.CONTRADICTED, "N": Verdict.NEUTRAL, "?": Verdict.UNJUDGED}
PROVENANCE = Provenance(judge="test", judge_version="1", params_hash="0")


def a_passage(rank: int = 1, text: str | None = None, **fields: Any) -> Passage:
    """Passage p1, p2, …"""
    return Passage(id=fields.pop("id", f"p{rank}"), text=f"Text of passage {rank}." if text is None else text, rank=rank, **fields)


def a_trace(n_passages: int = 1, **fields: Any) -> Trace:
    """A trace with passages p1, p2, … unless ``passages`` is given (None included)."""
    passages = fields.pop("passages", tuple(a_passage(i + 1) for i in range(n_passages)))
    return Trace(
        id=fields.pop("id", "t1"), question=fields.pop("question", "What is it?"), response=fields.pop("response", "It is so."), passages=passages, **fields
    )


def a_claim(claim_id: str, *, side: Side = Side.RESPONSE, trace_id: str = "t1", fact: tuple[str, str] | None = None, **fields: Any) -> Claim:
    """A claim; ``fact`` is an (attribute, value) pair."""
    pair = None if fact is None else Fact(attribute=fact[0], value=fact[1])
    text = fields.pop("text", pair.sentence if pair else f"Claim {claim_id}.")
    return Claim(id=claim_id, trace_id=trace_id, side=side, text=text, extractor=fields.pop("extractor", "facts" if pair else "rules"), fact=pair, **fields)


def a_judgement(table: Table, claim_id: str, premise_id: str, verdict: str | Verdict, *, trace_id: str = "t1", **fields: Any) -> Judgement:
    """A verdict by letter or word."""
    said = LETTERS[verdict] if verdict in LETTERS else Verdict(verdict)
    return Judgement(key=PairKey(table, trace_id, claim_id, premise_id), verdict=said, provenance=fields.pop("provenance", PROVENANCE), **fields)


def a_case(
    claims: str = "", expected: str = "", *, response_x_passages: Mapping[str, str] | None = None, response_x_reference: Mapping[str, str] | None = None,
    reference_x_passages: Mapping[str, str] | None = None, reference_x_response: Mapping[str, str] | None = None,
    joined: Mapping[str, str] | None = None, trace: Trace | None = None, ratings: tuple[Rating, ...] = (),
    annotations: tuple[Annotation, ...] = (), k: int | None = None, retrieval_k: int = 5, policy: Policy = Policy.DEFAULT, **fields: Any,
) -> JudgedTrace:
    """
    A judged trace. Each letter of ``claims`` is a claim of the answer, each of ``expected`` one of the reference.

    ``joined`` holds verdicts on all passages joined, for answer claims. Remaining fields go to the trace.
    """
    rows = {
        Table.RESPONSE_X_PASSAGES: response_x_passages or {}, Table.RESPONSE_X_REFERENCE: response_x_reference or {},
        Table.REFERENCE_X_PASSAGES: reference_x_passages or {}, Table.REFERENCE_X_RESPONSE: reference_x_response or {},
    }
    width = max([len(v) for t, row in rows.items() if t.against_passages for v in row.values()], default=1)
    if expected and "reference" not in fields:
        fields["reference"] = "It is so."
    told = trace or a_trace(width, **fields)
    judgements = []
    for table, row in rows.items():
        for claim_id, letters in row.items():
            ids = [p.id for p in told.passages or ()] if table.against_passages else [REFERENCE if table is Table.RESPONSE_X_REFERENCE else RESPONSE]
            pairs = zip(ids, letters, strict=False)
            judgements += [a_judgement(table, claim_id, premise, letter, trace_id=told.id) for premise, letter in pairs if letter != "-"]
    for claim_id, letter in (joined or {}).items():
        judgements.append(a_judgement(Table.RESPONSE_X_PASSAGES, claim_id, JOINED, letter, trace_id=told.id))
    made = [a_claim(c, trace_id=told.id) for c in claims] + [a_claim(c, side=Side.REFERENCE, trace_id=told.id) for c in expected]
    return JudgedTrace(
        trace=told, claims=tuple(made), judgements=tuple(judgements), ratings=ratings, annotations=annotations, k=k, retrieval_k=retrieval_k, policy=policy
    )


def a_rating(value: float | None, kind: RatingKind = RatingKind.QUESTION_TO_RESPONSE_DIRECT, *, target_id: str = RESPONSE, **fields: Any) -> Rating:
    """A rating of trace t1."""
    return Rating(kind=kind, trace_id=fields.pop("trace_id", "t1"), target_id=target_id, value=value, provenance=PROVENANCE, **fields)


def a_note(claim_id: str, grounding: Grounding | None, *, author: str = "Ada", minute: int = 0, **fields: Any) -> Annotation:
    """A person's word on a claim of trace t1, at that minute of one hour."""
    return Annotation(
        trace_id=fields.pop("trace_id", "t1"), claim_id=claim_id, grounding=grounding, author=author, at=datetime(2026, 1, 1, 12, minute, tzinfo=UTC), **fields
    )


def a_score(value: float | None, name: str = "faithfulness", *, support: int = 1, trace_id: str = "t1", **fields: Any) -> Score:
    """A score; a missing value is UNDEFINED."""
    status = fields.pop("status", ScoreStatus.OK if value is not None else ScoreStatus.UNDEFINED)
    reason = fields.pop("reason", "" if value is not None else "nothing to count")
    return Score(
        metric=name, metric_version="1", trace_id=trace_id, value=value, status=status, support=support if value is not None else 0, reason=reason, **fields
    )


def judged_by_facts(trace: Trace, claims: tuple[Claim, ...], *, k: int | None = None, retrieval_k: int = 5) -> JudgedTrace:
    """
    A trace judged by its annotations, in all four tables, by the rule of the facts judge.

    Entailed when the premise holds the same pair, contradicted when it holds the attribute with other values only, else neutral;
    unjudged where the premise has no annotations.
    """
    pairs = [p for table in Table for p in (*pairs_for(trace, claims, table, k=k), *joined_pairs(trace, claims, table, k=k))]
    judgements = []
    for pair in pairs:
        fact, known = pair.hypothesis_fact, pair.premise_facts
        if fact is None or known is None:
            verdict = Verdict.UNJUDGED
        elif fact in known:
            verdict = Verdict.ENTAILED
        else:
            verdict = Verdict.CONTRADICTED if any(f.attribute == fact.attribute for f in known) else Verdict.NEUTRAL
        judgements.append(Judgement(key=pair.key, verdict=verdict, provenance=PROVENANCE))
    return JudgedTrace(trace=trace, claims=claims, judgements=tuple(judgements), k=k, retrieval_k=retrieval_k)


__all__ = [
    "LETTERS", "PROVENANCE", "a_case", "a_claim", "a_judgement", "a_note", "a_passage", "a_rating", "a_score", "a_trace", "joined_id", "judged_by_facts",
]
