"""The report for people who do not read traces, as Markdown for a wiki or a mail. Trace text stays text."""

from __future__ import annotations

from ragviz.diagnosis.meanings import CAUSE_MEANINGS, STRONGER, TERMS, believed
from ragviz.pipeline.briefing import Briefing, Failure, Figure
from ragviz.reports import plain_words as words
from ragviz.reports.failures import SHOWN, heading, more_than_shown, wrong_claims
from ragviz.reports.markdown import text
from ragviz.text.counts import counted
from ragviz.text.unmarked import unmarked

MAX_QUOTE = 400


def briefing_markdown(found: Briefing) -> str:
    """Lead, large numbers, kinds of failure, the worst ones with their evidence, what changed."""
    parts = [
        f"# {text(found.run)}",
        f"{counted(found.n_traces, 'answer')} · judged by {text(found.judge)} · policy {found.policy}"
        + (f" · first {counted(found.k, 'passage')}" if found.k else ""),
        f"**{text(words.lead(found), 400)}**",
        *([f"{text(said, 600)} {STRONGER}"] if (said := believed(found.judge)) else []),
        "\n".join(["| figure | value | meaning | range | rests on |", "|---|--:|---|---|---|", *(_figure(f) for f in found.figures)]),
        "\n".join(["| kind | answers | what it means |", "|---|--:|---|", *(f"| {label} | {n:,} | {meaning} |" for label, meaning, n in words.places(found))]),
    ]
    parts += (
        ["## Worst failures", *(_failure(at, f, without_reference=found.standings is not None) for at, f in enumerate(found.worst, start=1))]
        if found.worst
        else ["No failing answer was found."]
    )
    if found.change is not None:
        rows = [
            f"| {m.metric.replace('_', ' ')} | {_number(m.base)} | {_number(m.candidate)} | {words.standing(m)} | {m.n:,} |"
            for m in words.headline_rows(found.change)
        ]
        parts += [
            f"## What changed since {text(found.base)}",
            text(words.change_lead(found.change, found.base), 600),
            *(f"**Not a fair comparison:** {text(u.told, 400)}." for u in found.change.unfair),
            "\n".join(["| metric | before | after | reading | pairs |", "|---|--:|--:|---|--:|", *rows]),
        ]
    return "\n\n".join([*parts, f"{TERMS['interval']} {TERMS['coverage']}"]) + "\n"


def _figure(figure: Figure) -> str:
    name, says, _ = words.ASKED[figure.name]
    return f"| {name} | {words.percent(figure.value)} | {says} | {words.between(figure) or '–'} | {words.rests_on(figure).removeprefix('rests on ')} |"


def _failure(at: int, failure: Failure, *, without_reference: bool) -> str:
    found = wrong_claims(failure)
    label, meaning = heading(failure, found, without_reference=without_reference)
    lines = [f"### {at}\\. {text(failure.case.trace.question, 300)}", "", f"{label} · {text(failure.case.trace.id)}", *(["", meaning] if meaning else []), ""]
    for wrong in found[:SHOWN]:
        lines.append(f"- {wrong.verdict.replace('_', ' ')}: {text(unmarked(wrong.claim.text), 400)}")
        lines += [f"  - {quote.verb}: “{text(quote.text, MAX_QUOTE)}” ({text(quote.where)})" for quote in wrong.quotes]
        lines += [f"  - clash: {text(ours)} against {text(theirs)}" for ours, theirs in wrong.values]
    more = more_than_shown(found)
    lines += [f"- {more}"] if more else []
    return "\n".join([*lines, *_cause(failure.result.cause, failure.result.cause_detail)])


def _cause(cause: str, detail: str) -> list[str]:
    meaning = CAUSE_MEANINGS.get(cause)
    return [f"- why: {meaning} {text(detail[:1].upper() + detail[1:], 300)}"] if meaning and cause != "unknown" else []


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
