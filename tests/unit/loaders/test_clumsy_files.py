"""Files as people really make them: forgotten quotes, last commas, half encodings, doubled headings. Each is read, or refused with the true reason."""

from __future__ import annotations

import io
import json

import pytest

from ragviz.errors import UnreadableFile
from ragviz.loaders import read, recognise, write_ragas, write_ragchecker
from ragviz.records import LoadIssue, Passage, Trace

RECORDS = [{"question": f"q{n}?", "answer": f"a{n}", "contexts": [f"p{n}"]} for n in range(4)]


def parts(data: str | bytes, **options: str) -> tuple[list[Trace], list[LoadIssue]]:
    """Traces and issues of a file in memory."""
    raw = data if isinstance(data, bytes) else data.encode()
    found = list(read(io.BytesIO(raw), filename="f", **options))  # type: ignore[arg-type]
    return [p for p in found if isinstance(p, Trace)], [p for p in found if isinstance(p, LoadIssue)]


@pytest.mark.parametrize("written", ["id,question,answer,contexts\n", "id,input.question,output.answer,metadata.x\n", "question\tanswer\tcontexts"])
def test_headings_alone_are_told(written: str) -> None:
    """A table without a row gives no trace; that is said of the file by name."""
    traces, issues = parts(written)

    assert (traces, [i.where for i in issues]) == ([], ["f"])
    assert "holds no rows" in issues[0].message


def test_a_hundred_thousand_equal_headings_are_told_apart() -> None:
    """The names are given in one pass; looking each up among all before it would take minutes."""
    traces, issues = parts("question,answer" + ",x" * 100_000 + "\nq?,a" + ",1" * 100_000 + "\n")

    assert ["q?"] == [t.question for t in traces]
    assert "x.1, x.2, x.3" in issues[0].message


class TestJson:
    @pytest.mark.parametrize(
        "written",
        [
            "[\n" + ",\n".join(map(json.dumps, RECORDS)) + "\n]",
            "[" + ",\n".join(map(json.dumps, RECORDS)) + "]",
            '{"data": [\n' + ",\n".join(map(json.dumps, RECORDS)) + "\n]}",
            '{"version": 1,\n"results": [\n' + ",\n".join(map(json.dumps, RECORDS)) + "\n]\n}\n",
            "\n".join(map(json.dumps, RECORDS)),
            json.dumps(RECORDS, indent=2),
        ],
        ids=["list", "tight list", "wrapped", "wrapped deeper", "lines", "indented"],
    )
    def test_one_record_a_line_is_not_json_lines(self, written: str) -> None:
        """A list with a record on each line is one value: its last record parses alone, the others do not."""
        traces, issues = parts(written)

        assert ([t.question for t in traces], issues) == ([r["question"] for r in RECORDS], [])

    def test_json_lines_whose_first_line_is_damaged(self) -> None:
        """The other lines are still read, and the damaged one is named."""
        traces, issues = parts('{"question": "q, \n' + "\n".join(map(json.dumps, RECORDS)))

        assert (len(traces), [i.where for i in issues]) == (4, ["f:1"])

    @pytest.mark.parametrize("end", [",]", ",\n]\n", ", ]}"])
    def test_a_last_comma_costs_no_record(self, end: str) -> None:
        """Written by hand: all is there, so nothing is damaged and nothing is told."""
        traces, issues = parts(("" if end[-1] != "}" else '{"data": ') + "[" + ",\n".join(map(json.dumps, RECORDS)) + end)

        assert (len(traces), issues) == (4, [])

    @pytest.mark.parametrize(
        ("written", "reason"),
        [('[{"question": "q", answer: 1}]', "not JSON"), ("[{'question': 'q'}]", "not JSON"), ("[" * 400 + "]" * 400, "nested too deeply")],
    )
    def test_what_is_no_json_is_told_why(self, written: str, reason: str) -> None:
        """Not "binary data", and not "no format fits"."""
        with pytest.raises(UnreadableFile, match=reason):
            recognise(io.BytesIO(written.encode()), "f")

    @pytest.mark.parametrize("n", [1, 2, 5])
    def test_what_we_write_for_ragchecker_comes_back(self, n: int) -> None:
        """However many traces: the file holds one record a line."""
        traces = [Trace(id=f"t{i}", question="q?", response="a", passages=(Passage(id="d", text="p", rank=1, doc_id="d"),), reference="r") for i in range(n)]
        for written in (write_ragchecker(traces), write_ragas(traces)):
            found, issues = parts(b"".join(written))
            assert ([(t.question, t.response, t.reference) for t in found], issues) == ([("q?", "a", "r")] * n, [])


class TestTables:
    def test_a_forgotten_quote_swallows_no_rows(self) -> None:
        """Each line is a row again, and a warning says where the quote is."""
        traces, issues = parts('question,answer,contexts\nq0,a0,p0\n"q1,a1,p1\nq2,a2,p2\nq3,a3,p3\n')

        assert [(t.question, t.response) for t in traces] == [(f"q{n}", f"a{n}") for n in range(4)]
        assert [(i.where, i.rejected) for i in issues] == [("f:3", False)]

    @pytest.mark.parametrize("cut", ['question,answer,contexts\nq0,a0,p0\nq1,a1,"half a pass', 'question,answer,contexts\nq0,a0,p0\n"q1 has\ntwo lines", "and'])
    def test_cut_off_inside_a_quoted_cell(self, cut: str) -> None:
        """Half a cell is no answer: the row is rejected by its number."""
        traces, issues = parts(cut)

        assert len(traces) + sum(i.rejected for i in issues) == 2
        assert issues[-1].where == "f:3"

    def test_repeated_headings_lose_nothing(self) -> None:
        """The first counts, the later ones are kept under a number, and that is told."""
        traces, issues = parts("question,question,answer,contexts,note,note\nq0,other,a0,p0,n0,n1\n")

        assert traces[0].question == "q0"
        assert {"question.1": "other", "note": "n0", "note.1": "n1"}.items() <= traces[0].tags.items()
        assert ["question.1, note.1" in i.message for i in issues] == [True]

    def test_the_rule_of_a_markdown_table_is_no_row(self) -> None:
        """Dashes under the headings."""
        traces, _ = parts("| question | answer | contexts |\n|:---|:-:|---|\n| q0 | a0 | p0 |\n")

        assert [t.question.strip() for t in traces] == ["q0"]

    def test_a_table_of_claims_is_not_read_as_answers(self) -> None:
        """Our own export of verdicts."""
        _, issues = parts("trace_id,question,claim_id,claim,verdict\nt1,q?,c1,it is so,supported\n")

        assert "one row per claim" in issues[0].message


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    @pytest.mark.parametrize("written", [json.dumps(RECORDS), "question,answer,contexts\nq0?,a0,p0\nq1?,a1,p1\nq2?,a2,p2\nq3?,a3,p3\n"])
    def test_utf16_without_a_mark(self, encoding: str, written: str) -> None:
        """As some Windows programs write it."""
        traces, issues = parts(written.encode(encoding))

        assert ([t.question for t in traces], issues) == ([f"q{n}?" for n in range(4)], [])

    def test_one_stray_nul_makes_no_binary_file(self) -> None:
        """It becomes U+FFFD; a file full of them is still refused."""
        rows = "".join(f"q{n}?,a{n},p{n}\n" for n in range(40))

        assert parts(f"question,answer,contexts\n{rows}q\0?,a,p\n")[0][-1].question == "q\ufffd?"
        assert parts(b"\x00\x01" * 100)[0] == []


def test_references_read_as_passages_are_told_once() -> None:
    """Question, response and reference alone are RefChecker's input; a warning names the way out, and the way works."""
    rows = json.dumps([{"question": "q?", "response": "a", "reference": "r"}] * 3)
    guessed, issues = parts(rows)
    forced, silent = parts(rows, format="generic")

    assert [len(t.passages or ()) for t in guessed] == [1, 1, 1]
    assert [(i.rejected, "--format generic" in i.fix) for i in issues] == [(False, True)]
    assert ([(t.reference, t.passages) for t in forced], silent) == ([("r", None)] * 3, [])


class TestWrongNames:
    @pytest.mark.parametrize("name", ["openinference", "mlflow", "trulens", "paperqa", "weave", "opik", "langfuse"])
    def test_a_wrong_format_gives_no_empty_traces(self, name: str) -> None:
        """--format by mistake: each record is refused, with the way out."""
        traces, issues = parts(json.dumps([{"colour": "red", "size": 3}, {"colour": "blue", "size": 4}]), format=name)

        assert traces == []
        assert sum(i.rejected and bool(i.fix) for i in issues) >= 1

    @pytest.mark.parametrize(
        ("file", "paths"),
        [
            ({"export": {"runs": [{"p": "q0?", "c": [{"b": "x"}]}, {"p": "q1?", "c": [{"b": "y"}]}]}}, {"question": "p", "passages": "c[].b"}),
            ({"runs": [{"p": "q0?", "c": [{"b": "x"}]}, {"p": "q1?", "c": [{"b": "y"}]}]}, {"question": "runs[].p", "passages": "runs[].c[].b"}),
            ([{"p": "q0?", "c": [{"b": "x"}]}, {"p": "q1?", "c": [{"b": "y"}]}], {"question": "p", "passages": "c[].b"}),
        ],
        ids=["inside a wrapper", "from the top", "a list"],
    )
    def test_a_map_finds_its_records(self, file: object, paths: dict[str, str]) -> None:
        """Whatever the wrapper is called, and whether the paths begin at the top or in the record."""
        found = list(read(io.BytesIO(json.dumps(file).encode()), filename="f", field_map=paths))

        assert [(t.question, [p.text for p in t.passages or ()]) for t in found if isinstance(t, Trace)] == [("q0?", ["x"]), ("q1?", ["y"])]


class TestLongLines:
    """Lines longer than what is looked at to tell a file's kind (256 KiB)."""

    @pytest.mark.parametrize("size", [1_000, 300_000, 3_000_000])
    @pytest.mark.parametrize(
        "first",
        ['{{"question": "q", "answer": "{0}", "contexts": ["p"', '{{"question": "q", "answer": "{0}"}}}}', '{{"question": "q", "answer": "{0}'],
        ids=["list", "bracket", "text"],
    )
    def test_json_lines_whose_long_first_line_is_damaged(self, first: str, size: int) -> None:
        """The other lines are still read, whatever the length of the damaged one."""
        traces, issues = parts(first.format("w" * size) + "\n" + "\n".join(map(json.dumps, RECORDS)))

        assert ([t.question for t in traces], [i.where for i in issues]) == ([r["question"] for r in RECORDS], ["f:1"])

    @pytest.mark.parametrize("size", [300_000, 3_000_000])
    @pytest.mark.parametrize("first", [
        '{{"question": "{0}', '{{"question": {0}}}', '{{question: "{0}"}}', '{{"{0}": 1', '{{"question": "\\u12{0}"}}', "{0}", '"{0}"', "[1, 2, {0}", '{{"question": "q\n{{"question": "{0}',
        '{{"question": "{0}\n{{"question": "{0}', '\n\n{{"question": "{0}',
    ], ids=["open text", "bare word", "no quotes", "open name", "half an escape", "no JSON", "a text", "a list", "two, the second long", "two long ones", "after empty lines"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_nothing_of_a_long_first_line_can_be_read(self, first: str, size: int, encoding: str) -> None:
        """Then the lines after it say what the file is; what is damaged is told line by line, in our own format and in others'."""
        ours = [{"id": r["question"], "question": r["question"], "response": r["answer"], "passages": []} for r in RECORDS]
        for records in (RECORDS, ours):
            traces, issues = parts((first.format("w" * size) + "\n" + "\n".join(map(json.dumps, records))).encode(encoding))

            assert [t.question for t in traces] == [r["question"] for r in RECORDS]
            assert [i.where for i in issues] == (["f:3"] if first.startswith("\n") else ["f:1", "f:2"][: 1 + first.count("\n")])

    @pytest.mark.parametrize(
        "written",
        [
            "[{0},\n{1}\n]",
            "[{0}\n,\n{1}\n]",
            '{{"data": [{0},\n{1}\n]}}',
            '{{"x": {0}, "data": [\n{1}\n]}}',
            '{{"x": {0}, "data":\n{{"items": [{1}]}}\n}}',
            "[\n{0},\n{1}]",
        ],
    )
    def test_a_long_record_on_the_first_line_of_one_value(self, written: str) -> None:
        """It is one value all the same, though its second line is a whole object."""
        long = {**RECORDS[0], "answer": "w" * 300_000}
        traces, issues = parts(written.format(json.dumps(long), json.dumps(RECORDS[1])))

        assert (traces[-1].question, issues) == ("q1?", [])


@pytest.mark.parametrize("written", ["[{0}]", '{{"data": [{0}]}}', "{0}"], ids=["a list", "a page", "JSON Lines"])
@pytest.mark.parametrize("tool", ["generic", "langfuse"])
def test_a_record_nested_too_deeply_costs_no_other(written: str, tool: str) -> None:
    """What lies too deep is left out, and it is told with the way out that fits: the file is neither cut off nor damaged."""
    deep = '{"documents":' * 3_000 + "[]" + "}" * 3_000
    records = [json.dumps(r) for r in RECORDS]
    if tool == "generic":
        records[1] = records[1].replace("{", f'{{"metadata": {deep}, ', 1)
    else:
        rows = [
            {"id": f"o{n}", "traceId": f"t{n}", "type": "SPAN", "startTime": "2026-01-01T00:00:00Z", "input": f"q{n}?", "output": f"a{n}"} for n in range(4)
        ]
        records = [json.dumps(row) for row in rows]
        records[1] = records[1].replace("{", f'{{"metadata": {deep}, ', 1)

    traces, issues = parts(written.format(("\n" if written == "{0}" else ",").join(records)))

    assert [t.question for t in traces] == ["q0?", "q1?", "q2?", "q3?"]
    assert [(i.message, "200 levels" in i.fix, i.rejected) for i in issues if "deep" in i.message] == [
        ("nested too deeply: what lies deeper was left out", True, False)
    ]
    assert not any("damaged" in i.message for i in issues)
