"""The documentation says what the code does: everything registered is described, generated pages are fresh, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from ragviz.judges import judges, raters
from ragviz.loaders import loaders
from ragviz.remedies import remedies

REPO = Path(__file__).resolve().parent.parent
PAGES = [*sorted((REPO / "docs").rglob("*.md")), *(REPO / n for n in ("README.md", "CONTRIBUTING.md", "sample_traces/README.md"))]


def a_script(name: str) -> ModuleType:
    """A generator of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(name, REPO / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["generate_cli", "generate_metrics"])
def test_generated_pages_are_fresh(name: str) -> None:
    """`make docs` was run after the last change."""
    script = a_script(name)

    assert script.PAGE.read_text(encoding="utf-8") == script.page()


@pytest.mark.parametrize("name", loaders.names())
def test_every_format_is_described(name: str) -> None:
    """docs/LOADERS.md has a word on each."""
    assert f"`{name}`" in (REPO / "docs" / "LOADERS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*judges.names(), *raters.names()])
def test_every_judge_and_rater_is_described(name: str) -> None:
    """docs/JUDGES.md has a word on each."""
    assert f"`{name}`" in (REPO / "docs" / "JUDGES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", remedies.names())
def test_every_remedy_is_described(name: str) -> None:
    """docs/REMEDIES.md has a word on each."""
    assert f"`{name}`" in (REPO / "docs" / "REMEDIES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(REPO)))
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    """Relative links name files that exist."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [t.split("#")[0] for t in re.findall(r"\]\(([^)\s]+)\)", text) if not t.startswith(("http", "#", "mailto:"))]

    assert [t for t in targets if t and not (page.parent / t).exists()] == []
