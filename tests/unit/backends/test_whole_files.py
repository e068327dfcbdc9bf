"""Files that are whole, whoever writes them at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ragviz.backends.whole_files import write_whole

WRITERS = """
import multiprocessing, sys
from pathlib import Path
from ragviz.backends.whole_files import write_whole

def write(n):
    # Children of one process share the number of their main thread.
    sys.exit(0 if all(write_whole(Path(sys.argv[1]) / f"{i % 5}", bytes([n]) * (1000 * n)) for i in range(300)) else 1)

children = [multiprocessing.get_context("fork").Process(target=write, args=(n,)) for n in range(1, 5)]
[child.start() for child in children]
[child.join() for child in children]
sys.exit(sum(child.exitcode for child in children))
"""


def test_processes_do_not_meet_in_a_part(tmp_path: Path) -> None:
    """Four of them write the same five files: every write succeeds, every file is one of the four, and no part is left."""
    done = subprocess.run([sys.executable, "-c", WRITERS, str(tmp_path)], check=False, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2", "3", "4"]
    assert all((content := path.read_bytes()) == content[:1] * (1000 * content[0]) for path in tmp_path.iterdir())


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Not written, and said."""
    (tmp_path / "file").write_bytes(b"")

    assert write_whole(tmp_path / "new" / "file", b"x")
    assert not write_whole(tmp_path / "file" / "below", b"x")
