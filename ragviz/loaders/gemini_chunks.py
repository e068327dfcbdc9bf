"""Chunks of a streamed reply of Gemini put together to the reply they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ragviz.loaders.cells import is_null, listed, structure
from ragviz.loaders.fields import normal
from ragviz.loaders.rows import Row
from ragviz.records import LoadIssue

_ASKED = frozenset({"request", "contents", "question", "prompt", "query", "input"})


def whole_reply(chunks: Sequence[Any]) -> Mapping[str, Any] | None:
    """One reply with the texts of all chunks as one part, in order; None where they are no chunks. What several chunks say (usage, why it ended) is the last one's."""
    given = [one for one in map(structure, chunks) if isinstance(one, Mapping)]
    if not given or not any(_candidate(one) for one in given):
        return None
    if len(given) == 1:
        return given[0]
    reply: dict[str, Any] = {}
    candidate: dict[str, Any] = {}
    grounding: dict[str, Any] = {}
    text, others = "", []
    for chunk in given:
        reply |= {normal(str(name)): value for name, value in chunk.items() if not is_null(value)}
        one = _candidate(chunk)
        candidate |= {normal(str(name)): value for name, value in one.items() if not is_null(value)}
        content = structure(one.get("content"))
        for part in listed(content.get("parts")) if isinstance(content, Mapping) else ():
            if isinstance(part, Mapping) and isinstance(part.get("text"), str) and not part.get("thought"):
                text += part["text"]
            else:
                others.append(part)
        told = structure(candidate.get("grounding_metadata"))
        grounding |= {normal(str(name)): value for name, value in told.items() if value} if isinstance(told, Mapping) else {}
    candidate["content"] = {"role": "model", "parts": [{"text": text}, *others]}
    return {**reply, "candidates": [{**candidate, **({"grounding_metadata": grounding} if grounding else {})}]}


def gathered(rows: Iterable[Row | LoadIssue]) -> Iterator[Row | LoadIssue]:
    """Rows that are chunks of one stream (one after the other, of one response id, only the last of which ends) as one row; all others as they are."""
    held: list[Row] = []
    for row in rows:
        if held and not (isinstance(row, Row) and _is_chunk(row.value) and not _ends(held[-1].value) and _id(row.value) == _id(held[0].value)):
            yield from _joined(held)
            held = []
        if isinstance(row, Row) and _is_chunk(row.value):
            held.append(row)
        else:
            yield row
    yield from _joined(held)


def _joined(held: Sequence[Row]) -> Iterator[Row]:
    """The reply; replies without an id of which none ends are no stream."""
    is_stream = len(held) > 1 and (not is_null(_id(held[0].value)) or _ends(held[-1].value))
    reply = whole_reply([row.value for row in held]) if is_stream else None
    yield from held if reply is None else [held[0]._replace(value=reply)]


def _candidate(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    first = next((one for one in listed(structure(chunk.get("candidates"))) if isinstance(one, Mapping)), None)
    return first if first is not None else {}


def _is_chunk(value: Any) -> bool:
    """A reply without what was asked: beside a question it is a record of its own."""
    return isinstance(value, Mapping) and bool(_candidate(value)) and not _ASKED & {normal(str(name)) for name in value}


def _named(value: Mapping[str, Any], name: str) -> Any:
    return next((inner for key, inner in value.items() if normal(str(key)) == name), None)


def _ends(value: Mapping[str, Any]) -> bool:
    return not is_null(reason := _named(_candidate(value), "finish_reason")) and reason not in (0, "FINISH_REASON_UNSPECIFIED")


def _id(value: Mapping[str, Any]) -> Any:
    return _named(value, "response_id")
