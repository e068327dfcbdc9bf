"""Held-out traces on the command line: kept apart on import, and each command that measures them counts itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import as_json, ragviz


def traces(path: Path, *, split: str | None = None, answer: str = "The sky is blue [1].") -> Path:
    """Two traces with a reference, as JSON lines."""
    rows = [
        {
            "id": f"t{n}",
            "question": f"What colour is sky {n}?",
            "answer": answer,
            "reference": "The sky is blue.",
            "contexts": ["The sky is blue."],
            **({"split": split} if split else {}),
        }
        for n in range(2)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_compare_and_evaluate_count_themselves(tmp_path: Path) -> None:
    """Two runs over the same two held-out questions: evaluated once, compared twice, three measurements; a run without any says nothing."""
    ragviz("import", traces(tmp_path / "a.jsonl"), "--split", "held-out", cwd=tmp_path)
    ragviz("import", traces(tmp_path / "b.jsonl", answer="The sky is grey."), "--split-column", "nothing", cwd=tmp_path)
    evaluated = ragviz("evaluate", "a", cwd=tmp_path)
    ragviz("compare", "a", "b", cwd=tmp_path)
    compared = ragviz("compare", "a", "b", "--json", cwd=tmp_path)
    alone = ragviz("evaluate", "b", cwd=tmp_path)

    assert "2 held-out: measured once by 1 person" in evaluated.stderr
    assert (2, 3) == (as_json(compared)["held_out"]["n"], as_json(compared)["held_out"]["measured"])  # type: ignore[index]
    assert "held-out" not in alone.stderr


def test_gate_says_how_often_its_cases_were_looked_at(tmp_path: Path) -> None:
    """Cases that are held out are counted in the user's store although the gate keeps nothing else; other cases are not."""
    gold = traces(tmp_path / "gold.jsonl", split="held-out")
    candidate = traces(tmp_path / "candidate.jsonl")
    ragviz("gate", candidate, "--against", gold, cwd=tmp_path)
    second = ragviz("gate", candidate, "--against", gold, "--json", cwd=tmp_path)
    plain = ragviz("gate", candidate, "--against", traces(tmp_path / "open.jsonl"), "--json", cwd=tmp_path)

    assert 2 == json.loads(second.stdout)["held_out"]["measured"]
    assert "measured twice" in second.stderr
    assert "held_out" not in json.loads(plain.stdout)


def test_mistakes(tmp_path: Path) -> None:
    """A split there is not, and both options at once."""
    file = traces(tmp_path / "a.jsonl")

    for args in (["--split", "secret"], ["--split", "fresh", "--split-column", "part"]):
        with pytest.raises(SystemExit) as caught:
            ragviz("import", file, *args, cwd=tmp_path)
        assert 2 == caught.value.code
