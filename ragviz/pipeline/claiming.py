"""Traces to claims of one set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, cast

from msgspec.structs import replace

from ragviz.backends.budget import Budget
from ragviz.claims import AnthropicExtractor, claims_from_file, extractors
from ragviz.claims.rules import RulesExtractor
from ragviz.contracts import ClaimExtractor
from ragviz.errors import JudgeUnavailable
from ragviz.pipeline.choices import settings_for
from ragviz.records import Claim, LoadIssue, Side, Trace

FROM_FILE = ("facts", "imported")
SIDES = {Side.RESPONSE: "answer", Side.REFERENCE: "reference"}


def working_extractor(
    claims: str | ClaimExtractor | None, *, api_key: str | None = None, cancelled: Callable[[], bool] | None = None, budget: Budget | None = None,
) -> ClaimExtractor | None:
    """
    The extractor of that name; None for none, which leaves the choice to the judge.

    Raises:
        UnknownName: No such extractor.
        JudgeUnavailable: It cannot work here.
    """
    if claims is None:
        return None
    made = (
        extractors.make(claims, **settings_for(extractors, claims, api_key=api_key, cancelled=cancelled, budget=budget)) if isinstance(claims, str) else claims
    )
    if isinstance(made, AnthropicExtractor) and not (state := made.available()).ok:
        raise JudgeUnavailable(f"claims cannot be split by {made.name} here: {state.reason}", fix=state.fix)
    return made


def listen(extractor: ClaimExtractor | None, doubts: list[LoadIssue]) -> None:
    """Note every text that rules had to split instead of the extractor."""
    if not isinstance(extractor, AnthropicExtractor):
        return

    def note(trace: Trace, side: Side, reason: str) -> None:
        doubts.append(LoadIssue(
            where=trace.origin or trace.id, message=f"the claims of its {SIDES[side]} were split by rules instead of {extractor.name}: {reason}",
            fix="to try anew, import the file as another run", rejected=False,
        ))

    extractor.on_fallback = note


def claims_of_answer(trace: Trace, claim_set: str) -> list[Claim]:
    """
    Claims of an answer that reads like a refusal and that a person says is none: split by rules, whatever the set. () for ``facts``, whose claims
    are the file's.
    """
    if claim_set == "facts":
        return []
    return [replace(claim, extractor=claim_set) for claim in RulesExtractor(as_answers=True).extract([trace], side=Side.RESPONSE)[0]]


def claims_of(
    traces: Sequence[Trace], claim_set: str, extractor: ClaimExtractor | None = None, *, answers: Collection[str] = (),
) -> dict[str, list[Claim]]:
    """
    Claims of both sides by trace id; by ``extractor`` where one is given.

    ``answers``: ids of traces of which a person says that they answer, whatever they sound like.

    In the set ``imported`` a side for which the file brings no claims is split by rules: a run is seen through one claim set, and half of
    it would otherwise look as if nothing had been said.
    """
    found = _claims_of(traces, claim_set, extractor)
    for trace in traces:
        if trace.id in answers and all(claim.side is not Side.RESPONSE for claim in found[trace.id]):
            found[trace.id] += claims_of_answer(trace, claim_set)
    return found


def _claims_of(traces: Sequence[Trace], claim_set: str, extractor: ClaimExtractor | None) -> dict[str, list[Claim]]:
    if claim_set not in FROM_FILE:
        return _extracted(traces, extractor or extractors.make(claim_set))
    found = {trace.id: claims_from_file(trace, claim_set=cast("Literal['facts', 'imported']", claim_set)) for trace in traces}
    if claim_set == "facts":
        return found
    lacking = [trace for trace in traces if {claim.side for claim in found[trace.id]} != set(Side)]
    for trace_id, ruled in _extracted(lacking, extractors.make("rules")).items():
        had = {claim.side for claim in found[trace_id]}
        found[trace_id] += [replace(claim, extractor=claim_set) for claim in ruled if claim.side not in had]
    return found


def _extracted(traces: Sequence[Trace], extractor: ClaimExtractor) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {trace.id: [] for trace in traces}
    for side in Side:
        asked = [trace for trace in traces if side is Side.RESPONSE or trace.reference]
        for trace, claims in zip(asked, extractor.extract(asked, side=side), strict=True):
            found[trace.id] += claims
    return found
