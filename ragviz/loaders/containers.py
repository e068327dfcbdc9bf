"""What kind of container a file is, by its first bytes."""

from __future__ import annotations

from ragviz.loaders.jsontext import try_parse, values


def container_of(head: bytes) -> str:
    """empty, binary, json, jsonl, objects or text, by the first bytes."""
    stripped = head.strip()
    if not stripped:
        return "empty"
    if b"\x00" in head[:4096] or sum(byte < 9 or (13 < byte < 32 and byte != 27) for byte in head[:2048]) > 20:
        return "binary"
    first = [line.strip() for line in head.split(b"\n", 40)[:40] if line.strip()]
    looks_json = stripped[:1] in (b"{", b"[")
    if first[0] not in (b"{", b"[") and len(first) > 1 and any(isinstance(try_parse(line), dict) for line in first[:8] if line[:1] == b"{"):
        return "jsonl"
    if not looks_json:
        return "text"
    if stripped[:1] == b"{" and first[0] == b"{":
        found = list(zip(range(2), values(stripped.decode("utf-8", "replace")), strict=False))
        if found[0][1][1] is not None and len(found) > 1:
            return "objects"
    return "json"
