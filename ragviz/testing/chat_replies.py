"""Replies for clients that want structure: Claude's tool calls, and the OpenAI wire format that many servers speak."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from ragviz.testing.scripted import Scripted

DIMENSION = 64


def tool_call(request: Mapping[str, Any], value: Mapping[str, Any], *, stop_reason: str = "tool_use") -> Scripted:
    """A message that calls the first tool that was offered, with that value: how structured output looks in the Messages format."""
    name = request["tools"][0]["name"]
    return Scripted(body=json.dumps({
        "id": "msg_test", "type": "message", "role": "assistant", "model": request["model"], "stop_reason": stop_reason, "stop_sequence": None,
        "content": [{"type": "tool_use", "id": "toolu_test", "name": name, "input": value}], "usage": {"input_tokens": 100, "output_tokens": 50},
    }).encode())


def chat_completion(request: Mapping[str, Any], text: str, *, finish_reason: str = "stop") -> Scripted:
    """A reply of ``/v1/chat/completions``."""
    return Scripted(body=json.dumps({
        "id": "chatcmpl_test", "object": "chat.completion", "created": 1_767_225_600, "model": request["model"],
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}, "logprobs": None}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
    }).encode())


def structured(request: Mapping[str, Any], value: Mapping[str, Any]) -> Scripted:
    """The value in whichever form the request asks for."""
    return (
        tool_call(request, value)
        if "tools" in request and "max_completion_tokens" not in request and "input_schema" in request["tools"][0]
        else chat_completion(request, json.dumps(value))
    )


def embeddings(request: Mapping[str, Any]) -> Scripted:
    """A reply of ``/v1/embeddings``: unit vectors in which texts are near that share words."""
    texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
    rows = [{"object": "embedding", "index": n, "embedding": words_as_vector(text)} for n, text in enumerate(texts)]
    return Scripted(body=json.dumps({"object": "list", "model": request["model"], "data": rows, "usage": {"prompt_tokens": 10, "total_tokens": 10}}).encode())


def words_as_vector(text: str) -> list[float]:
    """Each word counts in one of 64 places; length 1."""
    counts = [0.0] * DIMENSION
    for word in re.findall(r"\w+", text.lower()):
        counts[hashlib.sha256(word.encode()).digest()[0] % DIMENSION] += 1.0
    length = math.sqrt(sum(x * x for x in counts)) or 1.0
    return [x / length for x in counts]


__all__ = ["chat_completion", "embeddings", "structured", "tool_call", "words_as_vector"]
