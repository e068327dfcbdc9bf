"""Does the answer, and does what was retrieved, bear on the question?"""

from __future__ import annotations

from dataclasses import dataclass

from ragviz.contracts import DECLINES
from ragviz.grounding import is_said_to_answer
from ragviz.metrics.correctness import f1
from ragviz.metrics.counting import has_claims
from ragviz.metrics.scoring import failed, missing, no_claims, ok, undefined
from ragviz.records import JudgedTrace, MetricInfo, Policy, Rating, RatingKind, Score, Side

PUBLISHED = RatingKind.QUESTION_TO_RESPONSE
DIRECT = RatingKind.QUESTION_TO_RESPONSE_DIRECT
PASSAGE = RatingKind.QUESTION_TO_PASSAGE
NOT_RATED = "the relevance of the answer was not rated"
BY_FACETS = "requested facets"
"""Reason of a relevance that rests on annotated facets."""
BY_RATING = "answer relevance rating"
"""Reason of one that rests on questions generated from the answer."""
BY_ESTIMATE = "direct rating, without generated questions"
"""Reason of one that is estimated without a language model."""


def latest_rating(case: JudgedTrace, kind: RatingKind, target_id: str | None = None) -> Rating | None:
    """The last rating of that kind, for one target or for any; what was rated as a refusal does not count where a person says that it answers."""
    found = [r for r in case.ratings if r.kind is kind and (target_id is None or r.target_id == target_id)]
    if found and is_said_to_answer(case):
        found = [r for r in found if r.reason != DECLINES]
    return found[-1] if found else None


def _from_rating(info: MetricInfo, case: JudgedTrace, rating: Rating | None, *, low: float) -> Score:
    if rating is None:
        return missing(info, case, NOT_RATED)
    if rating.value is None:
        return failed(info, case, rating.reason or "the rater gave no value", unjudged=1)
    return ok(info, case, min(1.0, max(low, rating.value)), support=1)


@dataclass(frozen=True)
class Relevance:
    """Does the answer speak of what was asked, rightly or wrongly? The figure behind "off-topic"."""

    info = MetricInfo(
        name="relevance", version="1", label="Relevance", summary="Does the answer speak of what was asked, rightly or wrongly?",
        formula=(
            "with annotated facets and facts: F1 of {attributes of the response's claims} and {requested facets}; "
            "else the answer relevance rating, negative values cut at 0; else the direct rating"
        ),
        edge_cases=(
            "Says nothing of whether the answer is right: a wrong value of the right attribute is still relevant. An answer without claims has no "
            "value (ragas: 0). "
            "No facets and no rating: missing input. The reason names which of the three was used."
        ),
        source="facet proxy: ours; rating: Ragas answer relevance, arXiv:2309.15217, section 3", group="relevance",
        needs_ratings=frozenset({PUBLISHED, DIRECT}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Relevance of one trace."""
        if not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, {Policy.RAGAS: 0.0})
        attributes = [(c.id, _fold(c.fact.attribute)) for c in case.claims if c.side is Side.RESPONSE and c.fact is not None]
        if case.trace.facets and attributes:
            return self._facets(case, attributes, {_fold(f) for f in case.trace.facets})
        published = latest_rating(case, PUBLISHED)
        if published is not None and published.value is not None:
            return ok(self.info, case, min(1.0, max(0.0, published.value)), support=1, reason=BY_RATING)
        direct = latest_rating(case, DIRECT)
        score = _from_rating(self.info, case, direct or published, low=0.0)
        if score.value is None:
            return score
        return ok(self.info, case, score.value, support=1, reason=BY_ESTIMATE)

    def _facets(self, case: JudgedTrace, attributes: list[tuple[str, str]], asked: set[str]) -> Score:
        said = {attribute for _, attribute in attributes}
        both = said & asked
        value = f1(len(both) / len(said), len(both) / len(asked))
        beside = [claim_id for claim_id, attribute in attributes if attribute not in asked]
        return ok(self.info, case, value, support=len(said | asked), reason=BY_FACETS, claim_ids=sorted(beside))


def _fold(attribute: str) -> str:
    return " ".join(attribute.split()).casefold()


@dataclass(frozen=True)
class AnswerRelevance:
    """Answer relevance as published: how near the question is to questions generated from the answer."""

    info = MetricInfo(
        name="answer_relevance", version="1", label="Answer relevance", summary="Could the question be guessed from the answer?",
        formula="mean cosine of the question and n questions generated from the answer",
        edge_cases="Needs a rater with a language model. Range -1 to 1, as the cosine has. A refusal has no value (ragas: 0).",
        source="Es et al. 2023, arXiv:2309.15217, section 3", range=(-1.0, 1.0), group="relevance", needs_ratings=frozenset({PUBLISHED}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Answer relevance of one trace."""
        if not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, {Policy.RAGAS: 0.0})
        return _from_rating(self.info, case, latest_rating(case, PUBLISHED), low=-1.0)


@dataclass(frozen=True)
class AnswerRelevanceDirect:
    """Relevance without a language model; never under the published name."""

    info = MetricInfo(
        name="answer_relevance_direct",
        version="1",
        label="Answer relevance (direct)",
        summary="Does the answer speak of the question and hold a value of the kind it asks for, rightly or wrongly?",
        formula="the direct rating of question and answer, in 0 to 1",
        edge_cases="Says nothing of whether that value is right. No rating: missing input. A refusal has no value.",
        source="ours; no language model needed",
        group="relevance",
        needs_ratings=frozenset({DIRECT}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Direct answer relevance of one trace."""
        if not has_claims(case, Side.RESPONSE):
            return no_claims(self.info, case, Side.RESPONSE, {})
        return _from_rating(self.info, case, latest_rating(case, DIRECT), low=0.0)


@dataclass(frozen=True)
class ContextRelevance:
    """How much of what was retrieved matters for the question."""

    info = MetricInfo(
        name="context_relevance", version="1", label="Context relevance", summary="How much of what was retrieved matters for the question?",
        formula="mean over the passages of the share of their sentences that bear on the question",
        edge_cases="No reference needed. Nothing retrieved: no value (ragas: 0). Passages without a rating are left out and counted.",
        source="Es et al. 2023, arXiv:2309.15217, section 3", group="relevance", needs_ratings=frozenset({PASSAGE}),
    )

    def score(self, case: JudgedTrace) -> Score:
        """Context relevance of one trace."""
        if case.trace.passages is None:
            return missing(self.info, case, "the file does not say what was retrieved")
        passages = case.trace.first_passages(case.k)
        if not passages:
            if case.policy is Policy.RAGAS:
                return ok(self.info, case, 0.0, support=0, reason="nothing was retrieved; ragas scores this 0")
            return undefined(self.info, case, "nothing was retrieved")
        rated = {r.target_id: r.value for r in case.ratings if r.kind is PASSAGE}
        values = [(p.id, rated[p.id]) for p in passages if p.id in rated]
        if not values:
            return missing(self.info, case, "the passages were not rated")
        known = [(i, min(1.0, max(0.0, v))) for i, v in values if v is not None]
        left_out = len(passages) - len(known)
        if not known:
            return failed(self.info, case, "the rater gave no value for any passage", unjudged=left_out)
        total = sum(v for _, v in known)
        return ok(self.info, case, total / len(known), support=len(known), numerator=total, unjudged=left_out, claim_ids=sorted(i for i, v in known if v == 0))


__all__ = ["AnswerRelevance", "AnswerRelevanceDirect", "ContextRelevance", "Relevance", "latest_rating"]
