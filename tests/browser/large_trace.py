"""A trace as large as the Inspector must bear: a thousand claims, fifty passages of six thousand characters."""

from __future__ import annotations

import random

from ragviz.records import Claim, Evidence, JudgedTrace, Judgement, PairKey, Passage, Provenance, Side, Span, Table, Trace, Verdict

BY = Provenance(judge="local", judge_version="1", params_hash="0123abcd")
WORDS = ["valve", "pump", "seal", "rotor", "casing", "shaft", "bearing", "flange", "gasket", "spindle", "motor", "housing", "pressure", "litre", "minute", "grade", "steel", "bronze", "torque", "clearance", "service", "interval", "operator", "inspect", "replace", "before", "after", "every", "month", "year", "tonne", "metre", "handle", "cover", "panel", "switch", "fuse"]


def _sentence(rng: random.Random, n: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(n)).capitalize() + "."


def a_large_case(n_claims: int = 1000, n_passages: int = 50, n_chars: int = 6000, *, seed: int = 7) -> JudgedTrace:
    """Every third claim is supported and every fifth contradicted, by a sentence somewhere in a passage."""
    rng = random.Random(seed)
    texts = []
    for _ in range(n_passages):
        text = ""
        while len(text) < n_chars:
            text += _sentence(rng, rng.randint(8, 14)) + " "
        texts.append(text[:n_chars])
    passages = tuple(Passage(id=f"doc-{i}", text=text, rank=i + 1, score=1 - i / n_passages) for i, text in enumerate(texts))
    response, claims, judgements = "", [], []
    for i in range(n_claims):
        said = _sentence(rng, 9)
        span = Span(len(response), len(response) + len(said))
        response += said + " "
        claims.append(Claim(id=f"c{i + 1}", trace_id="large", side=Side.RESPONSE, text=said, spans=(span,), extractor="rules"))
        at = rng.randrange(n_passages)
        for p, passage in enumerate(passages):
            verdict = Verdict.NEUTRAL
            if p == at and i % 3 == 0:
                verdict = Verdict.ENTAILED
            elif p == at and i % 5 == 0:
                verdict = Verdict.CONTRADICTED
            start = rng.randrange(n_chars - 100)
            where = Span(start, start + 70)
            evidence = () if verdict is Verdict.NEUTRAL else (Evidence(span=where, quote=where.of(passage.text)),)
            judgements.append(
                Judgement(
                    key=PairKey(Table.RESPONSE_X_PASSAGES, "large", f"c{i + 1}", passage.id),
                    verdict=verdict,
                    confidence=0.9,
                    calibrated=True,
                    evidence=evidence,
                    provenance=BY,
                    rationale="" if verdict is Verdict.NEUTRAL else "every content word of the claim is in the passage",
                )
            )
    trace = Trace(id="large", question="How is the pump serviced?", response=response.strip(), passages=passages, citations=())
    return JudgedTrace(trace=trace, claims=tuple(claims), judgements=tuple(judgements))
