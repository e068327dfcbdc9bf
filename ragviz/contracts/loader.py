"""What reads a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Protocol

from ragviz.records import LoadIssue, Trace


class Loader(Protocol):
    """
    Reads one format. Reads files only: never imports the tool that wrote them.

    Laws: every row gives a trace or an issue; ids are unique and stable across two loads; ``sniff`` never raises and is
    highest on its own format; junk, empty and cut-off files give issues, not tracebacks; citation spans lie in bounds;
    memory does not grow with the file where the format can be streamed.
    """

    @property
    def name(self) -> str:
        """One word, as in ``--format ragas``."""
        ...

    @property
    def label(self) -> str:
        """For people: "Ragas (0.1 to 0.4)"."""
        ...

    @property
    def recognised_by(self) -> str:
        """One sentence: what in the content gives the format away."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Usual file endings, for the upload box only; detection looks at content."""
        ...

    def sniff(self, head: bytes, filename: str) -> float:
        """How sure, 0 to 1, that a file starting with ``head`` (up to 256 KiB) is of this format."""
        ...

    def load(self, source: BinaryIO, *, filename: str) -> Iterator[Trace | LoadIssue]:
        """Every row as a trace or an issue. ``source`` is seekable; ``filename`` is for messages."""
        ...
