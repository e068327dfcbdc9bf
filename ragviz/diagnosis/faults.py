"""One claim that rests on a source which something better denies, and the sentence that says so."""

from __future__ import annotations

import msgspec

from ragviz.diagnosis.showing import called
from ragviz.records import CauseEvidence, JudgedTrace


class SourceFault(msgspec.Struct, frozen=True, kw_only=True):
    """One claim that rests on a source which something better denies."""

    claim_id: str
    kind: str
    """``wrong`` (the reference denies it), ``outdated``, ``less_authoritative``, ``superseded`` (the source itself says so), ``older_revision`` (a newer
    one does not say it) or ``contested``."""
    detail: str
    used: tuple[str, ...]
    """Passages that support the claim."""
    against: tuple[str, ...]
    """Passages that deny it; () when the reference does."""
    shown: CauseEvidence | None = None
    """Where a passage that was not retrieved denies it."""

    @property
    def passage_ids(self) -> tuple[str, ...]:
        """All passages concerned."""
        return (*self.used, *self.against)


def fault(case: JudgedTrace, claim_id: str, kind: str, used: tuple[str, ...], against: tuple[str, ...] = (), *, word: str = "") -> SourceFault:
    """A fault with its sentence. ``word``: what a source says of itself; of a wrong one, whose word it is that it says so."""
    name = ", ".join(called(case, p) for p in used) or "what was retrieved"
    others = ", ".join(called(case, p) for p in against)
    details = {
        "wrong": f"the answer repeats {name}, and the expected answer is another" + (f"; that {name} says so is {word}: see whether it does" if word else ""),
        "outdated": f"the answer rests on {name}, but a newer passage says otherwise: {others}",
        "less_authoritative": f"the answer rests on {name}, but a more authoritative passage says otherwise: {others}",
        "superseded": f"the answer rests on {name}, which is no longer in force: {word}",
        "older_revision": f"the answer rests on {name}, and a newer revision does not say so: {others}",
        "contested": f"the sources disagree: {name} against {others}",
    }
    return SourceFault(claim_id=claim_id, kind=kind, detail=details[kind], used=used, against=against)
