"""A tab of a Streamlit dashboard, ours or another: speaks the server's websocket as a browser does, and changes widgets by their label."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect


class Tab:
    """One session. What a page shows stays in ``texts``, ``tables`` and ``inputs`` until the next rerun."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._states: dict[str, WidgetState] = {}
        self._page, self._query = "", ""
        self._messages: dict[str, ForwardMsg] = {}
        self.tables: list[str] = []
        """Ids of tables whose rows can be selected."""
        self.inputs: dict[str, str] = {}
        """Ids of text inputs by label."""
        self.n_elements = 0
        self.faults: list[str] = []
        self.sent = 0
        """Bytes of the last answer."""

    def open(self, page: str, query: dict[str, str] | None = None) -> int:
        """A page, drawn to its end; bytes that came."""
        self._page, self._query, self._states = page, urlencode(query or {}), {}
        return self._run()

    def select_row(self, row: int = 0, *, table: int = 0) -> int:
        """A click on a row of a table."""
        state = WidgetState(id=self.tables[table], string_value=f'{{"selection":{{"rows":[{row}],"columns":[],"cells":[]}}}}')
        return self._changed(state)

    def write(self, label: str, text: str) -> int:
        """Text into an input, and Enter."""
        return self._changed(WidgetState(id=self.inputs[label], string_value=text))

    def _changed(self, state: WidgetState) -> int:
        self._states[state.id] = state
        return self._run()

    def _run(self) -> int:
        back = BackMsg()
        back.rerun_script.query_string, back.rerun_script.page_name = self._query, self._page
        back.rerun_script.widget_states.widgets.extend(self._states.values())
        self._socket.send(back.SerializeToString())
        self.tables, self.inputs, self.n_elements, self.faults, self.sent = [], {}, 0, [], 0
        while True:
            raw = self._socket.recv(timeout=600)
            assert isinstance(raw, bytes)
            self.sent += len(raw)
            message = ForwardMsg()
            message.ParseFromString(raw)
            if message.WhichOneof("type") == "ref_hash":
                message = self._messages.get(message.ref_hash, message)
            elif message.hash:
                self._messages[message.hash] = message
            self._look(message)
            if message.WhichOneof("type") == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return self.sent

    def _look(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") != "delta":
            return
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        self.n_elements += kind is not None
        if kind == "dataframe" and element.dataframe.id:
            self.tables.append(element.dataframe.id)
        elif kind == "text_input":
            self.inputs[element.text_input.label] = element.text_input.id
        elif kind == "exception":
            self.faults.append(element.exception.message or element.exception.type)


@contextmanager
def tab(port: int, *, patience_s: float = 60.0) -> Iterator[Tab]:
    """A tab of the server at that port, which may still be starting."""
    until = time.monotonic() + patience_s
    while True:
        try:
            socket = connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=2**28, open_timeout=120, ping_interval=None)  # type: ignore[list-item]
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
            continue
        with socket:
            yield Tab(socket)
        return
