"""
What a notebook or a script calls: files or rows in, verdicts with their evidence out.

``ragviz.evaluate``, ``ragviz.check`` and the rest of these names stand on ``ragviz`` itself; they load when they are first used.
"""

from ragviz.library.checking import check
from ragviz.library.evaluating import difference, evaluate
from ragviz.library.frames import claims_frame, summary_frame, traces_frame

__all__ = ["check", "claims_frame", "difference", "evaluate", "summary_frame", "traces_frame"]
