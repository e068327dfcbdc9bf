"""Files that others see whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file; False where the folder cannot be written. Any number of threads and processes may write the same one."""
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        return False
    return True


__all__ = ["write_whole"]
