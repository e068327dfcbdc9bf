"""One question, what was retrieved for it, and what was answered. ``None`` = the file cannot say; ``()`` = there are none."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from ragviz.records.imported import ImportedClaim, ImportedScore
from ragviz.records.remedied import Remedied
from ragviz.records.span import Span


class Fact(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """An annotated attribute-value pair, such as return_window = 30 days."""

    attribute: str
    value: str

    @property
    def sentence(self) -> str:
        """The pair as people read it."""
        return f"{self.attribute} = {self.value}"


class Passage(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One retrieved unit of text, as shown to the generator."""

    id: str
    """Unique within its trace. Verdicts and certificates refer to it."""
    text: str
    rank: int
    """From 1, in the order of the file; never re-sorted by score."""
    doc_id: str | None = None
    """Id in the file, matched against relevance labels. None when the file has none (``id`` is then made from the text)."""
    score: float | None = None
    """The retriever's score; direction and range are the retriever's own."""
    title: str | None = None
    source: str | None = None
    relevance: int | None = None
    """Human label, 0 = not relevant; None = unlabelled, which is not the same."""
    facts: tuple[Fact, ...] | None = None
    revision: str | None = None
    effective_date: str | None = None
    """ISO date, as far as the file gives one."""
    authority: str | None = None
    metadata: Mapping[str, str] = {}

    @property
    def matching_id(self) -> str:
        """What relevance labels are compared with."""
        return self.doc_id if self.doc_id is not None else self.id


class Citation(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Where the answer cites a source. A source that was never retrieved gives an empty ``passage_ids``."""

    span: Span
    marker: str
    passage_ids: tuple[str, ...]
    unresolved: tuple[str, ...] = ()
    """Labels inside the marker that name no retrieved passage: ``[1, 9]`` with three passages leaves ``("9",)``."""


class Turn(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One earlier message of the conversation."""

    role: str
    text: str


class Usage(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What producing the answer took. Judge cost is kept elsewhere (Provenance)."""

    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


class Trace(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One question with its retrieved passages and the answer, and whatever ground truth came with it."""

    id: str
    """Unique within a run, stable across two loads of the same file."""
    question: str
    response: str
    passages: tuple[Passage, ...] | None
    """None: the file cannot say what was retrieved. (): the retriever ran and found nothing."""
    reference: str | None = None
    relevant_ids: frozenset[str] | None = None
    """Expected passages (may not have been retrieved), compared with ``Passage.matching_id``."""
    relevant_texts: tuple[str, ...] | None = None
    """Expected passages known by text only; matched by exact text where ids are missing."""
    relevance_grades: Mapping[str, int] | None = None
    """Graded labels by document id (TREC qrels); grade > 0 is relevant."""
    citations: tuple[Citation, ...] | None = None
    """None = not parsed yet (ragviz will), () = parsed, none found."""
    answerable: bool | None = None
    facets: tuple[str, ...] | None = None
    """Attributes the question asks for, where annotated."""
    history: tuple[Turn, ...] = ()
    usage: Usage | None = None
    started_at: datetime | None = None
    model: str | None = None
    group: str | None = None
    """Same value = same question in several traces or runs; pairs runs and clusters intervals. None: the question itself."""
    tags: Mapping[str, str] = {}
    claims: tuple[ImportedClaim, ...] | None = None
    """Claims, and verdicts on them, that came with the file."""
    scores: tuple[ImportedScore, ...] = ()
    """Scores that came with the file; shown as theirs, never mixed with ours."""
    passages_are: str | None = None
    """"cited" when the file holds only the cited passages, "ids" when texts are missing; None = all that was retrieved."""
    origin: str = ""
    """Where it came from: ``file.jsonl:17``."""
    response_is: str | None = None
    """"absent" when the file does not say what was answered (null, a missing key, an empty cell); None = what was answered, "" for an empty reply."""
    remedied: Remedied | None = None
    """Set when a remedy made this answer out of another run's."""

    @property
    def is_unanswered(self) -> bool:
        """True when nobody knows what was answered, which is neither an empty reply nor a refusal."""
        return self.response_is == "absent" and not self.response

    def passage(self, passage_id: str) -> Passage | None:
        """The passage of that id, or None."""
        for passage in self.passages or ():
            if passage.id == passage_id:
                return passage
        return None

    def first_passages(self, k: int | None) -> tuple[Passage, ...]:
        """The first ``k`` passages (all of them for None)."""
        passages = self.passages or ()
        return passages if k is None else passages[:k]


class LoadIssue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row that did not become a trace, or did with a doubt."""

    where: str
    """``file.jsonl:17``."""
    message: str
    """One sentence: what is wrong."""
    fix: str = ""
    """One sentence: what to do about it."""
    rejected: bool = True
    """False for a warning: the row was loaded all the same."""
