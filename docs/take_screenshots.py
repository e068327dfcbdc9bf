"""Takes the pictures of docs/images from the real dashboard on the sample traces: `python docs/take_screenshots.py`. Needs Chromium and playwright."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

REPO = Path(__file__).resolve().parent.parent
IMAGES = REPO / "docs" / "images"
PAGES = {
    "overview": "/?run=candidate", "quadrants": "/quadrants?run=candidate", "inspector": "/inspector?run=candidate&trace=q02&claim=c1",
    "retrieval": "/retrieval?run=candidate", "compare": "/compare?run=candidate&base=baseline",
}
SETTLE_MS = 9000


def main() -> None:
    """One server, two colour schemes, every page."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(REPO), "RAGVIZ_STORE": str(Path(folder) / "store.sqlite")}
        command = [sys.executable, "-m", "streamlit", "run", str(REPO / "app.py"), f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
        server = subprocess.Popen(command, env=environment, cwd=REPO)  # noqa: S603 - our own app
        try:
            wait_for(port)
            take(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait()


def wait_for(port: int) -> None:
    """Until the server answers."""
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit("the dashboard did not start")


def take(base: str) -> None:
    """Pictures of 1440 × 1000 points, light and dark."""
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            page = browser.new_context(viewport={"width": 1440, "height": 1000}, color_scheme=scheme).new_page()
            for name, path in PAGES.items():
                page.goto(base + path)
                page.wait_for_timeout(SETTLE_MS * (3 if (scheme, name) == ("light", "overview") else 1))
                page.screenshot(path=IMAGES / f"{name}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main()
