"""
What the server process does before anybody has come, so that its first page is as quick as its hundredth.

Streamlit runs the app only when a browser has connected; all that has to be loaded would be loaded while the reader waits.
"""

from __future__ import annotations

import gc
import importlib
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from streamlit import config

from ragviz.ui import memory

_COLLECT = "runner.postScriptGC"
FIRST = ("ragviz.ui.shell", "ragviz.ui.views.inspector")
"""The frame of all pages, and the page with the most to draw. Others load what is theirs alone, such as scipy, when they are opened."""


@asynccontextmanager
async def warm(_app: Any) -> AsyncIterator[None]:
    """Lifespan of the server (``st.App``): the code is loaded before it listens, the store is opened while the browser fetches the frame."""
    memory.settle(os.environ)
    for name in FIRST:
        importlib.import_module(name)
    # What is loaded now stays: the collector need not look through it again while a page with fifty thousand verdicts is made.
    gc.collect()
    gc.freeze()
    threading.Thread(target=_open_store, name="ragviz-start", daemon=True).start()
    stop = threading.Event()
    if config.get_where_defined(_COLLECT) == "<default>":
        config.set_option(_COLLECT, False)
        threading.Thread(target=memory.tend, args=(stop,), name="ragviz-memory", daemon=True).start()
    yield
    stop.set()


def _open_store() -> None:
    from ragviz.errors import RagvizError  # noqa: PLC0415 - loaded by ``warm``; this module itself must load nothing
    from ragviz.ui import resources  # noqa: PLC0415

    try:
        resources.store().runs()
    except RagvizError:
        return  # The first page meets the same fault, and says it with its fix.
