"""What the server loads before anybody has come."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamlit.web.server.app_discovery import discover_asgi_app

LISTED = """
import asyncio, sys
from ragviz.ui.starting import warm
light = {"numpy", "sqlalchemy", "ragviz.ui.shell", "ragviz.ui.views.inspector"} & set(sys.modules)

async def start():
    async with warm(None):
        return {"numpy", "sqlalchemy", "ragviz.ui.shell", "ragviz.ui.views.inspector"} - set(sys.modules), {"torch", "scipy", "sentence_transformers"} & set(sys.modules)

print(sorted(light), *map(sorted, asyncio.run(start())))
"""


def test_the_server_finds_its_lifespan_in_the_app_file(repo: Path) -> None:
    """Streamlit looks for ``app = st.App(...)`` before it runs anything; without it the first page would load everything."""
    assert discover_asgi_app(repo / "app.py").import_string == "app:app"


def test_shell_and_inspector_are_there_before_the_first_page_and_nothing_heavier(tmp_path: Path, repo: Path) -> None:
    """Asking for the lifespan loads nothing; entering it loads frame, page and store, and no model library. A store that cannot be opened stops nothing."""
    done = subprocess.run(
        [sys.executable, "-c", LISTED],
        capture_output=True,
        text=True,
        cwd=repo,
        check=False,
        env={"PYTHONPATH": str(repo), "RAGVIZ_STORE": str(tmp_path / "no" / "such" / "x")},
    )

    assert (done.returncode, done.stdout.strip()) == (0, "[] [] []"), done.stderr
