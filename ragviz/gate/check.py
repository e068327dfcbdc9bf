"""Rules and a judged run to pass or fail, with the reason for every line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ragviz.errors import InputError
from ragviz.gate.cases import GateCase, LineClaim, in_words, told_claims
from ragviz.gate.rules import Bounds, MustPass, Rules
from ragviz.records import Summary
from ragviz.text.counts import counted

DUST = 1e-9
MOST_DIGITS = 10


class GateLine(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison of a value with a limit."""

    scope: str
    """Case id, "mean", or "topic=returns"."""
    metric: str
    value: float | None
    limit: str
    """In words: "at least 0.95"."""
    passed: bool
    reason: str = ""
    quarantined: bool = False
    claim_ids: tuple[str, ...] = ()
    """What lowered the value."""
    claims: tuple[LineClaim, ...] = ()
    """Those of them that are claims, with text, verdict and the judge's reason."""


class GateReport(msgspec.Struct, frozen=True, kw_only=True):
    """All lines, failing ones first."""

    lines: tuple[GateLine, ...]
    n_cases: int

    @property
    def failures(self) -> tuple[GateLine, ...]:
        """Lines that block: failed and not in quarantine."""
        return tuple(line for line in self.lines if not line.passed and not line.quarantined)

    @property
    def passed(self) -> bool:
        """True when nothing blocks."""
        return not self.failures


def check(cases: Sequence[GateCase], summary: Mapping[str, Summary], rules: Rules, *, slices: Mapping[tuple[str, str], Mapping[str, Summary]] | None = None,
          extra: Sequence[GateLine] = ()) -> GateReport:
    """
    Apply every rule.

    Args:
        cases: The judged cases.
        summary: Means over all cases, by metric.
        rules: What must hold.
        slices: Means over the cases of one tag value, by (tag, value), for the slice rules.
        extra: Lines decided elsewhere: comparison with a baseline, fairness.

    Raises:
        InputError: A rule names a metric, case, slice or claim that does not exist: a rule that checks nothing must not pass.
    """
    by_id = {case.id: case for case in cases}
    known = {name for case in cases for name in case.scores}
    _refuse_unknown(rules, known, by_id)
    lines = [_each(case, metric, bounds, rules) for metric, bounds in rules.each.items() for case in cases]
    lines += [_mean("mean", metric, summary.get(metric), bounds) for metric, bounds in rules.mean.items()]
    for rule in rules.slices:
        of_slice = (slices or {}).get((rule.tag, rule.value), {})
        lines += [_mean(f"{rule.tag}={rule.value}", metric, of_slice.get(metric), bounds) for metric, bounds in rule.mean.items()]
    lines += [_must_pass(by_id[rule.case], rule, rules) for rule in rules.must_pass]
    lines += list(extra)
    lines.sort(key=lambda line: (line.passed, line.quarantined))
    return GateReport(lines=tuple(lines), n_cases=len(cases))


def _refuse_unknown(rules: Rules, metrics: set[str], cases: Mapping[str, GateCase]) -> None:
    named = [*rules.each, *rules.mean, *(m for s in rules.slices for m in (*s.mean, *s.no_regression)), *rules.no_regression]
    for metric in named:
        if metric not in metrics:
            raise InputError(
                f"the rules name {metric!r}, which is not computed here", fix="`ragviz metrics` lists the names; those at a cut-off need the same -k"
            )
    for name in [rule.case for rule in rules.must_pass] + list(rules.quarantine):
        if name not in cases:
            raise InputError(
                f"the rules name the case {name!r}, which is not among {counted(len(cases), 'case')}", fix="correct the name, or take the rule out"
            )
    if any(s for s in rules.slices if not any(c.tags.get(s.tag) == s.value for c in cases.values())):
        empty = next(s for s in rules.slices if not any(c.tags.get(s.tag) == s.value for c in cases.values()))
        raise InputError(f"no case has the tag {empty.tag}={empty.value}", fix="correct the slice rule, or tag the cases")


def _each(case: GateCase, metric: str, bounds: Bounds, rules: Rules) -> GateLine:
    score = case.scores.get(metric, None)
    quarantined = case.id in rules.quarantine
    if score is None or score.value is None:
        reason = score.reason if score is not None else "not computed for this case"
        return GateLine(
            scope=case.id, metric=metric, value=None, limit=words(bounds), passed=rules.missing == "skip", reason=f"no value: {reason}", quarantined=quarantined
        )
    fault = _fault(score.value, bounds)
    blamed = score.claim_ids if fault else ()
    return GateLine(scope=case.id, metric=metric, value=score.value, limit=words(bounds), passed=not fault, reason=fault, quarantined=quarantined,
                    claim_ids=blamed, claims=told_claims(case, metric, blamed))


def _mean(scope: str, metric: str, summary: Summary | None, bounds: Bounds) -> GateLine:
    if summary is None or summary.macro is None:
        return GateLine(scope=scope, metric=metric, value=None, limit=words(bounds), passed=False, reason="no case has a value")
    fault = _fault(summary.macro, bounds)
    interval = summary.ci95
    if not fault and bounds.lower_bound is not None and (interval is None or interval.lo < bounds.lower_bound - DUST):
        fault = "too few cases for an interval" if interval is None else f"the interval starts at {apart(interval.lo, bounds.lower_bound)}"
    if not fault and bounds.upper_bound is not None and (interval is None or interval.hi > bounds.upper_bound + DUST):
        fault = "too few cases for an interval" if interval is None else f"the interval ends at {apart(interval.hi, bounds.upper_bound)}"
    return GateLine(scope=scope, metric=metric, value=summary.macro, limit=words(bounds), passed=not fault, reason=fault)


def _must_pass(case: GateCase, rule: MustPass, rules: Rules) -> GateLine:
    words_ = rule.claim.casefold()
    found = [c for c in case.claims if c.id == rule.claim] or [c for c in case.claims if words_ in c.text.casefold()]
    fault = "" if found and all(c.grounding is rule.verdict for c in found) else (
        f"came out {', '.join(sorted({c.grounding.value for c in found}))}" if found else "the answer makes no such claim")
    return GateLine(
        scope=case.id,
        metric=f"claim {rule.claim!r}",
        value=None,
        limit=f"must be {rule.verdict.value}",
        passed=not fault,
        reason=fault,
        quarantined=case.id in rules.quarantine,
        claim_ids=tuple(c.id for c in found),
        claims=tuple(map(in_words, found)) if fault and not case.is_held_out else (),
    )


def _fault(value: float, bounds: Bounds) -> str:
    # Rounding dust of a mean is no fall below a limit that was met.
    if bounds.min is not None and value < bounds.min - DUST:
        return f"{apart(value, bounds.min)} is below {bounds.min:g}"
    if bounds.max is not None and value > bounds.max + DUST:
        return f"{apart(value, bounds.max)} is above {bounds.max:g}"
    return ""


def apart(value: float, limit: float) -> str:
    """A value with three decimals, or as many more as it takes to tell it from the limit: 0.8996 is below 0.9, "0.900" is not."""
    digits = next((n for n in range(3, MOST_DIGITS) if round(value, n) != round(limit, n)), MOST_DIGITS)
    return f"{value:.{digits}f}"


def words(bounds: Bounds) -> str:
    """The limits as people say them."""
    parts = [("at least", bounds.min), ("at most", bounds.max), ("interval from", bounds.lower_bound), ("interval up to", bounds.upper_bound)]
    return ", ".join(f"{word} {limit:g}" for word, limit in parts if limit is not None)
