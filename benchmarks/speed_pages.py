"""
What each page of the dashboard costs: server CPU, bytes sent, memory, at the first look and at a click. One table.

    python benchmarks/speed_pages.py STORE [--pages overview,quadrants] [--rounds 3] [--query base=RUN]

For a store that ``large_store.py`` or ``repeat_store.py`` made. A server is started for each page, as users start it; a tab speaks its websocket as a browser
does. "First": the server has drawn the Data page, nothing of the run is in memory. "Again": the same page. Clicks come after those: another page of rows,
another cell, another cut-off, another filter, ``--rounds`` of them where there are so many; the median is shown. CPU is the whole process's, by the kernel's
own clock.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from process_cpu import cpu_s, memory_mib
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection

from tests.reliability.load import server_at
from tests.reliability.servers import opened
from tests.reliability.visitors import tab

Query = dict[str, str]
CLICKS: dict[str, list[tuple[str, list[Query]]]] = {
    "overview": [("one tag", [{"tag": "language:de"}, {"tag": "language:fr"}, {"tag": "topic:repairs"}]), ("back to the whole run", [{}])],
    "quadrants": [("another cell", [{"cell": "fabrication"}, {"cell": "extra_claim"}, {"cell": "wrong_mirror"}]), ("line moved", [{"tf": "0.6"}, {"tf": "0.7"}, {"tc": "0.6"}])],
    "traces": [
        ("filter, sort, page", [{"quadrant": "fabrication", "sort": "correctness", "p": "3"}, {"quadrant": "good", "sort": "relevance", "p": "2"}, {"verdict": "contradicted", "sort": "faithfulness"}]),
        ("words", [{"q": "order 17"}, {"q": "warranty kettle"}, {"q": "blender"}]), ("tag, sorted", [{"tag": "language:de", "sort": "faithfulness"}, {"tag": "topic:returns", "sort": "correctness"}]),
        ("latency, highest", [{"sort": "latency_ms", "way": "down"}]), ("page 1000", [{"p": "1000"}, {"p": "1500"}]),
    ],
    "inspector": [("another trace", [{"trace": "trace-0000777"}, {"trace": "trace-0001234"}, {"trace": "trace-0009000"}])],
    "retrieval": [("another k", [{"rk": "3"}, {"rk": "7"}, {"rk": "10"}])], "citations": [("another kind", [{"kind": "uncited"}])], "sources": [("page 2", [{"p": "2"}, {"p": "3"}])],
    "trends": [("by week", [{"by": "week"}]), ("by version again", [{"by": "version"}, {}]), ("by day", [{"by": "day"}])], "judges": [],
    "compare": [
        ("another list", [{"answers": "quadrant"}, {"answers": "correct"}]), ("one tag", [{"slice": "tag: topic=returns"}, {"slice": "tag: language=en"}]),
        ("another metric by slice", [{"of": "correctness"}, {"of": "hallucination"}]), ("all metrics of a tag", [{"all": "all", "slice": "tag: topic=repairs"}, {"all": "all", "slice": "answer length=medium"}]),
        ("page 2, better", [{"p": "2", "flips": "better"}, {"p": "3", "cp": "2"}]),
    ],
    "lab": [],
}


def ask(socket: ClientConnection, page: str, query: Query) -> int:
    """A page with what stands in its address, read to its end: bytes that came."""
    back = BackMsg()
    back.rerun_script.query_string, back.rerun_script.page_name = urlencode(query), "" if page == "overview" else page
    socket.send(back.SerializeToString())
    sent = 0
    while True:
        raw = socket.recv(timeout=600)
        assert isinstance(raw, bytes)
        sent += len(raw)
        message = ForwardMsg()
        message.ParseFromString(raw)
        kind = message.WhichOneof("type")
        assert kind != "delta" or message.delta.new_element.WhichOneof("type") != "exception", message.delta.new_element.exception
        if kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return sent


def show(page: str, what: str, spent: Sequence[float], sent: int, pid: int) -> None:
    print(f"{page:12}{what:24}{statistics.median(spent) * 1000:9.0f} ms CPU{sent / 1024:9.0f} KiB   memory {memory_mib(pid):.0f} MiB", flush=True)


IDLE_S = 0.1
"""CPU seconds within a second that the server's own timers may take."""


def behind(pid: int) -> float:
    """CPU seconds that the server works on by itself, until it has done next to nothing for two seconds."""
    begin = before = cpu_s(pid)
    idle = 0
    while idle < 2:
        time.sleep(1)
        now = cpu_s(pid)
        idle, before = (idle + 1 if now - before < IDLE_S else 0), now
    return before - begin


def measure(socket: ClientConnection, pid: int, page: str, rounds: int, always: Query) -> None:
    looks: list[tuple[str, list[Query]]] = [("first", [{}]), ("again", [{}, {}, {}][:rounds]), *((what, queries[:rounds]) for what, queries in CLICKS[page])]
    for what, queries in looks:
        spent, sent = [], 0
        for query in queries:
            begin = cpu_s(pid)
            sent = max(sent, ask(socket, page, always | query))
            spent.append(cpu_s(pid) - begin)
        show(page, what, spent, sent, pid)
        if what == "first" and (worked := behind(pid)) > 2 * IDLE_S:
            show(page, "in the background", [worked], 0, pid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--pages", default=",".join(CLICKS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--query", default="", help="stands in the address of every look: base=RUN for Compare")
    args = parser.parse_args()
    for page in args.pages.split(","):
        with tempfile.TemporaryDirectory() as folder, opened(Path(folder), env={"RAGVIZ_STORE": str(args.store.resolve())}) as port:
            pid = server_at(port)
            with tab(port) as socket:
                ask(socket, "data", {})
                measure(socket, pid, page, args.rounds, dict(parse_qsl(args.query)))


if __name__ == "__main__":
    main()
