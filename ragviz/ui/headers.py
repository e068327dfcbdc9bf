"""
What every reply of the server says to the browser: run nothing but our own scripts, talk to nobody else, be in nobody's frame.

Handed to ``st.App`` in ``app.py``, Streamlit's own hook for ASGI middleware, so that ``streamlit run``, ``ragviz open`` and a
plain ASGI server all have it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragviz.ui.first_page import FirstPage

_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)

STEADY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Questions stand in the address of a page: no other site learns it from a link.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The same for every reply."""


def middleware() -> list[Middleware]:
    """For ``st.App``: the headers, the name the server is called by, and the first page under its own name."""
    return [Middleware(SecurityHeaders), Middleware(AllowedHosts), Middleware(FirstPage)]


def content_security_policy(host: str, inline_scripts: tuple[str, ...]) -> str:
    """
    The policy for a page served as ``host``.

    Streamlit's wire format counts 64-bit numbers in WebAssembly, which is let in; evaluating text as script is not.
    Styles may stand inline, because Streamlit and Plotly set them so; scripts may not, but for those of Streamlit's own first page,
    which are named by their hash. Components of ours arrive as text and are loaded from a ``blob:`` of the page.
    """
    # 'self' does not mean the websocket in every browser.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    hashes = "".join(f" '{made}'" for made in inline_scripts)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' blob: 'wasm-unsafe-eval'{hashes}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' blob:",
            f"connect-src 'self'{sockets}",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "frame-src 'self'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def inline_script_hashes(page: str) -> tuple[str, ...]:
    """``sha256-…`` of each inline script of an HTML page, for the policy."""
    return tuple("sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in _INLINE_SCRIPT.findall(page))


class SecurityHeaders:
    """ASGI middleware: puts the headers on every HTTP reply, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._inline = inline_script_hashes((Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        policy = content_security_policy(Headers(scope=scope).get("host", ""), self._inline)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = policy
                for name, value in STEADY.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)


class AllowedHosts:
    """
    ASGI middleware: ``server.allowedHosts`` for pages, files and uploads too. Streamlit itself asks it of the websocket only.

    An empty list allows every name, as it does in Streamlit.
    """

    def __init__(self, app: ASGIApp) -> None:
        # Read here and not when app.py is imported: a plain ASGI server has not read the configuration by then.
        names = [str(name).strip().rstrip(".") for name in st.get_option("server.allowedHosts") or ["*"]]
        as_called = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in names]
        self._checked = TrustedHostMiddleware(app, allowed_hosts=as_called, www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._checked(scope, receive, send)
