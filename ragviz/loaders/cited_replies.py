"""Replies of OpenAI's, Anthropic's and Cohere's interfaces that say where they cite what: the answer, the passages, and marks in the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragviz.loaders.cells import id_of, listed, structure, text_of, whole, words
from ragviz.loaders.grounding_supports import Placed, closing_marks
from ragviz.loaders.passages import Draft, draft_of, drafts_of, numbered
from ragviz.loaders.passages_inside import from_tools
from ragviz.records import Citation, Passage, Span

_OPENING = "([【"
"""How a citation begins that is written into the answer; any other place is what it is for."""


class Cited(NamedTuple):
    """What a reply says."""

    answer: str
    passages: tuple[Passage, ...] | None
    citations: tuple[Citation, ...] | None
    doubts: tuple[str, ...] = ()


def is_reply(value: Any) -> bool:
    """True for a reply of one of these interfaces as it comes, without what was asked."""
    if not isinstance(value, Mapping):
        return False
    if value.get("object") in ("response", "chat.completion"):
        return isinstance(value.get("output", value.get("choices")), list)
    if value.get("type") == "message" and value.get("role") == "assistant":
        return isinstance(value.get("content"), list)
    message = value.get("message")
    if isinstance(message, Mapping) and message.get("role") == "assistant" and "finish_reason" in value:
        return True
    return isinstance(value.get("text"), str) and "generation_id" in value and bool(value.keys() & {"citations", "chat_history", "documents", "finish_reason"})


def cited_reply(got: Mapping[str, Any], sent: Mapping[str, Any]) -> Cited | None:
    """
    A reply with its passages and marks.

    Args:
        got: What came back.
        sent: What was asked, {} where it is not known: documents lie in it that are only counted in the reply.

    Returns:
        None for a reply that cites nothing and was given no documents in a field of their own.
    """
    if isinstance(got.get("output"), list):
        return _openai(got["output"], sent)
    if isinstance(got.get("content"), list) and got.get("role", "assistant") == "assistant":
        return _anthropic(got["content"], listed(structure(sent.get("messages"))))
    if isinstance(got.get("message"), Mapping) or "generation_id" in got or (isinstance(got.get("citations"), list) and isinstance(got.get("text"), str)):
        return _cohere(got, sent)
    return None


def _finished(answer: str, drafts: list[Draft] | None, places: Sequence[tuple[Placed, Sequence[str]]], names: Mapping[str, int]) -> Cited:
    """``places``: where something is cited, by names of sources; ``names``: the number of the passage that each is."""
    passages, doubts = numbered(drafts) if drafts is not None else (None, [])
    ids = [p.id for p in passages or ()]
    marks = closing_marks(answer, [(place, [names.get(one, one) for one in cited]) for place, cited in places], ids)
    return Cited(answer, passages, marks if places else None, tuple(doubts))


def _openai(output: Sequence[Any], sent: Mapping[str, Any]) -> Cited | None:
    contents = [
        part for item in output if isinstance(item, Mapping) and item.get("type") == "message" for part in listed(item.get("content"))
        if isinstance(part, Mapping) and part.get("type") == "output_text"
    ]
    if not any(listed(part.get("annotations")) for part in contents):
        return None
    drafts = from_tools([*listed(structure(sent.get("input"))), *output])
    names = {name: n for n, draft in reversed(list(enumerate(drafts or ()))) for name in (draft.doc_id, draft.source, draft.metadata.get("filename")) if name}
    answer, places = "", []
    for part in contents:
        answer += "\n" if answer else ""
        text, start = text_of(part.get("text")), len(answer)
        for note in listed(part.get("annotations")):
            if not isinstance(note, Mapping):
                continue
            name = next((found for key in ("file_id", "url", "filename", "title") if (found := id_of(note.get(key)))), None)
            first, last = whole(note.get("start_index")), whole(note.get("end_index", note.get("index")))
            if name is None or last is None or not 0 <= last <= len(text) or not 0 <= (first or 0) <= last:
                continue
            written = first is not None and first < last and text[first] in _OPENING
            place = Placed(Span(start + (first if first is not None else max(last - 1, 0)), start + max(last, 1)), written=written, point=first is None)
            places.append((place, [name]))
        answer += text
    return _finished(answer, drafts, places, names)


def _anthropic(content: Sequence[Any], messages: Sequence[Any]) -> Cited | None:
    documents, results = list(_blocks(messages, "document")), list(_blocks(messages, "search_result"))
    blocks = [one for one in content if isinstance(one, Mapping) and one.get("type") == "text"]
    if not documents and not results and not any(listed(one.get("citations")) for one in blocks):
        return None
    drafts = [_block(one) for one in (*documents, *results)]
    names = {**{f"document {n + 1}": n for n in range(len(documents))}, **{f"result {n + 1}": len(documents) + n for n in range(len(results))}}
    answer, places = "", []
    for block in blocks:
        text = text_of(block.get("text"))
        cited = [_named(one) for one in listed(block.get("citations")) if isinstance(one, Mapping)]
        if cited and text.strip():
            places.append((Placed(Span(len(answer), len(answer) + len(text))), cited))
        answer += text
    return _finished(answer, drafts or None, places, names)


def _named(citation: Mapping[str, Any]) -> str:
    for key, kind in (("document_index", "document"), ("search_result_index", "result")):
        if (n := whole(citation.get(key))) is not None:
            return f"{kind} {n + 1}"
    return text_of(citation.get("url", citation.get("title"))) or "?"


def _blocks(value: Any, kind: str) -> Iterator[Mapping[str, Any]]:
    """Blocks of one kind in messages, also inside what tools gave back, in order."""
    for one in listed(value):
        if isinstance(one, Mapping):
            if one.get("type") == kind:
                yield one
            else:
                yield from _blocks(one.get("content"), kind)


def _block(block: Mapping[str, Any]) -> Draft:
    """A document or a search result: texts in parts of a content are put together, of a picture or a PDF only the title is known."""
    source = block.get("source")
    held: Any = source.get("data") if isinstance(source, Mapping) and source.get("type") == "text" else source.get("content") if isinstance(source, Mapping) else block.get("content")
    parts = [text_of(one.get("text")) for one in held if isinstance(one, Mapping) and one.get("type") == "text"] if isinstance(held, list) else [text_of(held)]
    title, address = words(block.get("title")), source if isinstance(source, str) else source.get("url") if isinstance(source, Mapping) else None
    return Draft(text="\n".join(part for part in parts if part), doc_id=id_of(address) or title, title=title, source=words(address))


def _cohere(got: Mapping[str, Any], sent: Mapping[str, Any]) -> Cited | None:
    message = got["message"] if isinstance(got.get("message"), Mapping) else got
    texts = [text_of(one.get("text")) if isinstance(one, Mapping) and one.get("type") == "text" else "" for one in listed(message.get("content"))] or [text_of(got.get("text"))]
    citations = [one for one in listed(message.get("citations")) if isinstance(one, Mapping) and one.get("type", "TEXT_CONTENT") == "TEXT_CONTENT"]
    given = listed(structure(got.get("documents"))) or listed(structure(sent.get("documents")))
    if not given:  # only those that are cited lie in the reply
        sources = [s for one in citations for s in listed(one.get("sources")) if isinstance(s, Mapping)]
        given = list({id_of(s.get("id")): {**(inner if isinstance(inner := s.get("document", s.get("tool_output")), Mapping) else {}), "id": s.get("id")} for s in sources}.values())
    if not given and not citations:
        return None
    drafts = [_document(one) for one in given]
    names: dict[str, int] = {}
    for n, draft in reversed(list(enumerate(drafts))):
        names |= dict.fromkeys([*(f"{word}{n}" for word in ("doc_", "doc:")), *([draft.doc_id] if draft.doc_id else [])], n)
    names |= {draft.doc_id: n for n, draft in enumerate(drafts) if draft.doc_id}
    answer, places = "".join(texts), []
    for one in citations:
        before = len("".join(texts[: whole(one.get("content_index")) or 0]))
        first, last = whole(one.get("start")), whole(one.get("end"))
        text = text_of(one.get("text"))
        if first is None or last is None or not 0 <= first < last <= len(answer) or (text and answer[before + first : before + last] != text):
            if not text or answer.count(text) != 1:
                continue
            before, first, last = 0, answer.index(text), answer.index(text) + len(text)
        cited = [*map(text_of, listed(one.get("document_ids"))), *(text_of(s.get("id")) for s in listed(one.get("sources")) if isinstance(s, Mapping))]
        places.append((Placed(Span(before + first, before + last), point=True), cited))
    return _finished(answer, drafts, places, names)


def _document(given: Any) -> Draft:
    """A document as it was sent (a text, or fields of its own) or came back."""
    if isinstance(given, Mapping):
        inner = structure(given.get("data"))
        fields = {**(inner if isinstance(inner, Mapping) else {"text": inner} if inner is not None else {}), **{key: value for key, value in given.items() if key != "data"}}
        found = drafts_of([fields])
        return found[0] if found else Draft()
    return draft_of(given)
