"""PaperQA2 sessions: answers that cite contexts, with their scores, summaries and cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from ragviz.loaders.building import assemble, score_of, tags_of, usage_of, warning
from ragviz.loaders.cells import id_of, is_null, listed, number, text_of, words
from ragviz.loaders.companions import Part
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, numbered
from ragviz.loaders.rows import Row
from ragviz.records import Citation, LoadIssue, Passage, Span, Trace

_DETAILS = ("year", "doi", "is_retracted", "source_quality", "journal", "title")


def read(source: BinaryIO, filename: str) -> Iterator[Part]:
    """Sessions, alone or wrapped in an AnswerResponse."""
    yield from per_row(source, filename, _session)


def _session(row: Row) -> Iterator[Trace | LoadIssue]:
    wrapper = row.value if isinstance(row.value.get("session"), Mapping) else {}
    session = wrapper.get("session", row.value)
    used = [text_of(one) for one in listed(session.get("used_contexts"))]
    drafts, repeated, summaries = _contexts(session.get("contexts"), used)
    answer = text_of(session.get("answer")) or text_of(session.get("raw_answer"))
    passages = numbered(drafts or ())[0]
    counts = session.get("token_counts")
    counts = {k: v for k, v in counts.items() if isinstance(v, list) and len(v) == 2} if isinstance(counts, Mapping) else {}
    seconds = number(wrapper.get("duration"))
    success = session.get("has_successful_answer")
    yield from assemble(
        row.where, row.n, id=session.get("id"), question=session.get("question"), response=answer, drafts=drafts, citations=citations_of(answer, passages),
        usage=usage_of(latency_ms=None if seconds is None else seconds * 1000, cost_usd=session.get("cost"), tokens_in=sum(number(v[0]) or 0 for v in counts.values()) if counts else None,
                       tokens_out=sum(number(v[1]) or 0 for v in counts.values()) if counts else None),
        model=next(iter(counts), None), scores=() if not isinstance(success, bool) else (score_of("has_successful_answer", success),),
        tags=tags_of({"status": wrapper.get("status"), "graded_answer": session.get("graded_answer"), "cited": ", ".join(used) or None,
                      "passages": "summaries: the texts were emptied when the answer was saved" if summaries else None}),
    )
    if repeated:
        yield warning(row.where, f"the same context occurs more than once ({', '.join(repeated)}); it counts once", "nothing to do")


def _contexts(given: Any, used: list[str]) -> tuple[list[Draft] | None, list[str], bool]:
    """Contexts in order, each once; the summary stands in where the text was emptied. Also: repeated ids, and whether summaries were used."""
    if not isinstance(given, list):
        return None, [], False
    drafts: list[Draft] = []
    seen: set[str] = set()
    repeated: list[str] = []
    summaries = False
    for context in given:
        if not isinstance(context, Mapping):
            continue
        text = context.get("text")
        text = text if isinstance(text, Mapping) else {"text": text}
        document = text.get("doc")
        document = document if isinstance(document, Mapping) else {}
        name = id_of(context.get("id")) or f"{text_of(text.get('name'))}/{text_of(context.get('context'))[:80]}"
        if name in seen:
            repeated.append(name)
            continue
        seen.add(name)
        body, summary = text_of(text.get("text")), text_of(context.get("context"))
        summaries = summaries or (not body.strip() and bool(summary))
        score = number(context.get("score"))
        drafts.append(
            Draft(
                text=body if body.strip() else summary,
                id=id_of(context.get("id")),
                doc_id=id_of(document.get("dockey")) or id_of(document.get("docname")),
                title=words(text.get("name")),
                score=None if score == -1 else score,
                source=words(document.get("citation")),
                effective_date=words(document.get("year")),
                metadata={
                    **{k: text_of(document[k]) for k in _DETAILS if not is_null(document.get(k))},
                    "summary": summary,
                    "cited": "true" if name in used else "false",
                    **({} if body.strip() else {"text_is": "summary"}),
                },
            )
        )
    return drafts, repeated, summaries


def citations_of(answer: str, passages: tuple[Passage, ...]) -> tuple[Citation, ...]:
    """Chunk names and context ids in the answer, each with the passage it names."""
    names: dict[str, str] = {}
    for passage in passages:
        for name in (passage.title, passage.id):
            if name:
                names.setdefault(name, passage.id)
    if not names:
        return ()
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) + r"|\bpqac-[0-9a-f]{8}\b")
    return tuple(
        Citation(
            span=Span(m.start(), m.end()),
            marker=m.group(),
            passage_ids=(names[m.group()],) if m.group() in names else (),
            unresolved=() if m.group() in names else (m.group(),),
        )
        for m in pattern.finditer(answer)
    )


def matches(look: Outline) -> bool:
    """A session, or an AnswerResponse around one."""
    row = look.row
    if isinstance(row.get("session"), dict) and row.keys() & {"status", "bibtex", "duration", "timing_info", "stats"}:
        return True
    return {"question", "raw_answer", "contexts"} <= row.keys() or {"question", "contexts", "used_contexts"} <= row.keys()


LOADER = Format(
    name="paperqa", label="PaperQA2 sessions", order=36, matches=matches, read=read, suffixes=(".json", ".jsonl"),
    recognised_by="question, raw_answer and contexts; or session with status and bibtex",
)
