"""A real browser against a real server, both started here and stopped again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ragviz.records import JudgedTrace
from ragviz.store import Store, open_store
from tests.stored import fill

CHROMIUM = "/usr/bin/chromium"
REPO = Path(__file__).resolve().parents[2]

WRAPPER = '''"""The dashboard with one more judge: one that takes three seconds."""
import streamlit as st

if __name__ == "__main__":
    from ragviz.judges import judges
    from ragviz.ui.shell import run_app
    from tests.browser.slow_judge import SlowJudge
    if "slow" not in judges.names():
        judges.add("slow")(SlowJudge)
    run_app(__file__)
else:
    from ragviz.ui.headers import middleware
    from ragviz.ui.starting import warm

    app = st.App(__file__, middleware=middleware(), lifespan=warm)
'''


@dataclass
class Dashboard:
    """A running server."""

    url: str
    store: Store
    log: Path


@dataclass
class Watched:
    """A page and what it complained of."""

    page: Any
    problems: list[str] = field(default_factory=list)

    def told(self) -> str:
        """The page in words, for whoever reads of a failure."""
        try:
            state, focus, text = self.page.evaluate(STANDS)
        except Exception as exc:  # noqa: BLE001 - a page that has crashed is part of the report
            return f"{self.page.url}: cannot be read: {exc}"
        return f"{self.page.url}\nscript {state}, focus on {focus}, problems {self.problems}\n{text[:MOST_SHOWN]}"


MOST_SHOWN = 6_000
STANDS = """() => [document.querySelector('[data-testid=stApp]')?.dataset.testScriptState,
  document.activeElement.tagName + ' ' + (document.activeElement.innerText || '').slice(0, 60), document.body.innerText]"""
SETTLED = """() => new Promise((done) => {
  let still = 0;
  const look = () => {
    const over = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning' && !document.querySelector('[data-stale=true]');
    still = over ? still + 1 : 0;
    still < 5 ? requestAnimationFrame(look) : done(true);
  };
  look();
})"""
"""
The script is over and stays so for five frames: the browser draws what it was sent last a moment after it has heard of the end, and a run may follow
on a run.
"""


def settled(page: Any) -> None:
    """Wait until the server has nothing more to draw and the browser has drawn it."""
    page.wait_for_selector("[data-testid=stMainBlockContainer]")
    page.wait_for_function(SETTLED)


def open_list(page: Any, box: str) -> None:
    """Open a select box's list. Scrolling closes an open list, and a click far down scrolls first: the scroll has to be over before the click."""
    field = page.locator(f"{box} input")
    field.scroll_into_view_if_needed()
    field.evaluate("""(n) => new Promise((done) => {
      let [last, still] = [n.getBoundingClientRect().top, 0];
      const look = () => { const top = n.getBoundingClientRect().top; still = top === last ? still + 1 : 0; last = top; still < 10 ? requestAnimationFrame(look) : done(); };
      requestAnimationFrame(look);
    })""")
    field.click()


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="session")
def start_dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Dashboard]]:
    """Starts servers, each with a store of its own."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*cases: JudgedTrace, name: str = "made-up", prelude: str = "") -> Dashboard:
        home = tmp_path_factory.mktemp("dashboard")
        (home / "app.py").write_text(f"{WRAPPER.partition(chr(10))[0]}\n{prelude}\n{WRAPPER.partition(chr(10))[2]}", encoding="utf-8")
        shutil.copytree(REPO / "pages", home / "pages", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(REPO / ".streamlit", home / ".streamlit")
        address = home / "store.sqlite"
        store = open_store(address)
        if cases:
            fill(store, *cases, name=name)
        port = _free_port()
        env = {**os.environ, "RAGVIZ_STORE": str(address), "PYTHONPATH": str(REPO)}
        with (home / "log.txt").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.fileWatcherType", "none"],
                cwd=home, env=env, stdout=log, stderr=subprocess.STDOUT,
            )
        running.append(process)
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                    return Dashboard(url, store, home / "log.txt")
            except OSError:
                time.sleep(0.2)
        raise AssertionError((home / "log.txt").read_text())

    yield start
    for process in running:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Headless Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what stood on the page, what had the focus and what the page complained of: most of these failures cannot be had twice."""
    report = yield
    seen = getattr(item, "funcargs", {}).get("watched")
    if report.when == "call" and report.failed and isinstance(seen, Watched):
        report.sections.append(("page", seen.told()))
    return report


@pytest.fixture
def watched(chromium: Any) -> Iterator[Watched]:
    """A page of 1440 × 1000 that notes every console error and every request that leaves this machine."""
    context = chromium.new_context(viewport={"width": 1440, "height": 1000})
    found = Watched(context.new_page())
    found.page.set_default_timeout(60_000)
    # Streamlit probes two base paths on a deep link; these two misses are its normal way of finding itself.
    found.page.on(
        "console", lambda m: found.problems.append(f"{m.type}: {m.text} {m.location}") if m.type == "error" and "_stcore" not in str(m.location) else None
    )
    found.page.on("pageerror", lambda e: found.problems.append(f"exception: {e}"))
    found.page.on(
        "request",
        lambda r: found.problems.append(f"leaves the machine: {r.url}") if not r.url.startswith(("http://127.0.0.1", "blob:", "data:", "file:")) else None,
    )
    yield found
    context.close()
