"""The house rules that import-linter cannot express."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
PYTHON_FILES = [*sorted((REPO / "ragviz").rglob("*.py")), *sorted((REPO / "pages").glob("*.py")), REPO / "app.py"]
BANNED_NAMES = {"utils", "helpers", "common", "base", "misc", "core"}
TOP_LEVEL = {
    "app.py", "pages", "ragviz", "sample_traces", "tests", "requirements.txt", "README.md",
    "docs", "benchmarks", "pyproject.toml", "requirements-dev.txt", "Makefile", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
    ".ci", ".streamlit", ".importlinter", ".gitignore", ".pre-commit-config.yaml", ".github",
}
MAX_LINES = 400


def imported_modules(path: Path) -> set[str]:
    """Every module a file names in an import statement."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_app_is_only_a_frame() -> None:
    """app.py may import Streamlit and ragviz.ui; import-linter cannot check a single file."""
    foreign = {m for m in imported_modules(REPO / "app.py") if m not in {"__future__", "streamlit"} and not m.startswith("ragviz.ui")}

    assert not foreign


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda p: str(p.relative_to(REPO)))
def test_files_stay_small_and_well_named(path: Path) -> None:
    """No file over 400 lines, no catch-all name, no standard-library name that would shadow it."""
    lines = path.read_text(encoding="utf-8").count("\n")

    assert lines <= MAX_LINES, f"{lines} lines: split it"
    assert path.stem not in BANNED_NAMES
    if path.parent in (REPO / "pages", REPO / "ragviz"):
        assert path.stem not in sys.stdlib_module_names, "Python would import this instead of the standard library"


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda p: str(p.relative_to(REPO)))
def test_every_function_fits_on_a_screen(path: Path) -> None:
    """Functions of more than 60 lines are split."""
    long = [
        f"{node.name} ({(node.end_lineno or 0) - node.lineno + 1} lines)"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > 60
    ]

    assert not long


def test_top_level_holds_only_what_belongs_there() -> None:
    """The layout the README describes; generated folders are ignored by git."""
    tracked = subprocess.run(["git", "ls-files"], cwd=REPO, capture_output=True, text=True, check=False).stdout.split()
    if not tracked:
        pytest.skip("not a git checkout")

    assert {name.split("/")[0] for name in tracked} <= TOP_LEVEL


def test_what_lies_behind_the_front_doors_reads_no_environment() -> None:
    """Settings come in as arguments; only the three front doors (dashboard, command line, what scripts call) look at the environment."""
    readers = [
        str(path.relative_to(REPO))
        for path in sorted((REPO / "ragviz").rglob("*.py"))
        if path.relative_to(REPO).parts[1] not in ("ui", "cli", "library") and any(w in path.read_text(encoding="utf-8") for w in ("os.environ", "os.getenv"))
    ]

    assert not readers


def test_importing_ragviz_is_light() -> None:
    """`import ragviz` and the command line's parser load no heavy package."""
    heavy = {"torch", "sentence_transformers", "plotly", "pandas", "anthropic", "streamlit", "sklearn"}
    code = f"import ragviz, ragviz.cli.main, sys; print(sorted({heavy!r} & set(sys.modules)))"

    found = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True).stdout.strip()

    assert found == "[]"


def test_importing_the_judges_works_nothing_out() -> None:
    """The list of frequent words is read, and each of its words stemmed, when the first text is: half of what a command would need to start."""
    code = "import ragviz.judges; from ragviz.text import lexical; print(lexical._ranks.cache_info().currsize)"

    found = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True).stdout.strip()

    assert found == "0"
