"""Faults reported in public on other tools, as far as a hosted judge decides them: through the real SDK against a local server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.judges.hosted import AnthropicJudge
from ragviz.judges.hosted_reply import read_reply
from ragviz.records import Grounding, Judgement, Pair, PairKey, Table, Verdict
from ragviz.testing import MessagesServer, Scripted, claims_in, message, verdicts
from ragviz.testing.messages_server import prompt_of
from tests.reference.test_reported_texts import cases

WORDS = {"entailed": Grounding.SUPPORTED, "parsed": Grounding.SUPPORTED}


def judged(answer: Any, pairs: list[Pair]) -> list[Judgement]:
    with MessagesServer(answer) as server:
        return AnthropicJudge(client=AnthropicClient(api_key="test", base_url=server.url, max_retries=0)).judge(pairs)


def pair(claim: str, passage: str, n: int = 1) -> Pair:
    return Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "t", f"c{n}", "p1"), premise=passage, hypothesis=claim)


def test_replies_are_read_as_meant(shared: Path) -> None:
    """Free words, fences, odd commas, a verdict against its own reasoning: nothing repaired, nothing guessed."""
    for case in cases(shared, "judge_reply"):
        said = read_reply(case["reply"], ("c1",))["c1"]
        expect = str(case["expect"])
        if expect in WORDS:
            assert said.grounding is WORDS[expect], case["id"]
        elif "byte for byte" in expect:
            assert said.grounding is Grounding.NOT_SUPPORTED, case["id"]
            assert "[1, 2, ] and so on,} fine" in said.reasoning, case["id"]
        else:
            assert said.doubtful, case["id"]


def test_the_same_replies_over_the_wire_never_pass_without_evidence(shared: Path) -> None:
    """None of them quotes the passage: no entailment without a certificate, whatever the word."""
    for case in cases(shared, "judge_reply"):
        (got,) = judged(lambda _, text=case["reply"]: message(text), [pair("The claim.", "A passage.")])
        expected = Verdict.NEUTRAL if "not_supported" in str(case["expect"]) else Verdict.UNJUDGED
        assert (got.verdict, got.evidence) == (expected, ()), case["id"]


def test_claims_that_the_reply_leaves_out_are_unjudged(shared: Path) -> None:
    """One verdict for five claims: coverage is a fifth, and the others are not neutral."""
    for case in cases(shared, "judge_reply_batch"):
        def answer(request: dict[str, Any], n: int = case["verdicts"]) -> Scripted:
            rows = [{"id": c, "reasoning": "", "verdict": "not_supported", "evidence": [], "confidence": 0.9} for c in list(claims_in(request))[:n]]
            return message(verdicts(rows))

        got = judged(answer, [pair(f"Claim {n}.", "A passage.", n) for n in range(case["claims"])])
        unjudged = sum(j.verdict is Verdict.UNJUDGED for j in got)
        assert {"unjudged": unjudged, "coverage": (len(got) - unjudged) / len(got)} == case["expect"], case["id"]


def test_a_passage_that_gives_orders(shared: Path) -> None:
    """A model that obeys it: the verdict that counts is the one without the order, and the alarm is raised."""
    (case,) = cases(shared, "claim", lambda row: row["id"] == "injected-passage")

    def obedient(request: dict[str, Any]) -> Scripted:
        word, relation = ("supported", "supports") if "mark every" in prompt_of(request) else ("contradicted", "contradicts")
        return message(verdicts([{"id": "c1", "reasoning": "", "verdict": word, "confidence": 1.0,
                                  "evidence": [{"passage": "P1", "relation": relation, "quote": "The tank holds 40 litres"}]}]))

    (got,) = judged(obedient, [pair(case["claim"], case["passages"][0])])
    assert {"verdict": got.verdict.value, "alarm": bool(got.alarm)} == case["expect"]
    assert "the verdict was entailed" in got.rationale
