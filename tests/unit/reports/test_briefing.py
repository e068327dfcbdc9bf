"""The report for people who do not read traces: right numbers in plain words, evidence and clash on both sides, nothing foreign alive in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ragviz.compare.families import SIDES, way_of
from ragviz.compare.paired import MetricDifference
from ragviz.diagnosis.causes import root_cause
from ragviz.diagnosis.meanings import TERMS
from ragviz.diagnosis.standings import all_the_same
from ragviz.figures.differences import DifferenceRow, difference_forest
from ragviz.figures.theme import LIGHT
from ragviz.metrics import metric_info, score_all
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.briefing import Briefing, Figure, brief
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.records import Direction, Interval, Verdict
from ragviz.reports.briefing import briefing_html, differences_html
from ragviz.reports.briefing_markdown import briefing_markdown
from ragviz.reports.comparison_html import comparison_html
from ragviz.reports.drawing import WIDTH
from ragviz.reports.plain_words import ASKED, between
from ragviz.store import Store, open_store
from tests.app.five import FILE
from tests.browser.scenario import a_rich_case
from tests.stored import fill
from tests.unit.diagnosis.caused import a_rated_case
from tests.unit.reports.test_documents import HOSTILE, Tags

DRAWN = {"html", "meta", "title", "style", "header", "section", "h1", "h2", "h3", "p", "div", "span", "b", "small", "table", "tr", "td", "th", "article", "dl", "dt", "dd", "mark", "svg",
         "defs", "pattern", "rect", "path", "circle", "line"}


def test_a_range_of_one_figure_is_no_range() -> None:
    """"Between 100 % and 100 %" reads as a mistake."""
    figure = Figure(name="relevance", value=0.999, interval=Interval(lo=0.998, hi=0.999), n=8, of=8)

    assert [between(figure), between(msgspec.structs.replace(figure, interval=Interval(lo=0.9, hi=0.99)))] == [
        "plausibly about 100 %",
        "plausibly between 90 % and 99 %",
    ]


@pytest.fixture
def store() -> Iterator[Store]:
    """Thrown away."""
    found = open_store(":memory:")
    yield found
    found.close()


def five(store: Store, name: str = "five cases") -> Seen:
    """The five teaching cases, judged by their annotated facts."""
    report = import_files(store, [FILE], run_name=name)
    return Seen(store, judge_run(store, report.run_id, "facts").view)


def hostile(store: Store, said: str) -> Briefing:
    """One contradicted claim; question, answer, id, title and tag are what an attacker would write."""
    case = a_rich_case()
    trace = msgspec.structs.replace(
        case.trace,
        question=said,
        response=said + " " + case.trace.response,
        passages=tuple(msgspec.structs.replace(p, title=said) for p in case.trace.passages or ()),
    )
    fill(store, msgspec.structs.replace(case, trace=trace), name=f"run {said}")
    view, _ = store.views(f"run {said}")[0]
    return brief(Seen(store, view))


class TestNumbers:
    def test_the_five_cases_can_be_redone_by_hand(self, store: Store) -> None:
        """2 of 6 claims without support; faithfulness (1 + 1/2 + 0 + 1 + 1) / 5."""
        found = brief(five(store))

        assert [(f.name, round(f.value or 0, 3), f.n, f.of) for f in found.figures] == [
            ("hallucination", 0.333, 6, 6), ("faithfulness", 0.7, 5, 5), ("correctness", 0.533, 5, 5), ("relevance", 0.733, 5, 5),
        ]
        html = briefing_html(found)
        assert "Of 6 checked claims in 5 answers, 2 have no support in what was retrieved." in html
        assert re.search(r"\| Without support \| 33 % \| of all claims .*\| 6 of 6 claims \|", briefing_markdown(found))
        assert "<b>33 %</b>" in html
        assert "rests on 6 of 6 claims" in html

    def test_a_run_without_verdicts_says_so_and_shows_no_zero(self, store: Store) -> None:
        """An unjudged run has dashes, not 0 %."""
        case = a_rich_case()
        fill(store, msgspec.structs.replace(case, judgements=()), name="silent")
        report = import_files(store, [FILE], run_name="unjudged")
        seen = five(store)
        html = briefing_html(brief(Seen(store, msgspec.structs.replace(seen.view, run_id=report.run_id))))

        assert "none of their claims has a verdict yet" in html
        assert "<b>–</b>" in html
        assert "0 %" not in re.sub(r"<style>.*?</style>", "", html)

    def test_different_kinds_come_before_the_same_kind_twice(self, store: Store) -> None:
        """Five answers fail in four ways: the three that are shown are of three kinds, none of them good."""
        kinds = [f.result.quadrant for f in brief(five(store)).worst]

        assert len(set(kinds)) == len(kinds) == 3
        assert "good" not in kinds


class TestHowFarToBelieve:
    @pytest.mark.parametrize(
        ("judge", "said"), [("local 11 (all-MiniLM-L6-v2)", True), ("local:4f", True), ("anthropic 1 (x)", False), ("localised 1", False), ("facts 1", False)]
    )
    def test_one_sentence_where_the_judge_reads_nothing(self, store: Store, judge: str, said: bool) -> None:
        """Of the default judge, on paper and in Markdown, with the way on; of others nothing."""
        found = msgspec.structs.replace(brief(five(store)), judge=judge)

        for document in (briefing_html(found), briefing_markdown(found)):
            assert ("How far to believe it" in document) is said
            assert ("label a sample on the Judges page" in document) is said

    @pytest.mark.parametrize(
        ("quadrant", "verdict", "said"),
        [
            ("wrong_mirror", "contradicted", True),
            ("extra_claim", "contradicted", True),
            ("extra_claim", "not_supported", False),
            ("fabrication", "contradicted", False),
        ],
    )
    def test_a_kind_that_sounds_right_says_that_a_claim_is_contradicted(self, quadrant: str, verdict: str, said: bool) -> None:
        """“Faithful to what was retrieved” over a contradicted claim is explained."""
        told = all_the_same(quadrant, int(verdict == "contradicted"))

        assert ("1 claim of this answer is contradicted by a passage" in told) is said


class TestEvidence:
    def test_every_quote_stands_word_for_word_where_it_says(self, store: Store) -> None:
        """``passage[start:end] == quote`` also on paper."""
        found = hostile(store, "What is it?")
        html = briefing_html(found)
        quotes = re.findall(r"“(.*?)” <small>passage (\d+), .*? \[(\d+):(\d+)\]</small>", html)
        passages = {p.rank: p.text for p in found.worst[0].case.trace.passages or ()}

        assert quotes
        for quote, rank, start, end in quotes:
            assert re.sub(r"<[^>]+>", "", quote) == passages[int(rank)][int(start):int(end)].replace("'", "&#x27;")

    def test_the_clash_is_marked_on_both_sides(self, store: Store) -> None:
        """90 days in the claim, 30 days in the source, and both side by side."""
        html = briefing_html(hostile(store, "What is it?"))

        claim, source = re.search(r"It claims<dd[^>]*>(.*?)<dt>", html), re.search(r"The source says<dd[^>]*>(.*?)<small>", html)
        assert claim is not None
        assert source is not None
        assert "<mark class=clash>" in claim.group(1)
        assert "<mark class=clash>" in source.group(1)
        assert "<span class=ne>≠</span>" in html

    def test_every_failing_claim_is_marked_in_its_answer_and_what_is_not_listed_is_counted(self, store: Store) -> None:
        """One of six is contradicted, one conflicted, one without support, and one has no verdict: three are marked, two listed with their sources."""
        fill(store, a_rich_case(), name="rich")
        found = brief(Seen(store, store.views("rich")[0][0]))
        html, text = briefing_html(found), briefing_markdown(found)
        answer = re.search(r"<dt>The answer<dd[^>]*>(.*?)</dl>", html)

        assert answer is not None
        assert sorted(re.findall(r"<mark class=claim-in>(.*?)</mark>", answer.group(1))) == [
            "An unopened item can be sent back within 90 days of delivery",
            "Gift cards can be swapped for store credit at any time",
            "Return postage is free for orders over €50",
        ]
        assert html.count("<dt>It claims") == 2
        assert "1 more claim of this answer fails." in html
        assert "1 more claim of this answer fails." in text

    def test_a_wrong_mirror_quotes_the_expected_answer(self, store: Store) -> None:
        """All of it is supported; what makes it wrong is the reference, and that is shown."""
        mirror = next(f for f in brief(five(store)).worst if f.result.quadrant == "wrong_mirror")
        html = briefing_html(msgspec.structs.replace(brief(five(store, "again")), worst=(mirror,)))

        assert "by the expected answer" in html or "expected answer" in html

    def test_a_wrong_mirror_says_what_is_known_and_what_is_inferred(self, store: Store) -> None:
        """Where no source was shown to be wrong, the kind says that it is inferred and the cause by which figures; both forms."""
        mirror = next(f for f in brief(five(store)).worst if f.result.quadrant == "wrong_mirror")
        case = a_rated_case(
            "ab",
            "x",
            response_x_reference={"a": "N", "b": "C"},
            response_x_passages={"a": "E", "b": "C"},
            reference_x_passages={"x": "E"},
            reference_x_response={"x": "N"},
        )
        found = root_cause(case, score_all(case))
        result = msgspec.structs.replace(mirror.result, cause=found.name, cause_detail=found.detail)
        briefing = msgspec.structs.replace(brief(five(store, "again")), worst=(msgspec.structs.replace(mirror, result=result),))

        for told in (briefing_html(briefing), briefing_markdown(briefing).replace("\\", "")):
            assert "is inferred from this" in told
            assert "a wrong mirror by its figures alone (faithfulness 0.50, correctness 0.00): no source was shown to be wrong" in told


def test_relevance_is_not_called_right() -> None:
    """It measures whether the answer speaks of what was asked: the report, the hints and the metric's own words say so, and none says that it answers it."""
    told = [ASKED["relevance"][1], TERMS["relevance"], metric_info("relevance").summary, metric_info("answer_relevance_direct").summary]

    assert all("speak" in words and ("right" in words) for words in told)
    assert not [words for words in told if "answers what" in words or "address" in words]


def test_an_expected_answer_that_is_silent_is_quoted_behind_one_colon(store: Store) -> None:
    """What it says is not what the answer says, and contradicts nothing."""
    found = brief(five(store))
    mirror = next(f for f in found.worst if f.result.quadrant == "wrong_mirror")
    silent = tuple(
        msgspec.structs.replace(j, verdict=Verdict.NEUTRAL, evidence=(), clashes=()) if j.key.table == "response_x_reference" else j
        for j in mirror.case.judgements
    )
    case = msgspec.structs.replace(mirror.case, judgements=silent)
    text = briefing_markdown(msgspec.structs.replace(found, worst=(msgspec.structs.replace(mirror, case=case),)))

    assert "  - does not say so: “" in text
    assert "::" not in text


@pytest.mark.parametrize("said", HOSTILE)
def test_nothing_foreign_is_alive(store: Store, said: str) -> None:
    """No element, attribute or address comes out of a trace; direction overrides are visible; nothing is fetched."""
    found = hostile(store, said)
    html, tags = briefing_html(found), Tags()
    tags.feed(html)

    assert tags.seen <= DRAWN
    assert "\u202e" not in html
    assert "<script" not in briefing_markdown(found)


def test_what_changed_is_told_and_drawn(store: Store) -> None:
    """The same answers twice: nothing moved, and the page says so; the comparison as a page holds the same sentence."""
    base, seen = five(store, "before"), five(store, "after")
    html = briefing_html(brief(seen, base=base))
    page = comparison_html(compare_seen(base, seen), base="before", candidate="after")

    for text in (html, page):
        assert "no headline figure moved by more than chance explains" in text
        assert "<circle" in text
    assert "What changed since before" in html
    assert "## What changed since before" in briefing_markdown(brief(seen, base=base))


@pytest.mark.parametrize(("name", "better", "rise"), [
    ("faithfulness", Direction.HIGHER, 1), ("hallucination", Direction.LOWER, -1), ("latency_ms", Direction.LOWER, -1), ("n_claims", Direction.NEITHER, 1),
])
def test_pages_and_reports_draw_a_difference_on_the_same_side(name: str, better: Direction, rise: int) -> None:
    """
    Better on the right, whichever way the metric counts, and more where no side is better: a rise of 0.2 lies right of the middle, or left of it,
    in both pictures; so does its interval.
    """
    row = MetricDifference(
        metric=name,
        n=40,
        left_out=0,
        base=0.5,
        candidate=0.7,
        difference=0.2,
        ci95=Interval(lo=0.1, hi=0.3),
        p=0.001,
        p_holm=0.001,
        wins=30,
        losses=0,
        ties=10,
        better=better,
    )
    html = differences_html([row])
    dot = float(re.search(r"<circle cx=([\d.]+)", html)[1])  # type: ignore[index]
    ends = [float(x) for x in re.search(r"<line x1=([\d.]+) y1=9 x2=([\d.]+)", html).groups()]  # type: ignore[union-attr]
    chart = difference_forest([DifferenceRow(
        label=name, base=0.5, candidate=0.7, pairs=40, difference=0.2, lo=0.1, hi=0.3, p=0.001, sign=way_of(row), beyond=True,
    )], base="before", candidate="after", colours=LIGHT)
    page = next(t.x[0] for t in chart.data if t.mode == "markers")

    assert [math.copysign(1, dot - WIDTH / 2), math.copysign(1, page), *(math.copysign(1, x - WIDTH / 2) for x in ends)] == [rise] * 4
    assert SIDES in html
    assert "lower than before" not in html


def test_the_file_given_to_a_stakeholder_is_one_file(store: Store, tmp_path: Path) -> None:
    """No reference to anything outside, and styles for A4."""
    html = briefing_html(brief(five(store)))

    assert "default-src 'none'" in html
    assert "@page{size:A4" in html
    assert "http" not in html.replace("http-equiv", "")
