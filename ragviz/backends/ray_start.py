"""Ray started, or joined, without a word on the terminal, and its faults in one sentence."""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Iterator
from typing import Any

from ragviz.errors import BackendError, SetupError

LOCAL_STORE_BYTES = 256 * 2**20
"""Memory for batches under way of a cluster on this machine; a batch has some hundred kilobytes."""
BECAUSE = "The above exception was the direct cause of the following exception"
"""Between two faults in Python's text of a traceback."""
RAISED = re.compile(r"[A-Za-z_][\w.]*(: |$)")
"""A line of a traceback that names what was raised; lines of code are indented."""


def start(ray: Any, address: str | None, n_workers: int | None) -> None:
    """
    Join the cluster at an address, or start one on this machine.

    Raises:
        SetupError: Neither works; says what may help.
    """
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": True}
    try:
        if address is not None:
            with _quiet_stderr():
                ray.init(address=address, **quiet)
            return
        _start_here(ray, num_cpus=n_workers, include_dashboard=False, object_store_memory=LOCAL_STORE_BYTES, **quiet)
    except Exception as exc:  # Ray raises its own kinds and bare ones alike
        where = f"no Ray cluster answers at {address}" if address is not None else "Ray cannot start on this machine"
        raise SetupError(
            f"{where}: {(str(exc) or type(exc).__name__).splitlines()[0][:200]}",
            fix="start one with `ray start --head`, or leave --address out" if address is not None else "check free memory and /dev/shm, then try again",
        ) from exc


def _start_here(ray: Any, **settings: object) -> None:
    """Ray gives its own servers half a minute to come up, which is too short on a busy machine: three tries."""
    for left in (2, 1, 0):
        try:
            with _quiet_stderr():
                ray.init(**settings)
        except Exception as exc:
            ray.shutdown()
            if not left or "timed out during startup" not in str(exc):
                raise
        else:
            return


@contextlib.contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Ray's core greets on the file descriptor itself, past Python; its faults are raised."""
    try:
        before = os.dup(2)
    except OSError:  # closed by the caller, as in `ragviz … 2>&-`
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


def quiet_ray() -> Any:
    """Ray with its progress bars and advice switched off, and without its reports to its makers."""
    import ray  # noqa: PLC0415 - seconds, and only for who asks for it
    import ray.data  # noqa: PLC0415
    from ray._common.usage import usage_lib  # noqa: PLC0415 - there is no public switch but the environment

    usage_lib.set_usage_stats_enabled_via_env_var(False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # Its faults come back as exceptions and are told in one sentence; beside that, and after Ctrl+C, its traceback would only frighten.
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def told(fault: BaseException) -> BackendError:
    """A fault of Ray in one sentence."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    missing = next((line for line in lines if line.startswith("ModuleNotFoundError")), None)
    if missing is not None:
        return BackendError(f"a worker of the Ray cluster lacks a package ({missing})", fix="install the same ragviz with the same extras on every node")
    said = _root(fault) or (lines[-1] if lines else type(fault).__name__)
    return BackendError(
        f"Ray stopped the work: {said[:300]}",
        fix="start the same command again: what was finished is kept; Ray's own logs say more (/tmp/ray/session_latest/logs)",
    )


def _root(fault: BaseException) -> str | None:
    """What a worker's own code raised, under the faults that Ray wraps around it; None where only Ray speaks."""
    waiting, seen = [fault], set[int]()
    while waiting:
        exc = waiting.pop(0)
        if id(exc) in seen:
            continue
        seen.add(id(exc))
        if not any(kind.__module__.split(".")[0] == "ray" for kind in type(exc).__mro__):
            text = next((line.strip() for line in str(exc).splitlines() if line.strip()), "")
            return f"{type(exc).__name__}: {text}" if text else type(exc).__name__
        # Not __context__: what Ray was busy with while it noticed a dead worker is no reason.
        waiting += [inner for inner in (getattr(exc, "cause", None), exc.__cause__) if isinstance(inner, BaseException)]
    # A fault that came from another process has lost its causes: its text still holds their tracebacks, the outermost last.
    for part in reversed(str(fault).split(BECAUSE)[:-1]):
        lines = part.splitlines()
        after = max((i for i, line in enumerate(lines) if line.lstrip().startswith("File ")), default=-1) + 1
        raised = next((line for line in lines[after:] if RAISED.match(line)), None)
        if raised is not None and not raised.startswith("ray."):
            return raised.strip()
    return None
