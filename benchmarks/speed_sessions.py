"""
Memory of the dashboard process: after its start, with every page drawn once, and for each further session. One table.

    python benchmarks/speed_sessions.py STORE [--sessions 30]

A session is a websocket as a browser's tab opens it. Each further one looks at the pages that the first has looked at, so what they show is in memory already;
what is measured is what stays of a session as long as its tab is open. No model is loaded.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from process_cpu import memory_mib
from websocket_tab import Tab, tab

from tests.reliability.load import server_at
from tests.reliability.servers import opened

STEPS = (("data",), ("traces", "inspector"), ("",), ("quadrants", "retrieval"), ("citations", "compare", "judges"), ("lab",), ("sources",), ("trends",))
"""In this order, each of them once."""
LOOKED_AT = ("", "traces", "inspector")


def look(one: Tab, pages: tuple[str, ...]) -> None:
    for page in pages:
        one.open(page)
        assert not one.faults, one.faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--sessions", type=int, default=30)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder), env={"RAGVIZ_STORE": str(args.store.resolve())}) as port:
        pid = server_at(port)
        print(f"server up                                   {memory_mib(pid):8.0f} MiB", flush=True)
        with ExitStack() as tabs:
            first = tabs.enter_context(tab(port))
            for pages in STEPS:
                look(first, pages)
                print(f"{'+ ' + ', '.join(page or 'overview' for page in pages):44}{memory_mib(pid):8.0f} MiB", flush=True)
            # The first few find room in what the allocator holds already.
            for _ in range(5):
                look(tabs.enter_context(tab(port)), LOOKED_AT)
            before = memory_mib(pid)
            for _ in range(args.sessions):
                look(tabs.enter_context(tab(port)), LOOKED_AT)
            after = memory_mib(pid)
            print(f"{args.sessions} further sessions on {len(LOOKED_AT)} pages             {after:8.0f} MiB", flush=True)
            print(f"each                                        {(after - before) / args.sessions:8.2f} MiB", flush=True)


if __name__ == "__main__":
    main()
