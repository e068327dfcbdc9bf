"""`ragviz judge --engine ray` before any cluster is asked: what is missing or does not go together is one sentence and exit code 2."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from ragviz.cli.main import main
from ragviz.pipeline import import_files
from ragviz.store import open_store
from tests.unit.pipeline.fakes import a_file


@pytest.fixture
def judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command on a run of two traces: exit code and what stderr says."""
    store = open_store(tmp_path / "s.sqlite")
    import_files(store, [a_file(tmp_path, 2)], run_name="run")
    store.close()

    def judged(*options: str) -> tuple[int, str]:
        try:
            code = main(["judge", "run", "--store", str(tmp_path / "s.sqlite"), *options])
        except SystemExit as exc:
            code = int(str(exc.code))
        return code, capsys.readouterr().err

    return judged


def test_without_ray_one_sentence_and_the_fix(judge: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is not installed."""
    found = importlib.util.find_spec
    monkeypatch.setattr("ragviz.backends.ray_cluster.importlib.util.find_spec", lambda name, *rest: None if name == "ray" else found(name, *rest))
    code, told = judge("--engine", "ray", "--judge", "local")

    assert 2 == code
    assert told == 'Error: the ray engine cannot work here: the package ray is not installed.\nFix: pip install "ragviz[ray]".\n'


@pytest.mark.parametrize(("options", "expected"), [
    (("--address", "auto"), "speaks of a Ray cluster"),
    (("--workers", "2", "--out", "there"), "judged by this process or on Ray"),
    (("--workers", "2", "--batch"), "which further processes do not run"),
    (("--engine", "ray", "--batch"), "which the ray engine does not run"),
    (("--engine", "ray", "--max-usd", "1"), "which the ray engine does not run"),
    (("--engine", "ray", "--workers", "0"), "whole number from 1"),
    (("--engine", "ray", "--workers", "100000"), "is the most"),
    (("--workers", "100000"), "is the most"),
    (("--out", "/nowhere/out"), "holds no Parquet files"),
    (("--out", "x://y"), "no address of files"),
    (("--out", "/nowhere/out", "--limit", "3"), "judges a whole folder"),
])
def test_what_does_not_go_together_is_told(judge: Any, options: tuple[str, ...], expected: str) -> None:
    """One sentence, exit code 2."""
    code, told = judge(*options)

    assert 2 == code
    assert expected in told
    assert "Traceback" not in told


def test_a_client_address_is_refused_with_what_works(judge: Any) -> None:
    """Ray's client protocol cannot see the store."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("needs the package ray")
    code, told = judge("--engine", "ray", "--address", "ray://head:10001", "--judge", "local")

    assert 2 == code
    assert "--address auto" in told
