"""The command line in clumsy and hostile hands: one sentence, the right exit code, the promised shape."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import as_json, ragviz


class TestImport:
    def test_a_file_without_questions_says_null(self, tmp_path: Path) -> None:
        """Not an empty text: the file cannot say what was asked."""
        (tmp_path / "answers.json").write_text(json.dumps([{"answer": "a", "contexts": ["p", "q"]}]), encoding="utf-8")

        assert as_json(ragviz("import", "answers.json", "--json", cwd=tmp_path))["first"] == {"question": None, "passages": 2}
