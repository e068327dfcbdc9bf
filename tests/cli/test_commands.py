"""The command line as other tools call it: real files, exact shapes."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from ragviz.cli.judging import _next_step
from ragviz.cli.main import main

REPO = Path(__file__).resolve().parent.parent.parent
FIVE = REPO / "sample_traces" / "five_cases.json"


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def ragviz(*args: str | Path, cwd: Path) -> Done:
    """Run the command in another folder, with a store of its own and no key."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.chdir(cwd)
        patch.setenv("RAGVIZ_STORE", str(cwd / "store.sqlite"))
        patch.delenv("ANTHROPIC_API_KEY", raising=False)
        code = main([str(a) for a in args])
    return Done(code, out.getvalue(), err.getvalue())


def as_json(done: Done) -> dict[str, object]:
    """The one object on stdout."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def check_one_clear_sentence(done: Done) -> None:
    """Exit 2, an error and a fix, no traceback."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("Error: ")
    assert "\nFix: " in done.stderr


class TestEvaluate:
    def test_the_five_cases_come_out_exactly(self, tmp_path: Path, shared: Path) -> None:
        """Every number of the tutorial, and the quadrants."""
        expected = json.loads((shared / "tutorial" / "expected.json").read_text())
        got = as_json(ragviz("evaluate", FIVE, "--judge", "facts", "-k", "2", "--json", cwd=tmp_path))
        traces = {t["id"]: t for t in got["traces"]}  # type: ignore[attr-defined, index]

        for case, scores in expected["cases"].items():
            assert {name: traces[case]["scores"][name]["value"] for name in scores} == pytest.approx(scores)
        assert {case: traces[case]["quadrant"] for case in expected["quadrant"]} == expected["quadrant"]
        assert got["summary"]["hallucination"]["micro"] == pytest.approx(expected["micro_unsupported_claim_rate"]["value"])  # type: ignore[index]
        assert got["summary"]["correctness"]["macro"] == pytest.approx(expected["macro_correctness_f1"])  # type: ignore[index]

    def test_the_object_has_the_promised_shape(self, tmp_path: Path) -> None:
        """Other tools read these names."""
        got = as_json(ragviz("evaluate", FIVE, "--judge", "facts", "-k", "2", "--json", cwd=tmp_path))
        trace = got["traces"][1]  # type: ignore[index]

        assert set(got) == {"run", "k", "judge", "policy", "traces", "summary", "issues"}
        assert set(trace) == {"id", "question", "quadrant", "cause", "scores", "claims", "cause_detail", "cause_evidence"}
        assert set(trace["claims"][0]) == {"id", "text", "verdict", "confidence", "evidence", "citations", "hallucination_type", "calibrated", "reason"}
        assert set(trace["scores"]["faithfulness"]) == {"value", "status", "support", "unjudged", "reason"}
        assert set(got["summary"]["faithfulness"]) == {"macro", "micro", "n", "undefined", "coverage", "ci95"}  # type: ignore[index]

    def test_a_file_leaves_nothing_behind(self, tmp_path: Path) -> None:
        """Without --store or --run no store is made."""
        assert ragviz("evaluate", FIVE, "--judge", "facts", cwd=tmp_path).returncode == 0
        assert list(tmp_path.iterdir()) == []

    def test_strict_k_names_the_trace(self, tmp_path: Path) -> None:
        """Two passages each, three asked for."""
        done = ragviz("evaluate", FIVE, "--judge", "facts", "-k", "3", "--strict-k", cwd=tmp_path)

        check_one_clear_sentence(done)
        assert "good_return" in done.stderr

    def test_reports_are_written(self, tmp_path: Path) -> None:
        """Markdown to stdout, HTML to a file."""
        markdown = ragviz("evaluate", FIVE, "--judge", "facts", "--markdown", cwd=tmp_path)
        html = ragviz("evaluate", FIVE, "--judge", "facts", "--html", "out.html", cwd=tmp_path)

        assert "| faithfulness |" in markdown.stdout
        assert html.returncode == 0
        assert (tmp_path / "out.html").read_text(encoding="utf-8").startswith("<!doctype html>")


class TestStore:
    def test_import_judge_evaluate_by_name(self, tmp_path: Path) -> None:
        """The same numbers from a stored run; judging twice judges nothing twice."""
        imported = as_json(ragviz("import", FIVE, "--run", "demo", "--json", cwd=tmp_path))
        first = as_json(ragviz("judge", "demo", "--judge", "facts", "--json", cwd=tmp_path))
        second = as_json(ragviz("judge", "demo", "--judge", "facts", "--json", cwd=tmp_path))
        stored = as_json(ragviz("evaluate", "demo", "--judge", "facts", "--json", cwd=tmp_path))

        assert set(imported) == {"run", "format", "files", "traces", "issues", "first"}
        assert (imported["traces"], imported["first"]) == (5, {"question": "Until when may I send back an unopened item?", "passages": 2})
        assert (first["traces"], second["traces"]) == (5, 0)
        assert stored["summary"]["faithfulness"]["macro"] == pytest.approx(0.7)  # type: ignore[index]

    def test_judging_names_the_commands_that_show_what_it_found(self, tmp_path: Path) -> None:
        """One line after the count, with the names as a shell takes them; the address of a server is not repeated."""
        ragviz("import", FIVE, "--run", "my demo", cwd=tmp_path)

        said = ragviz("judge", "my demo", "--judge", "facts", cwd=tmp_path).stdout

        assert said.splitlines()[1:] == ["What it found: `ragviz evaluate 'my demo' --judge facts`, or on pages: `ragviz open`."]
        assert ragviz("evaluate", "my demo", "--judge", "facts", cwd=tmp_path).returncode == 0
        assert "secret" not in _next_step("v7", None, "postgresql://me:secret@here/runs")

    def test_several_files_are_one_run_that_names_them_or_one_each(self, tmp_path: Path) -> None:
        """Versions must not be thrown together in silence: the run says of which files it is, and --separate makes two."""
        for name in ("v1.csv", "v2.csv"):
            (tmp_path / name).write_text("question,answer,contexts\nWho?,Ada.,Ada did it.\n", encoding="utf-8")

        together = ragviz("import", "v1.csv", "v2.csv", cwd=tmp_path).stdout
        apart = json.loads(ragviz("import", "--separate", "v*.csv", "--json", cwd=tmp_path).stdout)
        refused = ragviz("import", "--separate", "v1.csv", "v2.csv", "--run", "r", cwd=tmp_path)

        assert "The traces of 2 files are one run: v1.csv, v2.csv." in together
        assert "one run" not in ragviz("import", "v1.csv", cwd=tmp_path).stdout
        assert "2 files were read as one run: v1.csv, v2.csv." in ragviz("evaluate", "v1.csv", "v2.csv", cwd=tmp_path).stdout
        assert [(report["run"], report["traces"]) for report in apart] == [("v1", 1), ("v2", 1)]
        check_one_clear_sentence(refused)

    def test_an_unknown_run_is_corrected(self, tmp_path: Path) -> None:
        """With the nearest name."""
        ragviz("import", FIVE, "--run", "demo", cwd=tmp_path)
        done = ragviz("judge", "dmo", cwd=tmp_path)

        check_one_clear_sentence(done)
        assert "'demo'" in done.stderr


class TestBadInput:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("empty.jsonl", b""),
            ("blank.jsonl", b"\n \n"),
            ("binary.jsonl", bytes(range(256)) * 8),
            ("columns.csv", b"a,b\n1,2\n"),
            ("half.json", b'[{"question": "q", "ans'),
            ("array.json", b"[]"),
            ("number.json", b"42"),
            ("png.png", b"\x89PNG\r\n\x1a\n" + b"\x00" * 64),
        ],
    )
    def test_ends_in_one_clear_sentence(self, tmp_path: Path, name: str, content: bytes) -> None:
        """Empty, binary, wrong columns, cut off: what, where, and how to fix it."""
        (tmp_path / name).write_bytes(content)
        done = ragviz("evaluate", name, "--judge", "facts", cwd=tmp_path)

        check_one_clear_sentence(done)
        assert name in done.stderr

    def test_good_rows_load_and_bad_ones_are_listed(self, tmp_path: Path) -> None:
        """A half-written last line costs that line only."""
        (tmp_path / "half.jsonl").write_text('{"question": "q1", "answer": "a", "contexts": ["c"]}\n{"question": "q2", "ans', encoding="utf-8")
        got = as_json(ragviz("import", "half.jsonl", "--json", cwd=tmp_path))

        assert got["traces"] == 1
        assert [i["where"] for i in got["issues"]] == ["half.jsonl:2"]  # type: ignore[attr-defined, index]

    @pytest.mark.parametrize(
        "args",
        [
            ("evaluate", "no-such-file.jsonl"),
            ("evaluate", str(FIVE), "--judge", "nobody"),
            ("evaluate", str(FIVE), "--format", "nothing"),
            ("judge", "x", "--judge", "anthropic"),
            ("evaluate", str(FIVE), "--judge", "anthropic"),
        ],
    )
    def test_wrong_names_are_told(self, tmp_path: Path, args: tuple[str, ...]) -> None:
        """Files, judges, formats, keys."""
        check_one_clear_sentence(ragviz(*args, cwd=tmp_path))


class TestLists:
    @pytest.mark.parametrize("kind", ["formats", "judges", "metrics"])
    def test_lists_are_json_and_text(self, tmp_path: Path, kind: str) -> None:
        """Each entry has a name; the text shows it."""
        rows = as_json(ragviz(kind, "--json", cwd=tmp_path))[kind]
        shown = ragviz(kind, cwd=tmp_path).stdout

        assert rows
        assert all(row["name"] in shown for row in rows)  # type: ignore[attr-defined]

    def test_doctor_fails_for_a_judge_that_cannot_work(self, tmp_path: Path) -> None:
        """Exit 1 with the fix; without --judge it only tells."""
        assert ragviz("doctor", "--judge", "anthropic", cwd=tmp_path).returncode == 1
        assert ragviz("doctor", "--judge", "facts", cwd=tmp_path).returncode == 0


def test_retrieval_remarks_on_what_it_settled(tmp_path: Path) -> None:
    """Repeated documents, changed levels and ids that do not meet are told beside the figures."""
    (tmp_path / "a.run").write_text("q Q0 d 1 2 t\nq Q0 d 2 1 t\n", encoding="utf-8")
    (tmp_path / "a.qrels").write_text("q 0 d 1\nq 0 d 2\n", encoding="utf-8")
    (tmp_path / "b.qrels").write_text("other 0 d 1\n", encoding="utf-8")

    settled = ragviz("retrieval", "a.run", "a.qrels", "--json", cwd=tmp_path)
    assert [line.split(":")[2] for line in settled.stderr.splitlines()] == ["2", "2"]
    assert as_json(settled)["mean"]["P@1"] == 1.0
    assert "same query ids" in ragviz("retrieval", "a.run", "b.qrels", cwd=tmp_path).stderr


def test_retrieval_equals_trec_eval(tmp_path: Path, shared: Path) -> None:
    """Every per-query value of every pair, to 1e-4."""
    folder = shared / "retrieval"
    for name, pair in json.loads((folder / "expected.json").read_text())["pairs"].items():
        got = as_json(
            ragviz("retrieval", folder / pair["run"], folder / pair["qrels"], "--relevance-level", str(pair["relevance_level"]), "--json", cwd=tmp_path)
        )
        for theirs, values in pair["per_query"].items():
            measure = theirs.replace("Success@", "hit@")
            assert {query: got["per_query"][query][measure] for query in values} == pytest.approx(values, abs=1e-4), f"{name} {measure}"  # type: ignore[index]


def test_it_is_a_program_of_its_own(tmp_path: Path) -> None:
    """`python -m ragviz` in another folder: one object on stdout, errors on stderr, exit code 2."""
    environment = {**os.environ, "PYTHONPATH": str(REPO), "RAGVIZ_STORE": str(tmp_path / "s.sqlite")}
    run = lambda *args: subprocess.run([sys.executable, "-m", "ragviz", *args], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)  # noqa: E731
    good, bad = run("evaluate", str(FIVE), "--judge", "facts", "-k", "2", "--json"), run("evaluate", "missing.jsonl")

    assert json.loads(good.stdout)["k"] == 2
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "Traceback" not in bad.stderr
