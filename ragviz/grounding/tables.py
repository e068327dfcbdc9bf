"""Traces and claims to the pairs a judge is asked about, and joined premises back to their passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from ragviz.records import (
    JOINED,
    REFERENCE,
    RESPONSE,
    Claim,
    Clash,
    Evidence,
    Fact,
    ImportedClaim,
    ImportedVerdict,
    Judgement,
    Pair,
    PairKey,
    Passage,
    Side,
    Span,
    Table,
    Trace,
)

SEPARATOR = "\n\n"
"""Between two passages of a joined premise: a paragraph break, so no sentence runs across it."""


def joined_id(trace: Trace, k: int | None = None) -> str:
    """Premise id of the first ``k`` passages joined. ``*`` when that is all of them, so wider cut-offs share the same verdicts."""
    passages = trace.passages or ()
    return JOINED if k is None or k >= len(passages) else f"{JOINED}{k}"


def joined_text(trace: Trace, k: int | None = None) -> str:
    """The premise text of ``joined_id(trace, k)``."""
    return SEPARATOR.join(p.text for p in trace.first_passages(k))


def pairs_for(trace: Trace, claims: Sequence[Claim], table: Table, *, k: int | None = None) -> list[Pair]:
    """
    The pairs of one table: each claim of the table's side against each passage, or against the one reference or response.

    Args:
        trace: The trace the claims belong to.
        claims: One claim set, both sides (the other side's facts become premise facts).
        table: Which claims against which premise.
        k: Only the first ``k`` passages; None = all.

    Returns:
        Pairs in claim order, then passage order. Empty where the trace has no such premise (no reference, nothing retrieved).
    """
    asked = [c for c in claims if c.side is table.side]
    verdicts = _imported_verdicts(trace, asked, table)
    if table.against_passages:
        blank = _textless(trace, k)
        asks = [(c, p) for c in asked for p in trace.first_passages(k) if p.id not in blank or p.id in verdicts.get(c.id, {})]
        return [_pair(trace, c, table, premise_id=p.id, premise=p.text, facts=p.facts, verdicts=verdicts) for c, p in asks]
    premise = _other_text(trace, claims, table)
    if premise is None:
        return []
    premise_id = REFERENCE if table is Table.RESPONSE_X_REFERENCE else RESPONSE
    facts = _other_facts(claims, table)
    return [_pair(trace, claim, table, premise_id=premise_id, premise=premise, facts=facts, verdicts=verdicts) for claim in asked]


def joined_pairs(trace: Trace, claims: Sequence[Claim], table: Table, *, k: int | None = None) -> list[Pair]:
    """
    Each claim of the table's side against the first ``k`` passages joined into one text.

    Empty for tables without passages. With fewer than two passages there is nothing to join: then only those claims are asked
    for which the file itself brings a verdict on everything that was retrieved together.
    """
    if not table.against_passages:
        return []
    passages = trace.first_passages(k)
    asked = [c for c in claims if c.side is table.side]
    verdicts = _imported_verdicts(trace, asked, table)
    premise_id = joined_id(trace, k)
    if len(passages) < 2 or _textless(trace, k):
        asked = [c for c in asked if premise_id in verdicts.get(c.id, {})]
    known = [p.facts for p in passages if p.facts is not None]
    facts = tuple(f for some in known for f in some) if known else None
    premise = joined_text(trace, k)
    return [_pair(trace, claim, table, premise_id=premise_id, premise=premise, facts=facts, verdicts=verdicts) for claim in asked]


def unjoin(judgement: Judgement, trace: Trace, k: int | None = None) -> Judgement:
    """
    The same verdict with evidence and clashes located in the passages instead of in the joined text.

    A span that runs across a passage border becomes one piece per passage, weights shared by length. What lies only in the border itself is dropped.
    Judgements that are not on a joined premise, and evidence that is mapped already, come back unchanged.
    """
    if not judgement.key.premise_id.startswith(JOINED):
        return judgement
    places = _places(trace.first_passages(k))
    evidence = tuple(piece for e in judgement.evidence for piece in ((e,) if e.passage_id is not None else _split(e, places)))
    clashes = tuple(c if c.passage_id is not None else _unjoin_clash(c, places) for c in judgement.clashes)
    return msgspec.structs.replace(judgement, evidence=evidence, clashes=clashes)


def _textless(trace: Trace, k: int | None) -> set[str]:
    """Passages the file names without saying what stands in them: nothing to read, which is not the same as a passage that is silent."""
    if trace.passages_are != "ids":
        return set()
    return {p.id for p in trace.first_passages(k) if not p.text.strip() and p.facts is None}


def _places(passages: Sequence[Passage]) -> list[tuple[Passage, int]]:
    """Each passage with the place where it starts in the joined text."""
    out, at = [], 0
    for passage in passages:
        out.append((passage, at))
        at += len(passage.text) + len(SEPARATOR)
    return out


def _split(evidence: Evidence, places: Sequence[tuple[Passage, int]]) -> list[Evidence]:
    pieces = [(p, start, _overlap(evidence.span, start, start + len(p.text))) for p, start in places]
    kept = [(p, start, span) for p, start, span in pieces if span is not None and span.of(p.text).strip()]
    total = sum(len(span) for _, _, span in kept)
    return [
        msgspec.structs.replace(evidence, span=span, quote=span.of(p.text), passage_id=p.id, weight=evidence.weight * len(span) / total)
        for p, _, span in kept
    ]


def _overlap(span: Span, start: int, end: int) -> Span | None:
    """The part of ``span`` inside start..end, counted from ``start``; None when they do not meet."""
    lo, hi = max(span.start, start), min(span.end, end)
    return Span(lo - start, hi - start) if lo < hi else None


def _unjoin_clash(clash: Clash, places: Sequence[tuple[Passage, int]]) -> Clash:
    if clash.premise_span is None:
        return clash
    for passage, start in places:
        span = _overlap(clash.premise_span, start, start + len(passage.text))
        if span is not None:
            return msgspec.structs.replace(clash, premise_span=span, passage_id=passage.id)
    return msgspec.structs.replace(clash, premise_span=None)


def _pair(
    trace: Trace, claim: Claim, table: Table, *, premise_id: str, premise: str, facts: tuple[Fact, ...] | None,
    verdicts: dict[str, dict[str, ImportedVerdict]],
) -> Pair:
    return Pair(
        key=PairKey(table, trace.id, claim.id, premise_id),
        premise=premise,
        hypothesis=claim.text,
        question=trace.question,
        context=trace.response if claim.side is Side.RESPONSE else (trace.reference or ""),
        premise_facts=facts,
        hypothesis_fact=claim.fact,
        imported=verdicts.get(claim.id, {}).get(premise_id),
    )


def _other_text(trace: Trace, claims: Sequence[Claim], table: Table) -> str | None:
    """The premise of a table without passages; None when the trace has none."""
    if table is Table.REFERENCE_X_RESPONSE:
        return None if trace.is_unanswered and all(c.side is not Side.RESPONSE for c in claims) else trace.response
    if trace.reference is not None and trace.reference.strip():
        return trace.reference
    # Some files give the expected answer as claims only: their text, one a line, is then all there is to compare with.
    texts = [c.text for c in claims if c.side is Side.REFERENCE]
    return "\n".join(texts) if texts else None


def _other_facts(claims: Sequence[Claim], table: Table) -> tuple[Fact, ...] | None:
    """Facts of the other side's claims; None when this claim set has no facts at all, () when that side states none."""
    if all(c.fact is None for c in claims):
        return None
    other = Side.REFERENCE if table.side is Side.RESPONSE else Side.RESPONSE
    return tuple(c.fact for c in claims if c.side is other and c.fact is not None)


def _imported_verdicts(trace: Trace, asked: Sequence[Claim], table: Table) -> dict[str, dict[str, ImportedVerdict]]:
    """For each claim id and premise id, what the file says of that pair. Equal claims are told apart by their order."""
    if not trace.claims or not any(c.verdicts for c in trace.claims):
        return {}
    waiting: defaultdict[tuple[str, ...], list[ImportedClaim]] = defaultdict(list)
    for theirs in trace.claims:
        if theirs.side is table.side:
            for key in _imported_keys(theirs):
                waiting[key].append(theirs)
    out: dict[str, dict[str, ImportedVerdict]] = {}
    for claim in asked:
        key = ("fact", claim.fact.attribute, claim.fact.value) if claim.fact else ("text", claim.text.strip())
        found = waiting.get(key)
        if found:
            theirs = found.pop(0) if len(found) > 1 else found[0]
            out[claim.id] = {v.premise_id: v for v in theirs.verdicts if v.table is table}
    return out


def _imported_keys(claim: ImportedClaim) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = [("text", claim.text.strip())]
    if claim.attribute is not None and claim.value is not None:
        keys.append(("fact", claim.attribute, claim.value))
    return keys
