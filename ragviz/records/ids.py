"""Stable ids and fingerprints: content in, the same word out on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SEPARATOR = b"\x1f"


def digest(parts: Iterable[str], *, length: int = 32) -> str:
    """
    sha256 over the parts, as ``length`` hex digits.

    Parts are length-prefixed, so ("ab", "c") and ("a", "bc") differ. Lone surrogates are allowed.
    """
    h = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        h.update(str(len(raw)).encode() + SEPARATOR + raw)
    return h.hexdigest()[:length]


_MADE_UP = "sha1:"


def text_digest(text: str) -> bytes:
    """Content id of a passage text, 16 bytes: ``digest((text,))`` without its way through words, since an import asks for each passage."""
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(b"%d%b%b" % (len(raw), SEPARATOR, raw)).digest()[:16]


def text_hash(text: str) -> str:
    """The same in hex digits: equal texts are stored and embedded once."""
    return text_digest(text).hex()


def group_code(question: str) -> int:
    """A question, or the group of a trace, as 63 bits: equal for equal ones, so that a million are told apart without their texts."""
    return int.from_bytes(hashlib.blake2b(question.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def synthetic_passage_id(text: str) -> str:
    """Id of a passage whose file gives none."""
    return f"{_MADE_UP}{hashlib.sha1(text.encode('utf-8', 'surrogatepass'), usedforsecurity=False).hexdigest()[:12]}"


def is_made_up(passage_id: str) -> bool:
    """Whether an id is one of ``synthetic_passage_id``: good for matching, of no use to a reader."""
    return passage_id.startswith(_MADE_UP)


def cache_key(fingerprint: str, question: str, premise: str, hypothesis: str, context: str = "") -> str:
    """Key of a judgement by content, never by ids."""
    return digest((fingerprint, question, premise, hypothesis, context))
