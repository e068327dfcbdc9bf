"""A loader as a table entry: how a format is recognised and how its parts are read."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from ragviz.errors import RagvizError
from ragviz.loaders.building import warning
from ragviz.loaders.companions import Companion, Needs, Part, issue_of
from ragviz.loaders.figures import sound
from ragviz.loaders.limits import HEAD_BYTES
from ragviz.loaders.outline import Outline, outline
from ragviz.loaders.rows import Row, no_object, read_rows
from ragviz.loaders.utf8 import head_of, in_utf8
from ragviz.records import LoadIssue, Trace

_SURPRISES = (sqlite3.Error, TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError, OverflowError, ArithmeticError, UnicodeError)
"""What foreign data can cause in code that reads it: each becomes an issue of the row, never a traceback."""
_OF_SPANS = re.compile(r"[0-9a-f]{32}")
"""An id of a trace as OpenTelemetry gives it."""


@dataclass(frozen=True)
class Format:
    """A loader made of two functions; implements ``contracts.Loader``."""

    name: str
    label: str
    recognised_by: str
    matches: Callable[[Outline], bool]
    """True when a file of that look is of this format."""
    read: Callable[[BinaryIO, str], Iterator[Part]]
    """Parts of a file: stream at its first character, file name."""
    order: int
    """Place in the fixed order of rules: of two that match, the lower wins."""
    suffixes: tuple[str, ...] = (".json", ".jsonl")
    answers: bool = True
    """False for rankings, which nobody expects to hold answers."""
    companion: bool = False
    """True when files of this format can be companions: read before the traces they belong to."""

    def sniff(self, head: bytes, filename: str) -> float:  # noqa: ARG002 - names mislead: content decides
        """How sure, from 0 to 1."""
        try:
            look = outline(bytes(head) if head.startswith(b"PAR1") else bytes(head[:HEAD_BYTES]))
            return (100 - self.order) / 100 if self.matches(look) else 0.0
        except (*_SURPRISES, RagvizError):
            return 0.0

    def parts(self, source: BinaryIO, *, filename: str) -> Iterator[Part]:
        """Traces, issues and companions; ids made unique, faults turned into issues."""
        seen: dict[str, int] = {}
        part: Part | None = None
        told: list[LoadIssue] = []
        try:
            with in_utf8(source, told=told, filename=filename) as text:
                yield from told
                for part in self.read(text, filename):
                    if type(part) is not Trace:
                        yield part
                        continue
                    if not (part.question or part.response or part.passages) and _is_blank(part):
                        yield LoadIssue(
                            where=part.origin or filename,
                            message=f"nothing in this record is where {self.label} would have it",
                            fix="leave --format out, or name another one",
                        )
                        continue
                    part, doubts = sound(part)  # noqa: PLW2901 - the same trace without what cannot be
                    if part.id not in seen:  # the way of nearly all: kept short, it runs per trace
                        seen[part.id] = 1
                        yield part
                    else:
                        yield from unique(part, seen)
                    for doubt in doubts:
                        yield warning(part.origin or filename, doubt, "correct it in the file, or leave the field out")
            if part is None:
                yield LoadIssue(
                    where=filename, message=f"holds no rows ({self.label})", fix="check the export that wrote it: names of columns alone are no traces"
                )
        except RagvizError as exc:
            yield issue_of(exc, filename)
        except _SURPRISES as exc:
            yield LoadIssue(
                where=filename,
                message=f"not a well-formed {self.label} file ({in_words(exc)})",
                fix="try --format generic with --map, or export the file again",
            )

    def load(self, source: BinaryIO, *, filename: str) -> Iterator[Trace | LoadIssue]:
        """Every row as a trace or an issue; a file that is only a companion says what it needs."""
        for part in self.parts(source, filename=filename):
            if type(part) is Trace or isinstance(part, LoadIssue):
                yield part
            elif isinstance(part, Needs):
                yield part.issue
            elif isinstance(part, Companion):
                yield from part.alone
                if not part.alone:
                    yield part.issue


def _is_blank(trace: Trace) -> bool:
    """True for a trace that says nothing: a record of another format. That it failed is something."""
    said = (trace.tags.get("error"), trace.reference, trace.claims, trace.relevant_ids, trace.relevance_grades, trace.relevant_texts, trace.history)
    return trace.passages is None and not any(said)


def unique(trace: Trace, seen: dict[str, int]) -> Iterator[Trace | LoadIssue]:
    """The trace under an id that no earlier one has; a warning when it had to be changed."""
    count = seen.get(trace.id, 0) + 1
    seen[trace.id] = count
    if count == 1:
        yield trace
        return
    wanted = trace.id
    while (fresh := f"{wanted}#{count}") in seen:
        count += 1
    seen[wanted], seen[fresh] = count, 1
    yield msgspec.structs.replace(trace, id=fresh)
    yield warning(
        trace.origin,
        f"the id {wanted!r} occurs more than once; this one is now {fresh!r}",
        "spans of one trace in several files belong together: put the files into one (cat A B > all.jsonl), and import that"
        if "span_id" in trace.tags or _OF_SPANS.fullmatch(wanted)
        else "give each trace its own id; two versions of the same questions are two runs: bring them in one by one",
    )


def per_row(source: BinaryIO, filename: str, build: Callable[[Row], Iterator[Any]], *, columns: frozenset[str] | None = None) -> Iterator[Any]:
    """Run ``build`` on each row; a row that surprises it becomes an issue and the others are read."""
    for row in read_rows(source, filename=filename, columns=columns):
        if isinstance(row, LoadIssue):
            yield row
        else:
            yield from guarded(row, build)


def guarded(row: Row, build: Callable[[Row], Iterator[Any]]) -> Iterator[Any]:
    """What ``build`` makes of the row, or an issue; an element of a list of records that is no object is told as such."""
    if not isinstance(row.value, Mapping):
        yield no_object(row.where.rsplit(":", 1)[0], row.n + 1, row.value)
        return
    try:
        yield from list(build(row))
    except RagvizError as exc:
        yield LoadIssue(where=row.where, message=exc.message, fix=exc.fix)
    except _SURPRISES as exc:
        yield LoadIssue(
            where=row.where, message=f"this record has an unexpected shape ({in_words(exc)})", fix="see docs/LOADERS.md for the shapes that are read"
        )


def peek(source: BinaryIO) -> bytes:
    """What ``Loader.sniff`` wants to see of a file."""
    return head_of(source)


_IN_WORDS: tuple[tuple[type[BaseException], str], ...] = (
    (UnicodeError, "text that is damaged"),
    (RecursionError, "nested too deeply"),
    (ArithmeticError, "a number that is too large"),
    (IndexError, "a list that is shorter than it should be"),
    (ValueError, "a value that cannot be read"),
    (TypeError, "a value of another kind than it should be"),
    (AttributeError, "a value of another kind than it should be"),
)


def in_words(exc: BaseException) -> str:
    """A surprise in a few words, for people: what Python calls it says nothing to them."""
    if isinstance(exc, KeyError):
        return f"the name {exc.args[0]!r} is missing" if exc.args and isinstance(exc.args[0], str) else "a name is missing"
    text = str(exc).split("\n", 1)[0][:120]
    if type(exc).__module__ != "builtins" and text:  # a library's own sentence about the file
        return text
    return next((said for kind, said in _IN_WORDS if isinstance(exc, kind)), "damaged")
