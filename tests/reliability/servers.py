"""A dashboard started as users start it, on a port of its own."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


RAGVIZ_OPEN = ("-m", "ragviz", "open", "--no-browser", "--port")
STREAMLIT_RUN = ("-m", "streamlit", "run", str(REPO / "app.py"), "--server.headless", "true", "--server.port")


@contextmanager
def opened(folder: Path, *options: str, env: Mapping[str, str] | None = None, port: int | None = None, start: tuple[str, ...] = RAGVIZ_OPEN) -> Iterator[int]:
    """``ragviz open --no-browser``, or another ``start``, until the block ends; gives the port. ``folder``: home, working folder and place of the store."""
    port = port or free_port()
    settings = {**os.environ, "PYTHONPATH": str(REPO), "HOME": str(folder), "RAGVIZ_STORE": str(folder / "store.sqlite"), **(env or {})}
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, *start, str(port), *options], cwd=folder, env=settings, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        for _ in range(3_000):
            if server.poll() is not None:
                raise AssertionError((folder / "server.log").read_text())
            try:
                if ask(port, "/_stcore/health").status == 200:
                    break
            except OSError:
                pass
            time.sleep(0.1)
        else:
            raise AssertionError((folder / "server.log").read_text())
        yield port
    finally:
        os.killpg(server.pid, 15)
        server.wait(timeout=300)


def ask(port: int, path: str, *, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """One request, read to its end; underscores in header names stand for hyphens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    response.read()
    connection.close()
    return response
