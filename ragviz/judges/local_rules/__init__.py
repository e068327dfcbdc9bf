"""Rules about wording: each looks at one thing, and none about a case. The tables are in table.py."""

from ragviz.judges.local_rules.ellipses import is_elliptical
from ragviz.judges.local_rules.scene import Scene
from ragviz.judges.local_rules.single_sentences import outright
from ragviz.judges.local_rules.walks import n_doubts, reason, stop, told

__all__ = ["Scene", "is_elliptical", "n_doubts", "outright", "reason", "stop", "told"]
