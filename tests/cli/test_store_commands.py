"""``ragviz runs`` and ``ragviz store delete``: where the store is, what it holds, and what no longer."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest

from ragviz.cli.main import main
from ragviz.store import open_store
from tests.cli.test_commands import as_json, check_one_clear_sentence, ragviz

SECRET = "Xylophonkonfidenz"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A store with the runs kept and secret, the latter judged."""
    for name, word in (("kept", "blue"), ("secret", SECRET)):
        (tmp_path / "t.json").write_text(json.dumps([{"question": f"{word}?", "answer": f"It is {word}.", "contexts": [f"It is {word}."]}]), encoding="utf-8")
        ragviz("import", "t.json", "--run", name, cwd=tmp_path)
    (tmp_path / "t.json").unlink()
    ragviz("judge", "secret", cwd=tmp_path)
    return tmp_path


class TestRuns:
    def test_the_place_and_each_run_are_told(self, two: Path) -> None:
        """Newest first, with the id that tells runs of one name apart and how many of its traces are judged."""
        found = as_json(ragviz("runs", "--json", cwd=two))
        shown = ragviz("runs", cwd=two).stdout

        assert found["store"] == str(two / "store.sqlite")
        assert [(run["name"], run["traces"], [j["traces"] for j in run["judges"]]) for run in found["runs"]] == [("secret", 1, [1]), ("kept", 1, [])]  # type: ignore[attr-defined]
        assert all(run["id"] in shown for run in found["runs"])  # type: ignore[attr-defined]
        assert shown.startswith(f"Store: {two / 'store.sqlite'}\n")

    def test_asking_makes_no_store(self, tmp_path: Path) -> None:
        """Where it will be is told all the same."""
        shown = ragviz("runs", cwd=tmp_path)

        assert (shown.returncode, "store.sqlite (not made yet)" in shown.stdout) == (0, True)
        assert list(tmp_path.iterdir()) == []


class TestDelete:
    def test_no_byte_of_the_run_stays(self, two: Path) -> None:
        """By name or id; the other run is whole."""
        assert any(SECRET.lower().encode() in path.read_bytes().lower() for path in two.iterdir())

        gone = as_json(ragviz("store", "delete", "secret", "--yes", "--json", cwd=two))

        assert [(run["name"], run["traces"]) for run in gone["deleted"]] == [("secret", 1)]  # type: ignore[attr-defined]
        assert [path.name for path in two.iterdir() if SECRET.lower().encode()[4:] in path.read_bytes().lower()] == []
        assert [run["name"] for run in as_json(ragviz("runs", "--json", cwd=two))["runs"]] == ["kept"]  # type: ignore[attr-defined]

    def test_without_a_terminal_it_has_to_be_said(self, two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A script that forgot --yes deletes nothing; neither does one whose input is closed."""
        for stdin in (io.StringIO("yes\n"), None):
            monkeypatch.setattr("sys.stdin", stdin)
            done = ragviz("store", "delete", "kept", "secret", cwd=two)
            check_one_clear_sentence(done)
            assert "--yes" in done.stderr
        assert len(as_json(ragviz("runs", "--json", cwd=two))["runs"]) == 2  # type: ignore[arg-type]

    @pytest.mark.parametrize(("answer", "left"), [("y\n", 1), ("n\n", 2), ("\n", 2), ("", 2)])
    def test_a_person_is_asked(self, two: Path, answer: str, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only a clear yes deletes."""
        terminal = io.StringIO(answer)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr("sys.stdin", terminal)

        done = ragviz("store", "delete", "secret", cwd=two)

        assert "secret (1 trace)" in done.stderr
        assert done.returncode == (0 if left == 1 else 1)
        assert len(as_json(ragviz("runs", "--json", cwd=two))["runs"]) == left  # type: ignore[arg-type]

    def test_two_runs_of_one_name_are_not_guessed_between(self, two: Path) -> None:
        """The ids are told, and one of them deletes that run alone."""
        store = open_store(two / "store.sqlite")
        store.create_run(msgspec.structs.replace(store.run("kept"), run_id="kept-2", n_traces=0))
        store.close()

        done = ragviz("store", "delete", "kept", "--yes", cwd=two)

        check_one_clear_sentence(done)
        assert "kept-2" in done.stderr
        assert ragviz("store", "delete", "kept-2", "--yes", cwd=two).returncode == 0
        assert [run["name"] for run in as_json(ragviz("runs", "--json", cwd=two))["runs"]] == ["secret", "kept"]  # type: ignore[attr-defined]

    def test_unknown_names_delete_nothing(self, two: Path, tmp_path: Path) -> None:
        """One wrong name among several stops all; without a store none is made."""
        check_one_clear_sentence(ragviz("store", "delete", "kept", "secrte", "--yes", cwd=two))
        check_one_clear_sentence(ragviz("store", "delete", "kept", "--yes", "--store", tmp_path / "no.sqlite", cwd=tmp_path))

        assert len(as_json(ragviz("runs", "--json", cwd=two))["runs"]) == 2  # type: ignore[arg-type]
        assert not (tmp_path / "no.sqlite").exists()


@pytest.mark.parametrize("place", ["--help", "-x", "--json"])
def test_an_option_is_no_place_for_a_store(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither as --store nor in RAGVIZ_STORE nor as the target of a copy: no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["runs", f"--store={place}"])
    assert (ended.value.code, "looks like an option" in capsys.readouterr().err) == (2, True)

    monkeypatch.setenv("RAGVIZ_STORE", place)
    assert main(["runs"]) == 2
    assert "looks like an option" in capsys.readouterr().err
    monkeypatch.setenv("RAGVIZ_STORE", str(tmp_path / "s.sqlite"))
    open_store(tmp_path / "s.sqlite").close()
    assert main(["store", "copy", "s.sqlite", "--", place]) == 2
    assert not (tmp_path / place).exists()
