"""A small OpenID provider on this machine: signs in whoever its ``account`` says, with real tokens, codes and keys."""

from __future__ import annotations

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID, CLIENT_SECRET = "ragviz", "only-for-this-test"


class Provider:
    """Discovery, authorisation, token and keys; nobody has to type a password."""

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        self.key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})
        self.account: Mapping[str, Any] = {}
        self.codes: dict[str, str | None] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                provider._token(self)

            def log_message(self, *_: Any) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def _get(self, request: BaseHTTPRequestHandler) -> None:
        path, query = urlsplit(request.path).path, {k: v[0] for k, v in parse_qs(urlsplit(request.path).query).items()}
        if path == "/.well-known/openid-configuration":
            _json(
                request,
                {
                    "issuer": self.url,
                    "authorization_endpoint": f"{self.url}/authorize",
                    "token_endpoint": f"{self.url}/token",
                    "jwks_uri": f"{self.url}/keys",
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                },
            )
        elif path == "/keys":
            _json(request, {"keys": [self.key.as_dict(private=False)]})
        elif path == "/authorize":
            code = secrets.token_urlsafe(8)
            self.codes[code] = query.get("nonce")
            request.send_response(302)
            request.send_header("Location", f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}")
            request.end_headers()
        else:
            request.send_error(404)

    def _token(self, request: BaseHTTPRequestHandler) -> None:
        from joserfc import jwt

        form = {k: v[0] for k, v in parse_qs(request.rfile.read(int(request.headers["Content-Length"])).decode()).items()}
        given = request.headers.get("Authorization", "").removeprefix("Basic ")
        if base64.b64decode(given).decode() != f"{CLIENT_ID}:{CLIENT_SECRET}" or form["code"] not in self.codes:
            request.send_error(401)
            return
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT_ID, "sub": "1", "iat": now, "exp": now + 600, "nonce": self.codes.pop(form["code"]), **self.account}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)
        _json(request, {"access_token": secrets.token_urlsafe(8), "token_type": "Bearer", "expires_in": 600, "id_token": token})


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Until the block ends."""
    provider = Provider()
    threading.Thread(target=provider.server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        provider.server.shutdown()
        provider.server.server_close()


def secrets_file(provider: Provider, port: int, *, allowed: list[str] | None) -> str:
    """What somebody writes into ``.streamlit/secrets.toml`` for it."""
    lines = [] if allowed is None else ["[ragviz]", f"allowed_emails = {json.dumps(allowed)}"]
    return "\n".join(
        [
            *lines,
            "[auth]",
            f'redirect_uri = "http://127.0.0.1:{port}/oauth2callback"',
            f'cookie_secret = "{secrets.token_hex(16)}"',
            f'client_id = "{CLIENT_ID}"',
            f'client_secret = "{CLIENT_SECRET}"',
            f'server_metadata_url = "{provider.url}/.well-known/openid-configuration"',
            "",
        ]
    )


def _json(request: BaseHTTPRequestHandler, value: Any) -> None:
    body = json.dumps(value).encode()
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
