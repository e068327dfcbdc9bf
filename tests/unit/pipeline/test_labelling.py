"""Which claim to label next, what people said, and labels as rows of a file."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from ragviz.contracts import View
from ragviz.errors import InputError
from ragviz.pipeline.label_files import read_labels
from ragviz.pipeline.label_rows import answers, export_labels, import_labels
from ragviz.pipeline.labelling import (
    CANNOT_SAY,
    ClaimRef,
    Doubt,
    Kind,
    Labels,
    Looked,
    cells,
    labels_of,
    queue,
    still_needed,
    survey,
)
from ragviz.records import Grounding, JudgedTrace
from ragviz.stats.prevalence import Cell
from ragviz.store import Store, open_store
from ragviz.store.labels import judged_mark, people_said
from tests.build import a_case, a_claim, a_note
from tests.stored import fill, renamed

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def looked(
    n: int, grounding: Grounding = Grounding.SUPPORTED, *, confidence: float | None = 0.9, other: Grounding | None = None, start: int = 0
) -> list[Looked]:
    return [Looked(ref=ClaimRef("t", f"c{start + i}"), grounding=grounding, confidence=confidence, other=other) for i in range(n)]


def two_traces() -> tuple[Store, View]:
    """Trace t1 with claims a (entailed) and b (neutral), trace t2 with the same."""
    store = open_store(":memory:")
    case = a_case("ab", response_x_passages={"a": "EN", "b": "NN"})
    fill(store, case, renamed(case, "t2"), name="run")
    return store, store.views("run")[0][0]


class TestKinds:
    def test_what_speaks_against_a_verdict(self) -> None:
        """A second judge of the other class disputes it, low confidence makes it unsure; conflicted is of the supported class."""
        kinds = [
            looked(1, Grounding.CONFLICTED)[0].kind, looked(1, Grounding.NOT_SUPPORTED, confidence=0.6)[0].kind,
            looked(1, Grounding.CONTRADICTED, confidence=0.6, other=Grounding.SUPPORTED)[0].kind,
            looked(1, Grounding.CONTRADICTED, other=Grounding.NOT_SUPPORTED)[0].kind, looked(1, other=Grounding.UNJUDGED)[0].kind,
            looked(1, Grounding.UNJUDGED)[0].kind,
        ]

        assert kinds == [
            Kind("supported", Doubt.NONE), Kind("unsupported", Doubt.UNSURE), Kind("unsupported", Doubt.DISPUTED), Kind("unsupported", Doubt.NONE),
            Kind("supported", Doubt.NONE), Kind("unjudged", Doubt.NONE),
        ]

    def test_cells_count_labels_of_their_kind(self) -> None:
        """Four supported, two not; one of each is labelled, both as not supported."""
        claims = looked(4) + looked(2, Grounding.NOT_SUPPORTED, start=4)
        labelled = {ClaimRef("t", "c0"): Grounding.CONTRADICTED, ClaimRef("t", "c5"): Grounding.NOT_SUPPORTED}

        assert cells(claims, labelled) == {
            Kind("supported", Doubt.NONE): Cell(n=4, labelled=1, yes=1), Kind("unsupported", Doubt.NONE): Cell(n=2, labelled=1, yes=1),
        }

    def test_how_many_more_it_takes(self) -> None:
        """Thirty in all, five of each common kind, never more than there are."""
        kind, rare = Kind("supported", Doubt.NONE), Kind("unjudged", Doubt.NONE)

        assert 30 == still_needed({kind: Cell(n=100, labelled=0, yes=0)})
        assert 8 == still_needed({kind: Cell(n=8, labelled=0, yes=0)})
        assert 0 == still_needed({kind: Cell(n=990, labelled=30, yes=3), rare: Cell(n=10, labelled=0, yes=0)})
        assert 5 == still_needed({kind: Cell(n=900, labelled=40, yes=3), rare: Cell(n=100, labelled=0, yes=0)})


class TestQueue:
    def test_the_kind_that_narrows_the_interval_comes_first(self) -> None:
        """90 of one kind, 10 of the other: the large one first, until it is known well enough."""
        claims = looked(90) + looked(10, Grounding.NOT_SUPPORTED, start=90)
        first = queue(claims, Labels(), author="Ada")[0]
        notes = [a_note(f"c{i}", Grounding.SUPPORTED, trace_id="t") for i in range(60)]
        later = queue(claims, labels_of(notes), author="Ada")[0]

        assert int(first.claim_id[1:]) < 90 <= int(later.claim_id[1:])

    def test_a_common_kind_gets_its_few_labels(self) -> None:
        """6 of 100 claims are of a kind of which only 3 are labelled: those come before all, since the rate waits for them."""
        claims = looked(94) + looked(6, Grounding.NOT_SUPPORTED, start=94)
        labels = labels_of(
            [a_note(f"c{i}", Grounding.NOT_SUPPORTED, trace_id="t") for i in (94, 95, 96)]
            + [a_note(f"c{i}", Grounding.SUPPORTED, trace_id="t") for i in range(30)]
        )
        first, second, third = queue(claims, labels, author="Ada")[:3]

        assert 2 == still_needed(cells(claims, labels.labelled()))
        assert {first.claim_id, second.claim_id, third.claim_id} == {"c97", "c98", "c99"}

    def test_between_equals_disagreement_then_doubt(self) -> None:
        """Three kinds of one size and no label yet."""
        claims = looked(5) + looked(5, confidence=0.6, start=5) + looked(5, other=Grounding.NOT_SUPPORTED, start=10)
        order = [int(ref.claim_id[1:]) // 5 for ref in queue(claims, Labels(), author="Ada")]

        assert order == [2] * 5 + [1] * 5 + [0] * 5

    def test_nobody_is_asked_twice(self) -> None:
        """What was labelled or skipped is out; what was taken back comes again; a second person gets a second opinion."""
        claims = looked(4)
        labels = labels_of(
            [
                a_note("c0", Grounding.SUPPORTED, trace_id="t"),
                a_note("c1", None, trace_id="t", reason=CANNOT_SAY),
                a_note("c2", Grounding.SUPPORTED, trace_id="t"),
                a_note("c2", None, trace_id="t", minute=1),
            ]
        )

        assert {ref.claim_id for ref in queue(claims, labels, author="Ada")} == {"c2", "c3"}
        assert {ref.claim_id for ref in queue(claims, labels, author="Bo")} == {"c1", "c2", "c3"}
        assert [ref.claim_id for ref in queue(claims, labels, author="Bo", second_opinion=True)] == ["c0"]
        assert queue(claims, labels, author="Ada", second_opinion=True) == []


class TestLabels:
    def test_people_who_differ(self) -> None:
        """The later word counts; both stand in the list of conflicts; agreement is none."""
        ref, same = ClaimRef("t", "c0"), ClaimRef("t", "c1")
        labels = labels_of([
            a_note("c0", Grounding.SUPPORTED, trace_id="t"), a_note("c0", Grounding.CONTRADICTED, author="Bo", trace_id="t", minute=1),
            a_note("c1", Grounding.SUPPORTED, trace_id="t"), a_note("c1", Grounding.SUPPORTED, author="Bo", trace_id="t", minute=1),
        ])

        assert labels.in_force(ref) is Grounding.CONTRADICTED
        assert set(labels.conflicts()) == {ref}
        assert {who: note.grounding for who, note in labels.conflicts()[ref].items()} == {"Ada": Grounding.SUPPORTED, "Bo": Grounding.CONTRADICTED}
        assert labels.by_author(same).keys() == {"Ada", "Bo"}

    def test_the_last_word_can_be_taken_back(self) -> None:
        """The latest that still stands, a skip among them."""
        labels = labels_of(
            [
                a_note("c0", Grounding.SUPPORTED),
                a_note("c1", None, minute=1, reason=CANNOT_SAY),
                a_note("c2", Grounding.SUPPORTED, minute=2),
                a_note("c2", None, minute=3),
            ]
        )
        last = labels.last_of("Ada")

        assert last is not None
        assert "c1" == last.claim_id
        assert labels.last_of("Bo") is None


class TestSurvey:
    def test_the_judge_alone_is_asked(self) -> None:
        """A person's word changes nothing in it, and moves no mark; the second judge here is the same one."""
        store, view = two_traces()
        before, mark = survey(store, view, other=view), judged_mark(store)
        store.annotate("run", a_note("a", Grounding.CONTRADICTED))
        after = survey(store, view, other=view)

        assert [(c.ref, c.grounding, c.other) for c in after.claims] == [
            (ClaimRef(t, c), g, g) for t in ("t1", "t2") for c, g in (("a", Grounding.SUPPORTED), ("b", Grounding.NOT_SUPPORTED))
        ]
        assert before == after
        assert judged_mark(store) == mark > 0
        assert before.calibrated_share is None

    def test_answers_pair_label_and_judge(self) -> None:
        """One labelled claim: the person says contradicted, the judge supported."""
        store, view = two_traces()
        store.annotate("run", a_note("a", Grounding.CONTRADICTED))
        labelled = labels_of(people_said(store, "run", "rules")).labelled()
        found = answers(store.judged(view), labelled, dataset="run")

        assert [(a.row.id, a.row.group, a.row.label, a.grounding) for a in found] == [("a", "t1", Grounding.CONTRADICTED, Grounding.SUPPORTED)]


class TestRows:
    def test_round_trip(self) -> None:
        """Two people's labels out and into a copy of the run: the same words, once; reading again adds nothing."""
        store, view = two_traces()
        for note in (
            a_note("a", Grounding.CONFLICTED, reason="both"),
            a_note("b", Grounding.CONTRADICTED, author="Bo", minute=1),
            a_note("b", None, minute=2, reason=CANNOT_SAY),
        ):
            store.annotate("run", note)
        lines = list(export_labels(store, view, name="run"))
        other, seen = two_traces()
        first = import_labels(other, seen, lines, filename="l.jsonl", author="me", now=NOW)
        again = import_labels(other, seen, lines, filename="l.jsonl", author="me", now=NOW)

        assert [(row.label, row.question) for row in read_labels(lines)] == [(Grounding.SUPPORTED, "What is it?"), (Grounding.CONTRADICTED, "What is it?")]
        assert (2, 0, ()) == (first.n_added, first.n_known, first.issues)
        assert (0, 2) == (again.n_added, again.n_known)
        assert {(n.claim_id, n.author, n.grounding, n.reason) for n in people_said(other, "run", "rules")} == {
            ("a", "Ada", Grounding.CONFLICTED, "both"), ("b", "Bo", Grounding.CONTRADICTED, ""),
        }
        assert not other.missing_results(seen)

    def test_rows_of_others_are_placed_by_their_words(self) -> None:
        """Unique words fit; the same words in two traces do not; a claim that is not there does not."""
        store = open_store(":memory:")
        case = a_case("ab", response_x_passages={"a": "E", "b": "N"})
        only = JudgedTrace(trace=renamed(case, "t2").trace, claims=(a_claim("c", trace_id="t2", text="Only  here."),))
        fill(store, case, renamed(case, "t3"), only, name="run")
        view = store.views("run")[0][0]
        lines = [
            json.dumps({"claim": text, "passages": [], "label": "not_supported", "label_raw": "irrelevant"}) for text in ("only here.", "Claim a.", "Nowhere.")
        ]
        found = import_labels(store, view, [lines[0], "", *lines[1:]], filename="theirs.jsonl", author="me", now=NOW)

        assert 1 == found.n_added
        assert [issue.split(":")[1] for issue in found.issues] == ["3", "4"]
        assert [(n.trace_id, n.author, n.grounding, n.at) for n in people_said(store, "run", "rules")] == [("t2", "me", Grounding.NOT_SUPPORTED, NOW)]

    def test_no_label_row(self) -> None:
        """The line is named; nothing is stored."""
        store, view = two_traces()
        good = json.dumps({"claim": "x", "passages": [], "label": "supported"})

        with pytest.raises(InputError, match=r"bad\.jsonl:2"):
            import_labels(store, view, [good, '{"claim": 1}'], filename="bad.jsonl", author="me", now=NOW)
        assert people_said(store, "run", "rules") == []
