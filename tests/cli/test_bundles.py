"""Whole runs as one file: they come back with their verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import FIVE, as_json, check_one_clear_sentence, ragviz


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The five cases, judged and exported, under a name that says nothing."""
    ragviz("import", FIVE, "--run", "demo", cwd=tmp_path)
    ragviz("judge", "demo", "--judge", "facts", cwd=tmp_path)
    assert ragviz("export", "demo", "demo.ragviz", cwd=tmp_path).returncode == 0
    return (tmp_path / "demo.ragviz").rename(tmp_path / "x.dat")


def test_it_comes_back_with_its_verdicts(bundle: Path, tmp_path: Path) -> None:
    """Known by content; in another store nothing is left to judge."""
    got = as_json(ragviz("import", bundle, "--store", "other.sqlite", "--json", cwd=tmp_path))
    again = ragviz("import", bundle, "--store", "other.sqlite", cwd=tmp_path)
    judged = as_json(ragviz("judge", "demo", "--judge", "facts", "--store", "other.sqlite", "--json", cwd=tmp_path))

    assert (got["run"], got["format"], got["traces"], got["issues"]) == ("demo", "bundle", 5, [])
    assert got["files"] == [{"file": "x.dat", "format": "bundle", "traces": 5, "issues": 0}]
    assert "5 of them were there before" in again.stdout
    assert (judged["traces"], judged["already_judged"], judged["pairs"]) == (0, 5, 0)


def test_it_is_evaluated_like_any_file(bundle: Path, tmp_path: Path) -> None:
    """In a store that is thrown away."""
    assert as_json(ragviz("evaluate", bundle, "--judge", "facts", "--json", cwd=tmp_path))["summary"]["faithfulness"]["macro"] == pytest.approx(0.7)  # type: ignore[index]


def test_it_may_be_renamed(bundle: Path, tmp_path: Path) -> None:
    """--run names it, as for any file."""
    assert as_json(ragviz("import", bundle, "--run", "mine", "--store", "other.sqlite", "--json", cwd=tmp_path))["run"] == "mine"
    assert ragviz("judge", "mine", "--judge", "facts", "--store", "other.sqlite", cwd=tmp_path).returncode == 0


def test_not_beside_other_files(bundle: Path, tmp_path: Path) -> None:
    """Neither named together with them nor in a folder of them; the folder's other files load."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.json").write_bytes(FIVE.read_bytes())
    (tmp_path / "folder" / "b.json").write_bytes(bundle.read_bytes())
    folder = as_json(ragviz("import", "folder", "--json", cwd=tmp_path))

    check_one_clear_sentence(ragviz("import", bundle, FIVE, cwd=tmp_path))
    assert folder["traces"] == 5
    assert "whole run" in folder["issues"][0]["message"]  # type: ignore[index]


@pytest.mark.parametrize("left", [0.3, 0.95])
def test_cut_off_it_says_so(bundle: Path, tmp_path: Path, left: float) -> None:
    """One sentence, whether its head can still be read or not."""
    data = bundle.read_bytes()
    bundle.write_bytes(data[: int(len(data) * left)])

    check_one_clear_sentence(ragviz("import", bundle, "--store", "other.sqlite", cwd=tmp_path))


def test_every_export_comes_back(tmp_path: Path) -> None:
    """As many traces as went out, whatever the ending's case; a table of claims is refused with the way out."""
    ragviz("import", FIVE, "--run", "demo", cwd=tmp_path)
    for ending in (".jsonl", ".parquet", ".csv", ".ragas.jsonl", ".ragchecker.json", ".ragviz", ".JSONL"):
        assert ragviz("export", "demo", f"out{ending}", "--judge", "facts", cwd=tmp_path).returncode == 0
        got = as_json(ragviz("import", f"out{ending}", "--store", "other.sqlite", "--json", cwd=tmp_path))
        assert (got["traces"], got["issues"]) == (5, []), ending
    ragviz("export", "demo", "out.claims.csv", "--judge", "facts", cwd=tmp_path)

    assert ragviz("export", "demo", "OUT.HTML", "--judge", "facts", cwd=tmp_path).returncode == 0
    check_one_clear_sentence(ragviz("import", "out.claims.csv", cwd=tmp_path))
    check_one_clear_sentence(ragviz("export", "demo", "out.nothing", cwd=tmp_path))
