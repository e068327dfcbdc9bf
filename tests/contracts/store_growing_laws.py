"""Laws of runs that grow: a trace told anew."""

from __future__ import annotations

from msgspec.structs import replace

from ragviz.records import Passage
from ragviz.store import Store, TraceFilter
from ragviz.store.replacing import replace_trace
from tests.contracts.store_laws import VIEW, claim, full_trace, judgement, law, note, plain, result, with_traces


@law
def a_trace_told_anew_is_as_if_it_had_come_so(store: Store) -> None:
    """New words are found, old ones are not; its place, people's words and its neighbours stay; it is not judged any more."""
    old = replace(full_trace("t2"), question="Where is the old lighthouse?", tags={"stage": "early"})
    with_traces(store, plain("t1"), old, plain("t3"))
    store.add_claims("run", [claim("t2"), claim("t3")])
    store.add_judged("run", judgement("t2").provenance, {"t2": [judgement("t2")], "t3": [judgement("t3")]}, claim_set="rules", scope=0)
    store.annotate("run", note("t2"))
    store.put_results(VIEW, [result("t2"), result("t3")])
    fresh = replace(
        old, question="Where is the new harbour?", tags={"stage": "late"}, passages=(Passage(id="p9", text="The harbour lies in the east.", rank=1),)
    )

    assert replace_trace(store, "run", fresh)

    assert [t.id for t in store.traces("run")] == ["t1", "t2", "t3"]
    assert next(iter(store.traces("run", ["t2"]))) == fresh
    assert store.passing(VIEW, TraceFilter(text="lighthouse")) == []
    assert store.passing(VIEW, TraceFilter(text="harbour")) == ["t2"]
    assert store.passing(VIEW, TraceFilter(tags={"stage": "early"})) == []
    assert store.passing(VIEW, TraceFilter(tags={"stage": "late"})) == ["t2"]
    assert "early" not in store.labels("run", "tag")["stage"]
    assert store.missing_results(VIEW) == ["t1", "t2"]
    assert store.views("run")[0][1] == 1
    case = store.one(VIEW, "t2")
    assert case is not None
    assert (case.claims, case.judgements) == ((), ())
    assert [a.author for a in case.annotations] == [note("t2").author]
    assert store.run("run").n_traces == 3
    assert store.traits("run").n_traces == 3
    assert [row.id for row in store.page(VIEW, sort="order")] == ["t1", "t2", "t3"]
    neighbours = store.neighbours(VIEW, TraceFilter(), "order", "t2")
    assert (neighbours.previous, neighbours.next) == ("t1", "t3")


@law
def telling_the_same_changes_nothing(store: Store) -> None:
    """Verdicts stay, and an unknown trace is not made."""
    with_traces(store, full_trace("t1"))
    store.add_claims("run", [claim("t1")])
    store.add_judged("run", judgement("t1").provenance, {"t1": [judgement("t1")]}, claim_set="rules", scope=0)

    assert not replace_trace(store, "run", full_trace("t1"))
    assert not replace_trace(store, "run", full_trace("t2"))

    assert store.views("run")[0][1] == 1
    assert store.trace_ids("run") == ["t1"]


@law
def texts_that_nobody_has_any_more_are_gone(store: Store) -> None:
    """A passage that only the old words had leaves nothing behind; one that another trace has stays."""
    shared, own = Passage(id="a", text="Everybody has this passage.", rank=1), Passage(id="b", text="Only the old words had this.", rank=2)
    with_traces(store, plain("t1", passages=(shared,)), plain("t2", passages=(shared, own)))

    replace_trace(store, "run", plain("t2", passages=()))
    store.add_traces("run", [plain("t4", passages=(shared,))])

    assert [p.text for t in store.traces("run") for p in t.passages or ()] == [shared.text, shared.text]
