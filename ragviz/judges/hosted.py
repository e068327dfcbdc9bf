"""Claude as a judge: one call per answer, every verdict backed by a quote that was found, every failure unjudged with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ragviz.backends.anthropic_client import DEFAULT_MODEL, Reply
from ragviz.backends.budget import Budget
from ragviz.backends.claude_speaker import STOPPED, UNREADABLE, ClaudeSpeaker
from ragviz.backends.reply_json import MAX_REPLY_CHARS
from ragviz.contracts import Availability, JudgeInfo
from ragviz.errors import BackendError
from ragviz.evidence.quotes import find_quote, shows_something
from ragviz.judges.hosted_prompt import PROMPT_VERSION, SCHEMA, Sheet, prompt, sheets
from ragviz.judges.hosted_reply import Said, read_reply
from ragviz.judges.injected import redact
from ragviz.judges.provenance import provenance_of
from ragviz.records import Cost, Evidence, Grounding, Judgement, Pair, Provenance, Verdict

_STOPPED = STOPPED | {"max_tokens": "the reply was cut off before this claim"}


class AnthropicJudge(ClaudeSpeaker):
    """
    Asks Claude about all claims of an answer at once.

    A verdict counts for the passages it quotes; the other passages are neutral. A quote that is not in its passage is thrown away, and a
    "supported" or "contradicted" left without one becomes unjudged.
    """

    info = JudgeInfo(name="anthropic", version="1", summary="Claude reads the passages and must quote its evidence; passages are data, never instructions",
                     deterministic=False, network=True, max_batch=2048)

    @property
    def params(self) -> Mapping[str, object]:
        """Model and prompt."""
        return {"model": self.client.model, "prompt_version": PROMPT_VERSION}

    def available(self) -> Availability:
        """Needs the package and a key; asks nobody."""
        state = self.state()
        return Availability(ok=state.ok, reason=state.reason, fix=state.fix)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """
        One judgement per pair, in order.

        Raises:
            JudgeUnavailable: No package or no key.
        """
        if not pairs:
            return []
        self.require("anthropic")
        redacted = {pair.premise: found for pair in pairs if (found := redact(pair.premise)) is not None}
        if not redacted:
            return self._ask(pairs)
        kept = [msgspec.structs.replace(pair, premise=redacted[pair.premise].text) if pair.premise in redacted else pair for pair in pairs]
        # Both ways are asked for the answers concerned, so that people see what the passage tried and whether it would have worked.
        touched = {(pair.key.trace_id, pair.key.table) for pair in pairs if pair.premise in redacted}
        with_it = [pair for pair in pairs if (pair.key.trace_id, pair.key.table) in touched]
        said_with_it = {(pair.key, pair.premise, pair.hypothesis): said for pair, said in zip(with_it, self._ask(with_it), strict=True)}
        return [
            _alarmed(judgement, redacted[pair.premise].alarm if pair.premise in redacted else None, said_with_it.get((pair.key, pair.premise, pair.hypothesis)))
            for pair, judgement in zip(pairs, self._ask(kept), strict=True)
        ]

    def _ask(self, pairs: Sequence[Pair]) -> list[Judgement]:
        provenance = provenance_of(self)
        answers: dict[int, Judgement] = {}
        asked = sheets(pairs)
        askable = [sheet for sheet in asked if not sheet.too_long]
        for sheet in asked:
            if sheet.too_long:
                answers.update(_unjudged(sheet, "the passages are longer than one call can hold", provenance))
        replies = self.ask_all([prompt(sheet, token=self._token) for sheet in askable], SCHEMA)
        for sheet, reply in zip(askable, replies, strict=True):
            answers.update(_unjudged(sheet, reply.message, provenance) if isinstance(reply, BackendError) else judgements(sheet, reply, provenance))
        return [answers[i] for i in range(len(pairs))]


def _alarmed(judgement: Judgement, alarm: str | None, with_it: Judgement | None) -> Judgement:
    """The verdict without the passage's orders, saying what it would have been with them."""
    if alarm is None and (with_it is None or with_it.verdict is judgement.verdict):
        return judgement
    note = ""
    if with_it is not None and with_it.verdict is not judgement.verdict:
        note = f" With the sentence that addresses the judge in place the verdict was {with_it.verdict.value}."
    return msgspec.structs.replace(judgement, alarm=alarm, rationale=judgement.rationale + note)


def judgements(sheet: Sheet, reply: Reply, provenance: Provenance) -> dict[int, Judgement]:
    """The reply to one sheet as judgements of its pairs, by their place; cost and time are shared evenly."""
    labels = tuple(sheet.claims.values())
    said = {label: _with_known_passages(entry, sheet) for label, entry in read_reply(reply.text, labels).items()}
    n = len(sheet.pairs)
    cost = Cost(elapsed_ms=None if reply.elapsed_ms is None else reply.elapsed_ms / n, cost_usd=None if reply.cost_usd is None else reply.cost_usd / n)
    missing = _STOPPED.get(reply.stop_reason, "the reply says nothing of this claim" if said else UNREADABLE)
    if len(reply.text) > MAX_REPLY_CHARS:
        missing = f"{UNREADABLE}: it is longer than {MAX_REPLY_CHARS:,} characters"
    return {
        i: _judgement(pair, said.get(sheet.claims[pair.hypothesis]), label=sheet.passages[pair.premise], missing=missing, provenance=provenance, cost=cost)
        for i, pair in sheet.pairs
    }


def _with_known_passages(said: Said, sheet: Sheet) -> Said:
    """Without quotes from passages nobody gave."""
    return msgspec.structs.replace(said, evidence=tuple(quoted for quoted in said.evidence if quoted.passage in set(sheet.passages.values())))


def _judgement(pair: Pair, said: Said | None, *, label: str, missing: str, provenance: Provenance, cost: Cost) -> Judgement:
    def result(verdict: Verdict, rationale: str, evidence: tuple[Evidence, ...] = (), confidence: float | None = None) -> Judgement:
        return Judgement(key=pair.key, verdict=verdict, rationale=rationale, evidence=evidence, confidence=confidence, provenance=provenance, cost=cost)

    if said is None:
        return result(Verdict.UNJUDGED, missing)
    if said.grounding is None:
        return result(Verdict.UNJUDGED, f"the reply's verdict is {said.word[:60]!r}, which is none of the four")
    if said.grounding is Grounding.NOT_SUPPORTED:
        return result(Verdict.NEUTRAL, said.reasoning, confidence=said.confidence)
    if not said.evidence:
        return result(Verdict.UNJUDGED, f"called {said.word} without a quote from a passage that was given: {said.reasoning}")
    mine = [quoted for quoted in said.evidence if quoted.passage == label]
    wanted = {Grounding.SUPPORTED: {True}, Grounding.CONTRADICTED: {False}}.get(said.grounding, {True, False})
    mine = [quoted for quoted in mine if quoted.supports in wanted]
    if not mine:
        fits = any(quoted.supports in wanted for quoted in said.evidence)
        return result(Verdict.NEUTRAL, said.reasoning, confidence=said.confidence) if fits else result(
            Verdict.UNJUDGED, f"called {said.word}, but its quotes say otherwise: {said.reasoning}")
    mine, said_nothing = [quoted for quoted in mine if shows_something(quoted.quote, pair.premise)], mine
    if not mine:
        return result(Verdict.UNJUDGED, f"called {said.word} on the quote {said_nothing[0].quote[:80]!r}, which states nothing")
    found = [(quoted, located) for quoted in mine if (located := find_quote(quoted.quote, pair.premise)) is not None]
    if not found:
        return result(Verdict.UNJUDGED, f"the quote {mine[0].quote[:80]!r} is not in this passage")
    supports = {quoted.supports for quoted, _ in found}
    if len(supports) > 1:
        return result(Verdict.UNJUDGED, "the same passage is quoted for and against the claim")
    spans = [(span, located.tier) for _, located in found for span in located.spans]
    evidence = tuple(Evidence(span=span, quote=span.of(pair.premise), weight=1 / len(spans), tier=tier) for span, tier in spans)
    review = "Review: the reasoning says the opposite of the verdict. " if said.doubtful else ""
    return result(Verdict.ENTAILED if supports == {True} else Verdict.CONTRADICTED, review + said.reasoning, evidence, None if review else said.confidence)


def _unjudged(sheet: Sheet, reason: str, provenance: Provenance) -> dict[int, Judgement]:
    return {i: Judgement(key=pair.key, verdict=Verdict.UNJUDGED, rationale=reason, provenance=provenance) for i, pair in sheet.pairs}


def make_anthropic(model: str = DEFAULT_MODEL, *, api_key: str | None = None, cancelled: Callable[[], bool] = lambda: False,
                   budget: Budget | None = None, **settings: Any) -> AnthropicJudge:
    """Factory for the registry: ``anthropic`` or ``anthropic:<model>``. What the pipeline hands in is named, so that it can see it is wanted."""
    return AnthropicJudge(model, api_key=api_key, cancelled=cancelled, budget=budget, **settings)
