"""Citations by number in square brackets, resolved with the file's own labels."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ragviz.records import Citation, Span

_MARK = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")


def bracketed(text: str, by_label: Mapping[str, str]) -> tuple[Citation, ...]:
    """
    Every ``[1]`` or ``[1, 2]`` in the answer.

    Args:
        text: The answer.
        by_label: Passage id by label ("1"). A label that is not there was never retrieved.
    """
    found = []
    for match in _MARK.finditer(text):
        labels = re.findall(r"\d+", match[1])
        found.append(Citation(
            span=Span(match.start(), match.end()), marker=match.group(), passage_ids=tuple(by_label[label] for label in labels if label in by_label),
            unresolved=tuple(label for label in labels if label not in by_label),
        ))
    return tuple(found)
