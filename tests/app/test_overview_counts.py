"""Every count on the Overview equals the number of rows its link opens, whatever the run."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from urllib.parse import parse_qsl

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ragviz.contracts import View
from ragviz.diagnosis import CauseName, Quadrant
from ragviz.diagnosis.meanings import BLAMED
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.comparing import Seen
from ragviz.records import Grounding, RunManifest, Score, ScoreStatus, Trace, TraceResult
from ragviz.store import Store, TraceFilter
from ragviz.ui import filters, resources, slices
from tests.app.five import five_cases, shown

Open = Callable[..., AppTest]
SCORES = ("faithfulness", "correctness", "relevance", "recall_at_5", "abstention_precision")
KINDS = ("Who has", "Which is")
"""Kinds of question: slices that are no tag."""
_numbers = count()

VALUES = st.one_of(st.none(), st.sampled_from((0.0, 0.25, 0.4999999999, 0.5, 2 / 3, 0.999999, 1.0)))
RESULTS = st.tuples(
    st.sampled_from([str(q) for q in Quadrant]), st.sampled_from([str(c) for c in CauseName]), st.tuples(*(VALUES for _ in SCORES)),
    st.dictionaries(st.sampled_from([g.value for g in Grounding]), st.integers(1, 4), max_size=3), st.sampled_from((None, "a", "b;c:d", "ä % &")),
)


def fill(store: Store, rows: list[tuple[str, str, tuple[float | None, ...], dict[str, int], str | None]]) -> View:
    """A run of these results, as if it had been judged by the judge that is shown when none was chosen."""
    run_id = f"random-{next(_numbers)}"
    manifest = RunManifest(run_id=run_id, name=run_id, created_at=datetime(2026, 3, 12, tzinfo=UTC), ragviz_version="0", format="native", n_traces=len(rows))
    view = View(run_id=run_id, judge=resources.default_fingerprint(), claim_set="rules")
    store.create_run(manifest)
    store.add_traces(
        run_id,
        [
            Trace(id=f"t{n}", question=f"{KINDS[n % 2]} number {n}?", response="Answer.", passages=None, tags={} if tag is None else {"topic": tag})
            for n, (*_, tag) in enumerate(rows)
        ],
    )
    store.finish_run(manifest)
    store.put_results(view, [
        TraceResult(
            trace_id=f"t{n}", quadrant=quadrant, cause=cause, verdicts=verdicts,
            scores={name: _score(name, f"t{n}", value) for name, value in zip(SCORES, values, strict=True)},
        )
        for n, (quadrant, cause, values, verdicts, _) in enumerate(rows)
    ])
    return view


def _score(name: str, trace_id: str, value: float | None) -> Score:
    status = ScoreStatus.OK if value is not None else ScoreStatus.UNDEFINED
    return Score(metric=name, metric_version="1", trace_id=trace_id, value=value, status=status, reason="" if value is not None else "made up")


def counted_links(app: AppTest) -> list[tuple[str, int, dict[str, str]]]:
    """Label, count and parameters of every link to the Traces page that says a number."""
    found = []
    for link in (link.proto for link in app.get("page_link") if link.proto.page == "traces"):
        n = re.match(r"\*{0,2}([\d,\u202f]+)", link.label)
        if n:
            found.append((link.label, int(re.sub(r"\D", "", n.group(1))), dict(parse_qsl(link.query_string))))
    return found


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=st.lists(RESULTS, min_size=1, max_size=14), sliced=st.booleans())
def test_every_count_equals_the_rows_its_link_opens(
    app_store: Store, open_at: Open, *, rows: list[tuple[str, str, tuple[float | None, ...], dict[str, int], str | None]], sliced: bool
) -> None:
    """Random quadrants, causes, scores with and without values, verdicts and tags; the whole run, whose causes the report counts alike, and a slice of it."""
    view = fill(app_store, rows)
    topics = [tag for *_, tag in rows if tag is not None]
    tag = filters.to_params(TraceFilter(tags={"topic": topics[0]})) if sliced and topics else {}

    app = open_at("overview", run=view.run_id, **tag)

    assert not app.exception
    links = counted_links(app)
    for label, n, params in links:
        assert params.get("run") == view.run_id
        assert n == app_store.count(view, slices.asked(params, view.run_id)), label
    assert len(links) >= 1
    failing = [n for _, n, params in links if "failing" in params]
    assert f"{sum(failing)} failing of" in shown(app)
    refused = re.search(r"\*\*([\d,]+)\*\* refusals?, kind unknown", shown(app))
    assert refused is not None
    where = TraceFilter(quadrants=("abstained",), refusals=("unknown",), tags=filters.from_params(tag).tags)
    assert int(refused.group(1)) == app_store.count(view, where) == len(app_store.passing(view, where))
    blamed = app_store.counts_by(view, "cause", TraceFilter(refusals=("wrong",), tags=where.tags))
    failing = app_store.counts_by(view, "cause", where)
    whole = app_store.counts_by(view, "cause", TraceFilter(tags=where.tags))
    right = app_store.counts_by(view, "cause", TraceFilter(quadrants=("abstained",), refusals=("right",), tags=where.tags))
    assert all(blamed.get(cause, 0) + failing.get(cause, 0) + right.get(cause, 0) == n for cause, n in whole.items())
    if not tag:
        told = brief(Seen(app_store, view)).causes
        assert {name: n for name, n in told.items() if name in BLAMED and n} == {
            params["cause"]: n for _, n, params in links if "cause" in params and "quadrant" not in params
        }
    if tag:
        assert all(params["tag"] == tag["tag"] for _, _, params in links if "range" in params or "quadrant" in params)


@pytest.mark.usefixtures("no_samples")
def test_with_references_in_a_part_every_failure_counts(app_store: Store, open_at: Open) -> None:
    """
    Of five answers two have no expected one: one of these has a claim that fails. Overview, its link, the Inspector's steps and the export count
    both failures.
    """
    values = (1.0, 1.0, 1.0, None, None)
    view = fill(
        app_store,
        [
            ("good", "none", values, {"supported": 1}, None),
            ("fabrication", "generator_added", values, {"not_supported": 1}, None),
            ("unknown", "generator_added", values, {"contradicted": 1, "supported": 1}, None),
            ("unknown", "none", values, {"supported": 1}, None),
            ("abstained", "none", values, {}, None),
        ],
    )

    app = open_at("overview", run=view.run_id)

    assert "2 failing of 5, 2 in no quadrant" in shown(app)
    (link,) = [(n, params) for label, n, params in counted_links(app) if "failing" in params]
    assert link == (2, {"run": view.run_id, "failing": "1"})
    assert app_store.passing(view, slices.asked(link[1], view.run_id)) == ["t1", "t2"]
    assert {"Fabrication", "Contradicted claim"} <= set(next(d.value for d in app.dataframe if "pattern" in d.value or "alike" in d.value)["kind"])
    assert "Only traces with a failure, by quadrant or else by claim" in shown(open_at("traces", **link[1]))
    assert "1 of 2" in shown(open_at("inspector", run=view.run_id))


@pytest.mark.usefixtures("no_samples")
def test_a_slice_that_is_no_tag_opens_its_traces(app_store: Store, open_at: Open) -> None:
    """Six of twelve questions ask "who" and fare worse: the count beside the slice opens these six, and the Traces page says what they are."""
    rows = [("fabrication" if n % 2 == 0 else "good", "none", (float(n % 2), None, None, None, None), {"supported": 1}, None) for n in range(12)]
    view = fill(app_store, rows)  # type: ignore[arg-type]

    (link,) = [(n, params) for _, n, params in counted_links(open_at("overview", run=view.run_id)) if "slice" in params]
    assert link == (6, {"run": view.run_id, "slice": "question:who"})
    page = open_at("traces", **link[1])

    assert "6 traces of 12 pass the filters" in shown(page)
    assert "Only traces with question = who" in shown(page)
    table = next(d.value for d in page.dataframe if "question" in d.value)
    assert table["trace"].tolist() == [f"t{n}" for n in range(0, 12, 2)]


def test_a_slice_nobody_has_is_dropped(app_store: Store, open_at: Open) -> None:
    """Like every value of a URL that fits nothing."""
    view = fill(app_store, [("good", "none", (1.0, None, None, None, None), {"supported": 1}, None)])

    assert slices.asked({"slice": "question:never"}, view.run_id) == TraceFilter()
    assert "1 trace of 1" in shown(open_at("traces", run=view.run_id, slice="question:never"))


@pytest.mark.usefixtures("no_samples")
def test_a_slice_narrows_every_number(app_store: Store, open_at: Open) -> None:
    """Three of four traces are about a; two of them below 1, with means of their own."""
    values = [("good", 1.0, "a"), ("extra_claim", 0.5, "a"), ("fabrication", 0.0, "a"), ("good", 1.0, "b")]
    view = fill(app_store, [(quadrant, "none", (v, None, None, None, None), {"supported": 1}, tag) for quadrant, v, tag in values])

    app = open_at("overview", run=view.run_id, tag="topic:a")

    assert "3 traces of 4" in shown(app)
    assert {m.label: m.value for m in app.metric}["Faithfulness"] == "0.500"
    assert ("2 traces below 1 ›", 2) in [(label, n) for label, n, _ in counted_links(app)]


def test_policies_side_by_side(app_store: Store, open_at: Open) -> None:
    """Opened on request: each metric under five policies, and the traces that differ."""
    five_cases(app_store)
    app = open_at("overview")
    assert not [d for d in app.dataframe if "traces that differ" in d.value]
    app.session_state["policies"] = True

    app.run()
    table = next(d.value for d in app.dataframe if "traces that differ" in d.value)

    assert not app.exception
    assert table["metric"].tolist()[0].startswith("Faithfulness")
    assert table["ragviz default"].tolist()[0] == "0.700"
