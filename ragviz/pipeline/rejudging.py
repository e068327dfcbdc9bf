"""Claims to another judge; what was said before stays."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from ragviz.contracts import Judge, View
from ragviz.errors import Cancelled, InputError, UnknownName
from ragviz.grounding import is_said_to_answer
from ragviz.grounding.tables import unjoin
from ragviz.judges import provenance_of
from ragviz.pipeline.asking import Asker
from ragviz.pipeline.choices import working_judge
from ragviz.pipeline.rating import Ratings
from ragviz.pipeline.scoring import Progress, score_view
from ragviz.pipeline.work import pairs_to_join, single_pairs
from ragviz.records import Claim, JudgedTrace, Judgement
from ragviz.store import Store


class Rejudged(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one claim."""

    claim_id: str
    said: list[Judgement]
    """The new judgements, joined premise last; already stored."""
    alike: bool | None
    """As ``as_before`` has it."""


def rejudge_claim(
    store: Store, view: View, trace_id: str, claim_id: str, judge_name: str | Judge, *, api_key: str | None = None,
    cancel: threading.Event | None = None, anew: bool = False,
) -> list[Judgement]:
    """``rejudge_claims`` for one claim: its new judgements, joined premise last."""
    return rejudge_claims(store, view, trace_id, [claim_id], judge_name, api_key=api_key, cancel=cancel, anew=anew)[0].said


def rejudge_claims(
    store: Store, view: View, trace_id: str, claim_ids: Sequence[str], judge_name: str | Judge, *, api_key: str | None = None,
    cancel: threading.Event | None = None, anew: bool = False, on_progress: Progress | None = None,
) -> list[Rejudged]:
    """
    Ask a judge about claims of one answer and every premise they have, and append the answers.

    The trace is read once, each claim's answers are stored before the next is asked, and the results of every view that they touch are brought up to date
    for this trace at the end, also where it is stopped or fails on the way.

    Args:
        store: Where the run is.
        view: The run as it is seen; its claim set is the one that is read.
        trace_id: The trace.
        claim_ids: The claims.
        judge_name: Name, or a judge.
        api_key: For judges that need one.
        cancel: No further claim is asked about once it is set, and nothing of the one under way is stored.
        anew: Ask even where the answer is known. A judge that may answer differently each time is always asked.
        on_progress: Told how many claims are done.

    Raises:
        UnknownName: No such trace, claim or judge.
        InputError: The judge cannot read these claims (``facts`` needs an attribute-value pair).
        JudgeUnavailable: The judge cannot work here.
        Cancelled: Stopped before the last answers were stored.
    """
    case = store.one(view, trace_id)
    if case is None:
        raise UnknownName(f"no trace {trace_id!r} in this run", fix="choose one from the Traces page")
    known = {c.id: c for c in case.claims}
    for claim_id in claim_ids:
        if claim_id not in known:
            raise UnknownName(f"trace {trace_id!r} has no claim {claim_id!r}", fix=f"Known: {', '.join(known) or 'none'}")
    judge = working_judge(judge_name, api_key=api_key, cancelled=cancel.is_set if cancel else None)
    for claim_id in claim_ids:
        _check_fits(judge, known[claim_id])
    provenance = provenance_of(judge)
    earlier = _said_before(store, replace(view, judge=provenance.fingerprint), trace_id)
    found: list[Rejudged] = []
    try:
        for claim_id in claim_ids:
            said = _ask(store, case, known[claim_id], judge, fresh=anew or not judge.info.deterministic)
            if cancel is not None and cancel.is_set():
                raise Cancelled("re-judging was stopped", fix="click again to ask anew")
            store.add_judged(view.run_id, provenance, {trace_id: said}, claim_set=view.claim_set, repeats=True)
            found.append(Rejudged(claim_id=claim_id, said=said, alike=as_before(earlier.get(claim_id, ()), said)))
            if on_progress is not None:
                on_progress(len(found), len(claim_ids))
        if is_said_to_answer(case):
            # It was rated as the refusal it was taken for.
            store.add_ratings(view.run_id, Ratings(store, run_id=view.run_id).add([case]))
    finally:
        if found:
            for fingerprint in dict.fromkeys((provenance.fingerprint, view.judge)):
                score_view(store, replace(view, judge=fingerprint), [trace_id])
    return found


def _said_before(store: Store, view: View, trace_id: str) -> dict[str, list[Judgement]]:
    """A judge's last words on each claim of a trace."""
    case = store.one(view, trace_id)
    words: dict[str, list[Judgement]] = {}
    for judgement in case.judgements if case is not None else ():
        words.setdefault(judgement.key.claim_id, []).append(judgement)
    return words


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
