"""Signing in with an OpenID provider, end to end: a real provider on this machine, a real server, a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PATIENCE_MS, WINDOW, settled
from tests.reliability.oidc_provider import Provider, running_provider, secrets_file
from tests.reliability.servers import STREAMLIT_RUN, free_port, opened

pytest.importorskip("authlib", reason="signing in needs Authlib: pip install 'ragviz[login]'")
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def settings(folder: Path, provider: Provider, allowed: list[str] | None) -> int:
    """Writes the secrets; gives the port they are for."""
    port = free_port()
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(secrets_file(provider, port, allowed=allowed))
    return port


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A visitor nobody knows."""
    context = chromium.new_context(viewport=WINDOW)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def test_traces_are_shown_to_allowed_accounts_only(page: Any, tmp_path: Path) -> None:
    """Nobody sees a page before signing in; a stranger's account and an address nobody checked see none after it; the way out works."""
    with running_provider() as provider:
        port = settings(tmp_path, provider, ["*@nimbus.test"])
        with opened(tmp_path, "--host", "0.0.0.0", port=port):
            for path in ("", "traces", "data?_p=data"):
                page.goto(f"http://127.0.0.1:{port}/{path}")
                page.get_by_role("button", name="Sign in").wait_for()
                settled(page)
                assert page.query_selector("[data-testid=stSidebar] a") is None
                assert page.query_selector("h1") is None

            for account in ({"email": "eve@elsewhere.test"}, {"email": "eve@nimbus.test", "email_verified": False}, {"name": "no address"}):
                provider.account = account
                page.goto(f"http://127.0.0.1:{port}/")
                page.get_by_role("button", name="Sign in").click()
                page.get_by_text("This account may not see the traces here").wait_for()
                assert page.query_selector("[data-testid=stSidebar] a") is None
                page.get_by_role("button", name="Sign out").click()
                page.get_by_role("button", name="Sign in").wait_for()

            provider.account = {"email": "Ada@nimbus.test", "email_verified": True}
            page.get_by_role("button", name="Sign in").click()
            page.get_by_text("Overview").first.wait_for()
            page.get_by_text("Ada@nimbus.test").wait_for()
            page.get_by_role("button", name="Sign out").click()
            page.get_by_role("button", name="Sign in").wait_for()
            assert page.query_selector("[data-testid=stSidebar] a") is None


def test_a_public_server_without_login_shows_nothing(page: Any, tmp_path: Path) -> None:
    """Started past `ragviz open`, by Streamlit's own option: no trace is shown, and it says what to do."""
    with opened(tmp_path, "--server.address", "0.0.0.0", start=STREAMLIT_RUN) as port:
        page.goto(f"http://127.0.0.1:{port}/traces")
        page.get_by_text("it asks nobody to sign in: it shows no traces").wait_for()
        settled(page)

        assert page.query_selector("[data-testid=stSidebar] a") is None


def test_a_public_server_that_was_asked_for_shows_its_pages(page: Any, tmp_path: Path) -> None:
    """Whoever says that they understand gets what they asked for."""
    with opened(tmp_path, "--host", "0.0.0.0", "--i-understand-no-auth") as port:
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_text("Overview").first.wait_for()
        settled(page)

        assert page.query_selector("[data-testid=stSidebar] a") is not None
