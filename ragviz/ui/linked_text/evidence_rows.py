"""Verdicts of a trace as rows the viewer can draw: evidence, clashing details, and the claim × passage matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragviz.grounding.resolve import ClaimGrounding, verdict_grid
from ragviz.grounding.tables import unjoin
from ragviz.records import JOINED, Claim, Clash, JudgedTrace, Judgement, MatchTier, Passage, Span, Table, Verdict
from ragviz.records.ids import is_made_up
from ragviz.records.naming import name_without_id

SUPPORTS, CONTRADICTS = "s", "c"


class EvidenceRow(NamedTuple):
    """One certificate: where in which passage a claim is supported or contradicted."""

    claim: int
    """Index among the claims of the answer."""
    passage: int
    """Index among the passages of the trace."""
    span: Span
    """In the passage's text."""
    side: str
    tier: MatchTier
    confidence: float | None
    together: bool
    """True when only several passages together settle the claim."""


class TokenRow(NamedTuple):
    """A detail to be marked: one side of a clash, or the same detail in a passage that agrees."""

    claim: int
    side: str
    answer_spans: tuple[Span, ...]
    passage: int
    """-1 when the detail is only in the answer."""
    passage_span: Span | None
    reference_span: Span | None = None
    """Where the expected answer denies it."""


class ClashRow(NamedTuple):
    """A clash as the certificate spells it out."""

    kind: str
    said: str
    """The claim's own words; "" when the claim lacks the detail."""
    found: str
    """The passage's words; "" when the passage lacks it."""
    said_value: str
    found_value: str
    passage: int
    agreeing: tuple[int, ...]
    """Passages that support the claim and hold the very words ``said``."""


def passage_name(passage: Passage) -> str:
    """What people call a passage: its title, document, or id; where the file gave none, its source or its place, never a made-up id."""
    if passage.title or passage.doc_id:
        return passage.title or passage.doc_id or ""
    if not is_made_up(passage.id):
        return passage.id
    return name_without_id(passage.rank, title=passage.title, source=passage.source)


def located(judgement: Judgement, case: JudgedTrace) -> Judgement:
    """The judgement with evidence in passages: joined premises are mapped back."""
    premise = judgement.key.premise_id
    if not premise.startswith(JOINED):
        return judgement
    return unjoin(judgement, case.trace, int(premise[1:]) if premise[1:].isdigit() else None)


def evidence_rows(case: JudgedTrace, claims: Sequence[Claim], grounded: Mapping[str, ClaimGrounding]) -> list[EvidenceRow]:
    """All evidence of the verdicts that count, by claim; within a claim support first, then by rank. Spans outside their passage are dropped."""
    passages = case.trace.passages or ()
    place = {p.id: i for i, p in enumerate(passages)}
    rows: list[EvidenceRow] = []
    for index, claim in enumerate(claims):
        found = grounded.get(claim.id)
        sides = ((SUPPORTS, found.supporting), (CONTRADICTS, found.contradicting)) if found else ()
        for side, judgements in sides:
            mine = [row for judgement in judgements for row in _rows_of(located(judgement, case), index, side, place, passages)]
            rows += sorted(mine, key=lambda row: (row.passage, row.span))
    return rows


def _rows_of(judgement: Judgement, claim: int, side: str, place: Mapping[str, int], passages: Sequence[Passage]) -> Iterator[EvidenceRow]:
    together = judgement.key.premise_id.startswith(JOINED)
    for evidence in judgement.evidence:
        at = place.get(evidence.passage_id or judgement.key.premise_id)
        if at is not None and evidence.span.fits(passages[at].text):
            yield EvidenceRow(claim, at, evidence.span, side, evidence.tier, judgement.confidence, together)


def places_in_answer(claim: Claim, response: str, span: Span) -> tuple[Span, ...]:
    """
    Where characters of the claim's text stand in the answer.

    Exact when the claim is one stretch of the answer; otherwise the claim was put together or reworded, and the same words are
    looked for inside its stretches. () when they are not there.
    """
    if len(claim.spans) == 1 and claim.spans[0].of(response) == claim.text:
        return (span.shift(claim.spans[0].start),)
    words = span.of(claim.text)
    for stretch in claim.spans:
        at = stretch.of(response).find(words) if words.strip() else -1
        if at >= 0:
            return (Span(stretch.start + at, stretch.start + at + len(words)),)
    return ()


def clash_rows(case: JudgedTrace, index: int, claim: Claim, found: ClaimGrounding | None) -> tuple[list[ClashRow], list[TokenRow]]:
    """What the claim and its contradicting passages disagree on, and the details to mark on both sides."""
    if found is None:
        return [], []
    passages = case.trace.passages or ()
    place = {p.id: i for i, p in enumerate(passages)}
    rows: list[ClashRow] = []
    tokens: list[TokenRow] = []
    for judgement in found.contradicting:
        mapped = located(judgement, case)
        for clash in mapped.clashes:
            at = place.get(clash.passage_id or mapped.key.premise_id, -1)
            said = clash.hypothesis_span.of(claim.text) if clash.hypothesis_span and clash.hypothesis_span.fits(claim.text) else ""
            inside = clash.premise_span if at >= 0 and clash.premise_span and clash.premise_span.fits(passages[at].text) else None
            agreeing = _agreeing(said, found.supporting, case, place, passages)
            rows.append(ClashRow(clash.kind.value, said, inside.of(passages[at].text) if inside else "", clash.hypothesis_value, clash.premise_value, at,
                                 tuple(dict.fromkeys(p for p, _ in agreeing))))
            tokens.append(TokenRow(index, CONTRADICTS, _in_answer(claim, case, clash), at if inside else -1, inside))
            tokens += [TokenRow(index, SUPPORTS, (), p, span) for p, span in agreeing]
    return list(dict.fromkeys(rows)), list(dict.fromkeys(tokens))


def _in_answer(claim: Claim, case: JudgedTrace, clash: Clash) -> tuple[Span, ...]:
    return places_in_answer(claim, case.trace.response, clash.hypothesis_span) if clash.hypothesis_span and clash.hypothesis_span.fits(claim.text) else ()


def _agreeing(said: str, supporting: Sequence[Judgement], case: JudgedTrace, place: Mapping[str, int], passages: Sequence[Passage]) -> list[tuple[int, Span]]:
    """The same words inside the evidence of supporting passages."""
    out: list[tuple[int, Span]] = []
    for judgement in supporting if said.strip() else ():
        for row in _rows_of(located(judgement, case), 0, SUPPORTS, place, passages):
            found = re.search(re.escape(said), row.span.of(passages[row.passage].text), re.IGNORECASE)
            if found:
                out.append((row.passage, Span(*found.span()).shift(row.span.start)))
    return out


_CELL = {Verdict.ENTAILED: "s", Verdict.CONTRADICTED: "c", Verdict.NEUTRAL: ".", Verdict.UNJUDGED: "u"}


def matrix_rows(case: JudgedTrace, claims: Sequence[Claim], evidence: Sequence[EvidenceRow]) -> list[str]:
    """
    One string per claim, one letter per passage.

    s supports, c contradicts, . silent, u unjudged, blank beyond k; j and k: supports, contradicts only together with other passages.
    """
    passages = case.trace.passages or ()
    within = len(case.trace.first_passages(case.k))
    grid = verdict_grid(case, Table.RESPONSE_X_PASSAGES)
    together = {(row.claim, row.passage): "j" if row.side == SUPPORTS else "k" for row in evidence if row.together}
    lines: list[str] = []
    for index, claim in enumerate(claims):
        told = grid.get(claim.id, {})
        cells = [_CELL[told[p.id].verdict] if p.id in told else "u" for p in passages[:within]]
        cells = [together.get((index, at), cell) for at, cell in enumerate(cells)]
        lines.append("".join(cells) + " " * (len(passages) - within))
    return lines
