"""A line to the server on which answers can be held back: clicks that come before the browser has heard what the last one did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOK_MS = 20
MOST_LOOKS = 9_000
"""Only ends a test that fails."""


class Line:
    """The page's connection to its server. To be laid before the page is opened."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._holding = False
        self._held: list[tuple[Any, Any]] = []
        page.route_web_socket("**/_stcore/stream", self._connect)

    def _connect(self, browser: Any) -> None:
        server = browser.connect_to_server()
        browser.on_message(server.send)
        server.on_message(lambda message: self._held.append((browser, message)) if self._holding else browser.send(message))

    @contextmanager
    def held(self) -> Iterator[None]:
        """As long as the block lasts, what the server sends does not arrive; afterwards all of it does, in order."""
        self._holding = True
        yield
        self._holding = False
        for browser, message in self._held:
            browser.send(message)
        self._held.clear()

    def wait_for_answer(self) -> None:
        """Until the server has sent something that is held back."""
        before, looks = len(self._held), 0
        while len(self._held) == before:
            self._page.wait_for_timeout(LOOK_MS)
            looks += 1
            assert looks < MOST_LOOKS, "the server said nothing to this"
