"""``ragviz open``: import what is given, then start the dashboard."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import NoReturn
from urllib.parse import urlencode

import ragviz
from ragviz.errors import SetupError
from ragviz.text.hosts import is_this_machine

FIRST_PORT, LAST_PORT = 8501, 8599


def run(args: argparse.Namespace) -> int:
    """Import, choose a port, start Streamlit, wait for it."""
    app = dashboard_file()
    refuse_open_host(args.host, understood=args.i_understand_no_auth, with_login=asks_who_comes_in(app.parent))
    environment = dict(os.environ)
    if args.i_understand_no_auth:
        environment["RAGVIZ_OPEN_TO_ALL"] = "1"
    if args.port and not is_free(args.host, args.port):
        raise SetupError(
            f"nothing can listen on port {args.port} of {args.host}: another program has it, or this machine does not give it",
            fix=f"choose another with --port, or leave --port out: the first free one from {FIRST_PORT} is taken",
        )
    query = {}
    if args.store:
        environment["RAGVIZ_STORE"] = args.store
    if args.files:
        from ragviz.cli.importing import import_with_progress, nothing_read, words  # noqa: PLC0415 - reading files is not needed to start the dashboard

        report = import_with_progress(args, args.files, run_name=args.run)
        if not report.n_traces:
            raise nothing_read(report, args.files)
        sys.stdout.write(words(report))
        query["run"] = report.run_id
    port = args.port or free_port(args.host)
    shown = "localhost" if args.host in ("127.0.0.1", "::1", "0.0.0.0", "::") else args.host  # noqa: S104 - only compared
    url = f"http://{shown}:{port}/" + (f"?{urlencode(query)}" if query else "")
    sys.stdout.write(f"ragviz is at {url}\nStop it with Ctrl+C.\n")
    sys.stdout.flush()
    return serve(app, host=args.host, port=port, headless=args.no_browser or bool(query) or not _has_screen(), environment=environment,
                 names=args.allowed_host)


def dashboard_file() -> Path:
    """The app script: beside the package in a checkout, inside it when installed."""
    package = Path(ragviz.__file__).resolve().parent
    for candidate in (package.parent / "app.py", package / "_dashboard" / "app.py"):
        if candidate.is_file() and (candidate.parent / "pages").is_dir():
            return candidate
    raise SetupError(f"the dashboard's app.py is missing beside {package.name}", fix="install ragviz again: pip install --force-reinstall ragviz")


def refuse_open_host(host: str, *, understood: bool, with_login: bool) -> None:
    """
    Refuse an address that other machines can reach.

    Raises:
        SetupError: ``host`` is not a loopback address, nobody has to sign in, and the user has not said that they understand.
    """
    if not is_this_machine(host) and not with_login and not understood:
        raise SetupError(
            f"other machines can reach {host}, and the dashboard asks nobody for a password",
            fix="leave --host out, add an [auth] section to .streamlit/secrets.toml, or add --i-understand-no-auth behind a proxy that checks who comes in",
        )


def asks_who_comes_in(app_folder: Path) -> bool:
    """Whether Streamlit's secrets, in any of the places where it looks, say who checks visitors."""
    for folder in (Path.home(), Path.cwd(), app_folder):
        path = folder / ".streamlit" / "secrets.toml"
        try:
            if tomllib.loads(path.read_text(encoding="utf-8")).get("auth"):
                return True
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as exc:
            raise SetupError(f"{path} cannot be read: {exc}", fix="correct it, or take it away") from exc
    return False


def free_port(host: str) -> int:
    """The first free port from 8501."""
    for port in range(FIRST_PORT, LAST_PORT + 1):
        if is_free(host, port):
            return port
    raise SetupError(f"no free port from {FIRST_PORT} to {LAST_PORT}", fix="choose one with --port")


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now. What a server that has just ended left behind is no hindrance, as it is none to Streamlit."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def serve(app: Path, *, host: str, port: int, headless: bool, environment: dict[str, str], names: Iterable[str] = ()) -> int:
    """Run Streamlit as a child until it ends; its exit code. ``names``: further names the server answers to."""
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(app),
        f"--server.port={port}",
        f"--server.address={host}",
        f"--server.headless={str(headless).lower()}",
    ]
    command += ["--server.fileWatcherType=none"]  # whoever changes the code starts app.py; else every tab would hold a list of all modules
    command += [f"--server.allowedHosts={name}" for name in dict.fromkeys(("localhost", "127.0.0.1", host, *names))]
    # In a session of its own, so that Ctrl+C reaches only this program: Streamlit would answer it with "Aborted!" as if something had failed.
    process = subprocess.Popen(command, env=environment, start_new_session=True)  # noqa: S603 - our own interpreter and app
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # otherwise the server would outlive this program
            signal.signal(getattr(signal, name), _interrupted)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
        return 0


def _interrupted(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
