"""Rows whose ids are none of the cases' are paired by question, as Compare pairs them; ids that partly fit decide alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragviz.compare.pairing import pair_traces
from ragviz.errors import InputError
from ragviz.gate.candidate import join_baseline, join_candidate, named_as_cases
from tests.build import a_trace

CASES = [a_trace(id=f"case-{n}", question=f"What is {n}?", response=f"It is {n}.", reference=f"{n}") for n in range(4)]


@given(order=st.permutations(range(4)), shout=st.booleans())
def test_other_ids_change_nothing(order: list[int], shout: bool) -> None:
    """However the rows are called and ordered, and however their questions are spaced and cased: the same join as with the cases' ids, and Compare's pairs."""
    rows = [a_trace(id=f"span-{n}", question=f"  WHAT is  {n}?" if shout else CASES[n].question, response=f"Said {n}.") for n in order]

    named = named_as_cases(CASES, rows, what="candidate")

    assert named.by_question
    joined = join_candidate(CASES, named.rows)
    assert [(t.id, t.response, t.reference) for t in joined] == [(f"case-{n}", f"Said {n}.", f"{n}") for n in range(4)]
    renamed = {f"case-{n}": f"span-{n}" for n in range(4)}
    assert pair_traces(CASES, rows).pairs == tuple(renamed.items())


@given(fitting=st.sets(st.integers(0, 3), min_size=1), stranger=st.booleans())
def test_one_id_that_fits_makes_ids_decide(fitting: set[int], stranger: bool) -> None:
    """A case that is missing is missing, though its question is answered under another name."""
    rows = [a_trace(id=f"case-{n}" if n in fitting else f"span-{n}", question=CASES[n].question) for n in range(4)]
    rows += [a_trace(id="stranger", question="What else?")] if stranger else []

    named = named_as_cases(CASES, rows, what="candidate")

    assert (named.rows, named.by_question) == (rows, False)
    if len(fitting) == 4 and not stranger:
        assert len(join_candidate(CASES, named.rows)) == 4
    else:
        with pytest.raises(InputError, match="stranger" if stranger else "span-"):
            join_candidate(CASES, named.rows)


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (["What is 0?", "What is 1?", "What is 2?", "What is 3?", "What is 0?"], '"What is 0?" occurs 1 times in one run and 2 times in the other'),
        (["What is 0?", "What is 1?", "What is 2?"], '1 only among the known cases ("What is 3?")'),
        (["What is 0?", "What is 1?", "What is 2?", "What is 3?", "And 4?"], '1 only in the candidate ("And 4?")'),
    ],
    ids=["asked twice", "missing", "unknown"],
)
def test_questions_that_do_not_fit_are_named_with_both_ways_out(questions: list[str], told: str) -> None:
    """Neither ids nor questions say which row answers which case."""
    with pytest.raises(InputError) as raised:
        named_as_cases(CASES, [a_trace(id=f"span-{n}", question=q) for n, q in enumerate(questions)], what="candidate")

    assert told in str(raised.value)
    assert "the case's name as its id" in raised.value.fix
    assert "ask every question once in each file" in raised.value.fix


def test_a_question_asked_twice_among_the_cases_is_no_guess() -> None:
    """Compare may go by file order; a gate does not."""
    twice = [a_trace(id="a", question="What?"), a_trace(id="b", question="what?")]

    with pytest.raises(InputError, match="2 times in each run"):
        named_as_cases(twice, [a_trace(id="c", question="What?"), a_trace(id="d", question="What?")], what="candidate")


def test_a_baseline_may_answer_a_part() -> None:
    """What it does not answer, and what answers no case, is named as with ids."""
    rows = [a_trace(id="x", question="What is 1?"), a_trace(id="y", question="Other?")]

    named = named_as_cases(CASES, rows, what="baseline", every=False)
    joined, (unfair,) = join_baseline(CASES, named.rows)

    assert ([t.id for t in joined], named.by_question) == (["case-1"], True)
    assert "case-0, case-2, case-3" in unfair.message
    assert "y" in unfair.message


def test_strangers_in_both_are_told_by_id() -> None:
    """Where no question fits either, ids are what is wrong."""
    rows = [a_trace(id="x", question="Other?")]

    assert named_as_cases(CASES, rows, what="candidate").rows == rows


@given(order=st.permutations(range(4)))
def test_lines_are_no_names(order: list[int]) -> None:
    """Files without ids: in whatever order their lines come, each answer meets its own question's expected answer."""
    cases = [a_trace(id=f"row-{n + 1}", question=f"What is {n}?", response=f"It is {n}.", reference=f"{n}") for n in range(4)]
    rows = [a_trace(id=f"row-{at + 1}", question=f"what is  {n}?", response=f"Said {n}.") for at, n in enumerate(order)]

    named = named_as_cases(cases, rows, what="candidate")

    assert named.by_question == (order != [0, 1, 2, 3])
    assert [(t.id, t.response, t.reference) for t in join_candidate(cases, named.rows)] == [(f"row-{n + 1}", f"Said {n}.", f"{n}") for n in range(4)]


def test_lines_with_other_questions_are_no_cases() -> None:
    """A line of another file is not the case of the same number: with every row an answer it is refused, else it gets a name of its own."""
    cases = [a_trace(id=f"row-{n + 1}", question=f"What is {n}?", reference=f"{n}") for n in range(2)]
    rows = [a_trace(id="row-1", question="What is 1?"), a_trace(id="row-2", question="Who is it?")]

    with pytest.raises(InputError, match="no ids of their own"):
        named_as_cases(cases, rows, what="candidate")
    assert [t.id for t in named_as_cases(cases, rows, what="baseline", every=False).rows] == ["row-2", "other row-2"]
    strangers = [a_trace(id="row-1", question="Who?"), a_trace(id="row-2", question="Where?")]
    with pytest.raises(InputError, match="no ids of their own"):
        named_as_cases(cases, strangers, what="candidate")


def test_lines_without_questions_stand_for_themselves() -> None:
    """Where a file has no questions its lines are all there is."""
    cases = [a_trace(id=f"row-{n + 1}", question=f"What is {n}?") for n in range(2)]

    assert not named_as_cases(cases, [a_trace(id="row-1", question=""), a_trace(id="row-2", question="")], what="candidate").by_question
