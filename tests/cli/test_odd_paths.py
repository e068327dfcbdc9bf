"""Paths that lead to no plain file: pipes with a name, links in a circle, folders."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import check_one_clear_sentence, ragviz

REPO = Path(__file__).resolve().parents[2]


class TestOddPaths:
    ROW = json.dumps({"question": "How long?", "answer": "It takes 30 days.", "contexts": ["It takes 30 days."]}) + "\n"

    @pytest.mark.parametrize("command", ["import", "evaluate"])
    def test_a_pipe_with_a_name_is_read_like_standard_input(self, command: str, tmp_path: Path) -> None:
        """``ragviz import <(zcat log.gz)`` and ``/dev/stdin``: what is looked at first must be there for the reading."""
        (tmp_path / "log.jsonl").write_text(self.ROW, encoding="utf-8")
        for words in (f"{command} <(cat log.jsonl)", f"{command} /dev/stdin"):
            done = subprocess.run(
                ["bash", "-c", f"cat log.jsonl | {shlex.quote(sys.executable)} -m ragviz {words} --json --store s.db"],
                cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(REPO)},
            )
            told = json.loads(done.stdout)
            assert (done.returncode, told["traces"] if command == "import" else len(told["traces"])) == (0, 1), done.stderr

    @pytest.mark.parametrize("words", [["import", "a"], ["import", "good.jsonl", "--documents", "a"], ["evaluate", "a"], ["calibrate", "a"], ["retrieval", "a", "a"]])
    def test_links_that_lead_in_a_circle_are_told(self, words: list[str], tmp_path: Path) -> None:
        """One sentence, no traceback; beside good files it costs itself alone."""
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        (tmp_path / "good.jsonl").write_text(self.ROW, encoding="utf-8")

        check_one_clear_sentence(ragviz(*words, "--store", "s.db", cwd=tmp_path) if words[0] == "import" else ragviz(*words, cwd=tmp_path))
        assert ragviz("import", "good.jsonl", "a", "--store", "s.db", cwd=tmp_path).returncode == 0

    @pytest.mark.parametrize("out", [".", "..", "folder", "/"])
    @pytest.mark.parametrize("words", [["evaluate", "good.jsonl", "--html"], ["gate", "good.jsonl", "--against", "good.jsonl", "--junit"]])
    def test_a_folder_is_no_file_to_write(self, words: list[str], out: str, tmp_path: Path) -> None:
        """Told before anything is written."""
        (tmp_path / "folder").mkdir()
        (tmp_path / "good.jsonl").write_text(self.ROW, encoding="utf-8")
        done = ragviz(*words, out, cwd=tmp_path)

        check_one_clear_sentence(done)
        assert "folder" in done.stderr
