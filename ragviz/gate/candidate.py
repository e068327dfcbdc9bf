"""A candidate's outputs joined to known cases. The candidate never supplies its own ground truth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ragviz.compare.fairness import Unfairness
from ragviz.compare.pairing import pair_traces
from ragviz.errors import InputError
from ragviz.records import SPLIT_TAG, Side, Split, Trace
from ragviz.text.counts import counted

SHOWN_NAMES = 8
SHOWN_CHARACTERS = 60
BY_QUESTION = "paired by question: ids differ"
_LINE = re.compile(r"^row-\d+$")
"""What a row without an id is called."""
BOTH_WAYS = "give one row per case with the case's name as its id; or leave the ids as they are, and ask every question once in each file, in the same words"


class Named(NamedTuple):
    """Rows under the names of the known cases."""

    rows: list[Trace]
    by_question: bool
    """No id fitted any case, or only numbers of lines did, so that the questions decided."""


def named_as_cases(gold: Sequence[Trace], rows: Sequence[Trace], *, what: str, every: bool = True) -> Named:
    """
    The rows under the names of the cases they answer: by id, and where no id fits any case, by question as ``ragviz.compare`` pairs two runs.

    Exports of a tracing service name every trace anew, so that the same questions come with other ids each time. Rows without ids are called by
    their lines: such names decide only as long as each stands for the case's own question.

    Args:
        gold: The cases.
        rows: The candidate's or the baseline's.
        what: How the file is called in messages: "candidate", "baseline".
        every: Each case must be answered and each row must answer one. Else rows that answer none keep their names.

    Raises:
        InputError: The ids fit nowhere, and a question is asked several times or, with ``every``, on one side alone; the message names them. Where no question
            fits either the rows come back as they are: then ids are what is wrong.
    """
    asked = {trace.id: trace.question for trace in gold}
    known = set(asked)
    fitting = [(row, name) for row in rows if (name := _written(row.id, known)) in known]
    # Line numbers are nobody's names: in another order the same one stands for another question.
    by_line = all(_LINE.match(row.id) for row, _ in fitting) and any(_differ(row.question, asked[name]) for row, name in fitting)
    if fitting and not by_line:
        return Named(list(rows), by_question=False)
    found = pair_traces(gold, rows)
    if not found.pairs and not found.ambiguous and not by_line:
        return Named(list(rows), by_question=False)
    # The words of a held-out case stay unread.
    mine = {t.id: t.id if Split.of(t.tags.get(SPLIT_TAG)) is Split.HELD_OUT else _short(t.question) for t in gold}
    theirs = {t.id: _short(t.question) for t in rows}
    alone = [
        f"{len(names)} {told} ({_names([texts[i] for i in names])})"
        for told, names, texts in (("only among the known cases", found.only_base, mine), (f"only in the {what}", found.only_candidate, theirs))
        if names and every and not found.ambiguous
    ]
    if found.ambiguous or alone:
        told = (
            f"questions cannot tell which row answers which case: {_names(found.ambiguous)}"
            if found.ambiguous
            else f"by question, there are {' and '.join(alone)}"
        )
        ids = f"rows of the {what} have no ids of their own" if by_line else f"no id of the {what} is that of a known case"
        raise InputError(f"{ids}, and {told}", fix=BOTH_WAYS)
    names = {theirs_id: my_id for my_id, theirs_id in found.pairs}
    return Named([msgspec.structs.replace(row, id=names.get(row.id, f"other {row.id}" if by_line else row.id)) for row in rows], by_question=True)


def _differ(one: str, other: str) -> bool:
    """True for two questions in other words; False where one is not known."""
    ours, theirs = (" ".join(question.split()).casefold() for question in (one, other))
    return bool(ours and theirs) and ours != theirs


def join_candidate(gold: Sequence[Trace], candidate: Sequence[Trace]) -> list[Trace]:
    """
    One trace per known case: the candidate's answer and passages, the case's question and ground truth.

    Args:
        gold: The cases. Their ids are the names.
        candidate: The candidate's rows, in any order.

    Returns:
        Traces in the order of ``gold``. Reference, labels, facets, tags and reference claims are the case's, whatever the candidate brought.

    Raises:
        InputError: Not exactly one row per case; the message names what is missing, doubled or unknown.
    """
    known = [trace.id for trace in gold]
    rows = {trace.id: trace for trace in candidate}
    counts = Counter(_written(trace.id, set(known)) for trace in candidate)
    problems = [
        f"{what}: {_names(names)}"
        for what, names in (
            ("missing", [name for name in known if name not in rows]),
            ("more than once", [name for name, count in counts.items() if count > 1]),
            ("unknown", [name for name in counts if name not in set(known)]),
            ("more than once among the known cases", [name for name, count in Counter(known).items() if count > 1]),
        )
        if names
    ]
    if problems:
        raise InputError(f"the candidate must answer every case exactly once, {len(known):,} in all; {'; '.join(problems)}",
                         fix=BOTH_WAYS)
    return [_merge(case, rows[case.id]) for case in gold]


def join_baseline(gold: Sequence[Trace], baseline: Sequence[Trace]) -> tuple[list[Trace], list[Unfairness]]:
    """
    The baseline's answers under the cases' question and ground truth, as for the candidate.

    Args:
        gold: The cases.
        baseline: The baseline's rows. Cases may be new since then, or gone.

    Returns:
        One trace per case that the baseline answered, in the order of ``gold``; and the difference in questions, if there is one.

    Raises:
        InputError: It answers none of the cases, or one of them more than once.
    """
    known = {trace.id for trace in gold}
    counts = Counter(_written(trace.id, known) for trace in baseline)
    doubled = [name for name, count in counts.items() if count > 1 and name in known]
    if doubled:
        raise InputError(f"the baseline answers some cases more than once: {_names(doubled)}", fix="give one row per case, with the case's name")
    rows = {trace.id: trace for trace in baseline}
    joined = [_merge(case, rows[case.id]) for case in gold if case.id in rows]
    if not joined:
        raise InputError(
            f"the baseline answers none of {counted(len(known), 'case')}", fix="give the answers of an earlier version to the same cases, with their names"
        )
    lacking, strange = [name for name in known if name not in rows], [name for name in rows if name not in known]
    if not lacking and not strange:
        return joined, []
    parts = [
        f"{len(names)} {what} ({_names(sorted(names))})" for names, what in ((lacking, "cases it does not answer"), (strange, "answers to no case")) if names
    ]
    return joined, [Unfairness(name="questions", base=str(len(rows)), candidate=str(len(known)), message=f"the baseline has {' and '.join(parts)}")]


def has_references(gold: Sequence[Trace]) -> bool:
    """Whether any case has an expected answer, as text or as claims."""
    return any((t.reference or "").strip() or any(c.side is Side.REFERENCE for c in t.claims or ()) for t in gold)


def has_relevance(gold: Sequence[Trace]) -> bool:
    """Whether any case says which passages are relevant, or which are not."""
    return any(
        t.relevant_ids is not None or t.relevant_texts is not None or t.relevance_grades is not None or any(p.relevance is not None for p in t.passages or ())
        for t in gold
    )


def _written(trace_id: str, known: set[str]) -> str:
    """The name as the file has it: loaders tell a repeated id apart as ``name#2``."""
    name, mark, number = trace_id.rpartition("#")
    return name if mark and number.isdigit() and trace_id not in known and name in known else trace_id


def _merge(case: Trace, row: Trace) -> Trace:
    theirs = tuple(claim for claim in row.claims or () if claim.side is Side.RESPONSE)
    ours = tuple(claim for claim in case.claims or () if claim.side is Side.REFERENCE)
    facts = {p.matching_id: p for p in case.passages or ()}
    # Labels on a passage are ground truth too: only those of the case count.
    passages = None if row.passages is None else tuple(
        msgspec.structs.replace(p, relevance=facts[p.matching_id].relevance if p.matching_id in facts else None) for p in row.passages
    )
    return msgspec.structs.replace(
        case,
        response=row.response,
        response_is=row.response_is,
        passages=passages,
        citations=row.citations,
        usage=row.usage,
        model=row.model,
        started_at=row.started_at,
        claims=(*theirs, *ours) if row.claims is not None or case.claims is not None else None,
        scores=row.scores,
        origin=row.origin,
    )


def _names(names: Sequence[str]) -> str:
    more = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")


def _short(question: str) -> str:
    text = " ".join(question.split())
    return f'"{text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"}"'
