"""What shows a root cause: a claim, a passage, and the words of the passage that settle it."""

from __future__ import annotations

import msgspec

from ragviz.records.judgement import Evidence
from ragviz.records.span import Span
from ragviz.records.verdict import Verdict


class CauseEvidence(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One passage that states or denies a claim, and where it says so."""

    claim_id: str
    verdict: Verdict
    """ENTAILED: the passage states the claim. CONTRADICTED: it says otherwise."""
    passage_id: str
    """Id of a retrieved passage; of the document, where it was not retrieved."""
    retrieved: bool = True
    """False: the trace did not retrieve it; it was searched for."""
    rank: int | None = None
    """Where it was retrieved; else where a search for the claim puts it among all passages that could have been. None: found by its annotation."""
    span: Span | None = None
    quote: str = ""
    """``passage[span] == quote``; "" where the judge named no place."""
    source: str = ""
    """Of a passage that was not retrieved, where it is known."""
    title: str = ""
    """The same."""
    found_by: str = ""
    """``words``, ``words and embeddings`` or ``annotation``; "" for what was retrieved."""
    judged_by: str = ""
    """Who says that the passage states or denies the claim."""
    further: tuple[Evidence, ...] = ()
    """The other places of the same certificate in this passage, in reading order."""

    @property
    def quotes(self) -> tuple[str, ...]:
        """All words of the passage that settle the claim, in the certificate's order."""
        return tuple(quote for quote in (self.quote, *(e.quote for e in self.further)) if quote)
