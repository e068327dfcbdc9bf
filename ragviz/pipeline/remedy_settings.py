"""Which remedies there are, and who verifies what they make."""

from __future__ import annotations

import threading

from ragviz.backends.budget import Budget
from ragviz.contracts import HostedRemedy, Judge, Remedy, RemedyInfo
from ragviz.errors import RagvizError
from ragviz.pipeline.choices import DEFAULT_JUDGE, claim_set_of, default_judge, working_judge
from ragviz.remedies import remedies
from ragviz.store import Store


def remedies_here() -> list[RemedyInfo]:
    """All remedies, in their order."""
    remedies.load_plugins()
    return [remedies.make(name).info for name in remedies.names()]


def remedy_named(remedy: str | Remedy | HostedRemedy) -> Remedy | HostedRemedy:
    """
    A remedy by name; one that was made already comes back as it is.

    Raises:
        UnknownName: With the known names.
    """
    return remedies.make(remedy) if isinstance(remedy, str) else remedy


def judge_of(fingerprint: str) -> str:
    """The name under which the judge of a fingerprint is made: ``anthropic:<model>`` where a model belongs to it."""
    name, *rest = fingerprint.split(":")
    model = ":".join(rest[2:-2]) if len(rest) >= 5 else "-"
    return f"{name}:{model}" if name in ("anthropic", "nli") and model != "-" else name


def verifier(
    store: Store, run_id: str, judge_name: str | Judge | None, *, claims: str | None = None, api_key: str | None = None, cancel: threading.Event | None = None,
    budget: Budget | None = None,
) -> tuple[Judge, str]:
    """
    The judge that reads old and new answers alike, and who splits both into claims.

    A judge that reads only annotations of the file, or that cannot be made or work here, gives way to the default one: a new answer brings no
    annotations. Both sides are split by rules where the file brings claims of its own, since those do not exist for a new answer.

    Raises:
        UnknownName: No such judge.
        JudgeUnavailable: The judge that was asked for by name, or the default one, cannot work here.
    """
    cancelled = cancel.is_set if cancel else None
    wanted = judge_name or default_judge(store, run_id)
    judge = working_judge(wanted, api_key=api_key, cancelled=cancelled, budget=budget)
    if judge.info.claim_set != "text":
        judge = working_judge(DEFAULT_JUDGE, api_key=api_key, cancelled=cancelled)
    chosen = claims or claim_set_of(judge, store.traits(run_id))
    return judge, chosen if chosen not in ("facts", "imported") else "rules"


def seen_judge(fingerprint: str, *, api_key: str | None = None) -> str | None:
    """Name of the judge of a fingerprint if it can work here and reads text; None otherwise."""
    name = judge_of(fingerprint)
    try:
        judge = working_judge(name, api_key=api_key)
    except (RagvizError, TypeError):
        return None
    return name if judge.info.claim_set == "text" else None


__all__ = ["judge_of", "remedies_here", "remedy_named", "seen_judge", "verifier"]
