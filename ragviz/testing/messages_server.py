"""
A local server that speaks the Messages wire format, good and bad: the real SDK talks to it, only its base URL changes.

    with MessagesServer(answer) as server:
        client = anthropic.Anthropic(api_key="test", base_url=server.url)

``answer`` gets the decoded request and returns what to send; raise nothing there.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from ragviz.testing.chat_replies import embeddings
from ragviz.testing.scripted import Scripted

_CLAIM = re.compile(r"^(c\d+|r\d+): (.*)$", re.MULTILINE)


Answer = Callable[[dict[str, Any]], Scripted]


def message(text: str, *, model: str = "claude-test", stop_reason: str = "end_turn", tokens_in: int = 100, tokens_out: int = 50) -> Scripted:
    """A well-formed reply with one text block."""
    content = [] if stop_reason == "refusal" else [{"type": "text", "text": text}]
    return Scripted(body=json.dumps({
        "id": "msg_test", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop_reason, "stop_sequence": None,
        "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
    }).encode())


def failure(status: int, kind: str, text: str, **headers: str) -> Scripted:
    """An error reply: 401 authentication_error, 429 rate_limit_error, 529 overloaded_error …"""
    return Scripted(status=status, body=json.dumps({"type": "error", "error": {"type": kind, "message": text}}).encode(),
                    headers={name.replace("_", "-"): value for name, value in headers.items()})


def verdicts(rows: Sequence[Mapping[str, object]]) -> str:
    """The structured reply a judge asks for, as text."""
    return json.dumps({"claims": list(rows)})


def claims_in(request: Mapping[str, Any]) -> dict[str, str]:
    """Claim ids and texts that the request asks about, in order."""
    return dict(_CLAIM.findall(prompt_of(request)))


def prompt_of(request: Mapping[str, Any]) -> str:
    """All user text of a request."""
    parts: list[str] = []
    for turn in request.get("messages", ()):
        content = turn.get("content")
        parts += [content] if isinstance(content, str) else [block.get("text", "") for block in content or ()]
    return "\n".join(parts)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    """The library's 5 resets connections when more callers than that arrive at once."""


class MessagesServer:
    """Listens on a free port of this machine until closed. Every request it got is in ``requests``."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.embedded: list[dict[str, Any]] = []
        """Requests to ``/v1/embeddings``."""
        self._answer = answer
        self._batches: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        """Base URL for the SDK."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, request: dict[str, Any], headers: Mapping[str, str]) -> Scripted:
        """Record the request and ask the script."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(dict(headers))
        return self._answer(request)

    def embed(self, body: dict[str, Any]) -> Scripted:
        """Vectors of texts, in the OpenAI wire format."""
        with self._lock:
            self.embedded.append(body)
        return embeddings(body)

    def create_batch(self, body: dict[str, Any]) -> Scripted:
        """Take a batch; it has ended by the next look."""
        with self._lock:
            name = f"msgbatch_{len(self._batches) + 1}"
            self._batches[name] = body["requests"]
        return self.batch(name, status="in_progress")

    def batch(self, name: str, status: str = "ended") -> Scripted:
        """The state of a batch."""
        if name not in self._batches:
            return failure(404, "not_found_error", f"no batch {name}")
        n = len(self._batches[name])
        ended = status == "ended"
        return Scripted(body=json.dumps({
            "id": name, "type": "message_batch", "processing_status": status, "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-02T00:00:00Z",
            "ended_at": "2026-01-01T00:01:00Z" if ended else None, "archived_at": None, "cancel_initiated_at": None,
            "request_counts": {"processing": 0 if ended else n, "succeeded": n if ended else 0, "errored": 0, "canceled": 0, "expired": 0},
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }).encode())

    def batch_results(self, name: str) -> Scripted:
        """Every request of the batch answered by the script, in reverse order: the real service promises no order."""
        lines = []
        for entry in reversed(self._batches.get(name, [])):
            scripted = self.reply(entry["params"], {})
            body = json.loads(scripted.body)
            result = {"type": "succeeded", "message": body} if scripted.status == 200 else {"type": "errored", "error": body}
            lines.append(json.dumps({"custom_id": entry["custom_id"], "result": result}))
        return Scripted(body=("\n".join(lines) + "\n").encode(), headers={"content-type": "application/x-jsonl"})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # Header and body are two writes; waiting for the acknowledgement between them costs 40 ms a call.

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                if self.path.startswith("/v1/messages/batches"):
                    self._send(owner.create_batch(body))
                elif self.path.endswith("/embeddings"):
                    self._send(owner.embed(body))
                else:
                    self._send(owner.reply(body, dict(self.headers.items())))

            def do_GET(self) -> None:
                name = self.path.removeprefix("/v1/messages/batches/").split("?")[0]
                self._send(owner.batch_results(name.removesuffix("/results")) if name.endswith("/results") else owner.batch(name))

            def _send(self, scripted: Scripted) -> None:
                time.sleep(scripted.delay_s)
                self.send_response(scripted.status)
                for name, value in {"content-type": "application/json", "request-id": "req_test", **scripted.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(scripted.body)))
                self.end_headers()
                self._write(scripted)

            def _write(self, scripted: Scripted) -> None:
                body = scripted.body if scripted.cut_after is None else scripted.body[: scripted.cut_after]
                step = 64 if scripted.trickle_s else max(1, len(body))
                try:
                    for at in range(0, len(body), step):
                        self.wfile.write(body[at : at + step])
                        self.wfile.flush()
                        time.sleep(scripted.trickle_s)
                except OSError:
                    return  # The client has given up, which is what some tests want.
                if scripted.cut_after is not None:
                    self.close_connection = True
                    self.connection.close()

            def log_message(self, *_args: object) -> None:
                """Quiet."""

        return Handler
