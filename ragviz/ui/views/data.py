"""Data: load what you have, see what was understood, know the price before you judge; runs and export."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

import ragviz
from ragviz.ui import address, presses, resources, samples, widgets
from ragviz.ui.views import data_judge, data_load, data_runs, data_understood

SAMPLES = "samples"
"""Query parameter of "Try the sample traces" on other pages."""


@widgets.plainly
def render() -> None:
    """The whole page."""
    line, (place,) = widgets.page_head("Data", controls=1, widths=(0.17,))
    line.caption("Load what you have, see what was understood, know the price before you judge.")
    asked = presses.pressed(place.button, "Try the sample traces", key="samples", width="stretch")
    if asked or SAMPLES in st.query_params:
        _load_samples()
    run, view = resources.run(), resources.view()
    left, right = st.columns(2, gap="small")
    with left:
        data_load.draw()
        # What another file brought would be read as what was understood of the files that wait above.
        if run is not None and not st.session_state.get(data_load.STAGED):
            data_understood.draw(run)
    with right:
        if run is None or view is None:
            widgets.empty_state("No traces yet", "Drop a file on the left, or look around with the sample traces.")
            return
        data_judge.draw(run, primary=not st.session_state.get(data_load.STAGED))
        data_judge.progress(run)
        data_runs.runs(run)
        data_runs.export(view, run)


def _load_samples() -> None:
    """Import the sample traces, and judge them in the background."""
    folder = sample_folder()
    if folder is None:
        widgets.problem("The sample traces are not installed.", "Take them from the project's sample_traces folder.")
        return
    problems = samples.load(folder)
    address.clear((SAMPLES,))
    for at, sentence in enumerate(problems):
        widgets.problem(sentence, key=f"sample-{at}")
    if not problems:
        st.rerun()


def sample_folder() -> Path | None:
    """Where the sample traces are: beside the package in a checkout, inside it when installed."""
    package = Path(ragviz.__file__).parent
    return next((p for p in (package.parent / "sample_traces", package / "_dashboard" / "sample_traces") if p.is_dir()), None)
