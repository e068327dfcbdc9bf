"""One claim to another judge; what was said before stays."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ragviz.contracts import Judge, View
from ragviz.errors import Cancelled, InputError, UnknownName
from ragviz.grounding.tables import unjoin
from ragviz.judges import provenance_of
from ragviz.pipeline.asking import Asker
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.scoring import score_view
from ragviz.pipeline.work import pairs_to_join, single_pairs
from ragviz.records import Claim, JudgedTrace, Judgement
from ragviz.store import Store


def rejudge_claim(
    store: Store, view: View, trace_id: str, claim_id: str, judge_name: str | Judge, *, api_key: str | None = None,
    cancel: threading.Event | None = None, anew: bool = False,
) -> list[Judgement]:
    """
    Ask a judge about one claim and every premise it has, and append the answers.

    Results of every view that the answers touch are brought up to date for this trace.

    Args:
        store: Where the run is.
        view: The run as it is seen; its claim set is the one that is read.
        trace_id: The trace.
        claim_id: The claim.
        judge_name: Name, or a judge.
        api_key: For judges that need one.
        cancel: Nothing is stored once it is set.
        anew: Ask even where the answer is known. A judge that may answer differently each time is always asked.

    Returns:
        The new judgements, joined premise last; already stored.

    Raises:
        UnknownName: No such trace, claim or judge.
        InputError: The judge cannot read this claim (``facts`` needs an attribute-value pair).
        JudgeUnavailable: The judge cannot work here.
        Cancelled: Stopped before the answers were stored.
    """
    case = store.one(view, trace_id)
    if case is None:
        raise UnknownName(f"no trace {trace_id!r} in this run", fix="choose one from the Traces page")
    claim = next((c for c in case.claims if c.id == claim_id), None)
    if claim is None:
        raise UnknownName(f"trace {trace_id!r} has no claim {claim_id!r}", fix=f"Known: {', '.join(c.id for c in case.claims) or 'none'}")
    judge = working_judge(judge_name, api_key=api_key, cancelled=cancel.is_set if cancel else None)
    _check_fits(judge, claim)
    said = _ask(store, case, claim, judge, fresh=anew or not judge.info.deterministic)
    if cancel is not None and cancel.is_set():
        raise Cancelled("re-judging was stopped", fix="click again to ask anew")
    provenance = provenance_of(judge)
    store.add_judged(view.run_id, provenance, {trace_id: said}, claim_set=view.claim_set, repeats=True)
    score_view(store, replace(view, judge=provenance.fingerprint), [trace_id])
    if view.judge != provenance.fingerprint:
        score_view(store, view, [trace_id])
    return said


def _check_fits(judge: Judge, claim: Claim) -> None:
    if judge.info.claim_set == "facts" and claim.fact is None:
        raise InputError("the judge facts compares annotated attribute-value pairs, and this claim is a sentence", fix="choose another judge, such as local")
    if judge.info.claim_set == "imported" and claim.extractor != "imported":
        raise InputError("the file brings no verdicts on this claim", fix="choose another judge, such as local")


def as_before(earlier: Iterable[Judgement], said: Sequence[Judgement]) -> bool | None:
    """
    Whether a judge says of each pair what it said the last time: same verdict, same evidence.

    Args:
        earlier: What was said of the claim before, oldest first, by whomever; other judges' words are passed over.
        said: New answers of one judge.

    Returns:
        None when this judge had not spoken of one of these pairs.
    """
    last = {(j.key, j.provenance.fingerprint): j for j in earlier}
    before = [last.get((j.key, j.provenance.fingerprint)) for j in said]
    if not said or any(j is None for j in before):
        return None
    return all(b is not None and (b.verdict, b.evidence) == (j.verdict, j.evidence) for b, j in zip(before, said, strict=True))


def _ask(store: Store, case: JudgedTrace, claim: Claim, judge: Judge, *, fresh: bool) -> list[Judgement]:
    asker = Asker(judge, store, run_id=None, fresh=fresh)
    said = asker.ask(single_pairs(case, judge, claims=[claim]))
    joined = asker.ask(pairs_to_join(case, judge, said, claims=[claim]))
    return said + [unjoin(judgement, case.trace, case.k) for judgement in joined]
