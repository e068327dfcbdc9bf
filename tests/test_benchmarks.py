"""Every benchmark can be asked what it does: asking runs nothing and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(path for path in (REPO / "benchmarks").rglob("*.py") if ".peers" not in path.parts and 'if __name__ == "__main__":' in path.read_text(encoding="utf-8"))


def test_every_benchmark_reads_its_options_with_argparse() -> None:
    """A script that takes words as they come has, asked for help, made a store of the name --help."""
    bare = [path.name for path in SCRIPTS if "sys.argv" in path.read_text(encoding="utf-8")]

    assert len(SCRIPTS) > 20
    assert bare == []


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_help_is_answered_and_leaves_nothing(script: Path, tmp_path: Path) -> None:
    """Also where the packages of the peers are not installed, and from any folder."""
    done = subprocess.run([sys.executable, str(script), "--help"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)

    assert (done.returncode, done.stdout[:6]) == (0, "usage:"), done.stderr[-500:]
    assert list(tmp_path.iterdir()) == []
