"""Cheap first; a stronger judge only for claims that stay undecided or in dispute."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ragviz.backends.anthropic_client import DEFAULT_MODEL
from ragviz.backends.budget import Budget
from ragviz.contracts import Availability, Judge, JudgeInfo
from ragviz.errors import JudgeUnavailable
from ragviz.judges.hosted import AnthropicJudge
from ragviz.judges.local import LocalJudge
from ragviz.judges.provenance import fingerprint, provenance_of
from ragviz.records import Judgement, Pair, Provenance, Verdict


@dataclass(frozen=True)
class CascadeJudge:
    """
    Judges with the first step; claims it leaves undecided go to the next, with all their pairs.

    Undecided: some pair unjudged, below ``min_confidence``, or one passage supports what another contradicts. The rationale says which
    step decided.
    """

    steps: tuple[Judge, ...]
    min_confidence: float = 0.8

    @property
    def info(self) -> JudgeInfo:
        """Named after its steps; deterministic only if all of them are."""
        return JudgeInfo(
            name="cascade", version="1", summary=" then ".join(step.info.name for step in self.steps) + ", escalating only what stays undecided",
            deterministic=all(step.info.deterministic for step in self.steps), network=any(step.info.network for step in self.steps),
            max_batch=min(step.info.max_batch for step in self.steps), joined=self.steps[0].info.joined,
        )

    @property
    def params(self) -> Mapping[str, object]:
        """The steps' fingerprints and the threshold."""
        return {"steps": [fingerprint(step) for step in self.steps], "min_confidence": self.min_confidence}

    def available(self) -> Availability:
        """Needs every step."""
        for step in self.steps:
            state = step.available()
            if not state.ok:
                return Availability(ok=False, reason=f"{step.info.name}: {state.reason}", fix=state.fix)
        return Availability(ok=True)

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """
        One judgement per pair, in order.

        Raises:
            JudgeUnavailable: A step cannot work here, whether or not it would be needed.
        """
        state = self.available()
        if pairs and not state.ok:
            raise JudgeUnavailable(f"cascade: {state.reason}", fix=state.fix)
        provenance = provenance_of(self)
        decided: dict[int, Judgement] = {}
        open_ = list(range(len(pairs)))
        for n, step in enumerate(self.steps):
            if not open_:
                break
            said = dict(zip(open_, step.judge([pairs[i] for i in open_]), strict=True))
            escalate = self.undecided(pairs, said) if n + 1 < len(self.steps) else set()
            decided |= {i: _by(step, judgement, provenance) for i, judgement in said.items() if i not in escalate}
            open_ = [i for i in open_ if i in escalate]
        return [decided[i] for i in range(len(pairs))]

    def undecided(self, pairs: Sequence[Pair], said: Mapping[int, Judgement]) -> set[int]:
        """Places of the pairs whose claims a step's judgements (by place) leave open: these go to the next step."""
        by_claim: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for i in said:
            key = pairs[i].key
            by_claim[key.table, key.trace_id, key.claim_id].append(i)
        return {i for rows in by_claim.values() if self._is_open([said[i] for i in rows]) for i in rows}

    def _is_open(self, said: list[Judgement]) -> bool:
        verdicts = {j.verdict for j in said}
        if Verdict.UNJUDGED in verdicts or {Verdict.ENTAILED, Verdict.CONTRADICTED} <= verdicts:
            return True
        deciding = [j for j in said if j.verdict in (Verdict.ENTAILED, Verdict.CONTRADICTED)] or said
        # One sure passage settles a claim; when none speaks, every passage must be surely silent.
        sure = [j.confidence is not None and j.confidence >= self.min_confidence for j in deciding]
        return not (any(sure) if verdicts & {Verdict.ENTAILED, Verdict.CONTRADICTED} else all(sure))


def _by(step: Judge, judgement: Judgement, provenance: Provenance) -> Judgement:
    return msgspec.structs.replace(judgement, provenance=provenance, rationale=f"{step.info.name}: {judgement.rationale}")


def deciding_step(judgement: Judgement) -> str:
    """Name of the step that a cascade's judgement comes from."""
    return judgement.rationale.partition(":")[0]


def make_cascade(model: str = DEFAULT_MODEL, *, api_key: str | None = None, cancelled: Callable[[], bool] = lambda: False,
                 budget: Budget | None = None, **settings: Any) -> CascadeJudge:
    """Factory for the registry: ``cascade`` is local, then Claude; ``cascade:<model>`` names the model."""
    return CascadeJudge(steps=(LocalJudge(), AnthropicJudge(model, api_key=api_key, cancelled=cancelled, budget=budget, **settings)))
