"""What a judge's confidence is worth here: corrected on people's labels, by its makers, or not at all. Said wherever it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ragviz.grounding.resolve import ClaimGrounding
from ragviz.pipeline.fitting import corrected
from ragviz.records import Calibration, Grounding, JudgedTrace
from ragviz.store import Store
from ragviz.store.calibrations import calibrations
from ragviz.text.counts import counted


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The calibration in force for one version of a judge; none where nobody fitted one."""

    calibration: Calibration | None = None
    others: int = 0
    """Calibrations of other versions of the same judge: they do not apply."""

    def of(self, grounding: Grounding, confidence: float | None) -> float | None:
        """The corrected confidence; None without a calibration."""
        return corrected(self.calibration, grounding, confidence) if self.calibration is not None else None

    @property
    def words(self) -> str:
        """One sentence about the calibration on people's labels."""
        c = self.calibration
        if c is not None:
            return f"calibrated on {counted(c.split.n_fit, 'label')} on {c.fitted_at:%Y-%m-%d}; base rate there {c.base_rate:.0%}"
        if self.others:
            return "not calibrated on labels: the stored calibration belongs to another version of this judge and does not apply"
        return "not calibrated on labels"

    def worth(self, *, by_makers: float) -> str:
        """The one sentence that is said wherever a confidence is shown; ``by_makers`` as for ``worth``."""
        return self.words if self.calibration is not None else worth(self.words, by_makers=by_makers)


def worth(on_labels: str, *, by_makers: float) -> str:
    """
    What a confidence is worth where nobody's labels corrected it.

    Args:
        on_labels: That, in words.
        by_makers: Share of the judge's answers of which it says itself that their confidence is calibrated; True = all.
    """
    if by_makers >= 1:
        return f"calibrated by its makers, {on_labels}"
    return (
        f"calibrated by its makers in {100 * by_makers:.0f} % of its answers, {on_labels}"
        if by_makers > 0
        else f"not calibrated by its makers, and {on_labels}"
    )


NOT_CALIBRATED = Standing()


def standing(store: Store, fingerprint: str) -> Standing:
    """What is known here of that version of a judge."""
    mine = calibrations(store, fingerprint=fingerprint)
    if mine:
        return Standing(calibration=mine[0])
    name = fingerprint.split(":", 1)[0]
    return Standing(others=len({c.fingerprint for c in calibrations(store, judge=name)}))


def confidences(case: JudgedTrace, grounded: Mapping[str, ClaimGrounding], stands: Standing) -> dict[str, str]:
    """How sure the judge is of each claim, and what that is worth, in words; claims of which it does not say, or a person has spoken, are left out."""
    raw = {j.key.claim_id for j in case.judgements if j.confidence is not None and not j.calibrated}
    return {claim_id: words for claim_id, found in grounded.items() if (words := confidence_words(found, stands, by_makers=claim_id not in raw))}


def confidence_words(found: ClaimGrounding, stands: Standing, *, by_makers: bool) -> str:
    """The same for one claim. ``by_makers``: the judge itself says that its confidence is calibrated."""
    if found.confidence is None or found.by == "human":
        return ""
    mended = stands.of(found.grounding, found.confidence)
    if mended is not None and stands.calibration is not None:
        return f"confidence {mended:.2f}, calibrated on {counted(stands.calibration.split.n_fit, 'label')} (told: {found.confidence:.2f})"
    return f"confidence {found.confidence:.2f}, {stands.worth(by_makers=by_makers)}"


def as_json(found: Standing) -> dict[str, Any] | None:
    """What machine-readable output says of it; None where nothing applies."""
    c = found.calibration
    if c is None:
        return None
    return {
        "fitted_at": c.fitted_at.isoformat(), "fingerprint": c.fingerprint, "base_rate": c.base_rate, "split": msgspec.to_builtins(c.split),
        "before": msgspec.to_builtins(c.before), "after": msgspec.to_builtins(c.after),
    }
