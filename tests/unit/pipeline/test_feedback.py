"""Reported errors find their traces and claims; what fits nothing is said with its place."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragviz.contracts import View
from ragviz.pipeline.feedback import Feedback, import_feedback
from ragviz.pipeline.trend_facts import By, run_facts
from ragviz.pipeline.trends import parts_within
from ragviz.records import Grounding
from ragviz.store import Store, open_store
from ragviz.store.facts import reports_by_run
from ragviz.store.labels import REPORTS, people_said, said_of_trace
from tests.build import a_case, a_claim
from tests.stored import fill, renamed

NOW = datetime(2026, 3, 12, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three traces; two of them ask the same."""
    made = open_store(tmp_path / "store.sqlite")
    one = a_case("ab", response_x_passages={"a": "E", "b": "E"}, question="How long?", response="Thirty days.", tags={"version": "1"})
    two = renamed(a_case("ab", response_x_passages={"a": "E", "b": "E"}, question="How much?", response="Four euros.", tags={"version": "2"}), "t2")
    three = renamed(a_case("ab", response_x_passages={"a": "E", "b": "E"}, question="How much?", response="Five euros.", tags={"version": "2"}), "t3")
    fill(made, one, two, three)
    return made


def view_of(store: Store) -> View:
    """The one view."""
    return store.views("made-up")[0][0]


def read(store: Store, text: str, filename: str = "reports.csv") -> Feedback:
    """Import these rows."""
    return import_feedback(store, view_of(store), io.BytesIO(text.encode()), filename=filename, reporter="user", now=NOW)


def test_a_row_with_claim_and_verdict_is_a_label(store: Store) -> None:
    """Found by its words; a person's word is in force at once."""
    found = read(store, "trace_id,claim,verdict,reporter,reason,time\nt1,Claim b.,contradicted,Ada,It says 14 days,2026-03-01T08:00:00Z\n")

    assert (found.n_reports, found.n_labels, found.issues) == (1, 1, ())
    (label,) = people_said(store, "made-up", "rules")
    assert (label.claim_id, label.grounding, label.author, label.reason) == ("b", Grounding.CONTRADICTED, "Ada", "It says 14 days")
    assert label.at == datetime(2026, 3, 1, 8, tzinfo=UTC)
    assert store.claim_counts(view_of(store))[Grounding.CONTRADICTED] == 1


def test_a_row_without_a_verdict_changes_no_verdict(store: Store) -> None:
    """By question, any case; a report on the whole answer."""
    found = read(store, '{"query": "HOW  long?", "comment": "<script>no</script>"}\n', "reports.jsonl")

    assert (found.n_reports, found.n_labels) == (1, 0)
    (note,) = said_of_trace(store, "made-up", "t1", REPORTS)
    assert (note.claim_id, note.grounding, note.author, note.at) == ("", None, "user", NOW)
    assert store.claim_counts(view_of(store))[Grounding.SUPPORTED] == 6


def test_twice_is_once(store: Store) -> None:
    """The same file again adds nothing, though rows without a time get a new one."""
    text = "trace_id,claim,verdict\nt1,Claim a.,Not supported\nt2,,\n"
    assert read(store, text).n_reports == 2

    again = read(store, text)

    assert (again.n_reports, again.n_labels, again.n_known) == (0, 0, 2)


@pytest.mark.parametrize(("row", "message", "rejected"), [
    ("nobody,,,,", "no trace 'nobody' in this run", True),
    (",,,,wrong", "the row names neither a trace nor a question", True),
    (",How much?,,,", "2 traces of this run ask that question", True),
    (",Why?,,,", "no trace of this run asks that question", True),
    ("t1,,,Something else entirely.,contradicted", "no single claim of that answer reads like it; kept as a report on the whole answer", False),
    ("t1,,,Claim a.,wrong", "'wrong' is no verdict; kept as a report", False),
    ("t1,,,Claim a.,dreadful", "'dreadful' is no verdict; kept as a report", False),
])
def test_what_does_not_fit_is_said(store: Store, row: str, message: str, rejected: bool) -> None:
    """With file, line and a fix; a doubt keeps the report."""
    found = read(store, f"trace_id,question,answer,claim,verdict\nt3,,,,\n{row}\n")

    (issue,) = found.issues
    assert (issue.where, issue.message, issue.rejected) == ("reports.csv:3", message, rejected)
    assert issue.fix
    assert found.n_reports == (1 if rejected else 2)
    assert found.n_labels == 0


def test_the_answer_tells_questions_apart(store: Store) -> None:
    """Two traces ask the same; the row has the answer, too."""
    found = read(store, "question,answer\nHow much?,five EUROS.\n")

    assert found.issues == ()
    assert reports_by_run(store, REPORTS) == {"made-up": ["t3"]}


def test_reports_are_counted_over_versions(store: Store) -> None:
    """One of two traces of version 2 was reported, none of version 1."""
    read(store, "trace_id\nt2\n")

    parts = parts_within(store, view_of(store), run_facts(store, "made-up"), By.VERSION)

    assert [list(p.values["reported"]) for p in parts] == [[0.0], [1.0, 0.0]]


def test_part_of_a_sentence_is_enough(store: Store) -> None:
    """People copy what they see: a part that fits one claim only."""
    store.add_claims("made-up", [a_claim("z", trace_id="t1", text="It takes thirty days from delivery.")])

    found = read(store, "trace_id,claim,verdict\nt1,thirty days from,contradicted\n")

    assert found.n_labels == 1
