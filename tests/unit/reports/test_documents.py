"""Markdown and HTML reports keep hostile text inert."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.pipeline.evaluation import ClaimLine, EvaluatedTrace, Evaluation, EvidenceLine, IssueLine, JudgeLine, SummaryLine
from ragviz.reports.html import evaluation_html, shown
from ragviz.reports.markdown import evaluation_markdown, text

HOSTILE = [
    "<script>alert(1)</script>",
    "![x](http://e.org/i.png)",
    "[a](javascript:x)",
    "@everyone",
    "$x^2$ costs $5",
    "a | b",
    "`code`",
    "<img src=x onerror=y>",
    "\u202eevil",
    "# heading",
    "&lt;",
]


def an_evaluation(said: str) -> Evaluation:
    """One contradicted claim, with the same text everywhere."""
    claim = ClaimLine(
        id="c1",
        text=said,
        verdict="contradicted",
        confidence=0.9,
        evidence=[EvidenceLine(passage_id=said, start=0, end=4, quote=said, tier="exact")],
        citations=[],
        hallucination_type=None,
    )
    trace = EvaluatedTrace(id=said, question=said, quadrant="fabrication", cause="generator_added", scores={}, claims=[claim])
    judge = JudgeLine(judge="local", judge_version="1", params_hash="x", model=said, model_revision=None, prompt_version=None, fingerprint="f")
    summary = {"faithfulness": SummaryLine(macro=0.5, micro=None, n=1, undefined=0, coverage=1.0, ci95=None)}
    return Evaluation(run=said, k=2, judge=judge, policy="default", traces=[trace], summary=summary, issues=[IssueLine(where=said, message=said, fix=said)])


class Tags(HTMLParser):
    """Which elements a browser would make."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]


@pytest.mark.parametrize("said", HOSTILE)
def test_html_makes_no_element_of_trace_text(said: str) -> None:
    """No script, image or link, whatever the trace says."""
    tags = Tags()
    tags.feed(evaluation_html(an_evaluation(said)))

    assert tags.seen <= {"html", "meta", "title", "style", "h1", "h2", "h3", "p", "br", "div", "span", "b", "small", "table", "tr", "td", "th", "article"}


@given(st.text())
def test_html_escaping_leaves_no_markup(said: str) -> None:
    """Any text; direction overrides are visible."""
    html = shown(said)

    assert "<" not in html
    assert "\u202e" not in html


@pytest.mark.parametrize("said", HOSTILE)
def test_markdown_has_no_active_character_left(said: str) -> None:
    """Every active character is escaped or an entity; a table cell stays one cell."""
    line = text(said)

    assert "<" not in line
    assert "@" not in line
    for active in "[]()*_`|$!":
        assert all(line[i - 1] == "\\" for i, c in enumerate(line) if c == active)


def test_markdown_tells_what_is_wrong_and_where() -> None:
    """Verdict, claim, passage and offsets stand in one row."""
    report = evaluation_markdown(an_evaluation("30 days"))

    assert "✕ contradicted | 30 days | 30 days | 30 days \\[0:4\\] “30 days”" in report
    assert "| faithfulness | 0.500 | – | too few | 1 | 0 | 1.000 |" in report
