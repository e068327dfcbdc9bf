"""
One trace as one HTML file: to mail, to attach to a ticket, and to load again.

No script, no network. People read the answer with its claims, their verdicts and what those rest on; ``ragviz import`` finds the
trace itself in a data block (``loaders.case``).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragviz.grounding import ClaimGrounding, groundings, unjoin, word_on_answer
from ragviz.loaders.case import data_block
from ragviz.records import JOINED, Claim, Clash, Evidence, JudgedTrace, Judgement, Passage, Side, Span, Table
from ragviz.reports.html import MARKS, STYLE, clash, shown
from ragviz.text.unmarked import unmarked

_MORE_STYLE = """
.text{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext}mark{color:inherit;background:none;border-bottom:2px solid;padding:1px 0;-webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.not{border-bottom-style:dashed}mark.con{border-bottom-style:double;border-bottom-width:4px}mark.cfl{border-bottom-style:double;border-bottom-width:4px}mark.unj{border-bottom-style:dotted}sup{color:var(--text2);font-size:11px;margin-left:2px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;font-size:12.5px}dt{color:var(--text2)}dd{margin:0;overflow-wrap:anywhere}
"""
_WORST_FIRST = ("con", "cfl", "not", "unj", "sup")


class Marked(NamedTuple):
    """A stretch of a text with the class it is drawn in, and what is written behind it."""

    span: Span
    style: str
    note: str = ""


class Proof(NamedTuple):
    """One certificate of a claim."""

    passage: Passage
    evidence: Evidence
    verb: str
    clashes: tuple[Clash, ...]


def case_html(case: JudgedTrace, *, run: str, judge: str) -> str:
    """
    The whole page.

    Args:
        case: The trace with the claims and verdicts to show, and its k.
        run: Name of the run.
        judge: Who judged, in words.
    """
    trace = case.trace
    found = groundings(case, Table.RESPONSE_X_PASSAGES)
    claims = [c for c in case.claims if c.side is Side.RESPONSE]
    proofs = {c.id: proofs_of(case, found[c.id]) for c in claims if c.id in found}
    marks = [Marked(span, _style(found.get(c.id)), c.id) for c in claims for span in c.spans]
    word = word_on_answer(case.annotations)
    facts = {
        "trace": trace.id,
        "run": run,
        "judge": judge,
        "policy": str(case.policy),
        "passages that count": "all" if case.k is None else f"the first {case.k}",
        "model": trace.model or "",
        "the answer is": f"{'a refusal' if word.declines else 'an answer'}, says {word.author}{': ' + word.reason if word.reason else ''}" if word else "",
        "time": trace.started_at.isoformat(sep=" ", timespec="minutes") if trace.started_at else "",
        **{f"tag {k}": v for k, v in trace.tags.items()},
    }
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{shown(trace.id)} · ragviz case</title><style>{STYLE}{_MORE_STYLE}</style>\n{data_block(trace)}\n"
        f"<h1 class=text dir=auto>{shown(trace.question)}</h1><dl>{''.join(f'<dt>{shown(name)}<dd>{shown(value)}' for name, value in facts.items() if value)}</dl>"
        f"<h2>Answer</h2><div class=text dir=auto>{marked(trace.response, marks)}</div>"
        + (f"<h2>Reference</h2><div class=text dir=auto>{shown(trace.reference)}</div>" if trace.reference else "")
        + f"<h2>Claims <small>{len(claims)}</small></h2>{''.join(_claim(c, found.get(c.id), proofs.get(c.id, [])) for c in claims) or '<p>None.</p>'}"
        f"<h2>Passages <small>{len(trace.passages or ())}, as the model saw them</small></h2>{_passages(trace.passages, proofs)}"
        f"<p class=cap>Load it again: <code>ragviz import FILE</code>, or drop it on the Data page.</p></html>\n"
    )


def file_name(trace_id: str) -> str:
    """A name that every file system takes: ``case-tr-0417.html``."""
    return f"case-{re.sub(r'[^A-Za-z0-9._-]+', '-', trace_id)[:80].strip('.-') or 'trace'}.html"


def marked(text: str, marks: Sequence[Marked], *, styles: Sequence[str] = _WORST_FIRST) -> str:
    """The text as inert HTML with its marks; where marks overlap, the first of ``styles`` is drawn and every note stands behind its own end."""
    inside = [m._replace(span=Span(m.span.start, min(m.span.end, len(text)))) for m in marks if m.span.start < min(m.span.end, len(text))]
    edges = sorted({0, len(text), *(m.span.start for m in inside), *(m.span.end for m in inside)})
    out: list[str] = []
    for start, end in itertools.pairwise(edges):
        over = {m.style for m in inside if m.span.start <= start and end <= m.span.end}
        piece = shown(text[start:end])
        style = next((s for s in styles if s in over), None)
        colour = f" style='border-color:var(--{'con' if style == 'cfl' else style})'" if style in _WORST_FIRST else ""
        out.append(f"<mark class={style}{colour}>{piece}</mark>" if style else piece)
        out += [f"<sup>{shown(m.note)}</sup>" for m in inside if m.note and m.span.end == end]
    return "".join(out)


def proofs_of(case: JudgedTrace, found: ClaimGrounding) -> list[Proof]:
    """All certificates of a claim in passages; those of several passages together are mapped back to each."""
    passages = {p.id: p for p in case.trace.passages or ()}
    out: list[Proof] = []
    for verb, judgements in (("supports", found.supporting), ("contradicts", found.contradicting)):
        for judgement in (_in_passages(j, case) for j in judgements):
            for evidence in judgement.evidence:
                passage = passages.get(evidence.passage_id or judgement.key.premise_id)
                if passage is not None and evidence.span.fits(passage.text):
                    out.append(Proof(passage, evidence, verb, judgement.clashes))
    return out


def _in_passages(judgement: Judgement, case: JudgedTrace) -> Judgement:
    premise = judgement.key.premise_id
    if not premise.startswith(JOINED):
        return judgement
    return unjoin(judgement, case.trace, int(premise[1:]) if premise[1:].isdigit() else None)


def _style(found: ClaimGrounding | None) -> str:
    return MARKS[found.grounding.value if found else "unjudged"][1]


def _claim(claim: Claim, found: ClaimGrounding | None, proofs: Sequence[Proof]) -> str:
    glyph, style = MARKS[found.grounding.value if found else "unjudged"]
    word = found.grounding.value.replace("_", " ") if found else "unjudged"
    note = found.annotation if found else None
    said = [f"said by {shown(note.author)}{': ' + shown(note.reason) if note.reason else ''}"] if found and found.by == "human" and note else []
    said += [
        f"{p.verb}: #{p.passage.rank} {shown(p.passage.title or p.passage.matching_id)} [{p.evidence.span.start}:{p.evidence.span.end}] "
        f"“{shown(p.evidence.quote)}” {p.evidence.tier.value}"
        for p in proofs
    ]
    said += [
        f"{kind}: {clash(ours, theirs)}"
        for kind, ours, theirs in dict.fromkeys((c.kind.value, c.hypothesis_value, c.premise_value) for p in proofs for c in p.clashes)
    ]
    lines = "".join(f"<span class=q>{line}</span>" for line in said)
    return f"<div class='claim {style}'><span class=g aria-hidden=true>{glyph}</span>{shown(claim.id)} · {shown(unmarked(claim.text))} <small>{word}</small>{lines}</div>"


def _passages(passages: Iterable[Passage] | None, proofs: Mapping[str, Sequence[Proof]]) -> str:
    if passages is None:
        return "<p>The file does not say what was retrieved.</p>"
    used: dict[str, list[Marked]] = {}
    for claim_id, found in proofs.items():
        for p in found:
            used.setdefault(p.passage.id, []).append(Marked(p.evidence.span, "sup" if p.verb == "supports" else "con", claim_id))
    return "".join(_passage(p, used.get(p.id, [])) for p in passages) or "<p>Nothing was retrieved.</p>"


def _passage(passage: Passage, marks: Sequence[Marked]) -> str:
    origin = dict.fromkeys(
        o for o in (passage.matching_id, passage.source, passage.authority, passage.effective_date or passage.revision) if o and o != passage.title
    )
    score = "" if passage.score is None else f" · score {passage.score:.2f}"
    head = f"#{passage.rank} {shown(passage.title or '')}"
    return (
        f"<article><h3>{head} <small>{' · '.join(map(shown, origin))}{score}</small></h3><div class=text dir=auto>{marked(passage.text, marks)}</div></article>"
    )
