"""The command line where it runs: ports that are taken, locales, closed streams, full disks, packages that are missing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import FIVE, REPO, check_one_clear_sentence, ragviz


def test_open_refuses_a_port_that_is_taken_before_it_says_where_it_is(tmp_path: Path) -> None:
    """No address is promised that nobody serves, and nothing is imported."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        done = ragviz("open", FIVE, "--no-browser", "--port", str(other.getsockname()[1]), cwd=tmp_path)

    check_one_clear_sentence(done)
    assert done.stdout == ""
    assert "--port" in done.stderr


class TestSurroundings:
    """Locales, closed streams, disks: as a program of its own."""

    @staticmethod
    def program(arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
        """Run through a shell, as people do."""
        settings = {**os.environ, "PYTHONPATH": str(REPO), "RAGVIZ_STORE": str(folder / "s.sqlite"), "RAGVIZ": f"{sys.executable} -m ragviz", **environment}
        return subprocess.run(["/bin/sh", "-c", f"$RAGVIZ {arguments}"], cwd=folder, env=settings, capture_output=True, check=False)

    @pytest.fixture
    def accents(self, tmp_path: Path) -> Path:
        """A file with letters that no small code page has, and one that cp1252 has."""
        (tmp_path / "x.json").write_text(json.dumps([{"question": "Größe? 🦊 日", "answer": "é", "contexts": ["é"]}]), encoding="utf-8")
        return tmp_path

    @pytest.mark.parametrize(
        "environment", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}], ids=str
    )
    def test_json_is_utf8_in_every_locale(self, accents: Path, environment: dict[str, str]) -> None:
        r"""Not "\xe9", which is no JSON."""
        done = self.program("import x.json --json", accents, **environment)

        assert json.loads(done.stdout.decode("utf-8"))["first"]["question"] == "Größe? 🦊 日"

    @pytest.mark.parametrize(
        ("arguments", "code", "told"),
        [
            ("import x.json >&-", 0, b""),
            ("import missing.json 2>&-", 2, b""),
            ("import - <&-", 2, b"standard input: it is closed"),
            ("import x.json > /dev/full", 2, b"No space left"),
        ],
    )
    def test_closed_and_full_streams(self, accents: Path, arguments: str, code: int, told: bytes) -> None:
        """The exit code is right and no traceback appears."""
        done = self.program(arguments, accents)

        assert (done.returncode, b"Traceback" in done.stderr) == (code, False)
        assert told in done.stderr

    @pytest.mark.parametrize("command", ["evaluate x.json --html out.html", "gate x.json --against x.json --judge local --junit out.html --markdown out.md"])
    def test_reports_follow_the_umask_and_spare_what_was_there(self, accents: Path, command: str) -> None:
        """Colleagues may read them; nothing half-written is left."""
        done = self.program(f"{command}; stat -c %a out.html; ls -A | wc -l", accents)

        assert done.stdout.split()[-2] == b"644", done.stderr


@pytest.mark.parametrize(("version", "says"), [(None, "ragas is not installed"), ("0.4.3", "--model is missing")])
def test_ragas_says_first_what_takes_longest_to_mend(version: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package before the model: who has named a model should not learn afterwards that nothing can be asked."""
    monkeypatch.setattr("ragviz.backends.ragas_scorer.installed_version", lambda: version)

    done = ragviz("ragas", "demo", cwd=tmp_path)

    check_one_clear_sentence(done)
    assert says in done.stderr
