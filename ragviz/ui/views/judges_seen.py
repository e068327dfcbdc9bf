"""What every part of the Judges page looks at."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from ragviz.contracts import View
from ragviz.figures.plot_text import count
from ragviz.pipeline.labelling import ClaimRef, Labels, Looked, Survey
from ragviz.records import Grounding, RunManifest
from ragviz.store import Store
from ragviz.ui.resources import JudgeOption

MOST_TRACES = 2_000
"""Traces of which every claim is looked at; of larger runs so many are drawn by chance, always the same ones."""


class Surveyed(NamedTuple):
    """A run through one judge, beside people's labels and a second judge."""

    view: View
    run: RunManifest
    judge: JudgeOption
    other: JudgeOption | None
    survey: Survey
    labels: Labels
    labelled: Mapping[ClaimRef, Grounding]

    @property
    def sampled(self) -> str:
        """Said beside counts when not every trace was looked at."""
        return f" of {count(MOST_TRACES)} traces drawn by chance" if self.run.n_traces > MOST_TRACES else ""

    def looked(self, ref: ClaimRef) -> Looked | None:
        """A claim as the judges see it."""
        return next((c for c in self.survey.claims if c.ref == ref), None)


def sample_of(store: Store, run: RunManifest) -> list[str] | None:
    """Ids of the traces looked at; None = all."""
    if run.n_traces <= MOST_TRACES:
        return None
    return store.ids_at(run.run_id, random.Random(run.run_id).sample(range(run.n_traces), MOST_TRACES))  # noqa: S311 - no secret
