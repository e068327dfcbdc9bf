"""Claims that stand alone, each with passages of its own: labelled rows, a statement to be checked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ragviz.contracts import Judge
from ragviz.grounding.tables import joined_pairs, pairs_for, unjoin
from ragviz.records import Claim, JudgedTrace, Judgement, Passage, Side, Table, Trace, Verdict

TABLE = Table.RESPONSE_X_PASSAGES
CLAIM = "c1"


def claim_cases(rows: Sequence[tuple[str, str | None, tuple[Passage, ...]]]) -> list[JudgedTrace]:
    """(claim, question, passages) as traces of one claim each, nothing judged yet; ids are their places."""
    cases = []
    for n, (text, question, passages) in enumerate(rows):
        trace = Trace(id=f"{n}", question=question or "", response=text, passages=passages)
        claim = Claim(id=CLAIM, trace_id=trace.id, side=Side.RESPONSE, text=text, spans=(), extractor="imported")
        cases.append(JudgedTrace(trace=trace, claims=(claim,)))
    return cases


def judged_cases(cases: Sequence[JudgedTrace], judge: Judge) -> list[JudgedTrace]:
    """The cases with all that the judge says: each passage, then the joined passages where no single one settles the claim."""
    said: dict[str, list[Judgement]] = {case.trace.id: [] for case in cases}
    for judgement in judge.judge([pair for case in cases for pair in pairs_for(case.trace, case.claims, TABLE)]):
        said[judgement.key.trace_id].append(judgement)
    if judge.info.joined:
        decided = (Verdict.ENTAILED, Verdict.CONTRADICTED)
        unsettled = [case for case in cases if not any(j.verdict in decided for j in said[case.trace.id])]
        for judgement in judge.judge([pair for case in unsettled for pair in joined_pairs(case.trace, case.claims, TABLE)]):
            said[judgement.key.trace_id].append(judgement)
    return [msgspec.structs.replace(case, judgements=tuple(unjoin(j, case.trace) for j in said[case.trace.id])) for case in cases]
