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


def test_the_python_page_runs_and_says_what_comes_out() -> None:
    """Every block of docs/LIBRARY.md runs, in order; where a line's comment begins with a value, that is what the line gives."""
    text = (REPO / "docs" / "LIBRARY.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    checked = 0
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(compile(block.partition("def test_")[0], "LIBRARY.md", "exec"), names)
        for line, value in re.findall(r"^(\w\S*.*?)\s+# ('[^']*'|[\d.]+)", block, flags=re.MULTILINE):
            if "=" not in line:
                assert eval(line, names) == eval(value), line
                checked += 1

    assert checked >= 6
