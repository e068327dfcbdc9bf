"""Sentences whose verb stands in the sentence before: "Opened rolls cannot be returned. Sealed rolls can."."""

from __future__ import annotations

import re

from ragviz.evidence.windows import plain
from ragviz.judges.local_view import Look
from ragviz.text.tokens import STOP_WORDS, tokens
from ragviz.text.word_sets import word_set

_AUXILIARIES = word_set("can may must will should does do is are was were has have")
_ELLIPSIS = re.compile(rf"\W*(.{{2,120}}?) ({'|'.join(sorted(_AUXILIARIES))})[.!]?", re.IGNORECASE | re.DOTALL)


def is_elliptical(seen: Look) -> bool:
    """"Opened rolls cannot be returned. Sealed rolls can." says that sealed rolls can be returned: the verb stands in the sentence before."""
    if seen.claim.negated or not seen.chosen or len(seen.claim.sentences) != 1:
        return False
    indexed = seen.premise.indexed
    for choice in seen.chosen:
        text = plain(indexed.units[choice.unit].span.of(indexed.text))
        if text.rpartition(" ")[2].rstrip(".!").casefold() not in _AUXILIARIES:
            continue  # hardly any sentence ends so, and a pattern looks at all of it
        match = _ELLIPSIS.fullmatch(text)
        if match is None:
            continue
        subject, auxiliary, rest = seen.claim.text.partition(f" {match[2]} ")
        if not auxiliary or choice.unit == 0 or choice.unit - 1 in seen.premise.excluded:
            continue
        ours, verb = ({t.stem for t in tokens(part) if t.lower not in STOP_WORDS} for part in (plain(subject), plain(rest)))
        theirs = {t.stem for t in tokens(match[1]) if t.lower not in STOP_WORDS}
        if ours and verb and ours == theirs and verb <= indexed.units[choice.unit - 1].stems:
            return True
    return False
