"""Two runs side by side: pairing, differences, fairness."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from ragviz.compare import (
    Fingerprints,
    answer_change,
    blocking,
    compare_runs,
    corpora_differ,
    difference,
    documents,
    pair_traces,
    paired_scores,
    unfair,
)
from ragviz.diagnosis.quadrants import quadrant
from ragviz.metrics import score_all
from ragviz.records import Direction, JudgedTrace, Trace, TraceResult
from tests.build import a_case, a_passage, a_score, a_trace


def asked(trace_id: str, question: str, **fields) -> Trace:
    return a_trace(id=trace_id, question=question, **fields)


class TestPairing:
    def test_by_group_then_by_question(self) -> None:
        """Ids of rows differ; the group, or the question up to case and spaces, decides."""
        base = [asked("1", "What?", group="g1"), asked("2", "Who  is it?"), asked("3", "When?")]
        candidate = [asked("a", "who is it?"), asked("b", "What, really?", group="g1"), asked("c", "Where?")]

        found = pair_traces(base, candidate)

        assert (found.pairs, found.only_base, found.only_candidate, found.ambiguous) == ((("1", "b"), ("2", "a")), ("3",), ("c",), ())

    def test_repeated_questions(self) -> None:
        """Equal ids decide; equal numbers are matched in order and named; unequal ones are left out and named."""
        by_id = pair_traces([asked("1", "Q"), asked("2", "Q")], [asked("2", "Q"), asked("1", "Q")])
        in_order = pair_traces([asked("1", "Q"), asked("2", "Q")], [asked("a", "Q"), asked("b", "Q")])
        unequal = pair_traces([asked("1", "Q")], [asked("a", "Q"), asked("b", "Q")])

        assert (by_id.pairs, by_id.ambiguous) == ((("1", "1"), ("2", "2")), ())
        assert in_order.pairs == (("1", "a"), ("2", "b"))
        assert "in file order" in in_order.ambiguous[0]
        assert (unequal.pairs, unequal.only_candidate) == ((), ("a", "b"))
        assert '"Q" occurs 1 times in one run and 2 times in the other' in unequal.ambiguous[0]


class TestDifference:
    def test_by_hand(self) -> None:
        """Two better, one worse, one equal, one without a value: mean difference (0.5 + 0.5 - 0.25 + 0) / 4."""
        found = difference("faithfulness", [0.5, 0.5, 1.0, 1.0, None], [1.0, 1.0, 0.75, 1.0, 1.0])

        assert (found.wins, found.losses, found.ties, found.n, found.left_out) == (2, 1, 1, 4, 1)
        assert found.difference == pytest.approx(0.1875)
        assert found.candidate == pytest.approx(0.9375)

    def test_lower_is_better_for_rates_of_faults(self) -> None:
        """A fall of the hallucination rate is a win."""
        found = difference("hallucination", [1.0] * 40, [0.0] * 20 + [0.5] * 20)

        assert (found.wins, found.verdict, found.better) == (40, "better", Direction.LOWER)

    def test_rounding_is_no_difference(self) -> None:
        """0.1 + 0.2 against 0.3."""
        found = difference("faithfulness", [0.1 + 0.2] * 10, [0.3] * 10)

        assert (found.ties, found.verdict, found.p) == (10, "no_difference", 1.0)

    @pytest.mark.parametrize(("shift", "verdict"), [(0.2, "better"), (-0.2, "worse"), (0.0, "no_difference")])
    def test_verdict_from_the_interval(self, shift: float, verdict: str) -> None:
        """200 noisy pairs, shifted."""
        rng = np.random.default_rng(1)
        base = rng.random(200)

        assert difference("faithfulness", base, base + shift + rng.normal(0, 0.1, 200) - 0.002).verdict == verdict

    def test_runs_that_do_not_differ_are_rarely_told_apart(self) -> None:
        """300 comparisons of 30 pairs drawn alike: 5 % false alarms, within what chance does to 300 (3 standard deviations)."""
        alarms = 0
        for seed in range(300):
            rng = np.random.default_rng(seed)
            n_claims, share = rng.integers(1, 7, 30), rng.beta(6, 1.5, 30)
            before, after = (rng.binomial(n_claims, share) / n_claims for _ in range(2))
            alarms += difference("faithfulness", before, after, rng=rng).verdict in ("better", "worse")

        assert 300 * 0.012 <= alarms <= 300 * 0.088

    @pytest.mark.parametrize(("n", "verdict"), [(1, "too_few"), (2, "too_few"), (5, "too_few"), (6, "better")])
    def test_pairs_that_chance_cannot_be_told_from_have_no_interval(self, n: int, verdict: str) -> None:
        """All better by the same: five pairs come out so by chance once in 16, six once in 32. A bootstrap of two alike would be a point."""
        found = difference("faithfulness", [0.5] * n, [1.0] * n)

        assert (found.verdict, found.ci95 is None, found.difference) == (verdict, verdict == "too_few", 0.5)

    def test_questions_asked_again_are_no_more_pairs(self) -> None:
        """Thirty traces of three questions are three."""
        groups = [i % 3 for i in range(30)]

        assert difference("faithfulness", [0.5] * 30, [1.0] * 30, groups=groups).verdict == "too_few"
        assert difference("faithfulness", [0.5] * 30, [1.0] * 30, groups=np.array(groups)).verdict == "too_few"

    def test_too_few_and_none(self) -> None:
        """One pair has no interval; no pair has no mean."""
        assert difference("faithfulness", [0.5], [1.0]).verdict == "too_few"
        assert difference("faithfulness", [None], [1.0]).difference is None

    def test_p_values_are_corrected_for_the_number_of_metrics(self) -> None:
        """Two metrics with the same difference: twice the p."""
        names = ("faithfulness", "correctness")
        base = {str(i): {n: a_score(0.0, n) for n in names} for i in range(8)}
        candidate = {str(i): {n: a_score(float(i < 7), n) for n in names} for i in range(8)}

        first, second = paired_scores(base, candidate, [(str(i), str(i)) for i in range(8)]).differences()

        assert (first.p, first.p_holm) == (2 / 2**7, 2 * 2 / 2**7)
        assert second.metric == "correctness"

    def test_within_slices(self) -> None:
        """German loses, English wins; the loss comes first, a small slice is left out."""
        rows = [({"language": "de"}, 1.0, 0.5)] * 30 + [({"language": "en"}, 0.5, 1.0)] * 30 + [({"language": "fr"}, 0.0, 1.0)] * 3
        before, after = ({str(i): {"faithfulness": a_score(row[side])} for i, row in enumerate(rows)} for side in (1, 2))

        found = paired_scores(before, after, [(str(i), str(i)) for i in range(63)], properties=[p for p, _, _ in rows]).by_slice("faithfulness")

        assert [(s.value, s.difference.difference) for s in found] == [("de", -0.5), ("en", 0.5)]


class TestFamilies:
    def test_what_is_shown_changes_no_p(self) -> None:
        """Headline metrics are corrected among themselves, whatever else was computed; others for all."""
        names = ("faithfulness", "recall_at_3", "tokens", "latency_ms")
        base = {str(i): {n: a_score(0.0, n) for n in names} for i in range(8)}
        candidate = {str(i): {n: a_score(float(i < 7), n) for n in names} for i in range(8)}
        scores = paired_scores(base, candidate, [(str(i), str(i)) for i in range(8)])
        p = 2 / 2**7

        every = {d.metric: d.p_holm for d in scores.differences()}
        few = {d.metric: d.p_holm for d in scores.differences(["faithfulness", "recall_at_3"])}

        assert every == {"faithfulness": 2 * p, "recall_at_3": 2 * p, "tokens": 4 * p, "latency_ms": 4 * p}
        assert few == {"faithfulness": 2 * p, "recall_at_3": 2 * p}

    def test_a_part_of_the_pairs(self) -> None:
        """Places and slices move along."""
        base = {str(i): {"faithfulness": a_score(0.0)} for i in range(4)}
        candidate = {str(i): {"faithfulness": a_score(i / 4)} for i in range(4)}
        whole = paired_scores(
            base, candidate, [(str(i), str(i)) for i in range(4)], properties=[{"topic": "a"}, {"topic": "b"}, {"topic": "a"}, {"topic": "b"}]
        )

        part = whole.part([1, 2])

        assert part.n == 2
        assert part.difference("faithfulness").candidate == pytest.approx(0.375)
        assert {key: list(at) for key, at in part.members.items()} == {("topic", "a"): [1], ("topic", "b"): [0]}
        assert whole.difference("faithfulness", whole.members["topic", "b"]).candidate == pytest.approx(0.5)


class TestAnswers:
    def test_became_incorrect_and_correct(self) -> None:
        """Correctness across 0.5, either way; without a value on one side nothing is said."""
        one, other = a_case("ab", response_x_passages={"a": "EN", "b": "NN"}), a_case("ab", response_x_passages={"a": "NN", "b": "NN"})
        found = answer_change(one, other, 1.0, 0.4, limit=0.5)

        assert found is not None
        assert (found.worse, found.reason) == (True, "only_verdict_changed")
        assert answer_change(one, other, 0.4, 0.5, limit=0.5).worse is False  # type: ignore[union-attr]
        assert answer_change(one, other, 0.6, 0.5, limit=0.5) is None
        assert answer_change(one, other, None, 0.5, limit=0.5) is None


class TestFairness:
    def test_what_differs_is_named_and_blocks_unless_allowed(self) -> None:
        """Another corpus and another judge; unknown on one side is not a difference."""
        found = unfair(Fingerprints(corpus="corpus-a", judge="local", k="5"), Fingerprints(corpus="corpus-b", judge="facts"))

        assert [u.name for u in found] == ["corpus", "judge"]
        assert [u.name for u in blocking(found, {"judge"})] == ["corpus"]

    def test_documents_tell_corpora_apart(self) -> None:
        """Other documents retrieved: no fault. The same id with another text: one. Nothing in common: one."""
        def corpus(**texts: str) -> dict[tuple[str, str], frozenset[str]]:
            return documents([a_trace(passages=tuple(a_passage(n, text, doc_id=d) for n, (d, text) in enumerate(texts.items(), start=1)))])

        assert corpora_differ(corpus(a="A", b="B"), corpus(a="A", c="C")) is None
        changed, apart = corpora_differ(corpus(a="A"), corpus(a="A2")), corpora_differ(corpus(a="A"), corpus(b="B"))
        assert changed is not None
        assert changed.message == "1 of 1 shared document has another text: a"
        assert apart is not None

    def test_chunks_of_one_document_are_no_other_corpus(self) -> None:
        """Each run retrieved another chunk of the same document, under the chunks' own ids, or under one id where both saw a common one."""
        def corpus(*chunks: tuple[str, str]) -> dict[tuple[str, str], frozenset[str]]:
            return documents([a_trace(passages=tuple(a_passage(n, text, id=i, doc_id="terms") for n, (i, text) in enumerate(chunks, start=1)))])

        assert corpora_differ(corpus(("terms#1", "A")), corpus(("terms#2", "B"))) is None
        assert corpora_differ(corpus(("terms#1", "A"), ("terms#2", "B")), corpus(("terms#2", "B"))) is None
        assert corpora_differ(corpus(("x", "A"), ("x", "B")), corpus(("x", "B"), ("x", "C"))) is None


class TestWholeRuns:
    def results(self, cases: list[JudgedTrace]) -> list[tuple[JudgedTrace, TraceResult]]:
        out = []
        for n, case in enumerate(cases):
            named = msgspec.structs.replace(case, trace=msgspec.structs.replace(case.trace, id=f"t{n}", question=f"Question {n}?"))
            scores = score_all(named)
            out.append((named, TraceResult(trace_id=f"t{n}", scores=scores, quadrant=quadrant(named, scores).value, cause="")))
        return out

    def test_a_run_compared_with_itself(self) -> None:
        """No difference, no flips, nothing unfair, everything within noise."""
        run = self.results([a_case("ab", response_x_passages={"a": "EN", "b": "CN"}), a_case("a", response_x_passages={"a": "E"})])

        found = compare_runs(run, run)

        assert {m.verdict for m in found.metrics} <= {"no_difference", "too_few"}
        assert all(m.difference in (0.0, None) for m in found.metrics)
        assert (found.claim_flips, found.trace_flips, found.unfair, found.noise.within) == ((), (), (), True)
        assert found.noise.n == 3

    def test_what_changed_is_reported(self) -> None:
        """One claim lost its support on identical passages."""
        base = self.results([a_case("ab", response_x_passages={"a": "E", "b": "E"})] * 3)
        candidate = self.results([a_case("ab", response_x_passages={"a": "E", "b": "N"})] + [a_case("ab", response_x_passages={"a": "E", "b": "E"})] * 2)

        found = compare_runs(base, candidate, metrics=["faithfulness"], by=lambda _: {"all": "yes"})

        (faithfulness,) = found.metrics
        assert (faithfulness.losses, faithfulness.ties) == (1, 2)
        assert [f.reason for f in found.claim_flips] == ["only_verdict_changed"]
        assert (found.noise.observed, found.noise.n, found.noise.within) == (1, 6, False)
