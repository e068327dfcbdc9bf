"""Which tags of a trace give the version of the system that answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

VERSION_TAGS = (
    "version",
    "app_version",
    "application_version",
    "service.version",
    "system_version",
    "release",
    "deployment",
    "deployment_version",
    "build",
    "commit",
    "git_sha",
    "git_commit",
    "revision",
    "prompt_version",
    "pipeline_version",
    "langfuse.version",
)
"""Names under which files give the version of the system, the surest first. Case, dashes and dots do not matter."""

_WORDS = {name.replace(".", "_"): rank for rank, name in enumerate(VERSION_TAGS)}


def is_version_tag(name: str) -> bool:
    """Whether a tag of that name gives the version."""
    return _folded(name) in _WORDS


def version_of(tags: Mapping[str, str]) -> tuple[str, str] | None:
    """The tag that gives a trace's version, and the version; None where none does."""
    found = [(_WORDS[_folded(name)], name, value) for name, value in tags.items() if value and _folded(name) in _WORDS]
    return min(found)[1:] if found else None


@lru_cache(maxsize=4_096)
def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
