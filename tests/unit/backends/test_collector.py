"""Processes of ragviz's own look for cycles rarely; whoever calls it from a program keeps the settings of that program."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from ragviz.backends.collector import TOUCHED
from ragviz.cli.main import main

COMMAND = "import sys; sys.argv = ['ragviz']; from ragviz.cli.main import main; main()"
WORKER = "import pickle; from ragviz.backends.processes import _begin; _begin(pickle.dumps((list, ())))"
SERVER = "from ragviz.ui import memory; memory.settle({})"


@pytest.mark.parametrize("begun", [COMMAND, WORKER, SERVER])
def test_every_process_of_our_own_looks_rarely(begun: str) -> None:
    """A command, a process that judges and the server: an eighth of what judging takes."""
    subprocess.run([sys.executable, "-c", f"import gc\n{begun}\nassert gc.get_threshold()[0] == {TOUCHED}, gc.get_threshold()"], check=True, capture_output=True)


def test_a_program_that_calls_a_command_keeps_its_settings(capsys: pytest.CaptureFixture[str]) -> None:
    """Its collector is its own."""
    before = gc.get_threshold()

    main([])

    assert before == gc.get_threshold()
