"""What a stand-in for a service sends, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Scripted(msgspec.Struct, frozen=True, kw_only=True):
    """One response, exactly as it shall go over the wire."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    delay_s: float = 0.0
    """Before the first byte."""
    trickle_s: float = 0.0
    """Between pieces of 64 bytes."""
    cut_after: int | None = None
    """Close the connection after so many bytes of the body."""
