"""How much load there is, what came of it, and the lines about it for docs/RELIABILITY.md."""

from __future__ import annotations

import os
import statistics
from collections import Counter
from dataclasses import dataclass, field

from tests.reliability.visitors import Seen


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    minutes: float
    sessions: int
    n_traces: int
    each: int
    """Traces of one import."""
    judge: str
    """Name of a judge, or ``words`` for the tests' own, which needs no model."""
    think_s: float = 3.0
    patience_s: float = 300.0
    alone: bool = False
    """Without judge and importer: the store stays as it is, so that nothing but the visitors can make the server grow."""


@dataclass
class Found(Seen):
    """What the visitors met, what the processes beside them acknowledged, and what of that is not there."""

    memory: list[tuple[float, float]] = field(default_factory=list)
    """Minutes since the start, and MiB of the server."""
    left_mib: float = 0.0
    """Once the visitors have gone and the server has tidied up."""
    cpu_s: float = 0.0
    """Of the server, while the visitors were there."""
    load: list[float] = field(default_factory=list)
    """Programs that wanted a processor, on this machine."""
    session_mib: float = 0.0
    """Memory of the server for one more open tab."""
    logged: Counter[str] = field(default_factory=Counter)
    """Last lines of tracebacks in the server's log, and how often each."""
    imported: dict[str, int] = field(default_factory=dict)
    labelled: int = 0
    judged: int = 0
    lost: list[str] = field(default_factory=list)


Memory = list[tuple[float, float]]
"""Minutes, and MiB then."""


def slope(memory: Memory) -> float:
    """MiB a minute over the second half, when caches are full: the straight line of least squares."""
    late = memory[len(memory) // 2 :]
    return statistics.linear_regression(*zip(*late, strict=True)).slope if len({at for at, _ in late}) > 1 else 0.0


def lowest(memory: Memory) -> Memory:
    """The least of each minute: what stays. All above it are pages that were being drawn at that moment."""
    by_minute: dict[int, float] = {}
    for at, mib in memory:
        by_minute[int(at)] = min(mib, by_minute.get(int(at), mib))
    return sorted((float(at), mib) for at, mib in by_minute.items())


def report(found: Found, size: Size) -> str:
    """The lines for docs/RELIABILITY.md."""
    took = sorted(seconds for _, seconds in found.took) or [0.0]
    by_page: dict[str, list[float]] = {}
    for page, seconds in found.took:
        by_page.setdefault(page or "front", []).append(seconds)
    return "\n".join((
        f"{size.sessions} visitors, {size.n_traces:,} traces, {size.minutes:g} minutes, machine load {statistics.fmean(found.load or [0.0]):.1f} on {os.cpu_count()} processors",
        f"pages drawn {len(found.took):,}; wall clock: median {_share(took, 0.5):.2f} s, 95 % {_share(took, 0.95):.2f} s, 99 % {_share(took, 0.99):.2f} s; processor {found.cpu_s / len(took):.2f} s a page",
        "median by page, s: " + ", ".join(f"{page} {statistics.median(some):.2f}" for page, some in sorted(by_page.items())),
        f"faults {len(found.faults)}, connections closed by the keepalive and opened anew {found.dropped}", *(f"{n} × {line}" for line, n in found.logged.most_common(10)), *found.faults[:10],
        f"acknowledged: {len(found.imported)} imports ({sum(found.imported.values()):,} traces), {found.labelled:,} labels, {found.judged:,} traces judged; lost {len(found.lost)}", *found.lost[:10],
        f"memory of the server: one more tab {found.session_mib:.1f} MiB; slope over the second half {slope(found.memory):+.1f} MiB a minute, of each minute's lowest {slope(lowest(found.memory)):+.1f}; "
        f"at most {max((mib for _, mib in found.memory), default=0.0):,.0f} MiB, {found.left_mib:,.0f} once the visitors had gone; each minute's lowest: " + " ".join(f"{mib:,.0f}" for _, mib in lowest(found.memory)),
    ))


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
