"""What pages ask of a store, against plain Python over the same traces and results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.records import Grounding, Passage, Score, ScoreStatus, Trace, TraceResult
from ragviz.store import Store, TraceFilter, blocks, columns, masks, open_store, refreshing
from tests.contracts.store_laws import JUDGE, manifest

VERDICTS = ("supported", "not_supported", "contradicted", "conflicted", "unjudged")
_numbers = count()


@pytest.fixture(scope="module", params=["by index", "by columns", "by columns, keys far apart"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store for all examples; each example has a run of its own. Once as small runs are answered, once as large ones, in blocks of five traces."""
    made = open_store(":memory:")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masks, "FROM", 10**9 if request.param == "by index" else 1)
        patch.setattr(masks, "FARTHEST", 0 if "far apart" in request.param else masks.FARTHEST)
        for module in (blocks, columns, refreshing):
            patch.setattr(module, "SIZE", 5)
        yield made
    made.close()


class Row(msgspec.Struct, kw_only=True):
    """A trace with its result, if it has one, as plain values."""

    n: int
    words: frozenset[str]
    lang: str | None
    source: str
    quadrant: str | None
    values: tuple[float | None, float | None]
    verdicts: dict[str, int]

    @property
    def id(self) -> str:
        return f"t{self.n}"

    @property
    def shown_quadrant(self) -> str:
        return self.quadrant or "unknown"

    def trace(self) -> Trace:
        passages = (Passage(id="p", text=f"Text from {self.source}", rank=1, source=self.source),)
        words = sorted(self.words)
        return Trace(
            id=self.id, question=" ".join(words[:1]) or "?", response=" ".join(words[1:]), passages=passages, tags={"lang": self.lang} if self.lang else {},
        )

    def result(self) -> TraceResult:
        assert self.quadrant is not None
        scores = {name: _score(name, self.id, value) for name, value in zip(("faithfulness", "recall_at_5"), self.values, strict=True)}
        return TraceResult(trace_id=self.id, scores=scores, quadrant=self.quadrant, cause="none", verdicts=self.verdicts)


def _score(name: str, trace_id: str, value: float | None) -> Score:
    if value is None:
        return Score(metric=name, metric_version="1", trace_id=trace_id, value=None, status=ScoreStatus.UNDEFINED, reason="nothing")
    return Score(metric=name, metric_version="1", trace_id=trace_id, value=value, status=ScoreStatus.OK)


rows = st.lists(
    st.builds(
        Row, n=st.just(0), words=st.frozensets(st.sampled_from(("alpha", "beta", "gamma", "alphabet")), max_size=3), lang=st.sampled_from((None, "de", "en")),
        source=st.sampled_from(("wiki", "mail")), quadrant=st.sampled_from((None, "good", "fabrication", "unknown", "abstained")),
        values=st.tuples(*[st.sampled_from((None, 0.0, 0.5, 1.0))] * 2), verdicts=st.dictionaries(st.sampled_from(VERDICTS), st.integers(0, 2), max_size=3),
    ), max_size=12,
).map(lambda found: [msgspec.structs.replace(row, n=n) for n, row in enumerate(found)])

filters = st.builds(
    TraceFilter, text=st.sampled_from(("", "alpha", "alph", "beta gamma", '"alpha"', "?!", "zeta")), tags=st.sampled_from(({}, {"lang": "de"})),
    quadrants=st.sampled_from(((), ("good",), ("unknown",), ("good", "unknown"), ("off_topic",))), source=st.sampled_from((None, "wiki", "nowhere")),
    verdicts=st.sampled_from(((), (Grounding.CONTRADICTED,), (Grounding.CONTRADICTED, Grounding.UNJUDGED))),
    ranges=st.sampled_from(((), (("faithfulness", 0.5, None),), (("recall_at_5", 0.0, 0.5), ("faithfulness", None, 0.9)))),
    ids=st.sampled_from(((), ("t0", "t3", "nobody"))), failing=st.booleans(),
)
sorts = st.sampled_from(("order", "faithfulness", "recall_at_5", "quadrant", "n_claims", "id"))


def passes(row: Row, where: TraceFilter) -> bool:
    """The filter's meaning in words of Python."""
    asked = [w for w in where.text.replace('"', " ").split() if w.isalpha()]
    whole = asked if where.text.startswith('"') else asked[:-1]
    last = [] if where.text.startswith('"') else asked[-1:]
    scored = row.quadrant is not None
    values = {"faithfulness": row.values[0], "recall_at_5": row.values[1]}
    return (
        all(w in row.words for w in whole)
        and all(any(w.startswith(p) for w in row.words) for p in last)
        and all(row.lang == v for v in where.tags.values())
        and (not where.quadrants or row.shown_quadrant in where.quadrants)
        and (where.source is None or row.source == where.source)
        and (not where.verdicts or (scored and any(row.verdicts.get(v, 0) > 0 for v in where.verdicts)))
        and all(scored and (v := values[name]) is not None and (lo is None or v >= lo) and (hi is None or v <= hi) for name, lo, hi in where.ranges)
        and (not where.ids or row.id in where.ids)
        and (
            not where.failing
            or row.quadrant == "fabrication"
            or (row.quadrant == "unknown" and any(row.verdicts.get(v, 0) > 0 for v in ("contradicted", "conflicted", "not_supported")))
        )
    )


def in_order(found: list[Row], sort: str, *, descending: bool) -> list[str]:
    """File order breaks ties; reversed as a whole when descending; without a value last, in file order."""
    def key(row: Row) -> object:
        if sort == "order":
            return row.n
        if sort == "id":
            return row.id
        if row.quadrant is None:
            return None
        return {"faithfulness": row.values[0], "recall_at_5": row.values[1], "quadrant": row.quadrant, "n_claims": sum(row.verdicts.values())}[sort]

    valued = sorted((r for r in found if key(r) is not None), key=lambda r: (key(r), r.n), reverse=descending)
    return [r.id for r in [*valued, *(r for r in found if key(r) is None)]]


def stored(store: Store, found: list[Row]) -> View:
    """A run with these traces and results; every other one was written in turns with a run of the same traces."""
    number = next(_numbers)
    run_id, in_turns = f"run-{number}", number % 2
    view = View(run_id=run_id, judge=JUDGE.fingerprint, claim_set="rules")
    for name in (run_id, f"beside-{run_id}")[: 1 + in_turns]:
        store.create_run(manifest(name))
    assert store.n_missing(view) == 0
    for start in range(0, len(found), 3 if in_turns else max(len(found), 1)):
        some = [row.trace() for row in found[start : start + 3 if in_turns else None]]
        for name in (run_id, f"beside-{run_id}")[: 1 + in_turns]:
            store.add_traces(name, some)
    store.put_results(view, [row.result() for row in found if row.quadrant is not None])
    return view


many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@many
@given(found=rows, where=filters, sort=sorts, descending=st.booleans(), limit=st.integers(1, 4))
def test_pages_hold_what_the_filter_says_in_order(store: Store, *, found: list[Row], where: TraceFilter, sort: str, descending: bool, limit: int) -> None:
    """Page after page gives every trace that passes, once, in order; the count agrees."""
    view = stored(store, found)
    expected = in_order([r for r in found if passes(r, where)], sort, descending=descending)

    pages = [store.page(view, where, sort=sort, descending=descending, limit=limit, offset=n) for n in range(0, len(found) + 1, limit)]

    assert expected == [row.id for page in pages for row in page]
    assert len(expected) == store.count(view, where)


@many
@given(rows, filters)
def test_counts_agree(store: Store, found: list[Row], where: TraceFilter) -> None:
    """Traces by quadrant and claims by verdict, filtered and over the whole run."""
    view = stored(store, found)
    passing = [r for r in found if passes(r, where)]

    assert dict(Counter(r.shown_quadrant for r in passing)) == store.counts_by(view, "quadrant", where)
    claims = {Grounding(v): sum(r.verdicts.get(v, 0) for r in passing if r.quadrant) for v in VERDICTS}
    assert claims == store.claim_counts(view, where)


@many
@given(found=rows, where=filters, sort=sorts, descending=st.booleans())
def test_neighbours_walk_the_list(store: Store, *, found: list[Row], where: TraceFilter, sort: str, descending: bool) -> None:
    """From the first trace to the last and back, each with its position."""
    view = stored(store, found)
    expected = in_order([r for r in found if passes(r, where)], sort, descending=descending)

    for n, trace_id in enumerate(expected):
        beside = store.neighbours(view, where, sort, trace_id, descending=descending)
        before, after = expected[n - 1] if n else None, expected[n + 1] if n + 1 < len(expected) else None
        assert (before, after, n + 1, len(expected)) == (beside.previous, beside.next, beside.position, beside.total)


def _columns_show(store: Store, view: View, found: list[Row]) -> None:
    assert store.n_missing(view) == len(store.missing_results(view)) == sum(r.quadrant is None for r in found)
    shown = store.columns(view, ["faithfulness", "n_conflicted"])
    assert [r.shown_quadrant for r in found] == list(shown["quadrant"])
    scored = [r.values[0] if r.quadrant else None for r in found]
    assert all((v is None and math.isnan(x)) or v == x for v, x in zip(scored, shown["faithfulness"], strict=True))


@many
@given(rows, st.data())
def test_columns_agree_whatever_was_recomputed(store: Store, found: list[Row], data: st.DataObject) -> None:
    """Results come, are replaced and are thrown away in any order: columns and counts show the last state."""
    view = stored(store, found)
    for n in data.draw(st.lists(st.integers(0, max(0, len(found) - 1)), max_size=5)) if found else []:
        changed = replace(found[n], quadrant=data.draw(st.sampled_from(("good", "off_topic"))), verdicts={"conflicted": 1})
        found[n] = changed
        store.put_results(view, [changed.result()])

        _columns_show(store, view, found)
    _columns_show(store, view, found)
    assert dict(Counter(r.shown_quadrant for r in found)) == store.counts_by(view, "quadrant")
