"""The question inside whatever a step was called with, and the answer inside whatever it gave back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.cells import is_blank, structure, text_of
from ragviz.loaders.jsontext import try_parse

_QUESTION_KEYS = ("question", "query", "user_input", "user_query", "input", "inputs", "prompt", "text", "content", "message", "messages", "args", "kwargs", "request", "parts", "value")
_ANSWER_KEYS = ("answer", "response", "output", "result", "content", "text", "message", "messages", "outputs", "generations", "choices", "replies",
                "answers", "completion", "data", "kwargs", "parts", "value")
HUMAN, MACHINE = ("user", "human"), ("assistant", "ai", "model")
_RESULTS = ("tool_result", "tool_call_response")
_ROLES = frozenset({*HUMAN, *MACHINE, "system", "developer", "tool", "function", "placeholder"})


def asked(value: Any, depth: int = 0) -> str | None:
    """The question, out of text, JSON in text, named arguments or a list of messages; None when there is none."""
    value = unquoted(value)
    if is_blank(value) or depth > 6:
        return None
    if isinstance(value, Mapping):
        value = _pair(value)
        for key in _QUESTION_KEYS:
            if key in value and (found := asked(value[key], depth + 1)):
                return found
        texts = [v for v in value.values() if isinstance(v, str) and v.strip()]
        return texts[0] if len(texts) == 1 else None
    if isinstance(value, list):
        return _from_messages(value, HUMAN, asked, depth)
    return text_of(value)


def answered(value: Any, depth: int = 0) -> str | None:
    """The answer, out of text, JSON in text, an object or a list of messages; None when there is none."""
    value = unquoted(value)
    if is_blank(value) or depth > 8:
        return None
    if isinstance(value, Mapping):
        value = _pair(value)
        for key in _ANSWER_KEYS:
            if key in value and (found := answered(value[key], depth + 1)):
                return found
        texts = [v for v in value.values() if isinstance(v, str) and v.strip()]
        return texts[0] if len(texts) == 1 else None
    if isinstance(value, list):
        return _from_messages(value, MACHINE, answered, depth)
    return text_of(value)


def replied(value: Any) -> str | None:
    """The answer as ``answered`` finds it, "" for a reply that is empty, None when nothing says what was answered."""
    found = answered(value)
    return "" if found is None and is_empty_reply(value) else found


def is_empty_reply(value: Any) -> bool:
    """True for a text without a word: the system replied, with nothing. What tables write for nothing (None, NaN, "null") is no reply."""
    return isinstance(value, str) and not value.strip()


def unquoted(value: Any) -> Any:
    """A value that was written as JSON into a text, once or twice; plain text stays."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        text = value.strip()
        if text[:1] in ("{", "["):
            value = structure(text)
            break
        if len(text) > 1 and text[0] == text[-1] == '"':
            inner = try_parse(text)
            if not isinstance(inner, str):
                break
            value = inner
        else:
            break
    return value


def role_of(message: Mapping[str, Any]) -> str:
    """
    Who speaks: role, type, or the class name in LangChain's constructor objects. What tools gave back is theirs, though Anthropic's interface has
    the user send it.
    """
    if isinstance(message.get("id"), list) and message["id"]:
        return text_of(message["id"][-1]).lower().removesuffix("chunk").removesuffix("message")
    role = text_of(message.get("role", message.get("_role", message.get("type", "")))).lower().removesuffix("message")
    return "tool" if role in HUMAN and _are_tool_results(message.get("content", message.get("parts"))) else role


def _are_tool_results(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(isinstance(part, Mapping) and part.get("type") in _RESULTS for part in content)


def last_question(messages: list[Any]) -> int:
    """Where the last message of a person stands; 0 where none does."""
    return max((n for n, message in enumerate(map(_pair, messages)) if isinstance(message, Mapping) and role_of(message) in HUMAN), default=0)


def _from_messages(messages: list[Any], roles: tuple[str, ...], read: Any, depth: int) -> str | None:
    """
    The last message of one of the roles; without roles, text parts joined, or the first text.

    An answer is what was said after the last question: one before it answers an earlier one. Who only answers asks nothing, and the other way round.
    """
    messages = [_pair(m) for m in messages]
    if len(messages) == 1 and isinstance(messages[0], list):
        return read(messages[0], depth + 1)  # type: ignore[no-any-return]
    objects = [m for m in messages if isinstance(m, Mapping)]
    others = MACHINE if roles is HUMAN else HUMAN
    for message in reversed(objects):
        if roles is MACHINE and role_of(message) in HUMAN:
            return None
        if role_of(message) in roles:
            return read({k: v for k, v in message.items() if k not in ("role", "type", "id", "finish_reason")}, depth + 1)  # type: ignore[no-any-return]
    if any(role_of(m) in others for m in objects):
        return None
    parts = [text_of(m.get("text", m.get("content"))) for m in objects if m.get("type") in ("text", "output_text", "input_text")]
    if parts:
        return "\n".join(parts)
    if any(role_of(m) for m in objects) and len(objects) > 1:
        return None
    return next((found for m in messages if (found := read(m, depth + 1))), None)


def _pair(message: Any) -> Any:
    """A message in LangChain's short form, ["human", "Hello"], or with Haystack's names, as an object; anything else as it is."""
    if isinstance(message, Mapping) and "_role" in message and "_content" in message:
        return {"role": message["_role"], "content": message["_content"], "meta": message.get("_meta")}
    if isinstance(message, (list, tuple)) and len(message) == 2 and isinstance(message[0], str) and message[0].lower() in _ROLES:
        return {"role": message[0], "content": message[1]}
    return message
