"""A judged trace as the gate looks at it: scores, and its claims with how they came out and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ragviz.errors import UnknownName
from ragviz.grounding import groundings, reason_of
from ragviz.metrics import metric_info
from ragviz.metrics.relevance import BY_FACETS
from ragviz.records import SPLIT_TAG, Grounding, JudgedTrace, Score, Split, Table, TraceResult

MAX_REASON = 300
"""Characters of a judge's reason that a report carries."""


class GateClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim and how it came out."""

    id: str
    text: str
    grounding: Grounding
    reason: str = ""
    """The judge's words; as hostile as the trace."""


class GateCase(msgspec.Struct, frozen=True, kw_only=True):
    """One judged case."""

    id: str
    scores: Mapping[str, Score]
    claims: tuple[GateClaim, ...] = ()
    """Of the answer, against the passages."""
    tags: Mapping[str, str] = {}
    compared: Mapping[Table, tuple[GateClaim, ...]] = {}
    """What became of claims in the tables about the expected answer."""

    @property
    def is_held_out(self) -> bool:
        """Whether its words are not to be shown."""
        return Split.of(self.tags.get(SPLIT_TAG)) is Split.HELD_OUT

    def claims_in(self, table: Table) -> tuple[GateClaim, ...]:
        """The claims of a table."""
        return self.claims if table is Table.RESPONSE_X_PASSAGES else self.compared.get(table, ())


class LineClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that lowered a value, in words."""

    id: str
    text: str
    verdict: str
    """"contradicted", "not in the expected answer", …; "" where the metric asks for no verdict."""
    reason: str = ""


_WORDS: Mapping[Table, Mapping[Grounding, str]] = {
    Table.RESPONSE_X_REFERENCE: {Grounding.NOT_SUPPORTED: "not in the expected answer", Grounding.CONTRADICTED: "contradicted by the expected answer"},
    Table.REFERENCE_X_RESPONSE: {Grounding.NOT_SUPPORTED: "expected, not said", Grounding.CONTRADICTED: "expected, the answer says otherwise"},
    Table.REFERENCE_X_PASSAGES: {Grounding.NOT_SUPPORTED: "expected, in no passage", Grounding.CONTRADICTED: "expected, a passage says otherwise"},
}


def case_of(case: JudgedTrace, result: TraceResult) -> GateCase:
    """A judged trace with its scores."""
    told = {table: tuple(_claims(case, table)) for table in Table}
    return GateCase(
        id=case.trace.id, scores=result.scores, tags=case.trace.tags, claims=told.pop(Table.RESPONSE_X_PASSAGES),
        compared={table: claims for table, claims in told.items() if claims},
    )


def _claims(case: JudgedTrace, table: Table) -> Iterator[GateClaim]:
    texts = {claim.id: claim.text for claim in case.claims}
    for claim_id, found in groundings(case, table).items():
        yield GateClaim(id=claim_id, text=texts.get(claim_id, ""), grounding=found.grounding, reason=reason_of(case, found, table)[:MAX_REASON])


def rest_on_facets(scored: Iterable[Mapping[str, Score]]) -> bool:
    """Whether any relevance among these scores was counted from the file's own facets; else every one is a rater's estimate."""
    return any("relevance" in scores and scores["relevance"].reason == BY_FACETS for scores in scored)


def told_claims(case: GateCase, metric: str, claim_ids: Sequence[str]) -> tuple[LineClaim, ...]:
    """
    The claims that lowered a value, in the words of the table that the metric reads.

    Args:
        case: Where they are.
        metric: Decides against what a claim was held: faithfulness asks the passages, correctness the expected answer.
        claim_ids: The score's offenders. Those that are no claims (documents that were missed, passages of no use) are left out; so are all of a held-out
            case, whose words stay unread.
    """
    if case.is_held_out:
        return ()
    try:
        info = metric_info(metric)
        needs, names_claims = info.needs, info.group != "retrieval"
    except UnknownName:
        needs, names_claims = frozenset({Table.RESPONSE_X_PASSAGES}), True
    # The expected answer first: that is what a metric is about which reads both.
    order = (Table.RESPONSE_X_REFERENCE, Table.REFERENCE_X_RESPONSE, Table.RESPONSE_X_PASSAGES, Table.REFERENCE_X_PASSAGES)
    known = {c.id: in_words(c, table) for table in reversed(order) if table in needs for c in case.claims_in(table)}
    if not needs and names_claims:
        known = {c.id: LineClaim(id=c.id, text=c.text, verdict="") for c in case.claims}
    return tuple(known[i] for i in claim_ids if i in known)


def in_words(claim: GateClaim, table: Table = Table.RESPONSE_X_PASSAGES) -> LineClaim:
    """A claim with what became of it, as people say it."""
    verdict = _WORDS.get(table, {}).get(claim.grounding, claim.grounding.value.replace("_", " "))
    # A judge calls whatever it holds a claim against "the passage".
    premise = {Table.RESPONSE_X_REFERENCE: "the expected answer", Table.REFERENCE_X_RESPONSE: "the answer"}.get(table, "the passage")
    return LineClaim(id=claim.id, text=claim.text, verdict=verdict, reason=claim.reason.replace("the passage", premise))

