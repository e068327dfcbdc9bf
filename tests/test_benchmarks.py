"""Every benchmark can be asked what it does: asking runs nothing and leaves nothing behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helped import Helped

REPO = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(
    path for path in (REPO / "benchmarks").rglob("*.py") if ".peers" not in path.parts and 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
)


def test_every_benchmark_reads_its_options_with_argparse() -> None:
    """A script that takes words as they come has, asked for help, made a store of the name --help."""
    bare = [path.name for path in SCRIPTS if "sys.argv" in path.read_text(encoding="utf-8")]

    assert len(SCRIPTS) > 20
    assert bare == []


@pytest.fixture(scope="module")
def helped(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Helped]:
    """What each of them answers."""
    words = [sys.executable, str(REPO / "tests" / "helped.py"), str(tmp_path_factory.mktemp("helped")), *map(str, SCRIPTS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return {script: Helped(*json.loads(line)) for script, line in zip(SCRIPTS, done.stdout.splitlines(), strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_help_is_answered_and_leaves_nothing(script: Path, helped: dict[Path, Helped]) -> None:
    """Also where the packages of the peers are not installed, and from any folder."""
    answer = helped[script]

    assert (answer.code, answer.out[:6]) == (0, "usage:"), answer.errors[-500:]
    assert answer.left == []
