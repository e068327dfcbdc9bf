"""The way of the SDK's requests to the service: connections, encryption, proxies, faults. A real server each time."""

from __future__ import annotations

import datetime as dt
import gzip
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from ragviz.backends import lean_transport
from ragviz.backends.anthropic_client import AnthropicClient, Prompt, Reply, request
from ragviz.errors import BackendError
from ragviz.testing import MessagesServer, Scripted, message

KEY = "sk-test-very-secret"
PROMPT = Prompt(system="s", user="u", max_tokens=100)
SCHEMA: dict[str, Any] = {"type": "object"}


class Counting(MessagesServer):
    """Knows how many connections were made to it."""

    def __init__(self, answer: Callable[[dict[str, Any]], Scripted]) -> None:
        super().__init__(answer)
        self.connections = 0
        accept = self._server.get_request

        def counted() -> Any:
            found = accept()
            self.connections += 1
            return found

        self._server.get_request = counted  # type: ignore[method-assign]


def client_of(url: str, **settings: Any) -> AnthropicClient:
    return AnthropicClient(api_key=KEY, base_url=url, **{"max_retries": 0, "timeout_s": 120.0} | settings)


def said(client: AnthropicClient, *, times: int = 1) -> list[str]:
    """Texts of the replies, or of what went wrong."""
    return [r.text if isinstance(r, Reply) else r.message for r in client.ask_many([PROMPT] * times, SCHEMA)]


@pytest.fixture(autouse=True)
def no_proxy_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class TestConnections:
    def test_are_kept(self) -> None:
        """Fifty calls, at most four at a time, four connections."""
        with Counting(lambda _: message("yes")) as server:
            assert said(client_of(server.url, max_concurrency=4), times=50) == ["yes"] * 50

        assert server.connections <= 4

    def test_are_made_anew_after_a_pause(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Something between may have forgotten the old ones without a word."""
        monkeypatch.setattr(lean_transport, "IDLE_S", 0.05)
        with Counting(lambda _: message("yes")) as server:
            client = client_of(server.url)
            said(client)
            time.sleep(0.1)
            assert said(client) == ["yes"]

        assert server.connections == 2

    def test_a_call_under_way_survives_that(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its reply comes after another call has found the pause too long."""
        monkeypatch.setattr(lean_transport, "IDLE_S", 0.05)
        with MessagesServer(lambda asked: msgspec.structs.replace(message("yes"), delay_s=0.5 if asked["system"] == "slow" else 0.0)) as server:
            client = client_of(server.url)
            with ThreadPoolExecutor(1) as pool:
                slow = pool.submit(client.ask, msgspec.structs.replace(PROMPT, system="slow"), SCHEMA)
                time.sleep(0.2)
                assert said(client) == ["yes"]
                assert slow.result().text == "yes"

    def test_closed_by_the_service_is_no_fault(self) -> None:
        """It may close after any reply; the next call makes another connection and retries nothing."""
        closing = msgspec.structs.replace(message("yes"), headers={"connection": "close"})
        with Counting(lambda _: closing) as server:
            client = client_of(server.url)
            assert [said(client), said(client)] == [["yes"], ["yes"]]

        assert server.connections == 2

    def test_a_broken_off_reply_leaves_no_connection_behind(self) -> None:
        """What is left of a cut reply is never read as the beginning of the next one."""
        replies = [Scripted(body=message("long" * 1000).body, cut_after=40), message("next")]
        with MessagesServer(lambda _: replies.pop(0)) as server:
            client = client_of(server.url)
            assert [said(client), said(client)] == [["the connection failed or was cut"], ["next"]]

    def test_a_late_reply_is_not_taken_for_the_next_one(self) -> None:
        """A call that ran out of time has given its connection up; however slow the machine, "late" is never read by another call."""
        given_up, asked = threading.Event(), []

        def answer(request: dict[str, Any]) -> Scripted:
            asked.append(request)
            if len(asked) > 1:
                return message("next")
            given_up.wait(60)
            return message("late")

        with MessagesServer(answer) as server:
            client = client_of(server.url, timeout_s=0.3)
            assert said(client) == ["no reply within 0.3 s"]
            given_up.set()
            time.sleep(0.2)
            tried = [said(client)[0]]
            while tried[-1] == "no reply within 0.3 s" and len(tried) < 50:
                tried += said(client)
            assert tried[-1] == "next"

    def test_the_options_keep_them_alive(self) -> None:
        """A reply may be thought over for minutes; the system takes every option."""
        options = lean_transport.socket_options()
        with socket.socket() as made:
            for option in options:
                made.setsockopt(*option)
            assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0


class TestReplies:
    def test_compressed(self) -> None:
        with MessagesServer(lambda _: Scripted(body=gzip.compress(message("yes").body), headers={"content-encoding": "gzip"})) as server:
            assert said(client_of(server.url)) == ["yes"]

    def test_in_chunks_of_unknown_length(self) -> None:
        body = message("yes" * 50_000).body
        parts = [body[at : at + 7_000] for at in range(0, len(body), 7_000)]
        wire = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
        with raw_server(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" + wire) as url:
            assert said(client_of(url)) == ["yes" * 50_000]

    def test_a_redirect_is_followed(self) -> None:
        """As the SDK's client does: same method, same body."""
        with MessagesServer(lambda _: message("there")) as target:
            moved = Scripted(status=307, headers={"location": f"{target.url}/v1/messages"})
            with MessagesServer(lambda _: moved) as server:
                assert said(client_of(server.url)) == ["there"]
            assert target.requests == server.requests

    def test_something_else_than_http(self) -> None:
        with raw_server(b"SSH-2.0-OpenSSH_9.7\r\n") as url:
            assert said(client_of(url)) == ["the connection failed or was cut"]


class TestRequests:
    def test_are_those_of_messages_create(self) -> None:
        """We hand the SDK a body that is encoded already; what the service gets is the same to the last header."""
        with MessagesServer(lambda _: message("yes")) as server:
            client = client_of(server.url)
            assert said(client) == ["yes"]
            client.sdk().messages.create(**request(PROMPT, SCHEMA, model=client.model))

        assert server.requests[0] == server.requests[1]
        assert server.headers[0] == server.headers[1]


class TestFaults:
    def test_nobody_listens(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            assert said(client_of(f"http://127.0.0.1:{taken.getsockname()[1]}")) == ["the connection failed or was cut"]

    def test_a_name_nobody_has(self) -> None:
        assert said(client_of("http://nowhere.invalid")) == ["the connection failed or was cut"]

    def test_the_key_is_in_no_log(self, caplog: pytest.LogCaptureFixture) -> None:
        """Not even where everything is logged."""
        with caplog.at_level(logging.DEBUG), MessagesServer(lambda _: message("yes")) as server:
            assert said(client_of(server.url)) == ["yes"]

        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        assert caplog.records
        assert KEY not in caplog.text


class TestProxies:
    def test_a_configured_one_is_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The SDK's own transport speaks with it; the service itself is never reached."""
        with MessagesServer(lambda _: message("by proxy")) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            assert lean_transport.lean_transport() is None
            assert said(client_of("http://service.invalid")) == ["by proxy"]

    def test_exceptions_alone_are_no_proxy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NO_PROXY", "localhost")

        assert lean_transport.lean_transport() is not None


class TestEncryption:
    def test_a_certificate_of_ones_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Trusted where SSL_CERT_FILE names it, as everywhere in the SDK."""
        certificate = made_certificate(tmp_path)
        with encrypted(certificate) as url:
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            assert said(client_of(url), times=3) == ["secret"] * 3

    def test_a_certificate_nobody_vouches_for(self, tmp_path: Path) -> None:
        """Refused before anything is sent."""
        with encrypted(made_certificate(tmp_path)) as url, pytest.raises(BackendError, match="the connection failed") as caught:
            client_of(url).ask(PROMPT, SCHEMA)

        assert "CERTIFICATE_VERIFY_FAILED" in str(caught.value.__cause__.__cause__ if caught.value.__cause__ else "")

    def test_a_certificate_for_another_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        certificate = made_certificate(tmp_path, address="127.0.0.2")
        with encrypted(certificate) as url:
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
            assert said(client_of(url)) == ["the connection failed or was cut"]


@contextmanager
def raw_server(reply: bytes) -> Iterator[str]:
    """Reads a request and sends these bytes, once."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                seen = b""
                while b"\r\n\r\n" not in seen or not seen.endswith(b"}"):
                    seen += connection.recv(65_536)
                connection.sendall(reply)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(5)


def made_certificate(folder: Path, *, address: str = "127.0.0.1") -> Path:
    """A key and a certificate that speaks for itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - dt.timedelta(hours=1)).not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


@contextmanager
def encrypted(certificate: Path) -> Iterator[str]:
    """The address of a server that answers "secret" to those who trust the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = MessagesServer(lambda _: message("secret"))
    server._server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a refused handshake is what two tests want
    server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
    with server:
        yield server.url.replace("http:", "https:")
