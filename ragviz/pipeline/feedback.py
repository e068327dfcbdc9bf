"""Errors that users reported, as rows of a file: put onto the traces they speak of, and onto the claims where they name one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO

import msgspec

from ragviz.contracts import View
from ragviz.loaders.cells import text_of
from ragviz.loaders.rows import Row, read_rows
from ragviz.loaders.times import moment
from ragviz.pipeline.label_rows import MAX_NAME
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Claim, Grounding, LoadIssue, Side
from ragviz.store import Store
from ragviz.store.labels import REPORTS, people_said
from ragviz.text.counts import counted

NAMES: Mapping[str, tuple[str, ...]] = {
    "trace_id": ("trace_id", "trace", "id", "span_id"), "question": ("question", "query", "user_input", "prompt"), "response": ("response", "answer", "output"),
    "claim": ("claim", "sentence", "statement", "quote"), "claim_id": ("claim_id",), "verdict": ("verdict", "label", "rating"),
    "reporter": ("reporter", "user", "author", "reported_by", "name"), "reason": ("reason", "comment", "feedback", "text", "message", "note"),
    "time": ("time", "at", "timestamp", "reported_at", "created_at", "date"),
}
"""Our columns, and what else they may be called."""
VERDICTS: Mapping[str, Grounding] = {g.value: g for g in (Grounding.SUPPORTED, Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED)}
"""The words of a verdict. "wrong" is none: it says that the answer is wrong, not what the passages say, so it cannot overrule a judge."""
FIX_ID = "write the id of the trace as the Traces page shows it, in a column trace_id"
MAX_REASON = 2_000
CHUNK = 500


class Feedback(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the rows."""

    n_reports: int
    """New ones, each on a trace."""
    n_labels: int
    """Of these, with a claim and a verdict: they count as a person's word on that claim."""
    n_known: int
    """Read before: the same person, trace, claim and reason."""
    issues: tuple[LoadIssue, ...]
    """Rows that match nothing (rejected), and rows whose claim or verdict did not fit (kept as a report on the whole answer)."""


def import_feedback(store: Store, view: View, source: BinaryIO, *, filename: str, reporter: str, now: datetime) -> Feedback:
    """
    Put reported errors onto the traces of a run. Reading the same file twice adds nothing.

    Args:
        store: Where the run is.
        view: The run; claims are those of its claim set.
        source: CSV, JSON or JSON Lines; columns as in ``NAMES``.
        filename: For messages.
        reporter: Who reported, for rows that do not say.
        now: When, for rows that do not say.
    """
    rows: list[Row] = []
    issues: list[LoadIssue] = []
    for row in read_rows(source, filename=filename):
        if isinstance(row, LoadIssue):
            issues.append(row)
        else:
            rows.append(row)
    places = _Places(store, view)
    said = {_identity(note) for claim_set in (REPORTS, view.claim_set) for note in people_said(store, view.run_id, claim_set)}
    reports: list[Annotation] = []
    labels: list[Annotation] = []
    n_known = 0
    for row in rows:
        made, found = _read_row(row, places, view, reporter=reporter, now=now)
        issues += found
        fresh = [note for note in made if _identity(note) not in said]
        said.update(map(_identity, fresh))
        n_known += bool(made) and not fresh
        reports += [note for note in fresh if note.claim_set == REPORTS]
        labels += [note for note in fresh if note.claim_set != REPORTS]
    for note in (*reports, *labels):
        store.annotate(view.run_id, note)
    touched = list(dict.fromkeys(note.trace_id for note in labels))
    if touched:
        score_view(store, view, touched)
    return Feedback(n_reports=len(reports), n_labels=len(labels), n_known=n_known, issues=tuple(issues))


def _identity(note: Annotation) -> tuple[Any, ...]:
    """The time takes no part: rows without one get that of the import."""
    return note.claim_set, note.trace_id, note.claim_id, note.author, note.reason, note.grounding


def _read_row(row: Row, places: _Places, view: View, *, reporter: str, now: datetime) -> tuple[list[Annotation], list[LoadIssue]]:
    """A report, and a label where claim and verdict are there; and what did not fit."""
    told = _columns(row.value)
    trace_id, why = places.trace(told)
    if trace_id is None:
        return [], [LoadIssue(where=row.where, message=why, fix=FIX_ID)]
    issues = []
    claim = places.claim(trace_id, told)
    if claim is None and (told["claim"] or told["claim_id"]):
        issues.append(
            LoadIssue(
                where=row.where,
                message="no single claim of that answer reads like it; kept as a report on the whole answer",
                fix="copy the claim as the Inspector shows it",
                rejected=False,
            )
        )
    verdict = VERDICTS.get("_".join(told["verdict"].casefold().replace("-", " ").split()))
    if told["verdict"] and verdict is None:
        issues.append(LoadIssue(where=row.where, message=f"{told['verdict'][:40]!r} is no verdict; kept as a report",
                                fix="to label the claim say what its passages do: supported, not_supported or contradicted", rejected=False))
    who, reason = told["reporter"][:MAX_NAME] or reporter, told["reason"][:MAX_REASON]
    at = moment(told["time"]) if told["time"] else None
    when = (at if at.tzinfo else at.replace(tzinfo=UTC)) if at else now
    claim_id = claim.id if claim is not None else ""
    made = [Annotation(trace_id=trace_id, claim_id=claim_id, grounding=None, author=who, reason=reason, at=when, claim_set=REPORTS)]
    if claim is not None and verdict is not None:
        made.append(Annotation(trace_id=trace_id, claim_id=claim_id, grounding=verdict, author=who, reason=reason, at=when, claim_set=view.claim_set))
    return made, issues


def _columns(value: Mapping[str, Any]) -> dict[str, str]:
    """Our columns out of a row, by any of their names."""
    folded = {str(name).strip().casefold().replace(" ", "_"): text_of(cell).strip() for name, cell in value.items() if cell is not None}
    return {name: next((folded[other] for other in others if folded.get(other)), "") for name, others in NAMES.items()}


class _Places:
    """Where the run's traces and claims are. Questions are only read when a row needs them."""

    def __init__(self, store: Store, view: View) -> None:
        self._store, self._view = store, view
        self._ids = store.trace_ids(view.run_id)
        self._known = set(self._ids)
        self._by_question: dict[str, list[tuple[str, str]]] | None = None

    def trace(self, told: Mapping[str, str]) -> tuple[str | None, str]:
        """The one trace a row speaks of; else why there is none."""
        if told["trace_id"] in self._known:
            return told["trace_id"], ""
        if not told["question"]:
            return None, f"no trace {told['trace_id'][:60]!r} in this run" if told["trace_id"] else "the row names neither a trace nor a question"
        found = self._questions().get(_folded(told["question"]), [])
        if told["response"] and len(found) > 1:
            found = [(i, answer) for i, answer in found if answer == _folded(told["response"])] or found
        if len(found) == 1:
            return found[0][0], ""
        return None, f"{counted(len(found), 'trace')} of this run ask that question" if found else "no trace of this run asks that question"

    def _questions(self) -> dict[str, list[tuple[str, str]]]:
        if self._by_question is None:
            self._by_question = {}
            for trace in self._store.traces(self._view.run_id):
                self._by_question.setdefault(_folded(trace.question), []).append((trace.id, _folded(trace.response)))
        return self._by_question

    def claim(self, trace_id: str, told: Mapping[str, str]) -> Claim | None:
        """The one claim of the answer a row speaks of."""
        if not told["claim"] and not told["claim_id"]:
            return None
        claims = [c for c in self._store.claim_sets(self._view.run_id, self._view.claim_set, [trace_id]).get(trace_id, ()) if c.side is Side.RESPONSE]
        words = _folded(told["claim"])
        exact: Sequence[Claim] = [c for c in claims if _folded(c.text) == words] if words else [c for c in claims if c.id == told["claim_id"]]
        # People copy a part of a sentence, or a sentence that holds the claim.
        fits = exact or ([c for c in claims if words in _folded(c.text) or _folded(c.text) in words] if len(words) > 8 else [])
        return fits[0] if len(fits) == 1 else None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
