"""What travels: the wheel holds the dashboard, the samples and the prompts, and finds them from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without network and unpacked as pip would."""
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)], cwd=REPO, check=True, capture_output=True)
    (wheel,) = out.glob("ragviz-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(out / "site")
    return out / "site"


def test_the_dashboard_travels_with_the_package(unpacked: Path) -> None:
    """app.py, every page, the theme and the samples lie inside."""
    home = unpacked / "ragviz" / "_dashboard"

    assert {p.name for p in (REPO / "pages").glob("*.py")} == {p.name for p in (home / "pages").glob("*.py")}
    assert (home / "app.py").is_file()
    assert (home / ".streamlit" / "config.toml").is_file()
    assert (home / "sample_traces" / "five_cases.json").is_file()


def test_data_files_of_the_package_travel_too(unpacked: Path) -> None:
    """Prompts, word lists, JavaScript, style sheets: everything that is no Python file."""
    tracked = subprocess.run(["git", "ls-files", "ragviz"], cwd=REPO, capture_output=True, text=True, check=False).stdout.splitlines()
    missing = [name for name in tracked if (REPO / name).is_file() and not (unpacked / name).is_file()]

    assert missing == []


def test_it_is_found_from_another_folder(unpacked: Path, tmp_path: Path) -> None:
    """`ragviz open` looks inside the package when there is no checkout around it."""
    code = "from ragviz.cli.opening import dashboard_file; print(dashboard_file())"
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert Path(found) == unpacked / "ragviz" / "_dashboard" / "app.py"
