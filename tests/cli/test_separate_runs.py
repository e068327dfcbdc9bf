"""Several files as one run or as one each, however oddly they are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragviz.store import open_store
from tests.cli.test_commands import Done, as_json, ragviz


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """a.json in two folders with the same id, b.json, and bad.json, which holds nothing."""
    for name, answer in (("x/a.json", "It takes 30 days."), ("y/a.json", "It takes 90 days."), ("b.json", "It takes 7 days.")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps([{"id": "1", "question": "How long?", "answer": answer, "passages": ["It takes 30 days."]}]), encoding="utf-8")
    (tmp_path / "bad.json").write_text("no", encoding="utf-8")
    return tmp_path


def runs(folder: Path) -> list[tuple[str, int]]:
    """Names and traces, by name."""
    return sorted((run["name"], run["traces"]) for run in as_json(ragviz("runs", "--json", cwd=folder))["runs"])  # type: ignore[attr-defined]


def both(done: Done) -> str:
    """What a person sees."""
    return done.stdout + done.stderr


class TestOneRun:
    def test_it_is_said_on_stderr_where_stdout_is_for_a_program(self, files: Path) -> None:
        """And how to get one run each; one file says nothing."""
        done = ragviz("import", "x/a.json", "b.json", "--json", cwd=files)

        assert "2 files are one run" in done.stderr
        assert "--separate" in done.stderr
        assert len(as_json(done)["files"]) == 2  # type: ignore[arg-type]
        assert ragviz("import", "b.json", "--json", cwd=files).stderr == ""

    @pytest.mark.parametrize(
        "named", [("b.json", "b.json"), ("b.json", "./b.json"), ("*b.json", "b.json"), ("b.json", "x/../b.json"), ("x", "x/a.json"), ("x", "x")], ids=" ".join
    )
    def test_a_file_named_twice_is_read_once(self, files: Path, named: tuple[str, ...]) -> None:
        """Its traces are no second set with new ids."""
        done = ragviz("import", *named, cwd=files)

        assert done.returncode == 0
        assert "named more than once; it is read once" in done.stdout
        assert [n for _, n in runs(files)] == [1]

    def test_evaluate_reads_a_file_named_twice_once(self, files: Path) -> None:
        """Its traces do not count double, and it does not speak of two files."""
        done = ragviz("evaluate", "b.json", "./b.json", cwd=files)

        assert "1 trace," in done.stdout
        assert "files were read as one run" not in done.stdout
        assert "read once" in done.stdout

    def test_a_folder_gives_its_name(self, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Also one that is written as a dot."""
        monkeypatch.setenv("RAGVIZ_STORE", str(files / "store.sqlite"))
        assert ragviz("import", ".", "--store", files / "store.sqlite", cwd=files / "x").returncode == 0

        assert runs(files) == [("x", 1)]


class TestSeparate:
    @pytest.mark.parametrize("named", [("b.json", "b.json"), ("b.json", "./b.json"), ("*b.json", "b.json")], ids=" ".join)
    def test_a_file_named_twice_is_one_run(self, files: Path, named: tuple[str, ...]) -> None:
        """And it is told."""
        done = ragviz("import", "--separate", *named, cwd=files)

        assert "Named more than once, read once: " in done.stderr
        assert runs(files) == [("b", 1)]

    def test_equal_ids_stay_as_they_are(self, files: Path) -> None:
        """Runs of their own: no id is changed, no issue told; of two files of one name the folder tells which is which."""
        done = ragviz("import", "--separate", "x/a.json", "y/a.json", "b.json", cwd=files)

        assert (done.returncode, "more than once" in both(done)) == (0, False)
        assert runs(files) == [("b", 1), ("x/a", 1), ("y/a", 1)]

    @pytest.mark.parametrize("bad", ["bad.json", "missing.json", ""])
    def test_one_bad_file_costs_no_other(self, files: Path, bad: str) -> None:
        """The others are runs; the bad one is told, and the exit code is 2."""
        done = ragviz("import", "--separate", "x/a.json", bad, "b.json", cwd=files)

        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("Error: ")
        assert runs(files) == [("a", 1), ("b", 1)]

    def test_a_folder_gives_a_run_of_each_file(self, files: Path) -> None:
        """Files in it that hold no traces are passed over with a word, and nothing advises what was done."""
        (files / "x" / "c.json").write_text((files / "b.json").read_text(encoding="utf-8"), encoding="utf-8")
        (files / "x" / "README.md").write_text("About these files.", encoding="utf-8")
        (files / "x" / ".hidden.json").write_text("[]", encoding="utf-8")

        done = ragviz("import", "--separate", "x", "--json", cwd=files)

        assert (done.returncode, "--separate" in done.stderr) == (0, False)
        assert "Skipped, no run of its own: README.md" in done.stderr
        assert len(as_json(done)) == 2  # type: ignore[arg-type]
        assert runs(files) == [("a", 1), ("c", 1)]

    def test_documents_in_a_folder_go_with_each_run_of_it(self, tmp_path: Path) -> None:
        """
        Two versions that name passages by id, and the documents beside them: two runs, each with its texts; the documents are no run, and
        nothing is skipped.
        """
        folder = tmp_path / "versions"
        folder.mkdir()
        for version in ("v1", "v2"):
            row = {"id": "q1", "question": "What colour is the sky?", "response": f"The sky is blue, says {version}.", "passages": [{"id": "d1"}]}
            (folder / f"{version}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        corpus = [{"_id": "d1", "title": "", "text": "The sky is blue."}, {"_id": "d2", "title": "", "text": "Grass is green."}]
        (folder / "corpus.jsonl").write_text("\n".join(json.dumps(row) for row in corpus), encoding="utf-8")

        done = ragviz("import", "--separate", folder, "--store", tmp_path / "store.sqlite", "--json", cwd=tmp_path)

        reports = as_json(done)
        assert "Skipped" not in done.stderr
        assert [(r["run"], r["traces"], [f["file"] for f in r["files"]]) for r in reports] == [
            ("v1", 1, ["v1.jsonl", "corpus.jsonl"]),
            ("v2", 1, ["v2.jsonl", "corpus.jsonl"]),
        ]  # type: ignore[attr-defined]
        store = open_store(tmp_path / "store.sqlite")
        texts = [p.text for run in store.runs() for trace in store.traces(run.run_id) for p in trace.passages or ()]
        store.close()
        assert texts == ["The sky is blue."] * 2

    def test_a_folder_beside_a_file_of_it(self, files: Path) -> None:
        """The file is one run, and it is told."""
        done = ragviz("import", "--separate", "x", "x/a.json", "y", cwd=files)

        assert "Named more than once, read once" in done.stderr
        assert runs(files) == [("x/a", 1), ("y/a", 1)]


@pytest.mark.parametrize("name", ["\x1b]0;pwned\x07\x1b[31m.json", "two\nlines.json", "\u202egnp.json", "\u2066a\u2028b.json"])
@pytest.mark.parametrize("command", [("import",), ("import", "--separate"), ("evaluate",)], ids=" ".join)
def test_a_files_name_does_nothing_to_the_terminal(files: Path, name: str, command: tuple[str, ...]) -> None:
    """Escapes, line ends and turned directions are shown as signs that do nothing; also in a folder."""
    folder = files / "named"
    folder.mkdir()
    (folder / name).write_text((files / "b.json").read_text(encoding="utf-8"), encoding="utf-8")

    for given in (f"named/{name}", "named"):
        said = both(ragviz(*command, given, cwd=files))
        assert not set(said) & set("\x1b\x07\u202e\u2066\u2028")
        assert name not in said
