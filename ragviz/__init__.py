"""
See which sentence of which answer is wrong, against which passage, and why.

``ragviz.evaluate(traces)`` judges a file or rows, ``ragviz.check(claim, passages)`` one statement, ``ragviz.difference(base, candidate)`` two runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragviz.library import check, claims_frame, difference, evaluate, summary_frame, traces_frame

__version__ = "0.1.0"
__all__ = ["check", "claims_frame", "difference", "evaluate", "summary_frame", "traces_frame"]


def __getattr__(name: str) -> object:
    # The names load with the first use: `import ragviz` alone stays a matter of milliseconds.
    if name in __all__:
        return getattr(import_module("ragviz.library"), name)
    raise AttributeError(f"module 'ragviz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
