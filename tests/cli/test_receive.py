"""Spans of the real OpenTelemetry SDK, sent over HTTP to the real command, as judged traces."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ragviz.backends.otlp_http import OtlpApp, OtlpServer
from ragviz.cli.main import main
from ragviz.errors import SetupError
from ragviz.store import open_store
from tests.unit.pipeline.otlp_spans import CHILD, ROOT, TRACE, batch, root_span

REPO = Path(__file__).resolve().parents[2]
pytest.importorskip("opentelemetry.proto", reason="opentelemetry-proto is not installed: pip install -r requirements-dev.txt")


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes
    kind: str


def post(url: str, body: bytes, **headers: str) -> Answer:
    """One request; headers with _ for -."""
    request = urllib.request.Request(url, data=body, method="POST", headers={k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return Answer(response.status, response.read(), response.headers["content-type"])
    except urllib.error.HTTPError as exc:
        return Answer(exc.code, exc.read(), exc.headers["content-type"])


@pytest.fixture(scope="module")
def server() -> Iterator[OtlpServer]:
    """A server that takes everything but spans called "bad"."""

    def take(payload: Any) -> tuple[int, int, str]:
        spans = [s for r in payload.get("resourceSpans", ()) for scope in r["scopeSpans"] for s in scope["spans"]]
        if any(s.get("name") == "full" for s in spans):
            return 0, len(spans), "send them again later"
        bad = sum(s.get("name") == "bad" for s in spans)
        return len(spans) - bad, bad, "a bad span" if bad else ""

    with OtlpServer(OtlpApp(take, hosts=frozenset({"127.0.0.1"}), body_bytes=100_000), host="127.0.0.1", port=0) as made:
        yield made


class TestHttp:
    def url(self, server: OtlpServer, path: str = "/v1/traces") -> str:
        return f"http://127.0.0.1:{server.port}{path}"

    def test_json_and_gzip(self, server: OtlpServer) -> None:
        """200 and an empty object, in the sender's own format."""
        body = json.dumps(batch(root_span())).encode()

        assert post(self.url(server), body, Content_Type="application/json") == (200, b"{}", "application/json")
        assert post(self.url(server), gzip.compress(body), Content_Type="application/json; charset=utf-8", Content_Encoding="gzip").status == 200

    def test_protobuf_with_partial_success(self, server: OtlpServer) -> None:
        """One of two spans refused: 200, with the number and the reason."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

        request = ExportTraceServiceRequest()
        spans = request.resource_spans.add().scope_spans.add().spans
        spans.add(name="good", trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(ROOT))
        spans.add(name="bad", trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(CHILD))

        answer = post(self.url(server), request.SerializeToString(), Content_Type="application/x-protobuf")

        told = ExportTraceServiceResponse.FromString(answer.body)
        assert (answer.status, answer.kind) == (200, "application/x-protobuf")
        assert (told.partial_success.rejected_spans, told.partial_success.error_message) == (1, "a bad span")

    @pytest.mark.parametrize(("status", "body", "headers"), [
        (400, b"{not json", {"Content_Type": "application/json"}),
        (400, b"\xff\xff\xff", {"Content_Type": "application/x-protobuf"}),
        (400, b"[1]", {"Content_Type": "application/json"}),
        (400, b"no gzip", {"Content_Type": "application/json", "Content_Encoding": "gzip"}),
        (400, gzip.compress(b"{}" * 1000)[:-9], {"Content_Type": "application/json", "Content_Encoding": "gzip"}),
        (415, b"{}", {"Content_Type": "text/plain"}),
        (415, b"{}", {"Content_Type": "application/json", "Content_Encoding": "br"}),
        (413, b"x" * 100_001, {"Content_Type": "application/json"}),
        (413, gzip.compress(b" " * 50_000_000), {"Content_Type": "application/json", "Content_Encoding": "gzip"}),
        (403, b"{}", {"Content_Type": "application/json", "Host": "evil.example"}),
        (429, json.dumps(batch({"name": "full"})).encode(), {"Content_Type": "application/json"}),
    ], ids=["cut json", "junk protobuf", "a list", "not gzip", "cut gzip", "kind of a web page", "brotli", "large", "gzip bomb", "foreign host name", "full"])
    def test_what_is_refused(self, server: OtlpServer, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Each with its own status and a sentence."""
        answer = post(self.url(server), body, **headers)

        assert answer.status == status
        assert json.loads(answer.body)["message"]

    def test_other_addresses(self, server: OtlpServer) -> None:
        """Only one path, and only POST."""
        assert post(self.url(server, "/v1/logs"), b"{}", Content_Type="application/json").status == 404
        with pytest.raises(urllib.error.HTTPError, match="405"):
            urllib.request.urlopen(self.url(server), timeout=300)

    def test_a_token_is_asked_for(self) -> None:
        """Missing or wrong: 401."""
        with OtlpServer(OtlpApp(lambda _: (0, 0, ""), hosts=frozenset(), token="secret"), host="127.0.0.1", port=0) as made:
            url = f"http://127.0.0.1:{made.port}/v1/traces"
            assert post(url, b"{}", Content_Type="application/json").status == 401
            assert post(url, b"{}", Content_Type="application/json", Authorization="Bearer wrong").status == 401
            assert post(url, b"{}", Content_Type="application/json", Authorization="Bearer secret").status == 200

    def test_a_taken_port(self, server: OtlpServer) -> None:
        """Said in one sentence."""
        with pytest.raises(SetupError, match="cannot listen"), OtlpServer(OtlpApp(lambda _: (0, 0, ""), hosts=frozenset()), host="127.0.0.1", port=server.port):
            pass

    def test_an_open_address_is_refused(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        """Without a token or the explicit word."""
        monkeypatch.delenv("RAGVIZ_RECEIVE_TOKEN", raising=False)

        assert main(["receive", "--host", "0.0.0.0", "--port", "1"]) == 2
        assert "other machines can reach" in capsys.readouterr().err


SENDER = """
import json, sys
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

provider = TracerProvider(resource=Resource.create({"service.name": "shop", "service.version": "2.4.1"}))
provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(endpoint=sys.argv[1], compression=Compression.Gzip)))
tracer = provider.get_tracer("test")
with tracer.start_as_current_span("answer") as chain:
    chain.set_attributes({"openinference.span.kind": "CHAIN", "input.value": "How long can I return an item?", "output.value": "You can return an item within 90 days."})
    with tracer.start_as_current_span("retrieve") as retriever:
        retriever.set_attributes({
            "openinference.span.kind": "RETRIEVER", "input.value": "How long can I return an item?", "retrieval.documents.0.document.id": "returns",
            "retrieval.documents.0.document.content": "You can return an item within 30 days.", "retrieval.documents.0.document.score": 0.9,
        })
    with tracer.start_as_current_span("generate") as model:
        model.set_attributes({
            "openinference.span.kind": "LLM", "llm.model_name": "small", "llm.token_count.prompt": 120, "llm.token_count.completion": 11,
            "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "You can return an item within 90 days.",
        })
with tracer.start_as_current_span("chat small") as chat:
    chat.set_attributes({
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "small", "gen_ai.usage.input_tokens": 90, "gen_ai.usage.output_tokens": 9,
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "What does shipping cost?"}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Shipping costs 4 euros."}], "finish_reason": "stop"}]),
    })
provider.shutdown()
"""


@pytest.mark.slow
def test_spans_of_the_real_sdk_become_judged_traces(tmp_path: Path) -> None:
    """OpenInference and GenAI spans, protobuf and gzip, one request a span: in the store soon after, then judged; Ctrl+C ends it with 0."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the exporter is not installed: pip install -r requirements-dev.txt")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(REPO), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "ragviz", "receive", "--port", str(port), "--run", "live", "--judge", "local", "--store", str(tmp_path / "s.sqlite")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Receiving spans at")
        subprocess.run([sys.executable, "-c", SENDER, f"http://127.0.0.1:{port}/v1/traces"], check=True, env=environment, timeout=600)
        sent = time.monotonic()
        store = open_store(tmp_path / "s.sqlite")
        while len(found := [t for run in store.runs() for t in store.traces(run.run_id)]) < 2 and time.monotonic() < sent + 300:
            time.sleep(0.05)
        assert {t.question for t in found} == {"How long can I return an item?", "What does shipping cost?"}
        first = next(t for t in found if "return" in t.question)
        assert first.response == "You can return an item within 90 days."
        assert first.passages is not None
        assert [(p.doc_id, p.text) for p in first.passages] == [("returns", "You can return an item within 30 days.")]
        assert (first.model, first.tags["service.version"]) == ("small", "2.4.1")
        assert first.usage is not None
        assert (first.usage.tokens_in, first.usage.tokens_out) == (120, 11)
        (run,) = store.runs()
        while not any(n == 2 for _, n in store.views(run.run_id)) and time.monotonic() < sent + 600:
            time.sleep(0.2)
        assert [n for _, n in store.views(run.run_id)] == [2]
        store.close()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) == 0
    assert "2 traces stored" in process.stdout.read()
    process.stdout.close()
