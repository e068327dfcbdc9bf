"""The list of loaders, and the page that describes them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from ragviz.errors import UnknownName
from ragviz.loaders import loaders, read, read_many


@pytest.mark.parametrize("name", loaders.names())
def test_the_table_of_formats_is_fresh(name: str, repo: Path) -> None:
    """docs/LOADERS.md repeats label and recognition word for word."""
    loader = loaders.make(name)
    row = f"| `{name}` | {loader.label} | {loader.recognised_by.replace('|', '/')} |"

    assert row in (repo / "docs" / "LOADERS.md").read_text(encoding="utf-8")


def test_no_tool_is_imported(repo: Path) -> None:
    """Loaders read files; the program that wrote them need not be installed, and is not run."""
    imported = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name.split(".")[0]
        for path in (repo / "ragviz" / "loaders").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }

    assert imported <= {*sys.stdlib_module_names, "ragviz", "msgspec", "pyarrow", "zstandard"}


def test_a_misspelt_format_is_corrected() -> None:
    """The nearest name is offered, before any file is opened."""
    with pytest.raises(UnknownName, match="ragchekcer") as caught:
        list(read("nowhere", format="ragchekcer"))
    assert "'ragchecker'" in caught.value.fix
    with pytest.raises(UnknownName):
        read_many(["nowhere"], format="x")
