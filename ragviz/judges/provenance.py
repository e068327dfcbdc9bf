"""Who speaks: one provenance per judge or rater, the same for each of its answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from ragviz.contracts import JudgeInfo
from ragviz.records import Provenance
from ragviz.records.ids import digest

_OWN_FIELDS = ("model", "model_revision", "prompt_version")
_CANONICAL = json.JSONEncoder(sort_keys=True, default=str, ensure_ascii=False)


class Speaker(Protocol):
    """What judges and raters share."""

    @property
    def info(self) -> JudgeInfo:
        """Name and version."""
        ...

    @property
    def params(self) -> Mapping[str, object]:
        """All settings that change answers."""
        ...


def provenance_of(speaker: Speaker) -> Provenance:
    """
    The provenance of everything a judge or rater says. Loads nothing.

    The parameters ``model``, ``model_revision`` and ``prompt_version`` become fields of their own; the others are hashed.
    """
    params = dict(speaker.params)
    own = {name: None if (value := params.pop(name, None)) is None else str(value) for name in _OWN_FIELDS}
    return Provenance(judge=speaker.info.name, judge_version=speaker.info.version, params_hash=_hash(_CANONICAL.encode(params)), **own)


@lru_cache(maxsize=256)
def _hash(canonical: str) -> str:
    return digest((canonical,), length=12)


def fingerprint(speaker: Speaker) -> str:
    """One word for judge, version, parameters, model and prompt; equals ``Provenance.fingerprint`` of its answers."""
    return provenance_of(speaker).fingerprint
