"""Laws of runs and their traces, alone and carried elsewhere; imported for their effect: they join the laws of a store."""

from __future__ import annotations

import io
import threading
from datetime import timedelta

import pytest
from msgspec.structs import replace

from ragviz.errors import InputError, UnknownName
from ragviz.records import Fact, LoadIssue, Rating, RatingKind, Verdict
from ragviz.store import Store, TraceFilter
from tests.contracts.store_laws import (
    JUDGE,
    NOW,
    OTHER,
    VIEW,
    claim,
    full_trace,
    judgement,
    law,
    manifest,
    note,
    plain,
    result,
    with_traces,
)


@law
def traces_come_back_equal_and_in_order(store: Store) -> None:
    """Every field, repeated and empty passages, unknown passages (None) and none found (())."""
    traces = [full_trace("z"), plain("a", passages=None), plain("m", passages=()), plain("b")]
    with_traces(store, *traces)

    assert traces == list(store.traces("run"))
    assert [traces[1], traces[3]] == list(store.traces("run", ["b", "nobody", "a", "b"]))


@law
def adding_again_changes_nothing(store: Store) -> None:
    """Traces, issues, claims, judgements, ratings and annotations."""
    traces, issue = [plain("a"), plain("b")], LoadIssue(where="f:3", message="no question", fix="add one")
    rating = Rating(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="a", target_id="response", value=0.5, provenance=OTHER)
    for _ in range(2):
        store.create_run(manifest())
        store.add_traces("run", [*traces, issue])
        store.add_claims("run", [claim("a"), claim("a", "c2")])
        store.add_judgements("run", [judgement("a"), judgement("a", "c2")], claim_set="rules")
        store.add_ratings("run", [rating])
        store.annotate("run", note("a"))

    case = store.one(VIEW, "a")
    assert case is not None
    assert (store.runs()[0].n_traces, store.runs()[0].n_issues) == (2, 1)
    assert [issue] == store.issues("run")
    assert (len(case.claims), len(case.judgements), len(case.ratings), len(case.annotations)) == (2, 2, 1, 1)
    assert len(store.history("run", "a", "c1", "rules")) == 2


@law
def the_first_trace_of_an_id_stays(store: Store) -> None:
    """In one batch and over two."""
    with_traces(store, plain("a", response="first"), plain("b"), plain("a", response="second"))
    new = store.add_traces("run", [plain("a", response="third"), plain("c")])

    assert new == 1
    assert [(t.id, t.response) for t in store.traces("run")] == [("a", "first"), ("b", "Answer b."), ("c", "Answer c.")]


@law
def a_deleted_run_is_gone_and_others_keep_their_passages(store: Store) -> None:
    """Shared texts stay for the run that still uses them."""
    for run_id in ("run", "keep"):
        store.create_run(manifest(run_id))
        store.add_traces(run_id, [full_trace("a")])
        store.add_claims(run_id, [claim("a")])
        store.add_judgements(run_id, [judgement("a")], claim_set="rules")
        store.annotate(run_id, note("a"))
    store.put_results(VIEW, [result("a")])
    store.delete_run("run")
    store.delete_run("run")

    assert [m.run_id for m in store.runs()] == ["keep"]
    assert [full_trace("a")] == list(store.traces("keep"))
    assert store.count(replace(VIEW, run_id="keep"), TraceFilter(text="thirty")) == 1
    with pytest.raises(UnknownName):
        list(store.traces("run"))


@law
def runs_are_newest_first_and_found_by_name(store: Store) -> None:
    """An id comes before a name; of two runs with one name the newer is meant."""
    store.create_run(manifest("old", name="Same"))
    store.create_run(manifest("new", name="Same", created_at=NOW + timedelta(hours=1)))

    assert [m.run_id for m in store.runs()] == ["new", "old"]
    assert (store.run("Same").run_id, store.run("old").run_id) == ("new", "old")
    with pytest.raises(UnknownName, match="no run named 'nope'"):
        store.run("nope")


@law
def a_rejected_batch_leaves_nothing(store: Store) -> None:
    """A batch that fails in the middle is not stored at all."""
    with_traces(store, plain("a"))
    with pytest.raises(UnknownName):
        store.add_judged("run", JUDGE, {"a": [judgement("a")], "nobody": [judgement("nobody")]}, claim_set="rules", scope=0)

    assert store.not_judged("run", JUDGE.fingerprint, "rules", 0) == ["a"]
    assert store.views("run") == []


@law
def readers_see_whole_batches(store: Store) -> None:
    """While batches of seven arrive, a reader in another thread always counts a multiple of seven."""
    store.create_run(manifest())
    stop, seen = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            seen.add(len(list(store.traces("run"))) % 7)

    reader = threading.Thread(target=read)
    reader.start()
    for batch in range(12):
        store.add_traces("run", [plain(f"t{batch}-{n}") for n in range(7)])
    stop.set()
    reader.join()

    assert {0} == seen


@law
def hostile_text_is_only_text(store: Store) -> None:
    """Quotes, NUL, lone surrogates and SQL in every field; what a database cannot hold is replaced, the rest kept."""
    nasty = "'; DROP TABLE trace; --\x00 \ud800 <script>"
    with_traces(store, plain("a", question=nasty, tags={"x'": nasty}), plain(nasty))
    store.add_claims("run", [claim("a", text="'); --")])

    kept = list(store.traces("run"))
    assert "'; DROP TABLE trace; --\ufffd \ufffd <script>" == kept[0].question == kept[1].id
    assert [row.id for row in store.page(VIEW, TraceFilter(tags={"x'": kept[0].question}))] == ["a"]
    assert (store.count(VIEW, TraceFilter(text="DROP TABLE")), store.count(VIEW, TraceFilter(text='" OR 1=1 --'))) == (2, 0)
    assert store.count(VIEW, TraceFilter(tags={"lang": "' OR '1'='1"})) == 0


@law
def the_data_version_moves_with_every_write(store: Store) -> None:
    """And only then."""
    store.create_run(manifest())
    before = store.data_version()
    assert before == store.data_version()
    store.add_traces("run", [plain("a")])
    assert before != store.data_version()


@law
def a_bundle_carries_everything_to_another_store(store: Store) -> None:
    """Traces, issues, claims, verdicts with their order and times, ratings and notes; read twice it changes nothing."""
    with_traces(store, full_trace("a"), plain("b", passages=None))
    store.add_traces("run", [LoadIssue(where="f:3", message="no question")])
    store.add_claims("run", [claim("a"), claim("a", "c2"), claim("b", extractor="facts", fact=Fact(attribute="x", value="y"))])
    first, second = judgement("a", confidence=0.5), judgement("a", verdict=Verdict.NEUTRAL)
    store.add_judged("run", JUDGE, {"a": [first], "b": []}, claim_set="rules", scope=0)
    store.annotate("run", note("a"))
    store.add_judgements("run", [second, judgement("a", provenance=OTHER)], claim_set="rules")
    store.add_judgements("run", [first], claim_set="rules")
    store.add_ratings("run", [Rating(kind=RatingKind.RESPONSE_TO_REFERENCE, trace_id="a", target_id="response", value=0.5, provenance=OTHER)])
    packed, again = io.BytesIO(), io.BytesIO()
    assert 2 == store.export_bundle("run", packed)
    before = (list(store.judged(VIEW)), store.history("run", "a", "c1", "rules"), store.issues("run"), store.views("run"), store.runs())

    store.delete_run("run")
    for _ in range(2):
        packed.seek(0)
        store.import_bundle(packed, name="run.ragviz")
        assert before == (list(store.judged(VIEW)), store.history("run", "a", "c1", "rules"), store.issues("run"), store.views("run"), store.runs())
    assert [] == store.not_judged("run", JUDGE.fingerprint, "rules", 0)
    store.export_bundle("run", again)
    assert packed.getvalue() == again.getvalue()


@law
def a_broken_bundle_is_refused_in_one_sentence(store: Store) -> None:
    """Cut off, not gzip, not ours; whole traces before the cut are kept, and the whole file completes them."""
    with_traces(store, *[plain(f"t{n}") for n in range(900)])
    packed = io.BytesIO()
    store.export_bundle("run", packed)
    store.delete_run("run")
    raw = packed.getvalue()
    for broken in (b"", b"id,question\n", raw[:40], raw[: len(raw) * 2 // 3]):
        with pytest.raises(InputError, match=r"x\.ragviz"):
            store.import_bundle(io.BytesIO(broken), name="x.ragviz")
    store.import_bundle(io.BytesIO(raw), name="x.ragviz")

    assert [f"t{n}" for n in range(900)] == store.trace_ids("run")
