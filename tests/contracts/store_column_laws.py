"""Laws of whole columns and of the versions that caches hang on, for every kind of store."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from ragviz.contracts import View
from ragviz.metrics.ranked import ranking_of
from ragviz.records import Grounding, Passage, Split
from ragviz.records.ids import text_hash
from ragviz.store import Store, TraceFilter, blocks, columns, distinct, masks, outlines, refreshing, schema
from ragviz.store.splits import set_split
from tests.contracts.store_laws import JUDGE, VIEW, judgement, law, manifest, note, plain, result

LANG_DE = TraceFilter(tags={"lang": "de"})


@law
def a_runs_version_moves_with_what_is_written_to_it_alone(store: Store) -> None:
    """Each kind of writing to the run moves it; another run, a cache, a saved view leave it; a run of the same name later does not repeat it."""
    store.create_run(manifest())
    store.create_run(manifest("other"))
    store.add_traces("other", [plain("a")])
    seen = [store.run_version("run")]
    for write in (
        lambda: store.add_traces("run", [plain("a")]),
        lambda: store.add_judgements("run", [judgement("a")], claim_set="rules"),
        lambda: store.put_results(VIEW, [result("a")]),
        lambda: store.annotate("run", note("a")),
        lambda: set_split(store, "run", ["a"], Split.HELD_OUT),
        lambda: store.keep("authority", "x*", "official"),
        lambda: store.finish_run(manifest()),
    ):
        write()
        assert store.run_version("run") not in seen
        seen.append(store.run_version("run"))
    store.add_judgements("other", [judgement("a")], claim_set="rules")
    store.judgement_cache.put_many({"0" * 32: judgement("a")})
    store.keep("traces-view", "mine", {"q": "x"})
    store.columns(VIEW, ["faithfulness"])
    assert store.run_version("run") == seen[-1]
    store.delete_run("run")
    store.create_run(manifest())
    assert store.run_version("run") not in seen


@law
def columns_follow_every_kind_of_change(store: Store) -> None:
    """Results, words that throw them away, further traces, the authority of sources: columns show the last state, in blocks of two."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, columns, refreshing):
            patch.setattr(module, "SIZE", 2)
        patch.setattr(masks, "FROM", 1)
        store.create_run(manifest())
        store.add_traces("run", [plain(i, tags={"lang": "de"} if i == "c" else {}) for i in "abc"])
        store.put_results(VIEW, [result("a", 1.0), result("b", 0.5), result("c", 0.0)])
        assert _shown(store) == [1.0, 0.5, 0.0]
        store.prepare(VIEW)
        store.put_results(VIEW, [result("b", 0.25)])
        assert _shown(store) == [1.0, 0.25, 0.0]
        store.annotate("run", note("c"))
        assert _shown(store) == [1.0, 0.25, None]
        store.add_traces("run", [plain("d", tags={"lang": "de"}), plain("e")])
        store.put_results(VIEW, [result("e", 0.75)])
        assert _shown(store) == [1.0, 0.25, None, None, 0.75]
        assert (store.count(VIEW, LANG_DE), store.page(VIEW, LANG_DE)[0].id, store.counts_by(VIEW, "quadrant", LANG_DE)) == (2, "c", {"unknown": 2})
        store.add_judgements("run", [judgement("e")], claim_set="rules")
        assert _shown(store) == [1.0, 0.25, None, None, None]
        store.keep("authority", "x*", "official")
        assert _shown(store) == [None] * 5
        assert set_split(store, "run", ["a", "e"], Split.HELD_OUT) == 2
        held_out = TraceFilter(tags={"split": "held-out"})
        assert store.count(VIEW, held_out) == 2
        set_split(store, "run", ["a"], None)
        assert store.passing(VIEW, held_out) == ["e"]
        assert store.ids_at("run", store.positions(VIEW, held_out).tolist()) == ["e"]


@law
def blocks_of_another_format_are_never_read(store: Store) -> None:
    """
    What another version of the program put there says other things (here: garbage, and values of another format). It is made anew; when the traces change it
    goes too, so that the other version finds nothing stale.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masks, "FROM", 1)
        store.create_run(manifest())
        store.add_traces("run", [plain(i) for i in "abc"])
        store.put_results(VIEW, [result("a", 1.0), result("b", 0.5), result("c", 0.0)])
        store.prepare(VIEW)
        with store._db.write(counted=False) as conn:
            conn.execute(schema.block.update().values(body=b"garbage"))
        for module, name, value in ((blocks, "FORMAT", blocks.FORMAT + 1), (blocks, "SIZE", 2)):
            patch.setattr(module, name, value)
            patch.setattr(columns, "SIZE", blocks.SIZE)
            patch.setattr(refreshing, "SIZE", blocks.SIZE)
            patch.setattr(store, "_columns", columns.Columns(store._db))
            assert _shown(store) == [1.0, 0.5, 0.0]
            assert len(_kept(store)) > 1
        assert len({name.partition(":")[0] for name in _kept(store)}) == 3
        store.put_results(VIEW, [result("b", 0.25)])
        assert _shown(store) == [1.0, 0.25, 0.0]
        assert {name.partition(":")[0] for name in _kept(store, view=True)} == {blocks.marked("").removesuffix(":")}


@law
def a_view_nobody_computed_has_empty_columns(store: Store) -> None:
    """No result, no column: NaN and unknown, as for traces without a result."""
    store.create_run(manifest())
    store.add_traces("run", [plain("a")])
    other = View(run_id="run", judge=JUDGE.fingerprint, claim_set="imported")

    assert store.columns(other, ["faithfulness", "n_claims"])["quadrant"].tolist() == ["unknown"]
    assert store.coded(other, "quadrant").counts() == {"unknown": 1}
    assert store.values(other, "faithfulness", ["a", "nobody"]) == {}
    assert store.claim_counts(other) == dict.fromkeys(Grounding, 0)


def _kept(store: Store, *, view: bool = False) -> list[str]:
    """Names of all blocks; ``view``: only those of results."""
    with store._db.read() as conn:
        query = select(schema.block.c.name)
        return list(conn.execute(query.where(schema.block.c.view > 0) if view else query).scalars())


def _shown(store: Store) -> list[float | None]:
    return [None if v != v else float(v) for v in store.columns(VIEW, ["faithfulness"])["faithfulness"]]  # noqa: PLR0124 - the NaN test


@law
def labels_alone_make_the_same_ranking_as_whole_traces(store: Store) -> None:
    """Labels by id, by grade, on the passages, by text, none at all: what the light way reads ranks as the whole trace does."""
    p = [Passage(id=f"p{n}", doc_id=f"d{n}", text=f"text {n}", rank=n, score=1 / n) for n in (1, 2, 3)]
    every = [
        plain("a", passages=tuple(p), relevant_ids=frozenset({"d2", "elsewhere"})),
        plain("b", passages=tuple(p), relevance_grades={"d1": 0, "d3": 2}),
        plain("c", passages=(p[0], replace(p[1], relevance=1), replace(p[2], doc_id="d1"))),
        plain("d", passages=tuple(p), relevant_texts=("text 3", "never retrieved")),
        plain("e", passages=tuple(p)),
        plain("f", passages=None, relevant_ids=frozenset({"d2"})),
    ]
    store.create_run(manifest())
    store.add_traces("run", every)

    found = {trace.id: trace for trace in store.labelled("run", [*range(6), 17])}

    assert {trace.id: ranking_of(trace) for trace in every} == {i: ranking_of(trace) for i, trace in found.items()}
    assert [i for i, trace in sorted(found.items()) if trace.question] == ["d"]


@law
def outlines_say_what_whole_traces_say(store: Store) -> None:
    """Ids, groups, questions, words, tags, and which texts were retrieved under which ids; no passages, and none that can be told; in several reads."""
    p = [Passage(id=f"p{n}", doc_id=doc, text=f"Text {n}.", rank=n) for n, doc in ((1, "d1"), (2, None))]
    every = [
        plain("a", passages=tuple(p), group="g", tags={"topic": "x"}),
        plain("b", passages=()),
        plain("c", passages=None, response="Two  words."),
        plain("d", passages=(p[1], p[1])),
    ]
    store.create_run(manifest())
    store.add_traces("run", every)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlines, "CHUNK", 2)

        found = list(outlines.outlines(store, "run"))

    assert found == [
        outlines.Outline(
            t.id,
            t.group,
            t.question,
            len(t.response.split()),
            t.tags,
            t.passages and tuple((one.matching_id, one.id, text_hash(one.text)) for one in t.passages),
        )
        for t in every
    ]


@law
def distinct_passages_are_those_of_the_traces_as_first_met(store: Store) -> None:
    """A text that comes again keeps its first id; reading ends after so many traces, or with the trace that brings enough."""
    shared, again = Passage(id="p1", text="Shared.", rank=1, authority="official"), Passage(id="other", text="Shared.", rank=2)
    every = [
        plain("a", passages=(shared, Passage(id="p2", text="Of a.", rank=2))),
        plain("b", passages=(again,)),
        plain("c", passages=None),
        plain("d", passages=()),
        plain("e", passages=(Passage(id="p1", text="Of e.", rank=1, title="E"), again, Passage(id="p3", text="Of e, too.", rank=3))),
    ]
    store.create_run(manifest())
    store.add_traces("run", every)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct, "CHUNK", 2)

        whole = store.distinct_passages("run", max_traces=9, max_passages=9)

        assert whole == (5, [shared, every[0].passages[1], every[4].passages[0], every[4].passages[2]])  # type: ignore[index]
        assert store.distinct_passages("run", max_traces=4, max_passages=9) == (4, whole[1][:2])
        assert store.distinct_passages("run", max_traces=9, max_passages=2) == (1, whole[1][:2])


@law
def a_run_is_prepared_where_much_of_it_is_new(store: Store) -> None:
    """Half of it or more: all its columns. A few traces of a small run: nothing. Of a large one: not what the traces of the last block tell."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, columns, refreshing):
            patch.setattr(module, "SIZE", 2)
        store.create_run(manifest())
        store.add_traces("run", [plain(i) for i in "abc"])
        store.put_results(VIEW, [result("a")])
        store.prepare(VIEW, n_new=1)
        assert not _kept(store)
        patch.setattr(masks, "FROM", 1)
        store.prepare(VIEW, n_new=1)
        assert sorted(name.partition(":")[2] for name in _kept(store)).count("answer_words") == 1
        assert sorted(name.partition(":")[2] for name in _kept(store)).count("latency_ms") == 2
        patch.setattr(masks, "FROM", 10**9)
        store.prepare(VIEW, n_new=2)
        assert sorted(name.partition(":")[2] for name in _kept(store)).count("answer_words") == 2
