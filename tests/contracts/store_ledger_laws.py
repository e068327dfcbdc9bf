"""Laws of what a store keeps beside traces and verdicts: issues, scores of other tools, rankings, batches under way, settings; imported for their effect."""

from __future__ import annotations

from msgspec.structs import replace

from ragviz.records import ImportedScore, LoadIssue
from ragviz.store import PendingBatch, Store
from tests.contracts.store_laws import NOW, claim, judgement, law, manifest, note, plain, with_traces


@law
def issues_are_told_once_and_origins_are_known(store: Store) -> None:
    """A doubt that comes up twice is one; a trace knows the line it came from."""
    doubt, other = LoadIssue(where="f:1", message="passage 2 has no text\x00", fix="name it", rejected=False), LoadIssue(where="f:2", message="not JSON")
    store.create_run(manifest())
    store.add_traces("run", [plain("a", origin="f:3"), other])
    for _ in range(2):
        store.add_issues("run", [doubt])

    assert [("f:2", True), ("f:1", False)] == [(issue.where, issue.rejected) for issue in store.issues("run")]
    assert {"a": "f:3"} == store.origins("run", ["a", "nobody"])


@law
def a_run_is_unfinished_until_its_import_ends(store: Store) -> None:
    """Its counts are final then."""
    with_traces(store, plain("a"), plain("b"))

    assert not store.is_finished("run")
    assert {"run"} == store.unfinished_runs()
    store.finish_run(replace(manifest(), n_traces=2))
    assert store.is_finished("run")
    assert not store.unfinished_runs()
    assert 2 == store.run("run").n_traces


@law
def scores_of_other_tools_replace_those_of_their_name(store: Store) -> None:
    """One of the same name made with the same takes the earlier one's place; a missing value keeps its reason."""
    with_traces(store, plain("a"), plain("b"))
    for value in (0.25, 0.5):
        store.add_scores("run", {"a": [ImportedScore(name="ragas", value=value)], "b": [ImportedScore(name="ragas", value=None, reason="timed out")]})
    store.add_scores("run", {"a": [ImportedScore(name="other", value=1.0)]})
    first, second = store.traces("run")

    assert {("ragas", 0.5), ("other", 1.0)} == {(score.name, score.value) for score in first.scores}
    assert [(None, "timed out")] == [(score.value, score.reason) for score in second.scores]


@law
def rankings_stay_and_those_missing_are_named(store: Store) -> None:
    """Given twice, the first counts; a trace that came later has none yet."""
    with_traces(store, plain("a"), plain("b"), plain("c"))
    store.put_rankings("run", {"a": (1, b"\x00\x01"), "c": (2, b"")})
    store.put_rankings("run", {"a": (9, b"\xff"), "nobody": (9, b"")})

    assert ["b"] == store.without_ranking("run")
    store.add_traces("run", [plain("d")])
    assert ["b", "d"] == store.without_ranking("run")


@law
def batches_under_way_are_found_by_run_and_judge(store: Store) -> None:
    """Oldest first, each once; they go with their run."""
    store.create_run(manifest())
    late, early = (
        PendingBatch(batch_id=name, fingerprint="judge", claim_set="rules", k=3, trace_ids=("t1",), fence="f", n_requests=2, sent_at=at)
        for name, at in (("b1", "2026-01-02"), ("b2", "2026-01-01"))
    )
    for batch in (late, early, late, replace(late, batch_id="b3", fingerprint="other")):
        store.add_pending("run", batch)

    assert [early, late] == store.pending("run", "judge")
    store.remove_pending("b2")
    assert [late] == store.pending("run", "judge")
    store.delete_run("run")
    store.create_run(manifest())
    assert [] == store.pending("run", "judge")


@law
def settings_are_kept_by_kind_and_name(store: Store) -> None:
    """The newest of a name; another kind's is its own; one that was taken back is gone."""
    store.keep("traces-view", "worst", {"sort": "faithfulness"})
    store.keep("traces-view", "worst", {"sort": "relevance", "q": "'; DROP TABLE kept; -- 期限"})
    store.keep("authority", "worst", "mirror")

    assert {"worst": {"sort": "relevance", "q": "'; DROP TABLE kept; -- 期限"}} == store.kept("traces-view", dict[str, str])
    assert "mirror" == store.kept_one("authority", "worst", str)
    store.forget("traces-view", "worst")
    assert store.kept_one("traces-view", "worst", dict[str, str]) is None
    assert {"worst": "mirror"} == store.kept("authority", str)


@law
def words_carry_the_time_they_were_said(store: Store) -> None:
    """People's and judges', newest first; a person's time is the one the person gave."""
    with_traces(store, plain("a"))
    store.add_claims("run", [claim("a")])
    store.add_judged("run", judgement("a").provenance, {"a": [judgement("a")]}, claim_set="rules", scope=0)
    store.annotate("run", note("a"))
    said = store.words("run", "a", "c1", "rules")

    assert store.history("run", "a", "c1", "rules") == [word.said for word in said]
    assert 2 == len(said)
    assert NOW in [word.at for word in said]
