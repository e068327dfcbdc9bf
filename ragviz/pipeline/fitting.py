"""A judge's confidence corrected on people's labels: fitted on one part of them, reported on the other, kept for that version of the judge only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from ragviz.errors import InputError
from ragviz.pipeline.calibrate import Answer
from ragviz.pipeline.label_files import LabelRow
from ragviz.pipeline.trust import bins_for
from ragviz.records import Calibration, Goodness, Grounding, LabelSplit
from ragviz.records.ids import digest
from ragviz.stats.calibration import Isotonic, fit_isotonic, reliability
from ragviz.text.counts import counted

NEEDED = 30
"""Judged labels with a confidence that each part must have."""
_DIGITS = 15


def part_rows(rows: Sequence[LabelRow], *, fraction: float = 0.5, seed: int = 0, split: str | None = None) -> tuple[list[LabelRow], list[LabelRow], LabelSplit]:
    """
    Part labels into those to fit on and those to report on. Rows of one group (source document, trace) stay together.

    Args:
        rows: Labels; the group of a row is looked at within its data set.
        fraction: Chance of a group to be fitted on, in (0, 1). A group's side depends on nothing but its name and the seed: more labels move none.
        seed: Another one parts them otherwise.
        split: Instead: fit on the rows whose own ``split`` says this; the others are reported.

    Raises:
        InputError: A part has fewer than 30 rows, or a group is on both sides of the file's own split.
    """
    if split is None:
        fits = {group for group in map(_group, rows) if _share(group, seed) < fraction}
        rule = f"a share of {fraction:g} of the groups by chance, seed {seed}"
    else:
        fits = {_group(row) for row in rows if row.split == split}
        torn = next((row for row in rows if row.split != split and _group(row) in fits), None)
        if torn is not None:
            raise InputError(
                f'group "{torn.group[:60]}" has rows inside and outside split "{split}"',
                fix="give all rows of a group the same split, or part by chance with --split 0.5",
            )
        rule = f'rows whose split is "{split}"'
    train, test = [row for row in rows if _group(row) in fits], [row for row in rows if _group(row) not in fits]
    if min(len(train), len(test)) < NEEDED:
        raise InputError(f"fitting needs {NEEDED} labels on each side, but {rule} leaves {counted(len(train), 'row')} to fit on and {len(test)} to report on",
                         fix="label more claims, use another fraction, or name a split the rows have")
    return (
        train,
        test,
        LabelSplit(
            rule=rule,
            seed=seed if split is None else None,
            n_fit=len(train),
            n_reported=len(test),
            groups_fit=len(fits),
            groups_reported=len({_group(r) for r in test}),
            fit_hash=rows_hash(train),
            reported_hash=rows_hash(test),
        ),
    )


def _group(row: LabelRow) -> tuple[str, str]:
    return row.dataset, row.group


def _share(group: tuple[str, str], seed: int) -> float:
    return int(digest((str(seed), *group), length=_DIGITS), 16) / float(1 << 4 * _DIGITS)


def rows_hash(rows: Sequence[LabelRow]) -> str:
    """Fingerprint of labelled rows by content (claim, passages, label, group), in any order."""
    return digest(sorted(digest((r.dataset, r.group, r.claim, r.label, *(p.text for p in r.passages))) for r in rows))


def fit(
    train: Sequence[Answer], test: Sequence[Answer], *, judge: str, fingerprint: str, split: LabelSplit, now: datetime, by: str = "", files: Sequence[str] = (),
) -> Calibration:
    """
    Isotonic calibration of P(not supported): fitted on ``train``, its worth measured on ``test``.

    Raises:
        InputError: The judge gives no confidence, or a part has too few judged labels.
    """
    fitted, held = _told(train), _told(test)
    if not fitted and not held:
        raise InputError(f"judge {judge} gives no confidence, so there is nothing to calibrate", fix="`ragviz calibrate` without --fit measures its verdicts")
    for part, name in ((fitted, "fit on"), (held, "report on")):
        if len(part) < NEEDED:
            raise InputError(
                f"only {counted(len(part), 'judged label')} to {name}; fewer than {NEEDED} say nothing",
                fix="label more claims, or part them otherwise with --split",
            )
    map_ = fit_isotonic([p for p, _ in fitted], [bad for _, bad in fitted])
    found = Calibration(
        fingerprint=fingerprint,
        judge=judge,
        fitted_at=now,
        by=by,
        x=map_.x,
        y=map_.y,
        base_rate=sum(bad for _, bad in fitted) / len(fitted),
        split=split,
        files=tuple(files),
    )
    return replace(found, before=goodness(test), after=goodness([replace(a, confidence=corrected(found, a.grounding, a.confidence)) for a in test]))


def _told(answers: Sequence[Answer]) -> list[tuple[float, bool]]:
    """P(not supported) as the judge tells it, and whether people say so."""
    return [
        (_p_unsupported(a.grounding, a.confidence), a.row.label is not Grounding.SUPPORTED)
        for a in answers if a.confidence is not None and a.grounding is not Grounding.UNJUDGED
    ]


def _p_unsupported(grounding: Grounding, confidence: float) -> float:
    return 1 - confidence if grounding.is_supported else confidence


def corrected(calibration: Calibration, grounding: Grounding, confidence: float | None) -> float | None:
    """
    P(people agree that the claim is supported, or that it is not) in [0, 1], in the judge's own verdict; below 0.5 people would mostly say the opposite.

    None for an unjudged claim or a verdict without confidence. For a contradicted claim this is about "not supported": that it is contradicted, too,
    was not what the labels were parted by.
    """
    if confidence is None or grounding is Grounding.UNJUDGED:
        return None
    p = Isotonic(x=calibration.x, y=calibration.y)(_p_unsupported(grounding, confidence))
    return 1 - p if grounding.is_supported else p


def goodness(answers: Sequence[Answer]) -> Goodness | None:
    """Calibration error and Brier score of confidences as they stand."""
    sure = [a for a in answers if a.confidence is not None and a.grounding is not Grounding.UNJUDGED]
    right = [a.grounding.is_supported == (a.row.label is Grounding.SUPPORTED) for a in sure]
    curve = reliability([a.confidence or 0.0 for a in sure], right, n_bins=bins_for(len(sure)))
    return None if curve is None else Goodness(n=curve.n, ece=curve.ece, brier=curve.brier)
