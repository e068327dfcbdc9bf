"""
Takes the pictures of docs/images from the real dashboard: `python docs/take_screenshots.py [PAGE …]`. Needs Chromium and playwright.

On the sample traces; Trends on a made-up year of 24 versions (``ragviz.testing.year``), the Lab on a remedied run of the samples.
"""

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

from ragviz.loaders import write_native
from ragviz.pipeline import import_files, judge_run
from ragviz.pipeline.remedying import remedy_run
from ragviz.store import Store, open_store
from ragviz.testing import year
from ragviz.testing.year import N_VERSIONS, Year

REPO = Path(__file__).resolve().parent.parent
IMAGES = REPO / "docs" / "images"
PAGES = {
    "overview": "/?run=candidate", "quadrants": "/quadrants?run=candidate", "inspector": "/inspector?run=candidate&trace=q02&claim=c1",
    "retrieval": "/retrieval?run=candidate", "compare": "/compare?run=candidate&base=baseline",
}
MADE_PAGES = {"trends": "/trends?run=assistant", "lab": "/lab?run=candidate&result={result}"}
"""Pages that need more than the samples, which is made once the other pictures are taken: more runs would show in their boxes."""
HEIGHTS = {"lab": 1000, "trends": 1120}
DRAWN = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning' && !document.querySelector('[data-testid=stSkeleton]')"
PLACE, SEEN = "tour", "seen"
"""Where the dashboard notes that the tour was dismissed (``ragviz.ui.tour``)."""
YEAR = Year(n_traces=120, wrong=0.15, missed=0.2)
BEYOND_LATIN = 0x2E80
SETTLE_MS, FIRST_MS = 9000, 27_000


def main(names: list[str]) -> None:
    """One server, two colour schemes, every page or those named."""
    unknown = set(names).difference(PAGES, MADE_PAGES)
    if unknown:
        raise SystemExit(f"no picture of {', '.join(sorted(unknown))}; known: {', '.join([*PAGES, *MADE_PAGES])}")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "store.sqlite")
        store = open_store(address)
        store.keep(PLACE, SEEN, True)  # the guided tour would push down what the pictures are of
        store.close()
        environment = {**os.environ, "PYTHONPATH": str(REPO), "RAGVIZ_STORE": address}
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(REPO / "app.py"),
            f"--server.port={port}",
            "--server.headless=true",
            "--server.fileWatcherType=none",
        ]
        server = subprocess.Popen(command, env=environment, cwd=REPO)  # noqa: S603 - our own app
        try:
            wait_for(port)
            base = f"http://127.0.0.1:{port}"
            first = {n: p for n, p in PAGES.items() if not names or n in names}
            take(base, first or {"overview": PAGES["overview"]}, keep=bool(first))
            wanted = {n: p for n, p in MADE_PAGES.items() if not names or n in names}
            if wanted:
                store = open_store(address)
                result = made(store, Path(folder))
                store.close()
                take(base, {n: p.format(result=result) for n, p in wanted.items()})
        finally:
            server.terminate()
            server.wait()


def made(store: Store, folder: Path) -> str:
    """The year, judged; and the candidate's answers without their unsupported claims: the id of that run."""
    path = folder / "assistant.jsonl"
    with path.open("wb") as target:
        for version in range(N_VERSIONS):
            target.writelines(write_native(year.traces(YEAR, version)))
    judge_run(store, import_files(store, [path], run_name="assistant").run_id, "facts")
    candidate = next(run for run in store.runs() if run.name == "candidate")
    # The machine that takes the pictures may have no letters for all the languages of the samples.
    ids = [trace.id for trace in store.traces(candidate.run_id) if max(map(ord, trace.question)) < BEYOND_LATIN]
    return remedy_run(store, candidate.run_id, "verify", judge_name="local", trace_ids=ids).run_id


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


def take(base: str, pages: dict[str, str], *, keep: bool = True) -> None:
    """Pictures 1440 points wide, light and dark; ``keep`` False: only look, which makes the server load and judge its samples."""
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-headless-shell"), args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark") if keep else ("light",):
            page = browser.new_context(color_scheme=scheme).new_page()
            for n, (name, path) in enumerate(pages.items()):
                page.set_viewport_size({"width": 1440, "height": HEIGHTS.get(name, 1000)})
                page.goto(base + path)
                page.wait_for_timeout(FIRST_MS if (scheme, n) == ("light", 0) else SETTLE_MS)
                page.wait_for_function(DRAWN, timeout=60_000)
                if keep:
                    page.screenshot(path=IMAGES / f"{name}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
