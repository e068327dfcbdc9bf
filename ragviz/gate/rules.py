"""What a candidate must reach, read from TOML."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection
from typing import Any

import msgspec

from ragviz.compare.fairness import MESSAGES
from ragviz.errors import InputError
from ragviz.records import Grounding

SECTIONS = {"each", "mean", "slice", "must_pass", "quarantine", "no_regression", "allow", "missing", "tolerance"}


class Bounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits on one number; those that are None do not apply."""

    min: float | None = None
    max: float | None = None
    lower_bound: float | None = None
    """The 95 % interval's lower end must reach this (means only)."""
    upper_bound: float | None = None
    """The 95 % interval's upper end must stay below this (means only)."""


    def __post_init__(self) -> None:
        """A rule that checks nothing, or that nothing can pass, is a slip of the pen."""
        limits = [x for x in (self.min, self.max, self.lower_bound, self.upper_bound) if x is not None]
        if not limits:
            raise ValueError("a rule without a limit checks nothing")
        if not all(map(math.isfinite, limits)):
            raise ValueError("a limit must be a finite number")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"no value is at least {self.min:g} and at most {self.max:g}")


class MustPass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim of one case that must come out in one way, whatever the averages say."""

    case: str
    claim: str
    """Claim id, or words the claim contains."""
    verdict: Grounding

    def __post_init__(self) -> None:
        """An empty text is contained in every claim."""
        if not self.claim.strip():
            raise ValueError("must_pass: the claim is empty")


class SliceRule(msgspec.Struct, frozen=True, kw_only=True):
    """Limits on the mean over the cases with one tag value."""

    tag: str
    value: str
    mean: dict[str, Bounds]
    no_regression: tuple[str, ...] = ()
    """Metrics that may not fall below the baseline within this slice."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a gate checks."""

    each: dict[str, Bounds] = {}
    """Every case, by metric."""
    mean: dict[str, Bounds] = {}
    """The run's macro mean, by metric."""
    slices: tuple[SliceRule, ...] = ()
    must_pass: tuple[MustPass, ...] = ()
    quarantine: tuple[str, ...] = ()
    """Cases that are reported but block nothing: known to be flaky."""
    no_regression: tuple[str, ...] = ()
    """Metrics that may not fall below the baseline by more than chance and judge noise."""
    tolerance: dict[str, float] = {}
    """By metric of a ``no_regression``: a fall of this size is accepted. Others have ``gate.baseline.least_fall``."""
    allow: tuple[str, ...] = ()
    """Differences from the baseline that are accepted: questions, corpus, judge, claim_set, prompt, policy, k."""
    missing: str = "fail"
    """What a case without a value does: ``fail``, or ``skip`` it (it is listed all the same)."""

    @property
    def about_baseline(self) -> bool:
        """Whether a rule cannot be checked without a baseline."""
        return bool(self.no_regression) or any(rule.no_regression for rule in self.slices)


ESTIMATED = Bounds(min=0.5)
"""For a relevance that is only estimated: below it an answer counts as off-topic."""


def default_rules(k: int, *, with_baseline: bool = False, without: Collection[str] = (), facets: bool = True) -> Rules:
    """
    Without a rules file: every case faithful, relevant and correct to 0.95, and every relevant passage within the first k.

    Args:
        k: Cut-off of the recall.
        with_baseline: None of these may fall below the baseline either.
        without: Metrics that no known case has labels for (``unlabelled``): they are left out, and whoever shows the result says so.
        facets: Whether relevance rests on what the known cases say that their questions ask for. Without that it is an estimate, and need only not be
            off-topic.
    """
    limits = {**dict.fromkeys(("faithfulness", "relevance", "correctness"), Bounds(min=0.95)), f"recall_at_{k}": Bounds(min=1.0)}
    limits = {name: bounds for name, bounds in limits.items() if name not in without}
    if not facets:
        limits["relevance"] = ESTIMATED
    return Rules(each=limits, no_regression=tuple(limits) if with_baseline else ())


def unlabelled(k: int, *, references: bool, relevance: bool) -> dict[str, str]:
    """
    What the default rules cannot ask, and why.

    Args:
        k: Cut-off of the recall.
        references: Whether any known case has an expected answer.
        relevance: Whether any has relevance labels.
    """
    return ({} if references else {"correctness": "no known case has an expected answer"}) | (
        {} if relevance else {f"recall_at_{k}": "no known case has relevance labels"}
    )


def read_rules(text: str, *, filename: str) -> Rules:
    """
    Rules from TOML.

    A bare number is a minimum: ``faithfulness = 0.9`` equals ``faithfulness = {min = 0.9}``.

    Raises:
        InputError: Not TOML, an unknown section, or a limit that is none.
    """
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as exc:
        raise InputError(f"{filename}: not TOML: {exc}", fix="see docs/GATE.md for an example") from exc
    unknown = sorted(set(raw) - SECTIONS)
    if unknown:
        raise InputError(f"{filename}: unknown section {unknown[0]!r}", fix=f"known are {', '.join(sorted(SECTIONS))}")
    try:
        rules = Rules(
            each=_bounds(raw.get("each", {})),
            mean=_bounds(raw.get("mean", {})),
            slices=tuple(_slice(tag, value, limits) for tag, values in raw.get("slice", {}).items() for value, limits in values.items()),
            must_pass=tuple(msgspec.convert(m, MustPass) for m in raw.get("must_pass", ())),
            quarantine=msgspec.convert(raw.get("quarantine", []), tuple[str, ...]),
            no_regression=msgspec.convert(raw.get("no_regression", []), tuple[str, ...]),
            allow=_allowed(raw.get("allow", [])),
            missing=_missing(raw.get("missing", "fail")), tolerance=_tolerance(raw.get("tolerance", {})),
        )
        _refuse_idle_tolerance(rules)
    except (msgspec.ValidationError, AttributeError, TypeError, ValueError) as exc:
        raise InputError(f"{filename}: {exc}", fix="see docs/GATE.md for an example") from exc
    if not (rules.each or rules.mean or rules.slices or rules.must_pass or rules.no_regression):
        raise InputError(f"{filename}: there is no rule in it, so everything would pass", fix="see docs/GATE.md for an example, or leave --rules out")
    of_means = next((name for name, bounds in rules.each.items() if bounds.lower_bound is not None or bounds.upper_bound is not None), None)
    if of_means is not None:
        raise InputError(f"{filename}: {of_means} in [each] has a limit for the interval, which only means have", fix="move it to [mean], or use min and max")
    return rules


def _bounds(raw: dict[str, Any]) -> dict[str, Bounds]:
    return {name: Bounds(min=float(v)) if isinstance(v, int | float) and not isinstance(v, bool) else msgspec.convert(v, Bounds) for name, v in raw.items()}


def _slice(tag: str, value: str, limits: dict[str, Any]) -> SliceRule:
    mean = _bounds({name: limit for name, limit in limits.items() if name != "no_regression"})
    rule = SliceRule(tag=tag, value=value, mean=mean, no_regression=msgspec.convert(limits.get("no_regression", []), tuple[str, ...]))
    if not (rule.mean or rule.no_regression):
        raise ValueError(f"the slice {tag}.{value} has no limit, so it checks nothing")
    return rule


def _allowed(words: object) -> tuple[str, ...]:
    names = msgspec.convert(words, tuple[str, ...])
    strange = next((name for name in names if name not in MESSAGES), None)
    if strange is not None:
        raise ValueError(f"allow names {strange!r}; what can differ is {', '.join(MESSAGES)}")
    return names


def _tolerance(raw: dict[str, Any]) -> dict[str, float]:
    found = {name: float(v) for name, v in raw.items() if isinstance(v, int | float) and not isinstance(v, bool)}
    wrong = next((name for name in raw if name not in found or not 0 <= found[name] < math.inf), None)
    if wrong is not None:
        raise ValueError(f"the tolerance of {wrong} is no number from 0 on")
    return found


def _refuse_idle_tolerance(rules: Rules) -> None:
    """One for a metric that no rule holds against the baseline is a slip of the pen."""
    asked = {*rules.no_regression, *(metric for rule in rules.slices for metric in rule.no_regression)}
    idle = next((name for name in rules.tolerance if name not in asked), None)
    if idle is not None:
        raise ValueError(f"tolerance names {idle!r}, which is in no no_regression")


def _missing(word: object) -> str:
    if word not in ("fail", "skip"):
        raise msgspec.ValidationError(f"missing is {word!r}, not 'fail' or 'skip'")
    return str(word)
