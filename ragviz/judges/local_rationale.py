"""Why, in one sentence made from what was found."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from ragviz.consistency import Agreement, Findings
from ragviz.judges.local_rules import Scene, reason
from ragviz.judges.local_view import Look
from ragviz.records import Clash, ClashKind, Span, Verdict

_MAX_NAMED = 3


def own_clashes(clash: Findings | None, is_own: Callable[[Span], bool] | None) -> Findings | None:
    """The findings without clashes of what only the question says ("River Fix 12": 12 is no claim); as they are where no other is left."""
    if clash is None or is_own is None:
        return clash
    own = tuple(one for one in clash.clashes if one.hypothesis_span is None or is_own(one.hypothesis_span))
    return msgspec.structs.replace(clash, clashes=own) if own else clash


def rationale(seen: Look, verdict: Verdict, p_support: float, clash: Findings | None, is_own: Callable[[Span], bool] | None = None) -> str:
    """
    The findings in words; ``clash`` is the one that decides, if any. ``is_own``: whether a place of the claim is the claim's, and not its question's.

    "the passage says 30 days, the claim says 90 days"; "the passage does not give: 1998, Tom Brady"; "5 of 5 details agree".
    """
    if verdict is Verdict.CONTRADICTED and clash is not None:
        return _clashes(clash.clashes)
    parts: list[str] = []
    if verdict is Verdict.UNJUDGED:
        parts.append(f"too close to call ({p_support:.0%} for supported)")
    if (
        clash is not None
        and verdict is not Verdict.ENTAILED
        and (is_own is None or any(one.hypothesis_span is None or is_own(one.hypothesis_span) for one in clash.clashes))
    ):
        parts.append(f"possible clash: {_clashes(clash.clashes)}")
    if verdict is not Verdict.ENTAILED:
        parts += _lacking(seen, is_own)
        if not parts:
            parts.append(reason(Scene(seen)))
    else:
        parts.append(_agreeing(seen))
    return "; ".join(part for part in parts if part) or "the passage does not carry the whole claim"


def _clashes(clashes: tuple[Clash, ...]) -> str:
    named = [_clash(clash) for clash in clashes[:_MAX_NAMED]]
    return "; ".join(dict.fromkeys(named))


def _clash(clash: Clash) -> str:
    theirs, ours = clash.premise_value.strip(), clash.hypothesis_value.strip()
    if theirs and theirs.casefold() == ours.casefold():
        return f"“{ours}” is said of others, or with a limit"
    if theirs and ours:
        return f"the passage says {theirs}, the claim says {ours}"
    return f"the claim says {ours}, the passage does not" if ours else f"the passage says {theirs}, the claim leaves it out"


def _lacking(seen: Look, is_own: Callable[[Span], bool] | None) -> list[str]:
    """
    Details and words of the claim that the evidence does not give, and qualifiers that it has. What stands in the text to the letter is not said
    to be missing.
    """
    parts = []
    there = seen.premise.indexed.text.casefold()
    found = seen.together
    if found is not None:
        limits = [one for one in found.dropped if is_own is None or one.hypothesis_span is None or is_own(one.hypothesis_span)]
        dropped = list(dict.fromkeys(_clash(clash) for clash in limits[:_MAX_NAMED]))
        if dropped:
            parts.append("; ".join(dropped))
        details = [
            missing.value for missing in found.missing
            if missing.kind is not None and not missing.stands and (is_own is None or is_own(missing.hypothesis_span))
            and re.search(rf"(?<![\w.,]){re.escape(missing.hypothesis_span.of(seen.claim.text).strip().casefold())}(?![\w]|[.,]\d)", there) is None
        ]
        words = [missing.value for missing in found.missing if missing.kind is None]
        wanted = list(dict.fromkeys(details + words))[: _MAX_NAMED + 1]
        if wanted:
            more = ", …" if len(wanted) > _MAX_NAMED else ""
            parts.append(f"the passage does not give: {', '.join(wanted[:_MAX_NAMED])}{more}")
    return parts


def _agreeing(seen: Look) -> str:
    found = seen.together
    said = _share(seen)
    values = list(dict.fromkeys(agreement.value for agreement in _said(found)))[:_MAX_NAMED]
    return f"{said}; both say {', '.join(values)}" if values else said


def _said(found: Findings | None) -> list[Agreement]:
    """What both texts give in so many words; not what only follows, nor the "C" of "4 °C" as a name."""
    agreements = found.agreements if found is not None else ()
    amounts = [one.hypothesis_span for one in agreements if one.kind is not ClashKind.NAME]
    return [one for one in agreements if one.said and not (one.kind is ClashKind.NAME and any(one.hypothesis_span.overlaps(span) for span in amounts))]


def _share(seen: Look) -> str:
    words = seen.claim.distinct
    units = seen.premise.indexed.units
    there = frozenset().union(*[units[choice.unit].stems for choice in seen.chosen])
    return f"{sum([word.stem in there for word in words])} of the claim's {len(words)} words of content stand in the evidence"
