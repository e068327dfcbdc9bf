"""The steps a tracer recorded (spans, runs, observations, calls) put together into one trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec

from ragviz.loaders.asked import answered, asked, is_empty_reply
from ragviz.loaders.building import assemble, deduplicated, usage_of, warning
from ragviz.loaders.cells import structure
from ragviz.loaders.passages import Draft
from ragviz.loaders.passages_inside import conversation_in, from_tools
from ragviz.records import ImportedClaim, ImportedScore, LoadIssue, Trace, Usage


class Step(msgspec.Struct, kw_only=True):
    """One recorded step, in our words."""

    where: str
    trace_id: str
    id: str
    parent: str | None = None
    name: str = ""
    kind: str = "other"
    """retriever, reranker, llm, tool or other."""
    start: datetime | None = None
    end: datetime | None = None
    input: Any = None
    output: Any = None
    documents: list[Draft] | None = None
    """What a retriever or reranker gave; [] when it found nothing, None for other steps."""
    fallback: list[Draft] | None = None
    """Passages inside an ordinary step's output: used when no retriever was recorded."""
    tool: list[Draft] | None = None
    """What a tool gave back: used when neither a retriever nor an output with passages was recorded."""
    model: str | None = None
    tokens_in: float | None = None
    tokens_out: float | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None
    scores: list[ImportedScore] = []
    claims: tuple[ImportedClaim, ...] | None = None
    tags: dict[str, str] = {}
    reference: str | None = None
    relevant_ids: frozenset[str] | None = None
    doubts: list[str] = []


def traces_of(steps: Iterable[Step]) -> Iterator[Trace | LoadIssue]:
    """Steps in any order and of many traces, as traces in order of time (tracers export the newest first)."""
    groups: dict[str, dict[str, Step]] = {}
    for step in steps:
        steps_of = groups.setdefault(step.trace_id, {})
        known = steps_of.get(step.id)
        if known is None or not _says_more(known, step):  # a span sent twice is one span; one that was running and is finished, the finished one
            steps_of.setdefault(step.id, step)
        else:
            steps_of[step.id] = _filled(step, known)
    together = [(order, list(group.values())) for order, group in enumerate(groups.values())]
    together.sort(key=lambda g: (_began(g[1]) is None, _began(g[1]).timestamp() if _began(g[1]) else 0.0, g[0]))  # type: ignore[union-attr]
    for n, (_, group) in enumerate(together):
        yield from trace_of_steps(group, n)


def _says_more(known: Step, later: Step) -> bool:
    """True where the step was written down before it ended, and now it has."""
    return (known.output is None and later.output is not None) or (known.end is None and later.end is not None)


def _filled(later: Step, known: Step) -> Step:
    """The finished step, with what only the unfinished one said."""
    return msgspec.structs.replace(later, **{name: value for name in Step.__struct_fields__ if (value := getattr(known, name)) and not getattr(later, name)})


def trace_of_steps(group: list[Step], n: int) -> Iterator[Trace | LoadIssue]:
    """The steps of one trace as a trace with its warnings."""
    group = sorted(group, key=lambda s: s.start.timestamp() if s.start else 0.0)
    root = root_of(group)
    finders = [s for s in group if s.kind == "retriever"]
    models = _innermost([s for s in group if s.kind == "llm"])
    doubts = [doubt for step in group for doubt in step.doubts]
    question = next((found for s in [*([root] if root else []), *finders, *models, *group] if (found := asked(s.input))), None)
    answer = answered(root.output) if root is not None and root.kind != "retriever" else None
    if answer is None:
        answer = next((found for s in reversed(models) if (found := answered(s.output))), None)
    if answer is None and root is not None and root.kind != "retriever" and is_empty_reply(root.output):
        answer = ""
    if answer is None and len(group) == 1:
        answer = _beside_documents(group[0])
    tags: dict[str, str] = {}
    for step in [*group, *([root] if root else [])]:
        tags.update(step.tags)
    if root is not None:
        tags["span_id"] = root.id
    yield from assemble(
        (root or group[0]).where,
        n,
        id=group[0].trace_id,
        question=question,
        response=answer,
        drafts=_passages(group),
        reference=next((s.reference for s in group if s.reference), None),
        relevant_ids=next((s.relevant_ids for s in group if s.relevant_ids is not None), None),
        usage=_usage(group, root, models),
        started_at=_began(group),
        model=next((s.model for s in [*reversed(models), *group] if s.model), None),
        scores=tuple(dict.fromkeys(score for s in group for score in s.scores)),
        claims=next((s.claims for s in group if s.claims is not None), None),
        tags=tags,
    )
    for doubt in dict.fromkeys(doubts):
        yield warning(group[0].where, doubt, "raise the limit of the tracer, or export again")


def _beside_documents(step: Step) -> str | None:
    """The answer of a trace of one step that has documents, too: its output, where that is plain text and no document."""
    if (
        step.kind != "retriever"
        or not step.documents
        or not isinstance(step.output, str)
        or not step.output.strip()
        or structure(step.output) is not step.output
    ):
        return None
    return None if any(step.output.strip() in (draft.text.strip(), draft.doc_id) for draft in step.documents) else step.output


def root_of(group: list[Step]) -> Step | None:
    """The step without parent; else one whose parent is not in the file, unless that is a mere retriever or model call."""
    known = {s.id for s in group}
    roots = [s for s in group if not s.parent]
    if roots:
        return next((s for s in roots if s.kind == "other"), roots[0])
    return next((s for s in group if s.parent not in known and s.kind == "other"), None)


def _passages(group: list[Step]) -> list[Draft] | None:
    """What all retrievers found, each document once, in the order of the last reranker; None when nothing was recorded as retrieving."""
    found = [s for s in group if s.kind == "retriever" and s.documents is not None]
    ranked = [s for s in group if s.kind == "reranker" and s.documents is not None]
    if not found and not ranked:
        beside_answer = next((s.fallback for s in group if s.fallback is not None), None)
        return beside_answer if beside_answer is not None else _from_tools(group)
    drafts = [d for s in found or ranked for d in s.documents or ()]
    if len(found or ranked) == 1 and not (found and ranked):
        return drafts
    for draft in drafts:
        draft.rank = None
    kept = deduplicated(drafts)
    order = {d.doc_id or d.text: n for n, d in enumerate(ranked[-1].documents or ())} if ranked else {}
    for draft in kept:
        draft.metadata = {**draft.metadata, "stage": "reranked"} if (draft.doc_id or draft.text) in order else draft.metadata
    return sorted(kept, key=lambda d: order.get(d.doc_id or d.text, len(order)))


def _from_tools(group: list[Step]) -> list[Draft] | None:
    """What tools gave back, of steps of their own or in the conversation; None where none did."""
    given = [draft for s in group if s.kind == "tool" for draft in s.tool or ()]
    if given:
        return deduplicated(given)
    conversations = [conversation_in(value) for s in group if s.kind != "tool" for value in (s.output, s.input)]
    longest = max((said for said in conversations if said is not None), key=len, default=None)
    return from_tools(longest) if longest is not None else None


def _innermost(models: list[Step]) -> list[Step]:
    """Model calls without those that only wrap another one: tokens must not count twice."""
    wrapping = {s.parent for s in models}
    return [s for s in models if s.id not in wrapping]


def _usage(group: list[Step], root: Step | None, models: list[Step]) -> Usage | None:
    def total(field: str) -> float | None:
        found = [value for s in models if (value := getattr(s, field)) is not None]
        return sum(found) if found else getattr(root, field) if root is not None else None

    latency = root.latency_ms if root is not None else None
    if latency is None:
        timed = [s for s in ([root] if root is not None else group) if s.start and s.end]
        if timed:
            latency = (max(s.end for s in timed if s.end) - min(s.start for s in timed if s.start)).total_seconds() * 1000
    return usage_of(latency_ms=latency, tokens_in=total("tokens_in"), tokens_out=total("tokens_out"), cost_usd=total("cost_usd"))


def _began(group: list[Step]) -> datetime | None:
    return min((s.start for s in group if s.start), default=None)
