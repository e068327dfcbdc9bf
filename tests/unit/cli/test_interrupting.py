"""Ctrl+C ends work between batches, with exit code 130 and nothing lost."""

from __future__ import annotations

import argparse
import os
import signal
import threading

import pytest

from ragviz.cli import main as command
from ragviz.cli.interrupting import stop_on_interrupt
from ragviz.errors import Cancelled


def test_the_first_one_sets_the_event() -> None:
    """Nothing is raised inside a numeric library; afterwards Ctrl+C works as before."""
    before = signal.getsignal(signal.SIGINT)
    with stop_on_interrupt() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(2)

    assert signal.getsignal(signal.SIGINT) == before


def test_the_second_one_stops_at_once() -> None:
    """For people in a hurry."""
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(2)
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(2)


def test_stopped_work_exits_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As interrupted programs do, and it says that nothing is lost."""

    class Stopped:
        @staticmethod
        def run(_args: argparse.Namespace) -> int:
            raise Cancelled("stopped")

    monkeypatch.setattr(command.importlib, "import_module", lambda _name: Stopped)

    assert command.main(["formats"]) == 130
    assert "kept" in capsys.readouterr().err
