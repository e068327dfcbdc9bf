"""
What each page of the dashboard costs: server CPU and bytes sent, at the first look and at a click. One table.

    python benchmarks/speed_pages.py STORE [--pages overview,quadrants]

For a store that ``large_store.py`` made. Each page is drawn by Streamlit's own script runner, in a process that has drawn an empty page before (so that
imports are not counted). First: nothing is remembered. Again: the same page. Click: another page of rows, another cell, another cut-off, another filter.
The sample runs that an empty store would be given are left out.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

import streamlit as st
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parents[1] / "app.py"
CLICKS: dict[str, tuple[str, dict[str, str]]] = {
    "overview": ("one tag", {"tag": "language:de"}), "quadrants": ("another cell", {"cell": "fabrication"}), "traces": ("filter, sort, page", {"quadrant": "fabrication", "sort": "correctness", "p": "3"}),
    "inspector": ("another trace", {}), "retrieval": ("k = 3", {"rk": "3"}), "citations": ("another kind", {"kind": "uncited"}), "sources": ("page 2", {"p": "2"}),
}
MORE: dict[str, list[tuple[str, dict[str, str]]]] = {
    "quadrants": [("thresholds moved", {"tf": "0.6"})],
    "traces": [("words", {"q": "order 17"}), ("tag, sorted", {"tag": "language:de", "sort": "faithfulness"}), ("latency, highest", {"sort": "latency_ms", "way": "down"}), ("page 10000", {"p": "10000"})],
}
_sent = [0]


def counting() -> None:
    """Bytes of every message to the browser."""
    plain = ForwardMsgQueue.enqueue

    def enqueue(self: ForwardMsgQueue, msg: object) -> None:
        _sent[0] += msg.ByteSize()  # type: ignore[attr-defined]
        plain(self, msg)  # type: ignore[arg-type]

    ForwardMsgQueue.enqueue = enqueue  # type: ignore[method-assign, assignment]


def draw(page: str, **params: str) -> tuple[float, int]:
    """CPU seconds and bytes of one look at a page."""
    app = AppTest.from_file(str(APP), default_timeout=600)
    for name, value in {**params, "_p": page}.items():
        app.query_params[name] = value
    _sent[0], begin = 0, time.process_time()
    app.run()
    spent = time.process_time() - begin
    assert not app.exception, app.exception
    return spent, _sent[0]


def show(page: str, what: str, spent: float, sent: int) -> None:
    print(f"{page:12}{what:22}{spent * 1000:9.0f} ms CPU{sent / 1024:9.0f} KiB   (memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--pages", default=",".join(CLICKS))
    args = parser.parse_args()
    os.environ["RAGVIZ_STORE"] = str(args.store)
    counting()
    import ragviz.ui.samples

    ragviz.ui.samples.start_judging = lambda *_: None  # type: ignore[assignment]
    draw("data")
    for page in args.pages.split(","):
        st.cache_data.clear()
        st.cache_resource.clear()
        show(page, "first", *draw(page))
        show(page, "again", *draw(page))
        what, params = CLICKS[page]
        for name, changed in [(what, params), *MORE.get(page, [])]:
            show(page, name, *draw(page, **changed))


if __name__ == "__main__":
    main()
