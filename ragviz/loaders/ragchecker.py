"""RAGChecker: inputs, and outputs with claims and label matrices."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, first_text, score_of, warning
from ragviz.loaders.cells import is_null, text_of
from ragviz.loaders.claims_in import claim_text
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import drafts_of, numbered
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.unwrapping import unwrapped
from ragviz.loaders.verdict_words import verdict_of
from ragviz.records import REFERENCE, RESPONSE, ImportedClaim, ImportedVerdict, LoadIssue, Passage, Side, Table, Trace
from ragviz.text.counts import counted

# Their names read premise2claims: retrieved2response[i][j] is passage j against RESPONSE claim i.
_TABLES = {
    "retrieved2response": Table.RESPONSE_X_PASSAGES,
    "answer2response": Table.RESPONSE_X_REFERENCE,
    "retrieved2answer": Table.REFERENCE_X_PASSAGES,
    "response2answer": Table.REFERENCE_X_RESPONSE,
}
_CLAIMS = {Side.RESPONSE: "response_claims", Side.REFERENCE: "gt_answer_claims"}


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """Each result with its claims, and each label as an imported verdict."""
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            yield row
        else:
            results = list(unwrapped(row, wanted="results"))
            scoped = _ambiguous([one for one in results if isinstance(one, Row)])
            for one in results:
                if isinstance(one, LoadIssue):
                    yield one
                else:
                    yield from guarded(one, partial(_trace, scoped=scoped))


def _ambiguous(results: list[Row]) -> frozenset[str]:
    """Document ids that stand for different texts in different questions ("000" for the first passage of each)."""
    texts: dict[str, str] = {}
    found: set[str] = set()
    for row in results:
        contexts = row.value.get("retrieved_context") if isinstance(row.value, Mapping) else None
        for draft in (drafts_of(contexts) or ()) if isinstance(contexts, list) else ():
            if draft.doc_id is not None and texts.setdefault(draft.doc_id, draft.text) != draft.text:
                found.add(draft.doc_id)
    return frozenset(found)


def _trace(row: Row, *, scoped: frozenset[str]) -> Iterator[Trace | LoadIssue]:
    value = row.value
    drafts = drafts_of(value.get("retrieved_context")) if isinstance(value.get("retrieved_context"), list) else None
    for draft in drafts or ():
        if draft.doc_id in scoped:
            draft.id = draft.doc_id
            draft.doc_id = f"{text_of(value.get('query_id', row.n))}/{draft.doc_id}"
    passages, _ = numbered(drafts or ())
    doubts: list[str] = []
    claims: list[ImportedClaim] = []
    for side, name in _CLAIMS.items():
        claims += _claims(value, side, name, passages, doubts)
    metrics = value.get("metrics")
    yield from assemble(
        row.where, row.n, id=value.get("query_id"), question=value.get("query"), response=value.get("response"), drafts=drafts,
        reference=first_text(value.get("gt_answer")), claims=tuple(claims) if any(value.get(n) is not None for n in _CLAIMS.values()) else None,
        scores=tuple(score_of(k, v) for k, v in metrics.items()) if isinstance(metrics, Mapping) else (),
    )
    for doubt in dict.fromkeys(doubts):
        yield warning(row.where, doubt, "run the checker again for this question")


def _claims(value: Mapping[str, Any], side: Side, name: str, passages: tuple[Passage, ...], doubts: list[str]) -> list[ImportedClaim]:
    texts = value.get(name)
    if texts is None and any(value.get(label) for label, table in _TABLES.items() if table.side is side):
        doubts.append(f"labels without {name}")
    if not isinstance(texts, list):
        return []
    labels: dict[str, list[Any]] = {}
    for label, table in _TABLES.items():
        given = value.get(label)
        if table.side is side and isinstance(given, list):
            labels[label] = given
            if len(given) != len(texts):
                doubts.append(f"{label} has {counted(len(given), 'label')} for {len(texts)} {name}")
    found: list[ImportedClaim] = []
    for i, element in enumerate(texts):
        text = claim_text(element)
        if not text:
            doubts.append(f"{name}[{i}] is empty")
            continue
        verdicts = [v for label, given in labels.items() if i < len(given) for v in _verdicts(given[i], label, passages, doubts)]
        found.append(ImportedClaim(side=side, text=text, verdicts=tuple(verdicts)))
    return found


def _verdicts(given: Any, label: str, passages: tuple[Passage, ...], doubts: list[str]) -> list[ImportedVerdict]:
    table = _TABLES[label]
    if not table.against_passages:
        premise = REFERENCE if table is Table.RESPONSE_X_REFERENCE else RESPONSE
        return [] if is_null(given) else [ImportedVerdict(table=table, premise_id=premise, verdict=verdict_of(given), label=text_of(given))]
    if not isinstance(given, list):
        return []
    if len(given) != len(passages):
        doubts.append(f"a row of {label} has {counted(len(given), 'label')} for {counted(len(passages), 'passage')}")
    return [
        ImportedVerdict(table=table, premise_id=passage.id, verdict=verdict_of(one), label=text_of(one))
        for passage, one in zip(passages, given, strict=False) if not is_null(one)
    ]


def matches(look: Outline) -> bool:
    """Results with query, gt_answer and retrieved_context."""
    inner = look.top.get("results")
    first = inner[0] if isinstance(inner, list) and inner and isinstance(inner[0], dict) else look.row
    return "query" in first and "retrieved_context" in first and bool(first.keys() & {"gt_answer", "query_id", "response_claims", "retrieved2response"})


def write_ragchecker(traces: Iterable[Trace]) -> Iterator[bytes]:
    """Traces as RAGChecker input; claims and labels too, where a trace has them for every pair."""
    yield b'{"results": [\n'
    for n, trace in enumerate(traces):
        row: dict[str, Any] = {
            "query_id": trace.id, "query": trace.question, "gt_answer": trace.reference or "", "response": trace.response,
            "retrieved_context": [{"doc_id": p.matching_id, "text": p.text} for p in trace.passages or ()],
        }
        row.update(_labels(trace))
        yield (b",\n" if n else b"") + json.dumps(row, ensure_ascii=False).encode()
    yield b"\n]}\n"


def _labels(trace: Trace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for side, name in _CLAIMS.items():
        claims = [c for c in trace.claims or () if c.side is side]
        if not claims:
            continue
        found[name] = [c.text for c in claims]
        for label, table in _TABLES.items():
            if table.side is side and any(v.table is table for c in claims for v in c.verdicts):
                said = [{v.premise_id: v.label for v in c.verdicts if v.table is table} for c in claims]
                if table.against_passages:
                    found[label] = [[given.get(p.id) for p in trace.passages or ()] for given in said]
                else:
                    found[label] = [next(iter(given.values()), None) for given in said]
    return found


LOADER = Format(
    name="ragchecker", label="RAGChecker inputs and outputs", order=10,
    recognised_by="results of which each has query, gt_answer and retrieved_context", matches=matches, read=read, suffixes=(".json",),
)
