"""Gemini (AI Studio, Vertex AI): replies of generateContent with what grounded them, beside what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

from ragviz.loaders.asked import HUMAN, asked
from ragviz.loaders.building import assemble, tags_of, usage_of, warning
from ragviz.loaders.cells import id_of, is_null, listed, structure, text_of, words
from ragviz.loaders.fields import Record, normal
from ragviz.loaders.format import Format, guarded
from ragviz.loaders.gemini_chunks import gathered, whole_reply
from ragviz.loaders.grounding_supports import marks_of
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, numbered
from ragviz.loaders.passages_inside import given_back
from ragviz.loaders.rows import Row, left_out, read_rows
from ragviz.records import LoadIssue, Trace, Turn

_AROUND = ("response", "result", "output")
"""Where people and Vertex AI's batches keep the reply beside the request."""


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """A trace for each reply."""
    told: set[str] = set()
    for row in gathered(read_rows(source, filename=filename)):
        yield from [row] if isinstance(row, LoadIssue) else guarded(row, partial(_record, told=told))


def _record(row: Row, *, told: set[str]) -> Iterator[Trace | LoadIssue]:
    reply = reply_in(row.value)
    if reply is None:
        yield LoadIssue(where=row.where, message="no reply with candidates in this record", fix='write what generateContent gave beside what was asked: {"request": {…}, "response": {…}}')
        return
    beside = Record({name: value for name, value in row.value.items() if row.value is not reply and name not in (*_AROUND, "request", "contents")})
    sent = _object(row.value.get("request"))
    contents = _contents(sent.get("contents", row.value.get("contents")))
    spoken = [one for one in contents if _said(one)]
    at = max((n for n, one in enumerate(spoken) if text_of(one.get("role", "user")).lower() in HUMAN), default=None)
    question = asked(_said(spoken[at])) if at is not None else asked(beside.named("question"))
    candidates = [one for one in listed(reply.get("candidates")) if isinstance(one, Mapping)]
    candidate = candidates[0] if candidates else {}
    parts = _texts(_object(candidate.get("content")).get("parts"))
    answer = "".join(parts) if parts else None
    grounding = _object(_named(candidate, "grounding_metadata"))
    drafts = _passages(_named(grounding, "grounding_chunks"))
    passages = numbered(drafts)[0] if drafts else ()
    marks, lost = marks_of(parts, _named(grounding, "grounding_supports"), [p.id for p in passages])
    used = _object(_named(reply, "usage_metadata"))
    yield from assemble(
        row.where,
        row.n,
        id=beside.named("id") or _named(reply, "response_id"),
        question=question,
        response=answer,
        drafts=drafts if drafts is not None else _from_functions(contents),
        citations=marks,
        reference=words(beside.named("reference")),
        history=tuple(Turn(role=text_of(one.get("role", "user")), text=_said(one)) for one in spoken[: at or 0]) or None,
        model=words(_named(reply, "model_version")) or words(sent.get("model")) or words(beside.values.get("model")),
        usage=usage_of(tokens_in=_named(used, "prompt_token_count"), tokens_out=_named(used, "candidates_token_count")),
        tags=tags_of({"finish": _named(candidate, "finish_reason"), "error": _blocked(reply) or (row.value.get("status") or None)}),
    )
    yield from left_out(row.where, "candidates", reply.get("candidates"))
    yield from left_out(row.where, "groundingChunks", _named(grounding, "grounding_chunks"))
    yield from left_out(row.where, "groundingSupports", _named(grounding, "grounding_supports"))
    if answer is None and (why := _blocked(reply)):
        yield warning(row.where, f"there is no reply: {why}", "change what was asked, or the safety settings")
    if len(candidates) > 1:
        yield warning(row.where, f"{len(candidates)} replies in one record; the first was read", "write one record per reply to see the others")
    if lost:
        yield warning(row.where, f"{lost} of the grounding supports fit nothing in the reply; they were left out", "keep the reply as the service gave it")
    if drafts and not any(d.text for d in drafts) and "web" not in told:
        told.add("web")
        yield warning(row.where, "what grounded the reply are addresses without texts", "open documents with these addresses as ids along with it: --documents FILE")


def reply_in(value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The reply itself, or the one that is kept beside what was asked; None where there is none."""
    for one in (value, *(structure(value.get(name)) for name in _AROUND)):
        if isinstance(one, list):  # as it was streamed
            one = whole_reply(one)  # noqa: PLW2901 - the same reply
        if not isinstance(one, Mapping):
            continue
        known = [c for c in listed(one.get("candidates")) if isinstance(c, Mapping)]
        if any(isinstance(structure(c.get("content")), Mapping) or _named(c, "grounding_metadata") or _named(c, "finish_reason") for c in known):
            return one
        if "candidates" not in one and isinstance(_named(one, "prompt_feedback"), Mapping):
            return one
    return None


def _named(value: Mapping[str, Any], name: str) -> Any:
    """The value under a name as the service writes it, groundingChunks, or as Python's library does, grounding_chunks."""
    return next((structure(inner) for key, inner in value.items() if key == name or normal(str(key)) == name), None)


def _object(value: Any) -> Mapping[str, Any]:
    found = structure(value)
    return found if isinstance(found, Mapping) else {}


def _contents(value: Any) -> list[Mapping[str, Any]]:
    """What was sent: a list of contents, one content, or plain text."""
    found = structure(value)
    if isinstance(found, str) and found.strip():
        return [{"role": "user", "parts": [{"text": found}]}]
    given = found if isinstance(found, list) else [found]
    return [{"role": "user", "parts": [{"text": one}]} if isinstance(one, str) else one for one in given if isinstance(one, Mapping | str)]


def _texts(parts: Any) -> list[str]:
    """Texts of parts, "" for a part that is none, so that each keeps its number; [] where no part is a text. Thoughts are not what was said."""
    given = parts if isinstance(parts, list) else [parts]
    texts = [one["text"] if isinstance(one, Mapping) and isinstance(one.get("text"), str) and not one.get("thought") else None for one in given]
    return [text_of(text) if text is not None else "" for text in texts] if any(text is not None for text in texts) else []


def _said(content: Mapping[str, Any]) -> str:
    return "\n".join(text for text in _texts(content.get("parts")) if text)


def _from_functions(contents: Sequence[Mapping[str, Any]]) -> list[Draft] | None:
    """What functions gave back after the last question; None where none did."""
    found: list[Draft] | None = None
    for content in contents:
        if _said(content) and text_of(content.get("role", "user")).lower() in HUMAN:
            found = None
        for part in listed(content.get("parts")):
            given = _object(_named(part, "function_response")) if isinstance(part, Mapping) else {}
            if (reply := structure(given.get("response"))) is not None:
                inner = next((reply[name] for name in ("result", "output", "content") if name in reply), reply) if isinstance(reply, Mapping) else reply
                found = [*(found or ()), *given_back(inner)]
    return found


def _passages(chunks: Any) -> list[Draft] | None:
    """Chunks of the grounding: a passage of a corpus with its text, or a page of the web or of maps, of which only the address is known."""
    if not isinstance(chunks, list):
        return None
    drafts: list[Draft] = []
    seen: dict[str, int] = {}
    for n, chunk in enumerate(chunks):
        given = next((inner for name in ("retrieved_context", "web", "maps") if isinstance(inner := _named(chunk, name), Mapping)), {}) if isinstance(chunk, Mapping) else {}
        text = text_of(given.get("text")) or text_of(_object(_named(given, "rag_chunk")).get("text"))
        name = id_of(_named(given, "document_name")) or id_of(given.get("uri")) or id_of(given.get("title")) or f"chunk-{n + 1}"
        seen[name] = seen.get(name, 0) + 1
        drafts.append(
            Draft(
                text=text, doc_id=name, id=f"{name}:{seen[name]}" if seen[name] > 1 else None, title=words(given.get("title")), source=words(given.get("uri")), missing=not text,
                metadata=tags_of({str(key): value for key, value in given.items() if normal(str(key)) in ("page_number", "place_id", "file_search_store", "domain")}),
            )
        )
    return drafts


def _blocked(reply: Mapping[str, Any]) -> str | None:
    reason = _named(_object(_named(reply, "prompt_feedback")), "block_reason")
    return None if is_null(reason) else f"blocked ({text_of(reason)})"


def matches(look: Outline) -> bool:
    """A reply with candidates, by itself or beside what was asked."""
    return reply_in(look.row) is not None


LOADER = Format(
    name="gemini", label="Gemini replies (AI Studio, Vertex AI)", order=28, matches=matches, read=read, suffixes=(".jsonl", ".json"),
    recognised_by="candidates whose first has content or groundingMetadata, by itself or as the response to a request",
)
