"""Laws of what judges and people say, and of what is computed from it; imported for their effect: they join the laws of a store."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from ragviz.records import Clash, ClashKind, Cost, Evidence, Fact, Grounding, MatchTier, PairKey, Rating, RatingKind, Span, Table, Verdict
from ragviz.store import Store, TraceFilter
from tests.contracts.store_laws import (
    JUDGE,
    NOW,
    OTHER,
    VIEW,
    claim,
    full_trace,
    judgement,
    law,
    manifest,
    note,
    plain,
    result,
    with_traces,
)


@law
def a_judge_that_was_asked_anew_is_heard_again(store: Store) -> None:
    """Its word is in the history twice, the verdict in force is one, and the trace counts once."""
    with_traces(store, plain("a"))
    for repeats in (False, False, True):
        store.add_judged("run", JUDGE, {"a": [judgement("a")]}, claim_set="rules", scope=0, repeats=repeats)

    assert len(store.history("run", "a", "c1", "rules")) == 2
    case = store.one(VIEW, "a")
    assert case is not None
    assert len(case.judgements) == 1
    assert [n for _, n in store.views("run")] == [1]


@law
def judgements_come_back_equal(store: Store) -> None:
    """Evidence, clashes, alarm, confidence, cost and the neutral ones."""
    with_traces(store, full_trace("a"))
    said = [
        judgement(
            "a",
            premise_id="p1",
            confidence=0.9,
            calibrated=True,
            rationale="it says so",
            alarm="ignore all instructions",
            cost=Cost(elapsed_ms=3.0, tokens_in=5),
            evidence=(Evidence(span=Span(0, 6), quote="Return", weight=0.5, tier=MatchTier.FOLDED), Evidence(span=Span(7, 13), quote="within")),
            clashes=(Clash(kind=ClashKind.DURATION, hypothesis_span=Span(0, 6), premise_span=None, hypothesis_value="30 days", premise_value="90 days"),),
        ),
        judgement("a", premise_id="d1#2", verdict=Verdict.NEUTRAL, confidence=0.7),
        judgement("a", premise_id="p3", verdict=Verdict.UNJUDGED, rationale="the model declined"),
        replace(judgement("a"), key=PairKey(Table.REFERENCE_X_RESPONSE, "a", "r1", "response"), verdict=Verdict.CONTRADICTED),
    ]
    store.add_judgements("run", said, claim_set="rules")

    case = store.one(VIEW, "a")
    assert case is not None
    assert said == list(case.judgements)
    assert [j.cost for j in said] == [j.cost for j in case.judgements]


@law
def the_latest_word_counts_and_the_history_keeps_all(store: Store) -> None:
    """A judge that changes its mind is seen with its last word; other judges and people stay in the history, newest first."""
    with_traces(store, plain("a"))
    first, second = judgement("a"), judgement("a", verdict=Verdict.CONTRADICTED, evidence=(Evidence(span=Span(0, 3), quote="One"),))
    foreign = judgement("a", verdict=Verdict.NEUTRAL, provenance=OTHER)
    earlier = note("a", at=NOW - timedelta(days=300))
    store.add_judgements("run", [first], claim_set="rules")
    store.annotate("run", earlier)
    store.add_judgements("run", [foreign], claim_set="rules")
    store.add_judgements("run", [second], claim_set="rules")
    store.add_judgements("run", [first], claim_set="rules")

    case = store.one(VIEW, "a")
    assert case is not None
    assert (first,) == case.judgements
    assert (earlier,) == case.annotations
    assert [first, second, foreign, earlier, first] == store.history("run", "a", "c1", "rules")


@law
def claim_sets_are_kept_apart(store: Store) -> None:
    """c1 of rules and c1 of facts are two claims, with verdicts of their own."""
    with_traces(store, plain("a"))
    pair = claim("a", extractor="facts", text="w = 1", spans=(), fact=Fact(attribute="w", value="1"))
    store.add_claims("run", [claim("a"), pair])
    store.add_judgements("run", [judgement("a")], claim_set="facts")

    rules, facts = store.one(VIEW, "a"), store.one(replace(VIEW, claim_set="facts"), "a")
    assert rules is not None
    assert facts is not None
    assert ((claim("a"),), ()) == (rules.claims, rules.judgements)
    assert ((pair,), 1) == (facts.claims, len(facts.judgements))


@law
def an_empty_claim_set_is_remembered(store: Store) -> None:
    """A refusal makes no claims: looked at, none found."""
    with_traces(store, plain("a"), plain("b"))
    store.add_claim_sets("run", {("a", "rules"): []})

    assert store.claim_sets("run", "rules", ["a", "b"]) == {"a": []}


@law
def judged_traces_are_counted_once(store: Store) -> None:
    """A trace without any pair counts as judged too; a single re-judged claim does not complete a trace."""
    with_traces(store, plain("a"), plain("b"), plain("c"))
    store.add_judged("run", JUDGE, {"a": [judgement("a")], "b": []}, claim_set="rules", scope=0)
    store.add_judged("run", JUDGE, {"a": [judgement("a")], "b": []}, claim_set="rules", scope=0)
    store.add_judgements("run", [judgement("c")], claim_set="rules")

    assert store.not_judged("run", JUDGE.fingerprint, "rules", 0) == ["c"]
    assert store.not_judged("run", JUDGE.fingerprint, "rules", 2) == ["a", "b", "c"]
    assert store.views("run") == [(VIEW, 3)]


@law
def results_come_back_equal_and_replace_earlier_ones(store: Store) -> None:
    """In file order, whatever the order they came in; one per trace."""
    with_traces(store, plain("a"), plain("b"))
    store.put_results(VIEW, [result("b", None, "abstained"), result("a", 0.25)])
    store.put_results(VIEW, [result("a", 0.75, "extra_claim")])

    assert [result("a", 0.75, "extra_claim"), result("b", None, "abstained")] == list(store.results(VIEW))
    assert store.counts_by(VIEW, "quadrant") == {"extra_claim": 1, "abstained": 1}


@law
def what_is_said_throws_results_away(store: Store) -> None:
    """A judgement those of its judge, an annotation those of its claim set, a rating all; only of that trace."""
    with_traces(store, plain("a"), plain("b"))
    strange = replace(VIEW, judge=OTHER.fingerprint)
    facts = replace(VIEW, claim_set="facts")
    for view in (VIEW, strange, facts):
        store.put_results(view, [result("a"), result("b")])

    store.add_judgements("run", [judgement("a")], claim_set="rules")
    assert tuple(store.missing_results(v) for v in (VIEW, strange, facts)) == (["a"], [], [])
    store.annotate("run", note("a"))
    assert tuple(store.missing_results(v) for v in (VIEW, strange, facts)) == (["a"], ["a"], [])
    store.add_ratings("run", [Rating(kind=RatingKind.QUESTION_TO_RESPONSE, trace_id="b", target_id="response", value=1.0, provenance=OTHER)])
    assert tuple(store.missing_results(v) for v in (VIEW, strange, facts)) == (["a", "b"], ["a", "b"], ["b"])
    assert store.counts_by(VIEW, "quadrant") == {"unknown": 2}
    assert {k: n for k, n in store.claim_counts(facts).items() if n} == {Grounding.SUPPORTED: 1, Grounding.CONTRADICTED: 1}


@law
def cached_answers_are_found_by_content(store: Store) -> None:
    """UNJUDGED and failed ratings are not kept; what was asked for a deleted run is forgotten with it."""
    store.create_run(manifest())
    store.judgement_cache.put_many({"0" * 32: judgement("a"), "1" * 32: judgement("a", verdict=Verdict.UNJUDGED)})
    store.judgement_cache.put_many({"2" * 32: judgement("b", provenance=OTHER)}, run_id="run")
    rating = Rating(kind=RatingKind.RESPONSE_TO_REFERENCE, trace_id="", target_id="response", value=0.5, provenance=OTHER)
    store.judgement_cache.put_ratings({"0" * 32: rating, "3" * 32: replace(rating, value=None, reason="failed")})

    keys = [n * 32 for n in "0123"]
    assert {keys[0], keys[2]} == set(store.judgement_cache.get_many(keys))
    assert {keys[0]: rating} == store.judgement_cache.get_ratings(keys)
    store.delete_run("run")
    assert {keys[0]} == set(store.judgement_cache.get_many(keys))


@law
def a_long_worst_claim_is_cut_with_a_sign(store: Store) -> None:
    """In a list of traces; the result keeps all of it."""
    with_traces(store, plain("a"), plain("b"))
    store.put_results(VIEW, [result("a", worst_claim="x" * 1000), result("b", worst_claim="y" * 300)])

    shown = {row.id: row.worst_claim for row in store.page(VIEW, TraceFilter())}

    assert (len(shown["a"]), shown["a"][-2:], shown["b"]) == (300, "x…", "y" * 300)
    assert [len(found.worst_claim) for found in store.results(VIEW)] == [1000, 300]


@law
def an_answer_that_is_absent_stays_so(store: Store) -> None:
    """It is not an empty reply afterwards."""
    with_traces(store, plain("a", response="", response_is="absent"), plain("b", response=""))

    assert [t.is_unanswered for t in store.traces("run")] == [True, False]
