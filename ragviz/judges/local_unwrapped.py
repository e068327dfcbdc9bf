"""A pair as it is read where its texts were wrapped, and what is found on it quoted as it was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ragviz.records import Pair
from ragviz.text.soft_breaks import unwrapped


def in_lines(pair: Pair) -> Pair:
    """The pair with a blank for each soft line break; itself where there is none. All places stay true."""
    texts = {
        "premise": unwrapped(pair.premise),
        "hypothesis": unwrapped(pair.hypothesis),
        "question": unwrapped(pair.question),
        "context": unwrapped(pair.context),
    }
    changed = {name: text for name, text in texts.items() if text != getattr(pair, name)}
    return msgspec.structs.replace(pair, **changed) if changed else pair


def quoted(said: Mapping[str, Any], pair: Pair) -> dict[str, Any]:
    """What was found, with quotes of the premise as it was written."""
    return {**said, "evidence": tuple(msgspec.structs.replace(found, quote=found.span.of(pair.premise)) for found in said.get("evidence", ()))}
