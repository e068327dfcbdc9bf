"""TREC files as people write them."""

from __future__ import annotations

import io

import pytest

from ragviz.errors import InputError
from ragviz.metrics.trec import evaluate_run
from ragviz.records import LoadIssue
from ragviz.text.trec_files import read_qrels, read_trec_run


def test_any_white_space_any_line_end_anything_after() -> None:
    """Tabs, runs of spaces, CRLF, blank lines, a byte-order mark, text after the tag, no last newline."""
    text = "\ufeffq1\tQ0  d1 1 2.5 tag more words\r\n\r\nq1 Q0 d2 2 1e-3 tag"

    assert read_trec_run(io.StringIO(text, newline="")) == {"q1": {"d1": 2.5, "d2": 0.001}}
    assert read_trec_run(io.BytesIO(text.encode())) == {"q1": {"d1": 2.5, "d2": 0.001}}


def test_levels_are_whole_numbers() -> None:
    """Negative ones too; 1.0 is 1."""
    assert read_qrels(["q 0 a 2", "q 0 b -1", "q 0 c 1.0"]) == {"q": {"a": 2, "b": -1, "c": 1}}


@pytest.mark.parametrize(
    ("line", "message"), [("q Q0 d 1", "5 columns"), ("q Q0 d 1 high tag", "not a number"), ("q Q0 d 1 nan tag", "not a number")]
)
def test_bad_run_lines_are_named(line: str, message: str) -> None:
    """File, line, what is wrong, and how a line should look."""
    with pytest.raises(InputError, match=message) as caught:
        read_trec_run(["q Q0 d 1 2 tag", line], filename="my.run")

    assert caught.value.message.startswith("my.run:2:")
    assert caught.value.fix


def test_labels_in_the_place_of_a_run() -> None:
    """Whoever swaps the two files is told so."""
    with pytest.raises(InputError) as caught:
        read_trec_run(["1 0 D7 2"], filename="qrels.txt")

    assert "relevance labels" in caught.value.fix


@pytest.mark.parametrize(("line", "message"), [("q 0 d", "4 columns"), ("q 0 d yes", "whole number"), ("q 0 d 0.5", "whole number")])
def test_bad_qrels_lines_are_named(line: str, message: str) -> None:
    """The same for judgements."""
    with pytest.raises(InputError, match=message):
        read_qrels([line])


@pytest.mark.parametrize(
    "lines",
    [
        ["q1 d1 2", "q1 d2 0"],
        ["query-id\tcorpus-id\tscore", "q1\td1\t2", "q1\td2\t0"],
        ["query-id,corpus-id,score", "q1,d1,2", "q1,d2,0"],
        ["q1 0 d1 2", "q1 0 d2 0"],
    ],
)
def test_labels_in_each_form_that_import_reads(lines: list[str]) -> None:
    """Four columns, or BEIR's three with headings or without; one file has one form."""
    assert {"q1": {"d1": 2, "d2": 0}} == read_qrels(lines)
    with pytest.raises(InputError, match="columns, this one has"):
        read_qrels([*lines, "q1 0 d3 1" if len(lines[-1].split()) != 4 else "q1 d3 1"])


def test_binary_is_not_text() -> None:
    """One sentence, no traceback from the decoder."""
    with pytest.raises(InputError, match="not UTF-8"):
        read_trec_run([b"\xff\xfe\x00"])


def test_repeated_documents_count_once_and_are_reported() -> None:
    """The better score stays; two levels for one document are remarked on."""
    issues: list[LoadIssue] = []

    assert read_trec_run(["q Q0 d 1 2 t", "q Q0 d 2 1 t"], issues=issues) == {"q": {"d": 2.0}}
    assert read_qrels(["q 0 d 1", "q 0 d 0", "q 0 e 1", "q 0 e 1"], issues=issues) == {"q": {"d": 0, "e": 1}}
    assert [(i.where, i.rejected) for i in issues] == [("run:2", False), ("qrels:2", False)]


class TestEvaluateRun:
    def test_equal_scores_are_ordered_by_id_downwards(self) -> None:
        """Among a, b, c of one score c comes first."""
        found = evaluate_run({"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, {"q": {"c": 1}}, [1])

        assert found["per_query"]["q"]["P@1"] == 1.0

    def test_scores_compare_in_single_precision(self) -> None:
        """Two scores that differ in the ninth digit are equal to trec_eval: the id decides."""
        found = evaluate_run({"q": {"a": 0.123456789, "b": 0.1234567891}}, {"q": {"b": 1}}, [1])

        assert found["per_query"]["q"]["P@1"] == 1.0

    def test_judged_queries_without_results_count_as_zero(self) -> None:
        """Mean of 1 and 0; a query nobody judged is left out."""
        found = evaluate_run({"q1": {"a": 1.0}, "q9": {"a": 1.0}}, {"q1": {"a": 1}, "q2": {"a": 1}}, [1])

        assert found["mean"]["P@1"] == 0.5
        assert found["queries"] == {"judged": 2, "retrieved": 1, "missing": 1}

    def test_no_queries_and_no_cut_off(self) -> None:
        """Empty qrels give zeros; a cut-off below 1 is refused."""
        assert evaluate_run({}, {}, [1])["mean"]["P@1"] == 0.0
        with pytest.raises(ValueError, match="from 1 on"):
            evaluate_run({}, {}, [0])
