"""Citations, Sources and Compare: empty, with the teaching cases, and without what they need."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from ragviz.pipeline import import_files, judge_run
from ragviz.records import Grounding, Usage
from ragviz.store import Store
from ragviz.ui.views.citations_numbers import Kind, rows
from tests.app.five import FILE, five_cases, shown
from tests.browser.scenario import a_rich_case
from tests.stored import fill, renamed

Open = Callable[..., AppTest]


@pytest.mark.parametrize("page", ["citations", "sources", "compare"])
@pytest.mark.usefixtures("no_samples")
def test_empty_store(app_store: Store, open_at: Open, page: str) -> None:
    """A sentence and a way out on each."""
    app = open_at(page)

    assert not app.exception
    assert "No traces yet" in shown(app)


class TestCitations:
    def test_claims_by_what_their_source_says(self, app_store: Store, open_at: Open) -> None:
        """Every claim of an answer that cites is in exactly one kind, and the pills count them."""
        fill(app_store, a_rich_case())

        app = open_at("citations")

        assert not app.exception
        group = next(b for b in app.button_group if b.key == "url_kind")
        n = sum(int(option.content.rpartition("**")[0].rpartition("**")[2]) for option in group.proto.options)
        assert n == len([c for c in a_rich_case().claims if c.side == "response"])

    def test_an_invented_source_is_said_first(self) -> None:
        """A mark that names nothing retrieved decides, whatever else is cited."""
        case = a_rich_case()
        kinds = {row.kind for row in rows([case])}

        assert kinds <= set(Kind)
        assert all((row.kind is Kind.UNCITED) <= (not row.marks) for row in rows([case]))
        assert all(row.any_source in Grounding for row in rows([case]))

    def test_no_citations(self, app_store: Store, open_at: Open) -> None:
        """The teaching cases cite nothing: the page says which marks it knows, and no number is 0."""
        five_cases(app_store)

        app = open_at("citations")

        assert not app.exception
        assert "No citations in this run" in shown(app)


class TestSources:
    def test_the_wrong_mirror_is_the_worst_document(self, app_store: Store, open_at: Open) -> None:
        """One answer repeats a passage that the reference denies: that document did the damage, in that trace."""
        five_cases(app_store)

        app = open_at("sources")
        documents = app.dataframe[0].value

        assert not app.exception
        assert documents["misled"].tolist()[0] == 1
        assert documents["misled"].sum() == 1
        assert "**1** documents did damage" in shown(app)

    def test_without_passages(self, app_store: Store, open_at: Open) -> None:
        """The file cannot say what was retrieved."""
        case = a_rich_case()
        bare = msgspec.structs.replace(case, trace=msgspec.structs.replace(case.trace, passages=None, citations=()), judgements=())
        fill(app_store, bare)

        app = open_at("sources")

        assert not app.exception
        assert "No sources in this run" in shown(app)


class TestCompare:
    def test_one_run_has_nothing_to_compare_with(self, app_store: Store, open_at: Open) -> None:
        """What to do about it."""
        five_cases(app_store)

        app = open_at("compare")

        assert not app.exception
        assert "There is only one run" in shown(app)

    def test_the_same_run_twice_differs_in_nothing(self, app_store: Store, open_at: Open) -> None:
        """Five pairs, no flip, everything equal."""
        five_cases(app_store)
        judge_run(app_store, import_files(app_store, [FILE], run_name="again").run_id, "facts")

        app = open_at("compare", run="again", base="five cases")

        assert not app.exception
        assert "5 paired traces; no claim got worse" in shown(app)
        assert "Comparable" in shown(app)

    def test_time_and_money_stand_apart_from_quality(self, app_store: Store, open_at: Open) -> None:
        """In a box of their own, drawn on an axis of their own: 800 ms beside shares would press these to the middle."""
        case = a_rich_case()
        for name, latency in (("before", 800.0), ("after", 400.0)):
            fill(
                app_store, msgspec.structs.replace(case, trace=msgspec.structs.replace(case.trace, usage=Usage(latency_ms=latency, cost_usd=0.0002))), name=name
            )

        app = open_at("compare", run="after", base="before", all="all")

        assert not app.exception
        assert "an answer that took longer is none that got worse" in shown(app)
        quality, costs = (chart.proto.alt for chart in app.get("plotly_chart")[:2])
        assert "Latency" not in quality
        assert "Latency (ms) ↓ −400" in costs
        assert "an answer that took longer" not in shown(open_at("compare", run="after", base="before"))

    def test_a_flip_is_listed_with_its_reason(self, app_store: Store, open_at: Open) -> None:
        """One claim lost its support while text and passages stayed: the judge, not the system, and the page says so."""
        case = a_rich_case()
        fill(app_store, case, name="before")
        entailed = next(j for j in case.judgements if j.verdict == "entailed" and j.key.table == "response_x_passages")
        worse = tuple(msgspec.structs.replace(j, verdict="neutral", evidence=()) if j.key.claim_id == entailed.key.claim_id else j for j in case.judgements)
        fill(app_store, msgspec.structs.replace(case, judgements=worse), name="after")

        app = open_at("compare", run="after", base="before")

        assert not app.exception
        assert app.dataframe[0].value["changed"].tolist() == ["verdict only"]
        assert "the judge, not the system" in shown(app)

    def test_runs_without_a_common_question(self, app_store: Store, open_at: Open) -> None:
        """Nothing is paired, and nothing breaks."""
        case = a_rich_case()
        fill(app_store, case, name="before")
        other = renamed(case, "other")
        fill(app_store, msgspec.structs.replace(other, trace=msgspec.structs.replace(other.trace, question="Something else?", group=None)), name="after")

        app = open_at("compare", run="after", base="before")

        assert not app.exception
        assert "0 paired traces" in shown(app)
