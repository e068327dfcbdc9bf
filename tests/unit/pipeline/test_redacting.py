"""Private details hidden at import or at export: gone everywhere, and every offset still right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragviz.contracts import View
from ragviz.pipeline import import_files
from ragviz.pipeline.exporting import WRITERS, export_run
from ragviz.pipeline.judging import judge_run
from ragviz.pipeline.redacting import hidden, redacted_trace
from ragviz.records import Annotation, Citation, Grounding, Passage, Span, Trace
from ragviz.store import Store, open_store
from ragviz.text.redaction import MASK, Redactor, rules_of
from tests.contracts.store_laws import NOW

MAIL, PHONE = "ada.lovelace@nimbus.test", "+49 30 7654321"
RULES = ["emails", "phones"]
ROW = {
    "id": f"t-{MAIL}",
    "question": f"How do I reach {MAIL}?",
    "response": f"Write to {MAIL} [1]. The hotline {PHONE} is open until 18:00 [1].",
    "reference": f"{MAIL}, or {PHONE}.",
    "tags": {"who": MAIL},
    "group": MAIL,
    "passages": [
        {"id": f"doc/{MAIL}", "text": f"Contact. Write to {MAIL}. The hotline {PHONE} is open until 18:00.", "source": f"mail from {MAIL}", "title": PHONE}
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Traces with an address and a number wherever there is room for one."""
    path = tmp_path / "traces.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (ROW, {**ROW, "id": "plain", "group": "g", "question": "?"})))
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file."""
    opened = open_store(tmp_path / "store" / "s.sqlite")
    yield opened
    opened.close()


def leaks(raw: bytes) -> bool:
    """Whether the details, or what only they say, can be read in these bytes."""
    return any(word in raw for word in (b"lovelace", b"nimbus.test", b"7654321", b"765 4321", b"+49"))


def certificates(store: Store, view: View) -> int:
    """Number of quotes in a view; each must stand where it says."""
    n = 0
    for case in store.judged(view):
        for judgement in case.judgements:
            for e in judgement.evidence:
                passage = case.trace.passage(e.passage_id or judgement.key.premise_id)
                if passage is not None:
                    assert passage.text[e.span.start : e.span.end] == e.quote
                    n += 1
        for claim in case.claims:
            if len(claim.spans) == 1 and MASK in claim.text:
                assert claim.spans[0].of(case.trace.response if claim.side == "response" else case.trace.reference or "") == claim.text
        for citation in case.trace.citations or ():
            assert citation.span.of(case.trace.response) == citation.marker
    return n


def test_an_import_stores_no_detail(file: Path, store: Store, tmp_path: Path) -> None:
    """Not in the database, its log or its index; ids stay two, citations point at their passage, and a judge finds its evidence."""
    report = import_files(store, [file], redact=RULES)
    judged = judge_run(store, report.run_id, "local")

    assert 2 == report.n_traces
    assert not any(leaks(path.read_bytes()) for path in (tmp_path / "store").iterdir())
    assert certificates(store, judged.view)
    for trace in store.traces(report.run_id):
        assert trace.passages is not None
        assert [(trace.passages[0].id,)] * 2 == [c.passage_ids for c in trace.citations or ()]
        assert MASK * len(MAIL) in trace.response


def test_importing_again_with_other_rules_is_another_run(file: Path, store: Store) -> None:
    """What is hidden is part of what a run is; the same rules find the run they made."""
    first, again, plain = (import_files(store, [file], redact=rules).run_id for rules in (RULES, RULES, []))

    assert first == again != plain
    assert store.trace_ids(first) != store.trace_ids(plain)


@pytest.mark.parametrize("ending", list(WRITERS))
def test_no_exported_file_shows_a_detail(file: Path, store: Store, tmp_path: Path, ending: str) -> None:
    """Verdicts, rationales, notes and scores of the run go along; the store itself keeps everything."""
    run = import_files(store, [file]).run_id
    view = judge_run(store, run, "local").view
    claim = next(iter(store.judged(view))).claims[0]
    store.annotate(run, Annotation(trace_id=ROW["id"], claim_id=claim.id, grounding=Grounding.SUPPORTED, author=MAIL, reason=f"asked {PHONE}", at=NOW))
    out = tmp_path / f"out{ending}"

    with hidden(store, view, RULES) as (shown, seen):
        assert export_run(shown, seen, out) >= 2
        assert certificates(shown, seen) == certificates(store, view) > 0
    written = out.read_bytes()
    if ending == ".ragviz":
        import gzip

        written = gzip.decompress(written)
    assert [] == [line for line in written.split(b"\n") if leaks(line)]
    assert next(store.traces(run)).response == ROW["response"]


def test_a_redacted_bundle_is_read_as_a_run_of_its_own(file: Path, store: Store, tmp_path: Path) -> None:
    """Beside the whole one, with its verdicts; and a whole bundle can be redacted when it is read."""
    run = import_files(store, [file]).run_id
    view = judge_run(store, run, "local").view
    with hidden(store, view, RULES) as (shown, seen):
        export_run(shown, seen, tmp_path / "hidden.ragviz")
    export_run(store, view, tmp_path / "whole.ragviz")
    other = import_files(store, [tmp_path / "hidden.ragviz"]).run_id
    same = import_files(store, [tmp_path / "whole.ragviz"], redact=RULES)

    assert {run, other} == {m.run_id for m in store.runs()}
    assert other == same.run_id
    assert certificates(store, store.views(other)[0][0])


@settings(max_examples=60, deadline=None)
@given(before=st.text("ab .1", max_size=12), between=st.text("ab .[1]", max_size=12), cut=st.integers(0, len(MAIL)), data=st.data())
def test_a_part_of_a_detail_is_hidden_too(before: str, between: str, cut: int, data: st.DataObject) -> None:
    """A marker that covers half an address shows none of that half."""
    response = f"{before} {MAIL} {between}"
    start = response.index(MAIL) + min(cut, len(MAIL) - 1)
    end = data.draw(st.integers(start + 1, len(response)))
    trace = Trace(id="t", question="q", response=response, passages=(Passage(id="p", text="x", rank=1),),
                  citations=(Citation(span=Span(start, end), marker=response[start:end], passage_ids=("p",)),))
    found = redacted_trace(trace, Redactor(rules_of(["emails"]), key=b"k"))

    assert found.citations is not None
    assert found.citations[0].marker == found.response[start:end]
    assert found.citations[0].marker.startswith(MASK)
