"""A store as an earlier version left it."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def set_back(path: Path, version: int, *statements: str) -> None:
    """Take away what came after that version of the schema: its tables and rows, by these statements, and the word of the lift."""
    conn = sqlite3.connect(path)
    with conn:
        for statement in (*statements, f"DELETE FROM migration WHERE version > {version}"):
            conn.execute(statement)
    conn.close()
