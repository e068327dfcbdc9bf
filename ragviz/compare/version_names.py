"""Which version of a system a trace is of, and the order of versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

VERSION_TAGS = (
    "version", "app_version", "application_version", "service.version", "system_version", "release", "deployment", "deployment_version", "build", "commit", "git_sha", "git_commit",
    "revision", "prompt_version", "pipeline_version", "langfuse.version",
)
"""Names under which files give the version of the system, the surest first. Case, dashes and dots do not matter."""

_WORDS = {name.replace(".", "_"): rank for rank, name in enumerate(VERSION_TAGS)}
_TEMPORARY = re.compile(r"[0-9]+|\b(?:v|ver|version|release|run|baseline|candidate)\b", re.IGNORECASE)


def is_version_tag(name: str) -> bool:
    """Whether a tag of that name gives the version."""
    return _folded(name) in _WORDS


def version_of(tags: Mapping[str, str]) -> tuple[str, str] | None:
    """The tag that gives a trace's version, and the version; None where none does."""
    found = [(_WORDS[_folded(name)], name, value) for name, value in tags.items() if value and _folded(name) in _WORDS]
    return min(found)[1:] if found else None


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts v2 before v10."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in re.findall(r"[0-9]+|[^0-9]+", name))


def family(name: str) -> str:
    """What is left of a run's name without its numbers and words for versions: names of one system's runs are equal then."""
    return " ".join(re.findall(r"[^\W\d_]+", _TEMPORARY.sub(" ", name.replace("_", " ").casefold())))


def are_numbered(names: Iterable[str]) -> bool:
    """Whether all names differ in their numbers only: then the numbers give the order."""
    every = list(names)
    return len({family(name) for name in every}) == 1 and all(any(c.isdigit() for c in name) for name in every)


@lru_cache(maxsize=4_096)
def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
