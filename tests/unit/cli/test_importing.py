"""What an import says in the terminal."""

from __future__ import annotations

from ragviz.cli.importing import ISSUES_SHOWN, words
from ragviz.pipeline import ImportReport
from ragviz.records import LoadIssue


def report(*issues: LoadIssue) -> ImportReport:
    return ImportReport(
        run_id="r",
        run="r",
        format="native",
        files=(),
        n_traces=1,
        n_new=1,
        n_issues=len(issues),
        issues=issues,
        seconds=0.0,
        first_question="Who?",
        first_passages=1,
    )


def issue(n: int, message: str, *, rejected: bool = False) -> LoadIssue:
    return LoadIssue(where=f"f.csv:{n}", message=message, fix="look at it", rejected=rejected)


def test_issues_of_one_kind_are_one_line_with_a_count() -> None:
    """Numbers and quoted words do not make another kind; the first is told in full, and what is another fault has its line."""
    told = words(report(*[issue(n, f"passage {n} has no text (column 'c{n}')") for n in range(1, 24)], issue(30, "not JSON", rejected=True)))

    assert "f.csv:1: passage 1 has no text (column 'c1') → look at it (22 more of this kind)" in told
    assert "f.csv:30: not JSON → look at it\n" in told
    assert (1, True, False) == (told.count("has no text"), "--rejects FILE saves the list" in told, "and " in told.split("saves")[0].splitlines()[-1])


def test_more_kinds_than_are_shown_are_counted() -> None:
    """Nothing is passed over in silence."""
    told = words(report(*[issue(n, f"fault {'x' * n}") for n in range(ISSUES_SHOWN + 3)]))

    assert "and 3 more; --rejects FILE saves the list" in told


def test_few_issues_are_told_as_they_are() -> None:
    """Without a count and without a hint."""
    told = words(report(issue(1, "a"), issue(2, "b")))

    assert ("this kind" in told, "--rejects" in told) == (False, False)
