"""The provenance report as one page that needs nothing else, and as Markdown. Every cell is escaped: names of files and documents are not ours."""

from __future__ import annotations

from ragviz.pipeline.provenance import ProvenanceReport, Section
from ragviz.reports.html import STYLE, shown
from ragviz.reports.markdown import text

MAX_CELL = 300
_MORE = "td,th{overflow-wrap:anywhere}th[scope=row]{width:34%}nav{margin:10px 0;font-size:12.5px}a{color:var(--sup)}@media print{nav{display:none}}"


def provenance_html(found: ProvenanceReport) -> str:
    """One HTML file: no script, no network, light and dark, prints well."""
    links = " · ".join(f"<a href='#s{at}'>{shown(s.title)}</a>" for at, s in enumerate(found.sections))
    body = "".join(f"<section id=s{at}><h2>{shown(s.title)}</h2>{_note(s)}{_table(s)}</section>" for at, s in enumerate(found.sections))
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Provenance of {shown(found.run)} · ragviz</title><style>{STYLE}{_MORE}</style>"
        f"<h1>Provenance of {shown(found.run)}</h1><p class=cap>What it takes to repeat these numbers · written {shown(found.written_at)}</p><nav>{links}</nav>{body}</html>\n"
    )


def _note(section: Section) -> str:
    return f"<p class=cap>{shown(section.note)}</p>" if section.note else ""


def _table(section: Section) -> str:
    if not section.rows:
        return ""
    if not section.columns:
        return "<table>" + "".join(f"<tr><th scope=row>{shown(name)}</th><td>{shown(value)}</td></tr>" for name, value in section.rows) + "</table>"
    head = "".join(f"<th scope=col>{shown(name)}</th>" for name in section.columns)
    return f"<table><tr>{head}</tr>" + "".join("<tr>" + "".join(f"<td>{shown(cell)}</td>" for cell in row) + "</tr>" for row in section.rows) + "</table>"


def provenance_markdown(found: ProvenanceReport) -> str:
    """The same for a wiki or a repository."""
    parts = [f"# Provenance of {text(found.run)}", f"What it takes to repeat these numbers. Written {text(found.written_at)}."]
    for section in found.sections:
        parts.append(f"## {text(section.title)}")
        if section.note:
            parts.append(text(section.note, MAX_CELL))
        if section.rows:
            columns = section.columns or ("what", "value")
            lines = [columns, ["---"] * len(columns), *([text(cell, MAX_CELL) for cell in row] for row in section.rows)]
            parts.append("\n".join("| " + " | ".join(line) + " |" for line in lines))
    return "\n\n".join(parts) + "\n"
