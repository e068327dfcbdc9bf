"""
Asks scripts for help, as ``python SCRIPT --help`` would: each in a process of its own, in an empty folder of its own.

They are forked off one that has read what most of them import: thirty interpreters that each read it again would take a minute of both processors.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SHARED = (
    "numpy",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "scipy.stats",
    "streamlit.proto.ForwardMsg_pb2",
    "ragviz.pipeline",
    "ragviz.judges.local",
    "ragviz.testing",
)


class Helped(NamedTuple):
    """What one script answered."""

    code: int
    out: str
    errors: str
    left: list[str]
    """Names of what it put into its folder."""


def ask(script: Path, folder: Path) -> Helped:
    """One child; ``folder`` is made."""
    place = folder / "place"
    place.mkdir(parents=True)
    pid = os.fork()
    if pid == 0:
        _child(script, folder, place)
    _, status = os.waitpid(pid, 0)
    return Helped(os.waitstatus_to_exitcode(status), (folder / "out").read_text(), (folder / "errors").read_text(), [path.name for path in place.iterdir()])


def _child(script: Path, folder: Path, place: Path) -> None:
    code = 1
    try:
        for stream, name in ((1, "out"), (2, "errors")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), stream)
        os.chdir(place)
        sys.argv, sys.path[0] = [str(script), "--help"], str(script.parent)
        runpy.run_path(str(script), run_name="__main__")
        code = 0
    except SystemExit as exc:
        code = exc.code if isinstance(exc.code, int) else int(exc.code is not None)
    except BaseException:  # noqa: BLE001 - told as Python would tell it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main(folder: str, scripts: Sequence[str]) -> None:
    """A line of JSON for each script."""
    for name in SHARED:
        importlib.import_module(name)
    for n, script in enumerate(scripts):
        print(json.dumps(ask(Path(script), Path(folder) / str(n))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
