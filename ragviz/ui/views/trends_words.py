"""Numbers of trends as people read them: pure."""

from __future__ import annotations

from collections.abc import Sequence

from ragviz.compare.quantities import quantity
from ragviz.compare.trend import Mean, Shift, Version
from ragviz.figures.dense import Form
from ragviz.figures.plot_text import MINUS, NOTHING, SPACE, count, number, percent, plain
from ragviz.pipeline.trend_facts import By
from ragviz.text.sums import decimals, dollars

FELL_ROSE = ("fell", "rose")


def value_of(name: str, value: float | None) -> str:
    """A mean with its unit: 0.870, 12.4 %, 840 ms."""
    if value is None:
        return NOTHING
    unit = quantity(name).unit
    if unit == "%":
        return percent(value)
    if unit == "USD":
        return dollars(value)
    if unit:
        return f"{number(value, digits=0 if value >= 10 else 1)}{SPACE}{unit}"
    return number(value)


def effect_of(name: str, effect: float, *, sign: bool = True) -> str:
    """A difference: +0.020, −3.1 points, +12 %."""
    q = quantity(name)
    lead = ("+" if effect > 0 else MINUS if effect < 0 else "") if sign else ""
    size = abs(effect)
    if q.logarithmic:
        return f"{lead}{percent(size, digits=0 if size >= 0.1 else 1)}"
    if q.unit == "%":
        return f"{lead}{number(100 * size, digits=1)}{SPACE}points"
    if q.unit:
        return f"{lead}{number(size, digits=1)}{SPACE}{q.unit}"
    return f"{lead}{number(size)}"


def p_of(p: float) -> str:
    """As p = 0.012, or p < 0.001 below that."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def sentence(shift: Shift) -> str:
    """Faithfulness fell by 0.124 (95 % interval −0.169 to −0.078; corrected p < 0.001)."""
    # The unit stands once, after the upper end.
    ends = f"{effect_of(shift.quantity, shift.ci95.lo).split(SPACE)[0]} to {effect_of(shift.quantity, shift.ci95.hi)}"
    return f"{quantity(shift.quantity).label} {FELL_ROSE[shift.effect > 0]} by {effect_of(shift.quantity, shift.effect, sign=False)} (95{SPACE}% interval {ends}; corrected {p_of(shift.p_holm)})"


def name_of(part: Version, by: By) -> str:
    """How a part is called in a sentence, unescaped: version v10, the week from 2025-03-03."""
    if by in (By.MONTH, By.WEEK):
        return f"the {by.value} from {part.label}"
    return part.label


def hover_of(part: Version, name: str, mean: Mean, *, brief: bool = False) -> str:
    """What the pointer is told of one point; ``brief``: without what the page says elsewhere."""
    ends = f" ({value_of(name, mean.ci95.lo)} to {value_of(name, mean.ci95.hi)})" if mean.ci95 else ""
    when = f", {part.at:%d %b %Y}" if part.at else ""
    head = f"{plain(part.label, limit=40, inside=True)}{'' if brief else when}: {value_of(name, mean.value)}{ends}, n {count(mean.n)}"
    return head if brief else f"{head} of {count(part.n)}"


def form_of(name: str, means: Sequence[Mean]) -> Form | None:
    """
    How the numbers of a chart of hundreds of points are written: all alike, as fine as the finest needs. None where a point has no interval,
    which a sentence says.
    """
    known = [m for m in means if m.value is not None]
    ends = [end for m in known if m.ci95 is not None for end in (m.value or 0.0, m.ci95.lo, m.ci95.hi)]
    if len(ends) < 3 * len(known):
        return None
    unit, least = quantity(name).unit, min((abs(end) for end in ends if end), default=0.0)
    if unit == "%":
        return Form("", 1, f"{SPACE}%")
    if unit == "USD":
        return Form("&#36;", decimals(name, least, least=4) if least < 1 else 2, "")
    return Form("", 0 if least >= 10 else 1, f"{SPACE}{unit}") if unit else Form("", 3, "")


def alt_of(parts: Sequence[Version], name: str, means: Sequence[Mean]) -> str:
    """The chart in one sentence."""
    known = [(p, m) for p, m in zip(parts, means, strict=True) if m.value is not None]
    if not known:
        return f"{quantity(name).label}: no value"
    (first, a), (last, b) = known[0], known[-1]
    return (
        f"{quantity(name).label}: {value_of(name, a.value)} in {plain(first.label)}, {value_of(name, b.value)} in {plain(last.label)}, over {len(known)} points"
    )
