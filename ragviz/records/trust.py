"""What is known of how far numbers can be trusted: which traces were kept apart, who looked at them, how a judge's confidence was corrected."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

SPLIT_TAG = "split"
"""The tag of a trace that says which split it belongs to."""


class Split(StrEnum):
    """What traces are kept for."""

    DEVELOPMENT = "development"
    """Looked at freely; prompts and thresholds are chosen on it."""
    REGRESSION = "regression"
    """Known cases that must go on passing."""
    HELD_OUT = "held-out"
    """Kept unseen, for numbers that nobody has tuned to."""
    FRESH = "fresh"
    """New traffic, not sorted yet."""

    @classmethod
    def of(cls, word: str | None) -> Split | None:
        """The split a tag names, upper and lower case, spaces, ``-`` and ``_`` alike; None for another word: files use "split" for their own ends too."""
        return _BY_WORD.get(_bare(word)) if word else None

    @classmethod
    def of_column(cls, word: str | None) -> Split | None:
        """The split a column names that is known to hold splits: also in the words of training sets (train, dev, validation, test)."""
        return cls.of(word) or (_OF_TRAINING_SETS.get(_bare(word)) if word else None)


def _bare(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())


_BY_WORD = {_bare(split): split for split in Split}
_OF_TRAINING_SETS = {
    **dict.fromkeys(("dev", "train", "training", "val", "validation", "tune", "tuning"), Split.DEVELOPMENT),
    **dict.fromkeys(("holdout", "test", "testing", "eval"), Split.HELD_OUT), "new": Split.FRESH,
}


class LookKind(StrEnum):
    """How somebody came to know something about held-out traces."""

    OPENED = "opened"
    """A person read them."""
    MEASURED = "measured"
    """Their scores were computed and shown."""
    MOVED = "moved"
    """They were taken out of the held-out split."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """One look at held-out traces. Appended, never taken back."""

    at: datetime
    who: str
    kind: LookKind
    place: str
    """Page or command."""
    n_traces: int
    """How many of the traces asked about it touched."""


class LabelSplit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How labelled rows were parted: fitted on one part, reported on the other. Rows of one group stay together."""

    rule: str
    """In words: "half of the groups, seed 0"."""
    seed: int | None = None
    n_fit: int
    n_reported: int
    groups_fit: int
    groups_reported: int
    fit_hash: str
    """Fingerprint of the rows that were fitted on, in any order."""
    reported_hash: str


class Goodness(msgspec.Struct, frozen=True, kw_only=True):
    """How far confidence means what it says, on rows nothing was fitted on."""

    n: int
    ece: float
    """Expected calibration error, bins of equal mass."""
    brier: float


class Calibration(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A correction of one judge's confidence, fitted on people's labels. Belongs to one fingerprint: another version of the judge is another judge."""

    fingerprint: str
    judge: str
    fitted_at: datetime
    by: str = ""
    x: tuple[float, ...]
    """P(not supported) as the judge tells it, ascending."""
    y: tuple[float, ...]
    """The same as people's labels have it, never falling; straight lines between the points."""
    base_rate: float
    """Share of "not supported" among the labels it was fitted on. Where that share is another, the corrected confidence is off."""
    split: LabelSplit
    before: Goodness | None = None
    after: Goodness | None = None
    files: tuple[str, ...] = ()
