"""A database of every earlier version, as that version wrote it, opens and is lifted with nothing lost."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ragviz.records import Evidence, Span, Verdict
from ragviz.store import TraceFilter, migrations, open_store, schema
from tests.contracts.store_laws import VIEW, claim, judgement, manifest, plain

STORES = Path(__file__).resolve().parents[2] / "data" / "stores"


@pytest.mark.parametrize("version", range(1, schema.SCHEMA))
def test_an_old_store_opens(version: int, tmp_path: Path) -> None:
    """Runs, traces, verdicts, people's words, results and the word index are there; a copy lies beside; new things can be written."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(gzip.decompress((STORES / f"schema-{version}.sqlite.gz").read_bytes()))
    store = open_store(path)

    assert ["a", "b"] == store.trace_ids("run")
    assert plain("a") == next(store.traces("run", ["a"]))
    assert ["seen by a person"] == [note.reason for note in getattr(store.one(VIEW, "a"), "annotations")]  # noqa: B009 - None would fail here
    assert judgement("b") in store.history("run", "b", "c1", "rules")
    assert 2 == len(list(store.results(VIEW))) == store.count(VIEW, TraceFilter(text="answer"))
    assert (tmp_path / f"s.sqlite.schema-{version}.backup").is_file()
    with store._db.read() as conn:
        assert schema.SCHEMA == migrations.version(conn)
    store.create_run(manifest("later"))
    store.add_traces("later", [plain("c")])
    store.keep("traces-view", "worst", {"sort": "faithfulness"})
    store.close()


def test_verdicts_of_before_they_were_packed_in_columns(tmp_path: Path) -> None:
    """They are read as they were stored, told apart from what is said anew, and new ones stand beside them."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(gzip.decompress((STORES / "schema-5.sqlite.gz").read_bytes()))
    store = open_store(path)
    old = judgement("a", evidence=(Evidence(span=Span(0, 8), quote="One text"),), confidence=0.8154, rationale="word for word")

    case = store.one(VIEW, "a")
    assert case is not None
    assert ((old,), (claim("a"),)) == (case.judgements, case.claims)
    store.add_judgements("run", [old], claim_set="rules")
    assert 1 == sum(not hasattr(word, "author") for word in store.history("run", "a", "c1", "rules"))
    store.add_judgements("run", [judgement("a", verdict=Verdict.NEUTRAL)], claim_set="rules")
    store.add_claims("run", [claim("a", "c2"), claim("a")])
    case = store.one(VIEW, "a")
    assert case is not None
    assert ([Verdict.NEUTRAL], ["c1", "c2"]) == ([j.verdict for j in case.judgements], [c.id for c in case.claims])
    assert old in store.history("run", "a", "c1", "rules")
    store.close()
