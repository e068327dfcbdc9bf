"""Azure OpenAI "on your data" (citations beside each reply) and conversations of the Azure AI evaluation SDK, whose messages carry their context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from ragviz.loaders.asked import HUMAN, MACHINE, answered, asked, role_of
from ragviz.loaders.building import assemble, tags_of
from ragviz.loaders.cells import id_of, is_blank, is_null, listed, number, structure, text_of, words
from ragviz.loaders.fields import SYNONYMS, Record
from ragviz.loaders.format import Format, per_row
from ragviz.loaders.outline import Outline
from ragviz.loaders.passages import Draft, drafts_of
from ragviz.loaders.rows import Row, left_out
from ragviz.loaders.scores_in import rest_of
from ragviz.records import LoadIssue, Trace, Turn

_NAMES = ("id", "filepath", "url", "title")
"""What names a document, the surest first; ``chunk_id`` counts within it."""


def documents_beside(reply: Mapping[str, Any]) -> list[Draft] | None:
    """
    What was given to the model, out of a chat completion: ``context.citations`` of its message, or of its tool message (as older versions have it).

    None where the reply has neither. Scores are taken from ``all_retrieved_documents``; what was filtered out was not given to the model.
    """
    for choice in listed(reply.get("choices")):
        if not isinstance(choice, Mapping):
            continue
        for message in (choice.get("message"), *listed(choice.get("messages"))):
            found = documents_in(message.get("context")) if isinstance(message, Mapping) else None
            if found is None and isinstance(message, Mapping) and role_of(message) == "tool":
                found = documents_in(message.get("content"), text_too=False)
            if found is not None:
                return found
    return None


def documents_in(context: Any, *, text_too: bool = True) -> list[Draft] | None:
    """Citations in the context of a message, or the context itself; None where there is none."""
    value = structure(context)
    if isinstance(value, Mapping):
        cited = structure(value.get("citations"))
        if isinstance(cited, list):
            scores = _scores(value.get("all_retrieved_documents"))
            return [_draft(one, scores) for one in cited]
        inner = (documents_in(one.get("content"), text_too=False) for one in listed(value.get("messages")) if isinstance(one, Mapping))
        found = next((drafts for drafts in inner if drafts is not None), None)
        return found if found is not None or not text_too else drafts_of(value) if value else None
    return drafts_of(value) if text_too and not is_null(value) else None


def _draft(citation: Any, scores: Mapping[str, float]) -> Draft:
    if not isinstance(citation, Mapping):
        return Draft(text=text_of(citation))
    name = next((found for key in _NAMES if (found := id_of(citation.get(key)))), None)
    chunk = id_of(citation.get("chunk_id"))
    meta = structure(citation.get("metadata"))
    text = text_of(citation.get("content"))
    own = number(citation.get("rerank_score", citation.get("original_search_score")))
    return Draft(
        text=text, doc_id=name, id=f"{name}:{chunk}" if name and chunk else None, title=words(citation.get("title")),
        source=words(citation.get("filepath")) or words(citation.get("url")), score=own if own is not None else scores.get(text),
        metadata=tags_of({**(meta if isinstance(meta, Mapping) else {}), "chunk_id": chunk, "url": citation.get("url")}),
    )


def _scores(retrieved: Any) -> dict[str, float]:
    """Score by text: the reranker's where there is one."""
    found: dict[str, float] = {}
    for one in listed(structure(retrieved)):
        score = number(one.get("rerank_score", one.get("original_search_score"))) if isinstance(one, Mapping) else None
        if score is not None:
            found[text_of(one.get("content"))] = score
    return found


def read(source: BinaryIO, filename: str) -> Iterator[Trace | LoadIssue]:
    """A trace for each reply that carries a context."""
    return per_row(source, filename, _conversation)


def _conversation(row: Row) -> Iterator[Trace | LoadIssue]:
    talk = structure(row.value.get("conversation"))
    given, whole = _messages(row.value), talk.get("context") if isinstance(talk, Mapping) else None
    yield from left_out(row.where, "messages", given)
    messages: Sequence[Mapping[str, Any]] = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    replies = [n for n, one in enumerate(messages) if role_of(one) in MACHINE]
    wanted = [n for n in replies if not is_null(structure(messages[n].get("context")))] or (replies if not is_null(structure(whole)) else replies[-1:])
    if not wanted:
        yield LoadIssue(where=row.where, message="the conversation holds no reply of the assistant", fix="write its messages with role and content")
        return
    record = Record({name: value for name, value in row.value.items() if name not in ("conversation", "messages")})
    name = record.named("id")
    reference = record.named("reference")
    scores, tags = rest_of(record)
    for n in wanted:
        at = max((k for k in range(n) if role_of(messages[k]) in HUMAN), default=None)
        content = messages[n].get("content")
        context = messages[n].get("context")
        yield from assemble(
            row.where,
            row.n,
            id=name if len(wanted) == 1 else f"{id_of(name) or f'row-{row.n + 1}'}-turn-{n + 1}",
            question=None if at is None else asked(messages[at].get("content")),
            response=None if content is None else "" if is_blank(content) else answered(content),
            drafts=documents_in(context if not is_null(structure(context)) else whole),
            history=tuple(Turn(role=role_of(one), text=text_of(answered(one.get("content")))) for one in messages[: at or 0]) or None,
            group=(id_of(name) or f"row-{row.n + 1}") if len(wanted) > 1 else None,
            reference=words(reference) if len(wanted) == 1 else None,
            scores=tuple(scores) if n == wanted[-1] else (),
            tags=tags,
        )


def _messages(value: Mapping[str, Any]) -> Any:
    talk = structure(value.get("conversation"))
    return structure(talk.get("messages")) if isinstance(talk, Mapping) else structure(value.get("messages"))


def matches(look: Outline) -> bool:
    """A conversation with messages in it, or messages of which a reply has a context."""
    row = look.row
    messages = _messages(row)
    if not isinstance(messages, list) or any(name in row for name in SYNONYMS["response"]):
        return False
    replies = [one for one in messages if isinstance(one, Mapping) and role_of(one) in MACHINE]
    return isinstance(structure(row.get("conversation")), Mapping) or any(not is_null(structure(one.get("context"))) for one in replies)


LOADER = Format(
    name="azure_conversations", label="Azure AI evaluation conversations", order=55, matches=matches, read=read, suffixes=(".jsonl", ".json"),
    recognised_by="conversation with messages, or messages of which a reply has a context",
)
