"""
How the SDK's requests reach the service: urllib3, which costs a third of the CPU of the SDK's own transport (docs/adr/0016).

Only the last step changes hands: building requests, retries, redirects and error classes stay the SDK's. Import this when the SDK is wanted, not before.
"""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2  # what the SDK sends with
import urllib3
from urllib3 import exceptions as faults

IDLE_S = 5.0
"""After so long without a call connections are made anew, as by the SDK's own transport: what lies between may have forgotten them."""
KEPT_CONNECTIONS = 100
"""Connections kept open for the next call; more may be under way."""
PIECE_BYTES = 65_536
KEEP_ALIVE_S = 60
"""A reply may take minutes to begin; meanwhile the connection shows that it is alive."""


def lean_transport() -> LeanTransport | None:
    """None where a proxy is configured, which the SDK's own transport knows how to use."""
    return None if set(urllib.request.getproxies()) - {"no"} else LeanTransport()


class LeanTransport(httpx2.BaseTransport):
    """Keeps one pool of connections for each service; any number of threads may send."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[tuple[str, str, int | None], tuple[urllib3.HTTPConnectionPool, float]] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and read as far as the head of the reply; its body follows as it is asked for. Faults are httpx2's."""
        limits = request.extensions.get("timeout", {})
        with _told(request):
            response = self._pool(request.url).urlopen(
                request.method, request.url.raw_path.decode("ascii"), body=request.read(), headers=request.headers, retries=False, redirect=False,
                timeout=urllib3.Timeout(connect=limits.get("connect"), read=limits.get("read")), preload_content=False, decode_content=False,
            )
        return httpx2.Response(response.status, headers=list(response.headers.items()), stream=_Pieces(response, request))

    def close(self) -> None:
        """Let all connections go."""
        with self._lock:
            pools, self._pools = self._pools, {}
        for pool, _ in pools.values():
            pool.close()

    def _pool(self, url: httpx2.URL) -> urllib3.HTTPConnectionPool:
        service, now = (url.scheme, url.host, url.port), time.monotonic()
        with self._lock:
            pool, used = self._pools.get(service, (None, now))
            if pool is None or now - used > IDLE_S:
                if pool is not None:
                    pool.close()
                pool = _made(*service)
            self._pools[service] = pool, now
        return pool


class _Pieces(httpx2.SyncByteStream):
    """A reply's body as it comes."""

    def __init__(self, response: urllib3.BaseHTTPResponse, request: httpx2.Request) -> None:
        self._response, self._request = response, request

    def __iter__(self) -> Iterator[bytes]:
        with _told(self._request):
            while piece := self._response.read1(PIECE_BYTES):
                yield piece

    def close(self) -> None:
        # Read to its end, its connection is back in the pool already; broken off, the connection is of no use any more.
        self._response.close()


@contextmanager
def _told(request: httpx2.Request) -> Iterator[None]:
    """Faults of urllib3 leave as those the SDK knows."""
    try:
        yield
    except (faults.NewConnectionError, faults.SSLError) as exc:  # The first calls itself a time-out as well, which it is not.
        raise httpx2.ConnectError(str(exc), request=request) from exc
    except faults.ConnectTimeoutError as exc:
        raise httpx2.ConnectTimeout(str(exc), request=request) from exc
    except (faults.TimeoutError, TimeoutError) as exc:
        raise httpx2.ReadTimeout(str(exc), request=request) from exc
    except faults.HTTPError as exc:
        raise httpx2.RemoteProtocolError(str(exc), request=request) from exc


def _made(scheme: str, host: str, port: int | None) -> urllib3.HTTPConnectionPool:
    options: dict[str, Any] = {"maxsize": KEPT_CONNECTIONS, "socket_options": socket_options()}
    if scheme == "https":
        return urllib3.HTTPSConnectionPool(host, port, ssl_context=httpx2.create_ssl_context(), **options)
    return urllib3.HTTPConnectionPool(host, port, **options)


def socket_options() -> list[tuple[int, int, int]]:
    """At once instead of in larger packets, and alive while a reply is thought over; as far as this system knows the options."""
    wanted = {"TCP_KEEPIDLE": KEEP_ALIVE_S, "TCP_KEEPINTVL": KEEP_ALIVE_S, "TCP_KEEPCNT": 5}
    known = [(socket.IPPROTO_TCP, getattr(socket, name), value) for name, value in wanted.items() if hasattr(socket, name)]
    return [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), *known]


__all__ = ["LeanTransport", "lean_transport", "socket_options"]
