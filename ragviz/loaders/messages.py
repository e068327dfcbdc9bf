"""Lists that tracers write as flat attributes (``llm.input_messages.0.message.content``) put together again, and the messages in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.cells import is_null, structure, text_of


def gathered(names: Mapping[str, Any], prefix: str) -> Any:
    """The value of that name, out of JSON in text, or put together from ``prefix.0.…`` and ``prefix.key``; None where there is none."""
    if not is_null(names.get(prefix)):
        return structure(names[prefix])
    found: dict[str, Any] = {}
    for name, value in names.items():
        if not name.startswith(f"{prefix}."):
            continue
        at, *path = reversed(name[len(prefix) + 1 :].split("."))
        inner = found
        for part in reversed(path):
            held = inner.get(part)
            inner[part] = inner = held if isinstance(held, dict) else {}
        inner[at] = value
    return _with_lists(found) if found else None


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdigit() for key in value):
        return [_with_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _with_lists(inner) for key, inner in value.items()}


def messages_of(names: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Messages with role and content; of a content in parts its texts."""
    given = gathered(names, prefix)
    found = []
    for one in given if isinstance(given, list) else ():
        message = one.get("message", one) if isinstance(one, Mapping) else {"content": one}
        if isinstance(message, Mapping):
            found.append({"role": text_of(message.get("role")), "content": _content(message)})
    return found


def _content(message: Mapping[str, Any]) -> Any:
    parts = message.get("contents")
    if not is_null(message.get("content")) or not isinstance(parts, list):
        return message.get("content")
    inner = [part.get("message_content", part) for part in parts if isinstance(part, Mapping)]
    return "\n".join(text_of(part.get("text")) for part in inner if isinstance(part, Mapping) and not is_null(part.get("text")))
