"""
How long the Inspector takes in a real browser: a trace of 1,000 claims and 50 passages of 6,000 characters.

    python benchmarks/speed_inspector.py [--rounds 3] [--app app.py]

Cold: the first page of a server process that has just said it is ready; each round starts a new one. Warm: the next session of the same process.
First sight: answer with its first claims and the first passages are painted. All of it: every claim and every passage is in the page.
Seconds are wall clock from the address being typed; beside them the CPU seconds of the server and of the browser's page, which other work on the
machine does not lengthen as much. A click is timed inside the page, from the event to the lit evidence being in sight; re-judging one claim from the
press of the button to the sentence that says it is done.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from ragviz.store import open_store
from tests.browser.large_trace import a_large_case
from tests.browser.scenario import a_rich_case
from tests.stored import fill

REPO = Path(__file__).resolve().parents[1]
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-headless-shell")
CLICKED = ("c4", "c301", "c601", "c901", "c16")
TICK = os.sysconf("SC_CLK_TCK")

WATCH = """
window.__sight = {};
const look = () => {
  const root = [...document.querySelectorAll('*')].map((x) => x.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  if (root?.querySelector('.ans .cl') && root.querySelector('.psg .tx')) {
    window.__sight.first ??= performance.now();
    if (root.querySelector('.cl[data-claims~="c1000"]') && root.querySelectorAll('.psg').length >= 50) { window.__sight.all = performance.now(); return; }
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""A frame callback runs before its own painting: what it sees was put there before, and is painted with this frame at the latest."""

CLICK = """(id) => {
  const root = [...document.querySelectorAll('*')].map((n) => n.shadowRoot).find((r) => r && r.querySelector('#viewer'));
  const run = root.querySelector(`.cl[data-claims~="${id}"]`);
  const start = performance.now();
  run.click();
  const pane = root.querySelector('.pane').getBoundingClientRect();
  const first = root.querySelector('.ev.lit').getBoundingClientRect();
  if (first.top < pane.top || first.bottom > pane.bottom) throw new Error('evidence out of sight');
  return performance.now() - start;
}"""


@contextmanager
def server(store: Path, app: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A fresh process that has said it is ready, and how long that took."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port), "--server.fileWatcherType", "none"]
    process = subprocess.Popen(
        command, cwd=REPO, env={**os.environ, "RAGVIZ_STORE": str(store), "PYTHONPATH": str(REPO)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):
                    break
            except OSError:
                time.sleep(0.05)
        yield url, process
    finally:
        process.terminate()
        process.wait(timeout=20)


def cpu(process: subprocess.Popen[bytes]) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def visit(browser: Browser, url: str, process: subprocess.Popen[bytes]) -> dict[str, float]:
    """One session that opens the large trace by its address."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    sizes: list[int] = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: sizes.append(len(frame))))
    page.add_init_script(WATCH)
    meter = context.new_cdp_session(page)
    meter.send("Performance.enable")
    before = cpu(process)
    page.goto(f"{url}/inspector?trace=large", wait_until="commit")
    page.wait_for_function("() => window.__sight.first")
    seen = page.evaluate("window.__sight.first") / 1000
    at_sight = cpu(process) - before
    tasks = {m["name"]: m["value"] for m in meter.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
    page.wait_for_function("() => window.__sight.all")
    result = {"first sight s": seen, "all of it s": page.evaluate("window.__sight.all") / 1000, "server CPU s": at_sight, "page CPU s": tasks}
    page.wait_for_function("() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'")
    result |= {"click ms": statistics.median(page.evaluate(CLICK, claim) for claim in CLICKED), "largest message MB": max(sizes) / 1e6}
    context.close()
    return result


def rejudge(browser: Browser, url: str) -> dict[str, float]:
    """One claim of an ordinary trace to the local judge again, from the press to the sentence."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(400_000)  # the first time loads the embedding model
    times = []
    for _ in range(3):
        page.goto(f"{url}/inspector?run=small&trace=tr-0417&claim=c5")  # afresh, so that the sentence of the last press is gone
        page.wait_for_selector(".st-key-rejudge button:enabled")
        page.wait_for_function("() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'")
        start = time.monotonic()
        page.locator(".st-key-rejudge button").click()
        page.wait_for_selector(":text('has judged c5')")
        times.append(time.monotonic() - start)
    page.close()
    return {"re-judge, first s": times[0], "re-judge, later s": statistics.median(times[1:])}


def show(name: str, rows: list[dict[str, float]]) -> None:
    """Median and range of each figure."""
    for figure in rows[0]:
        values = sorted(row[figure] for row in rows)
        print(f"{name:6} {figure:20} median {statistics.median(values):8.2f}   from {values[0]:8.2f} to {values[-1]:8.2f}   n {len(values)}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--app", default="app.py")
    options.add_argument("--no-rejudge", action="store_true")
    args = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        file = Path(folder) / "store.sqlite"
        store = open_store(str(file))
        fill(store, a_rich_case(), name="small")
        fill(store, a_large_case(), name="large")
        store.close()
        path = next(c for c in CHROMIUM if Path(c).exists())
        browser = p.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        rounds: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
        again: list[dict[str, float]] = []
        for at in range(args.rounds):
            with server(file, args.app) as (url, process):
                print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
                rounds["cold"].append(visit(browser, url, process))
                rounds["warm"].append(visit(browser, url, process))
                if at == 0 and not args.no_rejudge:
                    again.append(rejudge(browser, url))
        for name, rows in rounds.items():
            show(name, rows)
        if again:
            show("", again)
        browser.close()


if __name__ == "__main__":
    main()
