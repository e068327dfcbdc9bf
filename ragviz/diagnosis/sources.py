"""Documents by the damage they do, and what they disagree about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ragviz.diagnosis.authority import authority_rank, dated
from ragviz.diagnosis.conflicts import denials, source_faults
from ragviz.diagnosis.corpus import Corpus
from ragviz.diagnosis.faults import SourceFault
from ragviz.diagnosis.other_values import is_of_one_attribute, other_value
from ragviz.diagnosis.showing import MOST_NAMED, cut
from ragviz.grounding import groundings, verdict_grid
from ragviz.metrics.cited import cited_claims
from ragviz.records import SPLIT_TAG, Claim, Clash, JudgedTrace, Judgement, Passage, Split, Table, Verdict
from ragviz.records.ids import is_made_up

ANSWERED = Table.RESPONSE_X_PASSAGES


class SourceReport(msgspec.Struct, kw_only=True):
    """What one document did in a run."""

    doc_id: str
    title: str | None = None
    source: str | None = None
    beginning: str = ""
    """How its text starts; "" while only held-out traces retrieved it, whose words stay closed."""
    authority: int | None = None
    """3 official, 2 secondary, 1 forum or mirror; None unknown."""
    effective_date: str | None = None
    revision: str | None = None
    retrieved: int = 0
    """Traces that retrieved it."""
    cited: int = 0
    """Traces whose answer cites it."""
    supports: int = 0
    """Claims it entails."""
    contradicts: int = 0
    """Claims it contradicts."""
    misled: int = 0
    """Claims that rest on it although the expected answer or a better source denies them, or although it is no longer in force."""
    contested: int = 0
    """Claims that rest on it and that another passage denies, neither being newer or more authoritative."""
    trace_ids: list[str] = []
    """Traces it did damage in."""

    @property
    def name(self) -> str:
        """What a reader calls it: the file's id; without one its title, source or first words, since a made-up id says nothing to anyone."""
        if not is_made_up(self.doc_id):
            return self.doc_id
        return self.title or self.source or (f"“{cut(self.beginning)}”" if self.beginning else "a passage without an id")

    @property
    def damage(self) -> int:
        """Claims that went wrong because of it."""
        return self.misled + self.contested


class SourceConflict(msgspec.Struct, frozen=True, kw_only=True):
    """Two documents that give one attribute different values."""

    attribute: str
    """The annotated attribute, or the kind of detail where there is no annotation."""
    first_doc: str
    first_value: str
    second_doc: str
    second_value: str
    better: str | None
    """The newer or more authoritative of the two; None when nothing tells."""
    why: str
    trace_ids: tuple[str, ...]


def doc_of(passage: Passage) -> str:
    """The document a passage stands for across traces."""
    return passage.matching_id


class SourceLedger:
    """What documents did, trace by trace: none is kept, so that a long run is never in memory whole."""

    def __init__(self, corpus: Corpus | None = None) -> None:
        """``corpus``: clears an archived page of what still holds."""
        self._corpus = corpus
        self._reports: dict[str, SourceReport] = {}
        self._disagreeing: defaultdict[tuple[str, str, str, str, str], dict[str, None]] = defaultdict(dict)

    def add(self, case: JudgedTrace, faults: Sequence[SourceFault] | None = None) -> None:
        """One trace more. ``faults``: its ``source_faults`` with the same corpus, where they are known already."""
        self._count(case, source_faults(case, corpus=self._corpus) if faults is None else faults)
        for key in (*_fact_conflicts(case), *_claim_conflicts(case)):
            self._disagreeing[key][case.trace.id] = None

    def reports(self) -> list[SourceReport]:
        """One per document that was retrieved, most damage first, then most contradictions."""
        return sorted(self._reports.values(), key=lambda r: (-r.damage, -r.contradicts, -r.retrieved, r.doc_id))

    def conflicts(self) -> list[SourceConflict]:
        """Documents that disagree on the same attribute, most traces first."""
        conflicts = [_conflict(key, tuple(traces), self._reports) for key, traces in self._disagreeing.items()]
        return sorted(conflicts, key=lambda c: (-len(c.trace_ids), c.attribute, c.first_doc))

    def _count(self, case: JudgedTrace, faults: Sequence[SourceFault]) -> None:
        by_passage = {p.id: _report(self._reports, p) for p in case.trace.passages or ()}
        if Split.of(case.trace.tags.get(SPLIT_TAG)) is not Split.HELD_OUT:
            for passage in case.trace.passages or ():
                by_passage[passage.id].beginning = by_passage[passage.id].beginning or passage.text[: 2 * MOST_NAMED].strip()
        for report in {id(r): r for r in by_passage.values()}.values():
            report.retrieved += 1
        for row in verdict_grid(case, ANSWERED).values():
            for premise_id, judgement in row.items():
                by_passage[premise_id].supports += judgement.verdict is Verdict.ENTAILED
                by_passage[premise_id].contradicts += judgement.verdict is Verdict.CONTRADICTED
        _count_citations(case, by_passage)
        _count_faults(case.trace.id, by_passage, faults)


def source_reports(cases: Iterable[JudgedTrace], corpus: Corpus | None = None) -> list[SourceReport]:
    """One report per document that these traces retrieved, as in ``SourceLedger``."""
    ledger = SourceLedger(corpus)
    for case in cases:
        ledger.add(case)
    return ledger.reports()


def _report(reports: dict[str, SourceReport], passage: Passage) -> SourceReport:
    doc = doc_of(passage)
    if doc not in reports:
        reports[doc] = SourceReport(
            doc_id=doc, title=passage.title, source=passage.source or passage.metadata.get("source"), authority=authority_rank(passage),
            effective_date=dated(passage), revision=passage.revision, trace_ids=[],
        )
    return reports[doc]


def _count_citations(case: JudgedTrace, by_passage: Mapping[str, SourceReport]) -> None:
    cited = {s.passage_id for c in cited_claims(case).values() for s in c.sources if s.passage_id in by_passage}
    for report in {id(by_passage[p]): by_passage[p] for p in cited if p is not None}.values():
        report.cited += 1


def _count_faults(trace_id: str, by_passage: Mapping[str, SourceReport], faults: Iterable[SourceFault]) -> None:
    for fault in faults:
        for passage_id in fault.used:
            report = by_passage.get(passage_id)
            if report is None:
                continue
            if fault.kind == "contested":
                report.contested += 1
            else:
                report.misled += 1
            if trace_id not in report.trace_ids[-1:]:
                report.trace_ids.append(trace_id)


def source_conflicts(cases: Iterable[JudgedTrace]) -> list[SourceConflict]:
    """
    Documents that disagree on the same attribute, most traces first.

    Annotated facts are compared by attribute. Elsewhere a conflict is a claim that one passage entails and another contradicts,
    with the values of the clash.
    """
    ledger = SourceLedger()
    for case in cases:
        ledger.add(case)
    return ledger.conflicts()


def _fact_conflicts(case: JudgedTrace) -> Iterable[tuple[str, str, str, str, str]]:
    said: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    for passage in case.trace.passages or ():
        for fact in passage.facts or ():
            said[fact.attribute].setdefault(doc_of(passage), set()).add(fact.value)
    for attribute, by_doc in said.items():
        rows = sorted(by_doc.items())
        for i, (first, mine) in enumerate(rows):
            for second, theirs in rows[i + 1 :]:
                if not mine & theirs:
                    yield attribute, first, min(mine), second, min(theirs)


def _claim_conflicts(case: JudgedTrace) -> Iterable[tuple[str, str, str, str, str]]:
    """From the detail on which a passage denies what another one supports, and from other values of what a claim gives a value of."""
    found = groundings(case, ANSWERED)
    claims = {c.id: c for c in case.claims}
    for claim_id, row in verdict_grid(case, ANSWERED).items():
        pro = [p for p, j in row.items() if j.verdict is Verdict.ENTAILED]
        if not pro:
            continue
        denied = {j.key.premise_id: _of_one_attribute(case, claims[claim_id], j) for j in denials(case, claims[claim_id], found[claim_id])}
        for premise_id, judgement in row.items():
            passage = case.trace.passage(premise_id)
            clashes = denied.get(premise_id, ())
            if judgement.verdict is Verdict.NEUTRAL and claims[claim_id].fact is None and passage is not None:
                other = other_value(claims[claim_id].text, passage.text)
                clashes = (other[0],) if other is not None else ()
            for clash in clashes:
                for supporting in pro:
                    yield from _ordered(case, clash, supporting, premise_id)


def _of_one_attribute(case: JudgedTrace, claim: Claim, judgement: Judgement) -> tuple[Clash, ...]:
    """The first detail that is another value of the same attribute."""
    passage = case.trace.passage(judgement.key.premise_id)
    return tuple(c for c in judgement.clashes if passage is None or is_of_one_attribute(c, claim.text, passage.text))[:1]


def _ordered(case: JudgedTrace, clash: Clash, pro: str, con: str) -> Iterable[tuple[str, str, str, str, str]]:
    first, second = case.trace.passage(pro), case.trace.passage(con)
    if first is None or second is None or (first.facts and second.facts):
        return
    sides = sorted([(doc_of(first), clash.hypothesis_value), (doc_of(second), clash.premise_value)])
    yield clash.kind.value, *sides[0], *sides[1]


def _conflict(key: tuple[str, str, str, str, str], trace_ids: tuple[str, ...], docs: Mapping[str, SourceReport]) -> SourceConflict:
    attribute, first, first_value, second, second_value = key
    better, why = _better(docs[first], docs[second])
    return SourceConflict(
        attribute=attribute, first_doc=first, first_value=first_value, second_doc=second, second_value=second_value, better=better, why=why,
        trace_ids=trace_ids,
    )


def _better(first: SourceReport, second: SourceReport) -> tuple[str | None, str]:
    """Authority decides before date: a forum post of yesterday is not above the official text."""
    mine, theirs = first.authority, second.authority
    if mine is not None and theirs is not None and mine != theirs:
        return (first if mine > theirs else second).doc_id, "more authoritative"
    then, now = first.effective_date, second.effective_date
    if then and now and then != now:
        return (first if then > now else second).doc_id, "newer"
    return None, "nothing tells which is right"
