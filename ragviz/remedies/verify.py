"""Verification after the answer: claims that no passage supports are removed or marked, by their place in the text. Needs stored verdicts and no model."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ragviz.contracts import RemedyInfo, Treated
from ragviz.grounding import groundings
from ragviz.records import Citation, Grounding, JudgedTrace, Remedied, RemedySettings, RemedyStatus, RemovedClaim, Side, Span, Table
from ragviz.remedies.abstaining import abstained, unchanged
from ragviz.remedies.cutting import Cut, Piece, cut_out
from ragviz.text.citation_marks import resolve_citations
from ragviz.text.counts import counted

UNSUPPORTED = frozenset({Grounding.NOT_SUPPORTED, Grounding.CONTRADICTED})
"""Conflicted claims have a passage behind them, and unjudged ones nothing against them: both stay."""
MARKS = {Grounding.NOT_SUPPORTED: " (not in the sources)", Grounding.CONTRADICTED: " (the sources say otherwise)"}
SHARED = "it shares a sentence with a removed claim, and the two cannot be parted"


class VerifyRemedy:
    """Keeps what is supported, and says what it took out."""

    info = RemedyInfo(
        name="verify", version="1", label="Verify and remove", hosted=False,
        summary="Takes out, or marks, the claims no passage supports; everything else keeps its words and its citations.",
    )

    def treat(self, case: JudgedTrace, settings: RemedySettings) -> Treated:
        """The answer without its unsupported claims; an abstention where nothing is left, the answer as it was where nothing is to be done."""
        found = {i: g.grounding for i, g in groundings(case, Table.RESPONSE_X_PASSAGES).items()}
        claims = [c for c in case.claims if c.side is Side.RESPONSE]
        if not claims:
            return unchanged(case, self.info.name, "the answer states no claim")
        bad = [c for c in claims if found[c.id] in UNSUPPORTED]
        if not bad:
            open_ = sum(found[c.id] is Grounding.UNJUDGED for c in claims)
            return unchanged(case, self.info.name, f"no claim is unsupported; {open_} unjudged" if open_ else "no claim is unsupported")
        trace = case.trace
        citations = trace.citations if trace.citations is not None else resolve_citations(trace)
        removed = tuple(RemovedClaim(claim_id=c.id, text=c.text, grounding=found[c.id]) for c in bad)
        if settings.flag:
            return _marked(case, removed, citations)
        cut = cut_out(trace.response, [Piece(c.id, c.text, c.spans, found[c.id] in UNSUPPORTED) for c in claims])
        by_id = {c.id: c for c in claims}
        removed = tuple(r for r in removed if r.claim_id in cut.removed) + tuple(
            RemovedClaim(claim_id=i, text=by_id[i].text, grounding=found[i], reason=SHARED) for i in cut.lost
        )
        if not removed:
            return unchanged(case, self.info.name, "its unsupported claims have no place in the answer, so nothing can be cut")
        if not {c.id for c in claims} - {r.claim_id for r in removed}:
            return abstained(case, self.info.name, "no supported claim is left", removed)
        doubts = (*cut.doubts, *(f"“{by_id[i].text}” is unsupported and has no place in the answer" for i in cut.not_placed))
        gone = {r.claim_id for r in removed}
        left = tuple(
            c if c.side is Side.REFERENCE else replace(c, spans=tuple(m for s in c.spans if (m := cut.moved(s))))
            for c in case.claims
            if c.side is Side.REFERENCE or c.id not in gone
        )
        return Treated(
            response=cut.text,
            citations=_moved(citations, cut),
            claims=left,
            remedied=Remedied(
                remedy=self.info.name,
                status=RemedyStatus.CHANGED,
                before=trace.response,
                removed=removed,
                doubts=doubts,
                reason=f"{len(cut.removed)} unsupported of {counted(len(claims), 'claim')} removed"
                + (f", {len(cut.lost)} supported went with them" if cut.lost else ""),
            ),
        )


def _moved(citations: Sequence[Citation], cut: Cut) -> tuple[Citation, ...]:
    """The citations that are left, each still naming what it named."""
    return tuple(replace(c, span=span) for c in citations if (span := cut.moved(c.span)) is not None)


def _marked(case: JudgedTrace, removed: tuple[RemovedClaim, ...], citations: Sequence[Citation]) -> Treated:
    """Every unsupported claim followed by a mark; nothing is taken away."""
    text = case.trace.response
    spans = {c.id: c.spans for c in case.claims}
    at = sorted((spans[r.claim_id][-1].end, MARKS[r.grounding]) for r in removed if spans[r.claim_id])
    if not at:
        return unchanged(case, VerifyRemedy.info.name, "its unsupported claims have no place in the answer, so nothing can be marked")
    for place, mark in reversed(at):
        text = text[:place] + mark + text[place:]

    def moved(span: Span) -> Span:
        return span.shift(sum(len(mark) for place, mark in at if place <= span.start))

    claims = tuple(c if c.side is Side.REFERENCE else replace(c, spans=tuple(map(moved, c.spans))) for c in case.claims)
    return Treated(
        response=text,
        citations=tuple(replace(c, span=moved(c.span)) for c in citations),
        claims=claims,
        remedied=Remedied(
            remedy=VerifyRemedy.info.name,
            status=RemedyStatus.CHANGED,
            before=case.trace.response,
            removed=removed,
            reason=f"{counted(len(at), 'unsupported claim')} marked",
        ),
    )
