"""``/overview`` for those who type it or were sent it: Streamlit serves the first page at ``/`` only, and calls its name "not found"."""

from __future__ import annotations

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

NAME = "overview"


class FirstPage:
    """ASGI middleware: sends the first page's name to where that page is, its query with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or scope.get("method") not in ("GET", "HEAD") or path.rstrip("/").rpartition("/")[2] != NAME:
            await self._app(scope, receive, send)
            return
        query = scope.get("query_string", b"").decode("latin-1")
        # Relative, so that a server under a path of its own stays there, whatever a proxy calls it.
        await RedirectResponse(("../" if path.endswith("/") else "./") + (f"?{query}" if query else ""))(scope, receive, send)
