"""Everything that ragviz writes of a hostile run: nothing in it runs, links, mentions somebody or becomes a formula. New outputs are found by themselves."""

from __future__ import annotations

import csv
import gzip
import importlib
import inspect
import io
import json
import pkgutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

import ragviz.reports
from ragviz.contracts import View
from ragviz.gate.check import GateLine, GateReport
from ragviz.loaders import read
from ragviz.pipeline.briefing import brief
from ragviz.pipeline.comparing import Seen, compare_seen
from ragviz.pipeline.evaluating import evaluation
from ragviz.pipeline.exporting import WRITERS, export_run
from ragviz.pipeline.provenance import provenance_report
from ragviz.records import LoadIssue
from ragviz.store import Store, TraceFilter
from ragviz.ui.views import data_export
from tests.reliability.hostile_run import HOSTILE, hostile_run

ALLOWED = {
    "html", "head", "body", "meta", "title", "style", "h1", "h2", "h3", "p", "br", "div", "span", "b", "strong", "em", "small", "table", "thead", "tbody", "tr", "td", "th", "article", "section",
    "main", "nav", "header", "footer", "ul", "ol", "li", "mark", "code", "pre", "details", "summary", "dl", "dt", "dd", "blockquote", "hr", "sup", "caption",
    "svg", "defs", "pattern", "g", "line", "rect", "path", "circle", "text", "polygon", "polyline", "tfoot", "i",
}


class Browser(HTMLParser):
    """Fails on what a browser would run, fetch or follow."""

    n_data_blocks = 0

    def handle_data(self, data: str) -> None:
        """What is read, and what is no trace to be loaded again: nothing that turns the line around, hides or steers a terminal."""
        assert self.cdata_elem == "script" or not {"\u202e", "\u2066", "\u200b", "\x1b"} & set(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            assert (dict(attrs).get("href") or "").startswith("#s")  # the page's own list of contents
            return
        if tag == "script":
            self.n_data_blocks += 1
            assert dict(attrs).get("type") == "application/json"  # the trace itself, which no browser runs
            assert self.n_data_blocks == 1
            return
        assert tag in ALLOWED, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("href", "src", "action", "formaction", "srcset", "data", "poster", "background"), f"{name}={value}"
            assert name != "style" or not {"url(", "expression", "@import"} & {word for word in ("url(", "expression", "@import") if word in (value or "")}


def inert_html(raw: bytes) -> None:
    """No element but plain ones."""
    Browser().feed(raw.decode())


def inert_markdown(raw: bytes) -> None:
    """Drawn as GitHub draws it, HTML let through and bare addresses turned into links, it comes out as plain elements; nobody is mentioned."""
    words = raw.decode()
    Browser().feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(words))
    assert "@" not in words
    assert "http://" not in words
    assert not {"\u202e", "\u2066", "\u200b", "\x1b"} & set(words)


def inert_csv(raw: bytes) -> None:
    """No cell that a spreadsheet would compute."""
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    assert len(rows) > 1
    for cell in (cell for row in rows for cell in row if cell):
        bare = cell.lstrip(" \t\r\n\u200b")
        assert not bare.startswith(("=", "+", "@")) and cell[0] not in "\t\r\n", cell  # noqa: PT018
        assert not bare.startswith("-") or bare[1:].replace(".", "").replace("e-", "").isdigit(), cell


def inert_xml(raw: bytes) -> None:
    """A strict parser reads our elements and no other."""
    assert {element.tag for element in ET.fromstring(raw).iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "skipped",
        "properties",
        "property",
        "system-out",
    }


def whole_json(raw: bytes) -> None:
    """Each line is an object: no text broke out of its string."""
    lines = [json.loads(line) for line in raw.split(b"\n") if line]
    assert lines
    assert all(isinstance(line, dict | list) for line in lines)


CHECKS: dict[str, Callable[[bytes], None]] = {
    ".csv": inert_csv,
    ".claims.csv": inert_csv,
    ".jsonl": whole_json,
    ".ragas.jsonl": whole_json,
    ".ragchecker.json": lambda raw: whole_json(raw.replace(b"\n", b"")),
    ".ragviz": lambda raw: whole_json(gzip.decompress(raw)),
    ".parquet": lambda raw: None if raw.startswith(b"PAR1") else pytest.fail("no Parquet file"),
    "_html": inert_html,
    "_markdown": inert_markdown,
    "junit": inert_xml,
}
"""What each kind of output must be; one that is not named here fails its test."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, View]]:
    """That run, once for all tests of this file."""
    store, view = hostile_run(tmp_path_factory.mktemp("hostile"))
    yield store, view
    store.close()


@pytest.mark.parametrize("ending", sorted(WRITERS))
def test_exported_files(run: tuple[Store, View], tmp_path: Path, ending: str) -> None:
    """Every format of ``ragviz export``; those that load again hold the words as they were."""
    store, view = run
    out = tmp_path / f"out{ending}"

    assert export_run(store, view, out)

    CHECKS[ending](out.read_bytes())
    if ending in (".jsonl", ".parquet"):
        assert [t.response for t in store.traces(view.run_id)] == [t.response for t in read(out) if not isinstance(t, LoadIssue)]


@pytest.mark.parametrize("kind", sorted(data_export.FORMATS))
def test_downloads(run: tuple[Store, View], kind: str) -> None:
    """Every format of the Data page."""
    CHECKS[f".{kind}"](data_export.write(*run, TraceFilter(), kind))


def the_reports() -> list[str]:
    """``module.function`` of every report there is."""
    found = []
    for module in pkgutil.iter_modules(ragviz.reports.__path__):
        for name, _ in inspect.getmembers(importlib.import_module(f"ragviz.reports.{module.name}"), inspect.isfunction):
            if name.endswith(("_html", "_markdown")) or name == "junit":
                home = getattr(importlib.import_module(f"ragviz.reports.{module.name}"), name).__module__.rpartition(".")[2]
                found += [f"{home}.{name}"] if home == module.name else []
    return found


def a_gate() -> GateReport:
    """A failed check for each hostile word."""
    return GateReport(
        n_cases=len(HOSTILE),
        lines=tuple(
            GateLine(scope=said, metric=said, value=0.5, limit="at least 1", passed=False, quarantined=n % 2 == 0, reason=said, claim_ids=(said,))
            for n, said in enumerate(HOSTILE)
        ),
    )


def written(name: str, store: Store, view: View) -> list[str | bytes]:
    """What a report says of the run."""
    function: Callable[..., str | bytes] = getattr(importlib.import_module(f"ragviz.reports.{name.partition('.')[0]}"), name.partition(".")[2])
    judge = next(iter(store.judged(view))).judgements[0].provenance
    manifest = store.run(view.run_id)
    if name == "case.case_html":
        return [function(case, run=manifest.name, judge=HOSTILE[0]) for case in store.judged(view)]
    if name.startswith(("html.", "markdown.")):
        return [function(evaluation(store, view, judge))]
    if name.startswith("provenance."):
        return [function(provenance_report(store, view))]
    if name.startswith("junit."):
        return [function(a_gate(), name=said) for said in HOSTILE]
    if name.startswith("gate."):
        return [function(a_gate(), name=said, remarks=[said]) for said in HOSTILE]
    if name in ("briefing.briefing_html", "briefing_markdown.briefing_markdown"):
        seen = Seen(store, view)
        return [function(brief(seen)), function(brief(seen, base=seen))]
    if name in ("briefing.changes_html", "briefing.costs_html", "briefing.differences_html"):
        change = compare_seen(Seen(store, view), Seen(store, view))
        return [function(change, said) if name.endswith("changes_html") else function(change.metrics) for said in HOSTILE]
    if name.startswith("comparison"):
        found = compare_seen(Seen(store, view), Seen(store, view))
        return [function(found, base=said, candidate=said) for said in HOSTILE]
    raise AssertionError(f"{name} is new: say here how it is written of a hostile run")


@pytest.mark.parametrize("name", the_reports())
def test_reports(run: tuple[Store, View], name: str) -> None:
    """Every report for people and machines: HTML, Markdown for pull requests, JUnit."""
    kind = next(kind for kind in CHECKS if name.endswith(kind))
    texts = written(name, *run)

    assert all(texts)
    assert texts
    for text in texts:
        CHECKS[kind](text if isinstance(text, bytes) else text.encode("utf-8", "replace"))


FAULTS = {
    "_html": ("<script>alert(1)</script>", "<script type='application/json'>{}</script>" * 2, "<img src=x>", "<iframe></iframe>", "<p onclick='x()'>a</p>", "<p style='background: url(x)'>a</p>", "<a href='http://evil.test'>a</a>", "<p>\u202ea</p>", "a \x1b[2J"),
    "_markdown": ("[a](http://evil.test)", "![a](/i.png)", "<b onclick=x>a</b>", "<script>a</script>", "ping @everyone", "see http://evil.test", "\u202ea", "a \u200b b"),
    "junit": ("<testsuites><evil/></testsuites>",),
    ".csv": ("a\n=1+1\n", "a\n\u200b@SUM(A1)\n", 'a\n"\t=1+1"\n', "a\n-1+1\n", "a\n", ""),
    ".jsonl": ("", '"a"\n', "{}\n3\n"),
    ".ragviz": ("{}\nnull\n",),
    ".parquet": ("PAR2",),
}
"""What each check is there for, in its plainest form."""


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FAULTS.items() for text in texts])
def test_the_checks_see_each_fault(kind: str, text: str) -> None:
    """A file in which something runs, links, mentions, computes or breaks out fails."""
    raw = text.encode()
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        CHECKS[kind](gzip.compress(raw) if kind == ".ragviz" else raw)
