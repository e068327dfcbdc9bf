"""The first page under its own name."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from ragviz.ui.first_page import FirstPage


async def _page(_request: object) -> PlainTextResponse:
    return PlainTextResponse("served")


@pytest.fixture
def client() -> TestClient:
    """A server of one page that answers everywhere."""
    return TestClient(Starlette(routes=[Route("/{rest:path}", _page)], middleware=[Middleware(FirstPage)]), follow_redirects=False)


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ("/overview", "./"),
        ("/overview?run=a%20b&base=c", "./?run=a%20b&base=c"),
        ("/overview/", "../"),
        ("/rv/overview?run=x", "./?run=x"),
        ("/overview?u=//evil.test", "./?u=//evil.test"),
    ],
)
def test_its_name_leads_to_it(client: TestClient, asked: str, sent: str) -> None:
    """Query and base path stay; the answer never names another host."""
    reply = client.get(asked)

    assert reply.status_code == 307
    assert reply.headers["location"] == sent


@pytest.mark.parametrize("path", ["/", "/traces", "/overviews", "/overview/_stcore/health"])
def test_everything_else_is_left_alone(client: TestClient, path: str) -> None:
    """Only the name itself."""
    assert client.get(path).text == "served"
