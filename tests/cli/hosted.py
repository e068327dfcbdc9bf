"""The command line beside a local server that speaks the wire format: one key, which no output may show."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from ragviz.backends.embedder import BackendState, Embedder
from ragviz.cli.main import main

KEY = "sk-test-very-secret"


def at_home(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A folder to work in with a store of its own and the key; no embeddings."""
    monkeypatch.setattr(Embedder, "available", lambda _: BackendState(ok=False, reason="not here", fix="install"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RAGVIZ_STORE", str(folder / "store.sqlite"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def ragviz(*args: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(args))
    assert KEY not in out.getvalue() + err.getvalue()
    return code, out.getvalue(), err.getvalue()
