"""Visitors of a running dashboard who speak its own websocket, as a browser's tab does; what each click took, and the faults it showed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

PAGES = ("", "quadrants", "traces", "inspector", "retrieval", "citations", "sources", "compare", "judges", "trends", "lab", "data")
LEAST_ELEMENTS = 8
"""A page of ours with less on it than this, its frame included, is blank."""


@dataclass(frozen=True)
class Click:
    """A page with what stands in its address."""

    page: str
    query: dict[str, str]

    def __str__(self) -> str:
        return f"{self.page or 'front'}?{urlencode(self.query)}"


@dataclass
class Seen:
    """What the visitors met."""

    took: list[tuple[str, float]] = field(default_factory=list)
    """Page and seconds of wall clock, for every click that was answered."""
    faults: list[str] = field(default_factory=list)
    dropped: int = 0
    """Connections that the server's keepalive closed and the visitor opened anew, as a browser does without a word."""


def a_click(rng: random.Random, run: str, n_traces: int) -> Click:
    """Any page; every third click opens a trace, every sixth filters the list."""
    page = rng.choice((*PAGES, *("inspector",) * 4, *("traces",) * 2))
    query = {"run": run}
    if page == "inspector":
        query["trace"] = trace_id(rng.randrange(n_traces))
    elif page == "traces":
        query |= rng.choice(({"q": "kettle"}, {"page": "3"}, {"sort": "faithfulness"}, {"verdict": "contradicted"}, {"quadrant": "ungrounded_correct"}))
    return Click(page, query)


def trace_id(n: int) -> str:
    """As ``benchmarks/large_store.py`` names them."""
    return f"trace-{n:07d}"


@contextmanager
def tab(port: int) -> Iterator[ClientConnection]:
    """A connection; the visitor pings nobody, the server does."""
    with connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=2**28, open_timeout=120, ping_interval=None) as socket:  # type: ignore[list-item]
        yield socket


def draw(socket: ClientConnection, click: Click, *, patience_s: float) -> list[str]:
    """
    Ask for a page and read until it is drawn; the faults it showed.

    Raises:
        TimeoutError: Nothing came for that long.
    """
    ask = BackMsg()
    ask.rerun_script.query_string, ask.rerun_script.page_name = urlencode(click.query), click.page
    socket.send(ask.SerializeToString())
    faults, elements = [], 0
    while True:
        raw = socket.recv(timeout=patience_s)
        assert isinstance(raw, bytes)
        message = ForwardMsg()
        message.ParseFromString(raw)
        kind = message.WhichOneof("type")
        if kind in {"delta", "ref_hash"}:
            elements += 1
            if kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
                faults.append(message.delta.new_element.exception.message or message.delta.new_element.exception.type)
        elif kind == "page_not_found":
            faults.append("no such page")
        elif kind == "session_event" and message.session_event.WhichOneof("type") == "script_compilation_exception":
            faults.append("the script does not compile")
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return [*faults, *(["blank"] if elements < LEAST_ELEMENTS else [])]


def visit(port: int, until: float, seen: Seen, *, run: str, n_traces: int, think_s: float, patience_s: float, seed: int) -> None:
    """One visitor: a click, a look at the page (``think_s`` on average), the next click."""
    rng = random.Random(seed)
    while time.monotonic() < until:
        try:
            with tab(port) as socket:
                while time.monotonic() < until:
                    click, began = a_click(rng, run, n_traces), time.monotonic()
                    seen.faults += [f"{click}: {fault}" for fault in draw(socket, click, patience_s=patience_s)]
                    seen.took.append((click.page, time.monotonic() - began))
                    time.sleep(min(rng.expovariate(1 / think_s), 4 * think_s) if think_s else 0.0)
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is counted
            if "keepalive" in str(exc):
                seen.dropped += 1
            else:
                seen.faults.append(f"connection: {type(exc).__name__}: {exc}")
            time.sleep(min(1.0, max(0.0, until - time.monotonic())))
