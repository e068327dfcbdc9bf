"""Which judges there are, whether they work here, and making one by name."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import msgspec

from ragviz.backends.budget import Budget
from ragviz.contracts import Availability, Judge, Registry
from ragviz.errors import InputError, JudgeUnavailable, RagvizError
from ragviz.judges import fingerprint, judges
from ragviz.store import RunTraits, Store

DEFAULT_JUDGE = "local"


class JudgeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A judge of this installation."""

    name: str
    summary: str
    availability: Availability
    network: bool = False
    claim_set: str = "text"
    deterministic: bool = True
    """Asked anew about the same texts, it answers alike."""
    fingerprint: str = ""
    """That of its answers; "" where it cannot work here."""


def make_judge(judge: str | Judge, *, api_key: str | None = None, cancelled: Callable[[], bool] | None = None, budget: Budget | None = None) -> Judge:
    """
    A judge by name; one that was made already comes back as it is.

    Settings a judge does not know are not given to it.
    """
    if not isinstance(judge, str):
        return judge
    return judges.make(judge, **settings_for(judges, judge, api_key=api_key, cancelled=cancelled, budget=budget))


def settings_for(registry: Registry[Any], name: str, **offered: object) -> dict[str, object]:
    """Those settings that are given and that the factory of that name knows."""
    factory = dict(registry.factories()).get(name.partition(":")[0])
    known = signature(factory).parameters if factory is not None else {}
    return {word: value for word, value in offered.items() if value is not None and word in known}


def working_judge(
    judge: str | Judge, *, api_key: str | None = None, cancelled: Callable[[], bool] | None = None, budget: Budget | None = None,
) -> Judge:
    """
    The same, refused when it could not work now.

    Raises:
        UnknownName: No such judge.
        JudgeUnavailable: Its package, weights or key is missing; says what helps.
    """
    made = make_judge(judge, api_key=api_key, cancelled=cancelled, budget=budget)
    state = made.available()
    if not state.ok:
        raise JudgeUnavailable(f"judge {made.info.name!r} cannot work here: {state.reason}", fix=state.fix)
    return made


def judges_here(*, api_key: str | None = None) -> list[JudgeChoice]:
    """Every judge with whether it could work now. Loads no model and asks nobody."""
    judges.load_plugins()
    found = []
    for name in judges.names():
        try:
            judge = make_judge(name, api_key=api_key)
        except (RagvizError, TypeError):
            # A judge that needs an argument ("nli:<model>") cannot be made from its name alone.
            state = Availability(ok=False, reason="needs a model", fix=f"write {name}:<model id or folder>")
            found.append(JudgeChoice(name=name, summary="", availability=state))
            continue
        info, state = judge.info, judge.available()
        found.append(JudgeChoice(
            name=name, summary=info.summary, availability=state, network=info.network, claim_set=info.claim_set, deterministic=info.deterministic,
            fingerprint=fingerprint(judge) if state.ok else "",
        ))
    return found


def default_judge(store: Store, run_id: str) -> str:
    """The verdict that came with the file where there is one, else ``local``."""
    return "imported" if store.traits(run_id).with_verdicts else DEFAULT_JUDGE


def claim_set_of(judge: Judge, traits: RunTraits, *, claims: str | None = None) -> str:
    """
    The claim set a judge reads in a run: ``facts``, ``imported`` where the file brings claims in words, else ``rules``; or ``claims``, if given.

    Raises:
        InputError: That judge reads only what the file brings.
    """
    if judge.info.claim_set != "text":
        if claims is not None:
            raise InputError(
                f"the judge {judge.info.name} reads the claims that came with the file", fix="leave --claims out, or choose another judge, such as local"
            )
        return judge.info.claim_set
    return claims or ("imported" if traits.with_text_claims else "rules")


def refuse_what_is_not_there(judge: str | Judge | None, traits: RunTraits, where: str = "the file") -> None:
    """
    A judge that reads what the file brings (annotated facts, verdicts) has nothing to do where no trace brings any; where some do, the others stay unjudged.

    Args:
        judge: As it was asked for.
        traits: What the run's traces bring.
        where: What lacks them, for the message.

    Raises:
        InputError: No trace has annotated facts, or verdicts.
    """
    asked = judge if isinstance(judge, str) or judge is None else judge.info.name
    if asked == "facts" and traits.n_traces and not traits.with_facts:
        raise InputError(
            f"the judge facts has nothing to compare: {where} has no annotated facts",
            fix=f"leave --judge out, or choose --judge {DEFAULT_JUDGE}, which reads the text",
        )
    if asked == "imported" and traits.n_traces and not traits.with_verdicts:
        raise InputError(
            f"the judge imported shows verdicts of other tools: {where} brings none",
            fix=f"leave --judge out, or choose --judge {DEFAULT_JUDGE}, which reads the text",
        )


__all__ = [
    "DEFAULT_JUDGE",
    "JudgeChoice",
    "claim_set_of",
    "default_judge",
    "fingerprint",
    "judges_here",
    "make_judge",
    "refuse_what_is_not_there",
    "settings_for",
    "working_judge",
]
