"""
Private details hidden in whole records: at import, before anything is stored, or in a copy that is exported.

Texts keep their length, so claims, citations and evidence stay where they are; quotes are cut anew from the hidden text.
"""

from __future__ import annotations

import gzip
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.errors import StoreError
from ragviz.pipeline.scoring import score_view
from ragviz.records import Claim, Judgement, LoadIssue, Passage, Side, Span, Trace
from ragviz.records.codec import encode
from ragviz.records.verdict import JOINED, REFERENCE, RESPONSE
from ragviz.store import Store, open_store
from ragviz.store.bundle import Event, Line, bundle_lines
from ragviz.text.redaction import MASK, Redactor, rules_of

T = TypeVar("T")
IN_MEMORY_BYTES = 64 * 2**20

# Fields that name things: two different ones must stay two.
IDENTIFIERS = frozenset(
    {"id", "doc_id", "group", "trace_id", "claim_id", "premise_id", "passage_id", "passage_ids", "relevant_ids", "relevance_grades", "target_id", "author"}
)
# Ours, or of other programs: no text of a person.
LEFT_ALONE = frozenset({"provenance", "table", "run_id", "claim_set", "extractor", "ragviz_version", "format"})


def redactor(store: Store, asked: Sequence[str]) -> Redactor | None:
    """
    What was asked for (see ``text.redaction.rules_of``), with the store's own key for identifiers; None when nothing was.

    A store that cannot be written gives a new key each time: identifiers then agree within one export only.
    """
    if not asked:
        return None
    rules = rules_of(asked)
    key = store.kept("redaction", str).get("key")
    if key is None:
        key = secrets.token_hex(16)
        with suppress(StoreError):
            store.keep("redaction", "key", key)
    return Redactor(rules, key=bytes.fromhex(key))


def redacted(row: Trace | LoadIssue, by: Redactor) -> Trace | LoadIssue:
    """A row of an import with its details hidden."""
    return redacted_trace(row, by) if isinstance(row, Trace) else _all(row, by)


def redacted_trace(trace: Trace, by: Redactor) -> Trace:
    """The same trace; markers and claims that are parts of its texts are cut anew."""
    hidden = _all(trace, by)
    if hidden is trace:
        return trace
    citations = None if trace.citations is None else tuple(
        replace(c, marker=_same_part(old.marker, [old.span], trace.response, hidden.response, c.marker))
        for old, c in zip(trace.citations, hidden.citations or (), strict=True)
    )
    words = _words(trace, by)
    claims = (
        None
        if trace.claims is None
        else tuple(
            replace(
                c,
                text=_same_part(old.text, old.spans, _side(trace, old.side), _side(hidden, old.side), by.without(old.text, words)),
                verdicts=tuple(
                    replace(v, reason=by.without(v.reason, words), quote=None if v.quote is None else by.without(v.quote, words)) for v in c.verdicts
                ),
            )
            for old, c in zip(trace.claims, hidden.claims or (), strict=True)
        )
    )
    return replace(hidden, citations=citations, claims=claims)


@contextmanager
def hidden(store: Store, view: View, asked: Sequence[str]) -> Iterator[tuple[Store, View]]:
    """
    What to export instead: the store and view themselves when nothing is to be hidden; else a throwaway store that holds the run with
    its details hidden, words of judges and people included, scored in that view.
    """
    by = redactor(store, asked)
    if by is None:
        yield store, view
        return
    with closing(open_store(":memory:")) as copy, tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as plain:
        store.export_bundle(view.run_id, plain)  # type: ignore[arg-type]
        plain.seek(0)
        with redacted_bundle(plain, by, name=view.run_id) as told:  # type: ignore[arg-type]
            manifest = copy.import_bundle(told, name=view.run_id)
        seen = replace(view, run_id=manifest.run_id)
        score_view(copy, seen)
        yield copy, seen


def redacted_bundle(source: BinaryIO, by: Redactor, *, name: str) -> BinaryIO:
    """
    A bundle with its details hidden, open at its beginning.

    Raises:
        InputError: ``source`` is damaged, cut off or no bundle.
    """
    out = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES)  # noqa: SIM115 - the caller closes it
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as lines:
        for line in bundle_lines(source, name):
            lines.write(encode(_line(line, by)) + b"\n")
    out.seek(0)
    return out  # type: ignore[return-value]


def redacted_documents(documents: Sequence[Passage], by: Redactor) -> tuple[Passage, ...]:
    """Documents with what is to be hidden hidden, like the passages of a trace."""
    return redacted_trace(Trace(id="", question="", response="", passages=tuple(documents)), by).passages or ()


def _line(line: Line, by: Redactor) -> Line:
    if line.documents:
        return Line(documents=list(redacted_documents(line.documents, by)))
    if line.trace is None:
        manifest = line.manifest and replace(_all(line.manifest, by), run_id=f"{line.manifest.run_id}-redacted-{by.fingerprint[:6]}")
        return Line(manifest=manifest, issue=line.issue and _all(line.issue, by))
    before, after, words = line.trace, redacted_trace(line.trace, by), _words(line.trace, by)
    claims: dict[str, list[Claim]] = {}
    for claim_set, some in line.claims.items():
        claims[claim_set] = [
            replace(_all(c, by), text=_same_part(c.text, c.spans, _side(before, c.side), _side(after, c.side), by.without(c.text, words))) for c in some
        ]
    rated = [replace(given, ratings=[replace(r, reason=by.without(r.reason, words)) for r in given.ratings]) for given in (_all(one, by) for one in line.rated)]
    return Line(trace=after, claims=claims, events=[_event(event, line, after, claims, by) for event in line.events], rated=rated)


def _event(event: Event, line: Line, after: Trace, claims: Mapping[str, list[Claim]], by: Redactor) -> Event:
    before = line.trace
    assert before is not None
    old_claims = {c.id: c.text for c in line.claims.get(event.claim_set, [])}
    new_claims = {old.id: new.text for old, new in zip(line.claims.get(event.claim_set, []), claims.get(event.claim_set, []), strict=True)}
    words = _words(before, by)
    said = []
    for judgement in event.said:
        hypothesis = (old_claims.get(judgement.key.claim_id, ""), new_claims.get(judgement.key.claim_id, ""))
        told = _judgement(judgement, before, after, hypothesis, by)
        said.append(replace(told, rationale=by.without(told.rationale, words), alarm=None if told.alarm is None else by.without(told.alarm, words)))
    note = event.note and replace(_all(event.note, by), reason=by.without(event.note.reason, words))
    return Event(claim_set=event.claim_set, at=event.at, provenance=event.provenance, scope=event.scope, said=said, note=note)


def _judgement(judgement: Judgement, before: Trace, after: Trace, hypothesis: tuple[str, str], by: Redactor) -> Judgement:
    hidden = _all(judgement, by)
    evidence = tuple(
        replace(e, quote=_same_part(old.quote, [old.span], _premise(before, judgement, old.passage_id), _premise(after, hidden, e.passage_id), e.quote))
        for old, e in zip(judgement.evidence, hidden.evidence, strict=True)
    )
    clashes = tuple(
        replace(
            c,
            premise_value=_value(
                old.premise_value, c.premise_value, old.premise_span, _premise(before, judgement, old.passage_id), _premise(after, hidden, c.passage_id)
            ),
            hypothesis_value=_value(old.hypothesis_value, c.hypothesis_value, old.hypothesis_span, *hypothesis),
        )
        for old, c in zip(judgement.clashes, hidden.clashes, strict=True)
    )
    return replace(hidden, evidence=evidence, clashes=clashes)


def _premise(trace: Trace, judgement: Judgement, passage_id: str | None) -> str:
    """The text that the offsets of evidence count in."""
    premise = passage_id or judgement.key.premise_id
    if premise == RESPONSE:
        return trace.response
    if premise == REFERENCE:
        return trace.reference or ""
    found = trace.passage(premise)
    return found.text if found is not None and premise != JOINED else ""


def _same_part(was: str, spans: Sequence[Span], before: str, after: str, otherwise: str) -> str:
    """Where a text is a part of another, the same part of that other with its details hidden: it may hold only half of one."""
    if len(spans) == 1 and len(before) == len(after) and spans[0].of(before) == was:
        return spans[0].of(after)
    return otherwise


def _value(was: str, now: str, span: Span | None, before: str, after: str) -> str:
    """A value that was read from hidden characters is hidden, however it was written down: 4930123 of +49 30 123."""
    if span is None or len(before) != len(after) or span.of(before) == span.of(after):
        return now
    return MASK * len(was)


def _words(trace: Trace, by: Redactor) -> frozenset[str]:
    return by.words([trace.question, trace.response, trace.reference or "", *(p.text for p in trace.passages or ())])


def _side(trace: Trace, side: Side) -> str:
    return trace.response if side is Side.RESPONSE else trace.reference or ""


def _all(value: T, by: Redactor, *, naming: bool = False) -> T:
    """A record with every text in it looked at; itself when nothing was found."""
    changed: Any = value
    if type(value) is str:  # an enumeration's words are ours
        changed = by.name(str(value)) if naming else by.text(str(value))
    elif isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__ if name not in LEFT_ALONE}
        found = {name: _all(field, by, naming=naming or name in IDENTIFIERS) for name, field in fields.items()}
        different = {name: field for name, field in found.items() if field is not fields[name]}
        changed = replace(value, **different) if different else value
    elif isinstance(value, Mapping):
        items = {_all(k, by, naming=naming): _all(v, by, naming=naming) for k, v in value.items()}
        changed = items if items != value else value
    elif isinstance(value, tuple | list | frozenset):
        parts = [_all(part, by, naming=naming or _is_key(value)) for part in value]
        same = all(a is b for a, b in zip(value, parts, strict=True))
        changed = value if same else (type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts))
    return changed  # type: ignore[no-any-return]


def _is_key(value: object) -> bool:
    """A pair's key: names only."""
    return hasattr(value, "_fields")

