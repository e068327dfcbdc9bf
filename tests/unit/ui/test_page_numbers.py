"""The arithmetic behind Overview, Quadrants and Retrieval, with numbers a reader can redo."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ragviz.contracts import View
from ragviz.diagnosis.quadrants import Thresholds, quadrant_of
from ragviz.figures.ranks import RankMark
from ragviz.metrics.ranked import ranking_of
from ragviz.records import Passage, Policy, RunManifest, Trace, TraceResult
from ragviz.store import TraceFilter, open_store
from ragviz.ui.views import data_export, overview_numbers, quadrants_numbers, retrieval_numbers
from ragviz.ui.views.quadrants_numbers import Mode
from ragviz.ui.widgets import md

NAN = float("nan")


def words(*values: str) -> np.ndarray:
    return np.array(values, dtype=object)


def columns(**changes: object) -> dict[str, np.ndarray]:
    """Three traces of two questions: 4 claims (1 not supported), 2 claims (both contradicted), one refusal."""
    base: dict[str, np.ndarray] = {
        "id": words("a", "b", "c"), "group": words("q1", "q1", "q2"), "quadrant": words("extra_claim", "fabrication", "abstained"),
        "faithfulness": np.array([0.75, 0.0, NAN]), "correctness": np.array([1.0, 0.25, NAN]), "relevance": np.array([1.0, 0.6, NAN]),
        "recall_at_5": np.array([1.0, NAN, NAN]), "abstention_precision": np.array([NAN, NAN, 0.0]), "n_claims": np.array([4.0, 2.0, 0.0]),
        "n_supported": np.array([3.0, 0.0, 0.0]), "n_not_supported": np.array([1.0, 0.0, 0.0]), "n_contradicted": np.array([0.0, 2.0, 0.0]),
        "n_conflicted": np.zeros(3), "n_unjudged": np.zeros(3),
    }
    return base | changes  # type: ignore[operator]


class TestOverview:
    def test_means_name_their_denominators(self) -> None:
        """Faithfulness over two traces, hallucination over six claims, recall over one question."""
        cards = {h.metric: h for h in overview_numbers.headlines(columns(), retrieval_k=5)}

        assert (cards["faithfulness"].value, cards["faithfulness"].n) == (0.375, 2)
        assert (cards["hallucination"].value, cards["hallucination"].n) == (0.5, 6)
        assert (cards["recall_at_5"].value, cards["recall_at_5"].n, cards["recall_at_5"].interval) == (1.0, 1, None)

    def test_strict_counts_unjudged_and_conflicted_against(self) -> None:
        """Of four claims one is conflicted and one unjudged: default 1 of 3, strict 3 of 4."""
        claims = columns(
            n_claims=np.array([4.0, 0, 0]), n_supported=np.array([1.0, 0, 0]), n_not_supported=np.array([1.0, 0, 0]), n_contradicted=np.zeros(3),
            n_conflicted=np.array([1.0, 0, 0]), n_unjudged=np.array([1.0, 0, 0]),
        )

        assert overview_numbers.headlines(claims, retrieval_k=5)[1].value == pytest.approx(1 / 3)
        assert overview_numbers.headlines(claims, retrieval_k=5, policy=Policy.STRICT)[1].value == pytest.approx(3 / 4)

    def test_no_value_at_all(self) -> None:
        """Nothing is judged: no mean, no interval, n 0; never 0."""
        card = overview_numbers.headlines(columns(relevance=np.full(3, NAN)), retrieval_k=5)[3]

        assert (card.value, card.interval, card.n) == (None, None, 0)

    def test_change_is_over_shared_questions(self) -> None:
        """Only q1 is in both: its traces average to 0.375, against 0.875 before; one question says nothing about noise."""
        before = columns(group=words("q1", "q9", "q9"), faithfulness=np.array([0.875, 0.0, 0.0]))
        card = overview_numbers.headlines(columns(), retrieval_k=5)[0]

        change = overview_numbers.change(card, columns(), before)

        assert change is not None
        assert (change.other, change.difference, change.words) == (0.875, -0.5, "within noise")

    def test_change_of_a_ratio_pools_claims(self) -> None:
        """Micro hallucination: 3 of 6 claims now, 1 of 4 before, on the same question."""
        before = columns(n_not_supported=np.array([1.0, 0, 0]), n_contradicted=np.zeros(3), n_supported=np.array([3.0, 0, 0]), n_claims=np.array([4.0, 0, 0]))
        card = overview_numbers.headlines(columns(), retrieval_k=5)[1]

        change = overview_numbers.change(card, columns(), before)

        assert change is not None
        assert change.difference == pytest.approx(0.25)

    def test_a_clear_change_is_called_so(self) -> None:
        """Forty questions that all fell by 0.5: worse; the other way round: better."""
        many = {name: np.resize(column, 40) for name, column in columns().items()} | {"group": words(*map(str, range(40)))}
        low, high = many | {"faithfulness": np.tile([0.4, 0.5], 20)}, many | {"faithfulness": np.tile([0.9, 1.0], 20)}
        card = overview_numbers.headlines(low, retrieval_k=5)[0]

        assert overview_numbers.change(card, low, high).words == "worse"  # type: ignore[union-attr]
        assert overview_numbers.change(card, high, low).words == "better"  # type: ignore[union-attr]

    def test_runs_of_one_file_are_compared_row_by_row(self) -> None:
        """
        Same questions in the same order, each once: what looking for each question finds, to the last digit, also where values are missing on
        either side.
        """
        rng = np.random.default_rng(4)

        def some() -> dict[str, np.ndarray]:
            score = {name: np.where(rng.random(200) < 0.2, NAN, rng.random(200)) for name in ("faithfulness", "correctness", "relevance", "recall_at_5")}
            supported, wrong = rng.integers(0, 3, (2, 200)).astype(float)
            return (
                {name: np.resize(column, 200) for name, column in columns().items()}
                | score
                | {
                    "group": words(*map(str, range(200))),
                    "n_supported": supported,
                    "n_contradicted": wrong,
                    "n_not_supported": np.zeros(200),
                    "n_conflicted": np.zeros(200),
                    "n_unjudged": np.zeros(200),
                    "n_claims": supported + wrong,
                }
            )

        here, there = some(), some()
        for card in overview_numbers.headlines(here, retrieval_k=5):
            assert overview_numbers.change(card, here, there, aligned=True) == overview_numbers.change(card, here, there)
        nothing = here | {"faithfulness": np.full(200, NAN)}
        card = overview_numbers.headlines(here, retrieval_k=5)[0]
        assert overview_numbers.change(card, nothing, there, aligned=True) is None

    def test_refusals(self) -> None:
        """One refusal, of a question that has an answer."""
        found = overview_numbers.refusals(columns())

        assert (found.total, found.right, found.wrong, found.unknown) == (1, 0, 1, 0)


class TestQuadrants:
    def test_arrays_agree_with_the_rule_for_one_trace(self) -> None:
        """On a grid of values and thresholds, each trace gets the quadrant the diagnosis gives it."""
        grid = np.array([(f, c, r) for f in (0, 0.5, 0.7, 1, NAN) for c in (0, 0.5, 1, NAN) for r in (0.2, 0.5, 1, NAN)])
        every = {"faithfulness": grid[:, 0], "correctness": grid[:, 1], "relevance": grid[:, 2], "quadrant": words(*["good"] * len(grid))}
        limits = Thresholds(faithfulness=0.6, correctness=0.5, relevance=0.4)

        kinds = quadrants_numbers.plane(every, limits).kind
        expected = [quadrant_of(*(None if np.isnan(v) else float(v) for v in (r, f, c)), limits).value for f, c, r in grid]

        assert kinds.tolist() == expected

    def test_declined_stays_declined(self) -> None:
        """Some policies give a refusal scores; it is an abstention all the same."""
        every = {
            "faithfulness": np.array([1.0, 1.0]),
            "correctness": np.array([1.0, 1.0]),
            "relevance": np.array([1.0, 1.0]),
            "quadrant": words("abstained", "good"),
        }

        assert quadrants_numbers.plane(every, Thresholds()).kind.tolist() == ["abstained", "good"]

    def test_without_references_there_is_no_right_or_wrong(self) -> None:
        """Only grounded or not."""
        every = {
            "faithfulness": np.array([1.0, 0.6, 0.2]),
            "correctness": np.full(3, NAN),
            "relevance": np.array([0.9, 0.9, 0.9]),
            "quadrant": words(*["unknown"] * 3),
        }
        placed = quadrants_numbers.plane(every, Thresholds())

        assert (placed.mode, placed.kind.tolist()) == (Mode.NO_REFERENCE, ["grounded", "partly_grounded", "not_grounded"])

    def test_default_thresholds_use_the_stored_quadrant(self) -> None:
        """Moved ones are three ranges."""
        assert quadrants_numbers.cell_filter("good", Thresholds(), Mode.FULL) == TraceFilter(quadrants=("good",))
        moved = quadrants_numbers.cell_filter("wrong_mirror", Thresholds(faithfulness=0.6), Mode.FULL)
        assert moved.ranges[0] == ("faithfulness", 0.6, None)
        assert moved.ranges[1][2] == pytest.approx(0.5, abs=1e-8)

    def test_what_hangs_by_one_claim(self) -> None:
        """Faithfulness 1/2 of two claims: one verdict carries it over the line. 10 of 10: it does not."""
        every = {
            "faithfulness": np.array([0.5, 1.0]),
            "correctness": np.array([1.0, 1.0]),
            "relevance": np.array([1.0, 1.0]),
            "quadrant": words("extra_claim", "good"),
        }
        placed = quadrants_numbers.plane(every, Thresholds())

        assert quadrants_numbers.stability(placed, Thresholds(), np.array([2.0, 10.0])) == quadrants_numbers.Stability(1, 1)


class TestRetrieval:
    TRACE = Trace(
        id="t", question="q", response="r", relevant_ids=frozenset({"b", "d"}),
        passages=tuple(Passage(id=i, doc_id=doc, text=i, rank=n, relevance=label)
                       for n, (i, doc, label) in enumerate([("a", "a", 0), ("b", "b", None), ("b#2", "b", None), ("c", "c", None)], start=1)),
    )

    def test_a_strip_shows_what_stands_at_each_rank(self) -> None:
        """Labelled not relevant, relevant, the same again, no label, then nothing; d is nowhere."""
        ranking = ranking_of(self.TRACE)
        assert ranking is not None
        row = retrieval_numbers.rank_row(self.TRACE, ranking, 3)

        assert row.marks[:5] == (RankMark.NOT_RELEVANT, RankMark.RELEVANT, RankMark.DUPLICATE, RankMark.UNLABELLED, RankMark.PADDED)
        assert (row.found, row.relevant, row.missing) == (1, 2, ("d",))

    @pytest.mark.parametrize(("metric", "last"), [
        ("recall", "R@3 = 1 / 2 = 0.500"), ("precision", "P@3 = 1 / 3 = 0.333"), ("reciprocal_rank", "RR@3 = 1 / 2 = 0.500"), ("hit", "hit@3 = 1"),
        ("average_precision", "AP@3 = (1/2) / 2 = 0.250"), ("ndcg", "nDCG@3 = 0.631 / 1.631 = 0.387"),
    ])
    def test_worked_examples_end_in_the_number(self, metric: str, last: str) -> None:
        """Relevant at rank 2, two relevant in all."""
        ranking = ranking_of(self.TRACE)
        assert ranking is not None

        assert retrieval_numbers.worked_example(ranking, metric, 3)[-1] == last

    def test_band_of_one_question_has_no_width(self) -> None:
        """Nothing can be said about spread; NaN rows are left out."""
        found = retrieval_numbers.bands({"recall": np.array([[0.5, 1.0], [NAN, NAN]])}, np.array([0, 1]))["recall"]

        assert (found.n, found.mean.tolist()) == (1, [0.5, 1.0])

    def test_band_holds_the_mean(self) -> None:
        """Of fifty questions with 0 or 1: the band lies around one half, and narrows with nothing else."""
        found = retrieval_numbers.bands({"hit": np.tile([[0.0], [1.0]], (25, 1))}, np.arange(50))["hit"]

        assert found.lo[0] < 0.5 < found.hi[0]
        assert found.hi[0] - found.lo[0] == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(50), abs=0.03)


class TestSafety:
    def test_markdown_is_taken_literally(self) -> None:
        """Links, images, directives and HTML stay signs; what Streamlit finds in text that has no escapes any more is parted by a joiner that nobody sees."""
        assert md("[a](/x) :red[b] <b>**c**</b>") == r"\[a\]\(/x\) \:red\[b\] \<b\>\*\*c\*\*\</b\>"
        assert md("http://x WWW.x a@x.y a@5 :material/x:").replace("\u2060", "⁞") == r"http\:⁞//x WWW⁞\.x a@⁞x\.y a@5 \:⁞material/x\:"

    def test_export_round_trip(self, tmp_path: Path) -> None:
        """CSV with a mark for spreadsheets; a hostile question is text there."""
        store = open_store(str(tmp_path / "store.sqlite"))
        store.create_run(RunManifest(run_id="r", name="r", created_at=datetime(2026, 1, 1, tzinfo=UTC), ragviz_version="0", format="native"))
        store.add_traces("r", [Trace(id="=cmd", question="=HYPERLINK(1)", response="x", passages=())])
        view = View(run_id="r", judge="j", claim_set="rules")
        store.put_results(view, [TraceResult(trace_id="=cmd", scores={}, quadrant="unknown", cause="unknown")])

        table = pd.read_csv(io.BytesIO(data_export.write(store, view, TraceFilter(), "csv")))
        lines = data_export.write(store, view, TraceFilter(quadrants=("unknown",)), "jsonl").splitlines()
        parquet = pd.read_parquet(io.BytesIO(data_export.write(store, view, TraceFilter(), "parquet")))

        assert (table["id"][0], table["question"][0]) == ("'=cmd", "'=HYPERLINK(1)")
        assert json.loads(lines[0])["question"] == "=HYPERLINK(1)"
        assert parquet["question"].tolist() == ["=HYPERLINK(1)"]
