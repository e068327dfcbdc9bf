"""Fingerprints of judges."""

from __future__ import annotations

import subprocess
import sys

from ragviz.judges import fingerprint, judges
from ragviz.judges.local import LocalJudge


def test_settings_change_the_fingerprint() -> None:
    """Answers with and without embeddings are never mixed up."""
    assert fingerprint(LocalJudge(embeddings=False)) != fingerprint(LocalJudge(embeddings=True)) or not LocalJudge().embedder.available().ok


def test_equal_settings_equal_fingerprints() -> None:
    """Two judges of one make share their cache."""
    assert fingerprint(judges.make("facts")) == fingerprint(judges.make("facts"))


def test_fingerprint_loads_no_model() -> None:
    """Known before anything heavy is imported."""
    code = "import sys; from ragviz.judges import judges, fingerprint; fingerprint(judges.make('local')); print('torch' in sys.modules)"

    assert "False" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
