"""Passages that have no column of their own: inside the answer's object, in the metadata, or in what a tool gave back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ragviz.loaders.asked import role_of, unquoted
from ragviz.loaders.cells import is_null, structure
from ragviz.loaders.fields import SYNONYMS, normal
from ragviz.loaders.passages import Draft, drafts_of

_NAMES = frozenset(SYNONYMS["passages"])
_TOOLS = ("tool", "function")
_ASKS = ("user", "human")
_SENTENCE = 4
"""Words from which on a text is a passage and no file name, title or address."""


def beside(*values: Any) -> list[Draft] | None:
    """The first list of passages inside one of these objects, under a name of passages; None where none holds any. A list of file names is none."""
    for value in values:
        inner = structure(value)
        if not isinstance(inner, Mapping):
            continue
        for name, cell in inner.items():
            held = structure(cell)
            if normal(str(name)) in _NAMES and isinstance(held, list) and held and _are_texts(found := drafts_of(held) or []):
                return found
    return None


def from_tools(messages: Sequence[Any]) -> list[Draft] | None:
    """What tools gave back after the last question: a list of documents as such, any other text as one passage. None where no tool answered."""
    found: list[Draft] = []
    answered = False
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        if role_of(message) in _ASKS:
            found, answered = [], False
        elif isinstance(message.get("results"), list) and str(message.get("type")).endswith("_search_call"):  # OpenAI's file search
            answered = True
            found += drafts_of(message["results"]) or []
        elif message.get("type") == "function_call_output" and not is_null(message.get("output")):  # OpenAI's Responses
            answered = True
            found += given_back(message["output"])
        elif role_of(message) in _TOOLS and not is_null(content := message.get("content", message.get("parts"))):
            answered = True
            kept = structure(message.get("artifact"))  # LangChain's tools give documents beside what the model reads of them
            documents = drafts_of(kept) if isinstance(kept, list) and kept and all(isinstance(one, Mapping) for one in kept) else None
            found += documents if documents and _are_texts(documents) else given_back(content)
    return found if answered else None


def conversation_in(value: Any) -> list[Any] | None:
    """The messages in what a step was called with or gave back; None where there are none."""
    value = unquoted(value)
    if isinstance(value, Mapping):
        value = next((inner for name in ("messages", "new_messages") if isinstance(inner := structure(value.get(name)), list)), None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return value if isinstance(value, list) and any(isinstance(one, Mapping) and role_of(one) for one in value) else None


def given_back(content: Any) -> list[Draft]:
    """What a tool gave back: a list of documents as such, any other text as one passage."""
    inner = structure(content)
    if is_null(inner):
        return []
    if isinstance(inner, list) and inner and all(isinstance(part, Mapping) and part.get("type") == "tool_call_response" for part in inner):
        return [draft for part in inner for draft in given_back(part.get("response", part.get("result")))]
    if isinstance(inner, list) and inner and all(isinstance(part, Mapping) and part.get("type") == "tool_result" for part in inner):
        return [draft for part in inner for draft in given_back(part.get("content"))]
    if isinstance(inner, Mapping):
        return beside(inner) or drafts_of(content if isinstance(content, str) else [inner]) or []
    if isinstance(inner, list) and inner and all(isinstance(part, Mapping) and part.get("type") in ("text", "output_text") for part in inner):
        return [draft for part in inner for draft in given_back(part.get("text"))]
    return drafts_of(inner) or []


def _are_texts(drafts: Sequence[Draft]) -> bool:
    return any(len(draft.text.split()) >= _SENTENCE for draft in drafts)
