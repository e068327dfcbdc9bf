"""A person says whether an answer answers or declines: what counts then, what stays, and what comes back."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from ragviz.contracts import View
from ragviz.grounding import ANSWERS, word_on_answer
from ragviz.pipeline import import_files, judge_run, rejudge_claims
from ragviz.pipeline.answering import say_of_answer
from ragviz.pipeline.exporting import export_run
from ragviz.records import Annotation, Side, TraceResult
from ragviz.store import Store, open_store
from ragviz.text.polarity import is_refusal
from tests.unit.pipeline.fakes import WordJudge

pytestmark = pytest.mark.usefixtures("no_raters")
DECLINES = "I could not find any information about a fee in the documents."
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def judged(store: Store, tmp_path: Path) -> View:
    """A refusal and an answer, both judged."""
    rows = [("no", DECLINES), ("yes", "The sky is blue. Grass is green.")]
    file = tmp_path / "two.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["id", "question", "response", "contexts"])
        writer.writerows(
            [trace_id, "Is there a fee?", answer, '["The sky is blue. Grass is green. There is no information about a fee."]'] for trace_id, answer in rows
        )
    assert is_refusal(DECLINES)
    return judge_run(store, import_files(store, [file]).run_id, WordJudge()).view


def say(store: Store, view: View, trace_id: str, declines: bool | None, *, author: str = "Ada", minute: int = 0) -> None:
    """One person's word."""
    note = Annotation(
        trace_id=trace_id,
        claim_id="",
        grounding=None,
        declines=declines,
        author=author,
        reason="I read it",
        at=NOON + timedelta(minutes=minute),
        claim_set=ANSWERS,
    )
    say_of_answer(store, view, note)


def found(store: Store, view: View, trace_id: str) -> TraceResult:
    """Its stored result."""
    return next(iter(store.results(view, [trace_id])))


def test_a_refusal_that_is_none_has_claims_and_they_are_unjudged(store: Store, judged: View) -> None:
    """Before: abstained, no claim. After Ada's word: one claim, unjudged, and the trace is not abstained; the count of refusals follows."""
    assert found(store, judged, "no").quadrant == "abstained"

    say(store, judged, "no", declines=False)

    after = found(store, judged, "no")
    assert (after.quadrant, after.verdicts) == ("unknown", {"unjudged": 1})
    assert after.scores["abstained"].value == 0
    assert after.scores["faithfulness"].unjudged == 1
    assert store.counts_by(judged, "quadrant").get("abstained", 0) == 0


def test_its_claims_are_judged_by_the_inspector_and_by_the_command(store: Store, judged: View) -> None:
    """Re-judging gives them verdicts; ``judge_run`` finds the trace open again, once, and asks about what nobody judged."""
    say(store, judged, "no", declines=False)
    assert store.not_judged(judged.run_id, judged.judge, judged.claim_set, 0) == ["no"]

    report = judge_run(store, judged.run_id, WordJudge())

    assert (report.n_traces, store.not_judged(judged.run_id, judged.judge, judged.claim_set, 0)) == (1, [])
    assert found(store, judged, "no").scores["faithfulness"].value is not None
    assert rejudge_claims(store, judged, "no", ["c1"], WordJudge())[0].said


def test_an_answer_called_a_refusal_leaves_every_figure(store: Store, judged: View) -> None:
    """Both claims are out of faithfulness and counts, the trace is abstained; nothing is deleted."""
    assert found(store, judged, "yes").verdicts == {"supported": 2}

    say(store, judged, "yes", declines=True)

    after = found(store, judged, "yes")
    assert (after.quadrant, after.verdicts, after.scores["faithfulness"].value, after.scores["abstained"].value) == ("abstained", {}, None, 1)
    assert len(store.claim_sets(judged.run_id, judged.claim_set, ["yes"])["yes"]) == 2


@pytest.mark.parametrize(("trace_id", "declines"), [("no", False), ("yes", True)])
def test_a_word_taken_back_leaves_all_as_it_was(store: Store, judged: View, trace_id: str, declines: bool) -> None:
    """Scores, counts and quadrant are those of before, though claims that were split meanwhile stay stored; judging again then changes nothing."""
    before = found(store, judged, trace_id)
    say(store, judged, trace_id, declines)

    say(store, judged, trace_id, None, minute=1)

    assert found(store, judged, trace_id) == before
    judge_run(store, judged.run_id, WordJudge())
    assert found(store, judged, trace_id) == before
    assert store.not_judged(judged.run_id, judged.judge, judged.claim_set, 0) == []


def test_the_last_standing_word_counts_and_all_words_stay(store: Store, judged: View) -> None:
    """Bob contradicts Ada and takes it back: hers counts again; three words are kept."""
    say(store, judged, "no", declines=False)
    say(store, judged, "no", declines=True, author="Bob", minute=1)
    assert found(store, judged, "no").quadrant == "abstained"

    say(store, judged, "no", None, author="Bob", minute=2)

    case = store.one(judged, "no")
    assert case is not None
    word = word_on_answer(case.annotations)
    assert word is not None
    assert (word.author, found(store, judged, "no").quadrant, len(case.annotations)) == ("Ada", "unknown", 3)


def test_the_word_holds_in_every_claim_set(store: Store, judged: View) -> None:
    """Results of another claim set are thrown away with it, and a set that was never split gets the claims of an answer."""
    say(store, judged, "no", declines=False)
    other = judge_run(store, judged.run_id, WordJudge(), claims=Elsewhere()).view

    assert other.claim_set == "elsewhere"
    assert found(store, other, "no").scores["abstained"].value == 0
    say(store, judged, "no", declines=True, minute=1)
    assert store.missing_results(other) == ["no"]


class Elsewhere:
    """An extractor that takes no text for an answer."""

    name, version = "elsewhere", "1"

    def extract(self, traces: list[object], *, side: Side) -> list[list[object]]:
        """Nothing."""
        return [[] for _ in traces]


def test_words_on_answers_travel(store: Store, judged: View, tmp_path: Path) -> None:
    """A bundle carries them into another store, where they count; the table names the word in force and its author."""
    say(store, judged, "no", declines=False)
    raw = io.BytesIO()
    store.export_bundle(judged.run_id, raw)
    raw.seek(0)
    other = open_store(":memory:")
    other.import_bundle(raw, name="two.ragviz")

    case, here = other.one(judged, "no"), store.one(judged, "no")
    assert case is not None
    assert here is not None
    assert (case.claims, case.annotations) == (here.claims, here.annotations)
    assert other.not_judged(judged.run_id, judged.judge, judged.claim_set, 0) == ["no"]
    other.close()
    export_run(store, judged, tmp_path / "out.csv")
    rows = {row["id"]: (row["answer_is"], row["answer_is_by"]) for row in csv.DictReader((tmp_path / "out.csv").read_text("utf-8-sig").splitlines())}
    assert rows == {"no": ("answer", "Ada"), "yes": ("", "")}


def test_a_rating_that_rests_on_a_refusal_does_not_count_then(store: Store, judged: View) -> None:
    """Relevance 0 "the answer declines" is no rating of what a person calls an answer: missing, until it is rated anew."""
    from ragviz.contracts import DECLINES as REASON
    from ragviz.metrics.relevance import Relevance
    from ragviz.pipeline.rating import _asks
    from ragviz.records import RatingKind
    from tests.build import a_rating

    say(store, judged, "no", declines=False)
    case = store.one(judged, "no")
    assert case is not None
    case = replace(case, ratings=(a_rating(0.0, trace_id="no", reason=REASON),))

    assert Relevance().score(case).value is None
    (ask,) = _asks(case, RatingKind.QUESTION_TO_RESPONSE_DIRECT)
    assert ask.is_answer
