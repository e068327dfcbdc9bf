"""Traces whose answer is missing or empty: told by the line, never counted in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ragviz.loaders.building import warning
from ragviz.records import LoadIssue, Trace
from ragviz.text.counts import counted

ABSENT = "no answer in this record"
EMPTY = "the answer is an empty text; it counts as a reply that states nothing (abstained)"
ABSENT_FIX = "fill in the answer; without it the trace has no figure about an answer, and is not counted as abstained"
EMPTY_FIX = "write null, or leave the field out, where the answer is not known"
SENTENCE = 3
"""From so many words on a text of an unknown column may be an answer."""
HELD = 1_000
"""So many records without an answer are remembered by line until the first answer shows that answers were to be expected."""


class Unanswered:
    """
    Watches the traces of one import and says of which the answer is missing or empty.

    Files of questions and labels have no answers at all: there one sentence about the file says more than one about each line.
    """

    def __init__(self) -> None:
        self._answered = False
        self._held: list[LoadIssue] = []
        self._absent = self._empty = self._dropped = 0
        self._texts: Counter[str] = Counter()

    def look(self, trace: Trace) -> Iterator[LoadIssue]:
        """What is to be said now that this trace has come."""
        if trace.response.strip():
            if not self._answered:
                self._answered = True
                yield from self._held
                if self._dropped:
                    yield warning(
                        trace.origin, f"{counted(self._dropped, 'more record')} before this one {'has' if self._dropped == 1 else 'have'} no answer", ABSENT_FIX
                    )
                self._held = []
        elif trace.claims or (trace.is_unanswered and trace.passages == () and trace.relevance_grades is not None):
            return  # what it states came with the file; or a labelled question that the system was never asked
        else:
            absent = trace.is_unanswered
            issue = warning(trace.origin, ABSENT, ABSENT_FIX) if absent else warning(trace.origin, EMPTY, EMPTY_FIX)
            self._absent += absent
            self._texts.update(name for name, value in trace.tags.items() if len(value.split()) >= SENTENCE)
            self._empty += not absent
            if self._answered:
                yield issue
            elif len(self._held) < HELD:
                self._held.append(issue)
            else:
                self._dropped += 1

    def rest(self, where: str) -> Iterator[LoadIssue]:
        """What is to be said at the end: of files in which no record has an answer, one sentence. ``where``: their name."""
        if self._answered:
            return
        if self._absent + self._empty == 1:
            yield from self._held
            return
        if self._absent:
            yield warning(where, f"none of {counted(self._absent, 'record')} has an answer, so only what was retrieved can be measured",
                          f"name the column of the answers with --map response=COLUMN{self._candidates()}, or bring the file that holds them")
        if self._empty:
            yield warning(
                where,
                f"{'the answer of' if self._empty == 1 else 'the answers of'} {counted(self._empty, 'record')} "
                f"{'is an empty text' if self._empty == 1 else 'are empty texts'}; each counts as a reply that states nothing (abstained)",
                EMPTY_FIX,
            )

    def _candidates(self) -> str:
        """Columns that could hold the answers: in most of the records they hold sentences, and nobody knew their names."""
        names = [name for name, n in self._texts.most_common(3) if n * 2 > self._absent]
        return f" (sentences stand in {', '.join(names)})" if names else ""
