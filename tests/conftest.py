"""Fixtures that every layer shares."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Hypothesis fails an example that takes longer than a fifth of a second, or whose inputs come slowly: a busy machine would decide what is a fault.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

REPO = Path(__file__).resolve().parent.parent


LONG = (
    "reliability/test_ray.py",
    "reliability/test_crashes.py",
    "app",
    "browser",
    "reliability",
    "cli",
    "contracts",
    "property",
    "unit/backends",
    "unit/judges",
    "unit/pipeline",
    "unit/store",
    "golden",
)
"""
Files by how long they take, the longest first: a long one that comes last leaves the other processors idle. All others are short. Two clusters never
begin at once.
"""


@functools.cache
def _place(file: Path) -> int:
    inside = file.relative_to(REPO / "tests").as_posix() if file.is_relative_to(REPO / "tests") else ""
    return next((n for n, name in enumerate(LONG) if inside.startswith(name)), len(LONG))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Long files first; among equals the order stays as random as it was. Without ``--no-loadscope-reorder`` xdist would put files with few tests
    last, which are the long ones.
    """
    items.sort(key=lambda item: _place(item.path))


def pytest_collection_finish() -> None:
    """Modules and collected tests stay as long as the process: no look for cycles needs to go through them again, and there are many."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _pages_in_this_process() -> None:
    """
    What Streamlit does with every page that runs without a server, and takes longer than the page: reading the description of every installed package
    for components of theirs, whose answer stays the same; and a look for cycles afterwards, which our server leaves out as well (``ui/starting.py``).
    """
    if "streamlit.testing.v1" not in sys.modules:
        return
    from streamlit import config
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)
    config.set_option("runner.postScriptGC", False)


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_disks() -> Iterator[None]:
    """
    A store waits for its disk at every checkpoint, as long as the rest of a small test takes, and only a failing power supply would make a difference:
    what a killed program has written is the system's. ``make reliability`` leaves stores as they are.
    """
    if os.environ.get("RAGVIZ_CRASH_ROUNDS"):
        yield
        return
    from ragviz.store import engine

    setup = engine._sqlite_setup

    @functools.wraps(setup)
    def hasty(**settings: bool) -> Callable[[Any, Any], None]:
        as_shipped = setup(**settings)

        def without_waiting(connection: Any, record: Any) -> None:
            as_shipped(connection, record)
            connection.execute("PRAGMA synchronous = OFF")

        return without_waiting

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_sqlite_setup", hasty)
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference data written by others; lies beside the checkout where it is available, and is never copied into it."""
    folder = Path(os.environ.get("RAGVIZ_SHARED", REPO.parent / "shared"))
    if not (folder / "formats").is_dir():
        pytest.skip(f"reference data not found (looked for {folder.name}/formats beside the checkout; set RAGVIZ_SHARED to its folder)")
    return folder


@pytest.fixture
def repo() -> Path:
    """The checkout."""
    return REPO


@pytest.fixture(autouse=True)
def _any_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables as a file or a pipe gets them: what another library or the caller's shell says of its terminal is left out."""
    monkeypatch.delenv("COLUMNS", raising=False)
