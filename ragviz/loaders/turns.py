"""Conversations kept as ``turns``: who said what, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragviz.loaders.cells import structure
from ragviz.loaders.fields import Record

_SPEAKER, _SAID = ("role", "speaker", "from", "author", "sender"), ("content", "text", "value", "message", "utterance")
_USER, _ASSISTANT = (
    frozenset({"user", "human", "customer", "client", "question"}),
    frozenset({"assistant", "ai", "bot", "agent", "gpt", "model", "chatbot", "system_response", "answer"}),
)
CONVERSATIONS = ("conversation", "conversations", "dialogue", "dialog")
"""Other names of a list of turns."""
_OTHERS = frozenset({"system", "developer", "tool", "function"})


def turns_of(record: Record) -> list[dict[str, Any]] | None:
    """The turns as messages with role and content; None where the record has none, or says of one by a word that nobody knows who speaks."""
    found = messages_in(structure(record.values.get("turns")))
    if found is not None:
        record.used.add("turns")
    return found


def look_like_turns(turns: Any) -> bool:
    """True for turns of known speakers; of the last one the head of a file may hold only the beginning."""
    if messages_in(turns) is not None:
        return True
    if not isinstance(turns, list) or not turns:
        return False
    return messages_in(turns[:-1]) is not None or (len(turns) == 1 and isinstance(turns[0], Mapping) and _speaker(turns[0]) in (*_USER, *_ASSISTANT))


def _speaker(turn: Mapping[str, Any]) -> str:
    return next((turn[name].strip().lower() for name in _SPEAKER if isinstance(turn.get(name), str)), "")


def messages_in(turns: Any) -> list[dict[str, Any]] | None:
    """The same of a value."""
    if not isinstance(turns, list) or not turns:
        return None
    found = []
    for turn in turns:
        if not isinstance(turn, Mapping):
            return None
        speaker = _speaker(turn)
        said = next((name for name in _SAID if isinstance(turn.get(name), str | list)), None)
        role = "user" if speaker in _USER else "assistant" if speaker in _ASSISTANT else speaker if speaker in _OTHERS else None
        if role is None or said is None:
            return None
        found.append({**{name: value for name, value in turn.items() if name not in (*_SPEAKER, *_SAID)}, "role": role, "content": turn[said]})
    return found
