"""An evaluation as one HTML file that needs nothing else: no script, no network, light and dark, prints well."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

from ragviz.pipeline import Evaluation
from ragviz.pipeline.evaluating import places_in_words
from ragviz.pipeline.evaluation import ClaimLine, EvaluatedTrace
from ragviz.stats.bootstrap import why_none
from ragviz.text.counts import counted
from ragviz.text.sums import decimals
from ragviz.text.unmarked import unmarked

HEADLINES = (("faithfulness", "Faithfulness ↑"), ("hallucination", "Hallucination ↓"), ("correctness", "Correctness ↑"), ("relevance", "Relevance ↑"))
MARKS = {"supported": ("✓", "sup"), "not_supported": ("?", "not"), "contradicted": ("✕", "con"), "conflicted": ("⇄", "cfl"), "unjudged": ("○", "unj")}
FAILING = ("contradicted", "conflicted", "not_supported", "unjudged")

STYLE = """
:root{--bg:#fff;--text:#1f2430;--text2:#525a68;--line:#d9dde4;--sup:#0065ad;--not:#b86e00;--con:#6e0f3e;--unj:#8a9099;--sup-t:#e2eef8;--not-t:#fbeeda;--con-t:#f5e3ec;--unj-t:#f3f4f6;--on:#fff}
@media screen and (prefers-color-scheme:dark){:root{--bg:#15171c;--text:#e8eaef;--text2:#b0b7c3;--line:#363b46;--sup:#4aa3db;--not:#e69f00;--con:#ffb8d6;--unj:#7b818a;--sup-t:#17303f;--not-t:#382a0e;--con-t:#412735;--unj-t:#24272d;--on:#15171c}}
body{font:14px/1.5 "Source Sans 3","Source Sans Pro",system-ui,sans-serif;color:var(--text);background:var(--bg);max-width:1080px;margin:24px auto;padding:0 20px;font-variant-numeric:tabular-nums}
h1{font-size:21px;margin:0}h2{font-size:15.5px;margin:28px 0 8px}small,.cap{color:var(--text2);font-size:12.5px}
.cards{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0}.card{border:1px solid var(--line);border-radius:8px;padding:10px 14px;min-width:150px}.card b{display:block;font-size:26px;font-weight:650}
table{border-collapse:collapse;width:100%;font-size:12.5px}th{text-align:left;font-weight:400;color:var(--text2)}th,td{padding:4px 8px;border-bottom:1px solid var(--line);vertical-align:top}.n{text-align:right}
article{border:1px solid var(--line);border-radius:8px;padding:10px 14px;margin:12px 0;break-inside:avoid}article h3{font-size:14px;margin:0 0 6px}
.claim{padding:4px 8px;margin:4px 0;border-radius:3px;border-left:3px solid}.q{display:block;color:var(--text2);font-size:12.5px;margin-left:22px;overflow-wrap:anywhere}
.ne{margin:0 .35em;font-family:"DejaVu Sans","Segoe UI Symbol","Apple Symbols",sans-serif;font-weight:400}.g{display:inline-block;min-width:15px;text-align:center;border-radius:3px;color:var(--on);margin-right:6px;font-size:12px}
.sup{background:var(--sup-t);border-color:var(--sup)}.not{background:var(--not-t);border-color:var(--not)}.con{background:var(--con-t);border-color:var(--con)}.cfl{background:linear-gradient(90deg,var(--sup-t),var(--con-t));border-color:var(--con)}.unj{background:var(--unj-t);border-color:var(--unj)}
.sup>.g{background:var(--sup)}.not>.g{background:var(--not)}.con>.g{background:var(--con)}.cfl>.g{background:linear-gradient(115deg,var(--sup) 49%,var(--con) 51%)}.unj>.g{color:var(--text2);border:1px dotted var(--unj)}
@page{size:A4;margin:14mm 13mm}@media print{body{margin:0;padding:0;max-width:none;font-size:11.5px;-webkit-print-color-adjust:exact;print-color-adjust:exact}h2{break-after:avoid;margin-top:20px}tr,.claim,.card{break-inside:avoid}.lead{font-size:14px}}
"""


def evaluation_html(found: Evaluation) -> str:
    """The whole page. Every piece of trace text is escaped; hidden characters are shown as marks."""
    judge = found.judge
    head = (
        f"{counted(len(found.traces), 'trace')} · judge {shown(judge.judge)} {shown(judge.judge_version)}"
        + (f" ({shown(judge.model)})" if judge.model else "")
        + f" · policy {found.policy}"
    )
    failing = [(t, place) for t, place in zip(found.traces, places_in_words(found), strict=True) if any(c.verdict in FAILING for c in t.claims)]
    rest = len(found.traces) - len(failing)
    body = "".join(_trace(t, place) for t, place in failing) or "<p>Every claim is supported.</p>"
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{shown(found.run)} · ragviz</title><style>{STYLE}</style>"
        f"<h1>{shown(found.run)}</h1><p class=cap>{head}{' · first ' + counted(found.k, 'passage') if found.k else ''}<br>fingerprint "
        f"{shown(judge.fingerprint)}</p>"
        f"<div class=cards>{''.join(_card(found, name, label) for name, label in HEADLINES if name in found.summary)}</div>"
        f"<h2>All metrics</h2>{_means(found)}{_imported(found)}<h2>Traces with claims to look at <small>{len(failing):,}, the other {rest:,} have none</small></h2>{body}{_issues(found)}</html>\n"
    )


def shown(raw: str | None) -> str:
    """Trace text as inert HTML: escaped, and hidden characters visible as ‹U+202E›."""
    if not raw:
        return ""
    visible = "".join(
        f"‹U+{ord(c):04X}›" if unicodedata.category(c) in ("Cf", "Cs") or (unicodedata.category(c) == "Cc" and c not in "\n\t\r") else c for c in raw
    )
    return escape(visible, quote=True)


def _card(found: Evaluation, name: str, label: str) -> str:
    line = found.summary[name]
    interval = f"{line.ci95[0]:.3f} to {line.ci95[1]:.3f}" if line.ci95 else f"{why_none(line.n)} for an interval" if line.n else "no value"
    return f"<div class=card><span class=cap>{label} · macro</span><b>{_number(line.macro)}</b><span class=cap>{interval} · n {line.n}</span></div>"


def clash(ours: str, theirs: str) -> str:
    """What the claim says and what the source says. The sign has room of its own: in some fonts it leans on the number beside it."""
    return f"{shown(ours)} <span class=ne>≠</span> {shown(theirs)}"


def _means(found: Evaluation) -> str:
    rows = "".join(
        f"<tr><td>{name.replace('_', ' ')}<td class=n>{_number(s.macro, name)}<td "
        f"class=n>{_number(s.micro, name)}<td>{f'{_number(s.ci95[0], name)} to {_number(s.ci95[1], name)}' if s.ci95 else why_none(s.n)}"
        f"<td class=n>{s.n}<td class=n>{s.undefined}<td class=n>{_number(s.coverage)}" for name, s in found.summary.items() if s.n
    )
    return f"<table><tr><th>metric<th class=n>macro<th class=n>micro<th>95 % interval<th class=n>n<th class=n>undefined<th class=n>coverage{rows}</table>"


def _imported(found: Evaluation) -> str:
    if not found.imported_scores:
        return ""
    rows = "".join(f"<tr><td>{shown(name)}<td class=n>{_number(s.mean)}<td class=n>{s.n}<td class=n>{s.missing}" for name, s in found.imported_scores.items())
    return f"<h2>Scores of other tools <small>theirs, not recomputed</small></h2><table><tr><th>imported score<th class=n>mean<th class=n>n<th class=n>no number{rows}</table>"


def _trace(trace: EvaluatedTrace, place: str) -> str:
    return f"<article><h3>{shown(trace.question)}</h3><p class=cap>{shown(trace.id)} · {place} · {trace.cause.replace('_', ' ')}</p>{_why(trace)}{''.join(_claim(c) for c in trace.claims)}</article>"


def _why(trace: EvaluatedTrace) -> str:
    """The cause in a sentence, and the passages that show it."""
    if trace.cause in ("", "none"):
        return ""
    quotes = "".join(
        f"<span class=q>{shown(e.name)}, {f'retrieved at rank {e.rank}' if e.retrieved else 'not retrieved'}, "
        f"{'states' if e.verdict == 'entailed' else 'denies'} “{shown(unmarked(e.claim))}”{_said(e.quotes)}</span>" for e in trace.cause_evidence
    )
    return f"<p class=cap>{shown(trace.cause_detail)}{quotes}</p>"


def _said(quotes: Sequence[str]) -> str:
    """The words of the passage; a fact that the file only notes at a passage stands in none of them."""
    return ": " + " and ".join(f"“{shown(quote)}”" for quote in quotes) if quotes else " (no quote)"


def _claim(claim: ClaimLine) -> str:
    glyph, style = MARKS[claim.verdict]
    quotes = "".join(f"<span class=q>{shown(e.name)} [{e.start}:{e.end}] “{shown(e.quote)}” {e.tier}</span>" for e in claim.evidence)
    return f"<div class='claim {style}'><span class=g aria-hidden=true>{glyph}</span>{shown(unmarked(claim.text))} <small>{claim.verdict.replace('_', ' ')}</small>{quotes}</div>"


def _issues(found: Evaluation) -> str:
    if not found.issues:
        return ""
    rows = "".join(f"<tr><td>{shown(i.where)}<td>{shown(i.message)}<td>{shown(i.fix)}" for i in found.issues)
    return f"<h2>Rows with issues <small>{len(found.issues):,}</small></h2><table><tr><th>where<th>problem<th>fix{rows}</table>"


def _number(value: float | None, metric: str = "") -> str:
    return "–" if value is None else f"{value:.{decimals(metric, value)}f}"
