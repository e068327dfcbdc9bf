"""Real requests at a real server: what it answers to, what it refuses, and what it tells the browser."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.reliability.servers import REPO, ask, opened

PATHS = ("/", "/inspector?trace=q01", "/data", "/_stcore/health", "/_stcore/host-config", "/media/nothing.csv", "/no/such/page", "/static/nothing.js")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A dashboard that also answers to dash.test."""
    with opened(tmp_path_factory.mktemp("doors"), "--allowed-host", "dash.test") as port:
        yield port


def websocket(port: int, *, host: str, origin: str | None) -> int:
    """Status of an attempt to open the dashboard's websocket; 101 when it opens."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as sock:
        try:
            with connect(f"ws://{host}/_stcore/stream", sock=sock, origin=origin, open_timeout=300):
                return 101
        except InvalidStatus as exc:
            return exc.response.status_code


@pytest.mark.parametrize("path", PATHS)
def test_every_reply_forbids_frames_foreign_scripts_and_referrers(port: int, path: str) -> None:
    """Pages, files, health and misses alike."""
    reply = ask(port, path)
    policy = dict(part.strip().partition(" ")[::2] for part in (reply.getheader("Content-Security-Policy") or "").split(";"))

    assert "'none'" == policy["frame-ancestors"] == policy["default-src"] == policy["object-src"]
    assert re.fullmatch(r"'self' blob: 'wasm-unsafe-eval'( 'sha256-[A-Za-z0-9+/=]{44}')+", policy["script-src"])
    assert f"'self' ws://127.0.0.1:{port} wss://127.0.0.1:{port}" == policy["connect-src"]
    assert ("DENY", "nosniff", "no-referrer") == tuple(reply.getheader(h) for h in ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy"))
    assert "camera=()" in (reply.getheader("Permissions-Policy") or "")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test", "localhost@evil.test", "evil.test:8501", ""])
def test_a_name_that_was_not_allowed_gets_no_file(port: int, path: str, host: str) -> None:
    """A page of evil.test whose name was made to point here (DNS rebinding) reads nothing."""
    reply = ask(port, path, Host=host)

    assert 400 == reply.status


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "dash.test", "dash.test:8501"])
def test_the_allowed_names_get_their_page(port: int, host: str) -> None:
    """This machine's names, and the one that was added."""
    assert 200 == ask(port, "/", Host=host).status


@pytest.mark.parametrize(("host", "origin", "status"), [
    ("localhost", "http://localhost", 101),
    ("dash.test", "http://dash.test", 101),
    ("127.0.0.1", None, 101),
    ("127.0.0.1", "http://evil.test", 403),
    ("127.0.0.1", "null", 403),
    ("127.0.0.1", "http://127.0.0.1.evil.test", 403),
    ("evil.test", "http://evil.test", 400),
    ("evil.test", None, 400),
])
def test_only_our_own_page_opens_the_websocket(port: int, host: str, origin: str | None, status: int) -> None:
    """All data travel over it: another site's page is refused, and so is our page under another name."""
    own = f"{host}:{port}"

    assert status == websocket(port, host=own, origin=origin and origin.replace(f"//{host}", f"//{own}") if status == 101 else origin)


def test_a_file_is_not_taken_without_the_pages_token(port: int) -> None:
    """Another site's form cannot upload."""
    assert 403 == ask(port, "/_stcore/upload_file/session/file", method="PUT", Origin="http://evil.test").status


@pytest.mark.parametrize(
    "path",
    ["/static/../../../../etc/passwd", "/static/%2e%2e/%2e%2e/etc/passwd", "/media/..%2f..%2fetc%2fpasswd", "//etc/passwd", "/component/x/../../../etc/passwd"],
)
def test_no_path_leads_out_of_the_served_folders(port: int, path: str) -> None:
    """Whatever it answers, it is no file of this machine."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("GET", path)

    assert b"root:" not in connection.getresponse().read()
    connection.close()


def test_an_address_that_others_can_reach_is_refused(tmp_path: Path) -> None:
    """One sentence and a fix, exit 2."""
    done = subprocess.run(
        [sys.executable, "-m", "ragviz", "open", "--host", "0.0.0.0", "--no-browser"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPO), "HOME": str(tmp_path)},
    )

    assert 2 == done.returncode
    assert "other machines can reach 0.0.0.0" in done.stderr
    assert "[auth]" in done.stderr
