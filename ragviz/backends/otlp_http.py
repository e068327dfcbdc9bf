"""
OTLP over HTTP: ``POST /v1/traces`` as protobuf or JSON, plain or gzip, within limits.

What is answered follows https://opentelemetry.io/docs/specs/otlp/#otlphttp: 200 with ``partialSuccess`` when some spans were refused, 400 for a body that
cannot be read (tracers do not send it again), 429 when memory is full (they do).
"""

from __future__ import annotations

import hmac
import importlib.util
import json
import threading
import zlib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple, Self

from ragviz.errors import SetupError

BODY_BYTES = 16 << 20
"""Largest body, unpacked; what the OpenTelemetry Collector takes by default is 20 MiB."""
PATH = "/v1/traces"
JSON, PROTOBUF = "application/json", "application/x-protobuf"
TOO_MANY = 429
AT_ONCE = 32
"""Requests answered at the same time; further ones get 503."""

Message = MutableMapping[str, Any]
Take = Callable[[Mapping[str, Any]], tuple[int, int, str]]
"""A request's payload as JSON says it; answers how many spans were taken, how many rejected, and why."""


class Refused(Exception):
    """A request that is not answered with 200."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class _Codecs(NamedTuple):
    """What the protobuf form needs."""

    request: Any
    response: Any
    to_dict: Callable[..., dict[str, Any]]


def require() -> None:
    """
    Check that the optional package is there.

    Raises:
        SetupError: It is not.
    """
    if importlib.util.find_spec("opentelemetry") is None or importlib.util.find_spec("opentelemetry.proto") is None:
        raise SetupError("receiving spans needs the package opentelemetry-proto", fix="pip install 'ragviz[receive]'")


def _codecs() -> _Codecs:
    from google.protobuf.json_format import MessageToDict  # noqa: PLC0415 - only who receives spans waits for protobuf
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse  # noqa: PLC0415

    return _Codecs(ExportTraceServiceRequest, ExportTraceServiceResponse, MessageToDict)


class OtlpApp:
    """An ASGI application with one address to post to."""

    def __init__(self, take: Take, *, hosts: frozenset[str], token: str | None = None, body_bytes: int = BODY_BYTES) -> None:
        """
        Args:
            take: Gets each payload, in a thread of its own.
            hosts: Names this server answers to, without ports: a web page that points its own name at this machine is refused.
            token: Must come as ``Authorization: Bearer …`` when given; then any host name will do.
            body_bytes: Largest body, packed and unpacked.
        """
        self._take, self._hosts, self._token, self._body_bytes = take, hosts, token, body_bytes
        self._codecs = _codecs()

    async def __call__(self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        try:
            self._check(scope, headers, kind)
            body = await self._body(receive, headers)
            payload = self._payload(body, kind)
            n_taken, n_rejected, why = await _in_thread(self._take, payload)
            _refuse_when_full(n_taken, n_rejected, why)
            await self._answer(send, 200, self._success(kind, n_rejected, why), kind)
        except Refused as exc:
            await self._answer(send, exc.status, json.dumps({"message": exc.message}).encode(), JSON)

    def _check(self, scope: Message, headers: Mapping[str, str], kind: str) -> None:
        if scope["path"] != PATH:
            raise Refused(404, f"only {PATH} is served here")
        if scope["method"] != "POST":
            raise Refused(405, "spans are posted")
        if self._token is not None:
            given = headers.get("authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
                raise Refused(401, "the token is missing or wrong")
        elif _host_of(headers.get("host", "")) not in self._hosts:
            raise Refused(403, "this server does not answer to that host name")
        # A web page can only post these two kinds after asking, and nobody answers that question here.
        if kind not in (JSON, PROTOBUF):
            raise Refused(415, f"send {PROTOBUF} or {JSON}")
        if headers.get("content-encoding", "identity").lower() not in ("identity", "gzip", ""):
            raise Refused(415, "send it plain or with gzip")
        if headers.get("content-length", "0").isdigit() and int(headers.get("content-length", "0")) > self._body_bytes:
            raise Refused(413, f"a body of more than {self._body_bytes >> 20} MiB; send fewer spans at a time")

    async def _body(self, receive: Callable[[], Awaitable[Message]], headers: Mapping[str, str]) -> bytes:
        """The body unpacked, never more than the limit in memory."""
        unpacking = zlib.decompressobj(wbits=31) if headers.get("content-encoding", "").lower() == "gzip" else None
        parts: list[bytes] = []
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(400, "the sender left")
            more = message.get("more_body", False)
            piece = message.get("body", b"")
            try:
                piece = unpacking.decompress(piece, self._body_bytes + 1 - size) if unpacking is not None else piece
            except zlib.error as exc:
                raise Refused(400, "the body is not gzip, as its header says") from exc
            size += len(piece)
            if size > self._body_bytes:
                raise Refused(413, f"a body of more than {self._body_bytes >> 20} MiB; send fewer spans at a time")
            parts.append(piece)
        if unpacking is not None and not unpacking.eof:
            raise Refused(400, "the gzip body is cut off")
        return b"".join(parts)

    def _payload(self, body: bytes, kind: str) -> Mapping[str, Any]:
        try:
            if kind == PROTOBUF:
                message = self._codecs.request()
                message.ParseFromString(body)
                return self._codecs.to_dict(message)
            found = json.loads(body)
        except Exception as exc:  # protobuf raises its own kinds, json several
            raise Refused(400, f"the body cannot be read as {kind} ({type(exc).__name__})") from exc
        if not isinstance(found, dict):
            raise Refused(400, "an object with resourceSpans is expected")
        return found

    def _success(self, kind: str, n_rejected: int, why: str) -> bytes:
        if kind == JSON:
            return json.dumps({"partialSuccess": {"rejectedSpans": str(n_rejected), "errorMessage": why}} if n_rejected else {}).encode()
        answer = self._codecs.response()
        if n_rejected:
            answer.partial_success.rejected_spans = n_rejected
            answer.partial_success.error_message = why
        return bytes(answer.SerializeToString())

    async def _answer(self, send: Callable[[Message], Awaitable[None]], status: int, body: bytes, kind: str) -> None:
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        if status in (TOO_MANY, 503):
            headers.append((b"retry-after", b"5"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _refuse_when_full(n_taken: int, n_rejected: int, why: str) -> None:
    """Nothing could be taken for now: the tracer is to send it again."""
    if n_rejected and not n_taken and "later" in why:
        raise Refused(TOO_MANY, why)


def _host_of(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lstrip("[").lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


async def _in_thread(take: Take, payload: Mapping[str, Any]) -> tuple[int, int, str]:
    import asyncio  # noqa: PLC0415 - only the server needs it

    return await asyncio.to_thread(take, payload)


class OtlpServer:
    """The application behind a socket, in a thread; ``with`` starts and stops it."""

    def __init__(self, app: OtlpApp, *, host: str, port: int) -> None:
        import uvicorn  # noqa: PLC0415 - comes with the dashboard; only who receives spans waits for it

        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                log_level="error",
                access_log=False,
                limit_concurrency=AT_ONCE,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=3,
                lifespan="off",
            )
        )
        self._host, self._wanted = host, port
        self._thread = threading.Thread(target=self._serve, name="ragviz-otlp", daemon=True)
        self._failed = False

    def _serve(self) -> None:
        try:
            self._server.run()
        except (SystemExit, OSError):
            self._failed = True

    def __enter__(self) -> Self:
        """
        Listen.

        Raises:
            SetupError: The address is taken, or not ours.
        """
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.02)
            if not self._thread.is_alive():
                raise SetupError(f"cannot listen on {self._host}, port {self._wanted}", fix="another program may use it: choose another one with --port")
        return self

    @property
    def port(self) -> int:
        """Where it listens; also when 0 was asked for."""
        return int(self._server.servers[0].sockets[0].getsockname()[1])

    def __exit__(self, *_: object) -> None:
        """Answer what has come in, then stop."""
        self._server.should_exit = True
        self._thread.join(10)
