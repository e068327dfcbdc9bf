"""
Streamlit servers as ``python -m streamlit run`` starts them, forked off one process that has read what all of them read: a dozen interpreters that each
read it again would take a minute of one processor.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NoReturn

REPO = Path(__file__).resolve().parents[2]
READ = ("streamlit.web.cli", "streamlit.web.server.starlette", "uvicorn", "plotly.graph_objects", "scipy.stats", "ragviz.ui.shell", "ragviz.judges.local")
VIEWS = "ragviz.ui.views"


class Nursery:
    """The process servers are forked off, started when the first is wanted."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._running: set[int] = set()

    def start(self, arguments: Sequence[str], *, folder: Path, env: Mapping[str, str], log: Path) -> int:
        """``streamlit ARGUMENTS`` in that folder; gives the process id."""
        pid = self._ask({"arguments": list(arguments), "folder": str(folder), "env": dict(env), "log": str(log)})
        self._running.add(pid)
        return pid

    def is_running(self, pid: int) -> bool:
        """Whether that server has not ended by itself."""
        return self._ask({"look": pid}) == 0

    def close(self) -> None:
        """Every server ends, then the nursery."""
        for pid in self._running:
            self._ask({"end": pid})
        if self._process is not None:
            self._process.communicate()

    def _ask(self, wish: Mapping[str, object]) -> int:
        if self._process is None:
            # One thread for arrays: threads do not survive a fork.
            env = {**os.environ, "PYTHONPATH": str(REPO), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            self._process = subprocess.Popen([sys.executable, "-m", "tests.browser.nursery"], cwd=REPO, env=env, stdin=-1, stdout=-1, text=True)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(wish) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def _serve(wish: Mapping[str, object]) -> NoReturn:
    """The forked child: all of this process becomes the server's."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        log = os.open(str(wish["log"]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(log, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.clear()
        os.environ.update(wish["env"])  # type: ignore[call-overload]
        os.chdir(str(wish["folder"]))
        from streamlit.web.cli import main

        main(list(wish["arguments"]), prog_name="streamlit")  # type: ignore[call-overload]
        code = 0
    except SystemExit as exc:
        code = exc.code if isinstance(exc.code, int) else int(exc.code is not None)
    except BaseException:  # noqa: BLE001 - told as Python would tell it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _answer(wish: Mapping[str, object], gone: set[int]) -> int:
    if "arguments" in wish:
        return os.fork() or _serve(wish)
    pid = int(str(wish.get("look") or wish["end"]))
    if pid not in gone and os.waitpid(pid, os.WNOHANG)[0]:
        gone.add(pid)
    if "end" in wish and pid not in gone:
        os.kill(pid, signal.SIGKILL)  # how a server says good-bye is looked at elsewhere (tests/reliability)
        os.waitpid(pid, 0)
        gone.add(pid)
    return int(pid in gone)


def main(wishes: IO[str], answers: IO[str]) -> None:
    """A line of JSON is a wish, a line with a number the answer to it."""
    for name in READ:
        importlib.import_module(name)
    for module in pkgutil.iter_modules(importlib.import_module(VIEWS).__path__):
        importlib.import_module(f"{VIEWS}.{module.name}")
    gone: set[int] = set()
    while line := wishes.readline():
        print(_answer(json.loads(line), gone), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
