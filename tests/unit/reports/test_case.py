"""A trace as one page: people read it, a browser runs nothing of it, and it loads back as it was."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ragviz.loaders import read
from ragviz.loaders.case import holds_a_case
from ragviz.pipeline import import_files
from ragviz.records import JudgedTrace, LoadIssue, Passage, Span, Trace
from ragviz.reports.case import Marked, case_html, file_name, marked
from ragviz.store import open_store
from tests.browser.scenario import a_rich_case

HOSTILE = (
    "</script><script>alert(1)</script>", "<!--<script>", "]]>--><img src=x onerror=alert(1)>", '<script type="application/json" id="ragviz-case">{}</script>',
    "\u202egnp.exe\u202c", "a\u2028b", "<style>*{display:none}</style>", "&lt;b&gt;&amp;", '"quoted" \'twice\' \\ back\\slash \\u003c',
)


class Tags(HTMLParser):
    """Which elements a page has, and with which attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def tags_of(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """Elements in order."""
    parser = Tags()
    parser.feed(page)
    return parser.seen


class TestCase:
    def test_it_loads_back_equal(self) -> None:
        """Every field of the trace, through the content alone."""
        case = a_rich_case()

        page = case_html(case, run="v7", judge="local 1").encode()

        assert list(read(io.BytesIO(page), filename="anything.txt")) == [case.trace]

    def test_verdicts_evidence_and_values_are_told(self) -> None:
        """c1 is conflicted: supported by the mirror, contradicted by the current terms; 90 days against 30 days."""
        page = case_html(a_rich_case(), run="v7", judge="local 1")

        assert "c1 · An unopened item can be sent back within 90 days of delivery <small>conflicted</small>" in page
        assert "supports: #2 returns_mirror [39:99] “an unopened item can be sent back within 90 days of delivery” exact" in page
        assert "duration: 90 days <span class=ne>≠</span> 30 days" in page
        assert "v7" in page

    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_text_stays_text(self, text: str) -> None:
        """In every field: the page has one data block, no other script, no picture, no handler; and the text comes back as it was."""
        passages = (Passage(id=text, title=text, source=text, text=text, rank=1),)
        trace = Trace(id=text, question=text, response=text, reference=text, model=text, tags={text: text}, passages=passages, origin=text)

        page = case_html(JudgedTrace(trace=trace), run=text, judge=text)

        seen = tags_of(page)
        assert [attributes for tag, attributes in seen if tag == "script"] == [{"type": "application/json", "id": "ragviz-case"}]
        assert not {"img", "iframe", "link", "object"} & {tag for tag, _ in seen}
        assert not any(name.startswith("on") for _, attributes in seen for name in attributes)
        assert sum(tag == "style" for tag, _ in seen) == 1
        assert "\u202e" not in page.split("</script>", 1)[1]
        assert list(read(io.BytesIO(page.encode()), filename="x")) == [trace]

    def test_a_cut_off_page_is_an_issue(self) -> None:
        """One sentence with a way out."""
        page = case_html(a_rich_case(), run="v7", judge="local 1").encode()
        cut = page[: page.index(b'id="ragviz-case"') + 200]

        found = list(read(io.BytesIO(cut), filename="case.html"))

        assert [type(part) for part in found] == [LoadIssue]
        assert "no whole trace" in found[0].message

    def test_other_pages_are_no_cases(self) -> None:
        """The block decides, not the ending."""
        assert not holds_a_case(b"<!doctype html><p>Hello</p>")
        assert not holds_a_case(b'{"question": "<script type=\\"application/json\\" id=\\"ragviz-case\\">"}')

    def test_a_folder_of_cases_is_one_run(self, tmp_path: Path) -> None:
        """`ragviz import` takes them like any other file."""
        for name in ("a", "b"):
            trace = Trace(id=name, question="Why?", response="So.", passages=())
            (tmp_path / file_name(name)).write_text(case_html(JudgedTrace(trace=trace), run="v7", judge="-"), encoding="utf-8")
        store = open_store(":memory:")

        report = import_files(store, [tmp_path])

        assert (report.n_traces, report.n_issues) == (2, 0)
        assert {t.id for t in store.traces(report.run_id)} == {"a", "b"}


class TestMarks:
    def test_overlapping_marks_draw_the_worst(self) -> None:
        """"abcdef": supported a–d, contradicted c–f. Three pieces, the shared one contradicted; each note behind its own end."""
        page = marked("abcdef", [Marked(Span(0, 4), "sup", "c1"), Marked(Span(2, 6), "con", "c2")])

        assert [piece.split("</mark>")[0].split(">")[-1] for piece in page.split("<mark class=")[1:]] == ["ab", "cd", "ef"]
        assert page.index("<sup>c1</sup>") < page.index("ef") < page.index("<sup>c2</sup>")
        assert [p.split(" ")[0] for p in page.split("<mark class=")[1:]] == ["sup", "con", "con"]

    def test_marks_outside_the_text_are_left_out(self) -> None:
        """What sticks out is cut off."""
        assert marked("ab", [Marked(Span(5, 9), "sup")]) == "ab"
        assert "ab" in marked("ab", [Marked(Span(0, 9), "sup")])


@pytest.mark.parametrize(
    ("trace_id", "name"), [("tr-0417", "case-tr-0417.html"), ("../../etc/passwd", "case-etc-passwd.html"), ("<b>", "case-b.html"), ("…", "case-trace.html")]
)
def test_file_names_are_harmless(trace_id: str, name: str) -> None:
    """Letters, digits, dots and dashes only, whatever the trace is called."""
    assert file_name(trace_id) == name
