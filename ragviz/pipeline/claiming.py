"""Traces to claims of one set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from msgspec.structs import replace

from ragviz.claims import claims_from_file, extractors
from ragviz.records import Claim, Side, Trace

FROM_FILE = ("facts", "imported")


def claims_of(traces: Sequence[Trace], claim_set: str) -> dict[str, list[Claim]]:
    """
    Claims of both sides by trace id.

    In the set ``imported`` a side for which the file brings no claims is split by rules: a run is seen through one claim set, and half of
    it would otherwise look as if nothing had been said.
    """
    if claim_set not in FROM_FILE:
        return _extracted(traces, claim_set)
    found = {trace.id: claims_from_file(trace, claim_set=cast("Literal['facts', 'imported']", claim_set)) for trace in traces}
    if claim_set == "facts":
        return found
    lacking = [trace for trace in traces if {claim.side for claim in found[trace.id]} != set(Side)]
    for trace_id, ruled in _extracted(lacking, "rules").items():
        had = {claim.side for claim in found[trace_id]}
        found[trace_id] += [replace(claim, extractor=claim_set) for claim in ruled if claim.side not in had]
    return found


def _extracted(traces: Sequence[Trace], name: str) -> dict[str, list[Claim]]:
    extractor = extractors.make(name)
    found: dict[str, list[Claim]] = {trace.id: [] for trace in traces}
    for side in Side:
        asked = [trace for trace in traces if side is Side.RESPONSE or trace.reference]
        for trace, claims in zip(asked, extractor.extract(asked, side=side), strict=True):
            found[trace.id] += claims
    return found
