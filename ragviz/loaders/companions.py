"""What a file can hold beside traces: documents, labels, questions, claims, scores. Useful only together with traces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ragviz.errors import RagvizError
from ragviz.loaders.passages import Draft
from ragviz.records import ImportedClaim, ImportedScore, LoadIssue, Trace

ROLES: dict[str, str] = {
    "documents": "the texts of passages",
    "queries": "the texts of questions",
    "qrels": "relevance labels",
    "claims": "claims with their verdicts",
    "scores": "scores of traces",
    "passages": "retrieved passages of traces",
    "sources": "questions and sources of answers",
    "answers": "answers by position",
    "aggregate": "averages only",
    "refused": "nothing to show a verdict on",
}
"""The roles a file can have instead of "traces", in words."""


class Companion(msgspec.Struct, kw_only=True):
    """The content of such a file."""

    role: str
    """A key of ROLES."""
    rows: int
    where: str
    fix: str = ""
    """What to open it with, or which file to open instead."""
    documents: dict[str, Draft] = {}
    questions: dict[str, str] = {}
    """By trace id or source id."""
    grades: dict[str, dict[str, int]] = {}
    """Question id → document id → grade."""
    passages: dict[str, list[Draft]] = {}
    """By trace id or source id."""
    claims: list[tuple[ImportedClaim, ...] | None] = []
    """By position."""
    scores: dict[str, list[ImportedScore]] = {}
    """By trace id or span id."""
    fields: list[Mapping[str, Any]] = []
    """Further trace fields by position; None values are left out."""
    alone: list[Trace] = []
    """What can be shown when nothing fits to it."""

    @property
    def issue(self) -> LoadIssue:
        """What is said when the file comes alone."""
        what = ROLES[self.role]
        if self.role == "aggregate":
            return LoadIssue(
                where=self.where,
                message="no column holds questions, answers or passages; a file of averages alone cannot be shown trace by trace",
                fix=self.fix or "open the file with one row per question, or name its columns: --map question=… --map response=…",
            )
        if self.role == "refused":
            return LoadIssue(where=self.where, message=f"the file holds {what}", fix=self.fix)
        return LoadIssue(
            where=self.where, message=f"the file holds {what} ({self.rows}), but no traces", fix=self.fix or "open it together with the file of traces"
        )


class Needs(msgspec.Struct, kw_only=True):
    """A warning that holds only as long as no file of a role comes along."""

    role: str
    issue: LoadIssue


def issue_of(exc: RagvizError, where: str, *, rejected: bool = True) -> LoadIssue:
    """A fault of a whole file as an issue; its message need not repeat the name."""
    before, name, message = exc.message.partition(f"{where}: ")
    return LoadIssue(where=where, message=message if name and (not before or before.endswith(("/", "\\"))) else exc.message, fix=exc.fix, rejected=rejected)


Part = Trace | LoadIssue | Companion | Needs
