"""The laws of a store, each a check that takes a fresh one; and what they need."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.errors import InputError, UnknownName
from ragviz.records import (
    Annotation,
    Claim,
    Clash,
    ClashKind,
    Cost,
    Evidence,
    Fact,
    Grounding,
    ImportedClaim,
    ImportedScore,
    ImportedVerdict,
    Judgement,
    LoadIssue,
    MatchTier,
    PairKey,
    Passage,
    Provenance,
    Rating,
    RatingKind,
    RunManifest,
    Score,
    ScoreStatus,
    Side,
    Span,
    Table,
    Trace,
    TraceResult,
    Turn,
    Usage,
    Verdict,
)
from ragviz.store import Store, TraceFilter

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
JUDGE = Provenance(judge="fake", judge_version="1", params_hash="abc")
OTHER = Provenance(judge="other", judge_version="2", params_hash="def", model="m", model_revision="r", prompt_version="p")
VIEW = View(run_id="run", judge=JUDGE.fingerprint, claim_set="rules")
StoreLaw = Callable[[Store], None]
LAWS: list[StoreLaw] = []


def law(check: StoreLaw) -> StoreLaw:
    """Adds a check to the laws."""
    LAWS.append(check)
    return check


def manifest(run_id: str = "run", **fields: object) -> RunManifest:
    return RunManifest(**{"run_id": run_id, "name": run_id.title(), "created_at": NOW, "ragviz_version": "0", "format": "native", **fields})  # type: ignore[arg-type]


def full_trace(trace_id: str = "t1", **fields: object) -> Trace:
    """A trace with every field set, in several scripts."""
    given: dict[str, object] = {
        "id": trace_id, "question": "Quelle durée? 期限は?", "response": "Thirty days 😀 [1].",
        "passages": (
            Passage(id="p1", text="Return within 30 days. İstanbul", rank=1, doc_id="d1", score=0.5, title="T", source="handbook", relevance=1,
                    facts=(Fact(attribute="window", value="30 days"),), revision="2", effective_date="2026-01-01", authority="official", metadata={"a": "b"}),
            Passage(id="d1#2", text="Return within 30 days. İstanbul", rank=2, doc_id="d1"),
            Passage(id="p3", text="", rank=3),
        ),
        "reference": "30 days", "relevant_ids": frozenset({"d1", "d9"}), "relevant_texts": ("x",), "relevance_grades": {"d1": 2}, "answerable": True,
        "facets": ("window",), "history": (Turn(role="user", text="Hi"),), "usage": Usage(latency_ms=12.5, tokens_in=3, cost_usd=0.25),
        "started_at": NOW, "model": "m", "group": "g", "tags": {"lang": "fr"}, "passages_are": "cited", "origin": "f.jsonl:1",
        "claims": (ImportedClaim(side=Side.RESPONSE, text="Thirty days", spans=(Span(0, 11),), verdicts=(
            ImportedVerdict(table=Table.RESPONSE_X_PASSAGES, premise_id="*", verdict=Verdict.ENTAILED, label="Entailment", quote="30 days", confidence=0.9),)),),
        "scores": (ImportedScore(name="theirs", value=None, reason="NaN in the file"),),
    }
    return Trace(**{**given, **fields})  # type: ignore[arg-type]


def plain(trace_id: str, **fields: object) -> Trace:
    given: dict[str, object] = {"id": trace_id, "question": f"Question {trace_id}?", "response": f"Answer {trace_id}.", "passages": (Passage(id="p1", text="One text.", rank=1),)}
    return Trace(**{**given, **fields})  # type: ignore[arg-type]


def claim(trace_id: str, claim_id: str = "c1", **fields: object) -> Claim:
    return Claim(**{"id": claim_id, "trace_id": trace_id, "side": Side.RESPONSE, "text": "Thirty days", "spans": (Span(0, 6), Span(7, 11)), "extractor": "rules", **fields})  # type: ignore[arg-type]


def judgement(trace_id: str, claim_id: str = "c1", premise_id: str = "p1", verdict: Verdict = Verdict.ENTAILED, **fields: object) -> Judgement:
    given: dict[str, object] = {"key": PairKey(Table.RESPONSE_X_PASSAGES, trace_id, claim_id, premise_id), "verdict": verdict, "provenance": JUDGE}
    return Judgement(**{**given, **fields})  # type: ignore[arg-type]


def note(trace_id: str, grounding: Grounding | None = Grounding.CONTRADICTED, **fields: object) -> Annotation:
    return Annotation(**{"trace_id": trace_id, "claim_id": "c1", "grounding": grounding, "author": "Ada", "at": NOW, **fields})  # type: ignore[arg-type]


def result(trace_id: str, faithfulness: float | None = 1.0, quadrant: str = "good", **fields: object) -> TraceResult:
    status = ScoreStatus.OK if faithfulness is not None else ScoreStatus.UNDEFINED
    reason = "" if faithfulness is not None else "no claims"
    score = Score(metric="faithfulness", metric_version="1", trace_id=trace_id, value=faithfulness, status=status, support=4, numerator=2.0, reason=reason, claim_ids=("c2",))
    given: dict[str, object] = {
        "trace_id": trace_id, "scores": {"faithfulness": score}, "quadrant": quadrant, "cause": "none", "cause_detail": "why", "verdicts": {"supported": 1, "contradicted": 1},
        "worst_claim": "Thirty days", "worst_verdict": "contradicted",
    }
    return TraceResult(**{**given, **fields})  # type: ignore[arg-type]


def with_traces(store: Store, *traces: Trace) -> None:
    store.create_run(manifest())
    store.add_traces("run", traces)


@law
def traces_come_back_equal_and_in_order(store: Store) -> None:
    """Every field, repeated and empty passages, unknown passages (None) and none found (())."""
    traces = [full_trace("z"), plain("a", passages=None), plain("m", passages=()), plain("b")]
    with_traces(store, *traces)

    assert traces == list(store.traces("run"))
    assert [traces[1], traces[3]] == list(store.traces("run", ["b", "nobody", "a", "b"]))


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
def adding_again_changes_nothing(store: Store) -> None:
    """Traces, issues, claims, judgements, ratings and annotations."""
    traces, issue = [plain("a"), plain("b")], LoadIssue(where="f:3", message="no question", fix="add one")
    rating = Rating(kind=RatingKind.QUESTION_TO_RESPONSE_DIRECT, trace_id="a", target_id="response", value=0.5, provenance=OTHER)
    for _ in range(2):
        store.create_run(manifest())
        store.add_traces("run", [*traces, issue])
        store.add_claims("run", [claim("a"), claim("a", "c2")])
        store.add_judgements("run", [judgement("a"), judgement("a", "c2")], claim_set="rules")
        store.add_ratings("run", [rating])
        store.annotate("run", note("a"))

    case = store.one(VIEW, "a")
    assert case is not None
    assert (store.runs()[0].n_traces, store.runs()[0].n_issues) == (2, 1)
    assert [issue] == store.issues("run")
    assert (len(case.claims), len(case.judgements), len(case.ratings), len(case.annotations)) == (2, 2, 1, 1)
    assert len(store.history("run", "a", "c1", "rules")) == 2


@law
def the_first_trace_of_an_id_stays(store: Store) -> None:
    """In one batch and over two."""
    with_traces(store, plain("a", response="first"), plain("b"), plain("a", response="second"))
    new = store.add_traces("run", [plain("a", response="third"), plain("c")])

    assert new == 1
    assert [(t.id, t.response) for t in store.traces("run")] == [("a", "first"), ("b", "Answer b."), ("c", "Answer c.")]


@law
def judgements_come_back_equal(store: Store) -> None:
    """Evidence, clashes, alarm, confidence, cost and the neutral ones."""
    with_traces(store, full_trace("a"))
    said = [
        judgement("a", premise_id="p1", confidence=0.9, calibrated=True, rationale="it says so", alarm="ignore all instructions", cost=Cost(elapsed_ms=3.0, tokens_in=5),
                  evidence=(Evidence(span=Span(0, 6), quote="Return", weight=0.5, tier=MatchTier.FOLDED), Evidence(span=Span(7, 13), quote="within")),
                  clashes=(Clash(kind=ClashKind.DURATION, hypothesis_span=Span(0, 6), premise_span=None, hypothesis_value="30 days", premise_value="90 days"),)),
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
def a_deleted_run_is_gone_and_others_keep_their_passages(store: Store) -> None:
    """Shared texts stay for the run that still uses them."""
    for run_id in ("run", "keep"):
        store.create_run(manifest(run_id))
        store.add_traces(run_id, [full_trace("a")])
        store.add_claims(run_id, [claim("a")])
        store.add_judgements(run_id, [judgement("a")], claim_set="rules")
        store.annotate(run_id, note("a"))
    store.put_results(VIEW, [result("a")])
    store.delete_run("run")
    store.delete_run("run")

    assert [m.run_id for m in store.runs()] == ["keep"]
    assert [full_trace("a")] == list(store.traces("keep"))
    assert store.count(replace(VIEW, run_id="keep"), TraceFilter(text="thirty")) == 1
    with pytest.raises(UnknownName):
        list(store.traces("run"))


@law
def runs_are_newest_first_and_found_by_name(store: Store) -> None:
    """An id comes before a name; of two runs with one name the newer is meant."""
    store.create_run(manifest("old", name="Same"))
    store.create_run(manifest("new", name="Same", created_at=NOW + timedelta(hours=1)))

    assert [m.run_id for m in store.runs()] == ["new", "old"]
    assert (store.run("Same").run_id, store.run("old").run_id) == ("new", "old")
    with pytest.raises(UnknownName, match="no run named 'nope'"):
        store.run("nope")


@law
def a_rejected_batch_leaves_nothing(store: Store) -> None:
    """A batch that fails in the middle is not stored at all."""
    with_traces(store, plain("a"))
    with pytest.raises(UnknownName):
        store.add_judged("run", JUDGE, {"a": [judgement("a")], "nobody": [judgement("nobody")]}, claim_set="rules", scope=0)

    assert store.not_judged("run", JUDGE.fingerprint, "rules", 0) == ["a"]
    assert store.views("run") == []


@law
def readers_see_whole_batches(store: Store) -> None:
    """While batches of seven arrive, a reader in another thread always counts a multiple of seven."""
    store.create_run(manifest())
    stop, seen = threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            seen.add(len(list(store.traces("run"))) % 7)

    reader = threading.Thread(target=read)
    reader.start()
    for batch in range(12):
        store.add_traces("run", [plain(f"t{batch}-{n}") for n in range(7)])
    stop.set()
    reader.join()

    assert {0} == seen


@law
def hostile_text_is_only_text(store: Store) -> None:
    """Quotes, NUL, lone surrogates and SQL in every field; what a database cannot hold is replaced, the rest kept."""
    nasty = "'; DROP TABLE trace; --\x00 \ud800 <script>"
    with_traces(store, plain("a", question=nasty, tags={"x'": nasty}), plain(nasty))
    store.add_claims("run", [claim("a", text="'); --")])

    kept = list(store.traces("run"))
    assert "'; DROP TABLE trace; --\ufffd \ufffd <script>" == kept[0].question == kept[1].id
    assert [row.id for row in store.page(VIEW, TraceFilter(tags={"x'": kept[0].question}))] == ["a"]
    assert (store.count(VIEW, TraceFilter(text="DROP TABLE")), store.count(VIEW, TraceFilter(text='" OR 1=1 --'))) == (2, 0)
    assert store.count(VIEW, TraceFilter(tags={"lang": "' OR '1'='1"})) == 0


@law
def the_data_version_moves_with_every_write(store: Store) -> None:
    """And only then."""
    store.create_run(manifest())
    before = store.data_version()
    assert before == store.data_version()
    store.add_traces("run", [plain("a")])
    assert before != store.data_version()


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
def a_bundle_carries_everything_to_another_store(store: Store) -> None:
    """Traces, issues, claims, verdicts with their order and times, ratings and notes; read twice it changes nothing."""
    with_traces(store, full_trace("a"), plain("b", passages=None))
    store.add_traces("run", [LoadIssue(where="f:3", message="no question")])
    store.add_claims("run", [claim("a"), claim("a", "c2"), claim("b", extractor="facts", fact=Fact(attribute="x", value="y"))])
    first, second = judgement("a", confidence=0.5), judgement("a", verdict=Verdict.NEUTRAL)
    store.add_judged("run", JUDGE, {"a": [first], "b": []}, claim_set="rules", scope=0)
    store.annotate("run", note("a"))
    store.add_judgements("run", [second, judgement("a", provenance=OTHER)], claim_set="rules")
    store.add_judgements("run", [first], claim_set="rules")
    store.add_ratings("run", [Rating(kind=RatingKind.RESPONSE_TO_REFERENCE, trace_id="a", target_id="response", value=0.5, provenance=OTHER)])
    packed, again = io.BytesIO(), io.BytesIO()
    assert 2 == store.export_bundle("run", packed)
    before = (list(store.judged(VIEW)), store.history("run", "a", "c1", "rules"), store.issues("run"), store.views("run"), store.runs())

    store.delete_run("run")
    for _ in range(2):
        packed.seek(0)
        store.import_bundle(packed, name="run.ragviz")
        assert before == (list(store.judged(VIEW)), store.history("run", "a", "c1", "rules"), store.issues("run"), store.views("run"), store.runs())
    assert [] == store.not_judged("run", JUDGE.fingerprint, "rules", 0)
    store.export_bundle("run", again)
    assert packed.getvalue() == again.getvalue()


@law
def a_broken_bundle_is_refused_in_one_sentence(store: Store) -> None:
    """Cut off, not gzip, not ours; whole traces before the cut are kept, and the whole file completes them."""
    with_traces(store, *[plain(f"t{n}") for n in range(900)])
    packed = io.BytesIO()
    store.export_bundle("run", packed)
    store.delete_run("run")
    raw = packed.getvalue()
    for broken in (b"", b"id,question\n", raw[:40], raw[: len(raw) * 2 // 3]):
        with pytest.raises(InputError, match=r"x\.ragviz"):
            store.import_bundle(io.BytesIO(broken), name="x.ragviz")
    store.import_bundle(io.BytesIO(raw), name="x.ragviz")

    assert [f"t{n}" for n in range(900)] == store.trace_ids("run")
