"""Folders that Hugging Face `datasets` saved (`save_to_disk`): which files in them are the data, and in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ragviz.loaders.jsontext import try_parse
from ragviz.loaders.limits import LINE_BYTES
from ragviz.records import LoadIssue


def data_files(folder: Path, files: list[Path]) -> tuple[list[Path], list[LoadIssue]]:
    """
    The files without what belongs to saved data sets but is no data (their description, caches), and which data are missing.

    Args:
        folder: For names in messages.
        files: All files in it and in its folders, in order of their names.
    """
    saved = {path.parent: path for path in files if path.name == "state.json"} if any(path.suffix == ".arrow" for path in files) else {}
    wanted: dict[Path, list[Path]] = {}
    missing: list[LoadIssue] = []
    for place, state in saved.items():
        names = _named(state)
        if names is None or not (place / "dataset_info.json").is_file():
            continue
        wanted[place] = [place / name for name in names if (place / name).is_file()]
        missing += [
            LoadIssue(where=(place / name).relative_to(folder).as_posix(), message="belongs to the saved data set, and is not in the folder", fix="copy the folder again")
            for name in names
            if not (place / name).is_file()
        ]
    found: list[Path] = []
    for path in files:
        if path.parent in wanted:
            found += wanted[path.parent] if path == saved[path.parent] else []
        elif not (path.name == "dataset_dict.json" and any(place.parent == path.parent for place in wanted)):
            found.append(path)
    return found, missing


def _named(state: Path) -> list[str] | None:
    """Names of the data files, in order; None where the file is no such state. A name that leads out of the folder is none."""
    try:
        with state.open("rb") as raw:
            value: Any = try_parse(raw.read(LINE_BYTES))
    except OSError:
        return None
    listed = value.get("_data_files") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return None
    names = [one.get("filename") for one in listed if isinstance(one, dict)]
    return [name for name in names if isinstance(name, str) and name == Path(name).name and name not in ("", "..")]
