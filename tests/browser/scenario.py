"""A trace with everything in it: all five verdicts, a clash, an invented citation, a passage nobody used. Judged by hand."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from ragviz.records import (
    Citation,
    Claim,
    Clash,
    ClashKind,
    Cost,
    Evidence,
    JudgedTrace,
    Judgement,
    PairKey,
    Passage,
    Provenance,
    Side,
    Span,
    Table,
    Trace,
    Usage,
    Verdict,
)

BY = Provenance(judge="local", judge_version="1", params_hash="0123abcd")

QUESTION = "How long can I return an unopened item, and what does it cost me?"
RESPONSE = (
    "An unopened item can be sent back within 90 days of delivery [2]. Refunds go back to the payment method you used [1] and "
    "arrive within 5 working days [1]. Return postage is free for orders over €50 [3]. Gift cards can be swapped for store credit at any time [7]. "
    "If the seal is broken, the help desk decides case by case. Have a nice day!"
)
CLAIMS = (
    "An unopened item can be sent back within 90 days of delivery",
    "Refunds go back to the payment method you used",
    "arrive within 5 working days",
    "Return postage is free for orders over €50",
    "Gift cards can be swapped for store credit at any time",
    "If the seal is broken, the help desk decides case by case",
)
PASSAGES = (
    ("refunds_faq", "official", "2026-02-10", 0.74, "Refunds always go back to the payment method used for the order. No cash."),
    ("returns_mirror", "unofficial mirror", "2023-01-01", 0.69,
     "Copied from a fan page about the shop: an unopened item can be sent back within 90 days of delivery. Keep the receipt."),
    ("postage_terms", "official", "2026-01-01", 0.63, "Return postage is free for orders of €75 or more. Below that amount, €4.95 is taken off the refund."),
    ("returns_current", "official", "2026-01-01", 0.55,
     "Returns, official policy. From 1 January 2026 an unopened item can be sent back within 30 days of delivery. Faulty items: see Repairs."),
    ("refund_times", "official", "2025-11-20", 0.52, "Once a parcel has reached our warehouse, the refund is paid within 5 working days."),
)
SUPPORT = {
    ("c1", 1): "an unopened item can be sent back within 90 days of delivery",
    ("c2", 0): "Refunds always go back to the payment method used for the order",
    ("c3", 4): "the refund is paid within 5 working days",
}
AGAINST = {("c1", 3): ("an unopened item can be sent back within 30 days of delivery", ClashKind.DURATION, "90 days", "30 days", "90 days", "30 days"),
           ("c4", 2): ("Return postage is free for orders of €75 or more", ClashKind.MONEY, "over €50", "€75 or more", "over 50 EUR", "75 EUR or more")}


def find(text: str, part: str) -> Span:
    at = text.index(part)
    return Span(at, at + len(part))


def a_rich_trace() -> Trace:
    """The trace alone, as a loader would give it."""
    passages = tuple(
        Passage(id=name, doc_id=name, text=text, rank=rank, score=score, authority=authority, effective_date=date)
        for rank, (name, authority, date, score, text) in enumerate(PASSAGES, start=1)
    )
    marks = [(m, names) for m, names in (("[2]", ("returns_mirror",)), ("[3]", ("postage_terms",)), ("[7]", ()))]
    citations = [Citation(span=find(RESPONSE, m), marker=m, passage_ids=ids, unresolved=() if ids else ("7",)) for m, ids in marks]
    first = RESPONSE.index("[1]")
    citations += [Citation(span=Span(at, at + 3), marker="[1]", passage_ids=("refunds_faq",)) for at in (first, RESPONSE.index("[1]", first + 1))]
    return Trace(
        id="tr-0417", question=QUESTION, response=RESPONSE, passages=passages, citations=tuple(sorted(citations, key=lambda c: c.span)),
        reference="An unopened item can be returned within 30 days of delivery. Return postage is free from €75.",
        relevant_ids=frozenset({"returns_current", "postage_terms"}), usage=Usage(latency_ms=812, cost_usd=0.0031),
        started_at=datetime(2026, 3, 12, 14, 2, tzinfo=UTC), tags={"system": "support assistant"}, origin="made_up.jsonl:1",
    )


def a_rich_case(k: int | None = None) -> JudgedTrace:
    """The trace with six claims and thirty verdicts."""
    trace = a_rich_trace()
    claims = tuple(
        Claim(id=f"c{n}", trace_id=trace.id, side=Side.RESPONSE, text=text, spans=(find(RESPONSE, text),), extractor="rules")
        for n, text in enumerate(CLAIMS, start=1)
    )
    judgements = tuple(_judge(claim, at, passage) for claim in claims for at, passage in enumerate(trace.passages or ()))
    return JudgedTrace(trace=trace, claims=claims, judgements=judgements, k=k)


def _judge(claim: Claim, at: int, passage: Passage) -> Judgement:
    key = PairKey(Table.RESPONSE_X_PASSAGES, claim.trace_id, claim.id, passage.id)
    quote = SUPPORT.get((claim.id, at))
    if quote:
        span = find(passage.text, quote)
        return Judgement(key=key, verdict=Verdict.ENTAILED, confidence=0.96, calibrated=True, evidence=(Evidence(span=span, quote=quote),), provenance=BY,
                         cost=Cost(elapsed_ms=12.0), rationale="every content word of the claim is in the passage")
    if (claim.id, at) in AGAINST:
        quote, kind, said, found, said_value, found_value = AGAINST[claim.id, at]
        clash = Clash(
            kind=kind, hypothesis_span=find(claim.text, said), premise_span=find(passage.text, found), hypothesis_value=said_value, premise_value=found_value
        )
        return Judgement(
            key=key,
            verdict=Verdict.CONTRADICTED,
            confidence=0.93,
            calibrated=True,
            evidence=(Evidence(span=find(passage.text, quote), quote=quote),),
            clashes=(clash,),
            provenance=BY,
            cost=Cost(elapsed_ms=12.0),
            rationale=f"same statement, other {kind.value}",
        )
    if claim.id == "c6":
        return Judgement(key=key, verdict=Verdict.UNJUDGED, rationale="the judge gave no answer in 30 s, three times", provenance=BY)
    return Judgement(key=key, verdict=Verdict.NEUTRAL, confidence=0.88, calibrated=True, provenance=BY)


def a_denied_case() -> JudgedTrace:
    """The rich case with the reference judged as well: it denies the 90 days of c1, which a mirror supports."""
    case = a_rich_case()
    reference = case.trace.reference or ""
    quote = "An unopened item can be returned within 30 days of delivery"
    clash = Clash(
        kind=ClashKind.DURATION,
        hypothesis_span=find(CLAIMS[0], "90 days"),
        premise_span=find(reference, "30 days"),
        hypothesis_value="90 days",
        premise_value="30 days",
    )
    denied = Judgement(
        key=PairKey(Table.RESPONSE_X_REFERENCE, case.trace.id, "c1", "reference"),
        verdict=Verdict.CONTRADICTED,
        confidence=0.95,
        calibrated=True,
        evidence=(Evidence(span=find(reference, quote), quote=quote),),
        clashes=(clash,),
        provenance=BY,
    )
    return replace(case, judgements=(*case.judgements, denied))
