"""Everything ever said about one claim, one row per judging: nothing is ever overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
import pyarrow as pa
import streamlit as st

from ragviz.contracts import View
from ragviz.figures.highlight import reveal
from ragviz.grounding import ClaimGrounding, groundings, word_in_force
from ragviz.records import Annotation, Claim, Grounding, JudgedTrace, Judgement, PairKey, Table
from ragviz.store import Word
from ragviz.text.sums import dollars
from ragviz.ui import resources, tables, widgets
from ragviz.ui.linked_text.evidence_rows import evidence_rows
from ragviz.ui.marks import chip
from ragviz.ui.views import inspector_reports
from ragviz.ui.views.inspector_table import evidence_parts
from ragviz.ui.views.inspector_words import took

ON_EXPECTED = "on the expected answer"
"""Beside a person's word on whether a claim is right; all other rows speak of the passages."""


class Judging(NamedTuple):
    """One time that a judge, or a person, spoke about the claim."""

    at: datetime
    who: str
    fingerprint: str
    """"" for a person."""
    grounding: Grounding | None
    """None: a person took a word back."""
    confidence: float | None
    elapsed_ms: float | None
    cost_usd: float | None
    cached: bool
    note: str
    proofs: tuple[tuple[str, str, str], ...]
    """Verb, quote and place of each certificate."""
    again: str = ""
    """Where this judge had spoken of the claim before: whether it was asked anew, and whether it said the same."""

    @property
    def evidence(self) -> str:
        """All certificates in one line."""
        return "; ".join(f"{verb}: “{quote}” ({where})" for verb, quote, where in self.proofs)


def judgings(words: Sequence[Word], case: JudgedTrace, claim: Claim) -> list[Judging]:
    """
    Words on single pairs put together to what they mean for the claim, newest first.

    A judge speaks once per passage; a new judging begins when another judge speaks or when a pair is answered for the second time.
    """
    groups: list[list[Word]] = []
    seen: set[PairKey] = set()
    for word in sorted(words, key=lambda w: w.at):
        said = word.said
        if isinstance(said, Judgement) and groups and said.key not in seen and _speaker(groups[-1][0]) == said.provenance.fingerprint:
            groups[-1].append(word)
        else:
            groups.append([word])
            seen = set()
        if isinstance(said, Judgement):
            seen.add(said.key)
    rows: list[Judging] = []
    for group in groups:
        row = _judging(group, case, claim)
        before = next((r for r in reversed(rows) if r.fingerprint and r.fingerprint == row.fingerprint), None)
        rows.append(row if before is None else row._replace(again=_again(row, before)))
    return rows[::-1]


def _again(row: Judging, before: Judging) -> str:
    how = "from the cache" if row.cached else "asked anew"
    return f"{how}, {'same as before' if (row.grounding, row.proofs) == (before.grounding, before.proofs) else 'not as before'}"


def _speaker(word: Word) -> str:
    return word.said.provenance.fingerprint if isinstance(word.said, Judgement) else ""


def _judging(group: Sequence[Word], case: JudgedTrace, claim: Claim) -> Judging:
    first = group[0].said
    if isinstance(first, Annotation):
        reason = first.reason or ("took the word back" if first.grounding is None else "")
        note = "; ".join(part for part in ("" if first.table is Table.RESPONSE_X_PASSAGES else ON_EXPECTED, reason) if part)
        return Judging(group[0].at, first.author, "", first.grounding, None, None, None, False, note, ())
    told = [w.said for w in group if isinstance(w.said, Judgement) and w.said.key.table is Table.RESPONSE_X_PASSAGES]
    alone = msgspec.structs.replace(case, claims=(claim,), judgements=tuple(told), annotations=())
    found = groundings(alone, Table.RESPONSE_X_PASSAGES)[claim.id]
    proofs = tuple(evidence_parts(alone, row) for row in evidence_rows(alone, [claim], {claim.id: found}))
    times = [j.cost.elapsed_ms for j in told if j.cost.elapsed_ms is not None]
    money = [j.cost.cost_usd for j in told if j.cost.cost_usd is not None]
    by = first.provenance
    failed = next((j.rationale for j in told if j.verdict.value == "unjudged" and j.rationale), "") if found.grounding is Grounding.UNJUDGED else ""
    return Judging(group[-1].at, f"{by.judge} {by.judge_version}{f' · {by.model}' if by.model else ''}", by.fingerprint, found.grounding, found.confidence,
                   sum(times) if times else None, sum(money) if money else None, bool(told) and all(j.cost.cached for j in told), failed, proofs)


def draw(seen: View, case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], claim_id: str | None) -> None:
    """The table for the selected claim, after what users reported about the answer."""
    inspector_reports.draw(seen, case, claim_id)
    claim = next((c for c in case.claims if c.id == claim_id), None)
    if claim is None:
        if grounded:
            st.caption("Pick a claim to see who judged it, and when.")
        return
    words = resources.history(seen, case.trace.id, claim.id)
    rows = judgings(words, case, claim)
    if not rows:
        st.caption(f"Nobody has judged {claim.id} yet.")
        return
    force = in_force(rows, seen, words, grounded[claim.id])
    # The number of words is part of the key: a new word moves the rows, and a selection by position would point to another one.
    event = tables.show(
        history_table(rows, claim.id, force),
        row_height=28,
        alt=f"Verdicts on {claim.id}, newest first",
        key=f"history-{case.trace.id}-{claim.id}-{len(words)}",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "conf.": st.column_config.TextColumn(width=56, alignment="right"),
            "time": st.column_config.TextColumn(width=92),
            "evidence": st.column_config.TextColumn(width="large"),
        },
    )
    told = {r.fingerprint: r.who for r in rows if r.confidence is not None}
    if told:
        raw = {w.said.provenance.fingerprint for w in words if isinstance(w.said, Judgement) and w.said.confidence is not None and not w.said.calibrated}
        st.caption(
            "Confidence as told; "
            + "; ".join(f"{widgets.md(who)} is {widgets.md(resources.standing(by).worth(by_makers=by not in raw))}" for by, who in told.items())
            + "."
        )
    picked = next((at for at in event["selection"]["rows"] if 0 <= at < len(rows)), None)
    if picked is not None:
        _side_by_side(rows, picked, force)
    elif len(rows) > 1:
        st.caption("Pick a row to see its evidence beside that of the verdict in force.")


def _side_by_side(rows: Sequence[Judging], picked: int, force: int | None) -> None:
    """Evidence of two verdicts; quotes are drawn as plain text, whatever they hold."""
    shown = [at for at in dict.fromkeys((force, picked)) if at is not None]
    shared = set.intersection(*(set(rows[at].proofs) for at in shown)) if len(shown) > 1 else set()
    for at, place in zip(shown, st.columns(len(shown), gap="small"), strict=True):
        row = rows[at]
        with place, st.container(border=True, gap="xsmall", key=f"box-evidence-{at}"):
            st.markdown(f"**{widgets.md(row.who)}** {'withdrawn' if row.grounding is None else chip(row.grounding)}")
            st.caption(
                ", ".join(
                    [
                        "in force" if at == force else "picked",
                        f"{row.at:%d %b %H:%M}",
                        *([f"confidence {row.confidence:.2f}"] if row.confidence is not None else []),
                        *([row.again] if row.again else []),
                    ]
                )
            )
            for proof in row.proofs:
                verb, quote, where = proof
                st.text(f"“{quote}”")
                st.caption(widgets.md(f"{verb} · {where}{' · in both' if proof in shared else ''}", limit=300))
            if not row.proofs:
                st.caption(
                    widgets.md(row.note, limit=500)
                    or ("A person's word, without a quote." if not row.fingerprint else "No passage supports it and none contradicts it.")
                )


def in_force(rows: Sequence[Judging], seen: View, words: Sequence[Word], found: ClaimGrounding) -> int | None:
    """Index of the row whose verdict counts: a person's standing word, else the latest of the sidebar's judge."""
    standing = word_in_force([w.said for w in words if isinstance(w.said, Annotation) and w.said.table is Table.RESPONSE_X_PASSAGES])
    if found.by == "human" and standing is not None:
        return next((i for i, r in enumerate(rows) if not r.fingerprint and r.at == standing.at), None)
    return next((i for i, r in enumerate(rows) if r.fingerprint == seen.judge), None)


def history_table(rows: Sequence[Judging], claim_id: str, force: int | None) -> pa.Table:
    """Rows as people read them."""
    return tables.of_rows(
        [
            {
                "time": f"{r.at:%d %b %H:%M}",
                "who": reveal(r.who),
                f"verdict on {claim_id}": "withdrawn" if r.grounding is None else chip(r.grounding),
                "conf.": "–" if r.confidence is None else f"{r.confidence:.2f}",
                "took": "cached" if r.cached else "–" if r.elapsed_ms is None else took(r.elapsed_ms),
                "cost": "–" if r.cost_usd is None else dollars(r.cost_usd),
                "note": "; ".join(part for part in ("in force" if i == force else "", r.again, reveal(r.note)) if part),
                "evidence": r.evidence,
            }
            for i, r in enumerate(rows)
        ]
    )
