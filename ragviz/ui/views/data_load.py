"""Load: drop files or name a path, see how each is recognised, import them in the background, see what was understood and what was rejected."""

from __future__ import annotations

import glob
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ragviz.errors import RagvizError, UnreadableFile
from ragviz.figures.plot_text import count, counted, cut, size, visible
from ragviz.loaders import loaders, recognise
from ragviz.loaders.opening import opened
from ragviz.pipeline import ImportReport, JobStatus, import_files
from ragviz.pipeline.bundles import LABEL as BUNDLE
from ragviz.pipeline.bundles import opened_bundle
from ragviz.pipeline.jobs import Handle
from ragviz.records import Split
from ragviz.store import Store
from ragviz.ui import presses, resources, samples, selection, tables, vocabulary, widgets
from ragviz.ui.views import data_preview, data_redact
from ragviz.ui.views.data_fixes import on_the_page
from ragviz.ui.views.data_preview import Reading

STAGED, PROBLEMS, ROUND = "_rv_staged", "_rv_staging_problems", "_rv_upload_round"
IMPORT_JOB = "import\x1fdata-page"
MINE, AWAITED = "_rv_import_mine", "_rv_import_awaited"
"""Whether this session started the last import, and whether it still waits for it: the job belongs to the process, its result to one person."""
MAX_FILES = 50
_UNSAFE = re.compile(r"[^\w.\- ]+")


@dataclass(frozen=True)
class Staged:
    """A file waiting to be imported."""

    path: str
    name: str
    n_bytes: int
    format: str
    """Loader that recognises it; "" where none does; ``BUNDLE`` for a whole run."""
    uploaded: bool
    """True for a copy of ours, thrown away after the import."""


def draw() -> None:
    """Box 1: choose files, import them."""
    with widgets.box(
        "load",
        "1 · Load",
        f"{vocabulary.formats_read()}, recognised by content",
        hint="A tool may have several formats: its traces, its scores, its data sets. `ragviz formats` lists them all, and what each is recognised by.",
    ):
        drop = st.file_uploader(
            "Drop files here; up to 50 MB each, for larger ones give a path", accept_multiple_files=True, key=f"upload-{st.session_state.get(ROUND, 0)}"
        )
        _take_uploads(drop or [])
        with st.form("path-form", border=False, clear_on_submit=True):
            path, add = st.columns([0.86, 0.14], vertical_alignment="bottom", gap="small")
            path.text_input("Or a path on this machine", key="path", placeholder="exports/*.jsonl")
            add.form_submit_button("Add", width="stretch", on_click=_take_typed)
        for at, (message, fix) in enumerate(st.session_state.get(PROBLEMS, [])):
            widgets.problem(message, fix, key=f"staging-{at}")
        staged: list[Staged] = st.session_state.get(STAGED, [])
        if staged:
            _staged_table(staged)
        _progress()


def _take_uploads(files: Sequence[Any]) -> None:
    """Copies of uploaded files, so that they can be read as often as needed and named in messages."""
    known = {s.name for s in st.session_state.get(STAGED, []) if s.uploaded}
    for file in files:
        name = _UNSAFE.sub("_", Path(file.name).name)[:120] or "upload"
        if name in known:
            continue
        folder = Path(tempfile.mkdtemp(prefix="ragviz-upload-"))
        (folder / name).write_bytes(file.getbuffer())
        _stage(folder / name, uploaded=True)


def _take_typed() -> None:
    typed = st.session_state["path"]
    if typed:
        _take_path(typed)


def _take_path(typed: str) -> None:
    found = sorted(glob.glob(str(Path(typed.strip()).expanduser()), recursive=True))[:MAX_FILES]  # noqa: PTH207 - the pattern may be absolute
    st.session_state[PROBLEMS] = []
    if not found:
        st.session_state[PROBLEMS] = [(f"There is no file {cut(visible(typed), 120)}.", "Give a path as this machine sees it; * stands for any name.")]
    for path in found:
        _stage(Path(path), uploaded=False)


def _stage(path: Path, *, uploaded: bool) -> None:
    staged = [s for s in st.session_state.get(STAGED, []) if s.path != str(path)]
    try:
        n_bytes = path.stat().st_size
        known = _recognised(path)
    except RagvizError as exc:
        st.session_state[PROBLEMS] = [*st.session_state.get(PROBLEMS, []), (exc.message, on_the_page(exc.fix))]
        return
    except OSError as exc:
        st.session_state[PROBLEMS] = [*st.session_state.get(PROBLEMS, []), (f"{path.name} cannot be read: {exc.strerror}.", "Check its permissions.")]
        return
    st.session_state[STAGED] = [*staged, Staged(str(path), path.name, n_bytes, known, uploaded)]


def _recognised(path: Path) -> str:
    with opened_bundle([path]) as bundle:
        if bundle is not None:
            return BUNDLE
    with opened(path) as source:
        try:
            return recognise(source, path.name).name
        except UnreadableFile:
            return ""


def _staged_table(staged: Sequence[Staged]) -> None:
    labels = {name: loaders.make(name).label for name in loaders.names()}
    table = tables.of_columns({
        "file": [s.name for s in staged], "recognised as": [(labels | {BUNDLE: BUNDLE}).get(s.format, "not recognised") for s in staged],
        "size": [size(s.n_bytes) for s in staged],
    })
    tables.show(table, row_height=28, height="content", key=f"staged-{len(staged)}", alt="Files to be imported as one run",
                 column_config={"size": st.column_config.TextColumn(width=70, alignment="right")})
    if len(staged) > 1:
        st.caption(
            "These files become one run: documents, relevance labels and scores among them are joined to the traces. Two versions of a system are "
            "two runs: load one, then the other."
        )
    reading = _how(staged, labels)
    something = True
    if all(s.format != BUNDLE for s in staged):
        something = data_preview.draw(reading, sum(s.n_bytes for s in staged))
    kept_for = st.selectbox("Keep for", ["", *Split], key=f"keep-{st.session_state.get(ROUND, 0)}", format_func=lambda s: s or "nothing in particular",
                            help="Held-out traces are opened only after a question, and every look at them is counted. The Traces page can change this later.")
    hide = data_redact.choose("Before anything is stored: what is hidden cannot be brought back.", key=f"import-{st.session_state.get(ROUND, 0)}")
    name, go, drop = st.columns([0.62, 0.22, 0.16], vertical_alignment="bottom", gap="small")
    run = name.text_input("Name of the run", key="run-name", max_chars=80, placeholder=staged[0].name.split(".")[0])
    running = _is_running()
    if presses.pressed(go.button, "Import", key="import", type="primary", width="stretch", disabled=running or not something or hide is None):
        _start(staged, run.strip() or None, reading, Split(kept_for) if kept_for else None, hide or ())
        st.rerun()
    drop.button("Clear", key="unstage", width="stretch", on_click=_clear, disabled=running)


def _how(staged: Sequence[Staged], labels: dict[str, str]) -> Reading:
    """Format, documents file and field map: what recognition leaves open, or got wrong."""
    kind, documents = st.columns(2, gap="small")
    chosen = kind.selectbox("Read as", ["", *labels], key="read-as", format_func=lambda n: labels.get(n, "as recognised"))
    names = {s.path: s.name for s in staged}
    round_ = st.session_state.get(ROUND, 0)
    given = documents.selectbox(
        "Texts of the passages",
        ["", *names],
        key=f"documents-{round_}-{len(staged)}",
        format_func=lambda p: cut(visible(names.get(p, "in the same files")), 40),
        disabled=len(staged) < 2,
    )
    traces = tuple(s.path for s in staged if s.path != given)
    places = data_preview.places_in(traces[0])
    asked = data_preview.field_map(places, round_=round_, unknown=any(not s.format for s in staged if s.path != given)) if places else {}
    return Reading(paths=traces, documents=given or None, format=chosen or None, field_map=tuple(asked.items()))


def _start(staged: Sequence[Staged], run: str | None, reading: Reading, split: Split | None, hide: Sequence[str]) -> None:
    resources.jobs().forget(IMPORT_JOB)
    st.session_state[MINE] = st.session_state[AWAITED] = True
    resources.jobs().submit(
        IMPORT_JOB, partial(_import, store=resources.store(), staged=tuple(staged), run=run, reading=reading, split=split, hide=tuple(hide))
    )


def _import(
    handle: Handle, *, store: Store, staged: Sequence[Staged], run: str | None, reading: Reading, split: Split | None, hide: Sequence[str]
) -> ImportReport:
    """The job. Our copies of uploaded files are thrown away, whatever happens."""
    try:
        return import_files(
            store, reading.paths, run_name=run, format=reading.format, documents=reading.documents, field_map=dict(reading.field_map) or None,
            on_progress=handle.progress, cancel=handle.cancel, split=split, redact=hide,
        )
    finally:
        for s in staged:
            if s.uploaded:
                shutil.rmtree(Path(s.path).parent, ignore_errors=True)


def _clear() -> None:
    for s in st.session_state.get(STAGED, []):
        if s.uploaded:
            shutil.rmtree(Path(s.path).parent, ignore_errors=True)
    st.session_state[STAGED], st.session_state[PROBLEMS] = [], []
    st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1


def _is_running() -> bool:
    state = resources.jobs().state(IMPORT_JOB)
    return state is not None and not state.status.is_over


def _progress() -> None:
    """While an import runs: how far it is, and a way to stop it."""
    st.fragment(_poll, run_every=0.5 if _is_running() else None)()


def _poll() -> None:
    state = resources.jobs().state(IMPORT_JOB)
    if state is None:
        return
    if not state.status.is_over:
        st.progress(0.0 if state.fraction is None else state.fraction, text=f"{counted(state.done, 'trace')} stored")
        st.button("Stop", key="stop-import", on_click=_stop)
        return
    if not st.session_state.get(MINE):
        return  # Another session's import; what is chosen and staged here is not touched.
    if state.status is JobStatus.DONE:
        report: ImportReport = state.result
        if st.session_state.pop(AWAITED, False):
            # First sight of the result: the files are in, the new run is looked at from here on.
            st.session_state[STAGED], st.session_state[PROBLEMS] = [], []
            st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1
            selection.settle()
            if report.run_id:
                selection.select(run=report.run_id, judge=None, trace=None)
                _judge_small(report)
            st.rerun()
        said(report)
    else:
        widgets.problem(state.message, on_the_page(state.fix), key="import")


def _judge_small(report: ImportReport) -> None:
    """A small run shows verdicts without a further click; a large one waits for the Judge box, which shows what it takes."""
    if report.n_traces <= samples.JUDGED_AT_ONCE and not resources.store().views(report.run_id):
        samples.start_judging(report.run_id, report.run, None)


def _stop() -> None:
    resources.jobs().cancel(IMPORT_JOB)


def said(report: ImportReport) -> None:
    """What an import came to, in words."""
    if not report.run_id:
        first = report.issues[0] if report.issues else None
        widgets.problem(first.message if first else "No trace could be read from these files.", on_the_page(first.fix) if first else "", key="import-empty")
        return
    left = report.n_traces - report.n_new
    words = f"**{widgets.md(report.run)}**: {counted(report.n_new, 'trace')} imported"
    words += f", {count(left)} were there before" if left else ""
    words += f"; {counted(report.n_issues, 'line')} rejected or doubtful, listed below" if report.n_issues else "; every line was read"
    odd = _oddities(report)
    if report.first_passages is None:
        odd += (". " if odd else "") + "The first trace names no passages: without them no claim can be checked"
    widgets.note(f"{words}." + (f"  \n{odd}." if odd else ""), key="imported")


def _oddities(report: ImportReport) -> str:
    """Of the files: rows without an id, passages without text, passages retrieved twice, and files that are no traces."""
    counts = (
        (sum(f.n_without_id for f in report.files), "without an id, numbered"), (sum(f.n_empty_passages for f in report.files), "empty passages"),
        (sum(f.n_repeated_passages for f in report.files), "passages listed twice"),
    )
    words = [f"{count(n)} {what}" for n, what in counts if n]
    words += [f"{widgets.md(f.name, limit=40)}: {widgets.md(f.role)}" for f in report.files[:10] if f.role != "traces"]
    return " · ".join(words)
