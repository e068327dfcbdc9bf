"""Each claim beside the sources it cites: supported by the cited source, by another one, or citing what was never retrieved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from ragviz.evidence.attribution import attribute_citations
from ragviz.grounding import ClaimGrounding, groundings, remembered, verdict_grid
from ragviz.metrics.passages import supporting_passages
from ragviz.records import Citation, Grounding, JudgedTrace, Judgement, Side, Table, Verdict
from ragviz.text.citation_marks import resolve_citations

ANSWERED = Table.RESPONSE_X_PASSAGES


class CitedVerdict(StrEnum):
    """What the cited source says of a claim: the words of a grounding, and one more."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    CONTRADICTED = "contradicted"
    CONFLICTED = "conflicted"
    UNJUDGED = "unjudged"
    SOURCE_NOT_FOUND = "source_not_found"

    @property
    def is_supported(self) -> bool:
        """True when a cited source entails the claim."""
        return self in (CitedVerdict.SUPPORTED, CitedVerdict.CONFLICTED)


class CitedSource(msgspec.Struct, frozen=True, kw_only=True):
    """One source behind one mark of one claim."""

    marker: str
    passage_id: str | None
    """None when the label names nothing that was retrieved."""
    label: str
    """The passage's id, or the label as written where there is no passage."""
    verdict: CitedVerdict


class CitedClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim with what it cites."""

    claim_id: str
    citations: tuple[Citation, ...]
    sources: tuple[CitedSource, ...]
    any_source: Grounding
    """What all passages together say of it."""
    cited: CitedVerdict | None
    """What its own sources say together; None when it cites nothing."""

    @property
    def by_another_source(self) -> bool:
        """Supported, but not by what it cites."""
        return self.any_source.is_supported and self.cited is not None and not self.cited.is_supported and self.cited is not CitedVerdict.UNJUDGED


def cited_claims(case: JudgedTrace) -> dict[str, CitedClaim]:
    """Every claim of the answer with its citations and their verdicts, in claim order."""
    return dict(remembered(case, "cited_claims", lambda: _cited_claims(case)))


def citations_in(case: JudgedTrace) -> tuple[Citation, ...]:
    """The answer's marks with the passages they name."""
    return remembered(case, "citations", lambda: resolve_citations(case.trace))


def _cited_claims(case: JudgedTrace) -> dict[str, CitedClaim]:
    claims = [c for c in case.claims if c.side is Side.RESPONSE]
    attributed = attribute_citations(claims, citations_in(case), case.trace.response)
    grid, found = verdict_grid(case, ANSWERED), groundings(case, ANSWERED)
    return {c.id: _cited_claim(found[c.id], attributed[c.id], grid[c.id]) for c in claims}


def citation_verdict(cited: CitedClaim, citation: Citation) -> CitedVerdict:
    """The verdict of one mark on its claim: what its sources say together."""
    return _together([s.verdict for s in cited.sources if s.marker == citation.marker and belongs(s, citation)])


def cited_labels(case: JudgedTrace) -> list[tuple[Citation, str, bool]]:
    """Every label of every mark of the answer, attributed to a claim or not: the mark, the label, whether it names a retrieved passage."""
    out: list[tuple[Citation, str, bool]] = []
    for citation in citations_in(case):
        out += [(citation, passage_id, True) for passage_id in citation.passage_ids]
        out += [(citation, label, False) for label in unknown_labels(citation)]
    return out


def unknown_labels(citation: Citation) -> tuple[str, ...]:
    """Labels of a mark that name nothing retrieved; the mark itself where the file gives no labels."""
    return citation.unresolved or (() if citation.passage_ids else (citation.marker,))


def belongs(source: CitedSource, citation: Citation) -> bool:
    """True when the source is one of those the mark names."""
    return source.passage_id in citation.passage_ids if source.passage_id is not None else source.label in unknown_labels(citation)


def _cited_claim(found: ClaimGrounding, citations: Sequence[Citation], row: Mapping[str, Judgement]) -> CitedClaim:
    helps = supporting_passages(found)
    sources = []
    for citation in citations:
        for passage_id in citation.passage_ids:
            verdict = _verdict(passage_id, found, row, helps)
            sources.append(CitedSource(marker=citation.marker, passage_id=passage_id, label=passage_id, verdict=verdict))
        sources += [
            CitedSource(marker=citation.marker, passage_id=None, label=label, verdict=CitedVerdict.SOURCE_NOT_FOUND) for label in unknown_labels(citation)
        ]
    return CitedClaim(
        claim_id=found.claim_id, citations=tuple(citations), sources=tuple(sources), any_source=found.grounding,
        cited=_together([s.verdict for s in sources]) if sources else None,
    )


def _verdict(passage_id: str, found: ClaimGrounding, row: Mapping[str, Judgement], helps: frozenset[str]) -> CitedVerdict:
    """What one cited passage says. A person's "not supported" or "contradicted" holds for each single source too."""
    if found.by == "human" and not found.grounding.is_supported:
        return CitedVerdict(found.grounding.value)
    judgement = row.get(passage_id)
    verdict = judgement.verdict if judgement else Verdict.UNJUDGED
    if verdict is Verdict.ENTAILED or passage_id in helps:
        return CitedVerdict.SUPPORTED
    words = {Verdict.CONTRADICTED: CitedVerdict.CONTRADICTED, Verdict.NEUTRAL: CitedVerdict.NOT_SUPPORTED}
    return words.get(verdict, CitedVerdict.UNJUDGED)


def _together(verdicts: Sequence[CitedVerdict]) -> CitedVerdict:
    """What several cited sources say together."""
    said = set(verdicts)
    if CitedVerdict.SUPPORTED in said:
        return CitedVerdict.CONFLICTED if CitedVerdict.CONTRADICTED in said else CitedVerdict.SUPPORTED
    for word in (CitedVerdict.CONTRADICTED, CitedVerdict.UNJUDGED, CitedVerdict.NOT_SUPPORTED):
        if word in said:
            return word
    return CitedVerdict.SOURCE_NOT_FOUND
