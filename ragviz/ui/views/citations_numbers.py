"""Every citation of a run with what its source says of the claim: pure rows, counted by kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from sys import intern

from ragviz.metrics.cited import CitedClaim, CitedVerdict, citations_in, cited_claims
from ragviz.records import Grounding, JudgedTrace
from ragviz.text.unmarked import unmarked


class Kind(StrEnum):
    """How a claim stands to what it cites. In the order shown: what needs looking at first."""

    INVENTED = "invented"
    CONTRADICTED = "contradicted"
    ELSEWHERE = "elsewhere"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    UNJUDGED = "unjudged"
    SUPPORTED = "supported"


LABELS = {
    Kind.INVENTED: "Source not found",
    Kind.CONTRADICTED: "Source contradicts",
    Kind.ELSEWHERE: "Supported by another source",
    Kind.UNSUPPORTED: "Not supported by any",
    Kind.UNCITED: "Supported, not cited",
    Kind.UNJUDGED: "Unjudged",
    Kind.SUPPORTED: "Supported by its source",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class CitedRow:
    """One claim of an answer that cites."""

    trace_id: str
    claim_id: str
    question: str
    claim: str
    marks: str
    """As written: "[1] [3]"; "" for none."""
    sources: str
    """What they name: passage ids, or the label that names nothing."""
    cited: CitedVerdict | None
    any_source: Grounding
    kind: Kind


def rows(cases: Iterable[JudgedTrace]) -> list[CitedRow]:
    """One row a claim, of all answers that cite at all: where nothing is cited, nothing is missing."""
    found = []
    for case in cases:
        if not citations_in(case):
            continue
        texts = {claim.id: unmarked(claim.text) for claim in case.claims}
        found += [_row(case, texts.get(claim_id, ""), cited) for claim_id, cited in cited_claims(case).items()]
    return found


# A hundred thousand rows are kept: what repeats among them is held once.
def _row(case: JudgedTrace, text: str, cited: CitedClaim) -> CitedRow:
    return CitedRow(
        trace_id=case.trace.id,
        claim_id=intern(cited.claim_id),
        question=case.trace.question,
        claim=text,
        marks=intern(" ".join(dict.fromkeys(c.marker for c in cited.citations))),
        sources=intern(", ".join(dict.fromkeys(s.label for s in cited.sources))),
        cited=cited.cited,
        any_source=cited.any_source,
        kind=kind_of(cited),
    )


def kind_of(cited: CitedClaim) -> Kind:
    """The first that fits, in the order of ``Kind``; one invented source among several counts."""
    if any(source.passage_id is None for source in cited.sources):
        return Kind.INVENTED
    if cited.cited is None:
        if cited.any_source is Grounding.UNJUDGED:
            return Kind.UNJUDGED
        return Kind.UNCITED if cited.any_source.is_supported else Kind.UNSUPPORTED
    if cited.cited is CitedVerdict.CONTRADICTED:
        return Kind.CONTRADICTED
    if cited.by_another_source:
        return Kind.ELSEWHERE
    if cited.cited.is_supported:
        return Kind.SUPPORTED
    return Kind.UNJUDGED if cited.cited is CitedVerdict.UNJUDGED else Kind.UNSUPPORTED
