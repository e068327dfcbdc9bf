"""Rankings as an import packs them, against the ranking that metrics see."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragviz.metrics.ranked import ranking_of
from ragviz.pipeline.rankings import DEPTH, REPEATED, UNLABELLED, pack_ranking, unpack_rankings
from ragviz.records import Passage, Trace

NAMES = st.sampled_from(["a", "b", "c", "text:a", "text:T"])


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Labels in every way a file can have them, documents met twice, lists longer than what is packed."""
    drawn = draw(st.lists(st.tuples(NAMES, NAMES | st.none(), st.none() | st.integers(-1, 3)), max_size=DEPTH + 4))
    passages = tuple(Passage(id=f"{i}-{rank}", text=text, rank=rank, doc_id=doc, relevance=label)
                     for rank, ((text, doc, label), i) in enumerate(zip(drawn, draw(st.permutations(range(len(drawn)))), strict=True), start=1))
    return Trace(
        id="t", question=draw(NAMES), response="", passages=passages,
        relevant_ids=draw(st.none() | st.frozensets(NAMES)), relevance_grades=draw(st.none() | st.dictionaries(NAMES, st.integers(-1, 3))),
        relevant_texts=draw(st.none() | st.lists(NAMES, max_size=3).map(tuple)),
    )


@given(st.lists(traces(), min_size=1, max_size=6))
def test_what_is_packed_is_what_metrics_see(drawn: list[Trace]) -> None:
    """Places, relevant documents, flags, gains and the best order, of each of several traces packed one after the other."""
    for trace in drawn:
        group, body = pack_ranking(trace)
        seen = ranking_of(trace)
        assert group == pack_ranking(trace)[0]
        if seen is None:
            assert body == b""
            continue
        (row,) = unpack_rankings([body])
        shown = seen.slots[:DEPTH]
        assert (row["n_places"], row["n_relevant"]) == (len(seen.slots), seen.n_relevant)
        assert row["flags"].tolist()[: len(shown)] == [REPEATED if s.duplicate_of is not None else 0 if s.labelled else UNLABELLED for s in shown]
        assert row["gains"].tolist()[: len(shown)] == [s.gain for s in shown]
        assert row["ideal"].tolist() == [*seen.ideal[:DEPTH], *[0.0] * (DEPTH - len(seen.ideal[:DEPTH]))]
        assert not row["gains"][len(shown) :].any()
