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
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ragviz.records import JudgedTrace
from ragviz.store import Store, open_store
from tests.browser.nursery import Nursery
from tests.stored import fill

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
"""The shell where it is installed: the same engine, without windows, whose toolbars cost as much as a page."""
REPO = Path(__file__).resolve().parents[2]

WRAPPER = '''"""The dashboard with one more judge: one that answers when a test lets it."""
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
WINDOW = {"width": 1440, "height": 1000}
PATIENCE_MS = 180_000
"""Nothing here is about speed: a wait ends when what it waits for is there, on however busy a machine. This only ends a test that fails."""
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


def in_colours(page: Any, scheme: str) -> None:
    """The page as it comes in the light or in the dark: what the server colours keeps its colours in an open page."""
    was_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme=scheme)
    if was_dark != (scheme == "dark"):
        page.reload()
    page.wait_for_function("(scheme) => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === scheme", arg=scheme)
    settled(page)
    page.wait_for_selector("h1", state="attached")


HEAD_PX, ROW_PX = 36, 28
"""Of a grid with ``row_height=28``."""


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


def press_in_row(page: Any, grid: str, row: int) -> None:
    """Press the button at the left of a grid's row, counted from 0. A grid is a picture: it is found by its measures."""
    at = page.locator(f"{grid} canvas").first.bounding_box()
    page.mouse.click(at["x"] + 28, at["y"] + HEAD_PX + ROW_PX * row + ROW_PX / 2)


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="session")
def start_dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Dashboard]]:
    """Starts servers, each with a store of its own; ``cold``: in an interpreter of its own, which has read nothing yet."""
    nursery = Nursery()
    cold_ones: list[subprocess.Popen[bytes]] = []

    def start(*cases: JudgedTrace, name: str = "made-up", prelude: str = "", cold: bool = False) -> Dashboard:
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
        run = ["run", "app.py", "--server.port", str(port), "--server.fileWatcherType", "none"]
        if cold:
            with (home / "log.txt").open("wb") as log:
                process = subprocess.Popen([sys.executable, "-m", "streamlit", *run], cwd=home, env=env, stdout=log, stderr=subprocess.STDOUT)
            cold_ones.append(process)
            is_running = partial(_is_running, process)
        else:
            is_running = partial(nursery.is_running, nursery.start(run, folder=home, env=env, log=home / "log.txt"))
        url = f"http://127.0.0.1:{port}"
        while is_running():
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=60):
                    return Dashboard(url, store, home / "log.txt")
            except OSError:
                time.sleep(0.05)
        raise AssertionError((home / "log.txt").read_text())

    yield start
    nursery.close()
    for process in cold_ones:
        process.kill()
        process.wait()


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no browser: neither chromium-headless-shell nor chromium is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what stood on the page, what had the focus and what the page complained of: most of these failures cannot be had twice."""
    report = yield
    if report.when == "call" and report.failed:
        for seen in (getattr(given, "watched", given) for given in getattr(item, "funcargs", {}).values()):
            if isinstance(seen, Watched):
                report.sections.append(("page", seen.told()))
    return report


@pytest.fixture(scope="module")
def visitor(chromium: Any) -> Iterator[Any]:
    """A browser that has been here before: what does not change is fetched and compiled once for all tests of a file, which have one server in common."""
    context = chromium.new_context(viewport=WINDOW)
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def watch(context: Any) -> Watched:
    """A new page that notes every console error and every request that leaves this machine."""
    found = Watched(context.new_page())
    # Streamlit probes two base paths on a deep link; these two misses are its normal way of finding itself.
    found.page.on(
        "console", lambda m: found.problems.append(f"{m.type}: {m.text} {m.location}") if m.type == "error" and "_stcore" not in str(m.location) else None
    )
    found.page.on("pageerror", lambda e: found.problems.append(f"exception: {e}"))
    found.page.on("dialog", lambda d: (found.problems.append(f"dialog: {d.message}"), d.dismiss()))
    found.page.on(
        "request",
        lambda r: found.problems.append(f"leaves the machine: {r.url}") if not r.url.startswith(("http://127.0.0.1", "blob:", "data:", "file:")) else None,
    )
    return found


@pytest.fixture
def watched(visitor: Any) -> Iterator[Watched]:
    """A page of 1440 × 1000 of its own."""
    found = watch(visitor)
    yield found
    for page in visitor.pages:
        page.close()
    visitor.clear_cookies()
