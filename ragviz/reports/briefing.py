"""The report for people who do not read traces, as one HTML file: no script, no network, light and dark, two or three sheets of A4."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.compare.families import ARROWS, COST_SIDES, SIDES, way_of
from ragviz.compare.paired import MetricDifference
from ragviz.compare.report import Comparison
from ragviz.diagnosis.meanings import BLAMED, CAUSE_MEANINGS, STRONGER, TERMS, believed
from ragviz.pipeline.briefing import Briefing, Failure, Figure
from ragviz.records import Grounding, Span
from ragviz.reports import plain_words as words
from ragviz.reports.case import Marked, marked
from ragviz.reports.drawing import ORDER, Change, changes_svg, share_svg, strip_svg, swatch, verdict_svg
from ragviz.reports.failures import SHOWN, Quote, Wrong, heading, more_than_shown, wrong_claims
from ragviz.reports.html import MARKS, STYLE, clash, shown
from ragviz.text.counts import counted
from ragviz.text.sums import decimals
from ragviz.text.unmarked import unmarked_with

MAX_ANSWER = 900
"""Characters of an answer that are printed; the Inspector has the rest."""
MAX_QUOTE = 420
CHANGED_SHOWN = 5
PAPER = """
.lead{font-size:17px;line-height:1.45;margin:14px 0 4px;max-width:62em}.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:12px}.card b{font-size:32px;line-height:1.25}.card p{margin:2px 0}.card svg{margin:6px 0 4px}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:6px 0;font-size:12.5px}.swatch{vertical-align:-1px;margin-right:5px}.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}
.failure{padding:12px 16px}.failure h3{font-size:15.5px;line-height:1.35}.said{display:grid;grid-template-columns:7.5em 1fr;gap:4px 12px;margin:8px 0;font-size:13.5px}.said dt{color:var(--text2);font-size:12.5px}.said dd{margin:0;overflow-wrap:anywhere;unicode-bidi:plaintext}
mark{color:inherit;background:none;font-weight:650;border:1.5px solid var(--con);border-radius:3px;padding:0 2px;-webkit-box-decoration-break:clone;box-decoration-break:clone}mark.claim-in{font-weight:400;border:0;border-bottom:2px solid var(--con);border-radius:0}
.values{font-weight:650}dl.terms{display:grid;grid-template-columns:1fr;gap:3px;font-size:12.5px;color:var(--text2);margin:0}dl.terms dd{margin:0}.foot{margin-top:24px;border-top:1px solid var(--line);padding-top:8px}
h2 small{font-weight:400}td.row,th{white-space:nowrap}tr:first-child{break-after:avoid}.failure>.cap:last-child{break-before:avoid}h3{break-after:avoid}
@media screen and (max-width:760px){.cards{grid-template-columns:repeat(2,1fr)}}@media print{.cards{gap:8px}.card{min-width:0;padding:8px 10px}.card b{font-size:25px}.card p,.cap,small{font-size:10.5px}.short,.said{break-inside:avoid}article.failure{break-inside:auto}.said{font-size:12px}table{font-size:11px}}
"""
_CHIP = {
    Grounding.SUPPORTED: "supported",
    Grounding.CONFLICTED: "conflicted",
    Grounding.NOT_SUPPORTED: "not supported",
    Grounding.CONTRADICTED: "contradicted",
    Grounding.UNJUDGED: "unjudged",
}


def briefing_html(found: Briefing) -> str:
    """The whole page. Every piece of trace text is escaped; hidden characters are shown as marks."""
    facts = [counted(found.n_traces, "answer"), f"imported {found.imported_at:%-d %B %Y}", f"judged by {found.judge}", f"policy {found.policy}"]
    facts += [f"first {counted(found.k, 'passage')}"] if found.k else []
    facts += [f"{counted(found.n_rejected, 'row')} of the file rejected or in doubt"] if found.n_rejected else []
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{shown(found.run)} · report</title><style>{STYLE}{PAPER}</style>"
        f"<header><h1>{shown(found.run)}</h1><p class=cap>{shown(' · '.join(facts))}</p><p class=lead>{shown(words.lead(found))}</p>{_believed(found)}</header>"
        f"<div class=cards>{''.join(_card(f) for f in found.figures)}</div>{_verdicts(found)}{_where(found)}{_worst(found)}{_changed(found)}{_terms(found)}</html>\n"
    )


def _believed(found: Briefing) -> str:
    said = believed(found.judge)
    return f"<p class=cap>{said} {STRONGER}</p>" if said else ""


def _card(figure: Figure) -> str:
    name, says, _ = words.ASKED[figure.name]
    interval = figure.interval
    strip = strip_svg(
        figure.value, interval.lo if interval else None, interval.hi if interval else None, alt=f"{name} {words.percent(figure.value)}, {words.between(figure)}"
    )
    said = f"<p>{says}</p>" if figure.value is not None else ""
    return f"<div class=card><span class=cap>{name}</span><b>{words.percent(figure.value)}</b>{said}{strip}<p class=cap>{words.between(figure)}</p><p class=cap>{words.rests_on(figure)}</p></div>"


def _verdicts(found: Briefing) -> str:
    total = sum(found.claims.values())
    if not total:
        return ""
    legend = "".join(
        f"<span>{swatch(g)}{MARKS[g.value][0]} {_CHIP[g]} <b>{found.claims[g]:,}</b> <small>{100 * found.claims[g] / total:.0f} %</small></span>"
        for g in ORDER
        if found.claims.get(g)
    )
    return (
        f"<section class=short><h2>What became of each claim <small>{total:,}</small></h2>{verdict_svg(found.claims)}<div class=legend>{legend}</div></section>"
    )


def _where(found: Briefing) -> str:
    rows = "".join(
        f"<tr><td class=row>{label}<td class=n>{n:,}<td>{share_svg(n, found.n_traces)}<td>{meaning}" for label, meaning, n in words.places(found)
    )
    blamed = sorted(((n, CAUSE_MEANINGS[name]) for name, n in found.causes.items() if name in BLAMED and n), reverse=True)
    causes = "".join(f"<tr><td>{meaning}<td class=n>{n:,}<td>{share_svg(n, sum(c for c, _ in blamed))}" for n, meaning in blamed)
    rest = found.causes.get("unknown", 0)
    untold = f"<p class=cap>For {rest:,} {'answer' if rest == 1 else 'answers'} no cause can be shown from what the file holds.</p>" if rest else ""
    total = f"{sum(n for n, _ in blamed):,}, wrong refusals included"
    why = (
        f"<section class=short><h2>Which part is to blame <small>{total}</small></h2><table><tr><th>cause<th "
        f"class=n>answers<th>{causes}</table>{untold}</section>"
        if causes
        else ""
    )
    return f"<section class=short><h2>Where answers stand <small>{found.n_traces:,}</small></h2><table><tr><th>kind<th class=n>answers<th><th>what it means{rows}</table></section>{why}"


def _worst(found: Briefing) -> str:
    if not found.worst:
        return "<section><h2>Worst failures</h2><p>No failing answer was found.</p></section>"
    head = f"<h2>{'The worst failure' if len(found.worst) == 1 else f'The {len(found.worst)} worst failures'} <small>contradictions first; each kind of failure once before any twice</small></h2>"
    return head + "".join(_failure(at, f, without_reference=found.standings is not None) for at, f in enumerate(found.worst, start=1))


def _failure(at: int, failure: Failure, *, without_reference: bool) -> str:
    trace, result = failure.case.trace, failure.result
    wrong = wrong_claims(failure)
    label, meaning = heading(failure, wrong, without_reference=without_reference)
    spans = [span for w in wrong if w.fails for span in w.claim.spans]
    alike = f" · one of {failure.alike:,} of this kind" if failure.alike > 1 else ""
    said = f"<p class=cap>{meaning}</p>" if meaning else ""
    claims = "".join(_wrong(w) for w in wrong[:SHOWN]) or "<p class=cap>No single claim is to blame.</p>"
    rest = f"<p class=cap>{more}</p>" if (more := more_than_shown(wrong)) else ""
    return (
        f"<article class=failure><h3><span dir=auto>{at}. {shown(_short(trace.question, 300))}</span></h3><p class=cap><b>{label}</b>{alike} · "
        f"{shown(trace.id)}</p>{said}"
        f"<dl class=said><dt>The answer<dd dir=auto "
        f"class=text>{_answer(trace.response, spans)}</dl>{claims}{rest}{_cause(result.cause, result.cause_detail)}</article>"
    )


def _answer(text: str, spans: Sequence[Span]) -> str:
    """The answer with its wrong claims underlined; of a long one the part around the first."""
    if len(text) <= MAX_ANSWER:
        start, end = 0, len(text)
    else:
        first = min((s.start for s in spans), default=0)
        start = max(0, first - MAX_ANSWER // 3)
        end = min(len(text), start + MAX_ANSWER)
    inside = [Marked(Span(max(s.start, start) - start, min(s.end, end) - start), "claim-in") for s in spans if s.start < end and s.end > start]
    return ("… " if start else "") + _drawn(text[start:end], inside) + (" …" if end < len(text) else "")


def _drawn(text: str, marks: Sequence[Marked]) -> str:
    return marked(text, marks, styles=("claim-in", "clash"))


def _wrong(wrong: Wrong) -> str:
    glyph, style = MARKS.get(wrong.verdict, MARKS["contradicted" if wrong.verdict.startswith("contradicted") else "not_supported"])
    words, clashes = unmarked_with(wrong.claim.text, wrong.clashes)
    rows = f"<dt>It claims<dd dir=auto>{_drawn(words, [Marked(s, 'clash') for s in clashes])}"
    rows += "".join(f"<dt>{_source_word(q)}<dd dir=auto>“{_quote(q)}” <small>{shown(q.where)}</small>" for q in wrong.quotes)
    if not wrong.quotes:
        rows += "<dt>The sources<dd>No passage was found that says it."
    if wrong.values:
        rows += "<dt>The clash<dd class=values>" + "; ".join(clash(ours, theirs) for ours, theirs in wrong.values)
    by = f", decided by {shown(wrong.said_by)}" if wrong.said_by else ""
    return f"<div class='claim {style}'><span class=g aria-hidden=true>{glyph}</span><small>{wrong.verdict.replace('_', ' ')}{by}</small><dl class=said>{rows}</dl></div>"


def _source_word(quote: Quote) -> str:
    return "A source agrees" if quote.verb == "supports" else "The source says" if quote.where.startswith("passage") else "Expected"


def _quote(quote: Quote) -> str:
    if len(quote.text) <= MAX_QUOTE:
        return _drawn(quote.text, [Marked(s, "clash") for s in quote.clashes])
    first = min((s.start for s in quote.clashes), default=0)
    start = max(0, min(first - MAX_QUOTE // 2, len(quote.text) - MAX_QUOTE))
    end = start + MAX_QUOTE
    inside = [Marked(Span(max(s.start, start) - start, min(s.end, end) - start), "clash") for s in quote.clashes if s.start < end and s.end > start]
    return ("… " if start else "") + _drawn(quote.text[start:end], inside) + (" …" if end < len(quote.text) else "")


def _cause(cause: str, detail: str) -> str:
    meaning = CAUSE_MEANINGS.get(cause)
    more = f" {detail[0].upper()}{_short(detail[1:], 300)}{'' if detail.endswith('.') else '.'}" if detail else ""
    return f"<p class=cap>Why: {meaning}{shown(more)}</p>" if meaning and cause != "unknown" else ""


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _changed(found: Briefing) -> str:
    if found.change is None:
        return ""
    return f"<section><h2>What changed since {shown(found.base)}</h2>{changes_html(found.change, found.base)}</section>"


def changes_html(change: Comparison, base: str) -> str:
    """The sentence, what makes it unfair, the headline figures before and after, and the answers that became incorrect or correct."""
    unfair = "".join(f"<p class='cap'><b>Not a fair comparison:</b> {shown(u.told)}.</p>" for u in change.unfair)
    return f"<p>{shown(words.change_lead(change, base))}</p>{unfair}{differences_html(words.headline_rows(change))}{_answers(change)}"


def differences_html(rows: Sequence[MetricDifference]) -> str:
    """Metrics before and after, with a picture of each difference; filled = beyond chance."""
    if not rows:
        return "<p class=cap>The two runs share no question with a value on both sides.</p>"
    return f"{_differences(rows, [1.0] * len(rows))}<p class=cap>{SIDES} Filled: beyond chance. {TERMS['holm']}</p>"


def costs_html(rows: Sequence[MetricDifference]) -> str:
    """Time and money before and after; the pictures are shares of what it was before, since each has a unit of its own."""
    return f"{_differences(rows, [abs(m.base) if m.base else 1.0 for m in rows])}<p class=cap>{COST_SIDES}</p>"


def _differences(rows: Sequence[MetricDifference], units: Sequence[float]) -> str:
    pictures = changes_svg(
        [
            Change(
                None if m.difference is None else m.difference / unit,
                m.ci95.lo / unit if m.ci95 else None,
                m.ci95.hi / unit if m.ci95 else None,
                words.is_beyond(m),
                way_of(m),
            )
            for m, unit in zip(rows, units, strict=True)
        ]
    )
    body = "".join(
        f"<tr><td class=row>{m.metric.replace('_', ' ')}{ARROWS[m.better]}<td class=n>{_number(m.base, m.metric)}<td "
        f"class=n>{_number(m.candidate, m.metric)}<td class=n>{_signed(m.difference, m.metric)}<td>{picture}"
        f"<td class=n>{_number(m.p_holm)}<td class=row>{words.standing(m)}<td class=n>{m.n:,}" for m, picture in zip(rows, pictures, strict=True)
    )
    head = "<tr><th>metric<th class=n>before<th class=n>after<th class=n>difference<th>with its 95 % interval<th class=n>p (Holm)<th>reading<th class=n>pairs"
    return f"<table>{head}{body}</table>"


def _answers(change: Comparison) -> str:
    rows = "".join(
        f"<tr><td>{shown(a.candidate_trace_id)}<td>became {'incorrect' if a.worse else 'correct'}<td class=n>{a.before:.2f} → "
        f"{a.after:.2f}<td>{a.reason.value.replace('_', ' ')}: {shown(_short(a.detail, 160))}{f'<br>{shown(_short(a.because, 320))}' if a.because else ''}"
        for a in change.answers[:CHANGED_SHOWN]
    )
    more = f"<p class=cap>{len(change.answers) - CHANGED_SHOWN:,} more are not shown.</p>" if len(change.answers) > CHANGED_SHOWN else ""
    return f"<table><tr><th>answer<th>change<th class=n>correctness<th>why{rows}</table>{more}" if rows else ""


def _terms(found: Briefing) -> str:
    wanted = ["claim", "judge", "interval", "coverage", "unjudged", *(["holm"] if found.change is not None else []), "policy"]
    return (
        f"<section class='foot short'><h2>How to read this</h2><dl class=terms>{''.join(f'<dd>{TERMS[name]}' for name in wanted)}<dd>“Without "
        f"support” says that nothing retrieved backs a claim, not that it is false. "
        "Verdicts are a machine's unless a person is named; each quote stands word for word in the source, at the place given.</dl></section>"
    )


def _number(value: float | None, metric: str = "") -> str:
    return "–" if value is None else f"{value:.{decimals(metric, value)}f}"


def _signed(value: float | None, metric: str) -> str:
    return "–" if value is None else f"{value:+.{decimals(metric, value)}f}".replace("-", "−")
