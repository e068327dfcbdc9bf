"""Opening hours read both ways: "open from 10 am to 5 pm" says that it opens at 10 and closes at 5, and not the other way round."""

from __future__ import annotations

from ragviz.consistency.analysis import Analysis
from ragviz.judges.local_rules.scene import Scene
from ragviz.text.date_mention import DateKind, DateMention

_BEGINS, _ENDS = frozenset({"opens", "open", "starts", "begins"}), frozenset({"closes", "close", "shuts", "ends", "finishes"})
_OPEN = frozenset({"open", "opens", "opened", "hours", "runs", "served"})
_SHARED = 0.99


def by_hours(scene: Scene) -> bool | None:
    """Whether hours of the evidence say when something opens or closes; None where the claim is about something else, or they are not known."""
    seen = scene.seen
    if " at " not in seen.claim.text:
        return None
    claim = scene.claim
    asked = _moment(claim)
    if asked is None:
        return None
    at, is_end, verb = asked
    subject = claim.all_keys - {claim.keys[verb]}
    for unit in scene.units[: len(seen.chosen)]:
        if _OPEN.isdisjoint(unit.lowers) or unit.cues or claim.cues:
            continue
        spans = [d.record.minutes for d in unit.dates if isinstance(d.record, DateMention) and d.record.kind is DateKind.TIME]
        if len(spans) != 1 or spans[0][1] < 0 or len(subject & unit.all_keys) < _SHARED * len(subject):
            continue
        begin, end = spans[0]
        if at in {begin, end}:
            return at == (end if is_end else begin)
    return None


def _moment(claim: Analysis) -> tuple[int, bool, int] | None:
    """The minutes, whether something ends then, and the verb."""
    times = [d for d in claim.dates if isinstance(d.record, DateMention) and d.record.kind is DateKind.TIME]
    if len(times) != 1 or times[0].first < 2 or claim.lowers[times[0].first - 1] != "at":
        return None
    record, verb = times[0].record, times[0].first - 2
    word = claim.lowers[verb]
    if not isinstance(record, DateMention) or record.minutes[1] >= 0 or word not in _BEGINS | _ENDS:
        return None
    return record.minutes[0], word in _ENDS, verb
