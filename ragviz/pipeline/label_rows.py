"""Labels as rows of a file: one claim, its passages, what a person said. Written out, and read back onto a run's claims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ragviz.contracts import View
from ragviz.pipeline.calibrate import Answer
from ragviz.pipeline.label_files import LabelRow, read_labels
from ragviz.pipeline.labelling import ClaimRef, Labels, judge_words, labels_of
from ragviz.pipeline.scoring import score_view
from ragviz.records import Annotation, Claim, Grounding, JudgedTrace, Side
from ragviz.store import Store
from ragviz.store.labels import people_said

CHUNK = 500
MAX_NAME = 80


def as_label(grounding: Grounding) -> Grounding:
    """A verdict in the three words of label files: conflicted is supported, as published metrics count it."""
    return Grounding.SUPPORTED if grounding is Grounding.CONFLICTED else grounding


def answers(cases: Iterable[JudgedTrace], labelled: Mapping[ClaimRef, Grounding], *, dataset: str) -> list[Answer]:
    """
    What the judge alone says of each labelled claim, beside the person's word; claims of one trace are one group. The tag "dataset" of a trace
    goes before ``dataset``.
    """
    found = []
    for case in cases:
        words = judge_words(case)
        for claim in case.claims:
            label = labelled.get(ClaimRef(case.trace.id, claim.id))
            if label is None or claim.id not in words:
                continue
            row = LabelRow(
                id=claim.id,
                dataset=case.trace.tags.get("dataset") or dataset,
                question=case.trace.question,
                claim=claim.text,
                passages=case.trace.passages or (),
                label=as_label(label),
                group=case.trace.id,
            )
            found.append(Answer(row=row, grounding=words[claim.id].grounding, confidence=words[claim.id].confidence, evidence=()))
    return found


def export_labels(store: Store, view: View, *, name: str) -> Iterator[str]:
    """
    One JSON line for each person's standing label, in file order.

    Args:
        store: Where the run is.
        view: Its claims.
        name: Becomes ``dataset``.
    """
    labels = labels_of(people_said(store, view.run_id, view.claim_set))
    ids = list(dict.fromkeys(ref.trace_id for ref in labels.by_claim))
    for case in store.judged(view, ids) if ids else ():
        for claim in case.claims:
            for note in labels.by_author(ClaimRef(case.trace.id, claim.id)).values():
                yield json.dumps(_row(case, claim, note, name), ensure_ascii=False) + "\n"


def _row(case: JudgedTrace, claim: Claim, note: Annotation, name: str) -> dict[str, Any]:
    assert note.grounding is not None
    return {
        "id": f"{case.trace.id}/{claim.id}/{note.author}",
        "dataset": name,
        "split": None,
        "question": case.trace.question,
        "claim": claim.text,
        "passages": [{"id": p.id, "text": p.text} for p in case.trace.passages or ()],
        "label": as_label(note.grounding).value,
        "label_raw": note.grounding.value,
        "evidence": [],
        "group": case.trace.id,
        "meta": {
            "trace_id": case.trace.id,
            "claim_id": claim.id,
            "claim_set": note.claim_set,
            "author": note.author,
            "reason": note.reason,
            "at": note.at.isoformat(),
        },
    }


class ImportedLabels(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the rows of a label file."""

    n_added: int
    n_known: int
    """Said already, by the same person."""
    issues: tuple[str, ...]
    """Rows that could not be placed, one sentence each."""


def import_labels(store: Store, view: View, lines: Iterable[str | bytes], *, filename: str, author: str, now: datetime) -> ImportedLabels:
    """
    Put the labels of a file onto the claims of a run. Reading the same file twice adds nothing.

    A row finds its claim by ``meta.trace_id`` and ``meta.claim_id`` where the claim still reads the same, else by the words of the claim, together
    with the question where it has one. A row that fits no claim, or several, is reported and left out.

    Args:
        store: Where the run is.
        view: Its claims; results of this view are brought up to date.
        lines: JSONL.
        filename: For messages.
        author: Who said so, for rows that do not say.
        now: When, for rows that do not say.

    Raises:
        InputError: A line is no label row.
    """
    places = _Places(store, view)
    labels = labels_of(people_said(store, view.run_id, view.claim_set))
    notes: list[Annotation] = []
    issues: list[str] = []
    n_known = 0
    every = list(lines)
    rows = read_labels(every, filename=filename)
    for (n, line), row in zip([(n, line) for n, line in enumerate(every, start=1) if line.strip()], rows, strict=True):
        meta = _meta(line)
        ref = places.find(row, meta)
        if ref is None:
            issues.append(f"{filename}:{n}: no single claim of this run reads like it")
            continue
        note = _note(row, meta, ref, view, author=author, now=now)
        if _is_known(labels, ref, note):
            n_known += 1
        else:
            notes.append(note)
    for note in notes:
        store.annotate(view.run_id, note)
    touched = list(dict.fromkeys(note.trace_id for note in notes))
    if touched:
        score_view(store, view, touched)
    return ImportedLabels(n_added=len(notes), n_known=n_known, issues=tuple(issues))


def _meta(line: str | bytes) -> dict[str, Any]:
    raw = json.loads(line)
    meta = raw.get("meta")
    return {**(meta if isinstance(meta, dict) else {}), "label_raw": raw.get("label_raw")}


def _note(row: LabelRow, meta: Mapping[str, Any], ref: ClaimRef, view: View, *, author: str, now: datetime) -> Annotation:
    who = str(meta.get("author") or "").strip()[:MAX_NAME] or author
    raw = str(meta.get("label_raw") or "")
    # Other data sets have words of their own in label_raw; only ours that agree with the label are finer than it.
    exact = next((g for g in Grounding if g.value == raw and as_label(g) is row.label), row.label)
    return Annotation(
        trace_id=ref.trace_id,
        claim_id=ref.claim_id,
        grounding=exact,
        author=who,
        reason=str(meta.get("reason") or ""),
        at=_time(meta.get("at")) or now,
        claim_set=view.claim_set,
    )


def _time(value: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def _is_known(labels: Labels, ref: ClaimRef, note: Annotation) -> bool:
    standing = labels.by_author(ref).get(note.author)
    return note in labels.by_claim.get(ref, ()) or (standing is not None and standing.grounding is note.grounding)


class _Places:
    """Where the claims of a run are, by id and by words. The words are only read when a row needs them."""

    def __init__(self, store: Store, view: View) -> None:
        self._store, self._view = store, view
        self._ids = store.trace_ids(view.run_id)
        self._known = set(self._ids)
        self._by_words: dict[str, list[tuple[str, ClaimRef]]] | None = None

    def find(self, row: LabelRow, meta: Mapping[str, Any]) -> ClaimRef | None:
        """The one claim the row speaks of."""
        trace_id, claim_id = str(meta.get("trace_id") or ""), str(meta.get("claim_id") or "")
        if trace_id in self._known:
            claims = self._claims([trace_id]).get(trace_id, [])
            if any(c.id == claim_id and _same(c.text, row.claim) for c in claims):
                return ClaimRef(trace_id, claim_id)
        fits = self._words().get(_folded(row.claim), [])
        if row.question:
            fits = [(q, ref) for q, ref in fits if _same(q, row.question)] or fits
        return fits[0][1] if len(fits) == 1 else None

    def _claims(self, ids: Sequence[str]) -> dict[str, list[Claim]]:
        return self._store.claim_sets(self._view.run_id, self._view.claim_set, ids)

    def _words(self) -> dict[str, list[tuple[str, ClaimRef]]]:
        if self._by_words is None:
            self._by_words = {}
            for start in range(0, len(self._ids), CHUNK):
                some = self._ids[start : start + CHUNK]
                claims = self._claims(some)
                for trace in self._store.traces(self._view.run_id, some):
                    for claim in claims.get(trace.id, ()):
                        if claim.side is Side.RESPONSE:
                            self._by_words.setdefault(_folded(claim.text), []).append((trace.question, ClaimRef(trace.id, claim.id)))
        return self._by_words


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _same(left: str, right: str) -> bool:
    return _folded(left) == _folded(right)


__all__ = ["ImportedLabels", "answers", "as_label", "export_labels", "import_labels"]
