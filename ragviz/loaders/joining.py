"""Traces completed by what other files of the same import hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ragviz.loaders.building import warning
from ragviz.loaders.companions import Companion, Needs
from ragviz.loaders.passages import Draft, numbered
from ragviz.records import ImportedScore, LoadIssue, Passage, Trace
from ragviz.text.counts import counted

_FILLED = ("title", "source", "facts", "revision", "effective_date", "authority")


class Joiner:
    """All companions of one import; ``complete`` is called for each trace in turn."""

    def __init__(self, companions: Sequence[tuple[str, Companion]]) -> None:
        """
        Args:
            companions: Format name and content of each companion file.
        """
        self.companions = companions
        self.roles = {c.role for _, c in companions} | {"queries" for _, c in companions if c.questions and c.role != "sources"}
        self.documents: dict[str, Draft] = {}
        self.questions: dict[str, str] = {}
        self.grades: dict[str, dict[str, int]] = {}
        self.scores: dict[str, list[ImportedScore]] = {}
        self.passages: dict[str, list[Draft]] = {}
        for _, one in companions:
            self.documents.update(one.documents)
            self.questions.update(one.questions)
            self.grades.update(one.grades)
            self.passages.update(one.passages)
            for name, scores in one.scores.items():
                self.scores.setdefault(name, []).extend(scores)
        self.used: set[int] = set()
        self.positions = 0
        """Traces of the longest file: what companions by position must have too."""
        self.seen: set[str] = set()

    def keeps(self, need: Needs) -> bool:
        """True when what the file lacks did not come along."""
        return need.role not in self.roles

    def complete(self, trace: Trace, position: int, *, by_position: Sequence[Companion]) -> Iterator[Trace | LoadIssue]:
        """The trace with everything known of it elsewhere."""
        names = [n for n in (trace.id, trace.group, trace.tags.get("source_id"), trace.tags.get("span_id")) if n]
        self.seen.update(names)
        changes: dict[str, Any] = {}
        if not trace.question and (question := self._first(self.questions, names)):
            changes["question"] = question
        if not trace.passages and (drafts := self._first(self.passages, names)):
            changes["passages"] = numbered(msgspec.structs.replace(d) for d in drafts)[0]
        if (grades := self._first(self.grades, names)) is not None:
            changes["relevance_grades"] = grades
            changes["relevant_ids"] = frozenset(name for name, grade in grades.items() if grade > 0)
        scores = [score for name in dict.fromkeys(names) for score in self.scores.get(name, ())]
        if scores:
            changes["scores"] = (*trace.scores, *scores)
        self.positions = max(self.positions, position + 1)
        for one in by_position:
            self._by_position(one, position, changes)
        passages = changes.get("passages", trace.passages)
        missing: list[str] = []
        if passages and self.documents:
            changes["passages"], missing = self._with_documents(passages)
            if trace.passages_are == "ids" and not missing:
                changes["passages_are"] = None
        yield msgspec.structs.replace(trace, **changes) if changes else trace
        source = trace.tags.get("source_id")
        if source and "sources" in self.roles and source not in self.passages and trace.passages is None and "passages" not in changes:
            yield warning(
                trace.origin, f"no source named {source} came along; the answer has no question and no passages", "add its line to the file of sources"
            )
        if missing:
            yield warning(
                trace.origin,
                f"no document named {', '.join(missing[:5])}{' …' if len(missing) > 5 else ''}",
                "add it to the file of documents; the passage has no text",
            )

    def left_over(self) -> Iterator[Trace | LoadIssue]:
        """Questions with labels that retrieved nothing (they must count), and files that fitted nothing."""
        told: set[str] = set()
        for number, (_, one) in enumerate(self.companions):
            names = {*one.questions, *one.grades, *one.scores, *one.passages} - {"all"}
            if names and not names & self.seen and not one.documents and one.role not in ("refused", "aggregate"):
                yield warning(
                    one.where, f"none of its {counted(one.rows, 'row')} belongs to a trace of this import", "check that the files are of the same run"
                )
            elif one.role == "qrels" and names & self.seen:
                for name in one.grades:
                    if name not in self.seen and name not in told:
                        told.add(name)
                        grades = self.grades[name]  # of several files that label it, the last counts, as for questions that were answered
                        yield Trace(
                            id=name,
                            question=self.questions.get(name, ""),
                            response="",
                            response_is="absent",
                            passages=(),
                            relevance_grades=grades,
                            group=name,
                            origin=f"{one.where}:{name}",
                            relevant_ids=frozenset(document for document, grade in grades.items() if grade > 0),
                        )
            elif (one.claims or one.fields) and number not in self.used:
                yield one.issue
            elif (one.claims or one.fields) and one.rows != self.positions:
                yield warning(
                    one.where,
                    f"rows: {one.rows}, traces: {self.positions}; they are joined by position, and what is over was left out",
                    "check that both files are of the same run",
                )

    def _by_position(self, one: Companion, position: int, changes: dict[str, Any]) -> None:
        self.used.add(next(n for n, (_, c) in enumerate(self.companions) if c is one))
        if position < len(one.claims) and one.claims[position] is not None:
            changes["claims"] = one.claims[position]
        if position < len(one.fields):
            fields = one.fields[position]
            if fields.get("response"):
                changes["response"] = fields["response"]
            if fields.get("drafts") is not None:
                changes["passages"] = numbered(fields["drafts"])[0]

    def _with_documents(self, passages: Sequence[Passage]) -> tuple[tuple[Passage, ...], list[str]]:
        """Passages with texts, facts and origin of their documents, and the ids of those that have none."""
        found, missing = [], []
        for passage in passages:
            document = self.documents.get(passage.matching_id)
            if document is None:
                if not passage.text:
                    missing.append(passage.matching_id)
                found.append(passage)
                continue
            changes = {field: getattr(document, field) for field in _FILLED if getattr(passage, field) is None and getattr(document, field) is not None}
            if not passage.text:
                changes["text"] = document.text
            if document.metadata:
                changes["metadata"] = {**document.metadata, **passage.metadata}
            found.append(msgspec.structs.replace(passage, **changes) if changes else passage)
        return tuple(found), missing

    @staticmethod
    def _first(table: dict[str, Any], names: Sequence[str]) -> Any:
        return next((table[name] for name in names if name in table), None)
