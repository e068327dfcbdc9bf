"""One failing answer on paper: what it says, what the source says, and where the two clash, marked on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ragviz.diagnosis.against_reference import clashes_shown
from ragviz.diagnosis.standings import all_the_same, told_of
from ragviz.grounding import ClaimGrounding, groundings
from ragviz.pipeline.briefing import Failure
from ragviz.records import Claim, Clash, Grounding, JudgedTrace, Passage, Side, Span, Table
from ragviz.records.naming import name_of
from ragviz.reports.case import proofs_of

SHOWN = 2
"""Claims of one answer that are printed with their sources, worst first; the answer itself has all of them marked."""
QUOTES = 3
_WORST = (Grounding.CONTRADICTED, Grounding.CONFLICTED, Grounding.NOT_SUPPORTED, Grounding.UNJUDGED, Grounding.SUPPORTED)


class Quote(NamedTuple):
    """A certificate: ``text`` is the source's own words."""

    where: str
    """Which passage, or the reference, with the offsets."""
    text: str
    verb: str
    clashes: tuple[Span, ...]
    """Within ``text``."""


class Wrong(NamedTuple):
    """A claim to look at."""

    claim: Claim
    verdict: str
    clashes: tuple[Span, ...]
    """Within the claim's text."""
    values: tuple[tuple[str, str], ...]
    """What the claim says and what the source says, normalised."""
    quotes: tuple[Quote, ...]
    said_by: str = ""
    """The person who decided it, where one did."""

    @property
    def fails(self) -> bool:
        """Whether it has a verdict; what is unjudged may be right."""
        return self.verdict != Grounding.UNJUDGED.value


def wrong_claims(failure: Failure) -> list[Wrong]:
    """
    All claims that made the answer fail, worst first: against the passages; where these support all of it, against the reference. What has no
    verdict comes last.
    """
    case = failure.case
    found = groundings(case, Table.RESPONSE_X_PASSAGES)
    claims = [c for c in case.claims if c.side is Side.RESPONSE and c.id in found]
    bad = sorted((c for c in claims if found[c.id].grounding is not Grounding.SUPPORTED), key=lambda c: _WORST.index(found[c.id].grounding))
    told = [_against_passages(case, c, found[c.id]) for c in bad]
    return told or [w for c in claims if (w := _against_reference(case, c, found[c.id])) is not None]


def more_than_shown(wrong: Sequence[Wrong]) -> str:
    """How many more claims fail than the first ``SHOWN``, which are printed with their sources; "" where none does."""
    more = sum(w.fails for w in wrong[SHOWN:])
    return f"{more:,} more {'claim of this answer fails' if more == 1 else 'claims of this answer fail'}." if more else ""


def heading(failure: Failure, wrong: Sequence[Wrong], *, without_reference: bool) -> tuple[str, str]:
    """Label and meaning of the kind of failure, and what these leave out of this answer."""
    scores = failure.result.scores
    relevance, faithfulness = (scores[name].value if name in scores else None for name in ("relevance", "faithfulness"))
    label, meaning = told_of(failure.result.quadrant, relevance, faithfulness, without_reference=without_reference)
    return label, meaning and meaning + all_the_same(failure.result.quadrant, sum(w.verdict == Grounding.CONTRADICTED.value for w in wrong))


def _against_passages(case: JudgedTrace, claim: Claim, found: ClaimGrounding) -> Wrong:
    proofs = proofs_of(case, found)
    # What contradicts comes first: of a conflict both sides are shown, and there is room for three.
    proofs.sort(key=lambda p: p.verb == "supports")
    quotes = tuple(
        Quote(f"{_called(p.passage)} [{p.evidence.span.start}:{p.evidence.span.end}]", p.evidence.quote, p.verb,
              tuple(_inside(p.clashes, p.evidence.span, p.passage.id)))
        for p in proofs[:QUOTES]
    )
    clashes = tuple(dict.fromkeys(c for p in proofs for c in p.clashes))
    person = found.annotation.author if found.by == "human" and found.annotation else ""
    return Wrong(claim, found.grounding.value, tuple(_ours(clashes)), _values(clashes), quotes, person)


def _called(passage: Passage) -> str:
    name = passage.title or name_of(passage)
    placed = f"passage {passage.rank}"
    return name if name.startswith(f"{placed} ") else f"{placed}, {name}"


def _against_reference(case: JudgedTrace, claim: Claim, by_passages: ClaimGrounding) -> Wrong | None:
    found = groundings(case, Table.RESPONSE_X_REFERENCE).get(claim.id)
    if found is None or found.grounding is Grounding.SUPPORTED or found.grounding is Grounding.UNJUDGED:
        return None
    against = [(j, e) for j in found.contradicting for e in j.evidence]
    reference = case.trace.reference or ""
    quotes = [
        Quote(f"expected answer [{e.span.start}:{e.span.end}]", e.quote, "contradicts", tuple(_inside(tuple(clashes_shown(j, reference)), e.span, None)))
        for j, e in against[:1]
    ]
    if not quotes and case.trace.reference:
        quotes = [Quote("expected answer", case.trace.reference, "does not say so", ())]
    quotes += [
        Quote(f"{_called(p.passage)} [{p.evidence.span.start}:{p.evidence.span.end}]", p.evidence.quote, p.verb, ())
        for p in proofs_of(case, by_passages)[:1]
    ]
    clashes = tuple(dict.fromkeys(c for j, _ in against for c in clashes_shown(j, reference)))
    return Wrong(
        claim,
        f"{found.grounding.value} by the expected answer" if against else "not in the expected answer",
        tuple(_ours(clashes)),
        _values(clashes),
        tuple(quotes),
    )


def _ours(clashes: tuple[Clash, ...]) -> Iterator[Span]:
    return (c.hypothesis_span for c in clashes if c.hypothesis_span is not None)


def _inside(clashes: tuple[Clash, ...], quote: Span, passage_id: str | None) -> Iterator[Span]:
    for clash in clashes:
        span = clash.premise_span
        if span is not None and clash.passage_id in (None, passage_id) and quote.start <= span.start and span.end <= quote.end:
            yield Span(span.start - quote.start, span.end - quote.start)


def _values(clashes: tuple[Clash, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((c.hypothesis_value, c.premise_value) for c in clashes))
